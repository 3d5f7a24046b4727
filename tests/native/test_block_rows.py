"""Blocks made from columns in one pass equal those that their class makes."""

import gc
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpusprep._native.block_rows import BlockRows
from corpusprep.cleaners.block_models import TOP_SCORE
from corpusprep.cleaners.interface import LABELS, VERDICTS, Classes
from corpusprep.extraction.blocks import Block
from corpusprep.extraction.extracted import page_rows
from corpusprep.pages.features import KINDS, TYPES, Features
from corpusprep.pages.segmentation import TAGS, Blocks

BLOCK = st.tuples(
    st.text(min_size=1, max_size=8),
    st.integers(0, len(TAGS) - 1),
    st.integers(0, 7),
    st.integers(1, 2**32 - 1),
    st.integers(0, 2**32 - 1),
    st.integers(0, 2**32 - 1),
    st.integers(0, 2**32 - 1),
    st.integers(0, len(LABELS) - 1),
    st.booleans(),
    st.integers(0, len(VERDICTS) - 1),
    st.integers(0, TOP_SCORE),
    st.integers(0, len(KINDS) - 1),
    st.integers(0, len(TYPES) - 1),
)
PAGES = st.lists(st.lists(BLOCK, max_size=4), max_size=4)
SCORED = st.sampled_from(["not", "by features", "by classes"])


def columns(pages: list[list[Any]], scored: str) -> tuple[Blocks, Classes]:
    """Returns the columns of the blocks."""
    rows = [row for page in pages for row in page]
    texts, tags, flags, words, linked, letters, stops, free, good, verdicts, scores, kinds, types = (
        zip(*rows, strict=True) if rows else [()] * 13
    )
    encoded = [text.encode() for text in texts]
    per_mille = np.array(scores, np.uint16)
    blocks = Blocks(
        b"".join(encoded),
        np.cumsum([0, *map(len, encoded)], dtype=np.int64),
        np.cumsum([0, *map(len, pages)], dtype=np.int64),
        np.array(tags, np.uint8),
        np.array(flags, np.uint8),
        *(np.array(column, np.uint32) for column in (words, linked, letters, stops)),
        features=None
        if scored == "not"
        else Features(None, np.array(kinds, np.uint8), np.array(types, np.uint8), per_mille, None),
    )
    own = per_mille if scored == "by classes" else None
    return blocks, Classes(np.array(free, np.uint8), np.array(good, np.bool_), np.array(verdicts, np.uint8), own)


def plain_block(row: Any, scored: str) -> Block:
    """Returns the block that the class makes."""
    text, tag, flags, words, linked, letters, stops, free, good, verdict, score, kind, code = row
    by_elements = "h" if flags & 1 else "l" if TAGS[tag] == "li" else "p"
    return Block(
        text,
        "good" if good else "bad",
        LABELS[free],
        words,
        linked / words,
        stops / max(letters, 1),
        flags & 1 == 1,
        VERDICTS[verdict],
        None if scored == "not" else score / TOP_SCORE,
        KINDS[kind] if scored == "by features" else None,
        by_elements if scored == "not" else TYPES[code],
        TAGS[tag],
    )


@settings(max_examples=50)
@given(PAGES, SCORED)
def test_rows_are_the_blocks_that_their_class_makes(pages: list[list[Any]], scored: str) -> None:
    """Equal, hashed alike, unseen by the garbage collector; with what is known of the page."""
    found = page_rows(*columns(pages, scored))
    expected = [[plain_block(row, scored) for row in page] for page in pages]
    assert [rows for rows, _, _ in found] == expected
    assert [[hash(block) for block in rows] for rows, _, _ in found] == [list(map(hash, page)) for page in expected]
    assert [good for _, good, _ in found] == [any(block.label == "good" for block in page) for page in expected]
    headings = [next((block.text for block in page if block.heading), None) for page in expected]
    assert [heading for _, _, heading in found] == headings
    assert not any(gc.is_tracked(block) for rows, _, _ in found for block in rows)


PAGE = [[("a", 0, 0, 1, 0, 1, 0, 0, False, 1, 0, 0, 0)]]


@pytest.mark.parametrize(
    "wrong",
    [
        {"tags": np.zeros(2, np.uint8)},
        {"tags": np.array([len(TAGS)], np.uint8)},
        {"offsets": np.array([0, 2])},
        {"offsets": np.array([1, 0])},
        {"pages": np.array([0, 2])},
        {"pages": np.array([1, 0])},
    ],
)
def test_wrong_columns_are_refused(wrong: dict[str, Any]) -> None:
    """Of another length, with a code that does not exist, or out of range."""
    blocks, classes = columns(PAGE, "not")
    with pytest.raises(ValueError, match=r"blocks|codes|offsets"):
        page_rows(replace(blocks, **wrong), classes)


@dataclass(slots=True, frozen=True)
class Other:
    """A class with other slots."""

    text: str


@pytest.mark.parametrize("cls", [Other, type("Derived", (Block,), {"__slots__": Block.__slots__})])
def test_other_classes_are_refused(cls: type) -> None:
    """The slots are those of blocks, of the class itself."""
    with pytest.raises(TypeError, match="slots"):
        BlockRows(cls, TAGS, LABELS, VERDICTS, KINDS, TYPES, TOP_SCORE)
