"""The tree of a page from which another is made: its words, and the element that holds its text."""

from collections.abc import Sequence

from lxml import etree

from corpusprep.pages import html as html_parser

#: A paragraph of running text has at least that many words.
PARAGRAPH_WORDS = 12


def parsed(html: str) -> tuple[etree._Element | None, etree._Element | None]:
    """Returns the root and the body of a page; None for a page that cannot be parsed or has no body."""
    try:
        root = html_parser.parse(html, lean=False)
    except html_parser.PageError:
        return None, None
    return root, root.find("body") if root is not None else None


def written(root: etree._Element) -> str:
    """Returns a page as HTML."""
    return etree.tostring(root, encoding="unicode", method="html")


def text_of(element: etree._Element) -> str:
    """Returns the text of an element and of all that it contains."""
    return "".join(map(str, element.itertext()))


def triples(words: Sequence[str]) -> set[tuple[str, ...]]:
    """Returns the sequences of three words."""
    return set(zip(words, words[1:], words[2:], strict=False))


def paragraphs(body: etree._Element) -> list[etree._Element]:
    """Returns the paragraphs of running text."""
    return [one for one in body.iter("p") if len(text_of(one).split()) >= PARAGRAPH_WORDS]


def container(found: Sequence[etree._Element], body: etree._Element) -> etree._Element:
    """Returns the parent of most of the paragraphs that were found."""
    counts: dict[etree._Element, int] = {}
    for paragraph in found:
        parent = paragraph.getparent()
        if parent is not None:
            counts[parent] = counts.get(parent, 0) + 1
    return max(counts, key=lambda one: counts[one]) if counts else body
