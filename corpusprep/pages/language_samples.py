"""Reads samples of a language: files of text, and Web pages."""

from pathlib import Path

from corpusprep.encoding import charsets
from corpusprep.errors import LanguageError
from corpusprep.io import named_files
from corpusprep.pages import html
from corpusprep.pages.segmentation import Segmenter

#: A block is running text if it has at least this many characters, and at most this share of its words in links.
#: Stop words would decide better, but they are made from the sample.
LEAST_CHARACTERS = 100
MOST_LINKED = 0.2


def read_text(path: Path, encoding: str | None = None) -> str:
    """Returns the text of a file.

    Args:
        path: the file; a byte order mark is left out.
        encoding: its encoding, by any label of the Web; None: utf-8.

    Raises:
        LanguageError: the file cannot be read, its encoding is unknown, or it is not in that encoding.
    """
    return _decoded(path, _read(path), encoding or "utf-8", "" if encoding else "; say which with --sample-encoding")


def read_page(path: Path, encoding: str | None = None) -> str:
    """Returns the running text of a Web page: long blocks with few links.

    Args:
        path: the file.
        encoding: its encoding, by any label of the Web; None: the one that its bytes show (a byte order mark),
            that it declares, or utf-8.

    Raises:
        LanguageError: the file cannot be read or parsed, its encoding is unknown, or it is not in that encoding.
    """
    data = _read(path)
    declared = encoding or charsets.bom(data) or charsets.declared_meta(data)
    text = _decoded(path, data, declared or "utf-8", "" if declared else "; it declares no encoding")
    segmenter = Segmenter(())
    try:
        segmenter.add(html.parse(text))
    except html.PageError as error:
        raise LanguageError(f"{path}: the sample cannot be parsed as HTML ({error.verdict})") from None
    blocks = segmenter.take()
    running = zip(blocks.texts(), (blocks.link_density <= MOST_LINKED).tolist(), strict=True)
    return "\n".join(block for block, unlinked in running if unlinked and len(block) >= LEAST_CHARACTERS)


def _read(path: Path) -> bytes:
    try:
        return named_files.read(path)
    except OSError as error:
        raise LanguageError(f"{path}: cannot read the sample ({error.strerror})") from None


def _decoded(path: Path, data: bytes, label: str, hint: str) -> str:
    name = charsets.whatwg_name(label)
    if name is None or name == "replacement":
        raise LanguageError(f"{path}: {label} is not a label of an encoding of the Web (WHATWG)")
    text, undecodable = charsets.decode(data, name)
    if undecodable:
        raise LanguageError(
            f"{path}: the sample is not {name}: {undecodable:,} places do not decode, the first after "
            f"{text.index(charsets.REPLACEMENT):,} characters{hint}"
        )
    return text
