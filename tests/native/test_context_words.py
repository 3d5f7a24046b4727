"""The kernel that counts the words of good blocks in many classifications, compared with each of them alone."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpusprep._native.context_words import BlockKinds, ContextWords
from corpusprep.cleaners.context import CODES, context_sensitive

LABELS = list(CODES)
KINDS = 5
tables = st.integers(1, 11).flatmap(
    lambda number: st.lists(
        st.lists(st.integers(0, 3), min_size=number, max_size=number), min_size=KINDS, max_size=KINDS
    )
)
pages_of_blocks = st.lists(st.lists(st.tuples(st.integers(0, KINDS - 1), st.integers(0, 99)), max_size=12), max_size=4)


def added(counts: ContextWords, pages: list[list[tuple[int, int]]]) -> None:
    """Adds pages of blocks: the kind and the words of each."""
    blocks = [block for page in pages for block in page]
    ends = np.cumsum([0, *map(len, pages)])
    kinds, words = (np.array([block[column] for block in blocks], np.uint32) for column in (0, 1))
    counts.add(kinds, words, ends)


@given(tables, pages_of_blocks, pages_of_blocks)
def test_words_are_those_of_each_classification(
    classes: list[list[int]], first: list[list[tuple[int, int]]], second: list[list[tuple[int, int]]]
) -> None:
    """Of all pages that were added."""
    counts = ContextWords(np.array(classes, np.uint8))
    added(counts, first)
    added(counts, second)
    for number, found in enumerate(counts.words()):
        expected = 0
        for page in [*first, *second]:
            contexts = context_sensitive([LABELS[classes[kind][number]] for kind, _ in page])
            expected += sum(words for (_, words), context in zip(page, contexts, strict=True) if context == "good")
        assert found == expected


def test_many_words() -> None:
    """Sums of pages may have more than 32 bits."""
    counts = ContextWords(np.array([[3, 2, 0]], np.uint8))
    for _ in range(3):
        added(counts, [[(0, 2**32 - 2), (0, 1)]])
    assert counts.words() == [3 * (2**32 - 1), 0, 0]


def test_arguments_are_checked() -> None:
    """With other ones, the kernel would read outside its arrays or count too little."""
    counts = ContextWords(np.array([[0, 3]], np.uint8))
    with pytest.raises(ValueError, match="4 is not the code of a class"):
        ContextWords(np.array([[4]], np.uint8))
    with pytest.raises(ValueError, match="a kind of blocks and a classification"):
        ContextWords(np.zeros((1, 0), np.uint8))
    with pytest.raises(ValueError, match="a kind must be below 1, not 1"):
        added(counts, [[(1, 1)]])
    with pytest.raises(ValueError, match="fewer than 2\\^32 words, not 4294967296"):
        added(counts, [[(0, 2**32 - 1), (0, 1)]])
    one = np.zeros(1, np.uint32)
    for pages, words in (([0], one), ([0, 2], one), ([1, 1], one), ([0, 1], one[:0]), ([0, 1, 0, 1], one)):
        with pytest.raises(ValueError, match="must ascend from 0 to the number of blocks, 1"):
            counts.add(one, words, np.array(pages))
    assert counts.words() == [0, 0]


thresholds = st.lists(st.sampled_from([0.0, 0.1, 0.5, 1.0, 9.0]), max_size=4, unique=True).map(sorted)
measures = st.sampled_from([0.0, 0.1, 0.3, 0.5, 1.0, 5.0, 9.0, 10.0])
measured = st.tuples(st.booleans(), measures, st.integers(0, 11), measures, st.integers(0, 99))


@given(st.tuples(thresholds, thresholds, thresholds), st.lists(st.lists(measured, max_size=8), max_size=4), st.data())
def test_successive_blocks_of_one_kind_are_joined(
    axes: tuple[list[float], ...], pages: list[list[tuple[bool, float, int, float, int]]], data: st.DataObject
) -> None:
    """The kind is that of the place between the thresholds; a run ends with its page."""
    shape = (2, *(len(axis) + 1 for axis in axes))
    places = int(np.prod(shape))
    kinds = np.array(data.draw(st.lists(st.integers(0, 2), min_size=places, max_size=places)), np.uint32)
    expected: list[list[tuple[int, int]]] = []
    for page in pages:
        of_page = []
        for bad, link, words, stop, counted in page:
            place = [sum(one < value for one in axis) for axis, value in zip(axes, (link, words, stop), strict=True)]
            of_page.append((int(kinds.reshape(shape)[int(bad), *place]), counted))
        runs = itertools.groupby(of_page, key=lambda block: block[0])
        expected.append([(kind, sum(counted for _, counted in run)) for kind, run in runs])
    columns = list(zip(*itertools.chain.from_iterable(pages), strict=True)) or [()] * 5
    dtypes = (np.uint8, np.float64, np.int64, np.float64, np.int64)
    arrays = [np.array(column, dtype) for column, dtype in zip(columns, dtypes, strict=True)]
    found = BlockKinds(*map(np.array, axes), kinds).runs(*arrays, np.cumsum([0, *map(len, pages)]))
    assert list(zip(found[0].tolist(), found[1].tolist(), strict=True)) == [run for page in expected for run in page]
    assert found[2].tolist() == np.cumsum([0, *map(len, expected)]).tolist()


def test_arguments_of_kinds_are_checked() -> None:
    """The thresholds, the number of kinds, and the shapes of all measures."""
    one, none = np.array([0.5]), np.array([])
    with pytest.raises(ValueError, match="thresholds must ascend"):
        BlockKinds(np.array([1.0, 0.5]), none, none, np.zeros(6, np.uint32))
    with pytest.raises(ValueError, match="there must be 4 kinds for these thresholds, not 3"):
        BlockKinds(one, none, none, np.zeros(3, np.uint32))
    kinds, bad, words = BlockKinds(one, none, none, np.zeros(4, np.uint32)), np.zeros(1, np.uint8), np.ones(1, np.int64)
    for pages in ([0], [1, 1], [0, 2], [0, 1, 0, 1]):
        with pytest.raises(ValueError, match="must ascend from 0 to the number of blocks, 1"):
            kinds.runs(bad, one, words, one, words, np.array(pages))
    with pytest.raises(ValueError, match="as all measures"):
        kinds.runs(bad, one, words[:0], one, words, np.array([0, 1]))
