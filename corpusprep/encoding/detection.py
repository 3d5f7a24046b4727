"""Detects the encoding of a page in a known language (PRESEMT D3.1, 4: chared).

A byte order mark or valid UTF-8 settles most pages. The others are compared with the byte trigrams of the language's
text in each encoding in use on its Web (corpusprep.encoding.byte_trigrams).
"""

from typing import TYPE_CHECKING, Protocol

from corpusprep._native.charsets import count_high_bytes, utf8_share
from corpusprep.encoding.charsets import bom

if TYPE_CHECKING:
    from corpusprep.encoding.byte_trigrams import EncodingModel

#: Share of the characters outside ASCII that must be valid UTF-8 for a page to be UTF-8 with faults in
#: it: pages put together from several sources, or cut off in the middle of a character.
LOSSY_UTF8 = 0.9
#: Share under which a page cannot be UTF-8 at all: what is valid in it is so by chance.
NOT_UTF8 = 0.5
#: Trigrams of a page that are looked at, from its beginning; they settle it.
MOST_TRIGRAMS = 200_000
#: Bytes at the beginning of a page that are looked at for UTF-16 without a byte order mark.
_UTF16_BYTES = 4096
#: Share of an iso-8859-x candidate's product taken off for each control character in a hundredth of the bytes beyond
#: ASCII: those from 0x80 to 0x9F, where windows-125x has letters and marks. No text of the Web has them.
CONTROL_PENALTY = 0.025
# What switches iso-2022-jp to two bytes a character.
_JIS_ESCAPE = b"\x1b$"


class KnownEncodings(Protocol):
    """What detection needs of a language: a language model has it."""

    @property
    def encoding_names(self) -> tuple[str, ...]:
        """The names of the encodings of the language's Web; `encodings` need not be loaded for them."""

    @property
    def encodings(self) -> "EncodingModel":
        """The byte trigrams of the language's text in each of its encodings."""


def detect(data: bytes, model: KnownEncodings) -> tuple[str, float]:
    """The encoding of a page in a known language, and how sure that is.

    Args:
        data: the page.
        model: the language; the candidates are its encodings and utf-8.

    Returns:
        The WHATWG name and a score from 0 to 1: 1 for a byte order mark, UTF-16 shown by its NUL bytes,
        iso-2022-jp by its escape sequences, and valid UTF-8, which ASCII is; for UTF-8 with faults, the
        share of its characters that are valid; otherwise 1 - second / best, of the candidates' scalar
        products. Where nothing tells the candidates apart (0), it is the first of the language's encodings.
    """
    if mark := bom(data):
        return mark, 1.0
    if wide := _utf16(data):
        return wide, 1.0
    share = utf8_share(data, NOT_UTF8)
    if share == 1.0 and "iso-2022-jp" in model.encoding_names and _JIS_ESCAPE in data:
        return "iso-2022-jp", 1.0
    if share >= LOSSY_UTF8:
        return "utf-8", share
    return _closest(data, model.encodings, share >= NOT_UTF8)


def _closest(data: bytes, encodings: "EncodingModel", maybe_utf8: bool) -> tuple[str, float]:
    """The method of chared: the encoding whose vector has the highest scalar product with the page's."""
    alone = None if maybe_utf8 else encodings.alone
    if alone is not None and not _has_controls(alone):
        # With nothing to compare it with, the product need not be known.
        return alone, float(encodings.any(data, MOST_TRIGRAMS, alone))
    products = encodings.products(data, MOST_TRIGRAMS)
    left = _left_by_controls(data) if any(map(_has_controls, encodings.names)) else 1.0
    candidates = [
        (name, product * left if _has_controls(name) else product)
        for name, product in zip(encodings.names, products, strict=True)
        if maybe_utf8 or name != "utf-8"
    ]
    if not candidates:
        return "utf-8", 0.0
    # The sort is stable: what comes first among equals is what is most used.
    (best, product), *others = sorted(candidates, key=lambda pair: -pair[1])
    second = others[0][1] if others else 0
    return best, 1.0 - second / product if product else 0.0


def _has_controls(name: str) -> bool:
    """Whether the encoding has control characters where windows-125x has letters and marks."""
    return name.startswith("iso-8859-")


def _left_by_controls(data: bytes) -> float:
    """What is left of the product of an encoding in which these bytes hold control characters, 0 to 1."""
    beyond, controls = count_high_bytes(data)
    return max(0.0, 1.0 - 100 * CONTROL_PENALTY * controls / beyond) if beyond else 1.0


def _utf16(data: bytes) -> str | None:
    """UTF-16 by its NUL bytes: ASCII characters, spaces at least, have one on the same side each."""
    if data.find(0, 0, _UTF16_BYTES) < 0:
        return None
    beginning = data[:_UTF16_BYTES]
    first, second = beginning[::2].count(0), beginning[1::2].count(0)
    if max(first, second) < len(beginning) / 40 or min(first, second) > max(first, second) / 20:
        return None
    return "utf-16be" if first > second else "utf-16le"
