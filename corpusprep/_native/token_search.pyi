"""Finds sequences of tokens in a vertical, and numbers tokens (native/inspection/token_search.hpp)."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

class TokenSearch:
    """Finds the sequences of a pattern. One object is for one thread; the lock of Python is released while it scans."""

    def __init__(
        self,
        tests: Sequence[int],
        ways: Sequence[tuple[int, int, Sequence[int], int]],
        first_bytes: bytes,
        last_bytes: bytes,
        untested: int,
        all_columns: bool,
        structures: Sequence[str] = (),
        barriers: int = 0,
        inside: int = 0,
        longest: bool = False,
    ) -> None:
        """Takes an automaton of up to 255 places, each with the number of its test, which is below 32.

        Each of `ways` is (bounds, first, next, last): where a sequence may begin, what may stand behind each place, and
        where it may end, as numbers with one bit per place. They are open where the bounds between two tokens have all
        bits of `bounds`. Structure k of up to eight has bit k where it begins, 8 + k where it ends; a token inside it
        has bit 16 + k. No sequence crosses `barriers`; its first token has the bits of `inside`. From each token, the
        shortest sequence of up to 255 tokens counts, or the longest.

        `first_bytes` has 256 bytes: 1 where the first column of a token that passes any test may begin with that byte,
        `last_bytes` where it may end with it. `untested` has one bit per test that every token passes. A type is a
        whole line with `all_columns`, else the first column.

        Raises:
            ValueError: an argument is out of its range.
            OverflowError: a place is.
        """

    @property
    def tokens(self) -> int:
        """Tokens scanned so far."""

    @property
    def types(self) -> int:
        """Types that have a number, with number 0, which is of tokens that cannot pass any test.

        The types that the last call of `decide` got have the last numbers. It falls when all types are forgotten.
        """

    def find(
        self, piece: bytes, decide: Callable[[list[bytes]], Sequence[int] | NDArray[np.uint32]]
    ) -> NDArray[np.int64]:
        """Returns the sequences in a piece of whole documents, in order.

        `decide` gets the types that are new, as they stand in the vertical, and returns for each one bit per test.

        Returns:
            Shape (sequences, 6): the bytes where the line <doc …>, the line <p …> and the line of the first token
            begin, and where the line of the last token ends; the first token, and the one behind the last.
        """

    def blocks(self) -> NDArray[np.int64]:
        """Returns the blocks of the last piece.

        Returns:
            Shape (blocks, 3): the bytes where the line <doc …> and the line <p …> begin, and the first token.
        """

    def numbers(self) -> NDArray[np.uint32]:
        """Returns the number of the type of each token of the last piece."""
