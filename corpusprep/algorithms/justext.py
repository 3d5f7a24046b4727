"""jusText: blocks are classified by length, links and stop words, then by their context (Pomikálek 2011, 2.7)."""

from collections.abc import Sequence
from dataclasses import dataclass

from corpusprep.algorithms.interface import Classes
from corpusprep.context import context_sensitive
from corpusprep.segmentation import TextBlock
from corpusprep.verdicts import KEPT


@dataclass(slots=True, frozen=True)
class Thresholds:
    """The parameters of algorithm 2.2: lengths in words, densities as shares of 1."""

    max_link_density: float = 0.2
    length_low: int = 10
    stopwords_low: float = 0.30
    length_high: int = 30
    stopwords_high: float = 0.32


#: The four settings that the thesis evaluates (2.9.5).
PRESETS = {
    "A": Thresholds(),
    "B": Thresholds(length_low=0, length_high=26),
    "C": Thresholds(stopwords_low=0.25, length_high=25, stopwords_high=0.25),
    "D": Thresholds(stopwords_low=0.20, length_high=20, stopwords_high=0.25),
}


class JusText:
    """Algorithms 2.2 and 2.3 with the preprocessing rules of 2.7.1."""

    def __init__(self, thresholds: Thresholds = PRESETS["A"]) -> None:
        self.thresholds = thresholds

    def classify(self, blocks: Sequence[TextBlock]) -> Classes:
        """Classifies the blocks of one page, given in document order."""
        first = [self._context_free(block) for block in blocks]
        labels = [label for label, _ in first]
        final = context_sensitive(labels)
        verdicts = [KEPT if last == "good" else reason for last, (_, reason) in zip(final, first, strict=True)]
        return Classes(labels, final, verdicts)

    def _context_free(self, block: TextBlock) -> tuple[str, str]:
        """The class of algorithm 2.2, and the reason that stands if the block is not kept."""
        limits = self.thresholds
        if "©" in block.text:
            return "bad", "copyright"
        if block.in_select:
            return "bad", "select"
        if block.link_density > limits.max_link_density:
            return "bad", "link_density"
        if block.words < limits.length_low:
            return ("bad", "short_link") if block.link_words else ("short", "short")
        if block.stopword_density > limits.stopwords_high:
            return ("good", KEPT) if block.words > limits.length_high else ("near-good", "near_good")
        if block.stopword_density > limits.stopwords_low:
            return "near-good", "near_good"
        return "bad", "stop_words"
