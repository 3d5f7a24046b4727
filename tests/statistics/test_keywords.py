"""The counts of words for the table of keywords, against a count in plain Python."""

import itertools
import re
import tempfile
import unicodedata
from collections import Counter
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from corpusprep._native.string_counts import StringCounts, WordRuns
from corpusprep.errors import StageFileError
from corpusprep.statistics.forgotten_pages import forgotten_pages
from corpusprep.statistics.joined_verdicts import JoinedVerdicts
from corpusprep.statistics.keywords import LONGEST_WORD, Keywords, frame_of_words, words_of_odd
from corpusprep.statistics.table import Inputs
from corpusprep.statistics.word_counts import WordCounts
from corpusprep.tables.verdicts import KEPT

#: White space (Unicode's White_Space) other than the space.
WHITE = "\t\n\v\f\r\x85\xa0\u1680\u2000\u2028\u2029\u202f\u205f\u3000"

#: Letters whose lower case is longer or depends on their neighbours; marks; invisible characters; letters without case.
HOSTILE = (
    "aAzZ09.,'-_@[`{"
    + "ΣσςΑαİIıKÅßẞǄǅﬀÉÇ𐐀"
    + "\u0301\u0307\u0345\u00ad\u200b\u200d\ufeff\u02b0·"
    + "שअ१²𝐀🏔\x00\x1c\x7f"
)

words = st.text(HOSTILE, max_size=8) | st.text("aΣ.", min_size=60, max_size=70)
texts = st.lists(
    words | st.sampled_from(["ΟΔΟΣ", "ΟΔΟΣ.", "A.Σ", "Σ", "ΑΣ\u0301", "CAFÉ", "İSTANBUL"]), max_size=12
).flatmap(
    lambda found: st.lists(st.sampled_from([" "] * 8 + list(WHITE)), min_size=len(found), max_size=len(found)).map(
        lambda spaces: "".join(map(str.__add__, found, spaces))
    )
)
blocks = st.lists(st.tuples(st.none() | texts, st.sampled_from([KEPT, KEPT, "duplicate", None])), max_size=8)


def part(found: list[tuple[str | None, str | None]]) -> JoinedVerdicts:
    """Returns a part of a batch with these blocks: texts, and the verdict of the last stage (None: of the first).

    They are of one page; another page is forgotten.
    """
    schema = {"text": pl.String, "blocks": pl.String}
    first = pl.when(pl.col("blocks").is_null()).then(pl.lit("short")).otherwise(pl.lit(KEPT))
    passed = pl.when(pl.col("blocks").is_not_null()).then(pl.lit(KEPT))
    frame = pl.DataFrame(found, schema=schema, orient="row")
    frame = frame.with_columns(
        boilerplate=first, language=passed, documents=passed, quality=pl.lit(None, pl.String), record=1
    )
    removed = {"text": "asked not to be", "boilerplate": "short", "record": 2}
    forgotten = pl.DataFrame([removed], schema=frame.schema)
    documents = pl.DataFrame(
        {"record": [1, 2], "documents": [KEPT, "forgotten"]}, schema_overrides={"record": pl.Int32}
    )
    return JoinedVerdicts(pl.DataFrame(), documents, pl.concat([frame, forgotten]))


def plain_words(text: str) -> Counter[str]:
    """Returns the words of a text, which is lower-cased as a whole."""
    found = Counter[str]()
    for word in "".join(" " if letter in WHITE else letter for letter in text.lower()).split(" "):
        inside = [place for place, letter in enumerate(word) if unicodedata.category(letter)[0] in "LMN"]
        word = word[inside[0] : inside[-1] + 1] if inside else ""
        if len(word) <= LONGEST_WORD and any(unicodedata.category(letter)[0] == "L" for letter in word):
            found[word] += 1
    return found


def counted(parts: list[JoinedVerdicts], held: int) -> tuple[Counter[str], Counter[str]]:
    """Returns the words before and after cleaning, as counted by WordCounts."""
    with tempfile.TemporaryDirectory() as folder, WordCounts(Path(folder), held, fan_in=2) as words:
        for part in parts:
            words.add(part, forgotten_pages(part, None))
        pieces = [*words.sums()]
    assert all(piece["key"].is_sorted() and piece["key"].is_unique().all() for piece in pieces)
    ends = [(piece["key"][0], piece["key"][-1]) for piece in pieces if piece.height]
    assert all(last.encode() < first.encode() for (_, last), (first, _) in itertools.pairwise(ends))
    if not pieces:
        return Counter(), Counter()
    rows = pl.concat(pieces)
    assert rows.schema == {"key": pl.String, **dict.fromkeys(Keywords.numbers, pl.Int64)}
    before, after = Counter[str](), Counter[str]()
    for word, count_before, count_after, *removed in rows.iter_rows():
        assert count_before == count_after + sum(removed)
        before[word] += count_before
        after[word] += count_after
    return before, +after


