"""Detects the encoding of a page in a known language (PRESEMT D3.1, 4: chared).

Most pages have a byte order mark or are valid UTF-8. Of the others, those with more valid characters than errors are
UTF-8. The rest is compared with the byte trigrams of the language's text in each encoding in use on its Web
(corpusprep.encoding.byte_trigrams). Where these bytes decide nothing, a declaration does.
"""

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Protocol

from corpusprep._native.charsets import count_high_bytes, pair_surrogates, utf8_share
from corpusprep.encoding.charsets import bom, declared_meta, decode
from corpusprep.encoding.east_asian import east_asian

if TYPE_CHECKING:
    from corpusprep.encoding.byte_trigrams import EncodingModel

#: A page is UTF-8 with errors if more than this share of its characters outside ASCII are valid UTF-8. Such pages are
#: assembled from several sources, or damaged. In text of 42 languages in the other encodings of their Web, at most this
#: share is valid by chance: 0.50 in sentences, 0.32 in pages of eight sentences (Japanese in euc-jp).
MOSTLY_UTF8 = 0.5
#: Below this share, a page is not UTF-8: its valid characters are valid by chance, or were inserted.
NOT_UTF8 = 0.01
#: Most trigrams of a page that are compared, from its beginning; they suffice.
MOST_TRIGRAMS = 200_000
#: Bytes at the beginning of a page in which UTF-16 without a byte order mark is searched.
_UTF16_BYTES = 4096
#: Share of an iso-8859-x candidate's product that is subtracted per percent of control characters among the bytes
#: outside ASCII. Control characters are 0x80 to 0x9F, where windows-125x has letters and marks; Web pages have none.
CONTROL_PENALTY = 0.025
# Switches iso-2022-jp to two bytes per character.
_JIS_ESCAPE = b"\x1b$"
_EAST_ASIAN = frozenset({"gbk", "gb18030", "big5", "euc-jp", "iso-2022-jp", "shift_jis", "euc-kr"})
_RUN = re.compile(rb"[\x80-\xff]{2,}")


class KnownEncodings(Protocol):
    """What detection needs to know about a language; a language model provides it."""

    @property
    def encoding_names(self) -> tuple[str, ...]:
        """Names of the encodings of the language's Web, without loading `encodings`."""

    @property
    def encodings(self) -> "EncodingModel":
        """Byte trigrams of the language's text in each of its encodings."""


def detect(data: bytes, model: KnownEncodings, declared: Iterable[str | None] = ()) -> tuple[str, float]:
    """Detects the encoding of a page in a known language.

    Args:
        data: the page.
        model: the language; the candidates are its encodings and utf-8.
        declared: WHATWG names of encodings that the page declares, the most reliable first (None: ignored). They
            decide only where the bytes do not: between candidates that are equally likely. One that is no candidate is
            chosen if no candidate has any evidence and the page has no errors in it.

    Returns:
        The WHATWG name and a score for its certainty, from 0 to 1:

        - 1 for a byte order mark, UTF-16 (recognised by its NUL bytes), iso-2022-jp (by its escape sequences), and
          valid UTF-8, which includes ASCII and pairs of encoded surrogates.
        - For UTF-8 with errors, the share of valid characters.
        - Otherwise 1 - second / best of the candidates' scalar products, weighed as in closest. If they do not differ
          (0), the name is the declared one, or the first of the language's encodings.
    """
    names = [name for name in declared if name is not None]
    settled, share = settle(data, model.encoding_names, names)
    return settled or closest(data, model.encodings, share, names)


def settle(data: bytes, encodings: Iterable[str], declared: Sequence[str]) -> tuple[tuple[str, float] | None, float]:
    """Returns what `detect` says of a page that needs no language, or None; and the share of valid UTF-8.

    Args:
        data: the page.
        encodings: names of the encodings that are possible.
        declared: WHATWG names of encodings that the page declares.
    """
    if mark := bom(data):
        return (mark, 1.0), 1.0
    if wide := _utf16(data):
        return (wide, 1.0), 0.0
    share = utf8_share(data, NOT_UTF8)
    if share < 1.0 and (paired := pair_surrogates(data)) is not data:
        share = utf8_share(paired, NOT_UTF8)
    if _has_jis_escape(data) and "iso-2022-jp" in (*encodings, *declared) and data.isascii():
        return ("iso-2022-jp", 1.0), share
    if share > MOSTLY_UTF8 or (share == MOSTLY_UTF8 and "utf-8" in declared):
        return ("utf-8", share), share
    return None, share


