"""Cuts the markup of pages into the blocks of texrex, and measures its features (Schäfer 2016, section 2).

The page is read as text, without a tree: a block ends at each start or end tag of article, blockquote, div, h1 to h6,
li, p, section and td. native/pages/texrex.hpp says what is left out, and where this reading differs from texrex's.
"""

from collections.abc import Collection
from html.entities import html5

from lxml import etree

from corpusprep._native import texrex as native
from corpusprep._native.unicode import nfc, visible
from corpusprep.pages.segmentation import Blocks

#: The value 1 of a feature, as Blocks.markup has it.
ONE = 1 << native.PLACES


class MarkupSegmenter:
    """Cuts pages into blocks. Blocks of many pages are taken at once, as columns."""

    reads_trees = False

    def __init__(
        self, stop_words: Collection[str], characters_per_word: float = 0.0, *, keep_forms: bool = True
    ) -> None:
        """A segmenter for pages in one language.

        Args:
            stop_words: the forms to count, matched as they stand.
            characters_per_word: as in corpusprep.pages.segmentation.Segmenter.
            keep_forms: whether text in forms is text of the page.
        """
        self._composed = True
        self._native = native.Segmenter({nfc(word) for word in stop_words}, characters_per_word, html5, keep_forms)

    def add(self, page: str | bytes) -> str:
        """Cuts a page, given as text or as valid UTF-8.

        Returns:
            Its title: white space folded, without characters that nobody sees.
        """
        markup = page if isinstance(page, bytes) else page.encode("utf-8", "replace")
        title = " ".join(visible(self._native.add(markup)).split())
        return nfc(title) if self._composed else title

    def keep_composition(self) -> None:
        """Leaves texts and titles as they are composed."""
        self._composed = False
        self._native.keep_composition()

    def add_page(self, markup: str | bytes, root: etree._Element | None) -> str:
        """Cuts a page, and returns its title; its tree is not read."""
        return self.add(markup)

    def skip(self) -> None:
        """Adds a page without blocks."""
        self._native.skip()

    def take(self) -> Blocks:
        """Returns the blocks of the pages added since the last call, with Blocks.markup."""
        cut = self._native.take()
        return Blocks(*cut[:-2], invisible=cut[-2], markup=cut[-1])
