"""Character encodings of Web pages: names, byte order marks, declarations, decoding (WHATWG Encoding Standard).

Encodings have their WHATWG names, in lower case. `corpusprep.encoding.detection` detects the encoding of a page.
"""

import codecs
import functools
from collections.abc import Callable

from corpusprep._native.charsets import decode_single_bytes, pair_surrogates, utf8_share
from corpusprep._native.unicode import nfc, nfd
from corpusprep.archive.labels import CODECS, NAMES
from corpusprep.encoding.prescan import declared_label
from corpusprep.startup import register_error_handler

#: Replaces bytes that are invalid in an encoding.
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_BOMS = {"utf-8": codecs.BOM_UTF8, "utf-16be": codecs.BOM_UTF16_BE, "utf-16le": codecs.BOM_UTF16_LE}
_MARKS = tuple(_BOMS.values())
_MULTIBYTE = {"utf-8", "utf-16be", "utf-16le", "gbk", "gb18030", "big5", "euc-jp", "iso-2022-jp", "shift_jis", "euc-kr"}
# Neither in _MULTIBYTE nor one character for each byte: windows-1258 composes characters.
_NOT_BY_CHARACTER = {"replacement", "windows-1258"}
# U+FFFD in the encodings that have it; the bytes may also be parts of other characters.
_OWN_REPLACEMENT = {
    "utf-8": REPLACEMENT.encode(),
    "utf-16be": REPLACEMENT.encode("utf-16-be"),
    "utf-16le": REPLACEMENT.encode("utf-16-le"),
    "gbk": REPLACEMENT.encode("gb18030"),
    "gb18030": REPLACEMENT.encode("gb18030"),
}
# Single bytes that the standard maps, and Python's table maps differently or not at all.
_OVERRIDES = {
    "koi8-u": {0xAE: "ў", 0xBE: "Ў"},
    "windows-1255": {0xCA: "\N{HEBREW POINT HOLAM HASER FOR VAV}"},
}


def whatwg_name(label: str) -> str | None:
    """Returns the name of the encoding with this label, or None for a label that is not in the standard."""
    return NAMES.get(label.strip("\t\n\f\r ").lower())


def bom(data: bytes) -> str | None:
    """Returns the encoding given by a byte order mark at the beginning: utf-8, utf-16be or utf-16le; or None."""
    if not data.startswith(_MARKS):
        return None
    return next((name for name, mark in _BOMS.items() if data.startswith(mark)), None)


def declared_meta(data: bytes, *, late: bool = False) -> str | None:
    """Returns the encoding that the page declares in a `meta` element or an XML declaration, or None.

    A `meta` counts in the first 4,096 bytes of the page; if `late`, in its first megabyte, which takes longer. As in
    browsers, utf-16 declared in bytes that are read as ASCII means utf-8, and x-user-defined in a `meta` means
    windows-1252 (HTML Standard, 13.2.3.2).
    """
    return declared_label(data, whatwg_name, late=late)


def decode(data: bytes, encoding: str) -> tuple[str, int]:
    """Decodes a page as browsers do; never fails.

    Args:
        data: the bytes; a byte order mark of the same encoding is not part of the text.
        encoding: a WHATWG name or label; an unknown one counts as utf-8.

    Returns:
        The text, and the number of U+FFFD in it that replace invalid bytes. `replacement`, the name for encodings that
        browsers refuse, gives one U+FFFD for all bytes.

    In one point it departs from browsers: surrogates that are encoded in UTF-8 (CESU-8, as Java and older databases
    write it) are paired back into their character, which is no error. One without a partner is one error.
    """
    name = whatwg_name(encoding) or "utf-8"
    if name == "replacement":
        return (REPLACEMENT, 1) if data else ("", 0)
    data = data.removeprefix(_BOMS.get(name, b""))
    if name not in _MULTIBYTE:
        text = codecs.charmap_decode(data, "strict", _single_byte_table(name))[0]
        if name == "windows-1258":
            # windows-1258 has tone marks as separate characters; the language's words are composed.
            text = nfc(text)
        return text, text.count(REPLACEMENT)
    codec = CODECS.get(name, name)
    replacing, skipping = _handlers(name)
    text = data.decode(codec, replacing)
    if name == "utf-8" and REPLACEMENT in text and (paired := pair_surrogates(data)) is not data:
        data = paired
        text = data.decode(codec, replacing)
    undecodable = text.count(REPLACEMENT)
    if undecodable and name in _OWN_REPLACEMENT and _OWN_REPLACEMENT[name] in data:
        # U+FFFD may also be a character of the page itself.
        undecodable -= data.decode(codec, skipping).count(REPLACEMENT)
    return text, undecodable


def decode_utf8(data: bytes, encoding: str) -> tuple[bytes, int]:
    """Returns what `decode` returns, in UTF-8 and without NUL: most pages are in UTF-8 already, and need no copy.

    Browsers leave NUL out of text; parsers would make U+FFFD of it. Arguments are as for `decode`.
    """
    markup, undecodable = _decode_utf8(data, encoding)
    return (markup.replace(b"\0", b"") if b"\0" in markup else markup), undecodable


