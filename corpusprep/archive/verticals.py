"""Reads verticals: corpora with one token per line, as Sketch Engine, NoSketch Engine and CWB have them.

A document is an element `doc`, `text`, `file` or `article`; its attributes give address, date, title and id. Any other
structure begins and ends a paragraph, but for `<g/>` (glue: no space before the next token) and those within sentences.
Only the first column is read. The tokens, joined with spaces, give the text, which is tokenised again.
"""

import re
from collections.abc import Iterator
from html import unescape

from corpusprep.archive import plain_text
from corpusprep.archive.heads import clean_record_id, clean_url, iso_date
from corpusprep.archive.plain_text import Paragraph
from corpusprep.archive.records import Record
from corpusprep.archive.stored_lines import lines
from corpusprep.archive.stored_streams import StoredFile

_DOCUMENTS = rb"doc|text|file|article"
#: A line that begins a vertical: a document, or a corpus around it.
START = re.compile(rb"\s*(?:<\?xml[^\n]*\n\s*)?(?:<corpus\b[^<>\n]*>\s*)?<(?:" + _DOCUMENTS + rb")\b[^\n]*>[ \t\r]*\n")
_OPEN = re.compile(rb"<(" + _DOCUMENTS + rb")\b([^\n]*)>\s*$")
_CLOSE = re.compile(rb"</(?:" + _DOCUMENTS + rb")>\s*$")
_STRUCTURE = re.compile(rb"</?([A-Za-z_][\w.-]*)(\s[^\n]*)?/?>\s*$")
#: A name is tried once, at its begin: a line of a megabyte without "=" would take quadratic time.
_ATTRIBUTE = re.compile(r"""(?<![\w:.-])([\w:.-]++)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_ENTITY = re.compile(r"&(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[0-9A-Fa-f]{1,6});")
#: Structures within sentences: they end no paragraph.
_INLINE = frozenset({b"g", b"s", b"w", b"c", b"phr", b"name", b"a", b"b", b"i", b"em", b"strong", b"hi", b"sent"})
_HEADINGS = frozenset({b"head", b"heading", b"h", b"h1", b"h2", b"h3", b"h4", b"h5", b"h6"})
_LINE_LIMIT = 1 << 20
#: Bytes of the tokens of a document that are held.
_TEXT_LIMIT = 200_000_000
_URL = ("url", "href", "src", "uri")
_DATE = ("date", "crawl_date", "crawled", "timestamp")
_TITLE = ("title",)
_ID = ("record_id", "id")


class _Document:
    """A document while its lines are read."""

    def __init__(self, attributes: dict[str, str]) -> None:
        self.attributes = attributes
        self.paragraphs: list[Paragraph] = []
        self.size = 0
        self._tokens: list[str] = []
        self._heading = False
        self._glue = True

    def token(self, line: bytes) -> None:
        """Adds the token of a line."""
        word = _ENTITY.sub(lambda entity: unescape(entity[0]), line.partition(b"\t")[0].decode("utf-8", "replace"))
        self.size += len(word) + 1
        self._tokens.append(word if self._glue else f" {word}")
        self._glue = False

    def structure(self, name: bytes, line: bytes) -> None:
        """Takes the line of a structure."""
        if name == b"g":
            self._glue = True
        elif name not in _INLINE:
            self.end_paragraph()
            self._heading = not line.startswith(b"</") and (name in _HEADINGS or b' heading="1"' in line)

    def end_paragraph(self) -> None:
        """Ends the paragraph that is open."""
        if self._tokens:
            self.paragraphs.append(Paragraph("".join(self._tokens), self._heading))
        self._tokens, self._glue = [], True

    def first(self, names: tuple[str, ...]) -> str:
        """Returns the first of these attributes that has a value."""
        return next((self.attributes[name] for name in names if self.attributes.get(name)), "")


def records(stored: StoredFile, max_bytes: int) -> Iterator[Record]:
    """Reads the documents of a vertical. Tokens outside of documents, and documents without an end, are `damaged`."""
    begun = end = number = 0
    document: _Document | None = None
    stray = False
    for line in lines(stored, _LINE_LIMIT):
        data = b"" if line.data is None else line.data.rstrip(b"\r")
        opened = _OPEN.match(data)
        if opened is None and not _CLOSE.match(data):
            structure = _STRUCTURE.match(data)
            if line.data is None:
                stray = True
            elif document is None:
                stray |= structure is None
            elif structure is not None:
                document.structure(structure[1], data)
            elif document.size <= _TEXT_LIMIT:
                document.token(data)
            end = line.end
            continue
        if opened is not None:
            if document is not None or stray:
                yield _record(number, begun, line.offset, document, max_bytes, damaged=True)
                number, begun = number + 1, line.offset
            attributes = {
                structure[1]: unescape(structure[2] if structure[2] is not None else structure[3])
                for structure in _ATTRIBUTE.finditer(opened[2].decode("utf-8", "replace"))
            }
            document, stray = _Document(attributes), False
        else:
            yield _record(number, begun, line.end, document, max_bytes, damaged=document is None or stray)
            number, begun, document, stray = number + 1, line.end, None, False
        end = line.end
    if document is not None or stray or end > begun:
        yield _record(number, begun, stored.size, document, max_bytes, damaged=document is not None or stray)


def _record(number: int, begun: int, end: int, document: _Document | None, max_bytes: int, *, damaged: bool) -> Record:
    """Returns a document, or other lines, as a record."""
    if document is None:
        return Record(number, begun, end - begun, "", "", "", verdict="damaged" if damaged else "record_type")
    document.end_paragraph()
    body, verdict = b"", "damaged" if damaged else None
    if verdict is None:
        body = plain_text.page(document.paragraphs, document.first(_TITLE))
        if len(body) > max_bytes or document.size > _TEXT_LIMIT:
            body, verdict = b"", "too_large"
        elif not document.paragraphs:
            body, verdict = b"", "empty"
    return Record(
        number,
        begun,
        end - begun,
        plain_text.RECORD_TYPE,
        clean_url(document.first(_URL)),
        iso_date(document.first(_DATE)),
        content_type=plain_text.MEDIA_TYPE,
        charset=plain_text.CHARSET,
        body=body,
        body_bytes=len(body),
        verdict=verdict,
        record_id=clean_record_id(document.first(_ID)),
    )
