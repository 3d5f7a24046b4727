"""The kernels of rules and context, compared with algorithms 2.2 and 2.3 as printed in the thesis."""

import math
from dataclasses import asdict, astuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from support.block_corpora import algorithm_2_3

from corpusprep._native.context import classify_counted, decide
from corpusprep.cleaners.context import CODES, classify_context, context_sensitive
from corpusprep.cleaners.interface import VERDICTS
from corpusprep.cleaners.justext import _CLASSES, _VERDICTS, PRESETS, JusText, Measures, Thresholds
from corpusprep.tables.verdicts import KEPT

CLASSES = st.lists(st.sampled_from(list(CODES)), max_size=30)


@given(CLASSES)
def test_context_sensitive_is_algorithm_2_3(labels: list[str]) -> None:
    """Any page gets the same classes as by the algorithm of the thesis."""
    assert context_sensitive(labels) == algorithm_2_3(labels)


@given(st.lists(CLASSES, max_size=8))
def test_classify_context_of_many_pages_is_that_of_each(pages: list[list[str]]) -> None:
    """Pages in the same call do not influence each other."""
    codes = np.array([CODES[label] for labels in pages for label in labels], dtype=np.uint8)
    offsets = np.cumsum([0, *map(len, pages)])
    expected = [label == "good" for labels in pages for label in algorithm_2_3(labels)]
    assert classify_context(codes, offsets).tolist() == expected


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        ("short near-good short", "bad bad bad"),
        ("good short near-good short", "good good good bad"),
        ("short near-good short good", "bad good good good"),
        ("good short short good bad short good", "good good good good bad bad good"),
        ("good short short bad", "good bad bad bad"),
    ],
    ids=["edges-are-bad", "up-to-the-near-good", "from-the-near-good", "between-good", "only-short-beside-bad"],
)
def test_context_sensitive_of_the_thesis_cases(labels: str, expected: str) -> None:
    """The cases that 2.7.3 describes."""
    assert context_sensitive(labels.split()) == expected.split()


def test_context_sensitive_of_a_million_blocks_is_linear() -> None:
    """For a page of short blocks only, a search for neighbours would take quadratic time."""
    codes = np.ones(1_000_000, dtype=np.uint8)
    codes[-1] = CODES["good"]
    codes[0] = CODES["near-good"]
    assert classify_context(codes).all()


def test_context_sensitive_refuses_unknown_labels() -> None:
    """The message names the label and the allowed classes."""
    with pytest.raises(ValueError, match=r"'neargood' is not a class of blocks: bad, short, near-good, good"):
        context_sensitive(["good", "neargood"])


@pytest.mark.parametrize("offsets", [[], [0], [0, 2], [1, 3], [0, 2, 1, 3], [0, 4]])
def test_classify_context_refuses_offsets_that_do_not_cover_the_blocks(offsets: list[int]) -> None:
    """Offsets are checked before the kernel uses them."""
    with pytest.raises(ValueError, match="offsets"):
        classify_context(np.zeros(3, dtype=np.uint8), np.array(offsets, dtype=np.int64))


def test_classify_context_refuses_unknown_codes() -> None:
    """A code beyond the four classes is an error."""
    with pytest.raises(ValueError, match="4 is not the code of a class"):
        classify_context(np.array([0, 4], dtype=np.uint8))


NUMBERS = st.sampled_from([0.0, 0.2, 0.3, 0.32, 0.5, 1.0, math.inf])
MEASURED = st.tuples(st.sampled_from([1.0, 9.0, 10.0, 30.0, 31.0]), NUMBERS, NUMBERS, st.booleans(), st.booleans())


def plain_rule(block: tuple[float, float, float, bool, bool], limits: Thresholds) -> str:
    """Returns the verdict by the rules of 2.7.1, then algorithm 2.2 from its top."""
    words, links, stop_words, copyrighted, in_select = block
    if copyrighted:
        return "copyright"
    if in_select:
        return "select"
    if links > limits.max_link_density:
        return "link_density"
    if words < limits.length_low:
        return "short_link" if links > 0 else "short"
    if stop_words > limits.stopwords_high and words > limits.length_high:
        return KEPT
    return "near_good" if stop_words > min(limits.stopwords_low, limits.stopwords_high) else "stop_words"


