"""Model files of texrex: a multilayer perceptron over the 37 features of a block (Schäfer 2016, 3.1).

All numbers that decide are whole, so a page has the same scores with every compiler. Their form is that of
corpusprep.cleaners.model_files.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpusprep._native import texrex as native
from corpusprep.cleaners import model_files
from corpusprep.errors import ModelError

ALGORITHM = "texrex"
#: The features in their order (Schäfer 2016, table 1), with their units.
FEATURES: Mapping[str, str] = {
    "Length": "characters, up to 1,000, divided by 1,000",
    "PageProp": "characters of the block / characters of the page",
    "PercText": "distance of the block's middle from the middle of the page's text, 0 to 1",
    "PercDiv": "distance of the block's number from the middle of the page's blocks, 0 to 1",
    "DocMarkupProp": "characters of the page's text / characters of the page with its markup",
    "MarkupProp": "characters of markup / characters with markup, of the block",
    "PunctProp": "punctuation characters / characters",
    "LetterProp": "letters / characters without white space",
    "NumberProp": "number characters / characters without white space",
    "TagProp": "remains of tags in the text / characters without white space",
    "EmailProp": "e-mail addresses / characters without white space",
    "UriProp": "addresses of pages in the text / characters without white space",
    "HashProp": "hashtags / characters without white space",
    "YearProp": "numbers that look like a year from 2000 / characters without white space",
    "AnchorProp": "tags whose name starts with a / characters without white space",
    "UpperProp": "upper-case letters / letters",
    "SentBogus": "1 if no sentence ends in the block",
    "SentLength": "characters per sentence, up to 100, divided by 100",
    "SentCount": "sentences, up to 10, divided by 10",
    "Copy": "1 if it has the sign ©",
    "EndsPunct": "1 if it ends with the end of a sentence",
    "DtXhtml": "1 if the page declares XHTML",
    "DtHtml4": "1 if the page declares HTML 4",
    "DtHtml5": "1 if the page declares HTML 5",
    "ContArticle": "1 if the tag before it is that of an article",
    "ContSection": "1 if the tag before it is that of a section",
    "ContDiv": "1 if the tag before it is that of a div",
    "ContP": "1 if the tag before it is that of a paragraph",
    "ContH": "1 if the tag before it is that of a heading",
    "ContBlock": "1 if the tag before it is that of a blockquote",
    "ContTd": "1 if the tag before it is that of a table's cell",
    "ContLi": "1 if the tag before it is that of a list's item",
    "ContClose": "1 if the tag before it is an end tag",
    "OpenProp": "start tags / tags, of the block",
    "SkippedDivs": "empty blocks before it, up to 20, divided by 20",
    "Window1": "mean of MarkupProp over the block and one on each side",
    "Window2": "mean of MarkupProp over the block and two on each side",
}
#: Binary places of weights, and of the values of the activation.
_WEIGHT_PLACES, _ACTIVATION_PLACES = 16, 15
#: The largest weight: 32 bits have room for 32,767.
_LARGEST = 30000.0
_ARRAYS = {
    "hidden_weights": "<i4",
    "hidden_biases": "<i8",
    "output_weights": "<i4",
    "output_bias": "<i8",
    "activation": "<i2",
    "borders": "<i8",
}


@dataclass(frozen=True)
class PerceptronModel:
    """A perceptron with one hidden layer of hyperbolic tangents, and a logistic output.

    Attributes:
        hidden_weights: int32, (units, 37), in 1/65,536.
        hidden_biases: int64, units, in 2^-30.
        output_weights: int32, units, in 1/65,536.
        output_bias: int64, 1, in 2^-31.
        activation: int16, native.ACTIVATIONS: the activation, in 1/32,768, for sums from -8 to 8.
        borders: int64, 1000, ascending: an output has as its score the number of borders that it reaches.
        card: what it was trained from and how good it is; values of JSON.
        language: code of the language that it is for; empty: any.
    """

    hidden_weights: NDArray[np.int32]
    hidden_biases: NDArray[np.int64]
    output_weights: NDArray[np.int32]
    output_bias: NDArray[np.int64]
    activation: NDArray[np.int16]
    borders: NDArray[np.int64]
    card: Mapping[str, Any] = field(default_factory=dict)
    language: str = ""

    @classmethod
    def of_weights(
        cls,
        hidden: NDArray[np.float64],
        hidden_biases: NDArray[np.float64],
        output: NDArray[np.float64],
        output_bias: float,
        card: Mapping[str, Any],
        language: str = "",
    ) -> "PerceptronModel":
        """Returns a model with these weights, rounded. `hidden` has shape (units, 37); the output is a log-odds."""
        weight, activation = 1 << _WEIGHT_PLACES, 1 << _ACTIVATION_PLACES
        half = native.ACTIVATIONS // 2
        # A sum of the hidden layer has the places of a weight and of a feature.
        step = 2.0 ** (native.ACTIVATION_BITS - _WEIGHT_PLACES - native.PLACES)
        sums = (np.arange(-half, half) + 0.5) * step
        steps = (np.arange(1, native.STEPS + 1) - 0.5) / native.STEPS
        scale = weight * activation

        def rounded(values: NDArray[np.float64], places: int) -> NDArray[np.int64]:
            return np.ascontiguousarray(np.rint(np.clip(values, -_LARGEST, _LARGEST) * places).astype(np.int64))

        return cls(
            rounded(hidden, weight).astype(np.int32),
            rounded(hidden_biases, weight << native.PLACES),
            rounded(output, weight).astype(np.int32),
            rounded(np.array([output_bias]), scale),
            np.rint(np.tanh(sums) * (activation - 1)).astype(np.int16),
            np.ceil(np.log(steps / (1 - steps)) * scale).astype(np.int64),
            card,
            language,
        )

    @cached_property
    def native(self) -> native.Perceptron:
        """The model as the kernel has it.

        Raises:
            ValueError: the arrays do not fit together.
        """
        if self.hidden_weights.ndim != 2 or self.hidden_weights.shape[1] != len(FEATURES) or len(self.output_bias) != 1:
            raise ValueError("the weights do not fit the features")
        return native.Perceptron(
            self.hidden_weights,
            self.hidden_biases,
            self.output_weights,
            int(self.output_bias[0]),
            self.activation,
            self.borders,
        )


def write_model(path: Path, model: PerceptronModel) -> None:
    """Writes the model to a file; the file has a temporary name until it is complete.

    Raises:
        ValueError: the arrays do not fit together.
    """
    _ = model.native
    header = {
        "algorithm": ALGORITHM,
        "language": model.language,
        "features": [[name, unit] for name, unit in FEATURES.items()],
        "card": dict(model.card),
    }
    model_files.write(path, header, {name: getattr(model, name) for name in _ARRAYS}, _ARRAYS)


def read_model(path: Path) -> PerceptronModel:
    """Reads a model file.

    Raises:
        ModelError: the file is missing or damaged, not a model of texrex, or made for another version or set of
            features.
    """
    content = model_files.read(path, ALGORITHM)
    try:
        described = [(str(name), str(unit)) for name, unit in content.header["features"]]
        arrays = content.arrays(_ARRAYS)
        model = PerceptronModel(
            **arrays, card=dict(content.header["card"]), language=str(content.header.get("language", ""))
        )
        other = [name for name, unit in described if FEATURES.get(name) != unit]
        if not other and described != list(FEATURES.items()):
            other = sorted(FEATURES.keys() - dict(described).keys()) or list(FEATURES)
        if not other:
            _ = model.native
    except (ValueError, KeyError, TypeError, OverflowError) as error:
        raise model_files.unusable(path, ALGORITHM, error) from None
    if other:
        raise ModelError(
            f"{path}: the model has another feature {other[0]} than this corpusprep; {model_files.again(ALGORITHM)}"
        )
    return model
