"""Tries other thresholds of the filter by quality on the stored signals of a corpus's documents and blocks."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from corpusprep.errors import StageFileError
from corpusprep.quality.blocks import measured_blocks
from corpusprep.quality.effects import kept_words, lacking_in
from corpusprep.quality.rules import Rule, applicable, of_section
from corpusprep.quality.sampling import A_SIDE
from corpusprep.statistics.corpus_folder import CorpusFolder
from corpusprep.tables import schemas
from corpusprep.tables.batch_files import BatchFiles
from corpusprep.tables.reading import read_rows, read_table
from corpusprep.tables.verdicts import KEPT

#: Documents and, where there are rules on blocks, blocks that are counted: of a corpus with more, the first batches.
#: Their names are hashes, so these are a sample. A document takes up to 8 bytes per signal.
MOST_DOCUMENTS, MOST_BLOCKS = 1_000_000, 1_000_000
#: Digits of a digest that decide which documents at the same distance are shown.
_DIGITS = 15
_SCATTERED, _MOST = 0x9E3779B97F4A7C1, (1 << 60) - 1


class Amount(NamedTuple):
    """A number of documents or blocks, and of their words."""

    number: int
    words: int


class Outcome(NamedTuple):
    """What rules do.

    Attributes:
        kept: whether each document stays.
        words: of each document that its blocks have that stay; of a removed one, too.
        refused: of each rule, what it refuses: documents, or blocks of documents that no rule on documents refuses.
        alone: the part of it that no other rule of this kind refuses.
    """

    kept: NDArray[np.bool_]
    words: NDArray[np.int64]
    refused: tuple[Amount, ...]
    alone: tuple[Amount, ...]

    @property
    def total(self) -> Amount:
        """Documents and words that stay."""
        return Amount(int(self.kept.sum()), int(self.words[self.kept].sum()))


class Place(NamedTuple):
    """A document near a threshold, or a block.

    Attributes:
        batch, record: of the document.
        block: its number; None for a document.
        value: of the signal.
        others: other rules of this kind that refuse it.
    """

    batch: str
    record: int
    block: int | None
    value: float
    others: int


def section_in_use(folder: Path) -> dict[str, Any]:
    """Returns the rules that made a corpus, as a section `filter`; without a rule, an empty one.

    Raises:
        StageFileError: the corpus has no stored signals, or they are damaged.
    """
    for batch in CorpusFolder.open(folder).batches:
        path = BatchFiles.of(folder, batch).quality
        if not path.exists():
            raise StageFileError(
                f"{path}: no such file; build the corpus with filter: {{signals: true}}, or with rules"
            )
        rows = read_rows(path, ["filter"], 0, 1)
        if rows.height:
            section: dict[str, Any] = json.loads(rows["filter"][0])
            return section
    return {}


class FilterTrial:
    """The signals that rules look at, of all documents or of a sample.

    Attributes:
        section: the rules at the beginning, as a section `filter`.
        left_out: rules that do not apply to the language, by the reason.
        whole: whether all documents are in it.
        now: whether each document is kept by the rules that made the corpus.
        words_now: words that each document has with them.
        begun: what `section` does.
    """

    def __init__(self, folder: Path, section: Mapping[str, Any]) -> None:
        """Reads the signals.

        Args:
            folder: of a built corpus.
            section: rules.

        Raises:
            StageFileError: a table is missing or damaged.
            ConfigError: the section is wrong.
        """
        self.folder, self.section = folder, dict(section)
        self._lacking = lacking_in(folder)
        applied, self.left_out = applicable(of_section(section), self._lacking)
        signals = list(dict.fromkeys(name for rule in applied if not rule.of_blocks for name in rule.signals))
        of_blocks = [rule for rule in applied if rule.of_blocks]
        documents: list[pl.DataFrame] = []
        blocks: list[pl.DataFrame] = []
        number, self.whole = 0, True
        self._batches = CorpusFolder.open(folder).batches
        for place, batch in enumerate(sorted(self._batches)):
            if number >= MOST_DOCUMENTS or sum(part.height for part in blocks) >= MOST_BLOCKS:
                self.whole = False
                break
            rows, own = _read(BatchFiles.of(folder, batch), signals, of_blocks)
            documents.append(rows.with_columns(_batch=pl.lit(place, pl.UInt32)))
            numbers = rows.select("_record", _document=pl.int_range(number, number + pl.len(), dtype=pl.UInt32))
            blocks.append(own.join(numbers, on="_record", maintain_order="left").drop("_record"))
            number += rows.height
        self._documents, self._blocks = pl.concat(documents), pl.concat(blocks)
        self._words = self._documents["_words"].to_numpy()
        self._block_words = self._blocks["_words"].to_numpy()
        self._of_document = self._blocks["_document"].to_numpy()
        self.now, self.words_now = self._documents["_now"].to_numpy(), self._documents["_words_now"].to_numpy()
        self._known: dict[tuple[str, float | None], NDArray[np.bool_]] = {}
        for table, of_table in (
            (self._documents, [rule for rule in applied if not rule.of_blocks]),
            (self._blocks, of_blocks),
        ):
            self._known |= zip(map(_key, of_table), self._refused(table, of_table)[0], strict=True)
        self.begun = self.outcome(section)

    @property
    def before(self) -> int:
        """The words of all documents."""
        return int(self._words.sum())

    def rules(self, section: Mapping[str, Any]) -> list[Rule]:
        """Returns the rules of a section that apply to the language.

        Raises:
            ConfigError: the section is wrong.
        """
        return applicable(of_section(section), self._lacking)[0]

    def outcome(self, section: Mapping[str, Any]) -> Outcome:
        """Returns what rules do that look at the same signals as those at the beginning.

        Raises:
            ConfigError: the section is wrong.
        """
        found = self.rules(section)
        of_documents = [rule for rule in found if not rule.of_blocks]
        refused, times = self._refused(self._documents, of_documents)
        passed, words = times == 0, self._words
        amounts = _amounts(refused, times, words)
        kept = passed
        if of_blocks := found[len(of_documents) :]:
            refused, times = self._refused(self._blocks, of_blocks)
            amounts += _amounts([own & passed[self._of_document] for own in refused], times, self._block_words)
            size, out = len(words), times > 0
            lost = np.bincount(self._of_document[out], self._block_words[out], minlength=size).astype(np.int64)
            kept = passed & (np.bincount(self._of_document[~out], minlength=size) > 0)
            words = words - lost
        return Outcome(kept, words, tuple(first for first, _ in amounts), tuple(alone for _, alone in amounts))

    def values(self, rule: Rule) -> NDArray[np.float64]:
        """Returns the values of a rule's signal, of documents or blocks; NaN where there are none."""
        rows = self._blocks if rule.of_blocks else self._documents
        return rows[rule.signals[0]].cast(pl.Float64).fill_null(float("nan")).to_numpy()

    def nearest(self, section: Mapping[str, Any], number: int) -> tuple[list[Place], list[Place]]:
        """Returns what a rule refuses and what it does not refuse: those nearest to its threshold, the nearest first.

        At the same distance, digests decide, as in the report.

        Args:
            section: rules.
            number: of the rule among those that apply, which has a threshold.

        Raises:
            ConfigError: the section is wrong.
        """
        found = self.rules(section)
        rule = found[number]
        rows = self._blocks if rule.of_blocks else self._documents
        own = [other for other in found if other.of_blocks == rule.of_blocks]
        refused, times = self._refused(rows, own)
        mine = refused[own.index(rule)]
        values = self.values(rule)
        distances = np.abs(values - (rule.threshold or 0.0))
        digests = self._documents["_digest"].to_numpy()
        if rule.of_blocks:  # neighbours on a page come far from each other
            numbers = self._blocks["_block"].to_numpy().astype(np.int64)
            digests = digests[self._of_document] ^ (numbers * _SCATTERED & _MOST)
        sides = []
        for side in (mine, ~mine & ~np.isnan(values)):
            chosen = _smallest(distances, digests, np.flatnonzero(side))
            sides.append(
                [self._place(rule, int(row), float(values[row]), int(times[row] - mine[row])) for row in chosen]
            )
        return sides[0], sides[1]

    def _refused(
        self, rows: pl.DataFrame, applied: Sequence[Rule]
    ) -> tuple[list[NDArray[np.bool_]], NDArray[np.uint8]]:
        """Returns what each rule refuses, and how many rules refuse each row."""
        new = [rule for rule in applied if _key(rule) not in self._known]
        masks = rows.select(rule.removes.fill_null(value=False).alias(str(place)) for place, rule in enumerate(new))
        found = self._known | {_key(rule): mask.to_numpy() for rule, mask in zip(new, masks, strict=True)}
        refused = [found[_key(rule)] for rule in applied]
        times = np.zeros(rows.height, np.uint8)
        for mask in refused:
            times += mask
        return refused, times

    def _place(self, rule: Rule, row: int, value: float, others: int) -> Place:
        block = int(self._blocks["_block"][row]) if rule.of_blocks else None
        document = int(self._of_document[row]) if rule.of_blocks else row
        batch = sorted(self._batches)[self._documents["_batch"][document]]
        return Place(batch, int(self._documents["_record"][document]), block, value, others)


