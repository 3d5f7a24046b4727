"""The kernel that counts strings, compared with a count in plain Python."""

import itertools
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.typing import NDArray

from corpusprep._native.string_counts import StringCounts

PLAIN = re.compile(rb"[\x00-\x08\x0e-\x7f]*")
WORD = re.compile(rb"[0-9a-z](?:.*[0-9a-z])?", re.DOTALL)
EVERY = 1 << 30

#: ASCII at the limits of its classes, white space, and characters beyond it.
strings = (
    st.text("azAZ09@[`{/:.'-_\x00\x7f\t\n\x0b\x0c\r\x1céÉ’\u0301\u2028𝐀", max_size=12)
    | st.text("aB.", max_size=40)
    | st.text("aÉ’Ⱥ\u0301ΣİК²", max_size=15)
    | st.text("aÉ.中文のーテ한\u3000\xa0。Ａ々〡", max_size=15)
    | st.text(st.characters(max_codepoint=0x3000, exclude_categories=["Cs"]), max_size=4)
)
texts = st.lists(strings, max_size=40).map(" ".join)


SETS = 3


PAIRED = "\u3005\u3007\u3041-\u3096\u309d-\u309f\u3400-\u4dbf\u4e00-\u9fef"


def plain_words(string: str) -> Iterator[str]:
    """Yields the words in a string that is not ASCII and not odd; empty ones if there is no letter."""
    for piece in re.findall(f"[{PAIRED}]+|[^{PAIRED}]+", string):
        if re.match(f"[{PAIRED}]", piece):
            yield from map("".join, itertools.pairwise(piece)) if len(piece) > 1 else piece
        else:
            yield from map(
                plain_word, re.split("[\t-\r\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]", piece)
            )


def plain_word(string: str) -> str:
    """Returns the word in a string without white space; empty if it has no letter."""
    lower = "".join(map(str.lower, string))
    inner = [place for place, character in enumerate(lower) if unicodedata.category(character)[0] in "LMN"]
    has_letter = any(unicodedata.category(character)[0] == "L" for character in lower)
    return lower[inner[0] : inner[-1] + 1] if has_letter else ""


def plain_count(text: str, longest: int) -> tuple[Counter[bytes], Counter[bytes]]:
    """The oracle: the words and the odd strings that the docstring of StringCounts describes."""
    words, odd = Counter[bytes](), Counter[bytes]()
    for string in filter(None, text.split(" ")):
        if PLAIN.fullmatch(string.encode()):
            found = WORD.search(string.encode().lower())
            inside = [found[0].decode() if found and re.search(rb"[a-z]", found[0]) else ""]
        elif all(StringCounts.spaced(ord(character)) for character in string):
            inside = [*plain_words(string)]
        else:
            odd[string.encode()] += 1
            continue
        words.update(word.encode() for word in inside if 0 < len(word) <= longest)
    return words, odd


def strings_of(taken: tuple[bytes, NDArray[np.int64], NDArray[np.int64]]) -> tuple[list[bytes], list[Counter[bytes]]]:
    """Returns the strings in order, and the counts of each set; checks that each string is there once."""
    text, offsets, numbers = taken
    assert (offsets.dtype, numbers.dtype, offsets[0], offsets[-1]) == (np.int64, np.int64, 0, len(text))
    found = [text[start:end] for start, end in itertools.pairwise(offsets)]
    assert len(set(found)) == len(found) == numbers.shape[1]
    assert all(numbers.sum(axis=0) > 0)
    return found, [+Counter(dict(zip(found, map(int, row), strict=True))) for row in numbers]


def taken(counts: StringCounts) -> list[tuple[Counter[bytes], Counter[bytes]]]:
    """Returns words and odd strings of each set; checks that the words are in order."""
    _, odd = strings_of(counts.take_odd())
    order, words = strings_of(counts.take())
    assert order == sorted(order)
    return list(zip(words, odd, strict=True))


def column(found: Sequence[str | None]) -> pl.Series:
    """Returns texts as a column."""
    return pl.Series(list(found), dtype=pl.String)


def same(number: int, texts: int = 1) -> NDArray[np.uint8]:
    """Returns one set for all texts."""
    return np.full(texts, number, dtype=np.uint8)