def detect_any(data: bytes) -> str:
    """Returns the WHATWG name of a page's encoding where its language is not known.

    That is its byte order mark, UTF-16 by its NUL bytes, or UTF-8 if most of it is valid; else the encoding that it
    declares anywhere, or a double-byte encoding of East Asia by its characters, or windows-1252, which most pages that
    declare nothing have.
    """
    if mark := bom(data) or _utf16(data):
        return mark
    share = utf8_share(pair_surrogates(data), NOT_UTF8)
    if share > MOSTLY_UTF8 and not (_has_jis_escape(data) and declared_meta(data) == "iso-2022-jp"):
        return "utf-8"
    return declared_meta(data) or declared_meta(data, late=True) or east_asian(data) or "windows-1252"


def _has_jis_escape(data: bytes) -> bool:
    """Returns whether the page has the escape sequence of iso-2022-jp. A search for one byte is 20 times as fast."""
    return data.find(_JIS_ESCAPE[0]) >= 0 and _JIS_ESCAPE in data


def closest(data: bytes, encodings: "EncodingModel", valid: float, declared: Sequence[str]) -> tuple[str, float]:
    """Returns the encoding whose vector has the highest scalar product with the page's (method of chared).

    Arguments are as for `detect`, and the share of valid UTF-8 (`settle`).

    The product of utf-8 counts in the share of valid characters, of iso-8859-x less its control characters.
    """
    maybe_utf8 = valid >= NOT_UTF8 or ("utf-8" in declared and _has_runs(data))
    alone = None if maybe_utf8 else encodings.alone
    if alone is not None and not _has_controls(alone):
        # Without a second candidate, the value of the product does not matter.
        known = encodings.any(data, MOST_TRIGRAMS, alone)
        return (alone, 1.0) if known else (_declared_elsewhere(data, encodings, declared, strict=False) or alone, 0.0)
    products = encodings.products(data, MOST_TRIGRAMS)
    left = _left_by_controls(data) if any(map(_has_controls, encodings.names)) else 1.0
    candidates = [
        (name, product * (valid if name == "utf-8" else left if _has_controls(name) else 1.0))
        for name, product in zip(encodings.names, products, strict=True)
        if maybe_utf8 or name != "utf-8"
    ]
    if not candidates:
        return _declared_elsewhere(data, encodings, declared, strict=False) or "utf-8", 0.0
    # The sort is stable: of equal candidates, a declared one comes first, then utf-8 (its characters are rarely valid
    # by chance), then the most used one.
    (best, product), *others = sorted(
        candidates, key=lambda pair: (-pair[1], pair[0] not in declared, pair[0] != "utf-8")
    )
    # Here, utf-8 has at least as many errors as characters. Its evidence may be by chance.
    if best == "utf-8" or (best not in declared and not product):
        strict = product > 0 or (valid > 0 and best in declared)
        if other := _declared_elsewhere(data, encodings, declared, strict):
            return other, 0.0
    return best, 1.0 - (others[0][1] if others else 0) / product if product else 0.0


def _declared_elsewhere(data: bytes, encodings: "EncodingModel", declared: Sequence[str], strict: bool) -> str | None:
    """Returns the first declared encoding that is not used on the language's Web and has no errors in the page.

    Args:
        data: the page.
        encodings: those used on the language's Web.
        declared: the declared ones.
        strict: whether only encodings count in which most bytes would be errors: encodings of East Asia.
    """
    others = (name for name in declared if name not in encodings.names and not name.startswith("utf-16"))
    return next((name for name in others if (name in _EAST_ASIAN or not strict) and decode(data, name)[1] == 0), None)


def _has_runs(data: bytes) -> bool:
    """Returns whether most bytes beyond ASCII stand beside others, unlike the letters of Western Europe."""
    return 2 * sum(map(len, _RUN.findall(data))) > count_high_bytes(data)[0]


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
