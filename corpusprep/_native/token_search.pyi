"""Finds sequences of tokens in a vertical (native/inspection/token_search.hpp)."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

class TokenSearch:
    """Finds the sequences of a pattern. One object is for one thread; the lock of Python is released while it scans."""

    def __init__(
        self,
        elements: Sequence[tuple[int, int]],
        first_bytes: bytes,
        last_bytes: bytes,
        untested: int,
        all_columns: bool,
    ) -> None:
        """Takes up to 32 elements, each as (least, most) successive tokens; the sum of `most` is at most 255.

        `first_bytes` has 256 bytes: 1 where the first column of a token that passes any test may begin with that byte,
        `last_bytes` where it may end with it. `untested` has one bit per element that every token passes. A type is a
        whole line with `all_columns`, else the first column.

        Raises:
            ValueError: an argument is out of its range.
        """

    @property
    def tokens(self) -> int:
        """Tokens scanned so far."""

    def find(
        self, piece: bytes, decide: Callable[[list[bytes]], Sequence[int] | NDArray[np.uint32]]
    ) -> NDArray[np.int64]:
        """Returns the sequences in a piece of whole documents, in order.

        `decide` gets the types that are new, as they stand in the vertical, and returns for each one bit per element.

        Returns:
            Shape (sequences, 4): the bytes where the line <doc …>, the line <p …> and the line of the first token
            begin, and where the line of the last token ends.
        """
