"""Segmentation of pages into blocks (native/pages/)."""

from collections.abc import Collection

import numpy as np
from lxml import etree
from numpy.typing import NDArray

BLOCK_TAGS: tuple[str, ...]

def page_title(root: etree._Element) -> str:
    """Returns the text inside the first <title> below `root`, unchanged; "" if there is none."""

class Segmenter:
    """Collects the blocks of pages."""

    def __init__(self, stop_words: Collection[str], characters_per_word: float, structure: bool = False) -> None: ...
    def add(self, root: etree._Element | None) -> None:
        """Walks the tree of a page without the GIL. None adds a page without blocks."""

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
        NDArray[np.uint32],
    ]:
        """Returns the columns of the blocks since the last call.

        They are text, offsets, pages, tags, flags, words, link words, alphabetic words, stop words, the columns of
        corpusprep.pages.structure.Structure if asked for, and the invisible characters left out of each page.
        """
