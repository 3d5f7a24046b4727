"""Reads verticals: corpora with one token per line, as Sketch Engine, NoSketch Engine and CWB have them.

A document is an element of the names in DOCUMENTS, or of those that a setting gives; in a file without them, the
outermost element is one. Its attributes, with quotation marks or without, give address, date, title, id and metadata.

Elements of paragraphs begin and end a paragraph, and so do others outside of paragraphs and sentences, but for `<g/>`
(glue: no space before the next token) and those within sentences. Comments, declarations and processing instructions
are left out. Only the first column is read. The tokens, joined with spaces, give the text, which is tokenised again.
"""

import re
from codecs import BOM_UTF8
from collections.abc import Collection, Iterator
from dataclasses import replace
from html import unescape

from corpusprep.archive import plain_text, text_fields
from corpusprep.archive.heads import clean_record_id, clean_url
from corpusprep.archive.plain_text import Paragraph
from corpusprep.archive.records import Record
from corpusprep.archive.stored_lines import lines
from corpusprep.archive.stored_streams import StoredFile

#: Elements that are documents, in small letters.
DOCUMENTS = frozenset({"doc", "document", "text", "file", "article", "story", "speech", "post", "tweet", "letter"})
#: A line that surely begins a vertical: a document, or a corpus around it.
_START = re.compile(r"\s*(?:<corpus\b[^<>\n]*>\s*)?<(?:doc|text|file|article)\b[^\n]*>[ \t\r]*\n")
_TAG = re.compile(rb"<(/?)([A-Za-z_][\w.-]*)((?:\s[^\n]*)?)/?>\s*$")
#: Comments, declarations and processing instructions.
_NO_TOKEN = re.compile(rb"<(?:!--.*--|![A-Za-z].*|\?.*)>\s*$", re.DOTALL)
_NO_TOKENS = re.compile(r"<!--.*?-->|<\?[^>]*>|<![A-Za-z][^>]*>", re.DOTALL)
#: A name is tried once, at its begin: a line of a megabyte without "=" would take quadratic time.
_ATTRIBUTE = re.compile(r"""(?<![\w:.-])([\w:.-]++)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))""")
_ENTITY = re.compile(r"&(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[0-9A-Fa-f]{1,6});")
_GLUE = b"g"
#: Lines that are not read in runs: structures, but for glue.
_ALONE, _ALONE_WITH_GLUE = (re.compile(rb"^<%b[^\n]*" % but, re.MULTILINE) for but in (rb"(?!g/>$)", b""))
_GLUE_LINE = b"<g/>"
#: What runs seldom have: empty lines and tokens, line breaks of Windows, and NUL, which stands for glue.
_UNUSUAL = (b"\r", b"\0", b"\n\n", b"\n ", b"\n\t", b"\n\v", b"\n\f")
_COLUMNS = re.compile(r"\t[^\n]*")
_GLUED = "\n<g/>\n"
_SENTENCES = frozenset({b"s", b"sent", b"sentence"})
#: Elements within sentences: they end no paragraph, wherever they stand.
_INLINE = frozenset({b"w", b"c", b"phr", b"name", b"a", b"b", b"i", b"em", b"strong", b"hi", b"lb", b"pb", *_SENTENCES})
#: A number that is no character's. Python refuses to read one of more than 4,300 digits.
_NO_CHARACTER = re.compile(r"&#[0-9]{8,};?")
_HEADINGS = frozenset({b"head", b"heading", b"h", b"h1", b"h2", b"h3", b"h4", b"h5", b"h6"})
#: Elements of paragraphs: they end the paragraph around them, too.
_PARAGRAPHS = frozenset({b"p", b"par", b"para", b"paragraph", b"ab", b"lg", b"li", b"item", b"td", b"div"}) | _HEADINGS
_HTML = frozenset({"html", "head", "body", "title", "meta", "link", "base", "script", "style"})
#: Lines of a file without a known document that must look like tokens.
_LEAST_TOKENS = 5
_LINE_LIMIT = 1 << 20
#: Open paragraphs that are remembered.
_DEEPEST = 50
#: Bytes of the tokens of a document that are held.
_TEXT_LIMIT = 200_000_000
_URL = ("url", "href", "src", "uri")
_DATE = ("date", "crawl_date", "crawled", "timestamp")
_TITLE = ("title",)
_CHOSEN = "; documents="
_ID = ("record_id", "id", "text_id")
_TAKEN = frozenset({*_URL, *_DATE, *_TITLE, *_ID})


