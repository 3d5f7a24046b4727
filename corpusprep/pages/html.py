"""Parses HTML text into a tree, by libxml2's HTML parser through lxml."""

import re
import threading

from lxml import etree

from corpusprep._native.markup import costly_markup, joined_markup, lean_markup, plain_markup
from corpusprep.errors import CorpusprepError
from corpusprep.pages.streamed import put_together

_TITLE = re.compile(r"<title\b", re.IGNORECASE)
_TITLE_END = re.compile("</title", re.IGNORECASE)


class PageError(CorpusprepError):
    """A page that the parser cannot take; `verdict` is one of verdicts.PAGE_REASONS."""

    def __init__(self, verdict: str, message: str) -> None:
        super().__init__(message)
        self.verdict = verdict


def parse(text: str | bytes, *, lean: bool = True) -> etree._Element | None:
    """Returns the root element of a page, without comments and processing instructions; None for an empty page.

    What follows </body> or </html> stands where browsers put it, and so do parts that the server sent later. If
    `lean`, the tree has only those attributes and scripts that kernels read: the others are left out before the parse,
    which is then quicker (native/pages/lean_markup.cpp).

    The encoding that the page declares is ignored: `text` has been decoded, or is valid UTF-8. A <title> without an end
    tag ends at the next tag. Time is linear in the length of the text: a page whose markup could take longer, or that
    is nested deeper than 256 elements, is parsed from plainer markup with the same text (native/pages/markup.hpp).
    There, elements deeper than 2,000 are siblings.

    Raises:
        PageError: the parser gave up.
    """
    root = _parse(text, lean)
    if root is None or not _ends_in_title(root):
        return root
    text = text if isinstance(text, str) else text.decode()
    title = _open_title(text)
    return root if title is None else _parse(f"{text[:title]}</title>{text[title:]}", lean)


class _Parsers(threading.local):
    """Two parsers per thread, for all its pages: making a parser takes as long as parsing a small page."""

    def __init__(self) -> None:
        self.usual = _parser(huge=False)  # refuses more than 256 nested elements, in every version of libxml2
        self.huge = _parser(huge=True)


def _parser(*, huge: bool) -> etree.HTMLParser:
    # Elements are never looked up by their ids: they need not be collected.
    return etree.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, collect_ids=False, huge_tree=huge)


_parsers = _Parsers()


def _parse(text: str | bytes, lean: bool) -> etree._Element | None:
    page = put_together(text if isinstance(text, bytes) else text.encode("utf-8", "replace"))
    page = lean_markup(page) if lean else joined_markup(page)
    if not costly_markup(page):
        root, refused = _tree(page, _parsers.usual)
        if refused is None:
            return root
    root, refused = _tree(plain_markup(page), _parsers.huge)
    if refused is not None:
        raise PageError("parse_failed", refused)
    return root


def _tree(page: bytes, parser: etree.HTMLParser) -> tuple[etree._Element | None, str | None]:
    """Returns the root element, and the message of the parser if it gave up."""
    try:
        root: etree._Element | None = etree.fromstring(page, parser)
    except etree.XMLSyntaxError as error:
        last = parser.error_log.last_error
        empty = last is None or last.type in {etree.ErrorTypes.ERR_DOCUMENT_EMPTY, etree.ErrorTypes.ERR_DOCUMENT_END}
        return None, None if empty else str(error)
    if root is not None:
        for other in list(root.itersiblings()):
            root.append(other)  # the parser takes <html/> for a whole page, and what follows for another
    last = parser.error_log.last_error  # a fatal error ends the parse, so nothing is logged after it
    return root, last.message if last is not None and last.level == etree.ErrorLevels.FATAL else None


def _ends_in_title(root: etree._Element) -> bool:
    """Returns whether the page's last element is a title with tags in it: it may contain the rest of the page."""
    head = root[-1] if len(root) else None
    title = head[-1] if head is not None and head.tag == "head" and len(head) else None
    return title is not None and title.tag == "title" and "<" in (title.text or "")


def _open_title(text: str) -> int | None:
    """Returns where the tag after a title without an end tag begins: the parser would read it to the page's end."""
    title = _TITLE.search(text)
    end = text.find(">", title.end()) if title else -1
    if end < 0 or _TITLE_END.search(text, end):
        return None
    tag = text.find("<", end)
    return tag if tag >= 0 else len(text)
