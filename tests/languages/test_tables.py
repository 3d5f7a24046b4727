"""The tables of the language kit."""

import random
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpusprep import languages
from corpusprep.encoding import charsets
from corpusprep.errors import ArchiveError
from corpusprep.languages import calibrating as calibration
from corpusprep.languages.calibrating import (
    MAX_LOST,
    MAX_RIVALS,
    PRECISION,
    REPORTING,
    SETTING,
    _Language,
    joined,
    lines_of,
    precision_of,
    shuffled,
)
from corpusprep.languages.descriptions import has_list
from corpusprep.languages.identification import identifier
from corpusprep.languages.labelled_texts import unpacked
from studies.commands.languages import command as table
from studies.language_tables import TABLES
from studies.languages import choosers, confusions, identification
from studies.languages.stop_lists import common_characters
from studies.presemt_2012 import damaged_pages, encodings
from studies.presemt_2012.made_pages import Markup


def plain_common(one: str, other: str) -> int:
    """The oracle: the textbook table of the longest common subsequence."""
    row = [0] * (len(other) + 1)
    for left in one:
        above = row
        row = [0]
        for place, right in enumerate(other):
            row.append(above[place] + 1 if left == right else max(row[place], above[place + 1]))
    return row[-1]


@given(st.text("abč的", max_size=30), st.text("abč的", max_size=30))
def test_common_characters_are_the_longest_common_subsequence(one: str, other: str) -> None:
    """Holds for any two texts."""
    assert common_characters(one, other) == plain_common(one, other)


def test_lines_are_joined_to_a_length() -> None:
    """A rest at the end is dropped."""
    assert joined(["abc", "de", "f", "gh"], 5) == ["abc de"]
    assert joined(["abc", "de"], 1) == ["abc", "de"]


@pytest.mark.parametrize("name", TABLES)
def test_missing_data_is_named(tmp_path, name: str) -> None:
    """The message names the missing archive."""
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "page.html").write_text("<p>text", encoding="utf-8")
    with pytest.raises(ArchiveError, match=r"\.tar\.xz: cannot be unpacked"):
        list(TABLES[name][1](tmp_path, pages))


def test_calibration_names_missing_data(tmp_path) -> None:
    """Like the tables, it names the missing archive."""
    with pytest.raises(ArchiveError, match=r"\.tar\.xz: cannot be unpacked"):
        list(calibration.rows(tmp_path))


def test_halves_are_apart_and_make_the_whole(tmp_path) -> None:
    """The same line is always in the same half."""
    lines = [f"line {number % 150}" for number in range(200)]
    path = tmp_path / "x.txt"
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")
    setting, reporting = (lines_of(path, half) for half in (SETTING, REPORTING))
    assert not set(setting) & set(reporting)
    assert sorted([*setting, *reporting]) == sorted(lines_of(path, None)) == sorted(lines)
    assert 70 < len(setting) < 130


def test_the_command_knows_all_tables() -> None:
    """Its choices stand in the module of the command, which does not load the tables."""
    choice = next(param for param in table.params if param.name == "name").type
    assert tuple(choice.choices) == tuple(TABLES)


def test_short_texts_are_parts_of_sentences() -> None:
    """Cut at spaces; a line without spaces is cut anywhere, and a rest is dropped."""
    assert identification.texts_of(["one two three four", "five"], 7) == ["one two", "three four"]
    assert identification.texts_of(["x" * 95], 20) == ["x" * 20] * 4
    assert identification.texts_of(["a" * 60, "b" * 60], 100) == [f"{'a' * 60} {'b' * 60}"]


def test_precision_does_not_depend_on_the_number_of_texts() -> None:
    """One of two Czech texts, and one of four Slovak texts, is taken for the other."""
    pairs = [("cs", ""), ("cs", ""), *[("sk", "")] * 4]
    found = {
        code: (count, values) for code, count, values in identification.scored(pairs, ["cs", "sk", "cs", *["sk"] * 3])
    }
    assert found["cs"] == (2, pytest.approx((2 / 3, 1 / 2, 4 / 7)))
    assert found["sk"] == (4, pytest.approx((3 / 5, 3 / 4, 2 / 3)))
    assert found["macro"][1] == pytest.approx(((2 / 3 + 3 / 5) / 2, 5 / 8, (4 / 7 + 2 / 3) / 2))


def test_pages_of_both_sets_are_read(tmp_path: Path) -> None:
    """Paragraphs and names of languages, or JSON with codes."""
    (tmp_path / "gold").mkdir()
    (tmp_path / "gold" / "one").write_text("<p>Ένα</p>\n<p>δύο</p>", encoding="utf-8")
    (tmp_path / "doc_lg.json").write_text('{"one": "Greek"}', encoding="utf-8")
    assert confusions.page_texts(tmp_path) == [("el", "Ένα\nδύο")]
    (tmp_path / "doc_lg.json").unlink()
    (tmp_path / "gold" / "one").write_text('{"language": "no", "text": "En to"}', encoding="utf-8")
    assert confusions.page_texts(tmp_path) == [("nb", "En to")]


