"""Columns of text in Arrow's C data interface."""

import numpy as np
from numpy.typing import NDArray

class Texts:
    """n texts as a column for polars and other libraries, without a Python object per text."""

    def __init__(self, text: bytes, offsets: NDArray[np.int64]) -> None:
        """Takes UTF-8 in which text i is text[offsets[i]:offsets[i + 1]]; there are n + 1 offsets.

        Raises:
            ValueError: the offsets are not inside the text or do not ascend.
        """

    def __len__(self) -> int: ...
    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        """Returns the capsules of the PyCapsule interface: schema, array."""
