"""Compares texrex's vectors with the blocks of gold pages: each judged by what was learned from the other."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corpusprep.cleaners.block_models import TOP_SCORE, shipped_model
from corpusprep.gold import sets
from corpusprep.io import tsv
from studies.schaefer_2017.measuring import GOLD_COLUMNS, VECTORS
from studies.schaefer_2017.perceptrons import PerceptronModel, read_model
from studies.schaefer_2017.training import Blocks, fit, of_pages, of_vectors, scores_of
from studies.schaefer_2017.vectors import LANGUAGES

#: Parts of the pages, by host, that are judged in turn.
PARTS = 2


def measure(data: Path, name: str, output: Path) -> None:
    """Writes what models find in the blocks of a gold set, and what a model of the set finds in the vectors.

    The model of the vectors is the package's. The set's own is judged on pages of hosts that it has not seen.
    A set that is absent gives an empty table.

    Args:
        data: folder of the evaluation data.
        name: of the gold set.
        output: the table: one row per model and set or language that it judges.

    Raises:
        ConfigError: there is no set of that name, or it has too few pages.
        GoldError: its files are damaged.
        StageFileError: the vectors are missing or damaged.
    """
    gold_set = sets.read(name, data)
    tsv.write(output, GOLD_COLUMNS, () if gold_set is None else _rows(data, name, of_pages(gold_set)))


def _rows(data: Path, name: str, pages: Blocks) -> Iterator[tuple[str, ...]]:
    yield _row(VECTORS, name, pages, _called(read_model(shipped_model("texrex")), pages.rows))
    called = np.zeros(len(pages), np.bool_)
    for part in range(PARTS):
        judged = pages.folds % PARTS == part
        called[judged] = _called(fit(pages.rows[~judged], pages.good[~judged], {}), pages.rows[judged])
    yield _row(name, name, pages, called)
    model = fit(pages.rows, pages.good, {})
    for language in LANGUAGES:
        vectors = of_vectors(data, language)
        yield _row(name, language, vectors, _called(model, vectors.rows))


def _called(model: PerceptronModel, rows: NDArray[np.int16]) -> NDArray[np.bool_]:
    """Returns which blocks a model calls boilerplate."""
    scores = np.asarray(model.native.scores(np.ascontiguousarray(rows)))
    return scores < TOP_SCORE // 2


def _row(learned: str, judged: str, blocks: Blocks, called: NDArray[np.bool_]) -> tuple[str, ...]:
    figures = scores_of(called, ~blocks.good)
    shown = (f"{figures[score]:.4f}" for score in ("baseline", "precision", "recall", "f1", "correct"))
    return learned, judged, str(len(blocks)), *shown
