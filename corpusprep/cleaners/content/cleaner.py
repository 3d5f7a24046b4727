"""Keeps the blocks that a learned model scores as main content: oblivious trees over features of blocks.

No language is needed: features are counts, shares and places (corpusprep.pages.features), and weights of class and id
words. Which kinds of blocks are kept is policy: comments, the title, tables and code are kept or left out by setting.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from corpusprep._native.context import find_main_content
from corpusprep.cleaners import model_files
from corpusprep.cleaners.block_models import THRESHOLDS, BlockModel, lowest_score, read_model, shipped_model
from corpusprep.cleaners.interface import VERDICTS, Algorithm, Classes, Registration, parameter, without_context
from corpusprep.errors import StageFileError
from corpusprep.pages.features import KINDS
from corpusprep.pages.segmentation import Blocks
from corpusprep.tables.verdicts import KEPT

if TYPE_CHECKING:
    import polars as pl

    from corpusprep._native import pages as native

#: What find_main_content says, as indices into VERDICTS.
_VERDICTS = np.array([VERDICTS.index(verdict) for verdict in (KEPT, "score", "kind")], np.uint8)


@dataclass(slots=True, frozen=True)
class ContentSettings:
    """What is kept."""

    threshold: float | str = parameter(
        "balanced",
        "Lowest score of main content, as a share of the page's best score (less on pages that are nearly all text, "
        "more before the title), or a name of one that the model declares.",
        0,
        1,
        THRESHOLDS,
    )
    keep_comments: bool = parameter(False, "Whether readers' comments are kept.")
    keep_title: bool = parameter(
        False, "Whether the block that is like the page's title is kept, with any score, on pages with main content."
    )
    keep_tables: bool = parameter(True, "Whether tables of data are kept.")
    keep_code: bool = parameter(True, "Whether code and other preformatted text is kept.")
    model: str = parameter("", "Model file; empty: the one that comes with the package.")


@dataclass(slots=True, frozen=True)
class Scored:
    """What decides the classes of n blocks: their columns in Blocks and Features, or in the table of blocks."""

    pages: NDArray[np.int64]
    scores: NDArray[np.uint16]
    kinds: NDArray[np.uint8]
    words: NDArray[np.number]
    link_density: NDArray[np.float64]

    @classmethod
    def of_rows(cls, rows: "pl.DataFrame") -> "Scored":
        """Returns the scores of stored blocks, from rows with Content.stored_columns: no page is read again.

        Raises:
            StageFileError: the rows were not scored by a model.
        """
        if rows["score"].null_count():
            raise StageFileError("the corpus was not made by a learned model: its blocks have no scores")
        records = rows["record"].to_numpy().astype(np.int64)
        return cls(
            pages=np.append(np.flatnonzero(np.diff(records, prepend=-1)), len(records)).astype(np.int64),
            scores=rows["score"].to_numpy(),
            kinds=rows["kind"].replace_strict(list(KINDS), list(range(len(KINDS)))).to_numpy().astype(np.uint8),
            words=rows["words"].to_numpy(),
            link_density=rows["link_density"].to_numpy(),
        )


class Content(Algorithm):
    """Scores by a model, a threshold, and the kinds to keep."""

    needs_language = False
    stored_columns = ("record", "words", "link_density", "score", "kind")

    def __init__(self, settings: ContentSettings = ContentSettings()) -> None:
        self.settings = settings

    @cached_property
    def model(self) -> BlockModel:
        """The model, read on first use.

        Raises:
            ModelError: it is missing, damaged, or made for something else.
        """
        path = self.settings.model
        return read_model(model_files.path_of(path) if path else shipped_model("content"), "content")

    @property
    def block_model(self) -> "native.BlockModel":
        """The model as Segmenter takes it."""
        return self.model.native

    @property
    def threshold(self) -> int:
        """The lowest score of main content, per mille of the page's best score."""
        return lowest_score(self.settings.threshold, self.model.thresholds)

    def classify(self, blocks: Blocks, references: NDArray[np.int64] | None = None) -> Classes:
        """Classifies all blocks of all pages."""
        features = blocks.features
        if features is None or features.scores is None:
            raise ValueError("the algorithm needs Segmenter(…, model=algorithm.block_model)")
        return self.classify_scored(
            Scored(blocks.pages, features.scores, features.kinds, blocks.words, blocks.link_density)
        )

    def classify_stored(self, rows: "pl.DataFrame") -> Classes:
        """Classifies the blocks of pages again from their rows, with stored_columns.

        Raises:
            StageFileError: the rows were not scored by a model.
        """
        return self.classify_scored(Scored.of_rows(rows))

    def classify_scored(self, blocks: Scored) -> Classes:
        """Classifies blocks by their scores and kinds (native/pages/main_content.hpp)."""
        settings = self.settings
        decided = find_main_content(
            blocks.scores,
            np.ascontiguousarray(blocks.kinds, np.uint8),
            np.ascontiguousarray(blocks.words, np.uint32),
            np.ascontiguousarray(blocks.link_density, np.float64),
            blocks.pages,
            self.threshold,
            settings.keep_comments,
            settings.keep_title,
            settings.keep_tables,
            settings.keep_code,
        )
        return without_context(_VERDICTS.take(decided))

    @property
    def stored_thresholds(self) -> ContentSettings:
        """The settings in use."""
        return self.settings


ALGORITHMS = (
    Registration(
        name="content",
        make=Content,
        description="Keeps blocks that a learned model scores as main content, of the kinds asked for; any language.",
        source="own",
        parameters=ContentSettings(),
    ),
)
