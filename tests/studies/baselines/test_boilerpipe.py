"""boilerpipe's extractors against the trees as printed, over segments cut by hand."""

import itertools
from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from support.plain_pages import MARKUP, page, pages

from studies.baselines.boilerpipe import ArticleExtractor, CanolaExtractor, DefaultExtractor, Segments
from studies.baselines.boilerpipe_java import JavaArticleExtractor, JavaCanolaExtractor, JavaDefaultExtractor
from studies.baselines.pieces import page_pieces

EXTRACTORS = [
    *(DefaultExtractor, CanolaExtractor, ArticleExtractor),
    *(JavaDefaultExtractor, JavaCanolaExtractor, JavaArticleExtractor),
]


@dataclass
class PlainSegment:
    """Text between two tags that are not links, a character and whether it is in a link at a time."""

    characters: list[tuple[str, bool]] = field(default_factory=list)

    def words(self) -> list[list[tuple[str, bool]]]:
        """White-space separated words."""
        words: list[list[tuple[str, bool]]] = [[]]
        for character, linked in self.characters:
            if character.isspace():
                words.append([])
            else:
                words[-1].append((character, linked))
        return [word for word in words if word]

    @property
    def num_words(self) -> int:
        return len(self.words())

    @property
    def link_density(self) -> float:
        words = self.words()
        return sum(any(linked for _, linked in word) for word in words) / len(words) if words else 0.0


def plain_segments(root: etree._Element | None) -> list[PlainSegment]:
    """The page cut at all tags but links; blank text nodes are white space."""
    segments = [PlainSegment()]

    def text(words: str | None, *, linked: bool) -> None:
        segments[-1].characters.extend((character, linked) for character in words or "")

    def walk(element: etree._Element, *, linked: bool) -> None:
        name = str(element.tag)
        if name == "script":
            return
        if name != "a":
            segments.append(PlainSegment())
        text(element.text, linked=linked or name == "a")
        for child in element:
            walk(child, linked=linked or name == "a")
            text(child.tail, linked=linked or name == "a")
        if name != "a":
            segments.append(PlainSegment())

    if root is not None:
        walk(root, linked=False)
    return [segment for segment in segments if segment.num_words]


def printed_default(prev: PlainSegment, curr: PlainSegment, following: PlainSegment) -> bool:
    """Algorithm 2.1."""
    if curr.link_density <= 0.333333:
        if prev.link_density <= 0.555556:
            if curr.num_words <= 16:
                if following.num_words <= 15:
                    return prev.num_words > 4
                return True
            return True
        if curr.num_words <= 40:
            return following.num_words > 17
        return True
    return False


def printed_canola(prev: PlainSegment, curr: PlainSegment, following: PlainSegment) -> bool:
    """The tree learnt from Canola."""
    if curr.link_density > 0 and following.num_words > 11:
        return True
    if curr.num_words > 19:
        return True
    if following.num_words > 6 and following.link_density == 0 and prev.link_density == 0:
        return curr.num_words > 6 or prev.num_words > 7 or following.num_words > 19
    return False


@given(MARKUP, st.sampled_from([(DefaultExtractor, printed_default), (CanolaExtractor, printed_canola)]))
def test_trees_are_as_printed(markup: str, extractor: tuple[type, object]) -> None:
    """The words of each segment, its links and its class."""
    blocks, root = page(markup)
    plain = plain_segments(root)
    segments = Segments.of(blocks)
    assert segments.words.tolist() == [segment.num_words for segment in plain]
    assert segments.link_density.tolist() == pytest.approx([segment.link_density for segment in plain])
    make, printed = extractor
    around = [PlainSegment(), *plain, PlainSegment()]
    expected = [printed(*around[i : i + 3]) for i in range(len(plain))]  # type: ignore[operator]
    assert make().classify_pieces(blocks)[segments.pieces[:-1]].tolist() == expected


@given(st.lists(MARKUP, max_size=4), st.sampled_from(EXTRACTORS))
def test_pages_do_not_see_each_other(markups: list[str], make: type) -> None:
    """Several pages at once are classified as each alone."""
    together = pages(markups)
    bounds = page_pieces(together).tolist()
    good = make().classify_pieces(together).tolist()
    alone = [make().classify_pieces(page(markup)[0]).tolist() for markup in markups]
    assert [good[a:b] for a, b in itertools.pairwise(bounds)] == alone


TEXT = "<p>" + "w " * 70 + "</p>"


@pytest.mark.parametrize(
    ("markup", "good"),
    [
        (TEXT + "<p>Comments (3)</p>" + TEXT, [True, False, False]),
        (TEXT + "<p>Reader comments</p><p>x</p>" + TEXT, [True, False, False, False]),
        ("<p>Post a comment</p>" + TEXT, [True, True]),
        (
            TEXT + "<p>Comments that go on for more than fifteen words are no end of an article at all, are they</p>",
            [True] * 2,
        ),
        (TEXT + "<p><a>x</a></p>" * 3 + "<p>" + "w " * 30 + "</p>", [True, False, False, False, False]),
    ],
)
def test_an_article_ends_where_comments_begin(markup: str, good: list[bool]) -> None:
    """Announced comments, and a shorter text far from the article, are left out."""
    assert ArticleExtractor().classify(page(markup)[0]).good.tolist() == good


GAP = "<p><a>x</a></p>"


@pytest.mark.parametrize("gaps", [1, 2, 3])
def test_an_article_takes_in_what_stands_before_its_parts(gaps: int) -> None:
    """The article includes the segment before a run of main content, and runs with little between them."""
    blocks, _ = page(f"<h2><a>{'h ' * 3}</a></h2>" + TEXT + GAP * gaps + "<p>" + "w " * 60 + "</p>")
    between = {1: [True], 2: [False, True], 3: [False] * 3}[gaps]
    assert ArticleExtractor().classify(blocks).good.tolist() == [True, True, *between, gaps < 3]


@given(MARKUP)
def test_an_article_is_part_of_what_the_default_keeps(markup: str) -> None:
    """And of the segments right before that."""
    blocks, _ = page(markup)
    pieces = Segments.of(blocks).pieces[:-1]
    default = DefaultExtractor().classify_pieces(blocks)[pieces]
    article = ArticleExtractor().classify_pieces(blocks)[pieces]
    assert not (article & ~default & ~np.append(default[1:], False)).any()
