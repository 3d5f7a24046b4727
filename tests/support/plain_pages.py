"""Pages as plain lists of tags and text, for oracles of the algorithms that use them."""

from dataclasses import dataclass, replace

from hypothesis import strategies as st
from lxml import etree
from support.plain_shown import shown

from corpusprep.pages import html
from corpusprep.pages.segmentation import Blocks, Segmenter

STOP_WORDS = ["the", "The", "of"]
REMOVED = {"annotation", "annotation-xml", "script", "style", "svg", "template"}
EMPTY = {"br", "img", "hr", "input"}
_PARTS = (
    "a bb ccc the of The dddd , <a> </a> <a> </a> <b> </b> <i> <br> <img> <p> </p> <div> </div> <li>"
    " <ul> </ul> <h2> </h2> <td> <table> </table> <script>s</script> <select> </select>"
).split()

#: Fragments of pages: words, glued or apart, among tags that may not fit together.
MARKUP = st.lists(st.sampled_from([*_PARTS, " ", " ", " ", "\n", "w " * 9, "w " * 21, "<p>"]), max_size=60).map("".join)


@dataclass(frozen=True)
class Event:
    """A start tag, an end tag or a text node that is not blank."""

    kind: str  # start, end, text
    name: str  # of the element
    text: str = ""
    linked: bool = False


def events(root: etree._Element | None) -> list[Event]:
    """A page in document order, without what removed elements contain."""
    if root is None:
        return []
    found: list[Event] = []

    def text(words: str | None, name: str, *, linked: bool) -> None:
        if found and found[-1].kind == "text":  # a removed element was between
            found[-1] = replace(found[-1], text=found[-1].text + (words or ""))
        elif words and not words.isspace():
            found.append(Event("text", name, words, linked))

    def walk(element: etree._Element, *, linked: bool) -> None:
        name = str(element.tag)
        if name in REMOVED:
            return
        linked = linked or name == "a"
        found.append(Event("start", name))
        text(element.text, name, linked=linked)
        for child in element:
            walk(child, linked=linked)
            text(child.tail, name, linked=linked)
        if name not in EMPTY:
            found.append(Event("end", name))

    walk(root, linked=False)
    return found


def page(markup: str) -> tuple[Blocks, etree._Element | None]:
    """The blocks of a page with their structure, and the tree of what it shows."""
    root = html.parse(f"<body>{markup}</body>")
    segmenter = Segmenter(STOP_WORDS, structure=True)
    segmenter.add(root)
    return segmenter.take(), shown(root)


def pages(markups: list[str]) -> Blocks:
    """The blocks of several pages together."""
    segmenter = Segmenter(STOP_WORDS, structure=True)
    for markup in markups:
        segmenter.add(html.parse(f"<body>{markup}</body>"))
    return segmenter.take()
