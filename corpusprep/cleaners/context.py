"""Classifies blocks by their context (Pomikálek 2011, 2.7.3, algorithm 2.3).

The blocks around them decide on short and near-good blocks. Good and bad blocks keep their class.
A sequence of short and near-good blocks between two good blocks is good, between two bad ones bad;
between a good and a bad block the near-good block closest to the bad one ends the good area. The edges
of the page count as bad blocks.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from corpusprep._native.context import classify_context as _classify_context

#: Context-free class -> its code in arrays.
CODES = {"bad": 0, "short": 1, "near-good": 2, "good": 3}


def context_sensitive(labels: Sequence[str]) -> list[str]:
    """Returns the class, good or bad, of each block of a page.

    Args:
        labels: the context-free classes (keys of CODES) of all the page's blocks, in order.

    Raises:
        ValueError: a label is not a class.

    >>> context_sensitive(["good", "short", "near-good", "short", "bad"])
    ['good', 'good', 'good', 'bad', 'bad']
    """
    try:
        codes = np.fromiter((CODES[label] for label in labels), np.uint8, len(labels))
    except KeyError as error:
        raise ValueError(f"{error.args[0]!r} is not a class of blocks: {', '.join(CODES)}") from None
    return ["good" if good else "bad" for good in classify_context(codes)]


def classify_context(classes: NDArray[np.uint8], offsets: NDArray[np.int64] | None = None) -> NDArray[np.uint8]:
    """Classifies the blocks of one page or of many, in linear time and without the GIL.

    Args:
        classes: shape (blocks,), values of CODES.
        offsets: shape (pages + 1,): page p is classes[offsets[p]:offsets[p + 1]]. Without it, `classes`
            is one page.

    Returns:
        Shape (blocks,): 1 for good, 0 for bad.

    Raises:
        ValueError: a value is no code, or the offsets do not ascend from 0 to the number of blocks.

    >>> classify_context(np.array([3, 1, 0, 1, 3], np.uint8), np.array([0, 3, 5])).tolist()
    [1, 0, 0, 0, 1]
    """
    classes = np.ascontiguousarray(classes, dtype=np.uint8)
    if offsets is None:
        offsets = np.array([0, len(classes)])
    offsets = np.ascontiguousarray(offsets, dtype=np.int64)
    return _classify_context(classes, offsets)
