"""Features of blocks: what a learned cleaner reads of a block, of the elements around it and of its page.

A feature is a whole number from 0 to 255, and depends on its page alone (native/pages/features.hpp). The last
native.NAME_COLUMNS of them need the two tables of a model: weights of the names of elements (words of class, id, role
and item attributes, and tags), and weights of the words of short blocks.
"""

import hashlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from corpusprep._native import pages as native

#: What a block is, by its code in arrays.
KINDS = native.KINDS
#: What a block is in the structure of the text, by its code in arrays: `p` paragraph, `h` heading, `l` item of a list.
TYPES = native.TYPES


@dataclass(slots=True, frozen=True)
class FeatureDescription:
    """A feature: its name, its unit, and the publication that it is from (`own` if none)."""

    name: str
    unit: str
    source: str


def feature_descriptions() -> tuple[FeatureDescription, ...]:
    """Returns the features in the order of the columns."""
    return tuple(FeatureDescription(*described) for described in native.FEATURES)


def fingerprint() -> str:
    """Returns a digest of the features, their order and units: a model fits the features that it was trained on."""
    described = "\n".join(f"{feature.name}\t{feature.unit}" for feature in feature_descriptions())
    return hashlib.sha256(described.encode()).hexdigest()[:16]


@dataclass(slots=True, frozen=True)
class Tables:
    """The two tables of a model. Hashes ascend; a weight is a sixteenth of a logit.

    Attributes:
        names: uint32, n: hashes of names.
        name_weights: int8, (n, 2): weight in the three innermost containers, and farther out.
        words: uint32, m: hashes of words and groups of words.
        word_weights: int8, (m, 1).
    """

    names: NDArray[np.uint32]
    name_weights: NDArray[np.int8]
    words: NDArray[np.uint32]
    word_weights: NDArray[np.int8]

    @classmethod
    def empty(cls) -> "Tables":
        """Returns tables without weights: each feature that needs them is 128."""
        none = np.zeros(0, np.uint32)
        return cls(none, np.zeros((0, 2), np.int8), none, np.zeros((0, 1), np.int8))

    def problem(self) -> str:
        """Returns what is wrong with the shapes, types and order of the tables; empty if nothing is."""
        for title, keys, weights, columns in (
            ("names", self.names, self.name_weights, 2),
            ("words", self.words, self.word_weights, 1),
        ):
            if keys.dtype != np.uint32 or weights.dtype != np.int8 or weights.shape != (len(keys), columns):
                return f"the table of {title} has wrong types or shapes"
            if (keys[1:] <= keys[:-1]).any():
                return f"the hashes of the table of {title} do not ascend"
        return ""


@dataclass(slots=True, frozen=True)
class NameHashes:
    """Hashes of the names of e elements and of the words of n blocks, in document order, of one or more pages.

    Elements without text inside are left out. `names` has at most 24 hashes per element and its tag; `words` has, for
    blocks of up to native.SHORT_BLOCK words, the hash of each word, each pair, the first and the last word as such,
    and the whole of up to four words.

    Attributes:
        parents: int32, e: the element around each; -1 for the root of a page.
        containers: uint8, e: 1 for block-level elements, <body> and the root.
        name_offsets: int64, e + 1: element i has names[name_offsets[i]:name_offsets[i + 1]].
        names: uint32.
        leaves: int32, n: the innermost element around the start of each block.
        word_offsets: int64, n + 1: block i has words[word_offsets[i]:word_offsets[i + 1]].
        words: uint32.
    """

    parents: NDArray[np.int32]
    containers: NDArray[np.uint8]
    name_offsets: NDArray[np.int64]
    names: NDArray[np.uint32]
    leaves: NDArray[np.int32]
    word_offsets: NDArray[np.int64]
    words: NDArray[np.uint32]

    def columns(self, tables: Tables) -> NDArray[np.uint8]:
        """Returns the features that need tables, shape (native.NAME_COLUMNS, n): the last ones.

        Raises:
            ValueError: the tables have wrong shapes or types, or do not ascend.
        """
        if problem := tables.problem():
            raise ValueError(problem)
        return native.name_columns(
            self.parents,
            self.containers,
            self.name_offsets,
            self.names,
            self.leaves,
            self.word_offsets,
            self.words,
            tables.names,
            tables.name_weights,
            tables.words,
            tables.word_weights,
        )


@dataclass(slots=True, frozen=True)
class Features:
    """The features of n blocks of one or more pages.

    Attributes:
        columns: uint8, (features, n), in the order of feature_descriptions; None unless asked for. Without a model,
            those that need its tables are 0 (NameHashes.columns gives them).
        kinds: uint8, n: indices into KINDS.
        types: uint8, n: indices into TYPES.
        scores: uint16, n: per mille that the block is main content; None without a model.
        hashes: what tables are trained from; None unless asked for.
    """

    columns: NDArray[np.uint8] | None
    kinds: NDArray[np.uint8]
    types: NDArray[np.uint8]
    scores: NDArray[np.uint16] | None
    hashes: NameHashes | None
