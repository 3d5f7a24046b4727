"""What algorithms share that score each block and keep it from a threshold on."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from corpusprep.cleaners.interface import VERDICTS, Algorithm, Classes, ScoreThresholds, without_context
from corpusprep.errors import StageFileError

if TYPE_CHECKING:
    import polars as pl

_SCORE = VERDICTS.index("score")


class ScoredAlgorithm(Algorithm):
    """Keeps the blocks whose scores reach a threshold. Scores are stored, so the threshold can be changed later."""

    stored_columns = ("score",)

    @property
    @abstractmethod
    def threshold(self) -> int:
        """The lowest score of main content, per mille."""

    @property
    def named_thresholds(self) -> Mapping[str, int]:
        """Thresholds that the model declares, per mille, by name."""
        return {}

    def classes_of(self, scores: NDArray[np.uint16]) -> Classes:
        """Returns the classes of n blocks with these scores, per mille."""
        return without_context(np.where(scores >= self.threshold, 0, _SCORE).astype(np.uint8), scores)

    def classify_stored(self, rows: "pl.DataFrame") -> Classes:
        """Classifies the blocks of pages again from their scores.

        Raises:
            StageFileError: the rows were not scored by a model.
        """
        if rows["score"].null_count():
            raise StageFileError("the corpus was not made by a learned model: its blocks have no scores")
        return self.classes_of(rows["score"].to_numpy())

    @property
    def stored_thresholds(self) -> ScoreThresholds:
        """The threshold in use, and those that the model declares."""
        return ScoreThresholds(self.threshold, self.named_thresholds)
