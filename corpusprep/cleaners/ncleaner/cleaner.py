"""NCLEANER: character trigram models of clean and dirty segments of text (Evert 2008; Pomikálek 2011, 2.6.3).

A segment is what a text browser shows apart from the text around it: a block. Segments that are easily recognised as
boilerplate are removed first: choices of forms, rows of fields between vertical bars, and segments without letters.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corpusprep.cleaners import model_files
from corpusprep.cleaners.block_models import THRESHOLDS, lowest_score, shipped_model
from corpusprep.cleaners.interface import Classes, Registration, parameter
from corpusprep.cleaners.ncleaner.character_models import CharacterModel, check_language, read_model
from corpusprep.cleaners.scored import ScoredAlgorithm
from corpusprep.pages.segmentation import Blocks


@dataclass(slots=True, frozen=True)
class NCleanerSettings:
    """The model, and what is kept."""

    threshold: float | str = parameter(
        "balanced",
        "Lowest score of main content, or a name of one that the model declares; from 0.5 on, clean text is more "
        "probable than dirty text, which is what Evert keeps.",
        0,
        1,
        THRESHOLDS,
    )
    lexical: bool = parameter(True, "Which model of the package is used: of English text, or of classes of characters.")
    model: str = parameter("", "Model file; empty: the one that comes with the package.")


class NCleaner(ScoredAlgorithm):
    """Keeps the segments in which clean text is more probable."""

    def __init__(self, settings: NCleanerSettings = NCleanerSettings()) -> None:
        self.settings = settings

    @property
    def _path(self) -> Path:
        if self.settings.model:
            return model_files.path_of(self.settings.model)
        return shipped_model("ncleaner" if self.settings.lexical else "ncleaner-classes")

    @cached_property
    def model(self) -> CharacterModel:
        """The model, read on first use.

        Raises:
            ModelError: it is missing, damaged, or made for something else.
        """
        return read_model(self._path)

    @property
    def threshold(self) -> int:
        """The lowest score of main content, per mille."""
        return lowest_score(self.settings.threshold, self.model.thresholds)

    @property
    def named_thresholds(self) -> Mapping[str, int]:
        """Thresholds that the model declares, per mille, by name."""
        return self.model.thresholds

    def check_language(self, code: str) -> None:
        """Checks that the model may be used for a language.

        Raises:
            ModelError: it is missing, damaged, or made for something else.
        """
        check_language(self._path, self.model, code)

    def classify(self, blocks: Blocks, references: NDArray[np.int64] | None = None) -> Classes:
        """Classifies all blocks of all pages."""
        scores = self.model.scores(blocks.text, blocks.offsets)
        scores[blocks.in_select] = 0
        return self.classes_of(scores)


ALGORITHMS = (
    Registration(
        name="ncleaner",
        make=NCleaner,
        description="Keeps segments whose characters are more probable in clean text than in dirty text.",
        source="Evert 2008; thesis, 2.6.3",
        parameters=NCleanerSettings(),
        evaluated={"ncleaner": ""},
    ),
)
