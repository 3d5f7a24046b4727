"""Labels the sequence of a page's blocks with a conditional random field: Victor (Marek, Pecina and Spousta 2007).

The blocks are ours, where Victor labels text nodes. The score of a block is the probability that it is main content;
from 0.5 on, the block is so in the most likely sequence of labels, which is what Victor keeps.
"""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from corpusprep.errors import StageFileError
from corpusprep.pages.algorithms.interface import (
    VERDICTS,
    Algorithm,
    Classes,
    Registration,
    ScoreThresholds,
    parameter,
    without_context,
)
from corpusprep.pages.block_models import TOP_SCORE, shipped_model
from corpusprep.pages.segmentation import Blocks
from corpusprep.pages.victor_models import VictorModel, read_model

if TYPE_CHECKING:
    import polars as pl

_SCORE = VERDICTS.index("score")


@dataclass(slots=True, frozen=True)
class VictorSettings:
    """What is kept, and by which model."""

    threshold: float = parameter(0.5, "Lowest score of main content; 0.5 is the most likely sequence.", 0, 1)
    model: str = parameter("", "Model file; empty: the one that comes with the package.")


class Victor(Algorithm):
    """Scores by a conditional random field, and a threshold."""

    needs_language = False
    stored_columns = ("record", "score")

    def __init__(self, settings: VictorSettings = VictorSettings()) -> None:
        self.settings = settings

    @cached_property
    def model(self) -> VictorModel:
        """The model, read on first use.

        Raises:
            ModelError: it is missing, damaged, or made for something else.
        """
        path = self.settings.model
        return read_model(Path(path).expanduser() if path else shipped_model("victor"))

    @property
    def block_model(self) -> VictorModel:
        """The model as Segmenter takes it."""
        return self.model

    def classify(self, blocks: Blocks, references: NDArray[np.int64] | None = None) -> Classes:
        """Classifies all blocks of all pages."""
        features = blocks.features
        if features is None or features.scores is None:
            raise ValueError("the algorithm needs Segmenter(…, model=algorithm.block_model)")
        return self._classify(features.scores)

    def classify_stored(self, rows: "pl.DataFrame") -> Classes:
        """Classifies the blocks of pages again from their scores.

        Raises:
            StageFileError: the rows were not scored by a model.
        """
        if rows["score"].null_count():
            raise StageFileError("the corpus was not made by a learned model: its blocks have no scores")
        return self._classify(rows["score"].to_numpy())

    @property
    def stored_thresholds(self) -> ScoreThresholds:
        """The threshold in use."""
        return ScoreThresholds(self.threshold, {})

    @property
    def threshold(self) -> int:
        """The lowest score of main content, per mille."""
        return round(self.settings.threshold * TOP_SCORE)

    def _classify(self, scores: NDArray[np.uint16]) -> Classes:
        return without_context(np.where(scores >= self.threshold, 0, _SCORE).astype(np.uint8), scores)


ALGORITHMS = (
    Registration(
        name="victor",
        make=Victor,
        description="Keeps blocks that a conditional random field over the page labels as main content; any language.",
        source="Marek, Pecina and Spousta 2007; Spousta, Marek and Pecina 2008",
        parameters=VictorSettings(),
        evaluated={"Victor, the package’s": ""},
    ),
)
