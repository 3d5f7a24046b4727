"""Makes more training pages: articles with teasers of other articles around them, cut short, or without their text.

Short articles among many teasers are where a model of long articles goes wrong first: the teasers are most of the
page's running text. A page without its article shows what is no main content even where nothing else is there.
"""

import dataclasses
import random
import re
from collections.abc import Sequence

from lxml import etree

from corpusprep.pages import html as html_parser
from corpusprep.research.evaluation.gold import GoldPage, GoldSet

#: Share of the articles of a set that are used once more; half of them are cut short.
SHARE = 0.7
#: Share of the articles that are used once more without their text, if that many words are left on the page, and at
#: most that share of the gold text's sequences of three words.
SHARE_WITHOUT, LEFT_WORDS, LEFT_GOLD = 0.15, 50, 0.1
#: Kinds of pages that are used; the empty one stands for sets that do not say.
KINDS = ("article", "")
#: Fewest and most teasers of a page, and words of a teaser.
TEASERS, TEASER_WORDS = (4, 30), (12, 45)
#: A paragraph has at least that many words; that many remain of an article that is cut short.
PARAGRAPH_WORDS, PARAGRAPHS_LEFT = 12, (1, 4)

#: Characters that no XML text may have.
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_SYLLABLES = "ba ce di fo gu ka le mi no pu ra se ti vo xa".split()


def made_pages(gold_set: GoldSet) -> list[GoldPage]:
    """Returns the pages made from a set, each with the site of the page that it is made from.

    They have its gold texts, too; those without their text have none.
    """
    sources = [page for page in gold_set.pages if _whole(page) and page.kind in KINDS]
    texts: dict[str, list[list[str]]] = {}
    for page in sources:
        words = _NOT_XML.sub(" ", next(iter(page.gold.values()))).split()
        if len(words) > TEASER_WORDS[1] + 10:
            texts.setdefault(page.language, []).append(words)
    made = []
    for page in sources:
        draw = random.Random(f"{gold_set.name} {page.name}")
        others = texts.get(page.language, [])
        if draw.random() >= SHARE or len(others) < TEASERS[0]:
            continue
        html = _with_teasers(page.html, others, draw)
        if html is not None:
            made.append(dataclasses.replace(page, name=f"{page.name} with teasers", html=html, nodes=None))
    for page in sources:
        if random.Random(f"{gold_set.name} {page.name} without").random() < SHARE_WITHOUT:
            html = _without_text(page)
            if html is not None:
                made.append(
                    dataclasses.replace(page, name=f"{page.name} without text", html=html, gold={"": ""}, nodes=None)
                )
    return made


def _whole(page: GoldPage) -> bool:
    """Returns whether the gold text of a page is known as a whole, and may be trained on."""
    return bool(page.gold) and page.labels is None and not page.overlap


def _with_teasers(html: str, texts: Sequence[list[str]], draw: random.Random) -> str | None:
    """Returns the page with teasers in one or two places; None for a page that cannot be parsed or has no body."""
    root, body = _parsed(html)
    if root is None or body is None or not len(body):
        return None
    paragraphs = _paragraphs(body)
    main = _container(paragraphs, body)
    if draw.random() < 0.5:
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
    return etree.tostring(root, encoding="unicode", method="html")


def _without_text(page: GoldPage) -> str | None:
    """Returns the page without the container of its paragraphs; None if too little is left, or too much of its text."""
    root, body = _parsed(page.html)
    if root is None or body is None:
        return None
    main = _container(_paragraphs(body), body)
    parent = main.getparent()
    if main is body or parent is None:
        return None
    parent.remove(main)
    left = _words(body)
    gold = _triples(next(iter(page.gold.values())).lower().split())
    if (
        not gold
        or len(left) < LEFT_WORDS
        or len(gold & _triples([word.lower() for word in left])) > LEFT_GOLD * len(gold)
    ):
        return None
    return etree.tostring(root, encoding="unicode", method="html")


def _parsed(html: str) -> tuple[etree._Element | None, etree._Element | None]:
    """Returns the root and the body of a page; None for a page that cannot be parsed or has no body."""
    try:
        root = html_parser.parse(html, lean=False)
    except html_parser.PageError:
        return None, None
    return root, root.find("body") if root is not None else None


def _words(element: etree._Element) -> list[str]:
    return "".join(map(str, element.itertext())).split()


def _triples(words: Sequence[str]) -> set[tuple[str, ...]]:
    return set(zip(words, words[1:], words[2:], strict=False))


def _paragraphs(body: etree._Element) -> list[etree._Element]:
    """Returns the paragraphs of running text."""
    return [one for one in body.iter("p") if len(_words(one)) >= PARAGRAPH_WORDS]


def _container(paragraphs: Sequence[etree._Element], body: etree._Element) -> etree._Element:
    """Returns the parent of most paragraphs."""
    counts: dict[etree._Element, int] = {}
    for paragraph in paragraphs:
        parent = paragraph.getparent()
        if parent is not None:
            counts[parent] = counts.get(parent, 0) + 1
    return max(counts, key=lambda one: counts[one]) if counts else body


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
