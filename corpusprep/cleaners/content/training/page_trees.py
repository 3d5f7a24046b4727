"""The tree of a page from which another is made: its words, and the element that holds its text."""

import random
import re
from collections.abc import Sequence

from lxml import etree

from corpusprep.pages import html as html_parser

#: A paragraph of running text has at least that many words.
PARAGRAPH_WORDS = 12

#: Characters that no XML text may have.
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

_SYLLABLES = "ba ce di fo gu ka le mi no pu ra se ti vo xa".split()


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


def writable(text: str) -> str:
    """Returns a text with spaces for the characters that an element cannot be given."""
    return _NOT_XML.sub(" ", text)


def triples(words: Sequence[str]) -> set[tuple[str, ...]]:
    """Returns the sequences of three words."""
    return set(zip(words, words[1:], words[2:], strict=False))


def paragraphs(body: etree._Element) -> list[etree._Element]:
    """Returns the paragraphs of running text."""
    return [element for element in body.iter("p") if len(text_of(element).split()) >= PARAGRAPH_WORDS]


def container(elements: Sequence[etree._Element], body: etree._Element) -> etree._Element:
    """Returns the parent of most of the paragraphs that were found."""
    counts: dict[etree._Element, int] = {}
    for paragraph in elements:
        parent = paragraph.getparent()
        if parent is not None:
            counts[parent] = counts.get(parent, 0) + 1
    return max(counts, key=lambda element: counts[element]) if counts else body


def drawn_name(draw: random.Random) -> str:
    """Returns a name without a meaning: the place and the features of a made element, not its name, shall tell."""
    return "".join(draw.choice(_SYLLABLES) for _ in range(3))
