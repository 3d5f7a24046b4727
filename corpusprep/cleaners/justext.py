"""Classifies blocks by length, links and stop words, then by their context: jusText (Pomikálek 2011, 2.7)."""

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from corpusprep._native import context
from corpusprep._native.context_words import BlockKinds, ContextWords
from corpusprep.cleaners.context import classify_context
from corpusprep.cleaners.interface import LABELS, VERDICTS, Algorithm, Classes, Registration, parameter
from corpusprep.errors import StageFileError
from corpusprep.pages.segmentation import Blocks
from corpusprep.tables.verdicts import KEPT

if TYPE_CHECKING:
    import polars as pl

#: By rule (native/pages/rules.hpp): the verdict on a block that does not become good, and its context-free class.
_RULES = (
    ("stop_words", "bad"),
    ("near_good", "near-good"),
    (KEPT, "good"),
    ("short", "short"),
    ("short_link", "bad"),
    ("link_density", "bad"),
    ("select", "bad"),
    ("copyright", "bad"),
)
_VERDICTS = np.array([VERDICTS.index(verdict) for verdict, _ in _RULES], np.uint8)
_CLASSES = np.array([LABELS.index(label) for _, label in _RULES], np.uint8)


@dataclass(slots=True, frozen=True)
class Thresholds:
    """The parameters of algorithm 2.2: lengths in words, densities as shares of 1."""

    max_link_density: float = parameter(0.2, "Link density above which a block is bad.", 0, 1)
    length_low: int = parameter(10, "Words below which a block is short.", 0)
    stopwords_low: float = parameter(0.30, "Stop-word density up to which a block is bad.", 0, 1)
    length_high: int = parameter(30, "Words above which a grammatical block is good.", 0)
    stopwords_high: float = parameter(0.32, "Stop-word density above which a block is grammatical.", 0, 1)


#: The four settings that the thesis evaluates (2.9.5, table 2.7).
PRESETS = {
    "A": Thresholds(),
    "B": Thresholds(length_low=0, length_high=26),
    "C": Thresholds(stopwords_low=0.25, length_high=25, stopwords_high=0.25),
    "D": Thresholds(stopwords_low=0.20, length_high=20, stopwords_high=0.25),
}


@dataclass(slots=True, frozen=True)
class Measures:
    """The measures of n blocks that decide their classes: columns of Blocks with the same names."""

    pages: NDArray[np.int64]
    words: NDArray[np.number]
    link_density: NDArray[np.float64]
    stopword_density: NDArray[np.float64]
    copyright: NDArray[np.bool_]
    in_select: NDArray[np.bool_]

    @classmethod
    def of_rows(cls, rows: "pl.DataFrame") -> "Measures":
        """Returns the measures of stored blocks, from rows with JusText.stored_columns: no page is read again.

        The rules of 2.7.1 come before all thresholds, so the stored verdicts say where they held.

        Raises:
            StageFileError: the rows were not classified by jusText.
        """
        if any((rows["verdict"] == other).any() for other in ("boilerplate", "score", "kind")):
            raise StageFileError("the corpus was not made by jusText: its stored scores do not decide its blocks")
        records = rows["record"].to_numpy().astype(np.int64)
        starts = np.flatnonzero(np.diff(records, prepend=-1))
        return cls(
            pages=np.append(starts, len(records)).astype(np.int64),
            words=rows["words"].to_numpy(),
            link_density=rows["link_density"].to_numpy(),
            stopword_density=rows["stopword_density"].to_numpy(),
            copyright=(rows["verdict"] == "copyright").to_numpy(),
            in_select=(rows["verdict"] == "select").to_numpy(),
        )


