"""Scores the blocks of a page's markup with a multilayer perceptron over 37 features: texrex (Schäfer 2016).

Its blocks are cut from the markup (markup_blocks). texrex scores boilerplate; the score here is of main content:
1 - texrex's.
"""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from corpusprep.cleaners import model_files
from corpusprep.cleaners.block_models import TOP_SCORE, shipped_model
from corpusprep.cleaners.interface import Classes, Registration, parameter
from corpusprep.cleaners.scored import ScoredAlgorithm
from corpusprep.errors import ModelError
from corpusprep.pages.segmentation import Blocks
from studies.schaefer_2017.markup_blocks import MarkupSegmenter
from studies.schaefer_2017.perceptrons import PerceptronModel, read_model

#: Languages of the paper: each has a model in the package, beside the model of all four.
MODELS = ("en", "fr", "de", "sv")


@dataclass(slots=True, frozen=True)
class TexrexSettings:
    """What is kept, and by which model."""

    threshold: float = parameter(0.5, "Lowest score of main content: 1 - texrex's score of boilerplate.", 0, 1)
    keep_forms: bool = parameter(
        True, "Whether text in forms is text of the page; texrex leaves it out, and with it pages that are one form."
    )
    model: str = parameter(
        "",
        "Model file, or one that comes with the package: en, fr, de or sv, of that language's pages; empty: the one of "
        "all four languages.",
    )


class Texrex(ScoredAlgorithm):
    """Scores by a perceptron, and a threshold."""

    needs_language = False
    shipped_models = MODELS

    def __init__(self, settings: TexrexSettings = TexrexSettings()) -> None:
        self.settings = settings

    @cached_property
    def model(self) -> PerceptronModel:
        """The model, read on first use.

        Raises:
            ModelError: it is missing, damaged, or made for something else.
        """
        name = self.settings.model
        if name in MODELS:
            return read_model(shipped_model(f"texrex-{name}"))
        return read_model(model_files.path_of(name) if name else shipped_model("texrex"))

    def segmenter(
        self,
        stop_words: Collection[str],
        characters_per_word: float = 0.0,
        *,
        features: bool = False,
        outline: bool = False,
    ) -> MarkupSegmenter:
        """Returns what cuts the markup of pages."""
        return MarkupSegmenter(stop_words, characters_per_word, keep_forms=self.settings.keep_forms)

    @property
    def threshold(self) -> int:
        """The lowest score of main content, per mille."""
        return round(self.settings.threshold * TOP_SCORE)

    def check_language(self, code: str) -> None:
        """Checks that the model may be used for a language.

        Raises:
            ModelError: it is of another language, missing, damaged, or made for something else.
        """
        if self.model.language not in ("", code):
            raise ModelError(
                f"texrex: the model {self.settings.model} is of the language {self.model.language}, not of {code};"
                " leave out `model` for the one of several languages"
            )

    def classify(self, blocks: Blocks, references: NDArray[np.int64] | None = None) -> Classes:
        """Classifies all blocks of all pages."""
        if blocks.markup is None:
            raise ValueError("the algorithm needs the blocks of a MarkupSegmenter")
        return self.classes_of(self.model.native.scores(blocks.markup))


ALGORITHMS = (
    Registration(
        name="texrex",
        make=Texrex,
        description="Keeps blocks of the markup that a multilayer perceptron scores as main content.",
        source="Schäfer 2016",
        parameters=TexrexSettings(),
    ),
)
