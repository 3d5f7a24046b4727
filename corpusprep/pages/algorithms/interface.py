"""What every boilerplate algorithm is given and gives back."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from corpusprep.pages.segmentation import Blocks
from corpusprep.tables.verdicts import BLOCK_REASONS, KEPT

#: Context-free classes, by their codes in arrays.
LABELS = ("bad", "short", "near-good", "good")
#: Verdicts on blocks, by their codes in arrays.
VERDICTS = (KEPT, *BLOCK_REASONS)


@dataclass(slots=True, frozen=True)
class Classes:
    """What an algorithm says of n blocks."""

    context_free: NDArray[np.uint8]  # n indices into LABELS
    good: NDArray[np.bool_]  # n: whether the block is main content
    verdicts: NDArray[np.uint8]  # n indices into VERDICTS; 0, kept, exactly where the block is good


class Algorithm(Protocol):
    """Anything that classifies the blocks of pages; what it says of a page depends on that page alone."""

    @property
    def structure(self) -> bool:
        """Whether it asks for Blocks.structure (Segmenter's argument of the same name)."""
        ...

    def classify(self, blocks: Blocks) -> Classes:
        """Classifies all blocks; blocks.pages says where pages begin."""
        ...


def without_context(verdicts: NDArray[np.uint8]) -> Classes:
    """The classes of an algorithm that knows good and bad alone, from its n verdicts (indices into VERDICTS)."""
    good = verdicts == 0
    return Classes(np.where(good, LABELS.index("good"), LABELS.index("bad")).astype(np.uint8), good, verdicts)
