"""Blocks and features that texrex makes from the markup of pages, and its perceptron (native/pages/)."""

from collections.abc import Collection, Mapping

import numpy as np
from numpy.typing import NDArray

FEATURES: int  # per block
PLACES: int  # binary places of a feature's value
ACTIVATION_BITS: int  # of a hidden unit's sum that are dropped for its place in the table of activations
ACTIVATIONS: int  # values of that table; the middle one is for sums from 0 on
STEPS: int  # scores above 0

class Perceptron:
    """A multilayer perceptron with one hidden layer, in whole numbers (native/pages/perceptron.hpp)."""

    def __init__(
        self,
        hidden_weights: NDArray[np.int32],
        hidden_biases: NDArray[np.int64],
        output_weights: NDArray[np.int32],
        output_bias: int,
        activation: NDArray[np.int16],
        borders: NDArray[np.int64],
    ) -> None:
        """`hidden_weights` has shape (hidden units, features).

        Raises:
            ValueError: the arrays do not fit together.
        """

    def scores(self, rows: NDArray[np.int16]) -> NDArray[np.uint16]:
        """Returns the scores, 0 to STEPS, of blocks with these features, shape (blocks, features). Without the GIL."""

class Segmenter:
    """Collects the blocks of pages (native/pages/texrex.hpp)."""

    def __init__(
        self, stop_words: Collection[str], characters_per_word: float, references: Mapping[str, str], forms: bool
    ) -> None:
        """`references`: as html.entities.html5; `forms`: whether text in forms is text of the page."""

    def add(self, page: bytes) -> str:
        """Reads a page, UTF-8, without the GIL; returns its title, unchanged."""

    def keep_composition(self) -> None:
        """Keeps the characters of the pages added from now on as they are composed."""

    def skip(self) -> None:
        """Adds a page without blocks."""

    def take(
        self,
    ) -> tuple[
        bytes,
        NDArray[np.int64],
        NDArray[np.int64],
        NDArray[np.uint8],
        NDArray[np.uint8],
        NDArray[np.uint32],
        NDArray[np.uint32],
        NDArray[np.uint32],
        NDArray[np.uint32],
        NDArray[np.uint32],
        NDArray[np.int16],
    ]:
        """Returns the columns of the blocks since the last call.

        They are text, offsets, pages, tags, flags, words, link words, alphabetic words, stop words, the invisible
        characters left out of each page, and the features, shape (blocks, FEATURES).
        """
