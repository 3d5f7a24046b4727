"""The scores of each built-in language."""

from corpusprep import languages
from studies.languages.scores import COLUMNS, detected, markdown, stop_word_share

TEXT = "Starosta města řekl, že nový most bude otevřen ještě letos, když to počasí dovolí."


def test_stop_words_are_counted_among_the_words() -> None:
    """Numbers are no words."""
    model = languages.get("en")
    assert stop_word_share(["The bridge, 12 of the towns"], model) == 3 / 5


def test_pages_are_in_each_encoding_that_has_their_characters() -> None:
    """UTF-8, windows-1250, iso-8859-2; not ASCII, windows-1252, which lacks letters, or a text encoded twice."""
    assert detected([TEXT, "Nic", "ÄŤas"], languages.get("cs")) == (3, 3)


def test_the_table_is_printed_in_columns() -> None:
    """Weak languages have an asterisk; what is not measured has a dash."""
    rows = [dict.fromkeys(COLUMNS, "") | {"language": code, "f1": "100.0"} for code in ("a", "b", "c", "d", "e")]
    rows[1]["weak"] = "weak"
    _, _, first, second = markdown(rows).splitlines()
    assert first == "| a | 100.0 | – | – | c | 100.0 | – | – | e | 100.0 | – | – |  |  |  |  |"
    assert second == "| b* | 100.0 | – | – | d | 100.0 | – | – |  |  |  |  |  |  |  |  |"
