"""Classifies as boilerpipe's own program does (version 1.1; Kohlschütter et al. 2010): the thesis's rows without lxml.

The extractors of boilerpipe.py follow the thesis's description (2.6.4). Unlike them, the program does not cut at inline
elements such as <b>, leaves out the text of <option>, <object>, <embed>, <applet> and <noscript>, looks at the density
of lines in DefaultExtractor, and at the title of the page in ArticleExtractor.
"""

import functools
import itertools
import re
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from lxml import etree
from numpy.typing import NDArray

from corpusprep.pages.segmentation import Blocks, Segmenter
from studies.baselines.boilerpipe import (
    ARTICLE_WORDS,
    ENDING,
    ENDING_WORDS,
    GAP,
    Segments,
    canola_rules,
    default_rules,
    registration,
)
from studies.baselines.pieces import PieceAlgorithm, page_pieces, structure_of

#: Elements at which a segment does not end.
INLINE = ("a", "abbr", "acronym", "b", "code", "em", "font", "i", "span", "strike", "strong", "sub", "sup", "tt", "u")
#: Elements whose text is left out.
LEFT_OUT = ("option", "object", "embed", "applet", "noscript")
_LINE = 80  # characters of a line
_DENSE = 9.0  # words per line from which a segment counts towards the words of an article
#: A title is divided at these separators; its longest part may stand in the page alone.
_SEPARATORS = (r" *[|»-] *", r" *[|»:] *", r" *[|»:()] *", r" *[|»:()-] *", r" *[|»,:()-] *")
_PUNCTUATION = re.compile(r"[?!.:-]+")


@dataclass(slots=True)
class Segment:
    """A segment of a page; fused ones are one.

    Attributes:
        pieces: numbers of its pieces.
        texts: their texts, one per segment that was fused.
        start: number of its first segment, as counted before any were fused.
        end: number of its last segment.
        words: white-space separated words.
        link_words: words in links.
        full_words: words in full lines.
        lines: number of full lines, at least 1.
        good: whether it is main content.
        title: whether it holds the title of the page.
    """

    pieces: list[int]
    texts: list[str]
    start: int
    end: int
    words: int
    link_words: int
    full_words: int
    lines: int
    good: bool = False
    title: bool = False

    @property
    def text(self) -> str:
        """Its text; joined when it is asked for, so that fusing a page's segments takes linear time."""
        return "\n".join(self.texts)

    @property
    def density(self) -> float:
        """Words per full line."""
        return self.full_words / self.lines

    @property
    def link_density(self) -> float:
        """The share of its words that are in links."""
        return self.link_words / self.words if self.words else 0.0

    def fuse(self, other: "Segment") -> None:
        """Takes in the segment after it."""
        self.pieces += other.pieces
        self.texts += other.texts
        self.end = other.end
        self.words += other.words
        self.link_words += other.link_words
        self.full_words += other.full_words
        self.lines += other.lines
        self.good |= other.good
        self.title |= other.title


_OUTSIDE = Segment([], [], 0, 0, 0, 0, 0, 1)


class _Program(PieceAlgorithm):
    """Cuts pages as the program does."""

    def classify_pieces(self, blocks: Blocks, references: NDArray[np.int64] | None = None) -> NDArray[np.bool_]:
        """Returns whether each piece is main content, shape (pieces,)."""
        good = np.zeros(len(structure_of(blocks)), np.bool_)
        for page, segments in enumerate(segments_of(blocks)):
            for segment in self.keep(segments, blocks.titles[page]):
                good[segment.pieces] = True
        return good

    @abstractmethod
    def keep(self, segments: list[Segment], title: str) -> list[Segment]:
        """Returns the segments of a page that are main content."""


class JavaDefaultExtractor(_Program):
    """Fuses segments of the same line density, then decides by line density and link density."""

    def keep(self, segments: list[Segment], title: str) -> list[Segment]:
        """Returns the segments of a page that are main content."""
        fused: list[Segment] = []
        for segment in segments:
            if fused and fused[-1].density == segment.density:
                fused[-1].fuse(segment)
            else:
                fused.append(segment)
        _classify_by_density(fused)
        return [segment for segment in fused if segment.good]