def test_mixed_texts_have_two_languages() -> None:
    """Each language stands beside another."""
    pairs = [("cs", "ano"), ("de", "ja"), ("en", "yes"), ("fr", "oui")]
    assert confusions.mixed(pairs) == [
        ("cs+en", "ano yes"),
        ("de+fr", "ja oui"),
        ("en+cs", "yes ano"),
        ("fr+de", "oui ja"),
    ]


@pytest.mark.slow
@pytest.mark.data
def test_identification_stays_as_good_as_measured(evaluation_data: Path) -> None:
    """The floors are measured values: F1 of short texts, and how many texts without a model get no language."""
    with unpacked(evaluation_data, "langid-dev") as (data, _):
        lines = calibration.sentences(data, REPORTING) | calibration.declarations(data, REPORTING)
        unknown_lines = calibration.declarations(data, None, confusions.UNKNOWN)
    choose = choosers.identified(languages.known())
    for length, floor in ((20, 0.932), (50, 0.969), (200, 0.995)):
        pairs = identification.labelled_texts(lines, length)
        *_, (_, _, means) = identification.scored(pairs, [choose(text) for _, text in pairs])
        assert means[2] >= floor, length
    for length, floor in ((50, 0.44), (100, 0.46)):
        unknown = confusions.without_model(unknown_lines, length)
        assert sum(identifier()(text).language is None for _, text in unknown) >= floor * len(unknown)


def test_orders_are_always_the_same() -> None:
    """Each seed gives another order, always the same, and no line is lost."""
    lines = [str(number) for number in range(50)]
    assert shuffled(lines, 1) == shuffled(lines, 1) != shuffled(lines, 2)
    assert sorted(shuffled(lines, 1)) == sorted(lines)


def test_precision_is_with_as_many_texts_of_each_language() -> None:
    """Half of the language's own texts and 5 % of the texts of two others are in the ratio 5 to 1."""
    assert precision_of(0.5, [0.05, 0.05]) == pytest.approx(5 / 6)
    assert precision_of(0.0, [0.1]) == 0.0


class NoEvidence:
    """Word evidence that is always 0."""

    def of(self, text: str) -> list[float]:
        return [0.0] * 4


def calibrated(own: list[list[float]], other: list[list[float]]) -> calibration.Setting:
    """Returns the setting of the language aa on texts with these scores for aa, bb, cc and English."""
    scores = {"aa": np.array(own), "zz": np.array(other)}
    texts = {name: [""] * len(ones) for name, ones in scores.items()}
    return _Language(0, ["aa", "bb", "cc", "en"], texts, scores, NoEvidence()).setting()


def test_the_threshold_keeps_other_languages_out() -> None:
    """The threshold is as low as possible; at most 3 % of the language's own texts are below it."""
    own = [[0.40 + number / 1000, 0.2, 0.3, 0.05] for number in range(200)]
    reached = calibrated(own, [[0.404, 0.1, 0.1, 0.1]] * 10 + [[0.2, 0.1, 0.1, 0.1]] * 90)
    assert (reached.threshold, reached.recall, reached.precision) == (0.405, pytest.approx(0.975), 1.0)
    not_reached = calibrated(own, [[0.5, 0.1, 0.1, 0.1]] * 100)
    assert not_reached.recall >= 0.97
    assert not_reached.precision < PRECISION
    free = calibrated(own, [[0.2, 0.1, 0.1, 0.1]] * 100)
    assert 0.36 < free.threshold < 0.38


def test_rivals_take_other_languages_away() -> None:
    """A language that takes too many of the own texts is no rival; English is one, the others are the closest."""
    own = [[0.5, 0.2, 0.6 if number < 10 else 0.3, 0.05] for number in range(100)]
    found = calibrated(own, [[0.5, 0.6, 0.1, 0.1]] * 100)
    assert found.rivals == ("bb", "en")
    assert found.precision == 1.0
    assert MAX_LOST < 0.1
    assert len(found.rivals) <= MAX_RIVALS


def test_a_page_says_what_its_encoding_lacks_by_references() -> None:
    """Greek in windows-1252 is ASCII; a question mark stays one."""
    assert encodings.written("a? ω €", "windows-1252") == b"a? &#969; \x80"


def test_an_answer_is_right_that_gives_the_text() -> None:
    """A superset of the encoding is right; another or unknown encoding is wrong."""
    data = "žluť".encode("iso-8859-2")
    assert encodings._is_right("été".encode("latin-1"), "cp1252", "iso-8859-1")
    assert not encodings._is_right(data, "windows-1250", "iso-8859-2")
    assert not encodings._is_right(data, "nonsense", "iso-8859-2")
    assert not encodings._is_right(data, None, "iso-8859-2")


