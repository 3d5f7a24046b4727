"""Models of Victor: a conditional random field over the blocks of a page (Marek, Pecina and Spousta 2007).

A block has the features of FEATURES, 0 to 255. An attribute of a block is a feature of it, or of a block near it, and
the class of its value: the number of the attribute's borders that it is above. A class has a weight for each label,
and two labels in a row have one. All numbers are whole: a page has the same labels with every compiler.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpusprep._native import victor as native
from corpusprep.cleaners import model_files
from corpusprep.cleaners.block_models import TOP_SCORE, score_borders
from corpusprep.pages.features import FeatureDescription, feature_descriptions
from corpusprep.pages.segmentation import Blocks

ALGORITHM = "victor"
#: Units of weights per logit.
UNITS = 4096
#: The label of what is not main content.
OTHER = "other"
#: Features of corpusprep.pages.features that Victor reads, in its three groups: the block's markup and the
#: elements around it; of its content; of its place in the document.
SHARED = (
    *("heading", "bold", "tag", "parent_tag", "grandparent_tag", "level", "inline_depth"),
    *(
        "in_form",
        "in_table",
        "in_list",
        "in_item",
        "in_definition",
        "in_quotation",
        "in_code",
        "in_control",
        "in_small",
    ),
    *("before_same", "before_up", "before_down", "after_same", "after_up", "after_down"),
    *("own_blocks", "second_words", "second_link_density", "second_blocks", "third_words", "third_link_density"),
    *("words", "word_length", "link_density", "links", "words_per_link", "unlinked_words"),
    *("comma_rate", "sentence_end_rate", "first_character", "last_character"),
    *("capitalised", "all_capitals", "capitals", "digits", "punctuation", "unspaced"),
    *("copyright", "separators", "address", "quotes", "same_text"),
    *("position", "index", "index_from_end", "word_position", "since_heading"),
    *("page_blocks", "page_words", "page_link_density", "page_longest"),
)


def _places() -> tuple[int, ...]:
    places = {feature.name: place for place, feature in enumerate(feature_descriptions())}
    return tuple(sorted(places[name] for name in SHARED))


#: The places of SHARED in feature_descriptions, ascending.
PLACES = _places()


def victor_features() -> tuple[FeatureDescription, ...]:
    """Returns Victor's features in the order of the columns: SHARED, then its own."""
    shared = feature_descriptions()
    return (*(shared[place] for place in PLACES), *(FeatureDescription(*feature) for feature in native.FEATURES))


