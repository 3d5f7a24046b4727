"""Columns of text in Arrow's C data interface."""

import numpy as np
from numpy.typing import NDArray

class Texts:
    """n texts that polars and others take as a column, without a Python object a text."""

    def __init__(self, text: bytes, offsets: NDArray[np.int64]) -> None:
        """Text i is text[offsets[i]:offsets[i + 1]], which must be UTF-8; there are n + 1 offsets.

        Raises:
            ValueError: offsets that are not inside the text, or do not ascend.
        """

    def __len__(self) -> int: ...
    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        """The capsules of the PyCapsule interface: schema, array."""
