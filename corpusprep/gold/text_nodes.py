"""Finds the text nodes of a page, and the span of text that each belongs to (Pomikálek 2011, 2.9 and 2.9.1).

Blocks hold the text of the text nodes in order, with white space folded and some characters left out. So characters
are counted without these, and a node belongs to the block that holds its first character.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from lxml import etree
from numpy.typing import NDArray

#: Elements whose contents segmentation leaves out (corpusprep.pages.segmentation), everywhere and right inside <head>.
_REMOVED = {"annotation", "annotation-xml", "script", "style", "svg", "template"}
_METADATA = {"base", "basefont", "bgsound", "link", "meta", "noscript", "object", "title"}


@dataclass(slots=True, frozen=True)
class TextNode:
    """A text node that is not only white space.

    Attributes:
        text: its text with its white space.
        label: the annotating class of the innermost element around it that has one, "" without one.
        nested: whether it is in more than one annotating element.
        in_select: whether it is in a <select>, the choices of a form.
    """

    text: str
    label: str
    nested: bool
    in_select: bool

    @property
    def characters(self) -> int:
        """Its length with white space folded: its weight in the thesis."""
        return len(" ".join(self.text.split()))


def text_nodes(root: etree._Element | None, prefix: str) -> list[TextNode]:
    """Returns the text nodes of a page in document order, without those that segmentation leaves out.

    Args:
        root: the page's tree.
        prefix: the beginning of annotating classes. Elements of any name may have one, beside other classes.
    """
    nodes: list[TextNode] = []
    if root is None:
        return nodes
    labels, selects, removed = [""], 0, 0

    def add(text: str | None) -> None:
        if text and not removed and _kept(text):
            nodes.append(TextNode(text, labels[-1], len(labels) > 2, selects > 0))

    for event, node in etree.iterwalk(root, events=("start", "end")):
        label = _label(node, prefix)
        step = 1 if event == "start" else -1
        removed += step * _is_removed(node)
        selects += step * (node.tag == "select")
        if event == "start":
            if label:
                labels.append(label)
            add(node.text)
        else:
            if label:
                labels.pop()
            if node is not root:
                add(node.tail)
    return nodes


def _label(element: etree._Element, prefix: str) -> str:
    """Returns the first of an element's classes that begins with the prefix, "" without one."""
    names = element.get("class") or ""
    return next((name for name in names.split() if name.startswith(prefix)), "") if prefix in names else ""


def _is_removed(element: etree._Element) -> bool:
    """Returns whether an element's contents do not belong to the text of the page."""
    parent = element.getparent()
    in_head = parent is not None and parent.tag == "head"
    if element.tag == "template" and element.get("shadowrootmode") in {"open", "closed"}:
        return False
    return element.tag in _REMOVED or (in_head and element.tag in _METADATA)


def spans_of_nodes(nodes: list[TextNode], text: bytes, bounds: Sequence[int]) -> NDArray[np.int64] | None:
    """Returns the span of text, such as a block, that each node belongs to.

    Args:
        nodes: of one page.
        text: Blocks.text.
        bounds: where the page's n spans begin in it, and where the last ends: n + 1 numbers.

    Returns:
        Shape (nodes,): numbers of spans from 0; None if spans and nodes hold different characters.
    """
    sizes = [len(_kept(text[start:end].decode())) for start, end in itertools.pairwise(bounds)]
    ends = np.cumsum(sizes, dtype=np.int64)
    starts = np.cumsum([0, *(len(_kept(node.text)) for node in nodes)], dtype=np.int64)
    if sum(sizes) != int(starts[-1]):
        return None
    return np.searchsorted(ends, starts[:-1], side="right").astype(np.int64)


def _kept(text: str) -> str:
    """Returns the text without white space and without characters that segmentation leaves out."""
    text = "".join(text.split())
    return text if text.isascii() and text.isprintable() else "".join(filter(_is_kept, text))


def _is_kept(character: str) -> bool:
    # The control characters (category Cc) are the same in each version of Unicode.
    is_control = character < " " or "\x7f" <= character <= "\x9f"
    return not is_control and character not in "\u00ad\ufeff\ufffe\uffff"