@given(st.lists(st.lists(st.tuples(st.none() | texts, st.integers(0, SETS - 1)), max_size=5), max_size=3))
@example([[("abcdefgh abcdefgi abcdefg\0a abcdefg " * 30, 0)]])
def test_strings_are_counted(columns: list[list[tuple[str | None, int]]]) -> None:
    """In all sets, for any text, also where the words agree in their first bytes."""
    counts = StringCounts(EVERY, 9, SETS)
    expected = [(Counter[bytes](), Counter[bytes]()) for _ in range(SETS)]
    for found in columns:
        sets = np.array([number for _, number in found], dtype=np.uint8)
        assert counts.add(column([text for text, _ in found]), sets) == (len(found), 0)
        for text, number in found:
            for total, one in zip(expected[number], plain_count(text or "", 9), strict=True):
                total.update(one)
    assert taken(counts) == expected
    assert taken(counts) == [(Counter(), Counter())] * SETS


@given(st.lists(st.lists(texts, min_size=5, max_size=20).map(" ".join), min_size=1, max_size=3))
def test_memory_does_not_matter(found: list[str]) -> None:
    """With too little memory it stops between two strings, continues there, and gives the same counts."""
    counts = StringCounts(0, 64, SETS)
    total = Counter[bytes](), Counter[bytes]()
    text = place = 0
    while text < len(found):
        before = text, place
        text, place = counts.add(column(found), same(1, len(found)), text, place)
        assert (text, place) > before
        assert place == 0 or found[text].encode()[place] == ord(" ")
        for sums, one in zip(total, taken(counts)[1], strict=True):
            sums.update(one)
    expected = [plain_count(one, 64) for one in found]
    assert total == tuple(sum(both, Counter[bytes]()) for both in zip(*expected, strict=True))


@pytest.mark.parametrize("end", ["", " x"], ids=["one string", "two strings"])
def test_texts_of_one_string_stop_it(end: str) -> None:
    """Texts without a space, such as menus and Japanese blocks, fill the memory as others do: it stops after a text."""
    rows = [f"w{number:030x}{end}" for number in range(20_000)]
    counts, pieces, words, text, place = StringCounts(1 << 17, 64, 1), 0, 0, 0, 0
    while text < len(rows):
        text, place = counts.add(column(rows), same(0, len(rows)), text, place)
        counts.take_odd()
        words += len(counts.take()[1]) - 1
        pieces += 1
    assert pieces > 5
    assert words >= 20_000


def test_a_count_that_does_not_fit_is_refused() -> None:
    """Counts have 32 bits; nothing wraps around."""
    counts = StringCounts(EVERY, 64, 1)
    most = 2**32 - 1
    counts.add_words(column(["a", "b"]), np.array([[most], [most - 1]]))
    counts.add_words(column(["b"]), np.array([[1]]))
    for count in (1, -1, most + 1):
        with pytest.raises(OverflowError, match="too often"):
            counts.add_words(column(["a"]), np.array([[count]]))
    assert counts.take()[2].tolist() == [[most, most]]


@given(st.dictionaries(st.text("aß.", min_size=1, max_size=9), st.tuples(st.integers(0, 9), st.integers(1, 9))), texts)
def test_words_are_added_as_they_are(words: dict[str, tuple[int, int]], text: str) -> None:
    """Beside those that were counted."""
    counts = StringCounts(EVERY, 64, 2)
    counts.add(column([text]), same(1))
    counts.add_words(column(list(words)), np.array(list(words.values()), dtype=np.int64).reshape(-1, 2))
    expected = [Counter({word.encode(): both[number] for word, both in words.items()}) for number in range(2)]
    expected[1].update(plain_count(text, 64)[0])
    assert [found for found, _ in taken(counts)] == [+one for one in expected]


def test_many_strings_stop_it() -> None:
    """With 64 KB, a million different words of two lengths come in pieces; with enough memory, at once."""
    found = column([" ".join(f"w{number:x} w{number:x}-and-longer" for number in range(500_000))])
    counts, pieces, words = StringCounts(1 << 16, 64, 1), 0, 0
    text = place = 0
    while text < 1:
        text, place = counts.add(found, same(0), text, place)
        pieces += 1
        words += counts.take()[2].shape[1]
    assert pieces > 100
    assert words == 1_000_000
    assert counts.add(found, same(0))[0] == 0
    assert StringCounts(EVERY, 64, 1).add(found, same(0)) == (1, 0)


