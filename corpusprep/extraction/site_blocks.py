"""Says which blocks recur on the pages of a site, and which of its pages count as one.

Pages with one title and one first heading count as one: an article with several addresses is no template. A block is
known by its text and the element that opened it.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from corpusprep.pages.segmentation import TAGS, Blocks

_HEADING = TAGS.index("h1")


def block_keys(blocks: Blocks) -> NDArray[np.uint64]:
    """Returns a key of the element and text of each block."""
    tags = [name.encode() + b"\0" for name in TAGS]
    bounds, text = blocks.offsets.tolist(), blocks.text
    return _digests(
        tags[tag] + text[bounds[block] : bounds[block + 1]] for block, tag in enumerate(blocks.tags.tolist())
    )


def title_keys(titles: Sequence[str], blocks: Blocks) -> NDArray[np.uint64]:
    """Returns a key of the title and first <h1> of each page, or of its text if it has neither.

    Args:
        titles: of n pages.
        blocks: theirs.
    """
    bounds, text, pages = blocks.offsets.tolist(), blocks.text, blocks.pages.tolist()
    headings = np.flatnonzero(blocks.tags == _HEADING).tolist()
    of_pages = np.searchsorted(headings, blocks.pages).tolist()

    def names() -> Iterator[bytes]:
        for page, title in enumerate(titles):
            name = title.encode()
            if of_pages[page] < of_pages[page + 1]:
                heading = headings[of_pages[page]]
                name += b"\0" + text[bounds[heading] : bounds[heading + 1]]
            yield name or b"\0\0" + text[bounds[pages[page]] : bounds[pages[page + 1]]]

    return _digests(names())


def shares_of_site(titles: Sequence[str], blocks: Blocks) -> NDArray[np.float64]:
    """Returns the share of the pages of one site that have each of n blocks: 0 for a block of one page only.

    Args:
        titles: of the pages.
        blocks: theirs.
    """
    own, keys = np.repeat(title_keys(titles, blocks), np.diff(blocks.pages)), block_keys(blocks)
    pairs = np.unique(np.stack([keys, own], axis=1), axis=0)
    different, pages = np.unique(pairs[:, 0], return_counts=True)
    of_blocks = pages[np.searchsorted(different, keys)]
    return np.where(of_blocks > 1, of_blocks / max(len(np.unique(own)), 1), 0.0)


def _digests(names: Iterable[bytes]) -> NDArray[np.uint64]:
    """Returns the first 64 bits of the BLAKE2b digest of each name."""
    digests = b"".join(hashlib.blake2b(name, digest_size=8).digest() for name in names)
    return np.frombuffer(digests, "<u8").astype(np.uint64)