def _key(rule: Rule) -> tuple[str, float | None]:
    return rule.text, rule.threshold  # the text rounds the threshold


def _read(files: BatchFiles, signals: Sequence[str], of_blocks: Sequence[Rule]) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Returns the documents of a batch, and, where there are rules on blocks, their blocks."""
    words = kept_words(files).select("record", "block", _words="words")
    columns = ["record", *signals, "left_out", "verdict"]
    rows = read_table(files.quality, schemas.QUALITY, columns)
    out = rows.select("record", block="left_out").explode("block").drop_nulls().join(words, on=["record", "block"])
    digests = read_table(files.tokens, schemas.TOKENS, ["record", "digest"])
    about = (
        rows.join(words.group_by("record").agg(pl.col("_words").sum()), on="record", how="left", maintain_order="left")
        .join(out.group_by("record").agg(_out=pl.col("_words").sum()), on="record", how="left", maintain_order="left")
        .join(digests, on="record", how="left", maintain_order="left")
        .select(
            *signals,
            _record="record",
            _words=pl.col("_words").fill_null(0),
            _words_now=pl.col("_words").fill_null(0) - pl.col("_out").fill_null(0),
            _now=pl.col("verdict") == KEPT,
            _digest=pl.col("digest").str.head(_DIGITS).str.to_integer(base=16),
        )
    )
    if not of_blocks:
        return about, pl.DataFrame(schema={"_record": pl.UInt32, "_block": pl.UInt32, "_words": pl.Int64})
    blocks = measured_blocks(files, of_blocks).join(words, on=["record", "block"], maintain_order="left")
    return about, blocks.rename({"record": "_record", "block": "_block"})


def _amounts(
    refused: Sequence[NDArray[np.bool_]], times: NDArray[np.uint8], words: NDArray[np.int64]
) -> list[tuple[Amount, Amount]]:
    once = times == 1
    return [
        (Amount(int(mask.sum()), int(words[mask].sum())), Amount(int(alone.sum()), int(words[alone].sum())))
        for mask in refused
        for alone in [mask & once]
    ]


def _smallest(distances: NDArray[np.float64], digests: NDArray[np.int64], rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """Returns up to A_SIDE of some rows, those with the smallest distances first, then with the smallest digests."""
    if len(rows) > A_SIDE:
        farthest = np.partition(distances[rows], A_SIDE - 1)[A_SIDE - 1]
        nearer, at = rows[distances[rows] < farthest], rows[distances[rows] == farthest]
        left = A_SIDE - len(nearer)
        if len(at) > left:
            at = at[np.argpartition(digests[at], left - 1)[:left]]
        rows = np.concatenate([nearer, at])
    return rows[np.lexsort((rows, digests[rows], distances[rows]))]
