"""HTML text to a tree, by libxml2's HTML5-like parser as lxml has it."""

from lxml import etree

from corpusprep.errors import CorpusprepError


class PageError(CorpusprepError):
    """A page that the parser cannot take; `verdict` is one of verdicts.PAGE_REASONS."""

    def __init__(self, verdict: str, message: str) -> None:
        super().__init__(message)
        self.verdict = verdict


def parse(text: str) -> etree._Element | None:
    """The root element of a page, without comments and processing instructions; None if there is nothing in it.

    The encoding that the page declares is of no consequence: `text` has been decoded.

    Raises:
        PageError: elements are nested deeper than libxml2 takes (2,048), so that it left the rest
            of the page out; or the parser gave up.
    """
    parser = etree.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, huge_tree=True)
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
