"""Parses HTML text into a tree, by libxml2's HTML parser through lxml."""

import re
import threading

from lxml import etree

from corpusprep.errors import CorpusprepError

_TITLE = re.compile(r"<title\b[^>]*>[^<]*", re.IGNORECASE)
_TITLE_END = re.compile("</title", re.IGNORECASE)


class PageError(CorpusprepError):
    """A page that the parser cannot take; `verdict` is one of verdicts.PAGE_REASONS."""

    def __init__(self, verdict: str, message: str) -> None:
        super().__init__(message)
        self.verdict = verdict


def parse(text: str) -> etree._Element | None:
    """Returns the root element of a page, without comments and processing instructions; None for an empty page.

    The encoding that the page declares is ignored: `text` has been decoded. A <title> without an end tag ends at
    the next tag.

    Raises:
        PageError: elements are nested deeper than libxml2 takes (2,048), so that it left the rest
            of the page out; or the parser gave up.
    """
    root = _parse(text)
    title = _open_title(text) if root is not None and _ends_in_title(root) else None
    return root if title is None else _parse(f"{text[:title]}</title>{text[title:]}")


class _Parsers(threading.local):
    """One parser per thread, for all its pages: making a parser takes as long as parsing a small page."""

    def __init__(self) -> None:
        # Elements are never looked up by their ids: they need not be collected.
        self.parser = etree.HTMLParser(
            encoding="utf-8", remove_comments=True, remove_pis=True, collect_ids=False, huge_tree=True
        )


_parsers = _Parsers()


def _parse(text: str) -> etree._Element | None:
    parser = _parsers.parser
    try:
        root: etree._Element | None = etree.fromstring(text.encode("utf-8", "replace"), parser)
    except etree.XMLSyntaxError as error:
        last = parser.error_log.last_error
        if last is None or last.type in {etree.ErrorTypes.ERR_DOCUMENT_EMPTY, etree.ErrorTypes.ERR_DOCUMENT_END}:
            return None
        raise PageError("parse_failed", str(error)) from None
    last = parser.error_log.last_error  # the limit ends the parse, so nothing is logged after it
    if last is not None and last.type == etree.ErrorTypes.ERR_RESOURCE_LIMIT:
        raise PageError("too_deep", "elements nested deeper than the parser takes")
    return root


def _ends_in_title(root: etree._Element) -> bool:
    """Returns whether the page's last element is a title with tags in it: it may contain the rest of the page."""
    head = root[-1] if len(root) else None
    title = head[-1] if head is not None and head.tag == "head" and len(head) else None
    return title is not None and title.tag == "title" and "<" in (title.text or "")


def _open_title(text: str) -> int | None:
    """Returns where the tag after a title without an end tag begins: the parser would read it to the page's end."""
    title = _TITLE.search(text)
    return title.end() if title and not _TITLE_END.search(text, title.end()) else None
