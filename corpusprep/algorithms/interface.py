"""What every boilerplate algorithm is given and gives back."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from corpusprep.segmentation import TextBlock


@dataclass(slots=True, frozen=True)
class Classes:
    """What an algorithm says of a page's blocks: three lists, each as long as the page has blocks."""

    context_free: list[str]  # good, near-good, short or bad
    final: list[str]  # good or bad
    verdicts: list[str]  # kept, or one of verdicts.BLOCK_REASONS


class Algorithm(Protocol):
    """Anything that classifies the blocks of one page."""

    def classify(self, blocks: Sequence[TextBlock]) -> Classes:
        """Classifies the blocks of one page, given in document order."""
        ...
