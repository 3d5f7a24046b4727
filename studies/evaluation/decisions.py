"""Runs an algorithm on the pages of a gold set: which spans of text it keeps."""

import itertools
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from corpusprep.cleaners.content.cleaner import Content
from corpusprep.cleaners.fixed import without_repeated
from corpusprep.cleaners.interface import ALONE, Algorithm
from corpusprep.gold.pages import GoldPage
from corpusprep.pages import html as html_parser
from corpusprep.pages.features import TYPES
from corpusprep.pages.segmentation import Blocks, BlockScorer, PageSegmenter, Segmenter
from studies.baselines.choice_of_pages import reference_pages
from studies.baselines.density_site import DensitySite
from studies.baselines.pieces import page_pieces, structure_of

if TYPE_CHECKING:
    from corpusprep._native import pages as native

_MARKER = re.compile("<[phl]>", re.IGNORECASE)
_WORD = re.compile(rb"[^ ]+")  # block text has its white space folded to single spaces


@dataclass(slots=True, frozen=True)
class Spans:
    """The text of many pages, cut into spans: page p has the spans pages[p] to pages[p + 1].

    Attributes:
        text: Blocks.text.
        bounds: int64, spans + 1: span s is text[bounds[s]:bounds[s + 1]].
        pages: int64, pages + 1.
        blocks: int64, spans: the block that contains each span.
    """

    text: bytes
    bounds: NDArray[np.int64]
    pages: NDArray[np.int64]
    blocks: NDArray[np.int64]

    @classmethod
    def of_blocks(cls, blocks: Blocks) -> "Spans":
        """Returns one span per block."""
        return cls(blocks.text, blocks.offsets, blocks.pages, np.arange(len(blocks)))

    @classmethod
    def of_pieces(cls, blocks: Blocks) -> "Spans":
        """Returns one span per piece of text between tags; blocks must have their structure."""
        structure = structure_of(blocks)
        return cls(
            blocks.text,
            np.concatenate([[0], structure.piece_ends]),
            page_pieces(blocks),
            np.repeat(np.arange(len(blocks)), np.diff(structure.block_pieces)),
        )

    def page_bounds(self, page: int) -> list[int]:
        """Returns where the page's spans begin in the text, and where the last one ends."""
        first, end = self.pages[page : page + 2].tolist()
        bounds: list[int] = self.bounds[first : end + 1].tolist()
        return bounds

    def page_text(self, page: int, good: NDArray[np.bool_], markers: Sequence[str] | None = None) -> str:
        """Returns the text of the page's good spans: spans of one block are joined, each block is one line.

        Args:
            page: number of the page.
            good: shape (spans,): whether each span of all pages is main content.
            markers: shape (blocks,): what the line of each block of all pages begins with.
        """
        first, end = self.pages[page : page + 2].tolist()
        parts = []
        previous = -1
        spans = zip(
            itertools.pairwise(self.page_bounds(page)),
            good[first:end].tolist(),
            self.blocks[first:end].tolist(),
            strict=True,
        )
        for (start, stop), kept, block in spans:
            if kept:
                begun = b"\n" + markers[block].encode() if markers is not None else b"\n"
                parts += [begun] * (block != previous) + [self.text[start:stop]]
                previous = block
        return b"".join(parts).decode()


def marked(text: str) -> str:
    """Returns a text with markers of segments in which each marker is a word."""
    return _MARKER.sub(r" \g<0> ", text)


def marked_texts(blocks: Blocks, spans: Spans, good: NDArray[np.bool_]) -> dict[str, list[str]]:
    """Returns the text that is kept of each page with markers of segments: measure -> texts.

    `words_marked`: markers as the algorithm has them; `words_elements`: where these are predicted, also those of the
    names of elements.

    Args:
        blocks: of pages.
        spans: what the algorithm classified.
        good: shape (spans,): whether each span is main content.
    """
    markers = {"words_marked": marker_of_blocks(blocks)}
    if blocks.features is not None:
        markers["words_elements"] = marker_of_blocks(replace(blocks, features=None))
    pages = range(len(blocks.pages) - 1)
    return {name: [spans.page_text(page, good, own) for page in pages] for name, own in markers.items()}


def marker_of_blocks(blocks: Blocks) -> list[str]:
    """Returns the marker of each block: <h>, <l> or <p>."""
    return [f"<{TYPES[code]}>" for code in blocks.types.tolist()]


