"""Aligns the words of a text with its gold words: difflib's matching blocks, computed by a kernel."""

import itertools
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from corpusprep._native import alignment as _native


def matching_blocks(text: Sequence[str], gold: Sequence[str], *, popular: bool = False) -> NDArray[np.int64]:
    """Returns the matching blocks of two sequences of words, as `difflib.SequenceMatcher(None, text, gold)` does.

    Args:
        text: the words of a cleaned text.
        gold: the words of its gold text.
        popular: difflib's `autojunk`: no block starts at a word that makes up more than 1 % of a gold text of
            200 words or more. Python before 2.7.1, which Evert's script and the thesis used, always did this.

    Returns:
        Shape (blocks, 3), int64, ascending: start in `text`, start in `gold`, length. Adjacent blocks are not
        joined, and there is no empty block at the end.

    >>> matching_blocks("a b c d".split(), "b c x d".split()).tolist()
    [[1, 0, 2], [3, 3, 1]]
    """
    numbers = {word: number for number, word in enumerate(dict.fromkeys(itertools.chain(text, gold)))}
    sides = [np.fromiter(map(numbers.__getitem__, words), np.int32, len(words)) for words in (text, gold)]
    return _native.matching_blocks(sides[0], sides[1], len(numbers), popular)
