"""Makes pages of parts of a page: all but its text, or nearly its text alone.

A page without its article shows what is no main content even where nothing else is there. A page of little but its text
shows that short blocks, lists and headings are text where there are no menus, as on many old pages.
"""

import random

from lxml import etree

from corpusprep.cleaners.content.training import page_trees
from corpusprep.cleaners.content.training.labels import words_of
from corpusprep.cleaners.content.training.page_trees import triples
from corpusprep.gold.pages import GoldPage

#: A page without its text has at least that many words left, and at most that share of the gold text's sequences of
#: three words.
LEFT_WORDS, LEFT_GOLD = 50, 0.1
#: A page of text alone has a gold text of at least that many words, and that share of its sequences of three words.
TEXT_WORDS, TEXT_GOLD = 20, 0.8
#: An element has text of the gold if it shares that many sequences of three words with it, or a share of its own words.
SHARED, SHARED_WORDS = 3, 0.3
#: Probabilities with which elements without text of the gold stay; one is drawn for a page.
SPARED = (0.0, 0.0, 0.1, 0.25)

#: What elements that are left out are renamed to.
_LEFT_OUT = "left-out"


def without_text(page: GoldPage) -> str | None:
    """Returns the page without the container of its paragraphs; None if too little is left, or too much of its text."""
    root, body = page_trees.parsed(page.html)
    if root is None or body is None:
        return None
    main = page_trees.container(page_trees.paragraphs(body), body)
    parent = main.getparent()
    if main is body or parent is None:
        return None
    parent.remove(main)
    left = page_trees.text_of(body).split()
    gold = triples(next(iter(page.gold.values())).lower().split())
    if (
        not gold
        or len(left) < LEFT_WORDS
        or len(gold & triples([word.lower() for word in left])) > LEFT_GOLD * len(gold)
    ):
        return None
    return page_trees.written(root)


def text_alone(page: GoldPage, draw: random.Random) -> str | None:
    """Returns the page without most of the elements that share no text with its gold text.

    None for a page whose gold text is short, or of which too little of that is left.
    """
    root, body = page_trees.parsed(page.html)
    gold = words_of(next(iter(page.gold.values())))
    if root is None or body is None or len(gold) < TEXT_WORDS:
        return None
    known, phrases = triples(gold), f" {' '.join(gold)} "

    def has_text(words: list[str]) -> bool:
        if len(words) < SHARED:
            return f" {' '.join(words)} " in phrases
        return len(triples(words) & known) >= min(SHARED, SHARED_WORDS * len(words))

    spared = draw.choice(SPARED)
    waiting = [body]
    while waiting:
        for child in waiting.pop().iterchildren(etree.Element):
            words = words_of(page_trees.text_of(child))
            if words and has_text(words):
                waiting.append(child)
            elif words and draw.random() >= spared:
                child.tag = _LEFT_OUT
    etree.strip_elements(body, _LEFT_OUT, with_tail=False)
    if len(triples(words_of(page_trees.text_of(body))) & known) < TEXT_GOLD * len(known):
        return None
    return page_trees.written(root)
