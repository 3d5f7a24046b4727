"""Finds the languages of pages, and makes the segmenters that measure each page as its language.

A page is parsed and cut once. The language is the one that its own text is closest to, before any block is classified:
the text of blocks with few links, from the beginning. It says which stop list counts, how words are counted where they
are written without spaces, and which settings of the algorithm apply.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import itemgetter
from typing import Protocol

import numpy as np
from lxml import etree

from corpusprep._native.pages import StopList
from corpusprep.cleaners.interface import Algorithm
from corpusprep.languages import LanguageModel
from corpusprep.languages.known_languages import KnownLanguages, PageTexts
from corpusprep.pages.segmentation import Blocks, PageSegmenter, Segmenter

#: A block with a larger share of words in links says little about the language of the page, unless there is no other.
MOST_LINKED = 0.5
#: UTF-8 that decides; with fewer than LEAST_CHARACTERS in blocks with few links, all blocks count.
MOST_BYTES, LEAST_CHARACTERS = 10_000, 200


def page_languages(known: KnownLanguages, blocks: Blocks) -> list[str | None]:
    """Returns the code of the language of each page; None for a page without text."""
    unlinked = (blocks.link_density <= MOST_LINKED).astype(np.uint8)
    firsts = blocks.pages.tolist()

    def text(page: int) -> str:
        bounds = blocks.offsets[firsts[page] : firsts[page + 1] + 1].tolist()
        few_links = unlinked[firsts[page] : firsts[page + 1]].tolist()
        found = _beginning(blocks.text, bounds, (block for block, taken in enumerate(few_links) if taken))
        return found if len(found) >= LEAST_CHARACTERS else _beginning(blocks.text, bounds, range(len(few_links)))

    where = np.ascontiguousarray(blocks.offsets, np.int64), np.ascontiguousarray(blocks.pages, np.int64)
    return known.closest_of_pages(PageTexts(blocks.text, *where, unlinked, MOST_BYTES, LEAST_CHARACTERS), text)


def _beginning(text: bytes, bounds: Sequence[int], blocks: Iterable[int]) -> str:
    """Returns the first MOST_BYTES of these blocks."""
    pieces: list[bytes] = []
    length = 0
    for block in blocks:
        pieces.append(text[bounds[block] : min(bounds[block + 1], bounds[block] + MOST_BYTES)])
        length += len(pieces[-1])
        if length > MOST_BYTES:
            break
    return b"\n".join(pieces)[:MOST_BYTES].decode("utf-8", "ignore")


class SegmenterOfLanguages(Segmenter):
    """Cuts pages into blocks, and counts the words of each page as its language does.

    Where words stand between spaces, the stop words are counted in the blocks that were cut: languages differ in
    nothing else. Pages with words that are written without spaces are measured again from their trees.
    """

    def __init__(self, known: KnownLanguages, classifier: Algorithm) -> None:
        """Makes a segmenter for pages in one of several languages, with what an algorithm needs of the blocks."""
        super().__init__((), structure=classifier.needs_structure, model=classifier.block_model)
        self._known = known
        self._structure = classifier.needs_structure
        self._unspaced = {code for code, model in known.models.items() if model.characters_per_word}
        self._roots: list[etree._Element | None] = []
        self._lists: dict[str, StopList] = {}

    def add(self, root: etree._Element | None) -> None:
        """Segments the page with this tree; None is a page without blocks."""
        super().add(root)
        if self._unspaced:
            # Few trees are held: freeing the trees of many pages at once takes four times as long as one after another.
            self._roots.append(root if self._native.last_without_spaces() else None)

    def take(self) -> Blocks:
        """Returns the blocks of the pages added since the last call, each measured as the language of its page."""
        blocks = super().take()
        stop_words = blocks.stop_words.copy()
        unspaced: dict[str, list[int]] = {}
        bounds = blocks.pages.tolist()
        # Pages that follow each other are often in the same language: their blocks are counted in one call.
        for code, run in groupby(enumerate(page_languages(self._known, blocks)), itemgetter(1)):
            pages = [page for page, _ in run]
            # A page without such a character has white space between its words, whatever its language.
            if code in self._unspaced and (again := [page for page in pages if self._roots[page] is not None]):
                unspaced.setdefault(str(code), []).extend(again)
            if code is not None:
                first, end = bounds[pages[0]], bounds[pages[-1] + 1]
                stop_words[first:end] = self._list(code).counts(blocks.text, blocks.offsets[first : end + 1])
        blocks = replace(blocks, stop_words=stop_words)
        for code in sorted(unspaced):
            model = self._known.models[code]
            segmenter = Segmenter(model.stop_words, model.characters_per_word, structure=self._structure)
            segmenter.keeps_hidden, segmenter.keeps_readings = self.keeps_hidden, self.keeps_readings
            if not self._composed:
                segmenter.keep_composition()
            for page in unspaced[code]:
                segmenter.add(self._roots[page])
            _measure_again(blocks, unspaced[code], segmenter.take())
        self._roots.clear()
        return blocks

    def _list(self, code: str) -> StopList:
        if code not in self._lists:
            self._lists[code] = StopList(self._known.models[code].stop_words)
        return self._lists[code]


def _measure_again(blocks: Blocks, pages: Sequence[int], measured: Blocks) -> None:
    """Replaces the counts of some pages by the counts of these pages, cut as another language."""
    ranges = [np.arange(blocks.pages[page], blocks.pages[page + 1]) for page in pages]
    places = np.concatenate(ranges)
    for name in ("words", "link_words", "alphabetic_words", "stop_words"):
        getattr(blocks, name)[places] = getattr(measured, name)
    if blocks.structure is not None and measured.structure is not None:
        ends = blocks.structure.block_pieces
        pieces = np.concatenate([np.arange(ends[blocks.pages[page]], ends[blocks.pages[page + 1]]) for page in pages])
        for name in ("words", "link_words", "flags"):
            getattr(blocks.structure, name)[pieces] = getattr(measured.structure, name)


class PageLanguages(Protocol):
    """The strategy that says which language a page is in, and how its blocks are measured."""

    def check(self, algorithm: Algorithm) -> None:
        """Raises ModelError if an algorithm has a model of another language."""

    def divides(self, algorithm: Algorithm) -> bool:
        """Returns whether the language of a page must be known before an algorithm cuts it."""

    def segmenter(self, algorithm: Algorithm, code: str | None = None) -> PageSegmenter:
        """Returns the segmenter of an algorithm: for pages in one language, or for all if it divides none."""

    def of_pages(self, blocks: Blocks) -> list[str | None]:
        """Returns the code of the language of each page; None for a page without letters."""


@dataclass(slots=True, frozen=True)
class OneLanguage:
    """Every page is in the language of the corpus."""

    model: LanguageModel

    def check(self, algorithm: Algorithm) -> None:
        """Raises ModelError if an algorithm has a model of another language."""
        algorithm.check_language(self.model.code)

    def divides(self, algorithm: Algorithm) -> bool:
        """Returns False: there is nothing to divide."""
        return False

    def segmenter(self, algorithm: Algorithm, code: str | None = None) -> PageSegmenter:
        """Returns the segmenter of the language."""
        return algorithm.segmenter(self.model.stop_words, self.model.characters_per_word)

    def of_pages(self, blocks: Blocks) -> list[str | None]:
        """Returns the code of the language, once per page."""
        return [self.model.code] * (len(blocks.pages) - 1)


@dataclass(slots=True, frozen=True)
class SeveralLanguages:
    """A page is in the language that its own text is closest to."""

    known: KnownLanguages

    def check(self, algorithm: Algorithm) -> None:
        """Accepts every algorithm."""

    def divides(self, algorithm: Algorithm) -> bool:
        """Returns whether an algorithm has a segmenter of its own, or compares pages."""
        return algorithm.cuts_alone or algorithm.side_table is not None

    def segmenter(self, algorithm: Algorithm, code: str | None = None) -> PageSegmenter:
        """Returns a segmenter for pages in one language (None: in none), or for all if the algorithm divides none."""
        if not self.divides(algorithm):
            return SegmenterOfLanguages(self.known, algorithm)
        model = self.known.models[code] if code else None
        return algorithm.segmenter(*((model.stop_words, model.characters_per_word) if model else ((), 0.0)))

    def of_pages(self, blocks: Blocks) -> list[str | None]:
        """Returns the code of the language of each page; None for a page without letters."""
        return page_languages(self.known, blocks)
