"""Model files of learned cleaners: weights of names and words, oblivious trees over features, thresholds, a card.

The file has the form of cleaners.model_files; its header holds the card and the features that the trees read.
All that decides is whole numbers, so a page has the same scores with every compiler.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpusprep._native import pages as native
from corpusprep.cleaners import model_files
from corpusprep.errors import ModelError
from corpusprep.io import shipped
from corpusprep.pages.features import FeatureDescription, Tables, feature_descriptions

#: Highest score: per mille.
TOP_SCORE = 1000
#: Names of the thresholds that a model declares, from few wrong blocks to few missing ones.
THRESHOLDS = ("precision", "balanced", "recall")
_ARRAYS = {
    "names": "<u4",
    "name_weights": "<i1",
    "words": "<u4",
    "word_weights": "<i1",
    "depths": "<u1",
    "features": "<u1",
    "thresholds": "<u1",
    "leaves": "<i2",
    "borders": "<i4",
}


@dataclass(frozen=True)
class Trees:
    """Oblivious trees. Level l of a tree asks of all blocks whether a feature is above a threshold: bit l of the leaf.

    Attributes:
        depths: uint8, trees: levels of each tree, 0 to 8.
        features: uint8: the feature of each level of each tree, an index into feature_descriptions.
        thresholds: uint8: values above it go to the leaves with the bit.
        leaves: int16: 2^depth per tree.
        borders: int32, 1000, ascending: a sum of leaves has as its score the number of borders that it reaches.
        bias: added to each sum.
    """

    depths: NDArray[np.uint8]
    features: NDArray[np.uint8]
    thresholds: NDArray[np.uint8]
    leaves: NDArray[np.int16]
    borders: NDArray[np.int32]
    bias: int = 0


def lowest_score(threshold: float | str, named: Mapping[str, int]) -> int:
    """Returns the lowest score of main content, per mille.

    Args:
        threshold: a share, or the name of a threshold that the model declares.
        named: the thresholds that it declares, per mille.
    """
    return named[str(threshold)] if threshold in THRESHOLDS else round(float(threshold) * TOP_SCORE)


@dataclass(frozen=True)
class BlockModel:
    """A learned model of blocks.

    Attributes:
        algorithm: the algorithm that it is for: `content`.
        tables: weights of names and words.
        trees: the trees.
        thresholds: name (THRESHOLDS) -> lowest score of main content, per mille.
        scale: logits per unit of a sum of leaves, for explanations.
        card: what it was trained from and how good it is: name, licences, sets, pages, scores, …; values of JSON.
        language: code of the language that it is for; empty: any.
    """

    algorithm: str
    tables: Tables
    trees: Trees
    thresholds: Mapping[str, int]
    scale: float
    card: Mapping[str, Any] = field(default_factory=dict)
    language: str = ""

    @cached_property
    def native(self) -> native.BlockModel:
        """The model as the kernel takes it.

        Raises:
            ValueError: the arrays do not fit together.
        """
        if problem := self.tables.problem():
            raise ValueError(problem)
        trees = self.trees
        return native.BlockModel(
            self.tables.names,
            self.tables.name_weights,
            self.tables.words,
            self.tables.word_weights,
            trees.depths,
            trees.features,
            trees.thresholds,
            trees.leaves,
            trees.borders,
            trees.bias,
        )

    def contributions(self, columns: NDArray[np.uint8]) -> NDArray[np.float64]:
        """Returns how far each feature moved the sum of each block, in logits, shape (features, blocks).

        The answer at a level of a tree moves the mean of the leaves that are left; the move counts for its feature
        (Saabas 2014). `columns` has shape (features, blocks), with the features that need tables.
        """
        moved = np.zeros(columns.shape)
        if not moved.size:
            return moved  # a page without blocks
        trees, level, leaf = self.trees, 0, 0
        for depth in trees.depths.tolist():
            leaves = np.zeros(columns.shape[1], np.intp)
            features = trees.features[level : level + depth].tolist()
            for bit, feature in enumerate(features):
                leaves |= (columns[feature] > trees.thresholds[level + bit]).astype(np.intp) << bit
            moves = _moves(trees.leaves[leaf : leaf + 2**depth], depth)
            for bit, feature in enumerate(features):
                moved[feature] += moves[bit, leaves]
            level, leaf = level + depth, leaf + 2**depth
        return moved * self.scale


def _moves(leaves: NDArray[np.int16], depth: int) -> NDArray[np.float64]:
    """Returns how far each level of a tree moves the mean of the leaves that are left, shape (depth, leaves).

    The highest level halves the leaves first: its bit is the highest.
    """
    means = [leaves.reshape(2**halved, -1).mean(axis=1).repeat(2 ** (depth - halved)) for halved in range(depth + 1)]
    moves = np.empty((depth, len(leaves)))
    for bit in range(depth):
        moves[bit] = means[depth - bit] - means[depth - bit - 1]
    return moves


def score_borders(scale: float) -> NDArray[np.int32]:
    """Returns the sums from which on each score, 1 to 1000 per mille, is reached: round(1000 logistic(scale sum))."""
    steps = (np.arange(1, TOP_SCORE + 1) - 0.5) / TOP_SCORE
    limit = 2.0**30
    return np.clip(np.ceil(np.log(steps / (1 - steps)) / scale), -limit, limit).astype(np.int32)


def write_model(path: Path, model: BlockModel) -> None:
    """Writes the model to a file; the file has a temporary name until it is complete.

    Raises:
        ValueError: the arrays do not fit together, or a threshold is missing.
    """
    _ = model.native
    if sorted(model.thresholds) != sorted(THRESHOLDS):
        raise ValueError(f"thresholds are {', '.join(THRESHOLDS)}, not {', '.join(model.thresholds)}")
    used, places = np.unique(model.trees.features, return_inverse=True)
    described = feature_descriptions()
    arrays: dict[str, NDArray[Any]] = {
        "names": model.tables.names,
        "name_weights": model.tables.name_weights,
        "words": model.tables.words,
        "word_weights": model.tables.word_weights,
        "depths": model.trees.depths,
        "features": places.astype(np.uint8),
        "thresholds": model.trees.thresholds,
        "leaves": model.trees.leaves,
        "borders": model.trees.borders,
    }
    header = {
        "algorithm": model.algorithm,
        "language": model.language,
        "features": [[described[feature].name, described[feature].unit] for feature in used.tolist()],
        "thresholds": dict(model.thresholds),
        "scale": model.scale,
        "bias": model.trees.bias,
        "card": dict(model.card),
    }
    model_files.write(path, header, arrays, _ARRAYS)


def read_model(path: Path, algorithm: str, language: str = "") -> BlockModel:
    """Reads a model file.

    Args:
        path: the file.
        algorithm: the algorithm that will use it.
        language: code of the language that it will be used for; empty: any.

    Raises:
        ModelError: the file is missing or damaged, not a model of blocks, or made for another version, algorithm,
            language or set of features.
    """
    content = model_files.read(path, algorithm)
    try:
        model, missing = _parse(content)
        _ = model.native
    except (ValueError, KeyError, TypeError, OverflowError) as error:
        raise model_files.unusable(path, algorithm, error) from None
    if missing:
        raise model_files.unmeasured(path, algorithm, missing[0])
    if model.language and language and model.language != language:
        raise ModelError(f"{path}: a model of the language {model.language}, not of {language}")
    return model


def shipped_model(name: str) -> Path:
    """Returns the file of a model that comes with the package."""
    return shipped.root() / "config" / "models" / f"{name}.model"


def _parse(content: model_files.ModelContent) -> tuple[BlockModel, list[str]]:
    """Returns the model, and the names of the features it reads that are not measured so."""
    header, arrays = content.header, content.arrays(_ARRAYS)
    described = [FeatureDescription(str(name), str(unit), "") for name, unit in header["features"]]
    places = {(feature.name, feature.unit): place for place, feature in enumerate(feature_descriptions())}
    missing = [feature.name for feature in described if (feature.name, feature.unit) not in places]
    known = np.array([places.get((feature.name, feature.unit), 0) for feature in described], np.uint8)
    if arrays["features"].size and arrays["features"].max() >= len(described):
        raise ValueError("a tree reads a feature without a name")
    thresholds = {name: int(header["thresholds"][name]) for name in THRESHOLDS}
    scale = float(header["scale"])
    if not 0 < scale < math.inf or not all(0 <= value <= TOP_SCORE for value in thresholds.values()):
        raise ValueError("a threshold or the scale is out of range")
    tables = Tables(arrays["names"], arrays["name_weights"], arrays["words"], arrays["word_weights"])
    features = known[arrays["features"]] if len(known) else arrays["features"]
    trees = Trees(
        arrays["depths"], features, arrays["thresholds"], arrays["leaves"], arrays["borders"], int(header["bias"])
    )
    card = dict(header["card"])
    model = BlockModel(
        str(header["algorithm"]), tables, trees, thresholds, scale, card, str(header.get("language", ""))
    )
    return model, missing