@given(st.lists(blocks, max_size=3), st.sampled_from([0, 1 << 20]))
def test_words_are_those_of_a_plain_count(parts: list[list[tuple[str | None, str | None]]], held: int) -> None:
    """Holds for hostile text in parts, with little memory and with enough."""
    before, after = Counter[str](), Counter[str]()
    for text, verdict in (block for found in parts for block in found):
        found = plain_words(text or "")
        before.update(found)
        after.update(found if verdict == KEPT else {})
    assert counted([part(found) for found in parts], held) == (before, after)


@given(texts)
def test_strings_are_lower_cased_as_their_text_is(text: str) -> None:
    """Whether a sigma is final never depends on text across a space."""
    series = pl.Series([text])
    whole = series.str.to_lowercase().str.split(" ").explode()
    assert whole.to_list() == series.str.split(" ").explode().str.to_lowercase().to_list()


def plain_sequences(text: str) -> Counter[str]:
    """Returns the words of a text of Han, kana, Thai, ASCII letters and punctuation."""
    found = Counter[str]()
    for word in re.findall("[一-鿿ぁ-ゖ]+|[ก-ฺ]+|[^一-鿿ぁ-ゖก-ฺ ]+", text.lower()):
        word = word.strip(",。")
        size = 2 if re.match("[一-鿿ぁ-ゖ]", word) else 4 if re.match("[ก-ฺ]", word) else len(word)
        if word:
            found.update(word[start : start + size] for start in range(max(1, len(word) - size + 1)))
    return found


@given(st.lists(st.text("中文語のをテレビกขคa ,。", max_size=30), max_size=5), st.sampled_from([0, 1 << 20]))
@example(["a,a", "中a,a"], 0)
@example(["中" * 500_000, "文" * 300], 1 << 20)
def test_text_without_spaces_is_counted_in_sequences(found: list[str], held: int) -> None:
    """Pairs of Han and kana, four characters of Thai; katakana and other scripts make words."""
    expected = sum(map(plain_sequences, found), Counter[str]())
    assert counted([part([(text, KEPT) for text in found])], held) == (expected, expected)


@pytest.mark.parametrize("longest", [LONGEST_WORD, LONGEST_WORD + 1])
def test_long_words_are_not_counted(longest: int) -> None:
    """The limit is the same for ASCII and other letters."""
    found = part([("“" + "A" * longest + "” " + "Σ" * longest, KEPT)])
    assert len(counted([found], 0)[0]) == (2 if longest == LONGEST_WORD else 0)


def test_equal_scores_are_in_alphabetical_order() -> None:
    """Also where the words come in pieces of the table: for one row, the last bit of a quotient is another one."""
    counts = {"count_before": 523, "count_after": 120}
    pieces = [pl.DataFrame({"key": words, **counts}) for words in (["a"], ["b", "c"], ["d"])]
    table = Keywords(Inputs(running={"count_before": 2_255_257, "count_after": 265_689}))
    for piece in pieces:
        table.add_words(piece)
    assert [row[0] for row in table.rows()] == ["a", "b", "c", "d"]


def test_parts_without_text() -> None:
    """Parts without blocks, without kept blocks and without words give no counts."""
    for found in ([], [("", KEPT)], [(None, None)], [(" ", None)]):
        assert counted([part(found)], 0) == (Counter(), Counter())


@pytest.mark.parametrize("form", ["{}", "a{}", "{}a", "a{}a"])
def test_words_are_the_same_in_the_kernel(form: str) -> None:
    """For all characters that are not odd there, the words of strings are those that expressions find."""
    strings = pl.Series([form.format(chr(code)) for code in range(0x80, 0x110000) if StringCounts.spaced(code)])
    counts = StringCounts(1 << 30, LONGEST_WORD, 1)
    counts.add(strings, np.zeros(len(strings), np.uint8))
    assert frame_of_words(counts.take_odd(), ["count"]).is_empty()
    found = frame_of_words(counts.take(), ["count"])
    expected = words_of_odd(pl.DataFrame({"key": strings, "count": 1}, {"key": pl.String, "count": pl.Int64}))
    assert len(strings) > 7_000
    assert_frame_equal(found, expected.group_by("key").sum().sort("key"))


def test_damaged_runs_are_an_error(tmp_path: Path) -> None:
    """A changed byte of a temporary file is noticed, and so is a run of other sets."""
    counts = StringCounts(1 << 20, LONGEST_WORD, 2)
    counts.add(pl.Series(["a word and a word", "another"]), np.array([0, 1], np.uint8))
    counts.write_run(path := tmp_path / "words")
    assert WordRuns([path], 2).read(9)[0] == b"aandanotherword"
    with pytest.raises(StageFileError, match="another number of counts"):
        WordRuns([path], 3)
    whole = path.read_bytes()
    for place in range(len(whole)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        with pytest.raises(StageFileError, match="words: "):
            WordRuns([path], 2).read(9)