def columns_of(blocks: Blocks, shared: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Returns the features of n blocks, shape (features, n); `shared` are those at PLACES."""
    own = native.text_features(blocks.text, blocks.offsets, blocks.pages, blocks.words)
    return np.ascontiguousarray(np.concatenate([shared, own]))


@dataclass(frozen=True)
class VictorModel:
    """A conditional random field.

    Attributes:
        labels: names of the labels; OTHER is one of them, the rest are main content.
        columns: uint16, a: the feature of each attribute, a place in victor_features.
        offsets: int8, a: how many blocks away: 0 the block itself, -1 the one before.
        borders: per attribute, the borders of its classes, uint8, ascending.
        weights: int32, (classes, labels), in 1 / UNITS logit: one row per class of each attribute, and after these one
            for "no such block".
        transitions: int32, (labels, labels): weight of two labels in a row.
        card: what it was trained from: values of JSON.
    """

    labels: tuple[str, ...]
    columns: NDArray[np.uint16]
    offsets: NDArray[np.int8]
    borders: tuple[NDArray[np.uint8], ...]
    weights: NDArray[np.int32]
    transitions: NDArray[np.int32]
    card: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def native(self) -> native.ChainModel:
        """The model as the kernel takes it.

        Raises:
            ValueError: the arrays do not fit together.
        """
        return native.ChainModel(
            self.columns,
            self.offsets.astype(np.int16),
            np.array([len(border) for border in self.borders], np.uint8),
            np.concatenate([np.zeros(0, np.uint8), *self.borders]),
            self.weights.ravel(),
            self.transitions.ravel(),
            np.array([label != OTHER for label in self.labels], np.uint8),
            log_add(),
            score_borders(1 / UNITS),
        )

    @property
    def features(self) -> Sequence[int]:
        """The features that it reads of corpusprep.pages.features (segmentation.BlockScorer)."""
        return PLACES

    def scores(self, blocks: Blocks, columns: NDArray[np.uint8]) -> NDArray[np.uint16]:
        """Returns the score of each block, 0 to 1000 (segmentation.BlockScorer).

        It is the probability, per mille, that the block is main content. Where the most likely sequence of labels says
        something else than that, the score is moved to its side of one half: 500 or 499. So from 500 on, exactly the
        blocks of main content in the most likely sequence have their scores.
        """
        labels, scores = self.native.decode(columns_of(blocks, columns), blocks.pages)
        content = labels != self.labels.index(OTHER)
        half = np.uint16(TOP_SCORE // 2)
        return np.where(content, np.maximum(scores, half), np.minimum(scores, half - 1)).astype(np.uint16)


def log_add() -> NDArray[np.int32]:
    """Returns, for probabilities whose logarithms are 0, 1, … units apart, what their sum adds to the larger one."""
    apart = np.arange(10 * UNITS) / UNITS
    added: NDArray[np.int32] = np.rint(UNITS * np.log1p(np.exp(-apart))).astype(np.int32)
    return added[added > 0]


_ARRAYS = {
    "columns": "<u2",
    "offsets": "<i1",
    "border_counts": "<u1",
    "borders": "<u1",
    "weights": "<i4",
    "transitions": "<i4",
}


def write_model(path: Path, model: VictorModel) -> None:
    """Writes the model to a file; the file has a temporary name until it is complete.

    Raises:
        ValueError: the arrays do not fit together.
    """
    _ = model.native
    described = victor_features()
    used, places = np.unique(model.columns, return_inverse=True)
    header = {
        "algorithm": ALGORITHM,
        "labels": list(model.labels),
        "features": [[described[feature].name, described[feature].unit] for feature in used.tolist()],
        "card": dict(model.card),
    }
    arrays: dict[str, NDArray[Any]] = {
        "columns": places.astype(np.uint16),
        "offsets": model.offsets,
        "border_counts": np.array([len(feature) for feature in model.borders], np.uint8),
        "borders": np.concatenate([np.zeros(0, np.uint8), *model.borders]),
        "weights": model.weights,
        "transitions": model.transitions,
    }
    model_files.write(path, header, arrays, _ARRAYS)


def read_model(path: Path) -> VictorModel:
    """Reads a model file.

    Raises:
        ModelError: the file is missing or damaged, no model of Victor, or made for another version or other features.
    """
    content = model_files.read(path, ALGORITHM)
    try:
        model, missing = _parse(content)
        _ = model.native
    except (ValueError, KeyError, TypeError, OverflowError) as error:
        raise model_files.unusable(path, ALGORITHM, error) from None
    if missing:
        raise model_files.unmeasured(path, ALGORITHM, missing[0])
    return model


def _parse(content: model_files.ModelContent) -> tuple[VictorModel, list[str]]:
    """Returns the model, and the names of the features it reads that are not measured so."""
    header, arrays = content.header, content.arrays(_ARRAYS)
    named = [(str(name), str(unit)) for name, unit in header["features"]]
    places = {(feature.name, feature.unit): place for place, feature in enumerate(victor_features())}
    known = np.array([places.get(feature, 0) for feature in named], np.uint16)
    if arrays["columns"].size and arrays["columns"].max() >= len(named):
        raise ValueError("an attribute reads a feature without a name")
    labels = tuple(str(label) for label in header["labels"])
    if labels.count(OTHER) != 1:
        raise ValueError(f"the label {OTHER} is missing")
    bounds = np.cumsum(arrays["border_counts"], dtype=np.int64)
    if int(bounds[-1] if len(bounds) else 0) != len(arrays["borders"]):
        raise ValueError("borders do not fit their counts")
    model = VictorModel(
        labels,
        known[arrays["columns"]] if len(known) else arrays["columns"],
        arrays["offsets"],
        tuple(np.split(arrays["borders"], bounds[:-1])),
        arrays["weights"],
        arrays["transitions"],
        dict(header["card"]),
    )
    return model, [name for name, unit in named if (name, unit) not in places]
