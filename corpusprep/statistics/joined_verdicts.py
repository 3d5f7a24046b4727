"""Joins the verdicts of all stages on every record, document and block of one batch, one part of the batch at a time.

A verdict is null if the unit did not reach the stage. So the units that a stage processed have a verdict in its column,
and the units that it kept have `kept` there.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path

import polars as pl

from corpusprep.errors import StageFileError
from corpusprep.pipeline import DECIDING, deciding_before
from corpusprep.tables.batch_files import BatchFiles
from corpusprep.tables.reading import TablePieces, reading
from corpusprep.tables.verdicts import (
    BLOCK_VERDICTS,
    DOCUMENT_VERDICTS,
    EMPTIED_REASONS,
    KEPT,
    LANGUAGE_BLOCK_REASONS,
    RECORD_REASONS,
    STAYING,
    WHOLE,
)
from corpusprep.tables.writing import ROWS_PER_GROUP

#: Blocks per part (more only for a page with more blocks): about 10 MB of text. Row groups have the same size.
ROWS_AT_ONCE = 50_000

_OF_STAGES = [verdict for stage in DECIDING for verdict in (*BLOCK_VERDICTS[stage], *DOCUMENT_VERDICTS[stage])]
#: Type of the verdict columns: one byte per value.
VERDICT = pl.Enum(list(dict.fromkeys([KEPT, *RECORD_REASONS, *_OF_STAGES])))

#: Type of a stage that removed a unit; its number is the place of the stage in DECIDING.
STAGE = pl.Enum(DECIDING)

_ABOUT = ("url", "date", "page_digest", "encoding")
_DECLARED = ("declared_http", "declared_meta", "declared_bom", "detected")
_DENSITIES = ("link_density", "stopword_density")
_BLOCKS = "boilerplate"
#: The stages that decide about whole documents -> columns of their tables that are read beside the verdict.
_OF_DOCUMENTS = dict.fromkeys(DECIDING[1 : DECIDING.index("blocks")], ()) | {
    "language": ("lang", "score", "left_out", "against"),
    "documents": ("duplicate_of",),
}
_AFTER_LANGUAGE = DECIDING[DECIDING.index("language") + 1 :]
#: Tables that are joined -> columns that are read, and the verdicts that they may have; None: they have none.
_READ: Mapping[str, tuple[Sequence[str], Collection[str] | None]] = {
    "encoding": (
        ("batch", "record", "length", "payload_bytes", "host", *_DECLARED, *_ABOUT, "mended", "truncated", "verdict"),
        RECORD_REASONS,
    ),
    "pages": (("record", "title", "undecodable", "invisible", "verdict"), DOCUMENT_VERDICTS[_BLOCKS]),
    _BLOCKS: (
        ("record", "block", "tag", "heading", "text", "words", *_DENSITIES, "verdict", "score", "kind"),
        BLOCK_VERDICTS[_BLOCKS],
    ),
    **{stage: (("record", *columns, "verdict"), DOCUMENT_VERDICTS[stage]) for stage, columns in _OF_DOCUMENTS.items()},
    "tokens": (("record", "tokens", "cut"), None),
    "blocks": (("record", "block", "tokens", "verdict"), BLOCK_VERDICTS["blocks"]),
    "quality": (
        ("record", "failed", "perplexity", "left_out", "left_out_by", "verdict"),
        DOCUMENT_VERDICTS["quality"],
    ),
}
#: Those that not all corpora have: where the file is missing, the stage has no verdicts.
_OPTIONAL = ("quality",)

_AGAIN = "the stage files are from different runs: run the workflow again"


@dataclass(slots=True, frozen=True)
class Fate:
    """Documents or blocks with the same verdicts.

    Attributes:
        verdicts: the verdict of each deciding stage; None: they did not reach it.
        units: their number.
        words: of blocks; 0 for documents.
        counted: how many of them have a number of tokens.
        tokens: sum of these numbers.
    """

    verdicts: Mapping[str, str | None]
    units: int
    words: int
    counted: int
    tokens: int

    def stays(self, stage: str) -> bool:
        """Whether a stage passes them on: they are kept, or duplicates that are only marked."""
        return self.verdicts[stage] in STAYING

    @property
    def in_corpus(self) -> bool:
        """Whether they are in the corpus."""
        return self.stays("blocks") and (self.verdicts["quality"] is None or self.stays("quality"))


@dataclass(frozen=True)
class JoinedVerdicts:
    """The joined verdicts of a part of a batch: a range of consecutive records.

    Attributes:
        records: one row per record of the archives: batch, record, length (bytes), payload_bytes, url, host, date,
            page_digest, declared and detected encodings, mended, truncated, verdict.
        documents: one row per page that `encoding` kept: batch, record, url, host, date, page_digest, encoding, title,
            undecodable, invisible, lang and score (of `language`), tokens and cut (null before `tokens`), duplicate_of
            (of `documents`; null if it is no exact duplicate), failed (rules of `quality`), perplexity, and the verdict
            of each deciding stage.
        blocks: one row per block, in the order of the boilerplate table: record, block, tag, heading, text, words,
            link_density, stopword_density, score, kind, tokens (null before `blocks`), verdict (of the boilerplate
            table), and the verdict of each deciding stage. A block is removed with its document, or alone in
            `boilerplate`, `language`, `blocks` and `quality`.
        subwords: one row per document of the corpus: record, model_tokens. None where they are not counted.
        personal: one row per place with personal data in documents that `blocks` kept: record, block, kind. None where
            it is not looked for.

    The verdicts of `quality` are null in a corpus without it.
    """

    records: pl.DataFrame
    documents: pl.DataFrame
    blocks: pl.DataFrame
    subwords: pl.DataFrame | None = None
    personal: pl.DataFrame | None = None

    @cached_property
    def sizes(self) -> pl.DataFrame:
        """The blocks and words of each page that has blocks: record, blocks_crawl, blocks, words_crawl, words."""
        words, kept = pl.col("words").cast(pl.Int64), in_corpus()
        return self.blocks.group_by("record").agg(
            pl.len().cast(pl.Int64).alias("blocks_crawl"),
            kept.sum().cast(pl.Int64).alias("blocks"),
            words.sum().alias("words_crawl"),
            words.filter(kept).sum().alias("words"),
        )

    @cached_property
    def document_fates(self) -> list[Fate]:
        """The documents by their verdicts; tokens are as counted at the stage `tokens`."""
        return _fates(self.documents, pl.lit(0))

    @cached_property
    def block_fates(self) -> list[Fate]:
        """The blocks by their verdicts; tokens are as counted at the stage `blocks`."""
        return _fates(self.blocks, pl.col("words").sum())


def _fates(units: pl.DataFrame, words: pl.Expr) -> list[Fate]:
    """Counts units by their verdicts: few rows, from which tables are made without looking at the units again."""
    tokens = pl.col("tokens")
    fates = units.group_by(DECIDING).agg(pl.len(), words.alias("words"), tokens.count().alias("counted"), tokens.sum())
    named = len(DECIDING)
    return [Fate(dict(zip(DECIDING, row[:named], strict=True)), *row[named:]) for row in fates.iter_rows()]


def documents_of(part: JoinedVerdicts) -> pl.DataFrame:
    """Returns the pages with their words in the crawl and in the corpus."""
    documents = part.documents.select("record", "date", "lang", kept=in_corpus().fill_null(False))
    sizes = part.sizes.select("record", "words_crawl", "words")
    return documents.join(sizes, on="record", how="left").with_columns(pl.col("words_crawl", "words").fill_null(0))


def refused(part: JoinedVerdicts) -> pl.DataFrame:
    """Returns the documents that `quality` refuses: record, failed, first and number of these rules, words."""
    rows = part.documents.filter(~stays("quality"))
    failed = pl.col("failed")
    rows = rows.select("record", "failed", first=failed.list.first(), rules=failed.list.len())
    words = part.blocks.filter(~stays("quality")).group_by("record").agg(pl.col("words").sum())
    return rows.join(words, on="record", how="left").with_columns(pl.col("words").fill_null(0))


@cache
def stays(stage: str) -> pl.Expr:
    """Whether a stage passes a unit on: it is kept, or a duplicate that is only marked. Null as its verdict."""
    return pl.col(stage).is_in(STAYING)


@cache
def in_corpus() -> pl.Expr:
    """Whether a unit is in the corpus: no stage removed it. Null if it did not reach `blocks`."""
    return stays("blocks") & stays("quality").fill_null(True)


@cache
def removed_by() -> pl.Expr:
    """The stage that removed a unit, as STAGE. Null if the unit stays: no stage that it reached removed it."""
    return pl.coalesce([pl.when(~stays(stage)).then(pl.lit(stage, STAGE)) for stage in DECIDING])


@cache
def removal_reason() -> pl.Expr:
    """Why that stage removed it: its verdict. Null if the unit stays."""
    return pl.coalesce([pl.when(~stays(stage)).then(stage) for stage in DECIDING])


class _WaitingRows:
    """Reads the rows of a table in pieces, in record order."""

    def __init__(self, path: Path, columns: list[str], reasons: Collection[str] | None, at_once: int) -> None:
        self.path = path
        self._known = None if reasons is None else {KEPT, *reasons}
        self._pieces = TablePieces(path, columns, at_once)
        waiting = self._pieces.empty
        self._waiting = waiting if reasons is None else waiting.with_columns(pl.col("verdict").cast(VERDICT))
        self._last = -1

    @property
    def ended(self) -> bool:
        return self._pieces.ended

    def up_to(self, last: int | None) -> pl.DataFrame:
        """Takes the next rows up to a record; None: all remaining rows."""
        while not self.ended and (last is None or not self._waiting.height or self._waiting["record"][-1] <= last):
            self._read()
        ready = self._waiting if last is None else self._waiting.filter(pl.col("record") <= last)
        self._waiting = self._waiting.slice(ready.height)
        return ready

    def whole_records(self) -> tuple[pl.DataFrame, int | None]:
        """Takes the next rows, all of complete records, and returns them with the last record (None: no more rows)."""
        while not self.ended:
            self._read()
            last = self._waiting["record"][-1] - 1
            if not self.ended and self._waiting["record"][0] <= last:
                return self.up_to(last), last
        return self.up_to(None), None

    def _read(self) -> None:
        rows = self._pieces.read()
        records = rows["record"]
        if not records.is_sorted() or records[0] < self._last:
            raise StageFileError(f"{self.path}: records are out of order; run the stage that writes this file again")
        self._last = records[-1]
        if self._known is not None:
            verdicts = rows["verdict"].cast(VERDICT, strict=False)
            if not self._known.issuperset(verdicts.unique()):
                unknown = rows.filter(~pl.col("verdict").is_in(self._known).fill_null(False))
                record, verdict = unknown.select("record", "verdict").row(0)
                raise StageFileError(f"{self.path}: record {record}: unknown verdict in this version: {verdict}")
            rows = rows.with_columns(verdicts)
        self._waiting = pl.concat([self._waiting, rows]) if self._waiting.height else rows


def _read(tables: BatchFiles) -> list[tuple[str, tuple[Sequence[str], Collection[str] | None]]]:
    """Returns what is read of which tables of a batch."""
    return [(name, read) for name, read in _READ.items() if name not in _OPTIONAL or getattr(tables, name).exists()]


def parts(
    tables: BatchFiles, at_once: int = ROWS_AT_ONCE, *, with_subwords: bool = False, with_personal: bool = False
) -> Iterator[JoinedVerdicts]:
    """Reads and joins the tables of one batch in parts of about `at_once` blocks.

    The tokens of a model are read where they are counted (`with_subwords`), and personal data where it is looked for
    (`with_personal`).

    Raises:
        StageFileError: a table is missing or damaged, or the tables do not match.
    """
    rows = {
        name: _WaitingRows(
            getattr(tables, name), list(columns), reasons, at_once if name == _BLOCKS else ROWS_PER_GROUP
        )
        for name, (columns, reasons) in _read(tables)
    }
    further = {
        name: _WaitingRows(path, ["record", *columns], None, ROWS_PER_GROUP)
        for name, path, columns, wanted in (
            ("subwords", tables.subwords, ["model_tokens"], with_subwords),
            ("personal", tables.personal, ["block", "kind"], with_personal),
        )
        if wanted
    }
    last: int | None = 0
    while last is not None:
        part = {}
        part[_BLOCKS], last = rows[_BLOCKS].whole_records()
        part |= {name: table.up_to(last) for name, table in rows.items() if name != _BLOCKS}
        joined = _all_joined(tables, part)
        yield replace(joined, **{name: table.up_to(last) for name, table in further.items()})


def of_records(tables: BatchFiles, records: pl.Series) -> JoinedVerdicts:
    """Reads and joins the rows of some records of a batch.

    Raises:
        StageFileError: a table is missing or damaged, or the tables do not match.
    """
    wanted = pl.col("record").is_between(records.min(), records.max()) & pl.col("record").is_in(records.implode())
    part = {}
    for name, (columns, reasons) in _read(tables):
        path = getattr(tables, name)
        with reading(path):
            rows = pl.scan_parquet(path, glob=False).filter(wanted).select(*columns).collect()
            part[name] = rows if reasons is None else rows.with_columns(pl.col("verdict").cast(VERDICT))
    return _all_joined(tables, part)


def _all_joined(tables: BatchFiles, part: Mapping[str, pl.DataFrame]) -> JoinedVerdicts:
    """Joins the rows of the same records in all tables."""
    records = part["encoding"].with_columns(pl.col("host").fill_null(""))
    seen = records.filter(verdict=KEPT).select("batch", "record", "host", *_ABOUT)
    seen = _joined(seen, _named(part["pages"], "boilerplate"), ["record"], None, tables.pages)
    for stage in _OF_DOCUMENTS:
        verdicts = _named(part[stage].drop("left_out", "against", strict=False), stage)
        seen = _joined(seen, verdicts, ["record"], deciding_before(stage), getattr(tables, stage))
    counted = part["tokens"].with_columns(pl.col("tokens").cast(pl.Int64))
    seen = _joined(seen, counted, ["record"], deciding_before("tokens"), tables.tokens)

    blocks = part[_BLOCKS]
    known = _with_page(blocks.drop("text"), seen, tables)
    known = _without_foreign(known, part["language"], tables.language)
    decided = _named(part["blocks"], "blocks").with_columns(pl.col("tokens").cast(pl.Int64))
    known = _joined(known, decided, ["record", "block"], deciding_before("blocks"), tables.blocks)
    seen, known = _with_quality(_with_blocks(seen, known), known, part.get("quality"), tables.quality)
    return JoinedVerdicts(records, seen, known.with_columns(blocks["text"]))


def _named(rows: pl.DataFrame, stage: str) -> pl.DataFrame:
    return rows.rename({"verdict": stage})


def _with_page(blocks: pl.DataFrame, seen: pl.DataFrame, tables: BatchFiles) -> pl.DataFrame:
    """Returns the blocks with the verdicts on their pages."""
    blocks = blocks.with_columns(pl.col("words").cast(pl.Int64), boilerplate="verdict")
    good = pl.col("boilerplate") == KEPT
    verdicts = seen.select("record", *_OF_DOCUMENTS, page="boilerplate")
    blocks = blocks.join(verdicts, on="record", how="left", maintain_order="left")
    stray = blocks.filter(pl.col("page").is_null() | (good & (pl.col("page") != KEPT)))
    if stray.height:
        raise StageFileError(
            f"{tables.boilerplate}: blocks of record {stray['record'][0]} do not match {tables.pages}; {_AGAIN}"
        )
    return blocks.drop("page").with_columns(pl.when(good).then(name).alias(name) for name in _OF_DOCUMENTS)


def _without_foreign(blocks: pl.DataFrame, scores: pl.DataFrame, path: Path) -> pl.DataFrame:
    """Returns the blocks, with the verdict of `language` on those that it left out of kept documents."""
    out = scores.filter((pl.col("verdict") == KEPT) & (pl.col("left_out").list.len() > 0))
    known = out.select("record", block="against").explode("block").drop_nulls().with_columns(known=True)
    out = out.select("record", block="left_out").explode("block").join(known, on=["record", "block"], how="left")
    if not out.height:
        return blocks
    matched = blocks.filter(language=KEPT).join(out, on=["record", "block"], how="semi")
    if matched.height != out.height:
        raise StageFileError(f"{path}: leaves out blocks that are not good blocks; {_AGAIN}")
    other, against = (pl.lit(reason, VERDICT) for reason in LANGUAGE_BLOCK_REASONS)
    foreign = pl.col("foreign").is_not_null()
    return (
        blocks.join(out.with_columns(foreign=True), on=["record", "block"], how="left", maintain_order="left")
        .with_columns(
            language=pl.when(foreign & pl.col("known")).then(against).when(foreign).then(other).otherwise("language"),
            **{stage: pl.when(~foreign).then(stage) for stage in list(_OF_DOCUMENTS) if stage in _AFTER_LANGUAGE},
        )
        .drop("foreign", "known")
    )


def _with_blocks(seen: pl.DataFrame, blocks: pl.DataFrame) -> pl.DataFrame:
    """Returns the documents with the verdict of `blocks`: of the whole document, or kept if any of its blocks stays."""
    left = blocks.filter(stays("blocks")).select(pl.col("record").unique(), left=True)
    whole = blocks.filter(pl.col("blocks").is_in(WHOLE)).unique("record").select("record", whole="blocks")
    emptied = next(iter(EMPTIED_REASONS))
    last = pl.when(pl.col("left")).then(pl.lit(KEPT, VERDICT)).otherwise(pl.lit(emptied, VERDICT))
    return (
        seen.join(left, on="record", how="left", maintain_order="left")
        .join(whole, on="record", how="left", maintain_order="left")
        .with_columns(blocks=pl.when(pl.col(deciding_before("blocks")) == KEPT).then(pl.coalesce("whole", last)))
        .drop("left", "whole")
    )


def _with_quality(
    seen: pl.DataFrame, blocks: pl.DataFrame, verdicts: pl.DataFrame | None, path: Path
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Returns documents and blocks with the verdict of `quality`.

    Blocks that stay have that of their document, or one of their own.
    """
    if verdicts is None:
        none = pl.lit(None, VERDICT).alias("quality")
        failed = pl.lit(None, pl.List(pl.String)).alias("failed")
        perplexity = pl.lit(None, pl.Float64).alias("perplexity")
        return seen.with_columns(none, failed, perplexity), blocks.with_columns(none)
    verdicts = _named(verdicts, "quality")
    left = seen.filter(stays("blocks")).select("record")
    if not left.equals(verdicts.select("record")):
        raise StageFileError(f"{path}: not the documents that the stage before kept; {_AGAIN}")
    own = verdicts.select("record", block="left_out", own=pl.col("left_out_by").cast(pl.List(VERDICT)))
    own = own.explode("block", "own").drop_nulls()
    verdicts = verdicts.drop("left_out", "left_out_by")
    seen = seen.join(verdicts, on="record", how="left", maintain_order="left")
    if own.join(blocks.filter(stays("blocks")), on=["record", "block"], how="semi").height != own.height:
        raise StageFileError(f"{path}: leaves out blocks that the stage before did not keep; {_AGAIN}")
    blocks = blocks.join(verdicts.select("record", "quality"), on="record", how="left", maintain_order="left")
    blocks = blocks.join(own, on=["record", "block"], how="left", maintain_order="left")
    return seen, blocks.with_columns(quality=pl.when(stays("blocks")).then(pl.coalesce("own", "quality"))).drop("own")


def _joined(frame: pl.DataFrame, other: pl.DataFrame, key: list[str], previous: str | None, path: Path) -> pl.DataFrame:
    """Joins a stage's table to the rows that the previous stage kept: it must have exactly one row for each."""
    expected = (frame.filter(pl.col(previous) == KEPT) if previous else frame).select(key)
    # Normally both are in the same order, and no join is needed to compare them.
    if not expected.equals(other.select(key)):
        matched = expected.join(other, on=key, how="inner")
        if not expected.height == other.height == matched.height == matched.n_unique(key):
            raise StageFileError(
                f"{path}: {other.height} rows, of which {matched.height} match the {expected.height} that the "
                f"previous stage kept; {_AGAIN}"
            )
    return frame.join(other, on=key, how="left", maintain_order="left")
