"""Markdown that the kernel writes equals that of a plain writer."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.plain_markdown import plain_markdown

from corpusprep.extraction.blocks import Block
from corpusprep.extraction.markdown import markdown
from corpusprep.pages.outline import CODE, LINK, Outline

#: What means something in Markdown, white space of several kinds, characters of one to four bytes.
_PIECES = (*"a b1234567890é中𝄞<>/!?`|#-+*=_~.)[]()", "\u3000", "\x85", "\x1c", "```", "~~~", "***", "1. ", "## ", "<b")
_TEXT = st.lists(st.sampled_from(_PIECES), max_size=12).map("".join)
_ADDRESSES = st.sampled_from(["", "/x y", "b(1)", "javascript:x", "http://[::1", "é<>", " \n/z"])
#: Values of level, quotes, lists, ordinal, item, preformatted, table, row, cell, up to these.
_MOST_OF_PLACES = (6, 4, 3, 2, 3, 1, 2, 2, 3)

#: A block, its place, its lines, and its spans: start and end, kind, address.
_Row = tuple[Block, tuple[int, ...], str, list[tuple[int, int, int, str]]]


@st.composite
def _block(draw: st.DrawFn) -> _Row:
    text = draw(_TEXT)
    ends = np.cumsum([0, *(len(character.encode()) for character in text)]).tolist()
    spans = []
    for _ in range(draw(st.integers(0, 4))):
        start, end = sorted((draw(st.sampled_from(ends)), draw(st.sampled_from(ends))))
        spans.append((start, end, draw(st.sampled_from([LINK, CODE])), draw(_ADDRESSES)))
    block = Block(
        text,
        draw(st.sampled_from(["good", "good", "bad"])),
        "good",
        draw(st.integers(0, 50)),
        0.0,
        0.0,
        False,
        "kept",
        kind=draw(st.sampled_from([None, "table", "table", "text"])),
    )
    place = tuple(draw(st.integers(0, most)) * draw(st.booleans()) for most in _MOST_OF_PLACES)
    lines = draw(st.sampled_from(["", "a\n  b`\n", "\n\n", "````é"])) if place[5] else ""
    return block, place, lines, spans


def outline_of(rows: list[_Row]) -> Outline:
    """Returns the outline of blocks that have all of theirs."""
    spans = [(number, *span) for number, row in enumerate(rows) for span in row[3]]
    lines = [row[2].encode() for row in rows]
    targets = [address.encode() for *_, address in spans]
    return Outline(
        np.array([row[1] for row in rows], np.int32).reshape(-1, 9),
        b"".join(lines),
        np.cumsum([0, *map(len, lines)], dtype=np.int64),
        np.array([number for number, *_ in spans], np.int64),
        np.array([start for _, start, *_ in spans], np.uint32),
        np.array([end for _, _, end, *_ in spans], np.uint32),
        np.array([kind for *_, kind, _ in spans], np.uint8),
        np.array([-1 if kind == CODE else number for number, (*_, kind, _) in enumerate(spans)], np.int64),
        b"".join(targets),
        np.cumsum([0, *map(len, targets)], dtype=np.int64),
    )


@given(st.lists(_block(), max_size=8), st.integers(0, 3), st.sampled_from(["", "https://a.example/b"]))
def test_markdown_is_that_of_a_plain_writer(rows: list[_Row], first: int, url: str) -> None:
    """Of a page that is the first of its outline, or not; with spans inside and across each other."""
    first = min(first, len(rows))
    blocks, outline = [row[0] for row in rows[first:]], outline_of(rows)
    assert markdown(blocks, outline, first, url) == plain_markdown(blocks, outline, first, url)


def test_an_outline_of_fewer_blocks_is_refused() -> None:
    """Spans beyond the text of a block end with it: blocks may have been replaced."""
    block = Block("a", "good", "good", 1, 0.0, 0.0, False, "kept")
    outline = outline_of([(block, (0,) * 9, "", [(0, 7, CODE, ""), (8, 9, CODE, "")])])
    assert markdown([block], outline, 0) == "`a`"
    with pytest.raises(ValueError, match="blocks from 0 to 2 of 1"):
        markdown([block, block], outline, 0)
