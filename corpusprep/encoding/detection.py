"""Detects the encoding of a page in a known language (PRESEMT D3.1, 4: chared).

Most pages have a byte order mark or are valid UTF-8. The others are compared with the byte trigrams of the language's
text in each encoding in use on its Web (corpusprep.encoding.byte_trigrams).
"""

from typing import TYPE_CHECKING, Protocol

from corpusprep._native.charsets import count_high_bytes, utf8_share
from corpusprep.encoding.charsets import bom, declared_meta

if TYPE_CHECKING:
    from corpusprep.encoding.byte_trigrams import EncodingModel

#: A page is UTF-8 with errors if at least this share of its characters outside ASCII are valid UTF-8. Such pages are
#: assembled from several sources, or cut off inside a character.
LOSSY_UTF8 = 0.9
#: Below this share, a page is not UTF-8: its valid characters are valid by chance.
NOT_UTF8 = 0.5
#: Most trigrams of a page that are compared, from its beginning; they suffice.
MOST_TRIGRAMS = 200_000
#: Bytes at the beginning of a page in which UTF-16 without a byte order mark is searched.
_UTF16_BYTES = 4096
#: Share of an iso-8859-x candidate's product that is subtracted per percent of control characters among the bytes
#: outside ASCII. Control characters are 0x80 to 0x9F, where windows-125x has letters and marks; Web pages have none.
CONTROL_PENALTY = 0.025
# Switches iso-2022-jp to two bytes per character.
_JIS_ESCAPE = b"\x1b$"


class KnownEncodings(Protocol):
    """What detection needs to know about a language; a language model provides it."""

    @property
    def encoding_names(self) -> tuple[str, ...]:
        """Names of the encodings of the language's Web, without loading `encodings`."""

    @property
    def encodings(self) -> "EncodingModel":
        """Byte trigrams of the language's text in each of its encodings."""


def detect(data: bytes, model: KnownEncodings) -> tuple[str, float]:
    """Detects the encoding of a page in a known language.

    Args:
        data: the page.
        model: the language; the candidates are its encodings and utf-8.

    Returns:
        The WHATWG name and a score for its certainty, from 0 to 1:

        - 1 for a byte order mark, UTF-16 (recognised by its NUL bytes), iso-2022-jp (by its escape sequences), and
          valid UTF-8, which includes ASCII.
        - For UTF-8 with errors, the share of valid characters.
        - Otherwise 1 - second / best of the candidates' scalar products. If they do not differ (0), the name is the
          first of the language's encodings.
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


def detect_any(data: bytes) -> str:
    """Returns the WHATWG name of a page's encoding where its language is not known.

    That is its byte order mark, UTF-16 by its NUL bytes, or UTF-8 if nearly all of it is valid; else the encoding that
    it declares, or windows-1252, which most pages that declare nothing have.
    """
    if mark := bom(data) or _utf16(data):
        return mark
    if utf8_share(data, NOT_UTF8) >= LOSSY_UTF8:
        return "utf-8"
    return declared_meta(data) or "windows-1252"


def _closest(data: bytes, encodings: "EncodingModel", maybe_utf8: bool) -> tuple[str, float]:
    """Returns the encoding whose vector has the highest scalar product with the page's (method of chared)."""
    alone = None if maybe_utf8 else encodings.alone
    if alone is not None and not _has_controls(alone):
        # Without a second candidate, the value of the product does not matter.
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
    # The sort is stable: of equal candidates, the most used one comes first.
    (best, product), *others = sorted(candidates, key=lambda pair: -pair[1])
    second = others[0][1] if others else 0
    return best, 1.0 - second / product if product else 0.0


def _has_controls(name: str) -> bool:
    """Returns whether the encoding has control characters where windows-125x has letters and marks."""
    return name.startswith("iso-8859-")


def _left_by_controls(data: bytes) -> float:
    """Returns the factor, 0 to 1, for the product of an encoding in which these bytes include control characters."""
    high, controls = count_high_bytes(data)
    return max(0.0, 1.0 - 100 * CONTROL_PENALTY * controls / high) if high else 1.0


def _utf16(data: bytes) -> str | None:
    """Recognises UTF-16 by its NUL bytes: each ASCII character (at least spaces) has one, always on the same side."""
    if data.find(0, 0, _UTF16_BYTES) < 0:
        return None
    beginning = data[:_UTF16_BYTES]
    first, second = beginning[::2].count(0), beginning[1::2].count(0)
    if max(first, second) < len(beginning) / 40 or min(first, second) > max(first, second) / 20:
        return None
    return "utf-16be" if first > second else "utf-16le"