def test_pieces_are_of_the_text() -> None:
    """Pieces have no markup, the given length, and characters outside ASCII."""
    words = random.Random(1).choices(["žluť", "kůň", "dům"], k=200)
    data = f"<p class=x>{' '.join(words)}</p>".encode("iso-8859-2")
    pieces = encodings._pieces(data, "iso-8859-2", 50)
    assert [len(piece) for piece in pieces] == [50] * 5
    assert not any(b"<" in piece for piece in pieces)


@pytest.mark.parametrize("name", damaged_pages.DAMAGES)
def test_damage_is_what_its_name_says(name: str) -> None:
    """Each damage leaves most of a page as it was, and is the same each time."""
    page = ("<p>Škoda, že nikdo neslyšel. " * 20).encode()
    damaged = damaged_pages.DAMAGES[name](page, random.Random(3))
    assert damaged == damaged_pages.DAMAGES[name](page, random.Random(3))
    text, undecodable = charsets.decode(damaged, "utf-8")
    wrong = {
        "5 lone surrogates": 5,
        "5 overlong forms": 11,
        "1 stray byte": 1,
        "5 stray bytes": 5,
        "5 emoji, 1 stray byte": 1,
        "1 character cut": 1,
        "10 characters cut": 10,
        "20 invalid sequences": 60,
        "UTF-16 mark inside": 2,
    }
    assert undecodable == wrong.get(name, 0)
    emoji = re.match(r"(\d+) emoji", name)
    assert sum(char in damaged_pages.EMOJI for char in text) == (int(emoji[1]) if emoji else 0)


@pytest.mark.slow
@pytest.mark.data
def test_damaged_pages_are_still_read_in_their_encoding(evaluation_data: Path) -> None:
    """The floors are measured values. Pages with as many stray bytes as characters are left out.

    Some languages whose words are in lists of their own have no letters but those of ASCII: one foreign letter decides.
    """
    pages = Path(__file__).parents[2] / "config/sample/pages"
    counted: dict[tuple[str, str, str], list[int]] = {}
    for written_in, damage, declared, language, count, right, accuracy, _ in damaged_pages.rows(evaluation_data, pages):
        if "stray byte" in damage:
            continue
        if language == damaged_pages.ALL:
            assert float(accuracy) >= 98, (written_in, damage, declared)
        elif not has_list(language):
            sums = counted.setdefault((written_in, damage, declared), [0, 0])
            sums[0] += int(count)
            sums[1] += int(right)
    assert counted
    assert all(right >= 0.994 * count for count, right in counted.values())


def test_names_of_encodings_are_counted_apart_from_their_text() -> None:
    """A page of windows-1252 without its own characters is called iso-8859-1: the same text, another name."""
    answers = encodings._Answers()
    model = languages.get("de")
    for page in ("Die Straße über den Fluss ist für große Wagen gesperrt.", "„Für uns nicht“, sagt der Bürgermeister."):
        answers.add(encodings.written(page, "windows-1252"), "windows-1252", model)
    answers.add(b"plain", "windows-1252", model)
    assert (answers.pages, answers.right, answers.named, answers.wrong) == (3, 3, 2, {"iso-8859-1": 1})


def test_rows_have_published_numbers_and_the_confusion() -> None:
    """Each cell stands beside the published one; the average is weighted by the published shares of pages."""
    answers = {name: encodings._Answers() for name in encodings.PUBLISHED["it"]}
    for one, named in zip(answers.values(), (4, 4, 1), strict=True):
        one.pages = one.right = 4
        one.named = named
    answers["iso-8859-1"].wrong["windows-1252"] = 3
    rows = {row[2]: row for row in encodings._rows_of("Web", "it", answers, "digest")}
    assert rows["iso-8859-1"][5:9] == ("100.0", "25.0", "85.1", "windows-1252:3")
    assert rows["iso-8859-1 as windows-1252"][5] == "75.0"
    assert rows["average"][5:8] == ("100.0", f"{100 - 75 * 37.9 / 99.2:.1f}", "93.3")


def test_long_pages_have_as_many_words_as_their_markup() -> None:
    """The words of the sentences are used in turn, over all pages."""
    pages = encodings._long(["a b.", "c's"], [Markup("<p>x x<b>x</b>"), Markup("<p>x x x")])
    assert [page.split() for page in pages] == [["<p>", "a", "b.", "<b>", "c's", "</b>"], ["<p>", "a", "b.”", "“c’s"]]


def test_pages_in_iso_8859_1_have_references_for_typographic_marks() -> None:
    """On the Web the label means windows-1252; a page that was written in iso-8859-1 has none of its marks."""
    assert encodings.written("é’", "iso-8859-1") == b"\xe9&#8217;"
    assert encodings.written("é’", "windows-1252") == b"\xe9\x92"
