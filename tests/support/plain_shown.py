"""What a page shows, in plain Python: the oracle of native/pages/shown_elements.hpp and of the walk.

A tree becomes one that says by its text alone what is shown. Text that is not shown is gone from it, and spaces stand
where boxes in a line separate words. So the other oracles know nothing of hidden text.
"""

import re
from collections.abc import Iterator
from copy import deepcopy

from lxml import etree
from support.plain_segmentation import METADATA, REMOVED, PlainSegmentation

from corpusprep.pages.segmentation import TAGS

APART = set("applet audio button canvas embed iframe img input keygen meter object progress svg video xmp".split())
LITERAL = {"iframe", "noembed", "noframes", "textarea", "xmp"}
FALLBACK = {
    "applet",
    "audio",
    "canvas",
    "datalist",
    "iframe",
    "noembed",
    "noframes",
    "object",
    "textarea",
    "video",
    "title",
}
#: White space of markup. An element hides what it has from its first other character on.
SPACE = " \t\n\f\r"
#: Attribute that keeps the text of a <title> that is gone: it still is the title of the page.
TITLE = "x-title"
HEADINGS = {"h1", "h2", "h3", "h4", "h5", "h6"}
HIDING_CLASSES = set(
    "hidden hide d-none is-hidden invisible sr-only visuallyhidden visually-hidden screen-reader-text".split()
)
EDIT_CLASSES = {"mw-editsection", "mw-editsection-like", "editsection"}


def why_unseen(element: etree._Element) -> str | None:
    """Says why an element by itself is not shown; None if it is."""
    tag = str(element.tag)
    if tag in LITERAL and re.search("<[A-Za-z/]", element.text or ""):
        return "markup"
    if tag in FALLBACK:
        return "hidden"
    if tag == "noscript":
        return "noscript"
    if tag in {"rt", "rp"}:
        return "reading"
    if tag == "a" and any(one.tag in HEADINGS for one in element.iterancestors()) and _is_sign(element):
        return "sign"
    declarations = [one.partition(":") for one in element.get("style", "").lower().split(";")]
    style = {name.strip(): value.strip() for name, _, value in declarations}
    if (
        element.get("hidden") is not None
        or style.get("display", "").startswith("none")
        or style.get("visibility", "").startswith("hidden")
        or _hidden_by_class(element, tag)
    ):
        return "hidden"
    return "sign" if element.get("aria-hidden") == "true" else None


def _is_sign(element: etree._Element) -> bool:
    text = element.text or ""
    return bool(text) and not len(element) and len(text.encode()) <= 16 and not _has_letter(text)


def _has_letter(text: str) -> bool:
    return any(c.isalpha() or c.isnumeric() for c in text)


def _hidden_by_class(element: etree._Element, tag: str) -> bool:
    if element.getparent() is None or tag in {"body", "a"}:
        return False
    words = {word for word in re.split("[ \t\n\f\r]+", element.get("class", "")) if word}
    if words & EDIT_CLASSES:
        return True
    if tag not in {*TAGS[1:], "head"}:
        return False
    if words & {"collapsed", "mw-collapsed"} and tag not in HEADINGS:
        return True
    shown = any(":" in word or word.startswith("d-") for word in words - HIDING_CLASSES)
    return bool(words & HIDING_CLASSES) and not shown


def shown(root: etree._Element | None) -> etree._Element | None:
    """Returns a copy of a page's tree without the text that it does not show."""
    return None if root is None else Shown(root).tree


