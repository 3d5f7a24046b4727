from collections.abc import Collection

import numpy as np
from lxml import etree
from numpy.typing import NDArray

BLOCK_TAGS: tuple[str, ...]

def page_title(root: etree._Element) -> str:
    """The text inside the first <title> below `root`, as it stands there; "" if there is none."""

class Segmenter:
    def __init__(self, stop_words: Collection[str], characters_per_word: float, structure: bool = False) -> None: ...
    def add(self, root: etree._Element | None) -> None:
        """Walks a page's tree without the GIL; None adds a page without blocks."""

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
    ]:
        """(text, offsets, pages, tags, flags, words, link words, alphabetic words, stop words, structure) since the
        last call; the structure's columns as in corpusprep.pages.structure.Structure, None unless asked for.
        """
