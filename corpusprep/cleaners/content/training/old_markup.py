"""Writes a page as in the nineties: tables and line breaks in place of sections and paragraphs, no classes, no scripts.

Gold sets have few such pages, and crawls still find them.
"""

import random
from collections.abc import Callable

from lxml import etree

from corpusprep._native import pages as native
from corpusprep.cleaners.content.training import page_trees

#: Elements that are left out with all that they contain.
LEFT_OUT = (
    "script", "style", "noscript", "svg", "template", "iframe", "video", "audio", "source", "link", "meta",
)  # fmt: skip
#: Elements that became a section, and parts of a line.
SECTIONS = frozenset(
    "article aside details dialog figcaption figure footer header hgroup main nav picture section".split()
)
INLINE = {"strong": "b", "em": "i", "time": "font", "mark": "font", "summary": "font"}
HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
#: Attributes that stay.
ATTRIBUTES = frozenset("href src alt name width height border title http-equiv type value colspan rowspan".split())
#: Shares of the sections that become tables, and that leave a line break alone; one pair is drawn for a page.
LAYOUTS = ((0.5, 0.2), (0.2, 0.5), (0.7, 0.0), (0.0, 0.7), (0.3, 0.3))

_UNWRAPPED, _HIDDEN = "unwrapped", "left-out"


def in_old_markup(html: str, draw: random.Random) -> str | None:
    """Returns a page in old markup; None for a page that cannot be parsed or has no body.

    What style sheets hide is left out. How paragraphs, headings, lists and sections are written is drawn for the page.
    """
    root, body = page_trees.parsed(html)
    if root is None or body is None:
        return None
    etree.strip_elements(root, *LEFT_OUT, with_tail=False)
    for element in body.iterdescendants(etree.Element):
        if _is_hidden(element):
            element.tag = _HIDDEN
    etree.strip_elements(body, _HIDDEN, with_tail=False)
    rewrite = _rewriter(draw)
    for element in list(body.iterdescendants(etree.Element)):
        for name in set(map(str, element.attrib)) - ATTRIBUTES:
            del element.attrib[name]
        rewrite(element)
    etree.strip_tags(body, _UNWRAPPED)
    return page_trees.written(root)


def _is_hidden(element: etree._Element) -> bool:
    style = element.get("style", "").replace(" ", "").lower()
    return (
        "hidden" in element.attrib
        or "display:none" in style
        or not native.UNSHOWN_CLASSES.isdisjoint(element.get("class", "").split())
    )


def _rewriter(draw: random.Random) -> Callable[[etree._Element], None]:
    """Draws the style of a page, and returns what writes an element in it."""
    breaks = draw.random() < 0.4
    heading = draw.choice(["kept", "bold", "bold", "bold paragraph"])
    items = draw.choice(["kept", "lines", "bars", "cells"])
    tables, lines = draw.choice(LAYOUTS)

    def rewrite(element: etree._Element) -> None:
        tag = str(element.tag)
        if tag == "p" and breaks:
            _unwrap(element, breaks=2)
        elif tag in HEADINGS and heading == "bold":
            element.tag = "b"
            etree.SubElement(element, "br")
        elif tag in HEADINGS and heading == "bold paragraph":
            element.tag = "p"
            _fill(element, "b")
        elif tag in {"ul", "ol"} and items != "kept":
            _write_list(element, items)
        elif tag == "div" or tag in SECTIONS:
            element.tag = "div"
            drawn = draw.random()
            if drawn < tables:
                element.tag = "table"
                _fill(_fill(element, "tr"), "td")
            elif drawn < tables + lines:
                _unwrap(element, breaks=1)
        elif tag == "span":
            element.tag = draw.choice(["font", _UNWRAPPED])
        elif tag in INLINE:
            element.tag = INLINE[tag]

    return rewrite


def _write_list(element: etree._Element, form: str) -> None:
    """Writes a list as lines; one of links with bars between them or as the cells of a table, if that is the form."""
    linked = sum(len(page_trees.text_of(link).split()) for link in element.iter("a"))
    is_menu = 2 * linked > len(page_trees.text_of(element).split())
    for item in element.iterchildren("li"):
        if is_menu and form == "cells":
            item.tag = "td"
        elif is_menu and form == "bars":
            item.text = f" | {item.text or ''}"
            _unwrap(item)
        else:
            line = etree.Element("br")
            line.tail, item.text = f"- {item.text or ''}", None
            item.insert(0, line)
            _unwrap(item)
    if is_menu and form == "cells":
        element.tag = "table"
        _fill(element, "tr")
    else:
        _unwrap(element, breaks=1)


def _unwrap(element: etree._Element, breaks: int = 0) -> None:
    """Has an element replaced by its content and line breaks, in the end."""
    for _ in range(breaks):
        etree.SubElement(element, "br")
    element.tag = _UNWRAPPED


def _fill(element: etree._Element, tag: str) -> etree._Element:
    """Puts the content of an element into a new one, which becomes its only child."""
    inner = etree.Element(tag)
    inner.text, element.text = element.text, None
    inner.extend(list(element))
    element.append(inner)
    return inner