class JavaCanolaExtractor(_Program):
    """Decides by the decision tree learnt from Canola."""

    def keep(self, segments: list[Segment], title: str) -> list[Segment]:
        """Returns the segments of a page that are main content."""
        _classify(segments, canola_rules)
        return [segment for segment in segments if segment.good]


class JavaArticleExtractor(_Program):
    """Keeps one article per page: algorithm 2.1, then filters for news.

    After 60 words of main content in segments with 9 words per line or more, the first short segment that announces
    comments ends the article. Main content is fused with the segment before it, and then with main content that is at
    most one segment away. The text with the most words is the article. Other main content between the title of the
    page and the article belongs to it.
    """

    def keep(self, segments: list[Segment], title: str) -> list[Segment]:
        """Returns the segments of a page that are main content."""
        titles = titles_of(title)
        for segment in segments:
            segment.title = _plain(segment.text) in titles or _PUNCTUATION.sub("", _plain(segment.text)) in titles
        _classify(segments, default_rules)
        words, ended = 0, False
        for segment in segments:
            words += segment.words if segment.good and segment.density >= _DENSE else 0
            short = words >= ARTICLE_WORDS and segment.words < ENDING_WORDS
            ended |= short and bool(ENDING.search(segment.text.strip()))
            segment.good &= not ended
        content = [segment for segment in _fused(segments) if segment.good]
        content = _fused(content)
        if not content:
            return []
        article = max(content, key=lambda segment: segment.words)
        place = content.index(article)
        named = max((number for number, segment in enumerate(content[:place]) if segment.title), default=place)
        return content[named : place + 1]


def titles_of(title: str) -> set[str]:
    """Returns what may stand in a page as its title: the title, and its parts without the name of the site."""
    whole = _plain(title).replace("'", "")
    titles = {whole}
    for separator in _SEPARATORS:
        parts = re.split(separator, whole)
        if len(parts) > 1:
            titles.add(max(parts, key=lambda part: (len(part.split()), len(part))))
    for separator in (" +[|] +", " +- +"):
        parts = re.split(separator, whole)
        titles |= {part for part in parts if len(parts) > 1 and len(part.split()) >= 4}
    titles |= {re.sub(" - [^-]+$", "", whole), re.sub("^[^-]+ - ", "", whole)}
    return titles - {""}


def _plain(text: str) -> str:
    return " ".join(text.replace("\xa0", " ").split()).replace("'", "").lower()


def _classify(segments: list[Segment], rules: Callable[[Segments], NDArray[np.bool_]]) -> None:
    """Applies a tree of boilerpipe.py to the segments of a page."""
    words = np.array([segment.words for segment in segments], np.int64)
    link_density = np.array([segment.link_density for segment in segments], np.float64)
    ends = np.array([0, len(segments)])
    for segment, good in zip(segments, rules(Segments(ends, ends, words, link_density)).tolist(), strict=True):
        segment.good = good


def _classify_by_density(segments: list[Segment]) -> None:
    """Applies the tree that uses words per line to each segment and its neighbours."""
    around = [_OUTSIDE, *segments, _OUTSIDE]
    for segment, good in zip(segments, list(map(_by_density, around, segments, around[2:])), strict=True):
        segment.good = good


def _by_density(before: Segment, here: Segment, after: Segment) -> bool:
    """The tree that uses words per line; it also leaves out the last segment of a page (Kohlschütter et al. 2010)."""
    if here.link_density > 0.333333:
        return False
    if before.link_density > 0.555556:
        return after.density > 11
    if here.density > 9:
        return after.density > 0
    return after.density > 10 or before.density > 4


