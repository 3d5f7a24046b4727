"""The made gold set of personal data, and what is counted on it."""

from personal.gold import Place, Text, made
from personal.measure import bare, ours, page, scored

from corpusprep.personal.rules import KINDS


def test_numbers_with_check_digits_are_right() -> None:
    """All of them are found: their check digits are made by other code than the kernel's."""
    texts = made(60)
    assert texts == made(60)
    assert {place.kind for text in texts for place in text.places} == set(KINDS)
    for text in texts:
        found = set(ours(text))
        for place in text.places:
            assert place.kind not in ("iban", "card", "identity") or place in found, text


def test_scores_are_shares_of_places() -> None:
    """A place with other bounds is neither found nor right; marks around it do not count."""
    text = Text("de", "a.example", "(030) 12345, a@b.de", (Place("phone", 0, 11), Place("email", 13, 19)))
    assert bare(text.text, Place("phone", 0, 11)) == Place("phone", 1, 11)
    none = Text("de", "a.example", "1.2.3.4", ())
    score = scored([text, none], [[Place("phone", 1, 11), Place("email", 14, 19)], [Place("ip", 0, 7)]])
    assert (score.precision("phone"), score.recall("phone")) == ("100.0", "100.0")
    assert (score.precision("email"), score.recall("email")) == ("0.0", "0.0")
    assert (score.precision("de"), score.recall("de")) == ("33.3", "50.0")
    assert score["none", "found"] == 1


def test_the_page_has_a_row_per_kind_and_language() -> None:
    """With the columns of the tools that are installed."""
    lines = list(page(made(6), "python bench personal --texts 6"))
    rows = [line.split(" | ") for line in lines if line.startswith("| ")]
    assert [row[0].removeprefix("| ") for row in rows][1 : 1 + len(KINDS)] == list(KINDS)
    assert sum(len(row[0]) == 4 for row in rows) == 11  # ten languages, and `ip`
    assert max(map(len, (line for line in lines if not line.startswith("|")))) <= 120
