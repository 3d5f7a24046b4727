"""Puts teasers of other articles around an article: linked headlines, each with the first words of a text.

Short articles among many teasers are where a model of long articles goes wrong first: the teasers are most of the
page's running text.
"""

import random
from collections.abc import Sequence

from lxml import etree

from corpusprep.research.training import page_trees

#: Fewest and most teasers of a box, and words of a teaser.
TEASERS, TEASER_WORDS = (4, 30), (12, 45)
#: That many paragraphs remain of an article that is cut short.
PARAGRAPHS_LEFT = (1, 4)

_SYLLABLES = "ba ce di fo gu ka le mi no pu ra se ti vo xa".split()


def with_teasers(html: str, texts: Sequence[list[str]], draw: random.Random) -> str | None:
    """Returns the page with teasers in one or two places; None for a page that cannot be parsed or has no body."""
    root, body = page_trees.parsed(html)
    if root is None or body is None or not len(body):
        return None
    found = page_trees.paragraphs(body)
    main = page_trees.container(found, body)
    if draw.random() < 0.5:
        for paragraph in found[draw.randint(*PARAGRAPHS_LEFT) :]:
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
    """Returns a box of teasers: each a linked headline and the first words of an article, all of one form."""
    form = draw.randrange(5)
    named = draw.random() < 0.6
    box = etree.Element(draw.choice(["div", "div", "section", "ul", "td", "aside"]))
    if named:
        box.set("class", _name(draw))
    names = [_name(draw) for _ in range(3)]
    for _ in range(draw.randint(*TEASERS)):
        words = draw.choice(texts)
        start = draw.randint(6, 12)
        headline = " ".join(words[:start])
        text = " ".join(words[start : start + draw.randint(*TEASER_WORDS)]) + draw.choice(["", "…", " ..."])
        item = etree.SubElement(box, "li" if box.tag == "ul" else "div")
        if named:
            item.set("class", names[0])
        link = etree.SubElement(etree.SubElement(item, draw.choice(["h3", "h4"]) if form < 2 else "div"), "a", href="/")
        link.text = headline
        if form == 4:  # all of it is a link
            etree.SubElement(etree.SubElement(item, "p"), "a", href="/").text = text
        else:
            paragraph = etree.SubElement(item, "p" if form in {0, 2} else "div")
            paragraph.text = text
            if named:
                paragraph.set("class", names[1])
            if form == 3:
                more = etree.SubElement(paragraph, "a", href="/")
                more.text = " ".join(words[:2])
    return box


def _name(draw: random.Random) -> str:
    """Returns a name without a meaning: the place and the features of a teaser, not its name, shall tell."""
    return "".join(draw.choice(_SYLLABLES) for _ in range(3))
