"""Cuts the trees of pages into textual blocks, and measures these (Pomikálek 2011, 2.7 and 2.7.1).

Blocks end at block-level elements (the thesis's, footnote 15, and those that HTML has had since) and at
two or more <br> in a row. Left out are the contents of <script>, <style>, <svg> and <template>, the metadata in
<head> (2.7.1 says <header>, but means <head>), text that is not shown (native/pages/shown_elements.hpp), and
characters that nobody sees (native/text/visible.hpp): control characters, soft hyphens, private-use characters of icon
fonts. White space is folded to single spaces.
"""

import itertools
import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from lxml import etree
from numpy.typing import NDArray

from corpusprep._native import pages as native
from corpusprep._native.arrow import Texts
from corpusprep._native.unicode import nfc, visible
from corpusprep.pages.features import TYPES, Features, NameHashes
from corpusprep.pages.outline import Outline
from corpusprep.pages.structure import Structure

_HEADING, _IN_SELECT, _COPYRIGHT = 1, 2, 4


@dataclass(slots=True, frozen=True)
class HiddenText:
    """Text of pages that is not shown, as n blocks of its own; no algorithm sees it.

    Attributes:
        blocks: the blocks, without structure and features.
        before: int64, n: how many of the page's other blocks end before each.
    """

    blocks: "Blocks"
    before: NDArray[np.int64]

    def first(self, pages: int) -> "HiddenText":
        """Returns the text of the first `pages` pages."""
        return HiddenText(self.blocks.first(pages), self.before[: int(self.blocks.pages[pages])])


