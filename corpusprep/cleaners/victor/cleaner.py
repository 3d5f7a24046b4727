"""Labels the sequence of a page's blocks with a conditional random field: Victor (Marek, Pecina and Spousta 2007).

The blocks are ours, where Victor labels text nodes. The score of a block is the probability that it is main content;
from 0.5 on, the block is so in the most likely sequence of labels, which is what Victor keeps.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from corpusprep.cleaners import model_files
from corpusprep.cleaners.block_models import TOP_SCORE, shipped_model
from corpusprep.cleaners.interface import Classes, Registration, parameter
from corpusprep.cleaners.scored import ScoredAlgorithm
from corpusprep.cleaners.victor.victor_models import VictorModel, read_model
from corpusprep.pages.segmentation import Blocks


@dataclass(slots=True, frozen=True)
class VictorSettings:
    """What is kept, and by which model."""

    threshold: float = parameter(0.5, "Lowest score of main content; 0.5 is the most likely sequence.", 0, 1)
    model: str = parameter("", "Model file; empty: the one that comes with the package.")


class Victor(ScoredAlgorithm):
    """Scores by a conditional random field, and a threshold."""

    needs_language = False

    def __init__(self, settings: VictorSettings = VictorSettings()) -> None:
        self.settings = settings

    @cached_property
    def model(self) -> VictorModel:
        """The model, read on first use.

        Raises:
            ModelError: it is missing, damaged, or made for something else.
        """
        path = self.settings.model
        return read_model(model_files.path_of(path) if path else shipped_model("victor"))

    @property
    def block_model(self) -> VictorModel:
        """The model as Segmenter takes it."""
        return self.model

    def classify(self, blocks: Blocks, references: NDArray[np.int64] | None = None) -> Classes:
        """Classifies all blocks of all pages."""
        features = blocks.features
        if features is None or features.scores is None:
            raise ValueError("the algorithm needs Segmenter(…, model=algorithm.block_model)")
        return self.classes_of(features.scores)

    @property
    def threshold(self) -> int:
        """The lowest score of main content, per mille."""
        return round(self.settings.threshold * TOP_SCORE)


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
