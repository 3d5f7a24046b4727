"""Reads what people have in folders: texts (.txt), pages saved as MHTML, and e-mails; says what else is there.

| file | record |
|---|---|
| text (`.txt`) | a text; blank lines separate its paragraphs, or each line is one if some are too long for print |
| MHTML | the page that was saved, with its address and date |
| e-mail | its plain text, or else its page; subject, author and date are metadata |
"""

import codecs
import contextlib
import os
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from email.errors import MessageError
from email.header import decode_header, make_header
from email.message import Message
from email.parser import BytesParser
from email.policy import Compat32
from email.utils import getaddresses
from pathlib import Path

from corpusprep.archive import html_files, plain_text, text_fields
from corpusprep.archive.heads import clean_record_id, clean_url
from corpusprep.archive.html_files import Addresses
from corpusprep.archive.records import Record
from corpusprep.archive.stored_streams import StoredFile

TEXT_NAMES = (".txt", ".text")
#: Rules for robots, and lists that stand beside archives.
_NO_TEXTS = frozenset({"robots.txt", "humans.txt", "security.txt", "ads.txt", "llms.txt"})
#: Ends of the names of documents that are not read -> what they are, and a tool that makes text of them.
DOCUMENTS = {
    ".pdf": ("PDF", "pdftotext"),
    ".docx": ("DOCX", "pandoc -t plain"),
    ".doc": ("DOC", "antiword"),
    ".odt": ("ODT", "pandoc -t plain"),
    ".rtf": ("RTF", "pandoc -t plain"),
    ".epub": ("EPUB", "pandoc -t plain"),
}
#: What browsers add to the name of a page for the folder with its pictures and frames, in several languages.
_PARTS = re.compile(
    r"(?P<page>.+)[_. -](?:files?|dateien|fichiers|archivos|ficheros|bestanden|soubory|súbory|pliki|filer|tiedostot"
    r"|elemei|arquivos|ficheiros|dosyalar|datoteke|failid|fails|fișiere|fitxers)",
    re.IGNORECASE,
)
_HEADER = re.compile(rb"([!-9;-~]+):(.*)")
#: A line of print has at most as many bytes of UTF-8: in longer lines, each is a paragraph.
_LONGEST_LINE = 160
#: Python's email decodes long fields, and finds the ends of deep parts, in quadratic time.
_LONGEST_FIELD, _DEEPEST_PART = 10_000, 30


class _Fields(Compat32):
    """Reads fields of a bounded length."""

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        name, value = super().header_source_parse(sourcelines)
        return name, value[:_LONGEST_FIELD]


class _Part(Message):
    """A part of a message; parts nest to a bounded depth."""

    depth = 0

    def attach(self, payload: "_Part") -> None:  # type: ignore[override]
        payload.depth = self.depth + 1
        if payload.depth > _DEEPEST_PART:
            raise RecursionError
        super().attach(payload)


def parts_of_pages(folders: Iterable[str], files: Collection[str]) -> set[str]:
    """Returns which of the folders beside these files hold the parts of saved pages (`NAME_files` of `NAME.html`)."""
    pages = {Path(file).stem for file in files if file.lower().endswith((".html", ".htm", ".xhtml"))}
    return {folder for folder in folders if (match := _PARTS.fullmatch(folder)) and match["page"] in pages}


def documents_in(folder: Path) -> str:
    """Returns how many documents a folder has that are not read, and what makes text of them; "" if it has none."""
    counts = Counter(
        DOCUMENTS[end]
        for _, _, files in os.walk(folder)
        for file in files
        if not file.startswith(".") and (end := Path(file).suffix.lower()) in DOCUMENTS
    )
    named = [f"{number:,} {kind} (make text of them with {tool})" for (kind, tool), number in sorted(counts.items())]
    return ", ".join(named)


def is_text(name: str, start: bytes) -> bool:
    """Returns whether a file is a text, by its name without the end of its compression, and its first bytes."""
    if not name.endswith(TEXT_NAMES) or name in _NO_TEXTS:
        return False
    return b"\0" not in start or start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))


def starts_with_field(start: bytes) -> bool:
    """Returns whether a file that begins with these bytes may be a message."""
    return _HEADER.match(start) is not None


def mail_kind(start: bytes) -> str:
    """Returns `mhtml`, `email`, or "" for a file that begins with these bytes; its last line may be cut."""
    names: dict[bytes, bytes] = {}
    name = b""
    *lines, last = start.splitlines() or [b""]
    for line in [*lines, last] if _HEADER.fullmatch(last) else lines:
        header = _HEADER.fullmatch(line)
        if not line:
            break
        if header:
            name = header[1].lower()
            names[name] = header[2].lower()
        elif name and line[:1] in b" \t":
            names[name] += line.lower()
        else:
            return ""
    if b"snapshot-content-location" in names or (
        b"mime-version" in names and b"multipart/related" in names.get(b"content-type", b"") and b"to" not in names
    ):
        return "mhtml"
    told = {b"subject", b"date", b"message-id", b"received", b"to"} & names.keys()
    return "email" if b"from" in names and len(told) > 1 else ""


def text_records(stored: StoredFile, max_bytes: int, addresses: Addresses) -> Iterator[Record]:
    """Reads a text. Its encoding is found as a page's is: its bytes stay, only markup is added."""
    content, verdict = html_files.content(stored, max_bytes)
    if verdict is None and not content.strip():
        verdict = "empty"
    yield _record(stored, addresses, b"" if verdict else page_of_bytes(content), verdict, is_text=True)


