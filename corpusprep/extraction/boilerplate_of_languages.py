"""Writes the blocks of pages that are in one of several languages: each page is classified as its language.

A page is parsed and cut once. The language is the one that its own text is closest to, before any block is classified:
the text of blocks with few links, from the beginning. It says which stop list counts, how words are counted where they
are written without spaces, and which settings of the algorithm apply.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from operator import itemgetter
from pathlib import Path

import numpy as np
import polars as pl
from lxml import etree

from corpusprep._native.pages import StopList
from corpusprep.cleaners.interface import Algorithm
from corpusprep.cleaners.texrex.markup_blocks import MarkupSegmenter
from corpusprep.extraction.boilerplate import (
    CHUNK_BYTES,
    Chunks,
    ParsedPage,
    References,
    about_pages,
    batch_of,
    parsed_pages,
    segmenter_of,
)
from corpusprep.extraction.templates import Templates
from corpusprep.languages.known_languages import KnownLanguages, PageTexts
from corpusprep.pages.segmentation import Blocks, Segmenter
from corpusprep.tables import schemas
from corpusprep.tables.reading import read_table
from corpusprep.tables.writing import TableWriter

#: A block with a larger share of words in links says little about the language of the page, unless there is no other.
MOST_LINKED = 0.5
#: UTF-8 that decides; with fewer than LEAST_CHARACTERS in blocks with few links, all blocks count.
MOST_BYTES, LEAST_CHARACTERS = 10_000, 200
#: Of pages that are held until their blocks become rows: each language among them is a frame of its own.
HELD_BYTES = 2 * CHUNK_BYTES


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
            # Few trees are held: freeing those of many pages at once takes four times as long as one after another.
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
    """Replaces the counts of some pages by those of the same pages, cut as another language."""
    ranges = [np.arange(blocks.pages[page], blocks.pages[page + 1]) for page in pages]
    places = np.concatenate(ranges)
    for name in ("words", "link_words", "alphabetic_words", "stop_words"):
        getattr(blocks, name)[places] = getattr(measured, name)
    if blocks.structure is not None and measured.structure is not None:
        ends = blocks.structure.block_pieces
        pieces = np.concatenate([np.arange(ends[blocks.pages[page]], ends[blocks.pages[page + 1]]) for page in pages])
        for name in ("words", "link_words", "flags"):
            getattr(blocks.structure, name)[pieces] = getattr(measured.structure, name)


class _Gathered:
    """Holds rows of blocks until those of all languages are there."""

    def __init__(self) -> None:
        self.frames: list[pl.DataFrame] = []

    def extend(self, frame: pl.DataFrame) -> None:
        """Adds rows."""
        self.frames.append(frame)


def classify_batch_of_languages(
    encoding: Path,
    known: KnownLanguages,
    classifier: Algorithm,
    own: Mapping[str, Algorithm],
    blocks: TableWriter,
    references: Sequence[Path] = (),
    *,
    texts_kept: bool = True,
    refuse: Collection[str] = (),
    templates: Path | None = None,
    least_share: float | None = None,
    robots: tuple[Sequence[Path], str] | None = None,
) -> pl.DataFrame:
    """Classifies the blocks of every page of a batch, in the language of the page.

    Args:
        encoding: the batch's table of `encoding`.
        known: the languages that pages may be in. A page without letters has none: no stop words count.
        classifier: the boilerplate algorithm.
        own: the algorithm of languages that have another, by code. None compares pages.
        blocks: where the rows of schemas.BOILERPLATE go.
        references: as of boilerplate.classify_batch.
        texts_kept: the same.
        refuse: the same.
        templates: the same.
        least_share: the same.
        robots: the same.

    Returns:
        The table schemas.PAGES.

    Raises:
        ModelError: the algorithm's model is damaged, or of another version or language.
        OwnCodeError: a user's own cleaner fails, or does not keep its interface; names the record.
    """
    rows = read_table(encoding, schemas.ENCODING)
    about = about_pages(rows, texts_kept, robots)
    recurring = None if templates is None else Templates(rows, templates)
    if not own and not _cut_apart(classifier):
        segmenter = SegmenterOfLanguages(known, classifier)
        chunks = Chunks(batch_of(rows), segmenter, classifier, blocks, None, *about, refuse, recurring, least_share)
        for page in parsed_pages(rows):
            chunks.add(page)
        chunks.flush()
        return pl.concat(chunks.pages)
    found = References(rows, references) if classifier.needs_references else None
    gathered = _Gathered()
    used: dict[tuple[int, str | None], Chunks] = {}

    def chunks_of(code: str | None) -> Chunks:
        algorithm = own.get(code or "", classifier)
        key = id(algorithm), code if _cut_apart(algorithm) else None
        if key not in used:
            segmenter = _segmenter(known, code, algorithm)
            compared = found if algorithm is classifier else None
            used[key] = Chunks(
                batch_of(rows), segmenter, algorithm, gathered, compared, *about, refuse, recurring, least_share
            )
        return used[key]

    pages: list[pl.DataFrame] = []
    route = _Route(known)
    held = 0

    def flush() -> None:
        for page, code in route.take():
            chunks_of(code).add(page)
        for chunks in used.values():
            chunks.flush()
            pages.extend(chunks.pages)
            chunks.pages = []
        cut = pl.concat([schemas.BOILERPLATE.to_frame(), *gathered.frames])
        blocks.extend(cut.sort("record", "block"))
        gathered.frames.clear()

    for page in parsed_pages(rows):
        route.add(page)
        held += page.size
        if held >= HELD_BYTES:
            flush()
            held = 0
    flush()
    return pl.concat(
        [schemas.PAGES.to_frame(), *(page.select(schemas.PAGES.names()).cast(schemas.PAGES) for page in pages)]
    ).sort("record")


def _cut_apart(algorithm: Algorithm) -> bool:
    """Returns whether the language of a page must be known before it is cut: from its markup, or to be compared."""
    return algorithm.markup_forms is not None or algorithm.needs_references


def _segmenter(known: KnownLanguages, code: str | None, algorithm: Algorithm) -> Segmenter | MarkupSegmenter:
    """Returns what cuts pages for an algorithm: those of one language (None: of none), or all of them."""
    if not _cut_apart(algorithm):
        return SegmenterOfLanguages(known, algorithm)
    model = known.models[code] if code else None
    return segmenter_of(algorithm, *((model.stop_words, model.characters_per_word) if model else ((), 0.0)))


class _Route:
    """Finds the languages of pages before they are cut as such."""

    def __init__(self, known: KnownLanguages) -> None:
        self._known = known
        self._segmenter = Segmenter(())
        self._pages: list[ParsedPage] = []

    def add(self, page: ParsedPage) -> None:
        """Adds a page."""
        self._segmenter.add(page.root)
        self._pages.append(page)

    def take(self) -> list[tuple[ParsedPage, str | None]]:
        """Returns the pages added since the last call, with the code of the language of each."""
        pages, self._pages = self._pages, []
        return list(zip(pages, page_languages(self._known, self._segmenter.take()), strict=True))
