"""Finds the thresholds that made a corpus, and which of its blocks other thresholds would decide otherwise."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import polars as pl
from numpy.typing import NDArray

from corpusprep.cleaners import fixed
from corpusprep.cleaners.interface import Algorithm
from corpusprep.cleaners.registry import algorithm
from corpusprep.cleaners.scored import ScoredAlgorithm
from corpusprep.errors import ConfigError
from corpusprep.io import tsv
from corpusprep.pages.segmentation import Blocks
from corpusprep.tables import schemas
from corpusprep.tables.batch_files import corpus_file
from corpusprep.tables.reading import read_table, reading
from corpusprep.tables.verdicts import KEPT

#: Threshold -> one step of it. Blocks that a step decides otherwise are near the thresholds, three steps: less near.
STEPS: Mapping[str, float] = {
    "max_link_density": 0.1,
    "length_low": 3,
    "stopwords_low": 0.05,
    "length_high": 5,
    "stopwords_high": 0.05,
    "threshold": 0.08,
}

#: How far a block is from the thresholds, by the code that `distances` gives, and the steps that change its class.
DISTANCES = ("near", "middle", "far")
_STEPS_AWAY = (1, 3)

#: Kinds of blocks that `content` keeps or leaves out by setting.
_KINDS = {"comment": "keep_comments", "title": "keep_title", "table": "keep_tables", "code": "keep_code"}
#: Batches that show which kinds `content` kept.
_BATCHES_READ = 3


class ByScore(ScoredAlgorithm):
    """Keeps blocks from a stored score on: what a learned algorithm does whose scores alone decide."""

    def __init__(self, threshold: float) -> None:
        self._threshold = round(threshold * 1000)

    @property
    def threshold(self) -> int:
        """The lowest score of main content, per mille."""
        return self._threshold

    def classify(self, blocks: Blocks, references: NDArray[np.int64] | None = None) -> NoReturn:
        """Raises ConfigError: there are stored scores only."""
        raise ConfigError("the scores of this corpus are stored; its pages cannot be scored again")


@dataclass(frozen=True)
class Choice:
    """An algorithm whose classes follow from stored scores, with values of its thresholds.

    Attributes:
        name: of the algorithm; empty for a learned one other than content: the stored scores do not say which.
        values: parameter -> value.
    """

    name: str
    values: Mapping[str, Any]

    def algorithm(self) -> Algorithm:
        """Returns the algorithm.

        Raises:
            ConfigError: a value is not allowed.
        """
        if self.name:
            return algorithm(self.name, parameters=dict(self.values))
        threshold = float(self.values["threshold"])
        if not 0 <= threshold <= 1:
            raise ConfigError(f"threshold is {threshold:g}; allowed: 0 to 1")
        return ByScore(threshold)

    def moved(self, parameter: str, by: float) -> "Choice":
        """Returns the choice with one threshold moved."""
        value = self.values[parameter] + by
        rounded = int(value) if isinstance(self.values[parameter], int) else round(value, 4)
        return Choice(self.name, {**self.values, parameter: rounded})


def in_use(folder: Path) -> Choice | None:
    """Returns the thresholds that made a corpus, from its statistics; None if stored scores do not decide its blocks.

    Raises:
        StageFileError: the corpus has no statistics yet, or they are damaged.
    """
    used = {
        row["parameter"]: row["value"]
        for row in tsv.read(corpus_file(folder, "thresholds"), ["parameter", "value", "used"])
        if row["used"] == "1" and row["parameter"] != "preset"
    }
    if "max_link_density" in used:
        return Choice(
            "justext",
            {name: int(value) if name.startswith("length") else float(value) for name, value in used.items()},
        )
    if "threshold" not in used:
        return None
    threshold = float(used["threshold"])
    kinds = _kinds(folder)
    if kinds is None:
        return Choice("", {"threshold": threshold})
    return Choice("content", {"threshold": threshold, **kinds})


def _kinds(folder: Path) -> dict[str, bool] | None:
    """Returns which kinds of blocks were kept, by the parameters of content; None if blocks have no kinds."""
    paths = sorted((folder / "boilerplate").glob("*.parquet"))[:_BATCHES_READ]
    frames = [read_table(path, schemas.BOILERPLATE, ["kind", "verdict"]).unique() for path in paths]
    rows = pl.concat(frames).unique() if frames else schemas.BOILERPLATE.to_frame().select("kind", "verdict")
    rows = rows.filter(fixed.is_shown(rows))
    if rows["kind"].is_null().any():
        return None
    keep = {"keep_comments": False, "keep_title": False, "keep_tables": True, "keep_code": True}
    for kind, setting in _KINDS.items():
        verdicts = set(rows.filter(kind=kind)["verdict"])
        if KEPT in verdicts or "kind" in verdicts:
            keep[setting] = "kind" not in verdicts
    return keep


def distances(choice: Choice, rows: pl.DataFrame) -> NDArray[np.uint8]:
    """Returns how far blocks are from the thresholds: for each row, an index into DISTANCES.

    A block is near if it is decided otherwise when one threshold moves by one step (STEPS), and in the middle if three
    steps are needed. So the context of a block counts as it does in its class.

    Args:
        choice: the thresholds in use.
        rows: with the stored columns of the algorithm and fixed.COLUMNS, whole pages in order.
    """
    distance = np.full(rows.height, len(DISTANCES) - 1, np.uint8)
    if not rows.height:
        return distance
    now = fixed.classify_stored(choice.algorithm(), rows).good
    for code, steps in reversed(list(enumerate(_STEPS_AWAY))):
        for other in _moved(choice, steps):
            distance[fixed.classify_stored(other, rows).good != now] = code
    return distance


def _moved(choice: Choice, steps: int) -> Iterator[Algorithm]:
    """Yields the algorithm with one threshold after the other moved, up and down, as far as values are allowed."""
    for parameter, step in STEPS.items():
        if parameter in choice.values:
            for sign in (-1, 1):
                try:
                    yield choice.moved(parameter, sign * steps * step).algorithm()
                except ConfigError:
                    continue


def rows_of(path: Path, records: pl.Series, columns: list[str]) -> pl.DataFrame:
    """Returns the rows of a batch's table of blocks that are of some records, in order.

    Raises:
        StageFileError: the table is missing or damaged.
    """
    with reading(path):
        wanted = pl.col("record").is_in(records.cast(pl.UInt32).implode())
        return pl.scan_parquet(path, glob=False).filter(wanted).select(columns).collect()
