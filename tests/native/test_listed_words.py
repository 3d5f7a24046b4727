"""Words of lists in a text, and stop words of blocks, compared with plain counts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.plain_lists import plain_counts, plain_sample

from corpusprep._native.pages import StopList
from corpusprep._native.trigrams import NativeListedWords, NativeWordKeys, NativeWords
from corpusprep.pages import html
from corpusprep.pages.segmentation import Segmenter

LISTS = (["the", "The", "und", "x²"], ["und", "Und", "že", "и", "und"], [], ["日本", "о", "the", "a" * 300])
SPACE = st.sampled_from([" ", "\n", "-", "_", "7", "٣", ".", "'", "\u0301", "😀"])
WORDS = st.sampled_from(sorted({word for words in LISTS for word in words} | {"", "thee", "UND", "straße", "е", "ⅷ"}))


def listed(lists: tuple[list[str], ...]) -> NativeListedWords:
    """A kernel with these lists."""
    return NativeListedWords(["\n".join(words).encode() for words in lists])


KERNEL = listed(LISTS)


@given(st.lists(st.tuples(WORDS, SPACE)))
def test_words_of_each_list_are_counted(pieces: list[tuple[str, str]]) -> None:
    """The counts are those of each running word on its own."""
    text = "".join(word + space for word, space in pieces)
    expected = plain_counts(LISTS, text)
    assert KERNEL.counts(text.encode()) == expected


def test_bytes_that_are_not_utf8_separate_words() -> None:
    """Any bytes are a text."""
    assert KERNEL.counts(b"the\xff\xfethe \xc5") == [2, 0, 0, 2]
    assert listed(()).counts(b"the") == []


@given(
    st.lists(
        st.lists(st.tuples(st.text("the und日😀é\u0e01\u0301", max_size=20), st.booleans()), max_size=5), max_size=5
    ),
    st.integers(0, 30),
    st.integers(0, 20),
)
def test_words_of_pages_are_those_of_their_samples(
    pages: list[list[tuple[str, bool]]], most_bytes: int, least_characters: int
) -> None:
    """A sample has preferred blocks, or all, and is cut between characters; scripts without spaces are told."""
    blocks = [block for page in pages for block in page]
    texts = [text.encode() for text, _ in blocks]
    offsets = np.cumsum([0, *map(len, texts)], dtype=np.int64)
    firsts = np.cumsum([0, *map(len, pages)], dtype=np.int64)
    preferred = np.array([chosen for _, chosen in blocks], np.uint8)
    found, special = KERNEL.of_pages(b"".join(texts), offsets, firsts, preferred, most_bytes, least_characters)
    samples = [plain_sample(page, most_bytes, least_characters) for page in pages]
    expected = [plain_counts(LISTS, one) for one in samples]
    assert np.frombuffer(found, np.uint32).reshape(len(pages), len(LISTS)).tolist() == expected
    assert list(special) == [any(character in "日\u0e01" for character in one) for one in samples]


@pytest.mark.parametrize(
    ("offsets", "pages", "preferred"),
    [([0, 9], [0, 1], [1]), ([0, 3], [0, 2], [1]), ([0, 3], [1, 0], [1]), ([0], [0], [1])],
)
def test_blocks_and_pages_out_of_range_are_refused(offsets: list[int], pages: list[int], preferred: list[int]) -> None:
    """Neither offsets nor pages may lie outside, and each block has a mark."""
    places = np.array(offsets, np.int64), np.array(pages, np.int64), np.array(preferred, np.uint8)
    with pytest.raises(ValueError, match=r"offsets|pages|marks"):
        KERNEL.of_pages(b"the", *places, 10, 1)


def test_numbers_of_words_from_their_keys() -> None:
    """Words numbered by keys have the numbers that they have by their texts, also those that are too long."""
    lists = [b"the\nund\n\xc5\xbee", b"", b"und\n" + b"a" * 300 + b"\nx"]
    plain, keyed = NativeWords(lists), NativeWords.of_keys([NativeWordKeys(words) for words in lists])
    assert len(keyed) == len(plain) == 5
    assert [keyed.numbers(place) for place in range(3)] == [plain.numbers(place) for place in range(3)]


@given(st.lists(st.tuples(WORDS, SPACE), max_size=30), st.booleans())
def test_stop_words_of_blocks_are_those_that_the_segmenter_counts(pieces: list[tuple[str, str]], own: bool) -> None:
    """Counting in the blocks that were cut gives what cutting with the stop list gives."""
    words = LISTS[1] if own else LISTS[0]
    page = html.parse("<p>" + "".join(word + space for word, space in pieces) + "<p>und the Und-the</p>")
    plain, counting = Segmenter(()), Segmenter(words)
    plain.add(page)
    counting.add(page)
    blocks = plain.take()
    assert StopList(words).counts(blocks.text, blocks.offsets).tolist() == counting.take().stop_words.tolist()


@pytest.mark.parametrize("offsets", [[0, 9], [-1, 2], [0, 3, 1], []])
def test_offsets_outside_the_text_are_refused(offsets: list[int]) -> None:
    """What the kernel is given is checked."""
    with pytest.raises(ValueError, match="offsets"):
        StopList(["the"]).counts(b"the", np.array(offsets, np.int64))