def document_names(start: bytes, chosen: Collection[str] = ()) -> frozenset[str]:
    """Returns the names of the elements that are documents, in small letters; empty if it is no vertical.

    Args:
        start: the beginning of the file.
        chosen: the names that a setting gives; empty: they are told from the file.
    """
    text = _NO_TOKENS.sub("", start.decode("utf-8", "replace").removeprefix("\ufeff"))
    names = frozenset(name.lower() for name in chosen) or DOCUMENTS
    opened: list[str] = []
    words = tokens = 0
    for line in text.splitlines()[:-1] or text.splitlines():
        tag = _TAG.match(line.encode())
        if tag is not None and not tokens:
            opened += [] if tag[1] else [tag[2].decode().lower()]
        elif not line.startswith("<") and line.strip():
            if not opened:
                return frozenset()
            tokens += 1
            words += len(line.partition("\t")[0].split()) == 1
    if not opened or opened[0] in _HTML:
        return frozenset()
    looks = tokens > 0 and words >= 0.8 * tokens
    if not names.isdisjoint(opened) and (looks or chosen or _START.match(text)):
        return names
    if chosen or not looks or tokens < _LEAST_TOKENS:
        return frozenset()
    outer = next((name for name in opened if name not in ("corpus", "s")), "")
    return frozenset({outer}) - {""}


class _Document:
    """A document while its lines are read."""

    def __init__(self, attributes: dict[str, str]) -> None:
        self.attributes = attributes
        self.paragraphs: list[Paragraph] = []
        self.size = 0
        self._tokens: list[str] = []
        self._heading = False
        self._glue = True
        self._open: list[bytes] = []  # paragraphs, and a sentence

    def tokens(self, run: bytes) -> None:
        """Adds the tokens of lines, with glue between some of them."""
        if not run.strip() or run[:1].isspace() or any(map(run.__contains__, _UNUSUAL)):
            for line in filter(bytes.strip, run.split(b"\n")):
                if line.rstrip(b"\r") == _GLUE_LINE:
                    self._glue = True
                else:
                    self.token(line.rstrip(b"\r"))
            return
        first, end = 0, len(run)
        while run.startswith(_GLUE_LINE + b"\n", first):
            first += len(_GLUE_LINE) + 1
        self._glue |= first > 0
        if run[first:] == _GLUE_LINE:
            self._glue = True
            return
        while run.endswith(b"\n" + _GLUE_LINE, first, end):
            end -= len(_GLUE_LINE) + 1
        text = run[first:end].decode("utf-8", "replace")
        text = _COLUMNS.sub("", text) if "\t" in text else text
        while _GLUED + _GLUED[1:] in text:
            text = text.replace(_GLUED + _GLUED[1:], _GLUED)
        text = text.replace(_GLUED, "\0")
        if "&" in text:
            text = _ENTITY.sub(_character, text)
        text = text.replace("\n", " ").replace("\0", "")
        self.size += len(text) + 1
        self._tokens.append(text if self._glue else f" {text}")
        self._glue = end < len(run)

    def token(self, line: bytes) -> None:
        """Adds the token of a line."""
        word = _ENTITY.sub(_character, line.partition(b"\t")[0].decode("utf-8", "replace"))
        self.size += len(word) + 1
        self._tokens.append(word if self._glue else f" {word}")
        self._glue = False

    def structure(self, name: bytes, line: bytes, *, ends: bool) -> None:
        """Takes the line of a structure."""
        if name == _GLUE:
            self._glue = True
            return
        if name in _PARAGRAPHS or not (self._open or name in _INLINE):
            self.end_paragraph()
            self._heading = not ends and (name in _HEADINGS or b' heading="1"' in line)
        if name in _PARAGRAPHS or name in _SENTENCES:
            if not ends and not line.rstrip().endswith(b"/>"):
                self._open = [*self._open[-_DEEPEST:], name]
            elif ends and name in self._open:
                while self._open.pop() != name:
                    pass

    def end_paragraph(self) -> None:
        """Ends the paragraph that is open."""
        if self._tokens:
            self.paragraphs.append(Paragraph("".join(self._tokens), self._heading))
        self._tokens, self._glue = [], True

    def first(self, names: tuple[str, ...]) -> str:
        """Returns the first of these attributes that has a value."""
        return next((self.attributes[name] for name in names if self.attributes.get(name)), "")


