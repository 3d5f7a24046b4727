"""A classifier of documents that a user trains: linear, over hashed words and pairs of words (Joulin et al. 2017).

The log-odds of a document are the mean of the weights of its features, and a bias. All of it is whole numbers, so a
document has the same score on every machine. The file has the form of cleaners.model_files.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpusprep._native.quality import FEATURES, feature_sums
from corpusprep.cleaners import model_files
from corpusprep.errors import ModelError

#: The name of these models in their files, and of the command that trains them.
ALGORITHM = "quality"
#: Units of a weight, and of log-odds, per unit of natural log-odds.
WEIGHT_SCALE, SCALE = 256, 1024
#: The log-odds of features of one text, and of no other, are far from each other, but no more than this.
_MOST = 20 * SCALE
_ARRAYS = {"weights": "<i2"}


@dataclass(frozen=True, slots=True)
class QualityModel:
    """A trained model.

    Attributes:
        weights: of the features, int16, shape (FEATURES,), in 1 / WEIGHT_SCALE.
        bias: in 1 / SCALE.
        card: what the model says of itself.
    """

    weights: NDArray[np.int16]
    bias: int
    card: Mapping[str, Any] = field(default_factory=dict)

    def scores(self, texts: Sequence[str]) -> list[float]:
        """Returns the scores of texts, from 0 (bad) to 1 (good), to 4 decimals; a line per block."""
        return [
            score(self.bias + sum_of_weights * SCALE // (WEIGHT_SCALE * max(1, features)))
            for sum_of_weights, features in feature_sums(texts, self.weights).tolist()
        ]


def score(log_odds: int) -> float:
    """Returns the score of log-odds in 1 / SCALE.

    >>> score(0), score(1024), score(-(10**9))
    (0.5, 0.7311, 0.0)
    """
    return round(1 / (1 + math.exp(-min(max(log_odds, -_MOST), _MOST) / SCALE)), 4)


def write_model(path: Path, model: QualityModel) -> None:
    """Writes a model file; it has a temporary name until it is complete."""
    header = {"algorithm": ALGORITHM, "bias": model.bias, "card": dict(model.card)}
    model_files.write(path, header, {"weights": model.weights}, _ARRAYS)


def read_model(path: Path) -> QualityModel:
    """Reads a model file.

    Raises:
        ModelError: the file is missing or damaged, or no such model.
    """
    content = model_files.read(path, ALGORITHM)
    try:
        weights = content.arrays(_ARRAYS)["weights"]
        if weights.shape != (FEATURES,):
            raise ValueError(f"{weights.shape} weights in place of {FEATURES}")
        return QualityModel(weights, int(content.header["bias"]), dict(content.header["card"]))
    except ModelError:
        raise
    except (ValueError, KeyError, TypeError) as error:
        raise model_files.unusable(path, ALGORITHM, error) from None
