"""What the bytes of a page show about its encoding (native/encoding/)."""

import numpy as np
from numpy.typing import NDArray

def utf8_share(data: bytes, least: float = 0.0) -> float:
    """Returns the share of valid UTF-8 among the characters outside ASCII; 1 if there are none.

    A result below `least` may be inexact.
    """

def pair_surrogates(data: bytes) -> bytes:
    """Returns the bytes with pairs of encoded surrogates (CESU-8) as characters of UTF-8; `data` itself without any.

    An encoded surrogate without a partner becomes the byte FF, which is one invalid character.
    """

def count_high_bytes(data: bytes) -> tuple[int, int]:
    """Returns how many bytes are beyond ASCII, and how many of these are controls in ISO 8859 (0x80 to 0x9F)."""

def count_controls(data: bytes, most: int) -> int:
    """Returns how many bytes are control characters that no text has: below 0x20 or 0x7F, but no white space or ESC.

    Of the first `most` bytes.
    """

def decode_single_bytes(data: bytes, characters: str) -> tuple[bytes, int]:
    """Returns text of an encoding with one byte per character in UTF-8, and how many U+FFFD it has.

    Args:
        data: the text; bytes below 0x80 are ASCII.
        characters: those of the bytes 0x80 to 0xFF, up to U+FFFF; U+FFFD for bytes without a character.

    Raises:
        ValueError: there are not 128 characters, or one is beyond U+FFFF.
    """

class ByteTrigrams:
    """Vectors of encodings over byte trigrams: keys of shape (n,), weights of shape (n or more, encodings)."""

    def __init__(self, keys: NDArray[np.uint32], weights: NDArray[np.uint32]) -> None: ...
    def products(self, data: bytes, most: int) -> list[int]:
        """Returns the scalar product of each encoding with the first `most` trigrams beyond ASCII."""
    def any(self, data: bytes, most: int, encoding: int) -> bool:
        """Returns whether the product of the encoding with that number is more than 0."""
