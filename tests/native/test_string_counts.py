"""The kernel that counts strings, compared with a count in plain Python."""

import itertools
import re
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpusprep._native.string_counts import StringCounts

PLAIN = re.compile(rb"[\x00-\x08\x0e-\x7f]*")
WORD = re.compile(rb"[0-9a-z](?:.*[0-9a-z])?", re.DOTALL)
EVERY = 1 << 30

#: ASCII at the limits of its classes, white space, and bytes that are not UTF-8.
bytes_of_strings = st.sampled_from(list(b"azAZ09@[`{/:.'-_\x00\x7f\t\n\x0b\x0c\r\x1c\x80\xc3\xa9\xff"))
strings = st.lists(bytes_of_strings, max_size=12).map(bytes) | st.text("aB.", max_size=40).map(str.encode)
texts = st.lists(strings, max_size=40).map(b" ".join)


def plain_count(text: bytes, longest: int) -> Counter[bytes]:
    """The oracle: the counts that the docstring of StringCounts describes."""
    found = Counter[bytes]()
    for string in text.split(b" "):
        if not PLAIN.fullmatch(string):
            found[string] += 1
        elif (word := WORD.search(string.lower())) and re.search(rb"[a-z]", word[0]) and len(word[0]) <= longest:
            found[word[0]] += 1
    return found


def taken(counts: StringCounts) -> tuple[Counter[bytes], Counter[bytes]]:
    """Returns the counts of both sets; checks that each string is there once."""
    text, offsets, numbers = counts.take()
    assert (offsets.dtype, numbers.dtype, offsets[0], offsets[-1]) == (np.int64, np.int64, 0, len(text))
    found = [text[start:end] for start, end in itertools.pairwise(offsets)]
    assert len(set(found)) == len(found) == numbers.shape[1]
    assert all(numbers.sum(axis=0) > 0)
    first, second = (Counter(dict(zip(found, map(int, row), strict=True))) for row in numbers)
    return +first, +second


@given(st.lists(st.tuples(texts, st.booleans()), max_size=5), st.integers(0, 70))
def test_strings_are_counted(sets: list[tuple[bytes, bool]], longest: int) -> None:
    """In both sets, for any bytes."""
    counts = StringCounts(EVERY, longest)
    expected = Counter[bytes](), Counter[bytes]()
    for text, second in sets:
        assert counts.add(text, 0, second) == len(text)
        expected[second].update(plain_count(text, longest))
    assert taken(counts) == expected
    assert taken(counts) == (Counter(), Counter())


@given(st.lists(texts, min_size=5, max_size=20).map(b" ".join), st.booleans())
def test_memory_does_not_matter(text: bytes, second: bool) -> None:
    """With too little memory it stops between two strings, continues there, and gives the same counts."""
    counts, found, place = StringCounts(0, 64), Counter[bytes](), 0
    while True:
        stopped = counts.add(text, place, second)
        assert stopped == len(text) or (stopped > place and text[stopped] == ord(" "))
        found.update(taken(counts)[second])
        if stopped == len(text):
            break
        place = stopped
    assert found == plain_count(text, 64)


def test_many_strings_stop_it() -> None:
    """With 64 KB, a million different words of two lengths come in pieces; with enough memory, at once."""
    text = b" ".join(b"w%x w%x-and-longer" % (number, number) for number in range(500_000))
    counts, pieces, found, place = StringCounts(1 << 16, 64), 0, 0, 0
    while place < len(text):
        place = counts.add(text, place, False)
        pieces += 1
        found += counts.take()[2].shape[1]
    assert pieces > 100
    assert found == 1_000_000
    assert counts.add(text, 0, True) < len(text)
    assert StringCounts(EVERY, 64).add(text, 0, True) == len(text)


@pytest.mark.parametrize("word", [b"A" * 10_000_000, b"\xc3\xa9" * 5_000_000, b"." * 10_000_000, b" " * 10_000_000])
def test_a_text_of_one_string(word: bytes) -> None:
    """A text of 10 MB is too long for a word, or is counted whole, or has no word."""
    counts = StringCounts(1 << 20, 64)
    counts.add(word + b" b", 0, True)
    assert taken(counts)[1] == {b"b": 1} | ({word: 1} if word[0] == 0xC3 else {})


def test_one_word_many_times() -> None:
    """Counts add up over calls."""
    counts, text = StringCounts(EVERY, 64), b"the The THE, " * 100_000
    for _ in range(10):
        counts.add(text, 0, False)
    assert taken(counts) == (Counter({b"the": 3_000_000}), Counter())


def test_arguments_are_checked() -> None:
    """With a place beyond the end, the kernel would read outside the text."""
    counts = StringCounts(EVERY, 64)
    assert counts.add(b"a", 1, False) == 1
    with pytest.raises(ValueError, match="start must be at most 1"):
        counts.add(b"a", 2, False)
    with pytest.raises(ValueError, match="at most 65,536 characters"):
        StringCounts(EVERY, 1 << 60)
