"""Makes pages of texts: those that others have extracted (WET files, JSON lines, tables, verticals), and plain text.

Such a text becomes a page of simple markup, one element per paragraph, in UTF-8. So it takes the same way as a Web
page, and its blocks are its paragraphs.
"""

import codecs
from collections.abc import Iterable
from html import escape
from typing import NamedTuple

from corpusprep.archive import http, text_fields
from corpusprep.archive.labels import CODECS, NAMES

#: The type of records that hold text: "an alternative version of another record's content" (ISO 28500, 6.8).
RECORD_TYPE = "conversion"
MEDIA_TYPE = "text/plain"
#: What texts are in after this module, whatever they were in before.
CHARSET = "utf-8"


class Paragraph(NamedTuple):
    """A paragraph of a text."""

    text: str
    heading: bool = False


def is_extracted(record_type: str, content_type: str) -> bool:
    """Returns whether a record is a text that others have extracted."""
    return record_type == RECORD_TYPE and content_type.partition(";")[0] == MEDIA_TYPE


def page(paragraphs: Iterable[Paragraph], title: str = "", about: str = "") -> bytes:
    r"""Returns a page whose blocks are these paragraphs; `about` is what is said of the text (text_fields.said).

    >>> page([Paragraph("Apples", heading=True), Paragraph("Sweet & red.")])
    b'<html><body>\n<h2>Apples</h2>\n<p>Sweet &amp; red.</p>\n</body></html>\n'
    """
    head = text_fields.head(about) + (f"<title>{_escaped(title)}</title>" if title else "")
    lines = [f"<html><head>{head}</head><body>" if head else "<html><body>"]
    for text, heading in paragraphs:
        if written := _escaped(text):
            lines.append(f"<h2>{written}</h2>" if heading else f"<p>{written}</p>")
    return "\n".join([*lines, "</body></html>\n"]).encode("utf-8", "replace")


def page_of_lines(text: str, title: str = "", about: str = "") -> bytes:
    """Returns a page with one paragraph per line that is not empty."""
    return page((Paragraph(line) for line in text.splitlines() if line and not line.isspace()), title, about)


def page_of_record(content: bytes, content_type: str) -> bytes:
    """Returns a page of the text in a `conversion` record, which is UTF-8 if it declares no encoding of the Web.

    Python knows other codecs. Some take quadratic time (punycode), or change the text (unicode_escape).
    """
    name = NAMES.get((http.declared(content_type)[1] or CHARSET).lower(), CHARSET)
    codec = CODECS.get(name, name)
    if name.startswith("utf-16") and content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        codec = "utf-16"  # the mark tells the order
    try:
        text = content.decode(codec, "replace")
    except LookupError:
        text = content.decode(CHARSET, "replace")
    return page_of_lines(text.removeprefix("\ufeff"))


def _escaped(text: str) -> str:
    """Returns text as markup, without characters that markup cannot have."""
    return escape(" ".join(text.replace("\0", " ").split()), quote=False)