def segment(
    pages: Sequence[GoldPage],
    stop_words: Collection[str],
    characters_per_word: float = 0.0,
    *,
    structure: bool = True,
    model: "native.BlockModel | BlockScorer | None" = None,
) -> Blocks:
    """Returns the blocks of pages in one language; a page that cannot be parsed has none. Arguments: see Segmenter."""
    return _cut(Segmenter(stop_words, characters_per_word, structure=structure, model=model), pages)


def _cut(segmenter: PageSegmenter, pages: Sequence[GoldPage]) -> Blocks:
    """Returns the blocks of pages; a page that cannot be parsed has none."""
    for page in pages:
        if isinstance(segmenter, Segmenter):  # annotated text nodes are all there
            segmenter.keeps_hidden = segmenter.keeps_readings = page.nodes is not None
        try:
            segmenter.add_page(page.html, html_parser.parse(page.html) if segmenter.reads_trees else None)
        except html_parser.PageError:
            segmenter.skip()
    return segmenter.take()


def segment_for(
    algorithm: Algorithm, pages: Sequence[GoldPage], stop_words: Collection[str], characters_per_word: float = 0.0
) -> Blocks:
    """Returns the blocks of pages in one language, cut and scored as an algorithm needs them."""
    return _cut(algorithm.segmenter(stop_words, characters_per_word), pages)


def decide(algorithm: Algorithm, blocks: Blocks, sites: Sequence[str] | None = None) -> tuple[Spans, NDArray[np.bool_]]:
    """Returns the spans that an algorithm classifies, pieces or blocks, and whether each is main content.

    Args:
        algorithm: any algorithm.
        blocks: of pages, with their structure.
        sites: each page's site, for algorithms that compare the pages of a site; None treats each page alone.
    """
    references = _references(blocks, sites) if algorithm.side_table is not None else None
    if isinstance(algorithm, DensitySite) and algorithm.parameters.common_parts:
        return _of_parts(blocks, *algorithm.classify_parts(blocks, references))
    pieces = algorithm.classify_pieces(blocks, references)
    if pieces is not None:
        return Spans.of_pieces(blocks), pieces
    return Spans.of_blocks(blocks), decided(algorithm, blocks)


def decided(algorithm: Algorithm, blocks: Blocks) -> NDArray[np.bool_]:
    """Returns whether each block is main content; for `content` as for users, with text that a page has twice once.

    The other algorithms decide as they are published.
    """
    classes = algorithm.classify(blocks)
    return (without_repeated(classes, blocks) if isinstance(algorithm, Content) else classes).good


def _of_parts(blocks: Blocks, good: NDArray[np.bool_], removed: NDArray[np.int64]) -> tuple[Spans, NDArray[np.bool_]]:
    """Returns three spans per piece: the words removed at its beginning, the rest, the words removed at its end."""
    pieces = Spans.of_pieces(blocks)
    bounds = np.empty(3 * len(good) + 1, np.int64)
    bounds[0::3], bounds[1::3], bounds[2::3] = pieces.bounds, pieces.bounds[:-1], pieces.bounds[1:]
    for piece in np.flatnonzero(removed.any(axis=1)).tolist():
        start, end = pieces.bounds[piece : piece + 2].tolist()
        words = [match.span() for match in _WORD.finditer(pieces.text[start:end])]
        first, last = removed[piece].tolist()
        if first:
            bounds[3 * piece + 1] = start + words[first - 1][1]
        bounds[3 * piece + 2] = start + words[len(words) - last - 1][1] if first + last < len(words) else end
    kept = np.zeros(3 * len(good), np.bool_)
    kept[1::3] = good
    spans = Spans(pieces.text, bounds, 3 * pieces.pages, np.repeat(pieces.blocks, 3))
    return spans, kept


def _references(blocks: Blocks, sites: Sequence[str] | None) -> NDArray[np.int64]:
    """Returns the number of each page's reference page, chosen by the bytes of their text, or ALONE."""
    sizes = np.diff(blocks.offsets[blocks.pages]).tolist()
    against = np.full(len(sizes), ALONE, np.int64)
    by_site: dict[str, list[int]] = {}
    for page, site in enumerate(sites or ()):
        if sizes[page]:
            by_site.setdefault(site, []).append(page)
    for pages in by_site.values():
        if len(pages) > 1:
            reference, other = reference_pages(sorted(pages, key=lambda page: (sizes[page], page)))
            against[pages] = reference
            against[reference] = other
    return against