def _fused(segments: list[Segment]) -> list[Segment]:
    """Fuses each segment of main content with the one before it, unless more than one segment stood between them."""
    fused: list[Segment] = []
    for segment in segments:
        if fused and segment.good and segment.start - fused[-1].end - 1 <= GAP:
            fused[-1].fuse(segment)
        else:
            fused.append(segment)
    return fused


def segments_of(blocks: Blocks) -> list[list[Segment]]:
    """Returns each page's segments: text between two tags that are not inline."""
    structure = structure_of(blocks)
    bounds = page_pieces(blocks).tolist()
    cut, left_out = _cuts(blocks)
    texts, words, link_words = structure.texts(blocks.text), structure.words.tolist(), structure.link_words.tolist()
    glued = structure.glued.tolist()
    pages: list[list[Segment]] = []
    for first, end in itertools.pairwise(bounds):
        groups: list[list[int]] = []
        pending = True
        for piece in range(first, end):
            pending |= cut[piece]
            if left_out[piece]:
                continue
            if pending:
                groups.append([])
            groups[-1].append(piece)
            pending = False
        page: list[Segment] = []
        for number, pieces in enumerate(groups):
            text = "".join(texts[p] if place == 0 or glued[p] else " " + texts[p] for place, p in enumerate(pieces))
            count = sum(words[p] for p in pieces) + glued[pieces[0]]
            linked = min(count, sum(link_words[p] for p in pieces))
            page.append(Segment(pieces, [text], number, number, count, linked, *_lines(text)))
        pages.append(page)
    return pages


def _cuts(blocks: Blocks) -> tuple[list[bool], list[bool]]:
    """Returns, for each piece, whether a tag that is not inline stands before it, and whether it is left out."""
    structure = structure_of(blocks)
    names = structure.element_names
    cuts = ~np.isin(names, _names(INLINE))
    cut = np.zeros(len(structure) + 1, np.bool_)
    cut[structure.element_pieces[cuts]] = True
    cut[structure.element_piece_ends[cuts]] = True
    out = np.isin(names, _names(LEFT_OUT))
    depth = np.zeros(len(structure) + 1, np.int64)
    np.add.at(depth, structure.element_pieces[out], 1)
    np.add.at(depth, structure.element_piece_ends[out], -1)
    left_out = np.cumsum(depth)[:-1] > 0
    return cut[:-1].tolist(), left_out.tolist()


@functools.cache
def _names(elements: tuple[str, ...]) -> NDArray[np.uint32]:
    """Returns the hashes of elements' names, as in Structure.element_names."""
    root = etree.Element("body")
    for name in elements:
        etree.SubElement(root, name).text = "x"
    segmenter = Segmenter((), structure=True)
    segmenter.add(root)
    return structure_of(segmenter.take()).element_names[1:]


def _lines(text: str) -> tuple[int, int]:
    """Returns the words in full lines of 80 characters, and the number of these lines; a short text is one line."""
    length = words = current = lines = 0
    for word in text.split():
        words += 1
        current += 1
        length += len(word) + 1
        if length > _LINE:
            lines += 1
            length, current = len(word), 1
    return (words - current, lines) if lines else (words, 1)


_SOURCE = "Kohlschütter et al. 2010; boilerpipe 1.1"
#: Name, class and what it keeps; titles in tables are as in boilerpipe.py, with `, Java`.
_EXTRACTORS: tuple[tuple[str, type[PieceAlgorithm], str], ...] = (
    ("default", JavaDefaultExtractor, "segments by words per line and link density, as boilerpipe's program does."),
    (
        "article",
        JavaArticleExtractor,
        "one article per page, as boilerpipe's program does, with the title of the page.",
    ),
    (
        "canola",
        JavaCanolaExtractor,
        "segments by the decision tree learnt from Canola, cut as boilerpipe's program does.",
    ),
)
ALGORITHMS = tuple(
    registration(f"java-{name}", make, f"{name.capitalize()}Extractor, Java", f"Keeps {kept}", _SOURCE)
    for name, make, kept in _EXTRACTORS
)
