"""Makes more training pages from the pages of a gold set.

Articles with teasers of other articles around them, cut short, or without their text; and pages of any kind with little
but their text, half of them in old markup, or with their text as lists of terms.
"""

import dataclasses
import random
from collections.abc import Iterator

from corpusprep.cleaners.content.training import page_trees
from corpusprep.cleaners.content.training.members import with_members
from corpusprep.cleaners.content.training.old_markup import in_old_markup
from corpusprep.cleaners.content.training.parts_of_pages import text_alone, without_text
from corpusprep.cleaners.content.training.teasers import TEASER_WORDS, TEASERS, with_teasers
from corpusprep.gold.pages import GoldPage, GoldSet

#: Share of the articles of a set that are used once more with teasers; half of them are cut short.
SHARE = 0.7
#: Share of the articles that are used once more without their text.
SHARE_WITHOUT = 0.15
#: Share of all pages that are used once more with little but their text, and the share of these in old markup.
SHARE_ALONE, SHARE_OLD = 0.25, 0.5
#: Share of all pages that are used once more with their paragraphs as members of lists.
SHARE_MEMBERS = 0.2
#: Kinds of pages that are articles; the empty one stands for sets that do not say.
KINDS = ("article", "")


def made_pages(gold_set: GoldSet, *, members: bool) -> list[GoldPage]:
    """Returns the pages made from a set, each with the site of the page that it is made from.

    They have its gold texts, too; those without their text have none. With `members`, pages with lists of terms are
    among them.
    """
    whole = [page for page in gold_set.pages if _whole(page)]
    articles = [page for page in whole if page.kind in KINDS]
    return [
        *_with_teasers(gold_set.name, articles),
        *_without_text(gold_set.name, articles),
        *_of_text_alone(gold_set.name, whole),
        *(_with_members(gold_set.name, whole) if members else ()),
    ]


def _with_teasers(name: str, articles: list[GoldPage]) -> Iterator[GoldPage]:
    texts: dict[str, list[list[str]]] = {}
    for page in articles:
        words = page_trees.writable(next(iter(page.gold.values()))).split()
        if len(words) > TEASER_WORDS[1] + 10:
            texts.setdefault(page.language, []).append(words)
    for page in articles:
        draw = random.Random(f"{name} {page.name}")
        others = texts.get(page.language, [])
        if draw.random() >= SHARE or len(others) < TEASERS[0]:
            continue
        html = with_teasers(page.html, others, draw)
        if html is not None:
            yield dataclasses.replace(page, name=f"{page.name} with teasers", html=html, nodes=None)


def _without_text(name: str, articles: list[GoldPage]) -> Iterator[GoldPage]:
    for page in articles:
        if random.Random(f"{name} {page.name} without").random() < SHARE_WITHOUT:
            html = without_text(page)
            if html is not None:
                yield dataclasses.replace(page, name=f"{page.name} without text", html=html, gold={"": ""}, nodes=None)


def _of_text_alone(name: str, pages: list[GoldPage]) -> Iterator[GoldPage]:
    for page in pages:
        draw = random.Random(f"{name} {page.name} alone")
        if draw.random() >= SHARE_ALONE:
            continue
        html = text_alone(page, draw)
        if html is not None and draw.random() < SHARE_OLD:
            html = in_old_markup(html, draw)
        if html is not None:
            yield dataclasses.replace(page, name=f"{page.name} of text alone", html=html, nodes=None)


def _with_members(name: str, pages: list[GoldPage]) -> Iterator[GoldPage]:
    for page in pages:
        draw = random.Random(f"{name} {page.name} members")
        if draw.random() >= SHARE_MEMBERS:
            continue
        html = with_members(page, draw)
        if html is not None:
            yield dataclasses.replace(page, name=f"{page.name} with members", html=html, nodes=None)


def _whole(page: GoldPage) -> bool:
    """Returns whether the gold text of a page is known as a whole, and may be trained on."""
    return bool(page.gold) and page.labels is None and not page.overlap