@dataclass(slots=True)  # freezing it would take `extract` 2 µs per page
class Blocks:
    """The blocks of one or more pages, column by column; n blocks, in document order. No block is empty.

    Attributes:
        text: UTF-8 of all blocks, one after another.
        offsets: int64, n + 1: block i is text[offsets[i]:offsets[i + 1]].
        pages: int64, pages + 1: page p has the blocks from pages[p] to pages[p + 1].
        tags: uint8, n: TAGS[tags[i]] is the innermost block-level element around the start of block i.
        flags: uint8, n: see heading, in_select, copyright.
        words: uint32, n: white-space separated words.
        link_words: uint32, n: words with a character inside <a>.
        alphabetic_words: uint32, n: longest sequences of letters and marks; hyphenated ones are one word
            (2.7.2, footnote 16).
        stop_words: uint32, n: alphabetic words that are in the stop list.
        structure: the pieces of text and the elements that blocks consist of; None unless Segmenter was asked for it.
        invisible: uint32, pages: characters that nobody sees and that were left out; None if it is not known.
        titles: with the structure, each page's <title>.
        features: what a learned cleaner reads, and its scores; None unless Segmenter was asked for it.
        breaks: int64, ascending: places in `text` of zero-width spaces between words of scripts of South-East Asia,
            which are left out of it; None if they are not known.
        markup: int16, (n, 37): the features of texrex, in 2^-14; None for blocks of Segmenter.
        hidden: text that is not shown, beside these blocks; None if it is not known.
        outline: what Markdown says of blocks beside their text; None unless Segmenter was asked for it.

    Where words are written without spaces (Segmenter's characters_per_word), words and link_words are the
    letters, and those in links, divided by the mean length of a word, and at least 1; words of other scripts
    and numbers are added. alphabetic_words and stop_words then count characters: the letters, and those that
    a stop word matches, the longest match first, from left to right.
    """

    text: bytes
    offsets: NDArray[np.int64]
    pages: NDArray[np.int64]
    tags: NDArray[np.uint8]
    flags: NDArray[np.uint8]
    words: NDArray[np.uint32]
    link_words: NDArray[np.uint32]
    alphabetic_words: NDArray[np.uint32]
    stop_words: NDArray[np.uint32]
    structure: Structure | None = None
    invisible: NDArray[np.uint32] | None = None
    titles: tuple[str, ...] = ()
    features: Features | None = None
    markup: NDArray[np.int16] | None = None
    hidden: HiddenText | None = None
    outline: Outline | None = None
    breaks: NDArray[np.int64] | None = None

    def __len__(self) -> int:
        """The number of blocks."""
        return len(self.words)

    @property
    def heading(self) -> NDArray[np.bool_]:
        """Whether each block is in h1 … h6."""
        return self._flagged(_HEADING)

    @property
    def in_select(self) -> NDArray[np.bool_]:
        """Whether each block is among the choices of a form."""
        return self._flagged(_IN_SELECT)

    @property
    def copyright(self) -> NDArray[np.bool_]:
        """Whether each block contains ©."""
        return self._flagged(_COPYRIGHT)

    def _flagged(self, flag: int) -> NDArray[np.bool_]:
        flagged: NDArray[np.bool_] = (self.flags & flag) != 0
        return flagged

    @property
    def link_density(self) -> NDArray[np.float64]:
        """The share of each block's words that are in links."""
        return self.link_words / self.words

    @property
    def stopword_density(self) -> NDArray[np.float64]:
        """The share of stop words among each block's alphabetic words; 0 if it has none."""
        return self.stop_words / np.maximum(self.alphabetic_words, 1)

    @property
    def types(self) -> NDArray[np.uint8]:
        """What each block is in the structure of the text, as an index into TYPES.

        Predicted with Features; otherwise h1 … h6 are headings, li items of lists.
        """
        if self.features is not None:
            return self.features.types
        return _TYPES_BY_TAG.take(self.tags + self.heading * np.uint8(len(TAGS)))

    def repeated(self) -> NDArray[np.bool_] | None:
        """Returns whether each block is running text that its page had before, on pages that repeat their text.

        They do if more than a third of the words of their running text is in such blocks: an article for the screen and
        for print. Running text is in blocks of 12 words or more, with a link density below 0.4. None: no block is.
        """
        return native.repeated_text(self.text, self.offsets, self.pages, self.words, self.link_words)

    def column(self) -> Texts:
        """Returns each block's text, as a column for polars."""
        return Texts(self.text, self.offsets)

    def first(self, pages: int) -> "Blocks":
        """Returns the blocks of the first `pages` pages, without their structure and features."""
        end = int(self.pages[pages])
        columns = ("tags", "flags", "words", "link_words", "alphabetic_words", "stop_words")
        return Blocks(
            self.text[: self.offsets[end]],
            self.offsets[: end + 1],
            self.pages[: pages + 1],
            **{name: getattr(self, name)[:end] for name in columns},
            invisible=None if self.invisible is None else self.invisible[:pages],
            hidden=None if self.hidden is None else self.hidden.first(pages),
            breaks=None if self.breaks is None else self.breaks[self.breaks < self.offsets[end]],
        )

    def breaks_of_blocks(self) -> list[list[int] | None]:
        """Returns the places of zero-width spaces in each block, in characters of its text; None if it has none."""
        places: list[list[int] | None] = [None] * len(self)
        if self.breaks is None or not len(self.breaks):
            return places
        numbers = np.searchsorted(self.offsets, self.breaks, side="right") - 1
        place = end = -1
        for number, following in zip(numbers.tolist(), self.breaks.tolist(), strict=True):
            found = places[number]
            if found is None:
                found = places[number] = []
                place, end = 0, int(self.offsets[number])
            place += len(self.text[end:following].decode())
            found.append(place)
            end = following
        return places

    def texts(self) -> list[str]:
        """Returns each block's text."""
        bounds = self.offsets.tolist()
        return [self.text[start:end].decode("utf-8") for start, end in itertools.pairwise(bounds)]


#: Names of the block-level elements; the first, "body", stands for text in none of them.
TAGS = native.BLOCK_TAGS
#: Types, as indices into TYPES: of blocks by their tag, and by the tag of those in h1 … h6.
_TYPES_BY_TAG = np.array(
    [TYPES.index("l" if tag == "li" else "p") for tag in TAGS] + [TYPES.index("h")] * len(TAGS), np.uint8
)


class BlockScorer(Protocol):
    """A learned cleaner that scores the blocks of whole pages, once they are cut."""

    @property
    def features(self) -> Sequence[int]:
        """The features that it reads: places in feature_descriptions, ascending."""
        ...

    def scores(self, blocks: Blocks, columns: NDArray[np.uint8]) -> NDArray[np.uint16]:
        """Returns the score of each of n blocks, 0 to 1000; `columns` are its features, shape (features, n)."""
        ...


class PageSegmenter(Protocol):
    """Cuts pages into blocks, from their trees or from their markup."""

    @property
    def reads_trees(self) -> bool:
        """Whether it reads the trees of pages; otherwise it needs none."""

    def add_page(self, markup: str | bytes, root: etree._Element | None) -> str:
        """Cuts a page, given as text or valid UTF-8, and as its tree (html.parse); returns its title."""

    def skip(self) -> None:
        """Adds a page without blocks."""

    def keep_composition(self) -> None:
        """Leaves texts and titles as they are composed; otherwise they are in normalisation form C."""

    def take(self) -> Blocks:
        """Returns the blocks of the pages added since the last call."""


