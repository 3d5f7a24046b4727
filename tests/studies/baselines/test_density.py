"""Baisa's density method against algorithm 1 as printed, over the tree."""

import itertools

from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from support.plain_pages import MARKUP, REMOVED, page, pages

from corpusprep.pages.segmentation import TAGS
from studies.baselines.density import Density
from studies.baselines.pieces import page_pieces


def children(node: etree._Element) -> list[etree._Element]:
    """The element children that are part of the page."""
    return [child for child in node if child.tag not in REMOVED]


def strings(node: etree._Element) -> list[str]:
    """The subtree's runs of text that no tag interrupts."""
    found, run = [], node.text or ""
    for child in node:
        if child.tag not in REMOVED:
            found += [run, *strings(child)]
            run = ""
        run += child.tail or ""
    return [" ".join(text.split()) for text in [*found, run] if text.strip()]


def chars(node: etree._Element) -> int:
    """Characters of the subtree."""
    return sum(map(len, strings(node)))


def density(node: etree._Element) -> float:
    """Characters over structural elements."""
    inside = [node] + [inner for child in children(node) for inner in child.iter()]
    return chars(node) / max(1, sum(inner.tag in (*TAGS[1:], "br") for inner in inside))


def target_node(node: etree._Element) -> etree._Element:
    """Algorithm 1."""
    inside = children(node)
    if inside:
        child = max(inside, key=density)
        if chars(child) > 0.5 * chars(node):
            return target_node(child)
    return node


@given(MARKUP)
def test_the_target_node_is_kept(markup: str) -> None:
    """The pieces that are kept are the target node's text nodes."""
    blocks, root = page(markup)
    assert blocks.structure is not None
    good = Density().classify_pieces(blocks)
    kept = [text for text, wanted in zip(blocks.structure.texts(blocks.text), good, strict=True) if wanted]
    assert kept == (strings(target_node(root)) if root is not None else [])


@given(st.lists(MARKUP, max_size=4))
def test_pages_do_not_see_each_other(markups: list[str]) -> None:
    """Several pages at once are classified as each alone."""
    together = pages(markups)
    bounds = page_pieces(together).tolist()
    good = Density().classify_pieces(together).tolist()
    alone = [Density().classify_pieces(page(markup)[0]).tolist() for markup in markups]
    assert [good[a:b] for a, b in itertools.pairwise(bounds)] == alone