def _decode_utf8(data: bytes, encoding: str) -> tuple[bytes, int]:
    """Does the same, with NUL."""
    name = whatwg_name(encoding) or "utf-8"
    # A character that is cut by the end of the page counts in no share.
    if name == "utf-8" and utf8_share(data) == 1.0 and data[-1:] < b"\x80":
        return data.removeprefix(codecs.BOM_UTF8), 0
    if name in _MULTIBYTE or name in _NOT_BY_CHARACTER:
        text, undecodable = decode(data, name)
        return text.encode("utf-8", "replace"), undecodable
    return decode_single_bytes(data, _single_byte_table(name)[0x80:])


def encode(text: str, encoding: str) -> bytes:
    """Encodes a text, with a question mark for each character that the encoding does not have.

    Raises:
        ValueError: the encoding is unknown or is `replacement`, which nothing is written in.
    """
    name = whatwg_name(encoding)
    if name is None or name == "replacement":
        raise ValueError(f"cannot write text in the encoding {encoding}")
    if name in _MULTIBYTE:
        return text.encode(CODECS.get(name, name), "replace")
    if name == "windows-1258":
        text = _tones_apart(text)
    return codecs.charmap_encode(text, "replace", _single_byte_map(name))[0]


@functools.cache
def _single_byte_table(name: str) -> str:
    """Returns the 256 characters of a single-byte encoding, U+FFFD for bytes without a character."""
    if name == "x-user-defined":
        return "".join(chr(byte if byte < 0x80 else 0xF700 + byte) for byte in range(256))
    overrides = _OVERRIDES.get(name, {})
    # In the standard, bytes below 0xA0 that windows-125x leaves undefined are C1 control characters.
    return "".join(
        overrides.get(byte)
        or codecs.decode(bytes([byte]), CODECS.get(name, name), "ignore")
        or (chr(byte) if byte < 0xA0 else REPLACEMENT)
        for byte in range(256)
    )


@functools.cache
def _single_byte_map(name: str) -> dict[int, int]:
    return {ord(char): byte for byte, char in enumerate(_single_byte_table(name)) if char != REPLACEMENT}


def _tones_apart(text: str) -> str:
    """Decomposes Vietnamese as in windows-1258: the vowel with its circumflex, breve or horn, then the tone mark."""
    known = _single_byte_map("windows-1258")
    pieces = []
    for char in nfc(text):
        if ord(char) not in known:
            apart = nfd(char)
            # The tone is one of the marks; the others stay with the vowel.
            tone = next((mark for mark in apart[1:] if mark in "\u0300\u0301\u0303\u0309\u0323"), "")
            char = nfc(apart.replace(tone, "", 1)) + tone if tone else char
        pieces.append(char)
    return "".join(pieces)


def _rescue_gbk(pair: bytes) -> str:
    return "€" if pair[:1] == b"\x80" else ""


def _rescue_big5(pair: bytes) -> str:
    return _whole(pair, "cp950")


def _rescue_euc_jp(pair: bytes) -> str:
    """Decodes rows of vendors' characters (①, ㈱, …), which cp932 has and the codec does not."""
    if len(pair) < 2 or min(pair) < 0xA1:
        return ""
    row, cell = pair[0] - 0xA0, pair[1] - 0xA0
    lead = (row + 1) // 2 + (0x80 if row <= 62 else 0xC0)
    trail = cell + 0x9E if row % 2 == 0 else cell + 0x3F + (cell >= 64)
    return _whole(bytes([lead, trail]), "cp932")


def _whole(pair: bytes, codec: str) -> str:
    """Returns the single character that two bytes decode to, or an empty string."""
    text = pair.decode(codec, "replace")
    return text if len(text) == 1 and text != REPLACEMENT else ""


_RESCUES = {
    "gbk": (1, _rescue_gbk),
    "gb18030": (1, _rescue_gbk),
    "big5": (2, _rescue_big5),
    "euc-jp": (2, _rescue_euc_jp),
}


@functools.cache
def _handlers(name: str) -> tuple[str, str]:
    """Returns the names of two error handlers: one replaces invalid bytes by U+FFFD, the other leaves them out."""
    if name not in _RESCUES:
        return "replace", "ignore"
    return (
        register_error_handler(f"{name}-replace", _handler(name, REPLACEMENT)),
        register_error_handler(f"{name}-ignore", _handler(name, "")),
    )


def _handler(name: str, instead: str) -> Callable[[UnicodeError], tuple[str, int]]:
    """Returns an error handler that decodes the bytes which browsers accept and Python's codec does not."""
    length, rescue_one = _RESCUES[name]
    rescue = functools.cache(rescue_one)  # of one or two bytes; a page of errors has a handler's call for each

    def handle(error: UnicodeError) -> tuple[str, int]:
        if not isinstance(error, UnicodeDecodeError):
            raise error
        if char := rescue(error.object[error.start : error.start + length]):
            return char, error.start + length
        return instead, error.end

    return handle