class Segmenter:
    """Cuts pages into blocks. Blocks of many pages are taken at once, as columns.

    Attributes:
        keeps_hidden: whether text that is not shown stays in the blocks; otherwise it is in Blocks.hidden.
        keeps_readings: the same of ruby, which says how the characters before are read (<rt>, <rp>).
    """

    reads_trees = True
    keeps_hidden = keeps_readings = False

    def __init__(
        self,
        stop_words: Collection[str],
        characters_per_word: float = 0.0,
        *,
        structure: bool = False,
        features: bool = False,
        table_words: bool = False,
        model: native.BlockModel | BlockScorer | None = None,
        outline: bool = False,
    ) -> None:
        """A segmenter for pages in one language.

        Args:
            stop_words: the forms to count, matched as they stand, in normalisation form C.
            characters_per_word: the mean length of a word where words are written without spaces (Chinese,
                Japanese, Thai): word count = characters / mean length of a word, and stop words are matched as
                sequences of characters. 0: white space separates words.
            structure: whether to gather Blocks.structure too.
            features: whether to gather the columns of Blocks.features too.
            table_words: whether to gather Features.hashes, which the tables of a model are trained from.
            model: a learned model that scores the blocks (Features.scores), on its own or as a BlockScorer.
            outline: whether to gather Blocks.outline too.

        Raises:
            ValueError: a length that is negative or not finite.
        """
        if not 0.0 <= characters_per_word < math.inf:
            raise ValueError(f"characters_per_word must be 0 or more: {characters_per_word}")
        own = model if isinstance(model, native.BlockModel) else None
        self._scorer = None if model is None or isinstance(model, native.BlockModel) else model
        self._keeps_columns = features
        # A scorer gets its features alone, unless all are asked for.
        wanted = None if self._scorer is None or features else list(self._scorer.features)
        self._native = native.Segmenter(
            {nfc(word) for word in stop_words},
            characters_per_word,
            structure,
            features or wanted is not None,
            table_words,
            own,
            wanted,
            outline,
        )
        self._titles: list[str] | None = [] if structure else None
        self._composed = True

    def keep_composition(self) -> None:
        """Leaves texts and titles as they are composed."""
        self._composed = False
        self._native.keep_composition()

    def add(self, root: etree._Element | None) -> None:
        """Segments the page with this tree (html.parse); None is a page without blocks."""
        self._native.add(root, self.keeps_hidden, self.keeps_readings)
        if self._titles is not None:
            self._titles.append(title_of(root, composed=self._composed))

    def add_page(self, markup: str | bytes, root: etree._Element | None) -> str:
        """Segments the page with this tree, and returns its title."""
        self.add(root)
        return title_of(root, composed=self._composed)

    def skip(self) -> None:
        """Adds a page without blocks."""
        self.add(None)

    def take(self) -> Blocks:
        """Returns the blocks of the pages added since the last call."""
        arrays = self._native.take()
        structure, gathered, invisible, breaks, unseen, outlines = arrays[-6:]
        features = None
        if gathered is not None:
            columns, kinds, types, scores, hashes = gathered
            features = Features(columns, kinds, types, scores, None if hashes is None else NameHashes(*hashes))
        titles: tuple[str, ...] = ()
        if self._titles is not None:
            titles, self._titles = tuple(self._titles), []
        pieces = None if structure is None else Structure(*structure)
        hidden = HiddenText(Blocks(*unseen[:-1]), unseen[-1])
        outline = None if outlines is None else Outline(*outlines)
        blocks = Blocks(
            *arrays[:-6], pieces, invisible, titles, features, hidden=hidden, outline=outline, breaks=breaks
        )
        return blocks if self._scorer is None else self._scored(blocks, self._scorer)

    def _scored(self, blocks: Blocks, scorer: BlockScorer) -> Blocks:
        """Returns the blocks with the scores of a scorer."""
        features = blocks.features
        if features is None or features.columns is None:
            raise ValueError("blocks were cut without features")
        columns = features.columns[list(scorer.features)] if self._keeps_columns else features.columns
        kept = features.columns if self._keeps_columns else None
        return replace(blocks, features=replace(features, columns=kept, scores=scorer.scores(blocks, columns)))


def title_of(root: etree._Element | None, *, composed: bool = True) -> str:
    """Returns the page's title, white space folded, without characters that nobody sees; empty if it has none.

    It is in normalisation form C, if `composed`.
    """
    title = " ".join(visible(native.page_title(root)).split()) if root is not None else ""
    return nfc(title) if composed else title