@pytest.mark.parametrize(
    "word", ["A" * 10_000_000, "é" * 5_000_000, "字" * 3_000_000, "." * 10_000_000, " " * 10_000_000]
)
def test_a_text_of_one_string(word: str) -> None:
    """A text of 10 MB is too long for a word, or is counted whole, or has no word."""
    counts = StringCounts(1 << 20, 64, 1)
    place = counts.add(column([word + " b"]), same(0))
    words, odd = taken(counts)[0]
    counts.add(column([word + " b"]), same(0), *place)
    words.update(taken(counts)[0][0])
    assert (words, odd) == ({b"b": 1}, {word.encode(): 1} if word[0] == "字" else {})


@given(texts, st.integers(1, 9))
def test_words_are_taken_in_pieces(text: str, most: int) -> None:
    """The pieces together are all words in order. Nothing is added before the last one; then it starts again."""
    counts, again = StringCounts(EVERY, 64, SETS), StringCounts(EVERY, 64, SETS)
    for one in (counts, again):
        one.add(column([text]), same(1))
        one.take_odd()
    order, expected = strings_of(again.take())
    found: list[bytes] = []
    sums = [Counter[bytes]() for _ in range(SETS)]
    while len(found) < len(order):
        piece, pieces_of_sets = strings_of(counts.take(most))
        assert len(piece) == min(most, len(order) - len(found))
        found += piece
        for total, part in zip(sums, pieces_of_sets, strict=True):
            total.update(part)
        if len(found) < len(order):
            with pytest.raises(ValueError, match="all words must be taken first"):
                counts.add(column(["a"]), same(0))
    assert (found, sums) == (order, expected)
    assert strings_of(counts.take(most)) == ([], [Counter()] * SETS)
    counts.add(column(["a"]), same(0))
    assert strings_of(counts.take(most))[0] == [b"a"]


def test_one_word_many_times() -> None:
    """Counts add up over calls."""
    counts = StringCounts(EVERY, 64, 2)
    for _ in range(10):
        counts.add(column(["the The THE, " * 100_000]), same(0))
    assert taken(counts) == [(Counter({b"the": 3_000_000}), Counter()), (Counter(), Counter())]


def test_slices_and_pieces_of_columns() -> None:
    """A column may be a slice of another one, and have several pieces."""
    texts = pl.concat([column(["x", None, "a long word inside a column"])[1:], column(["b", "c"])[:1]], rechunk=False)
    counts = StringCounts(EVERY, 64, 2)
    assert counts.add(texts, np.array([0, 1, 0], dtype=np.uint8)) == (3, 0)
    [(first, _), (second, _)] = taken(counts)
    assert (first, second) == ({b"b": 1}, {b"a": 2, b"long": 1, b"word": 1, b"inside": 1, b"column": 1})


def test_arguments_are_checked() -> None:
    """With a place or a set beyond the end, the kernel would read outside its arrays."""
    counts, one = StringCounts(EVERY, 64, 2), column(["a"])
    assert counts.add(one, same(0), 0, 1) == (1, 0)
    for text, place in ((0, 2), (1, 1), (2, 0)):
        with pytest.raises(ValueError, match=f"place {place} of text {text} is not in the texts"):
            counts.add(one, same(0), text, place)
    with pytest.raises(ValueError, match="a set must be below 2, not 2"):
        counts.add(one, same(2))
    with pytest.raises(ValueError, match="a set for each of 1 texts, not 2"):
        counts.add(one, same(0, 2))
    with pytest.raises(ValueError, match="not a column of text"):
        counts.add(pl.Series([1]), same(0))
    with pytest.raises(ValueError, match="1 to 65,536 bytes, not 0"):
        counts.add_words(column([""]), np.ones((1, 2), dtype=np.int64))
    with pytest.raises(ValueError, match="2 counts for each of 1 words"):
        counts.add_words(one, np.ones((1, 3), dtype=np.int64))
    counts.add(column(["ไ"]), same(0))
    with pytest.raises(ValueError, match="odd strings must be taken first"):
        counts.take()
    with pytest.raises(ValueError, match="at most 65,536 characters"):
        StringCounts(EVERY, 1 << 60, 1)
    with pytest.raises(ValueError, match="1 to 256 sets, not 0"):
        StringCounts(EVERY, 64, 0)