@given(st.lists(MEASURED, max_size=20), st.sampled_from([*PRESETS.values(), Thresholds(stopwords_low=0.5)]))
def test_rules_are_those_of_the_thesis(
    blocks: list[tuple[float, float, float, bool, bool]], limits: Thresholds
) -> None:
    """The last rule that holds decides on a block."""
    words, links, stops = (np.array([block[place] for block in blocks], np.float64) for place in range(3))
    marked, selected = (np.array([block[place] for block in blocks], np.bool_) for place in (3, 4))
    measures = Measures(np.array([0, len(blocks)]), words, links, stops, marked, selected)
    assert verdicts_of(JusText(limits).rules(measures)) == [plain_rule(block, limits) for block in blocks]


COUNTS = st.integers(0, 2**32 - 1) | st.integers(0, 40)
COUNTED = st.tuples(COUNTS.filter(bool), COUNTS, COUNTS, COUNTS, st.integers(0, 7))


@given(
    st.lists(st.lists(COUNTED, max_size=8), max_size=4),
    st.sampled_from([*PRESETS.values(), Thresholds(stopwords_low=0.5)]),
)
def test_classes_are_the_same_from_counts(
    pages: list[list[tuple[int, int, int, int, int]]], limits: Thresholds
) -> None:
    """As from the densities that they give; bit 1 of the flags is a choice in a form, bit 2 a copyright sign."""
    rows = [block for page in pages for block in page]
    words, linked, letters, stops = (np.array([block[place] for block in rows], np.uint32) for place in range(4))
    flags = np.array([block[4] for block in rows], np.uint8)
    borders = np.cumsum([0, *map(len, pages)], dtype=np.int64)
    links, densities = linked / words, stops / np.maximum(letters, 1)
    expected = JusText(limits).classify_measures(
        Measures(borders, words, links, densities, flags & 4 == 4, flags & 2 == 2)
    )
    counts = words, linked, letters, stops
    found = classify_counted(*counts, flags, borders, _CLASSES, _VERDICTS, *astuple(limits))
    for column, plain in zip(found, (expected.context_free, expected.good, expected.verdicts), strict=True):
        assert column.tolist() == plain.tolist()


@pytest.mark.parametrize(
    "wrong", [{"flags": np.zeros(2, np.uint8)}, {"pages": np.array([0, 2])}, {"classes_of_rules": _CLASSES[1:]}]
)
def test_counts_need_columns_of_one_length(wrong: dict[str, NDArray[np.generic]]) -> None:
    """And pages and tables that fit them."""
    columns = dict.fromkeys(("words", "link_words", "alphabetic_words", "stop_words"), np.ones(1, np.uint32))
    tables = {"classes_of_rules": _CLASSES, "verdicts_of_rules": _VERDICTS}
    right = {**columns, "flags": np.zeros(1, np.uint8), "pages": np.array([0, 1]), **tables, **asdict(Thresholds())}
    assert classify_counted(**right)[0].tolist() == [0]
    with pytest.raises(ValueError, match=r"blocks|classes"):
        classify_counted(**right | wrong)


def verdicts_of(rules: NDArray[np.uint8]) -> list[str]:
    """Returns the verdicts that rules stand for."""
    return [VERDICTS[verdict] for verdict in _VERDICTS[rules]]


def test_rules_need_columns_of_one_length() -> None:
    """The kernel reads as many values of each."""
    one, two = np.ones(1), np.ones(2)
    flags = np.zeros(1, np.uint8)
    with pytest.raises(ValueError, match="different lengths"):
        decide(one, two, one, flags, flags, 0.2, 10, 0.3, 30, 0.32)