class Shown:
    """What a page shows.

    Attributes:
        tree: a copy, without the text that is not shown.
        later: whether scripts show what is hidden: more than the page shows without them.
    """

    def __init__(self, root: etree._Element) -> None:
        self.later = False
        root = deepcopy(root)
        for fragment in list(root.iter("template")):
            if fragment.get("shadowrootmode") in {"open", "closed"}:
                fragment.tag = "x-shadow"
        hidden = list(_outermost(root))
        whys = [(element, why) for element, why in hidden]
        self.tree = _without(root, {one for one, _ in whys})
        text = "".join(block[0] for block in PlainSegmentation(self.tree).blocks)
        size = len(text.encode())
        unseen = sum(_running(element) for element, why in whys if why in {"hidden", "sign"})
        self.later = unseen > _running_in(PlainSegmentation(self.tree).blocks)
        off = size < 300 and sum(_said(element) for element, why in whys if why == "noscript") > size
        if self.later or off:
            skipped = {"noscript"} if off else set()
            kept = {"markup", "reading"} if self.later else {"markup", "reading", "hidden", "sign", "noscript"}
            again = list(_outermost(root, skipped))
            self.tree = _without(root, {one for one, why in again if why in kept - skipped})


def _outermost(element: etree._Element, skipped: set[str] = frozenset()) -> Iterator[tuple[etree._Element, str]]:  # type: ignore[assignment]
    parent = element.getparent()
    in_head = parent is not None and parent.tag == "head" and element.tag in METADATA
    if str(element.tag) in REMOVED or in_head:
        return
    why = why_unseen(element)
    if why is not None and why not in skipped:
        yield element, why
        return
    for child in element:
        yield from _outermost(child, skipped)


def _alone(element: etree._Element) -> etree._Element:
    copy = deepcopy(element)
    copy.tail = None
    for inner in copy.iter():
        if inner.tag not in REMOVED:
            _set_apart(inner)
    return copy


def _running(element: etree._Element) -> int:
    return _running_in(PlainSegmentation(_alone(element)).blocks)


def _running_in(blocks: list[tuple[str, str, int, int, int, int]]) -> int:
    """Bytes of long blocks with few links."""
    sizes = [(len(text.encode()), words, links) for text, _, words, links, _, _ in blocks]
    return sum(size for size, words, links in sizes if size >= 100 and 5 * links < 2 * words)


def _said(element: etree._Element) -> int:
    texts = [block[0] for block in PlainSegmentation(_alone(element)).blocks]
    return sum(len(one.encode()) for one in texts if len(one.encode()) > 400 or "javascript" not in one.lower())


def _without(root: etree._Element, hidden: set[etree._Element]) -> etree._Element:
    """Returns a copy of a tree without text in some elements, and with spaces around boxes."""
    numbers = {element: number for number, element in enumerate(root.iter())}
    gone = {numbers[element] for element in hidden}
    why = {numbers[element]: why_unseen(element) for element in hidden}
    copy = deepcopy(root)
    for number, element in enumerate(list(copy.iter())):
        if number in gone:
            text = "".join(text for _, _, text in _walked(element))
            if not text.strip(SPACE):
                _set_apart(element)
                continue
            if why[number] == "sign" and not _has_letter(text):
                element.tail = " " + _safe(element.tail)
            for inner in element.iter("title"):
                if inner.text:
                    inner.set(TITLE, inner.text)
            said = False
            for inner, name, walked in list(_walked(element)):
                said = said or bool(walked.strip(SPACE))
                if said:
                    setattr(inner, name, None)
        _set_apart(element)
    return copy


def _set_apart(element: etree._Element) -> None:
    if element.tag not in APART:
        return
    _space_before(element)
    if element.tag not in REMOVED:
        element.text = " " + _safe(element.text)
    element.tail = " " + _safe(element.tail)


def _walked(element: etree._Element) -> Iterator[tuple[etree._Element, str, str]]:
    """Yields the texts inside an element that may be text of a page: where each is, and the text."""
    yield element, "text", element.text or ""
    for child in element:
        if str(child.tag) not in REMOVED and not (element.tag == "head" and child.tag in METADATA):
            yield from _walked(child)
        yield child, "tail", child.tail or ""


def _space_before(element: etree._Element) -> None:
    before, parent = element.getprevious(), element.getparent()
    if before is not None:
        before.tail = _safe(before.tail) + " "
    elif parent is not None:
        parent.text = _safe(parent.text) + " "


def _safe(text: str | None) -> str:
    """Text as lxml takes it: without control characters, which are no text of blocks, either."""
    return "".join(" " if c.isspace() else c for c in text or "" if c.isspace() or c >= " ")
