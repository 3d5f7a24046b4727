"""Writes `<doc …>` lines with escaped attributes, and reads a vertical document by document.

A vertical has one token per line, and `<g/>` between two tokens without white space between them. The structures are
`<doc …>`, `<p heading="0|1" block="NUMBER">`, `</p>` and `</doc>`. Tokens are escaped as text of XML is. The kernels
read the same format (native/text/vertical.hpp).
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from corpusprep._native.unicode import visible
from corpusprep.errors import StageFileError
from corpusprep.io.files import zstd_chunks

DOCUMENT_END = b"</doc>\n"
#: Stands between tokens without white space between them.
GLUE = b"<g/>\n"
_END = b"\n</doc>\n"
_STRUCTURE = re.compile(rb"\n<(/?(?:doc|p))(?:[ /][^\n]*)?>(?=\n)")
#: A name is tried once, at its begin: a long line without "=" would take quadratic time.
_ATTRIBUTE = re.compile(r'(?<![\w.:-])([\w.:-]++)="([^"]*)"')
_LINE_BREAKING = re.compile("[\t-\r\x1c-\x1f\x85\u2028\u2029]")
# Control characters, surrogates and non-characters: not allowed in XML, and not visible.
_NOT_TEXT = re.compile("[\0-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})
_ENTITIES = {"&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'"}
_ENTITY = re.compile("|".join(_ENTITIES))
#: Bytes of UTF-8 of an attribute. CWB cuts values at 4,095 bytes and splits lines at 65,535, Manatee cuts values at
#: 32,767. Four such values fit a line even if all their characters are escaped (6 bytes each); longer URLs are rare.
LONGEST_VALUE = 2048


class DocumentAttributes(NamedTuple):
    """The attributes of a `<doc>` line, in their order."""

    id: str
    url: str
    host: str
    date: str
    archive: str
    offset: int
    record_id: str
    lang: str
    encoding: str
    language_score: float  # written with 4 decimals
    title: str

    @classmethod
    def of(cls, document_id: str, row: Mapping[str, Any]) -> tuple["DocumentAttributes", int]:
        """Returns the attributes of a row of tables.good_texts.kept_documents, and how many values were cut."""
        names = ("url", "host", "date", "record_id", "lang", "encoding", "title")
        cleaned = {name: clean_value(row[name]) for name in names}
        cleaned["archive"] = clean_value(row["archive"].rpartition("/")[2])
        values: dict[str, Any] = {name: value for name, (value, _) in cleaned.items()}
        values |= {"id": document_id, "offset": row["offset"] or 0, "language_score": row["language_score"]}
        return cls(**values), sum(cut for _, cut in cleaned.values())

    def line(self) -> bytes:
        """Returns the line that opens the document, with its line feed."""
        values = self._asdict() | {"language_score": f"{self.language_score:.4f}"}
        attributes = " ".join(f'{name}="{escape(str(value))}"' for name, value in values.items())
        return f"<doc {attributes}>\n".encode()


@dataclass(frozen=True, slots=True)
class VerticalDocument:
    """A document of a vertical, as bytes of the file."""

    number: int  # from 0
    start: bytes  # the line <doc …>, with its line feed
    blocks: list[bytes]  # each from its line <p …> to its line </p>, with line feeds

    @property
    def attributes(self) -> dict[str, str]:
        """The attributes of the document, unescaped."""
        return attributes(self.start.decode("utf-8", "replace"))


def clean_value(value: str) -> tuple[str, bool]:
    """Returns a value without line breaks and characters that nobody sees, and whether it was cut.

    White space is folded to single spaces. Values of more than LONGEST_VALUE bytes are cut. A backslash at the end
    goes: Manatee would take it and the quotation mark behind it for one character.
    """
    plain = value.isascii() and value.isprintable() and len(value) <= LONGEST_VALUE
    if plain and "  " not in value and value[:1] != " " and value[-1:] not in (" ", "\\"):
        return value, False  # as nearly all are
    # A lone surrogate becomes a question mark: it is no character, and the file is UTF-8.
    value = " ".join(visible(value).split()).encode("utf-8", "replace").decode()
    stored = value.encode()
    cut = len(stored) > LONGEST_VALUE
    return (stored[:LONGEST_VALUE].decode("utf-8", "ignore") if cut else value).rstrip(" \\"), cut


def escape(value: str) -> str:
    """Escapes a value for an XML attribute in double quotes, on one line.

    Line breaks and tabs become spaces; other control characters, which XML does not allow, are removed.
    """
    return _NOT_TEXT.sub("", _LINE_BREAKING.sub(" ", value)).translate(_ESCAPES)


def attributes(line: str) -> dict[str, str]:
    """Returns the attributes of a structure line, unescaped."""
    return {name: unescape(value) for name, value in _ATTRIBUTE.findall(line)}


def unescape(value: str) -> str:
    """Returns a token or a value of an attribute as it is in the text; an ampersand of no entity stands for itself."""
    return _ENTITY.sub(lambda entity: _ENTITIES[entity[0]], value) if "&" in value else value


def read_documents(path: Path) -> Iterator[VerticalDocument]:
    """Reads a compressed vertical, with one document in memory at a time.

    Everything that a tagger has added is kept with its block: columns, structures inside `<p>`, attributes. Lines
    before a `<doc` are skipped.

    Raises:
        StageFileError: the file cannot be read, or its structure lines are not those that the stage `tokens` writes:
            a token outside `<p>`, a structure that is not closed. The message names the file and the document.
    """
    number = 0
    for piece in _pieces(path):
        document = _document(path, number, piece)
        if document is not None:
            yield document
            number += 1


def _pieces(path: Path) -> Iterator[bytes]:
    """Yields the bytes up to and including each `</doc>` line, then the rest, unless it is only white space."""
    buffer = bytearray()
    searched = 0  # no document ends before this position
    for chunk in zstd_chunks(path):
        buffer += chunk
        while (end := buffer.find(_END, searched)) >= 0:
            yield bytes(buffer[: end + len(_END)])
            del buffer[: end + len(_END)]
            searched = 0
        searched = max(0, len(buffer) - len(_END) + 1)
    if buffer.strip():
        yield bytes(buffer) if buffer.endswith(b"\n") else bytes(buffer) + b"\n"


def _document(path: Path, number: int, piece: bytes) -> VerticalDocument | None:
    """Parses the document in a piece; returns None for lines after the last document."""
    text = b"\n" + piece
    start: bytes | None = None
    blocks: list[bytes] = []
    block_start = 0  # start of the open block; 0 if no block is open
    position = 0  # end of the last structure line
    closed = False

    def wrong(message: str) -> StageFileError:
        return StageFileError(
            f"{path}: document {number}: {message}; keep the structure lines that the stage tokens wrote"
        )

    for structure in _STRUCTURE.finditer(text):
        name, line_start, line_end = structure[1], structure.start() + 1, structure.end() + 1
        if name == b"doc":
            if start is not None:
                raise wrong("a second <doc> before </doc>")
            start = text[line_start:line_end]
        elif start is None:
            continue
        else:
            if not block_start and text[position:line_start].strip():
                raise wrong("a line outside <p>")
            if name == b"p" and not block_start:
                block_start = line_start
            elif name == b"/p" and block_start:
                blocks.append(text[block_start:line_end])
                block_start = 0
            elif name == b"/doc" and not block_start:
                closed = True
            else:
                raise wrong(f"<{name.decode()}> {'inside' if block_start else 'outside'} <p>")
        position = line_end
    if start is None:
        return None
    if not closed:
        raise wrong("no </doc>")
    return VerticalDocument(number, start, blocks)
