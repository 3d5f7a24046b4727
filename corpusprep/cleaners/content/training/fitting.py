"""Trains the parts of a model on chosen pages, and scores all pages with it."""

import hashlib
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from corpusprep.cleaners.content.training import boosting
from corpusprep.cleaners.content.training.boosting import Trees
from corpusprep.cleaners.content.training.examples import Examples, fold_of
from corpusprep.cleaners.content.training.feature_tables import TableFitter
from corpusprep.cleaners.content.training.selection import selected
from corpusprep.pages.features import Tables

#: Folds of the tables: trees learn on columns of tables that have not seen the page's group.
TABLE_FOLDS = 2
#: The weight of pages of another kind than that. F1 of all words on WCXB, of pages whose host was left out, rises by
#: 0.2 points, and on listings by 3.7 (mean over pages: 0.7 and 4.4).
ARTICLE, OTHER_KINDS = "article", 2.0
#: The value of a column of the tables when nothing is known.
BLANK = 128


@dataclass(slots=True, frozen=True)
class TrainingPlan:
    """How a model is trained.

    Attributes:
        blank: share of the pages whose columns of the tables are blanked: trees must do without names and words too.
        blocks_per_page: blocks of a page that teach the trees, at most.
        members: whether pages with lists of terms, as in documentation, are made of others and teach it, too.
        features: the places of the features that trees may read.
        trees: how trees are grown.
    """

    blank: float = 0.5
    blocks_per_page: int = 90
    members: bool = True
    features: tuple[int, ...] = field(default_factory=selected)
    trees: boosting.Settings = field(default_factory=boosting.Settings)


@dataclass(slots=True, frozen=True)
class Parts:
    """The parts of a model."""

    tables: Tables
    trees: Trees


class Trainer:
    """Trains on subsets of examples."""

    def __init__(self, examples: Examples, plan: TrainingPlan, table_columns: int) -> None:
        """A trainer; the last `table_columns` features are those that need tables."""
        self.examples, self.plan = examples, plan
        self._plain = len(examples.columns) - table_columns
        self._page_of = examples.page_of()
        self.weights = block_weights(examples)
        groups = {group: number for number, group in enumerate(dict.fromkeys(p.group for p in examples.pages))}
        self._groups = np.array([groups[page.group] for page in examples.pages], np.int64)
        self._fitter = TableFitter(examples.hashes, examples.labels, self.weights, self._page_of, self._groups)
        self._blank = np.array([share_of(page.gold_set, page.name) < plan.blank for page in examples.pages])
        self._fold = np.array([fold_of(f"tables {page.group}", TABLE_FOLDS) for page in examples.pages])
        self._sampled = self._sample()
        self.features = list(plan.features)

    def train(self, chosen: NDArray[np.bool_]) -> Parts:
        """Trains on the chosen pages, shape (pages,)."""
        examples, plain = self.examples, self._plain
        taught = chosen[self._page_of] & self._sampled
        rows = np.flatnonzero(taught)
        teaching = np.take(examples.columns[self.features], rows, axis=1)
        tables = self._fitter.fit(chosen)
        learnt = np.full((len(examples.columns) - plain, len(rows)), BLANK, np.uint8)
        for fold in range(TABLE_FOLDS):
            seen = (self._fold[self._page_of[rows]] == fold) & ~self._blank[self._page_of[rows]]
            if seen.any():
                without = self._fitter.fit(chosen & (self._fold != fold))
                learnt[:, seen] = examples.hashes.columns(without)[:, rows[seen]]
        for place, feature in enumerate(self.features):
            if feature >= plain:
                teaching[place] = learnt[feature - plain]
        labels = examples.labels[rows]
        trees, _ = boosting.grow(teaching, labels, self.weights[rows] * self._scale[rows], self.plan.trees)
        return Parts(tables, replace(trees, features=np.array(self.features, np.uint16)[trees.features]))

    def scores(self, parts: Parts, blocks: NDArray[np.bool_]) -> NDArray[np.int32]:
        """Returns the sums of leaves of the chosen blocks, shape (blocks,)."""
        columns = self.examples.columns[:, blocks]
        columns[self._plain :] = self.examples.hashes.columns(parts.tables)[:, blocks]
        return parts.trees.scores(columns)

    def _sample(self) -> NDArray[np.bool_]:
        """Returns the blocks that teach the trees, and sets the factor of their weights."""
        chosen = np.zeros(len(self.examples), np.bool_)
        self._scale = np.ones(len(self.examples))
        most = self.plan.blocks_per_page
        for number, (first, end) in enumerate(zip(self.examples.bounds, self.examples.bounds[1:], strict=False)):
            known = first + np.flatnonzero(self.weights[first:end] > 0)
            if len(known) > most:
                picked = np.random.default_rng([number, 1]).permutation(len(known))[:most]
                self._scale[known] = len(known) / most
                known = known[picked]
            chosen[known] = True
        return chosen


def block_weights(examples: Examples) -> NDArray[np.float64]:
    """Returns the weights of blocks: about words^0.7, less for long pages; 0 where the label is unknown.

    Pages that are no articles count more: there are few, and they differ more from each other.
    """
    weights = np.minimum(examples.words, 200) ** 0.7 + 0.05
    known = (examples.labels >= 0) & np.repeat(
        np.array([not page.left_out for page in examples.pages]), np.diff(examples.bounds)
    )
    weights = np.where(known, weights, 0.0)
    sums = np.add.reduceat(np.append(weights, 0.0), examples.bounds[:-1])
    sums[np.diff(examples.bounds) == 0] = 0.0
    kinds = np.array([1.0 if page.kind in ("", ARTICLE) else OTHER_KINDS for page in examples.pages])
    factors = kinds * 30.0 / np.sqrt(np.maximum(100.0, sums))
    weighted: NDArray[np.float64] = weights * np.repeat(factors, np.diff(examples.bounds))
    return weighted


def share_of(*names: str) -> float:
    """Returns a number from 0 to 1 that depends on the names alone."""
    digest = hashlib.sha1(" ".join(names).encode(), usedforsecurity=False).digest()
    return int.from_bytes(digest[:4], "big") / 2**32