class JusText(Algorithm):
    """Algorithms 2.2 and 2.3 with the preprocessing rules of 2.7.1."""

    stored_columns = ("record", "words", "link_density", "stopword_density", "verdict")

    def __init__(self, thresholds: Thresholds = PRESETS["A"]) -> None:
        self.thresholds = thresholds
        self._limits = astuple(thresholds)

    def classify(self, blocks: Blocks, references: NDArray[np.int64] | None = None) -> Classes:
        """Classifies all blocks of all pages."""
        labels = context.classify_counted(
            blocks.words,
            blocks.link_words,
            blocks.alphabetic_words,
            blocks.stop_words,
            blocks.flags,
            blocks.pages,
            _CLASSES,
            _VERDICTS,
            *self._limits,
        )
        return Classes(*labels)

    def classify_measures(self, blocks: Measures) -> Classes:
        """Classifies blocks by their measures."""
        rules = self.rules(blocks)
        context_free = _CLASSES[rules]
        good = classify_context(context_free, blocks.pages).view(np.bool_)
        return Classes(context_free, good, np.where(good, VERDICTS.index(KEPT), _VERDICTS[rules]).astype(np.uint8))

    def classify_stored(self, rows: "pl.DataFrame") -> Classes:
        """Classifies the blocks of pages again from their rows, with stored_columns.

        Raises:
            StageFileError: the rows were not classified by jusText.
        """
        return self.classify_measures(Measures.of_rows(rows))

    @property
    def stored_thresholds(self) -> Thresholds:
        """The thresholds in use."""
        return self.thresholds

    def rules(self, blocks: Measures) -> NDArray[np.uint8]:
        """Returns the rule that decides on each block without its context (native/pages/rules.hpp)."""
        return context.decide(
            np.ascontiguousarray(blocks.words, np.float64),
            np.ascontiguousarray(blocks.link_density, np.float64),
            np.ascontiguousarray(blocks.stopword_density, np.float64),
            np.ascontiguousarray(blocks.copyright).view(np.uint8),
            np.ascontiguousarray(blocks.in_select).view(np.uint8),
            *self._limits,
        )


class Sweep:
    """Counts the words of good blocks at many thresholds: the counts of JusText, in a small part of the time.

    For a threshold it only matters on which side a value lies. Blocks that lie between the same thresholds are of one
    kind, which is classified once. Consecutive blocks with the same class at all thresholds are always kept or removed
    together, and count as one.
    """

    def __init__(self, tried: Sequence[Thresholds]) -> None:
        """A sweep over the thresholds `tried`."""
        thresholds = (
            np.unique([0.0, *(limits.max_link_density for limits in tried)]),
            np.unique([(limits.length_low - 1.0, limits.length_high) for limits in tried]),
            np.unique([(limits.stopwords_low, limits.stopwords_high) for limits in tried]),
        )
        # One example per kind: the highest value between its thresholds.
        axes: list[NDArray[np.float64]] = [np.array([0.0, 1.0])]  # the first: whether the rules of 2.7.1 make it bad
        axes += [np.append(axis, np.inf) for axis in thresholds]
        bad, links, words, stop_words = (kinds.ravel() for kinds in np.meshgrid(*axes, indexing="ij"))
        none = np.zeros(len(bad), dtype=np.bool_)
        kinds = Measures(np.array([0, len(bad)]), words, links, stop_words, bad.astype(np.bool_), none)
        numbers: dict[bytes, int] = {}  # classes at each threshold -> a number for this combination
        classes = np.stack([_CLASSES[JusText(limits).rules(kinds)] for limits in tried], axis=1)
        alike = [numbers.setdefault(row.tobytes(), len(numbers)) for row in classes]
        self._kinds = BlockKinds(*thresholds, np.array(alike, np.uint32))
        self._classes = np.frombuffer(b"".join(numbers), np.uint8).reshape(len(numbers), len(tried))

    def words_kept(self, blocks: Measures, counted: NDArray[np.int64]) -> list[int]:
        """Returns the words of good blocks at each of the thresholds.

        Args:
            blocks: of whole pages.
            counted: the words that count, of each block.
        """
        kinds, words, pages = self._kinds.runs(
            (blocks.copyright | blocks.in_select).view(np.uint8),
            blocks.link_density,
            np.ascontiguousarray(blocks.words, np.int64),
            blocks.stopword_density,
            counted,
            blocks.pages,
        )
        context_words = ContextWords(self._classes)
        context_words.add(kinds, words.astype(np.uint32), pages)
        return context_words.words()


ALGORITHMS = (
    Registration(
        name="justext",
        make=JusText,
        description="Keeps blocks by length, links and stop words, then by their context.",
        source="Pomikálek 2011, 2.7",
        parameters=PRESETS["A"],
        presets=PRESETS,
        evaluated={f"jusText {preset}": preset for preset in PRESETS},
    ),
)
