"""Segmentation of pages into blocks (native/pages/)."""

from collections.abc import Collection, Sequence

import numpy as np
from lxml import etree
from numpy.typing import NDArray

BLOCK_TAGS: tuple[str, ...]
KINDS: tuple[str, ...]  # of blocks, by their codes
TYPES: tuple[str, ...]  # the same
UNSHOWN_CLASSES: frozenset[str]  # by which common style sheets hide an element or fold it up
FEATURES: tuple[tuple[str, str, str], ...]  # name, unit and source of each feature, in the order of the columns
NAME_COLUMNS: int  # the last features: those that need the tables of a model
SHORT_BLOCK: int  # words; longer blocks have no words in a table

_Names = tuple[
    NDArray[np.int32],
    NDArray[np.uint8],
    NDArray[np.int64],
    NDArray[np.uint32],
    NDArray[np.int32],
    NDArray[np.int64],
    NDArray[np.uint32],
]

class BlockModel:
    """A learned model of blocks (native/pages/block_model.hpp)."""

    def __init__(
        self,
        name_keys: NDArray[np.uint32],
        name_weights: NDArray[np.int8],
        word_keys: NDArray[np.uint32],
        word_weights: NDArray[np.int8],
        depths: NDArray[np.uint8],
        features: NDArray[np.uint8],
        thresholds: NDArray[np.uint8],
        leaves: NDArray[np.int16],
        borders: NDArray[np.int32],
        bias: int,
    ) -> None:
        """Keys ascend; weights have shape (keys, 2) for names and (keys, 1) for words.

        Raises:
            ValueError: the arrays do not fit together, or name a feature that does not exist.
        """

    def scores(self, columns: NDArray[np.uint8]) -> NDArray[np.uint16]:
        """Returns the scores, per mille, of blocks with these features, shape (features, blocks)."""

    def sums(self, columns: NDArray[np.uint8]) -> NDArray[np.int32]:
        """Returns the sums that become scores."""

def name_columns(
    parents: NDArray[np.int32],
    containers: NDArray[np.uint8],
    name_offsets: NDArray[np.int64],
    names: NDArray[np.uint32],
    leaves: NDArray[np.int32],
    word_offsets: NDArray[np.int64],
    words: NDArray[np.uint32],
    name_keys: NDArray[np.uint32],
    name_weights: NDArray[np.int8],
    word_keys: NDArray[np.uint32],
    word_weights: NDArray[np.int8],
) -> NDArray[np.uint8]:
    """Returns the features that need tables, shape (NAME_COLUMNS, blocks)."""

def repeated_text(
    text: bytes,
    offsets: NDArray[np.int64],
    pages: NDArray[np.int64],
    words: NDArray[np.uint32],
    link_words: NDArray[np.uint32],
) -> NDArray[np.bool_] | None:
    """Returns whether each block is in text that its page has twice (native/pages/repeated_text.hpp); None: none is."""

def leave_out_hidden(
    scores: NDArray[np.uint16], sizes: NDArray[np.uint32], hidden: NDArray[np.uint8]
) -> NDArray[np.uint16]:
    """Returns the scores of the blocks of one page, 0 for hidden ones if more main content is shown than hidden.

    Blocks with a score of 500 or more count as main content.

    Args:
        scores: per mille, n.
        sizes: bytes of the texts, n.
        hidden: 1 for blocks in an element that is not shown, n.

    Raises:
        ValueError: the lengths differ.
    """

def page_title(root: etree._Element) -> str:
    """Returns the text inside the first <title> below `root`, unchanged; "" if there is none."""

class StopList:
    """The stop words of a language whose words are separated by white space."""

    def __init__(self, stop_words: Collection[str]) -> None:
        """`stop_words`: the forms to count, matched as they stand."""

    def counts(self, text: bytes, offsets: NDArray[np.int64]) -> NDArray[np.uint32]:
        """Returns the stop words of each block, as Segmenter counts them.

        Args:
            text: UTF-8 of blocks, one after another.
            offsets: block i is text[offsets[i]:offsets[i + 1]].
        """

class Segmenter:
    """Collects the blocks of pages."""

    def __init__(
        self,
        stop_words: Collection[str],
        characters_per_word: float,
        structure: bool = False,
        features: bool = False,
        names: bool = False,
        model: BlockModel | None = None,
        wanted: Sequence[int] | None = None,
        outline: bool = False,
    ) -> None:
        """`wanted`: the features to gather, if not all of them."""

    def add(self, root: etree._Element | None, hidden: bool = False, readings: bool = False) -> None:
        """Walks the tree of a page without the GIL. None adds a page without blocks.

        Text that is not shown, and readings of characters (ruby), are apart from the blocks unless they are kept.
        """

    def keep_composition(self) -> None:
        """Keeps the characters of the pages added from now on as they are composed; otherwise they are in form C."""

    def last_without_spaces(self) -> bool:
        """Returns whether the page added last has a character of a script whose words are written without spaces."""

    def take(
        self,
    ) -> tuple[
        bytes,
        NDArray[np.int64],
        NDArray[np.int64],
        NDArray[np.uint8],
        NDArray[np.uint8],
        NDArray[np.uint32],
        NDArray[np.uint32],
        NDArray[np.uint32],
        NDArray[np.uint32],
        tuple[
            NDArray[np.int64],
            NDArray[np.int64],
            NDArray[np.uint32],
            NDArray[np.uint32],
            NDArray[np.uint32],
            NDArray[np.uint8],
            NDArray[np.int64],
            NDArray[np.int64],
            NDArray[np.int64],
            NDArray[np.int64],
            NDArray[np.uint32],
            NDArray[np.uint8],
        ]
        | None,
        tuple[NDArray[np.uint8] | None, NDArray[np.uint8], NDArray[np.uint8], NDArray[np.uint16] | None, _Names | None]
        | None,
        NDArray[np.uint32],
        NDArray[np.int64],
        tuple[
            bytes,
            NDArray[np.int64],
            NDArray[np.int64],
            NDArray[np.uint8],
            NDArray[np.uint8],
            NDArray[np.uint32],
            NDArray[np.uint32],
            NDArray[np.uint32],
            NDArray[np.uint32],
            NDArray[np.int64],
        ],
        tuple[
            NDArray[np.int32],
            bytes,
            NDArray[np.int64],
            NDArray[np.int64],
            NDArray[np.uint32],
            NDArray[np.uint32],
            NDArray[np.uint8],
            NDArray[np.int64],
            bytes,
            NDArray[np.int64],
        ]
        | None,
    ]:
        """Returns the columns of the blocks since the last call.

        They are text, offsets, pages, tags, flags, words, link words, alphabetic words, stop words, the columns of
        corpusprep.pages.structure.Structure and of corpusprep.pages.features.Features if asked for, the invisible
        characters left out of each page, the places of zero-width spaces between words, text that is not shown (the
        first columns, and HiddenText.before), and the columns of corpusprep.pages.outline.Outline if asked for.
        """