def _character(entity: re.Match[str]) -> str:
    """Returns the character of an entity."""
    return unescape(entity[0])


def _value(text: str) -> str:
    """Returns the value of an attribute without escapes."""
    return unescape(_NO_CHARACTER.sub("\ufffd", text))


def media_type(chosen: Collection[str]) -> str:
    """Returns the media type of records whose documents a setting has chosen, so that they can be read again.

    >>> media_type(["speech", "debate"])
    'text/plain; documents=speech,debate'
    """
    return f"{plain_text.MEDIA_TYPE}{_CHOSEN}{','.join(chosen)}" if chosen else plain_text.MEDIA_TYPE


def chosen_documents(written: str) -> tuple[str, ...]:
    """Returns the names of documents in a media type that `media_type` has made."""
    return tuple(filter(None, written.partition(_CHOSEN)[2].split(",")))


def records(
    stored: StoredFile,
    max_bytes: int,
    names: Collection[str] = DOCUMENTS,
    content_type: str = plain_text.MEDIA_TYPE,
) -> Iterator[Record]:
    """Reads the documents of a vertical, elements of these names.

    Tokens outside of documents, and documents without an end, are `damaged`.
    """
    for record in _records(stored, max_bytes, names):
        yield record if record.content_type in ("", content_type) else replace(record, content_type=content_type)


def _records(stored: StoredFile, max_bytes: int, names: Collection[str]) -> Iterator[Record]:
    begun = end = number = 0
    document: _Document | None = None
    element = b""  # of the document, or of the last one
    stray = commented = False
    alone = _ALONE_WITH_GLUE if _GLUE.decode() in names else _ALONE
    for line in lines(stored, _LINE_LIMIT, alone):
        data = b"" if line.data is None else line.data.rstrip(b"\r")
        if line.offset == 0:
            data = data.removeprefix(BOM_UTF8)
        if commented and b"\n" in data:  # the comment may end in this run
            _, mark, data = data.partition(b"-->")
            commented, data = not mark, data.partition(b"\n")[2]
        tag = _TAG.match(data) if data.startswith(b"<") else None
        name = tag[2].lower() if tag else b""
        # Inside a document, elements of other such names are structures.
        if name.decode() not in names or (document is not None and name != element):
            if line.data is None:
                stray = True
            elif commented or data.startswith(b"<!--") or (tag is None and _NO_TOKEN.match(data)):
                commented = (commented or data.startswith(b"<!--")) and b"-->" not in data
            elif document is None:
                stray |= tag is None and (data.replace(_GLUE_LINE, b"") if b"\n" in data else data).strip() != b""
            elif tag is not None:
                document.structure(name, data, ends=bool(tag[1]))
            elif document.size <= _TEXT_LIMIT:
                document.tokens(data)
            end = line.end
            continue
        element, commented = name, False
        if tag is not None and not tag[1]:
            if document is not None or stray:
                yield _record(number, begun, line.offset, document, max_bytes, damaged=True)
                number, begun = number + 1, line.offset
            attributes = {
                found[1].lower(): _value(next(value for value in found.groups()[1:] if value is not None))
                for found in _ATTRIBUTE.finditer(tag[3].decode("utf-8", "replace"))
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
        about = text_fields.said(document.attributes, _TAKEN)
        body = plain_text.page(document.paragraphs, document.first(_TITLE), about)
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
        text_fields.date_of(document.first(_DATE)),
        content_type=plain_text.MEDIA_TYPE,
        charset=plain_text.CHARSET,
        body=body,
        body_bytes=len(body),
        verdict=verdict,
        record_id=clean_record_id(document.first(_ID)),
    )
