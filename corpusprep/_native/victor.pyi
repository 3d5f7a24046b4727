"""Victor: features of the text of blocks, and the random field that labels them (native/pages/)."""

import numpy as np
from numpy.typing import NDArray

FEATURES: tuple[tuple[str, str, str], ...]  # name, unit and source of each feature, in the order of the columns

def text_features(
    text: bytes, offsets: NDArray[np.int64], pages: NDArray[np.int64], words: NDArray[np.uint32]
) -> NDArray[np.uint8]:
    """Returns the features of n blocks, shape (features, n); arguments are attributes of segmentation.Blocks."""

class ChainModel:
    """A linear-chain conditional random field (native/pages/chain_model.hpp)."""

    def __init__(
        self,
        columns: NDArray[np.uint16],
        offsets: NDArray[np.int16],
        border_counts: NDArray[np.uint8],
        borders: NDArray[np.uint8],
        weights: NDArray[np.int32],
        transitions: NDArray[np.int32],
        content: NDArray[np.uint8],
        log_add: NDArray[np.int32],
        score_borders: NDArray[np.int32],
    ) -> None:
        """See ChainArrays.

        Raises:
            ValueError: the arrays do not fit together.
        """

    def decode(
        self, values: NDArray[np.uint8], pages: NDArray[np.int64]
    ) -> tuple[NDArray[np.uint8], NDArray[np.uint16]]:
        """Returns the most likely labels of n blocks, and their scores; without the GIL.

        Args:
            values: shape (columns, n).
            pages: page p has the blocks pages[p] to pages[p + 1].

        Raises:
            ValueError: there are fewer columns than an attribute looks at, or pages end after the last block.
        """
