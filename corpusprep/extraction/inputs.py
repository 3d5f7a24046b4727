"""Tells what an input is that is no HTML page: an archive, a document of another format, binary data."""

import zlib

from corpusprep._native.charsets import count_controls
from corpusprep.archive import heads
from corpusprep.encoding.formats import other_format
from corpusprep.errors import CorpusprepError

#: The bytes at the beginning of an input that are looked at.
FIRST_BYTES = 65536
_COMPRESSED = {b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "Zstandard", b"BZh": "bzip2", b"\xfd7zXZ\x00": "xz"}
#: Share of control characters from which an input is binary. Random bytes are 10 % of these, pages in any encoding but
#: UTF-16 hardly any.
_CONTROL_SHARE = 0.02
#: How most pages begin, in lower case: nothing else does.
_PAGE_STARTS = (b"<!doctype html>", b"<!doctype html ", b"<html>", b"<html ")
_LONGEST_START = max(map(len, _PAGE_STARTS))


class NoPageError(CorpusprepError):
    """An input that is no HTML page; `verdict` is one of verdicts.RECORD_REASONS, the message says what to do.

    Or, of `explain`, a page that the parser cannot take, with one of verdicts.PAGE_REASONS.
    """

    def __init__(self, verdict: str, message: str) -> None:
        super().__init__(message)
        self.verdict = verdict


def check(data: bytes, encoding: str) -> None:
    """Refuses what is no HTML page by its first bytes. Text in a natural language passes.

    Args:
        data: the input.
        encoding: the WHATWG name of the encoding that was detected in it.

    Raises:
        NoPageError: it is empty, a Web archive, compressed, binary, or in another format (encoding.formats).
    """
    if not data:
        raise NoPageError("empty", "an empty file, not an HTML page")
    if not data[:_LONGEST_START].lower().startswith(_PAGE_STARTS):
        _check_format(data[:FIRST_BYTES])
    if count_controls(data, FIRST_BYTES) > _CONTROL_SHARE * min(len(data), FIRST_BYTES) and not encoding.startswith(
        "utf-16"
    ):
        raise NoPageError("not_text", "binary data, not an HTML page: give a file with HTML")


def _check_format(beginning: bytes) -> None:
    """Refuses archives, compressed data and other formats."""
    packed = _named(beginning, _COMPRESSED)
    if heads.starts_record(_unzipped(beginning) if packed == "gzip" else beginning):
        message = "a Web archive, not an HTML page: name it under archives in a config, and run the workflow"
        raise NoPageError("content_type", message)
    if packed:
        message = f"compressed with {packed}, not an HTML page: decompress it, or name a Web archive in a config"
        raise NoPageError("content_type", message)
    if other := other_format(beginning):
        raise NoPageError(other.verdict, f"{other.name}, not an HTML page: convert it to HTML first")


def _named(data: bytes, formats: dict[bytes, str]) -> str | None:
    """Returns the name of the format that data begins with, or None."""
    if not data.startswith(tuple(formats)):  # most are none of them
        return None
    return next(name for magic, name in formats.items() if data.startswith(magic))


def _unzipped(data: bytes) -> bytes:
    """Returns the beginning of what is compressed; empty if it cannot be decompressed."""
    try:
        return zlib.decompressobj(31).decompress(data, heads.START_LIMIT)
    except zlib.error:
        return b""
