"""Blocks of pages as Python objects, made from columns in one pass (native/pages/block_rows.pyx)."""

from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

_T = TypeVar("_T")

#: The slots of a class of blocks.
FIELDS: tuple[str, ...]

class BlockRows(Generic[_T]):
    """Makes objects of a class from columns of blocks. __init__ of the class is not called."""

    def __init__(
        self,
        cls: type[_T],
        tags: tuple[str, ...],
        labels: tuple[str, ...],
        verdicts: tuple[str, ...],
        kinds: tuple[str, ...],
        types: tuple[str, ...],
        top_score: float,
    ) -> None:
        """A maker for a class with the slots FIELDS that derives from object alone.

        Args:
            cls: the class.
            tags: names of the codes in the column of tags; so for labels, verdicts, kinds and types.
            labels: context-free classes.
            verdicts: verdicts.
            kinds: kinds.
            types: types.
            top_score: the score that becomes 1.0.

        Raises:
            TypeError: the class has other slots.
        """

    def of_pages(
        self,
        text: bytes,
        offsets: NDArray[np.int64],
        pages: NDArray[np.int64],
        tags: NDArray[np.uint8],
        flags: NDArray[np.uint8],
        words: NDArray[np.uint32],
        link_words: NDArray[np.uint32],
        alphabetic_words: NDArray[np.uint32],
        stop_words: NDArray[np.uint32],
        context_free: NDArray[np.uint8],
        good: NDArray[np.bool_],
        verdicts: NDArray[np.uint8],
        scores: NDArray[np.uint16] | None,
        kinds: NDArray[np.uint8] | None,
        types: NDArray[np.uint8],
    ) -> list[tuple[list[_T], bool, str | None]]:
        """Returns the blocks of each page, whether one is good, and the text of its first heading.

        The columns are those of Blocks, Classes and Features. The garbage collector does not see the objects.

        Raises:
            ValueError: columns have different lengths or values of another size, or a value is no code.
        """
