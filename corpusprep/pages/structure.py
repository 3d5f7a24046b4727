"""The structure of pages: the pieces of text between two tags, and the elements of the tree."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_LINKED, _GLUED, _CUT = 1, 2, 4


@dataclass(slots=True, frozen=True)
class Structure:
    """The m pieces and e elements of one or more pages, in document order.

    A piece is text that no tag interrupts: a text node, or several with only comments or elements without text
    (<script>, <style>, …) between them. The pieces of a block, one after another, are its text.

    Attributes:
        piece_ends: int64, m: where each piece ends in Blocks.text; it starts where the one before ends.
        block_pieces: int64, blocks + 1: block b has the pieces from block_pieces[b] to block_pieces[b + 1].
        words: uint32, m: words that begin in the piece; over a block they sum to its words.
        link_words: uint32, m: words whose first linked character since the last cut is in the piece.
        markup: uint32, m: start and end tags between the piece before (or the page's start) and this one.
        flags: uint8, m: see linked, glued, cut. Where words are written without spaces, none is glued.
        page_elements: int64, pages + 1: page p has the elements from page_elements[p] to page_elements[p + 1].
        element_ends: int64, e: the number of the first element after the element's subtree.
        element_pieces: int64, e: the number of the first piece after the element's start.
        element_piece_ends: int64, e: the number of the first piece after its end.
        element_names: uint32, e: a hash of the name; the same name has the same hash everywhere.
        element_structural: uint8, e: 1 for block-level elements and line breaks.
    """

    piece_ends: NDArray[np.int64]
    block_pieces: NDArray[np.int64]
    words: NDArray[np.uint32]
    link_words: NDArray[np.uint32]
    markup: NDArray[np.uint32]
    flags: NDArray[np.uint8]
    page_elements: NDArray[np.int64]
    element_ends: NDArray[np.int64]
    element_pieces: NDArray[np.int64]
    element_piece_ends: NDArray[np.int64]
    element_names: NDArray[np.uint32]
    element_structural: NDArray[np.uint8]

    def __len__(self) -> int:
        """The number of pieces."""
        return len(self.words)

    @property
    def linked(self) -> NDArray[np.bool_]:
        """Whether each piece stands inside <a>."""
        return (self.flags & _LINKED).astype(np.bool_)

    @property
    def glued(self) -> NDArray[np.bool_]:
        """Whether each piece goes on with the last word of the piece before."""
        return (self.flags & _GLUED).astype(np.bool_)

    @property
    def cut(self) -> NDArray[np.bool_]:
        """Whether a tag other than <a> and </a>, or the page's start, separates each piece from the one before."""
        return (self.flags & _CUT).astype(np.bool_)

    def characters(self, text: bytes) -> NDArray[np.int64]:
        """Returns each piece's characters, without the space before it; `text` is Blocks.text."""
        first_bytes = (np.frombuffer(text, np.uint8) & 0xC0) != 0x80
        totals = np.concatenate([[0], np.cumsum(first_bytes, dtype=np.int64)])
        ends = totals[self.piece_ends]
        starts = np.concatenate([[0], self.piece_ends[:-1]])[: len(ends)]
        spaced = np.frombuffer(text, np.uint8)[starts] == ord(" ") if len(ends) else np.zeros(0, np.bool_)
        counts: NDArray[np.int64] = ends - totals[starts] - spaced
        return counts

    def texts(self, text: bytes) -> list[str]:
        """Returns each piece's text without white space around it; `text` is Blocks.text."""
        ends = self.piece_ends.tolist()
        return [text[start:end].decode("utf-8").strip(" ") for start, end in zip([0, *ends[:-1]], ends, strict=False)]
