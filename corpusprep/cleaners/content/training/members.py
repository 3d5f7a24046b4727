"""Writes the paragraphs of a page as lists of members, as documentation does: a term, often linked, and what it is.

In these lists blocks are short and begin with a link, as teasers do, and they are main content.
"""

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from lxml import etree

from corpusprep.cleaners.content.training import page_trees
from corpusprep.cleaners.content.training.labels import words_of
from corpusprep.gold.pages import GoldPage

#: A gold text has at least that many words, and that many of its paragraphs are found in the page.
TEXT_WORDS, LEAST_PARAGRAPHS = 60, 3
#: A paragraph of the text has at least that many words, and that share of its sequences of three words are in the gold.
PARAGRAPH_WORDS, PARAGRAPH_GOLD = 10, 0.7
#: Fewest members that are made of a page, and most words of a term.
LEAST_MEMBERS, TERM_WORDS = 4, 3
#: Paragraphs of more characters are divided into sentences, each a member; on that share of the pages none is.
LONG_PARAGRAPH, UNDIVIDED = 60, 0.3
#: Shares of the pages whose terms are linked, are code, and whose lists have classes.
LINKED, CODE, NAMED = 0.75, 0.4, 0.5
#: Shares of the members of fewer than that many words that are terms alone; one is drawn for a page.
BARE, BARE_WORDS = (0.0, 0.1, 0.3), 12

#: Elements that hold paragraphs, and those that a paragraph does not hold.
_PARAGRAPHS = ("p", "li", "div")
_NOT_INSIDE = ("p", "li", "div", "ul", "table", "h1", "h2", "h3", "h4")
_SENTENCE_END = re.compile(r"(?<=[.!?。！？]) ?(?=[^ ])")


@dataclass(slots=True, frozen=True)
class _Form:
    """What all members of a page have in common.

    Attributes:
        box: the name of the list's element.
        item: names of the elements around a member, from the outer to the inner one; may be empty.
        term, text: names of the elements of its parts; empty: the text follows the term.
        linked, code: whether terms are links, and in <code>.
        names: classes of the list, of its items and of their texts; none: no classes.
    """

    box: str
    item: tuple[str, ...]
    term: str
    text: str
    linked: bool
    code: bool
    names: tuple[str, ...]

    @classmethod
    def drawn(cls, draw: random.Random) -> Self:
        box, item, term, text, code = draw.choice(
            [
                ("dl", (), "dt", "dd", False),
                ("table", ("tr",), "td", "td", False),
                ("table", ("tr", "td"), "span", "div", True),
                ("ul", ("li",), "b", "", False),
            ]
        )
        linked, in_code, named = draw.random() < LINKED, draw.random() < CODE, draw.random() < NAMED
        return cls(
            box=box,
            item=item,
            term=term,
            text=text,
            linked=linked,
            code=code or in_code,
            names=tuple(page_trees.drawn_name(draw) for _ in range(3)) if named else (),
        )


def with_members(page: GoldPage, draw: random.Random) -> str | None:
    """Returns the page with its paragraphs as members of lists; up to two paragraphs stay before them.

    None for a page that cannot be parsed, with a short gold text, or with few of its paragraphs.
    """
    root, body = page_trees.parsed(page.html)
    gold = words_of(next(iter(page.gold.values())))
    if root is None or body is None or len(gold) < TEXT_WORDS:
        return None
    paragraphs = _paragraphs(body, page_trees.triples(gold))
    if len(paragraphs) < LEAST_PARAGRAPHS:
        return None
    form, undivided, bare = _Form.drawn(draw), draw.random() < UNDIVIDED, draw.choice(BARE)
    last: etree._Element | None = None
    members = 0
    for paragraph in paragraphs[draw.randint(0, 2) :]:
        last = box = _replaced(paragraph, last, form)
        for words in _parts(page_trees.writable(str(paragraph.xpath("string()"))), undivided=undivided):
            size = max(1, min(draw.randint(1, TERM_WORDS), len(words) - 1))
            if draw.random() < bare and len(words) < BARE_WORDS:
                size = len(words)
            _add_member(box, form, words[:size], words[size:])
            members += 1
    return page_trees.written(root) if members >= LEAST_MEMBERS else None


def _paragraphs(body: etree._Element, known: set[tuple[str, ...]]) -> list[etree._Element]:
    """Returns the paragraphs of the gold text, whose sequences of three words are `known`."""
    paragraphs = []
    for element in body.iter(*_PARAGRAPHS):
        if next(element.iterdescendants(*_NOT_INSIDE), None) is not None:
            continue
        words = words_of(page_trees.text_of(element))
        if len(words) < PARAGRAPH_WORDS:
            continue
        if len(page_trees.triples(words) & known) >= PARAGRAPH_GOLD * (len(words) - 2):
            paragraphs.append(element)
    return paragraphs


def _replaced(paragraph: etree._Element, last: etree._Element | None, form: _Form) -> etree._Element:
    """Removes a paragraph; returns the list that its members belong to: `last`, if that stands right before it."""
    parent = paragraph.getparent()
    assert parent is not None
    if last is not None and paragraph.getprevious() is last:
        box = last
    else:
        box = etree.Element(form.box)
        _name(box, form, 0)
        parent.insert(parent.index(paragraph), box)
    if paragraph.tail and paragraph.tail.strip():
        box.tail = (box.tail or "") + page_trees.writable(paragraph.tail)
    parent.remove(paragraph)
    return box


def _parts(text: str, *, undivided: bool) -> list[list[str]]:
    """Returns the words of each member that a paragraph becomes."""
    text = " ".join(text.split())
    parts = [text] if undivided or len(text) <= LONG_PARAGRAPH else _SENTENCE_END.split(text)
    return [part.split() for part in parts if part.strip()]


def _add_member(box: etree._Element, form: _Form, term: Sequence[str], text: Sequence[str]) -> None:
    item = box
    for name in form.item:
        item = etree.SubElement(item, name)
    if form.item:
        _name(item, form, 1)
    first = inner = etree.SubElement(item, form.term)
    if form.code:
        inner = etree.SubElement(inner, "code")
    if form.linked:
        inner = etree.SubElement(inner, "a", href="#")
    inner.text = " ".join(term)
    if not text:
        return
    if form.text:
        element = etree.SubElement(item, form.text)
        _name(element, form, 2)
        element.text = " ".join(text)
    else:
        first.tail = " " + " ".join(text)


def _name(element: etree._Element, form: _Form, place: int) -> None:
    if form.names:
        element.set("class", form.names[place])
