"""Classifies by word count and link density of a segment and its neighbours: boilerpipe (Kohlschütter et al. 2010).

A page is cut at all tags but links (Pomikálek 2011, 2.6.4). The decision trees are the thesis's
(algorithm 2.1) and boilerpipe 1.2's for Canola. The neighbours outside a page have no words and no links.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from corpusprep.cleaners.interface import Registration
from corpusprep.pages.segmentation import Blocks
from studies.baselines.pieces import PieceAlgorithm, page_pieces, structure_of


@dataclass(slots=True, frozen=True)
class Segments:
    """The s segments of one or more pages.

    Attributes:
        pieces: int64, s + 1: segment i has the pieces from pieces[i] to pieces[i + 1].
        pages: int64, pages + 1: page p has the segments from pages[p] to pages[p + 1].
        words: int64, s: white-space separated words.
        link_density: float64, s: share of the words inside <a>.
    """

    pieces: NDArray[np.int64]
    pages: NDArray[np.int64]
    words: NDArray[np.int64]
    link_density: NDArray[np.float64]

    @classmethod
    def of(cls, blocks: Blocks) -> "Segments":
        """Returns the segments of blocks with their structure."""
        structure = structure_of(blocks)
        starts = np.flatnonzero(structure.cut)
        pieces = np.append(starts, len(structure))
        words = _sums(structure.words, pieces) + structure.glued[starts]
        links = _sums(structure.link_words, pieces)
        pages = np.searchsorted(pieces, page_pieces(blocks))
        return cls(pieces, pages, words, links / np.maximum(words, 1))

    def neighbours(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
        """Returns (words of the segment before, of the one after, link density before, after), each of shape (s,)."""
        first, last = (np.zeros(len(self.words), np.bool_) for _ in range(2))
        filled = np.diff(self.pages) > 0
        first[self.pages[:-1][filled]] = True
        last[self.pages[1:][filled] - 1] = True
        return (
            np.where(first, 0, np.roll(self.words, 1)),
            np.where(last, 0, np.roll(self.words, -1)),
            np.where(first, 0.0, np.roll(self.link_density, 1)),
            np.where(last, 0.0, np.roll(self.link_density, -1)),
        )


def _sums(counts: NDArray[np.uint32], bounds: NDArray[np.int64]) -> NDArray[np.int64]:
    """Returns the sum of counts[bounds[i]:bounds[i + 1]] for each i."""
    return np.diff(np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])[bounds])


def default_rules(segments: Segments) -> NDArray[np.bool_]:
    """Algorithm 2.1."""
    before, after, links_before, _ = segments.neighbours()
    beside_text = (segments.words > 16) | (after > 15) | (before > 4)
    beside_links = (segments.words > 40) | (after > 17)
    text = np.where(links_before <= 0.555556, beside_text, beside_links)
    good: NDArray[np.bool_] = (segments.link_density <= 0.333333) & text
    return good


def canola_rules(segments: Segments) -> NDArray[np.bool_]:
    """The tree learnt from Canola."""
    before, after, links_before, links_after = segments.neighbours()
    unlinked = (links_before == 0) & (links_after == 0)
    amid_text = (segments.words > 6) | (before > 7) | (after > 19)
    linked = (segments.link_density > 0) & (after > 11)
    good: NDArray[np.bool_] = linked | (segments.words > 19) | ((after > 6) & unlinked & amid_text)
    return good


class DefaultExtractor(PieceAlgorithm):
    """NumWords/LinkDensity classifier of the paper: algorithm 2.1."""

    def classify_pieces(self, blocks: Blocks, references: NDArray[np.int64] | None = None) -> NDArray[np.bool_]:
        """Returns whether each piece's segment is main content, shape (pieces,)."""
        segments = Segments.of(blocks)
        return np.repeat(default_rules(segments), np.diff(segments.pieces))


class CanolaExtractor(PieceAlgorithm):
    """Classifier with the decision tree learnt from Canola."""

    def classify_pieces(self, blocks: Blocks, references: NDArray[np.int64] | None = None) -> NDArray[np.bool_]:
        """Returns whether each piece's segment is main content, shape (pieces,)."""
        segments = Segments.of(blocks)
        return np.repeat(canola_rules(segments), np.diff(segments.pieces))


#: The texts that end an article, as published.
ENDING = re.compile(
    r"""(?ix) ^ (?: comments? \s* [:(]? | (?:©|\(c\)) \s* reuters | please \s rate \s this | post \s a \s comment
    | what \s you \s think | add \s (?:your\s)? comment | reader \s (?:views|comments) | have \s your \s say
    | \d+ \s (?:comments? | users? \s responded \s in) )
    | user \s comments: """
)
ENDING_WORDS = 15  # a segment with as many words or more does not end an article
ARTICLE_WORDS = 60  # of main content before an article can end
GAP = 1  # segments of boilerplate between two runs, besides the segment that the second run includes


class ArticleExtractor(PieceAlgorithm):
    """Algorithm 2.1, then a filter for news: one article per page, without the comments of readers.

    After 60 words of main content, the first short segment that announces comments ends the article
    (English indicator strings, as published). Each run of main content includes the segment before it, which is
    often its headline. Runs with at most one segment between them are one text. The text with the most words is the
    article. boilerpipe's program also uses the page's title and the density of lines, and does not cut at
    inline elements: see boilerpipe_java.py.
    """

    def classify_pieces(self, blocks: Blocks, references: NDArray[np.int64] | None = None) -> NDArray[np.bool_]:
        """Returns whether each piece's segment is main content, shape (pieces,)."""
        structure = structure_of(blocks)
        segments = Segments.of(blocks)
        good = default_rules(segments)
        ends = np.concatenate([[0], structure.piece_ends])[segments.pieces].tolist()
        for page in range(len(blocks.pages) - 1):
            first, end = int(segments.pages[page]), int(segments.pages[page + 1])
            words, kept = segments.words[first:end], good[first:end]
            enough = np.cumsum(np.where(kept, words, 0)) >= ARTICLE_WORDS
            for i in (first + np.flatnonzero(enough & (words < ENDING_WORDS))).tolist():
                if ENDING.search(blocks.text[ends[i] : ends[i + 1]].decode("utf-8").strip()):
                    good[i:end] = False
                    break
            content = np.flatnonzero(kept | np.append(kept[1:], False))
            if len(content):
                runs = np.split(content, np.flatnonzero(np.diff(content) > GAP + 1) + 1)
                article = max(runs, key=lambda run: int(words[run].sum()))
                good[first:end] = False
                good[first + article] = True
        return np.repeat(good, np.diff(segments.pieces))


def registration(
    name: str, make: Callable[..., PieceAlgorithm], title: str, description: str, source: str
) -> Registration:
    """Returns the registration of an extractor; `title`: in the tables of `evaluation`."""
    return Registration(f"boilerpipe-{name}", make, description, source, evaluated={title: ""})


_SOURCE = "Kohlschütter et al. 2010; Pomikálek 2011, 2.6.4"
ALGORITHMS = (
    registration(
        "default",
        DefaultExtractor,
        "DefaultExtractor",
        "Keeps segments by word count and link density, theirs and their neighbours'.",
        f"{_SOURCE}, algorithm 2.1",
    ),
    registration(
        "article",
        ArticleExtractor,
        "ArticleExtractor",
        "Keeps one article per page, without the readers' comments below it; for English news.",
        _SOURCE,
    ),
    registration(
        "canola",
        CanolaExtractor,
        "CanolaExtractor",
        "Keeps segments by a decision tree learnt from the Canola data set.",
        _SOURCE,
    ),
)