def page_of_bytes(content: bytes) -> bytes:
    r"""Returns a page of the paragraphs of a text in any encoding that has ASCII, or in UTF-16 with its mark.

    >>> page_of_bytes(b"One\nparagraph.\n\nTwo & three.")
    b'<html><body>\n<p>One paragraph.</p>\n<p>Two &amp; three.</p>\n</body></html>\n'
    """
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        content = content.decode("utf-16", "replace").encode("utf-8", "replace")
    content = content.removeprefix(codecs.BOM_UTF8).replace(b"\0", b" ")
    paragraphs = [
        b" ".join(paragraph).replace(b"&", b"&amp;").replace(b"<", b"&lt;").replace(b">", b"&gt;")
        for paragraph in _paragraphs(content.splitlines())
    ]
    return b"<html><body>\n" + b"".join(b"<p>%b</p>\n" % one for one in paragraphs) + b"</body></html>\n"


def _paragraphs(lines: list[bytes]) -> Iterator[list[bytes]]:
    """Yields the lines of each paragraph: between blank lines, if there are any and no line is too long for print."""
    lines = [line.strip() for line in lines]
    wrapped = b"" in lines and max(map(len, lines)) <= _LONGEST_LINE
    paragraph: list[bytes] = []
    for line in lines:
        if line:
            paragraph.append(line)
        if paragraph and not (line and wrapped):
            yield paragraph
            paragraph = []
    if paragraph:
        yield paragraph


def mail_records(stored: StoredFile, max_bytes: int, addresses: Addresses) -> Iterator[Record]:
    """Reads a page saved as MHTML, or an e-mail, as one record."""
    content, verdict = html_files.content(stored, max_bytes)
    if verdict is not None:
        yield _record(stored, addresses, b"", verdict)
        return
    try:
        message = BytesParser(_Part, policy=_Fields()).parsebytes(content)
        record = _of_message(stored, addresses, message)
    except (LookupError, ValueError, TypeError, AttributeError, RecursionError, MessageError):  # as email has
        record = _record(stored, addresses, b"", "damaged")
    yield record


def _of_message(stored: StoredFile, addresses: Addresses, message: Message) -> Record:
    parts = [
        part for part in message.walk() if not part.is_multipart() and part.get_content_disposition() != "attachment"
    ]
    texts = {kind: part for part in reversed(parts) if (kind := part.get_content_type()) in ("text/plain", "text/html")}
    date = text_fields.date_of(_header(message, "Date"))
    if "From" in message and "text/plain" in texts and "Snapshot-Content-Location" not in message:
        text = _text(texts["text/plain"])
        fields = {"author": _authors(message), "published": date}
        title = plain_text.page((), _header(message, "Subject"), text_fields.said(fields, ()))
        page = title.replace(b"<body>\n</body></html>\n", page_of_bytes(text.encode("utf-8", "replace"))[6:])
        verdict = None if text.strip() else "empty"
        record_id = clean_record_id(_header(message, "Message-ID"))
        return _record(stored, addresses, page, verdict, is_text=True, record_id=record_id, charset="utf-8")
    if "text/html" not in texts:
        return _record(stored, addresses, b"", "empty")
    part = texts["text/html"]
    body = part.get_payload(decode=True)
    url = clean_url(_header(message, "Snapshot-Content-Location") or _header(part, "Content-Location"))
    return _record(
        stored,
        addresses,
        body if isinstance(body, bytes) else b"",
        None if body else "empty",
        date="" if "From" in message and "Snapshot-Content-Location" not in message and not url else date,
        url=url if url.lower().startswith(("http://", "https://")) else "",
        charset=part.get_content_charset(),
        record_id=clean_record_id(_header(message, "Message-ID")),
    )


def _record(
    stored: StoredFile,
    addresses: Addresses,
    body: bytes,
    verdict: str | None,
    *,
    is_text: bool = False,
    url: str = "",
    date: str = "",
    charset: str | None = None,
    record_id: str = "",
) -> Record:
    return Record(
        0,
        0,
        stored.size,
        plain_text.RECORD_TYPE if is_text else html_files.RECORD_TYPE,
        addresses.of_file(stored.path, url),
        date,
        content_type=plain_text.MEDIA_TYPE if is_text else html_files.MEDIA_TYPE,
        charset=charset,
        body=b"" if verdict else body,
        body_bytes=0 if verdict else len(body),
        verdict=verdict,
        record_id=record_id,
    )


def _header(message: Message, name: str) -> str:
    """Returns a header, decoded, or as it is if it cannot be; "" if there is none."""
    value = str(message.get(name) or "")
    with contextlib.suppress(MessageError, LookupError, ValueError):
        value = str(make_header(decode_header(value)))
    return " ".join(value.split())


def _authors(message: Message) -> str:
    """Returns the names of who wrote a message, without their addresses."""
    return "; ".join(name for name, _ in getaddresses([_header(message, "From")]) if name)


def _text(part: Message) -> str:
    payload = part.get_payload(decode=True)
    data = payload if isinstance(payload, bytes) else b""
    try:
        return data.decode(part.get_content_charset() or "utf-8", "replace")
    except (LookupError, ValueError):
        return data.decode("utf-8", "replace")
