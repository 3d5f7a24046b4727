"""Writes pages as Markdown (native/pages/markdown.hpp)."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from corpusprep.extraction.blocks import Block

def markdown(
    blocks: Sequence[Block],
    first: int,
    places: NDArray[np.int32],
    lines: bytes,
    line_offsets: NDArray[np.int64],
    span_blocks: NDArray[np.int64],
    span_starts: NDArray[np.uint32],
    span_ends: NDArray[np.uint32],
    span_kinds: NDArray[np.uint8],
    span_targets: NDArray[np.int64],
    targets: Mapping[int, bytes],
) -> str:
    """Returns the good blocks as Markdown, without a line break at the end.

    Characters that would begin something else at the start of a line, and `<` before a name, are escaped; marks of
    emphasis are not.

    Args:
        blocks: the blocks of a page.
        first: number of its first block in the outline.
        places: the outline (corpusprep.pages.outline.Outline), as the columns up to `span_targets`.
        lines: of the outline, as the other columns.
        line_offsets: of the outline.
        span_blocks: of the outline.
        span_starts: of the outline.
        span_ends: of the outline.
        span_kinds: of the outline.
        span_targets: of the outline.
        targets: UTF-8 of the addresses of the page's links, by number, as Markdown has them; an empty one is no link.

    Raises:
        ValueError: columns have different lengths or values of another size, or the outline has fewer blocks.
    """
