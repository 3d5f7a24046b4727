"""Puts teasers of other articles around an article: linked headlines, each with the first words of a text.

Short articles among many teasers are where a model of long articles goes wrong first: the teasers are most of the
page's running text.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from lxml import etree

from corpusprep.cleaners.content.training import page_trees

#: Fewest and most teasers of a box, and words of a teaser.
TEASERS, TEASER_WORDS = (4, 30), (12, 45)
#: That share of the teasers are whole sentences, if some have no more than that many words.
WHOLE_SENTENCES, MOST_WORDS = 0.3, 60
#: That share of the articles are cut short; that many of their paragraphs remain.
CUT_SHORT, PARAGRAPHS_LEFT = 0.5, (1, 4)


def with_teasers(html: str, texts: Sequence[list[str]], draw: random.Random) -> str | None:
    """Returns the page with teasers in one or two places; None for a page that cannot be parsed or has no body."""
    root, body = page_trees.parsed(html)
    if root is None or body is None or not len(body):
        return None
    paragraphs = page_trees.paragraphs(body)
    main = page_trees.container(paragraphs, body)
    if draw.random() < CUT_SHORT:
        for paragraph in paragraphs[draw.randint(*PARAGRAPHS_LEFT) :]:
            parent = paragraph.getparent()
            if parent is not None and main in paragraph.iterancestors():
                parent.remove(paragraph)
    for _ in range(draw.randint(1, 2)):
        # Beside the article, or beside an element around it: at most three levels up.
        place = main
        for _ in range(draw.randint(0, 3)):
            around = place.getparent()
            if around is None or around is body or place is body:
                break
            place = around
        box = _teasers(texts, draw)
        parent = place.getparent()
        if place is body or parent is None:
            body.insert(0 if draw.random() < 0.4 else len(body), box)
        else:
            parent.insert(parent.index(place) + (draw.random() < 0.6), box)
    return page_trees.written(root)


def _teasers(texts: Sequence[list[str]], draw: random.Random) -> etree._Element:
    """Returns a box of teasers of one form: headlines, the first words or sentences of articles."""
    form = _Form.drawn(draw)
    box = etree.Element(form.box)
    if form.names:
        box.set("class", form.names[0])
    for number in range(draw.randint(*TEASERS)):
        words = draw.choice(texts)
        if form.section and number % form.section == 0:
            etree.SubElement(box, form.label).text = draw.choice(words).capitalize()
        item = outer = etree.SubElement(box, form.item)
        if form.names:
            outer.set("class", form.names[1])
        for _ in range(form.levels):
            item = etree.SubElement(item, "div")
        start = draw.randrange(max(1, len(words) - 12))
        _fill(etree.SubElement(item, form.headline), words[start : start + draw.randint(4, 12)], linked=True)
        _fill(_text_element(item, form), opening(words, draw), linked=form.linked)
        if form.more:
            etree.SubElement(item, "a", href="/").text = " ".join(words[:2])
    return box


@dataclass(slots=True, frozen=True)
class _Form:
    """What all teasers of a box have in common.

    Attributes:
        box, item, headline, text, label: names of elements; of the text, one in another.
        levels: elements between the item and its parts.
        linked: whether all of the text is a link.
        more: whether a link follows.
        section: a label stands before each group of so many teasers; 0: none. Only a div has labels.
        names: classes of the box, the item and the text; none: no classes.
    """

    box: str
    item: str
    headline: str
    text: str
    label: str
    levels: int
    linked: bool
    more: bool
    section: int
    names: tuple[str, ...]

    @classmethod
    def drawn(cls, draw: random.Random) -> Self:
        box = draw.choice(["div", "div", "section", "ul", "td", "aside"])
        return cls(
            box=box,
            item="li" if box == "ul" else "div",
            headline=draw.choice(["h2", "h3", "h4", "div", "div", "p"]),
            text=draw.choice(["p", "p", "div", "p span"]),
            label=draw.choice(["h2", "h3", "div"]),
            levels=draw.choice([0, 0, 1, 2]),
            linked=draw.random() < 0.15,
            more=draw.random() < 0.15,
            section=draw.choice([0, 0, 3, 5]) * (box == "div"),  # drawn for all boxes: models depend on the draws
            names=tuple(page_trees.drawn_name(draw) for _ in range(3)) if draw.random() < 0.6 else (),
        )


def _text_element(item: etree._Element, form: _Form) -> etree._Element:
    element = item
    for name in form.text.split():
        element = etree.SubElement(element, name)
    if form.names:
        element.set("class", form.names[2])
    return element


def _fill(element: etree._Element, words: Sequence[str], *, linked: bool) -> None:
    """Sets the text of an element, or of a link in it."""
    holder = etree.SubElement(element, "a", href="/") if linked else element
    holder.text = " ".join(words)


def opening(words: list[str], draw: random.Random) -> list[str]:
    """Returns the first words of an article, or one or more of its sentences, as editors write teasers."""
    length = draw.randint(*TEASER_WORDS)
    ends = [place + 1 for place, word in enumerate(words) if word.rstrip("\"'»”’)")[-1:] in {".", "!", "?", "…"}]
    if draw.random() < WHOLE_SENTENCES and ends:
        start = draw.choice([0, *[end for end in ends if end + TEASER_WORDS[0] <= len(words)]])
        after = [end for end in ends if TEASER_WORDS[0] <= end - start <= MOST_WORDS]
        if after:
            return words[start : min(after, key=lambda end: abs(end - start - length))]
    cut = words[:length]
    return [*cut[:-1], cut[-1] + draw.choice(["", "…", "...", " ..."])]
