"""Models of characters: what is more probable in clean text than in dirty text (NCLEANER; Evert 2008).

A model has the difference of two language models, of clean and of dirty segments of text, as weights of trigrams of
symbols. A symbol stands for a character, or for a class of characters. A file has the form of
corpusprep.cleaners.model_files. All that decides is whole numbers, so a segment has the same score with every compiler.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpusprep._native import ncleaner as native
from corpusprep.cleaners import model_files
from corpusprep.cleaners.block_models import THRESHOLDS, TOP_SCORE
from corpusprep.errors import ModelError

ALGORITHM = "ncleaner"
#: Weights per natural logarithm of a ratio of probabilities.
UNIT = 256
#: Vertical bars from which on a segment is a row of fields, as in menus.
LEAST_BARS = 2
_ARRAYS = {
    "characters": "<u4",
    "symbols": "<u1",
    "classes": "<u1",
    "pairs": "<i2",
    "contexts": "<i2",
    "trigrams": "<u4",
    "weights": "<i2",
    "borders": "<i4",
}


@dataclass(frozen=True)
class CharacterModel:
    """A model of clean against dirty text, over s symbols. Symbol 0 is before the first and after the last character.

    Attributes:
        characters: uint32, ascending: code points that have a symbol of their own.
        symbols: uint8, of each: 1 to s - 1; several characters may share one.
        classes: uint8, 9: the symbol of other characters, by class (corpusprep._native.unicode).
        pairs: int16, (s, s): weight of a symbol after another, for trigrams that are not listed.
        contexts: int16, (s, s): what the two symbols before a trigram's last one add to it, if it is not listed.
        trigrams: uint32, ascending: (first * s + second) * s + third.
        weights: int16, of each trigram: UNIT times the natural logarithm of P(third | clean) / P(third | dirty).
        borders: int32, 1000, ascending: a sum of weights has as its score the number of borders that it reaches.
        thresholds: name (THRESHOLDS) -> lowest score of clean text, per mille.
        lexical: whether letters have symbols of their own; if not, the model is for all languages.
        language: code of the language that it is for; empty: any.
        card: what it was trained from and how good it is; values of JSON.
    """

    characters: NDArray[np.uint32]
    symbols: NDArray[np.uint8]
    classes: NDArray[np.uint8]
    pairs: NDArray[np.int16]
    contexts: NDArray[np.int16]
    trigrams: NDArray[np.uint32]
    weights: NDArray[np.int16]
    borders: NDArray[np.int32]
    thresholds: Mapping[str, int]
    lexical: bool = True
    language: str = ""
    card: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def native(self) -> native.CharacterModel:
        """The model as the kernel takes it.

        Raises:
            ValueError: the arrays do not fit together.
        """
        if self.borders.shape != (TOP_SCORE,) or (self.borders[1:] < self.borders[:-1]).any():
            raise ValueError("the borders of scores do not ascend")
        return native.CharacterModel(
            self.characters, self.symbols, self.classes, self.pairs, self.contexts, self.trigrams, self.weights
        )

    def scores(self, text: bytes, offsets: NDArray[np.int64]) -> NDArray[np.uint16]:
        """Returns the score per mille of each segment text[offsets[s]:offsets[s + 1]]; UTF-8.

        Segments without letters, and rows of fields between vertical bars, have score 0: what is easily recognised is
        removed before the models decide (thesis, 2.6.3).
        """
        sums, bars, letters = self.native.measure(text, offsets)
        scores = np.searchsorted(self.borders, sums, side="right").astype(np.uint16)
        scores[is_plain_boilerplate(bars, letters)] = 0
        return scores


def is_plain_boilerplate(bars: NDArray[np.uint32], letters: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """Returns whether each segment is removed before the models decide, by its vertical bars and its letters."""
    removed: NDArray[np.bool_] = (bars >= LEAST_BARS) | (letters == 0)
    return removed


def write_model(path: Path, model: CharacterModel) -> None:
    """Writes the model to a file; the file has a temporary name until it is complete.

    Raises:
        ValueError: the arrays do not fit together, or a threshold is missing.
    """
    _ = model.native
    if sorted(model.thresholds) != sorted(THRESHOLDS):
        raise ValueError(f"thresholds are {', '.join(THRESHOLDS)}, not {', '.join(model.thresholds)}")
    header = {
        "algorithm": ALGORITHM,
        "language": model.language,
        "lexical": model.lexical,
        "thresholds": dict(model.thresholds),
        "card": dict(model.card),
    }
    model_files.write(path, header, {name: getattr(model, name) for name in _ARRAYS}, _ARRAYS)


def read_model(path: Path) -> CharacterModel:
    """Reads a model file.

    Raises:
        ModelError: the file is missing or damaged, not a model of blocks, or made for another version or algorithm.
    """
    content = model_files.read(path, ALGORITHM)
    try:
        header = content.header
        thresholds = {name: int(header["thresholds"][name]) for name in THRESHOLDS}
        if not all(0 <= value <= TOP_SCORE for value in thresholds.values()):
            raise ValueError("a threshold is out of range")
        model = CharacterModel(
            **content.arrays(_ARRAYS),
            thresholds=thresholds,
            lexical=bool(header["lexical"]),
            language=str(header["language"]),
            card=dict(header["card"]),
        )
        _ = model.native
    except (ValueError, KeyError, TypeError, OverflowError) as error:
        raise model_files.unusable(path, ALGORITHM, error) from None
    return model


def check_language(path: Path, model: CharacterModel, code: str) -> None:
    """Checks that a model may be used for text in a language.

    Raises:
        ModelError: it is of another language.
    """
    if model.language and code != model.language:
        raise ModelError(
            f"{path}: a model of the language {model.language}, not of {code}; train one (corpusprep train "
            f"{ALGORITHM} --language {code}), or use `lexical: false`, which is for all languages"
        )
