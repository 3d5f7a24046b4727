"""What became of every record, document and block of one batch: the stages' verdicts, joined.

A verdict is null where the stage no longer saw the unit. So the units a stage looked at are those with
a verdict in its column, and the units it kept are those that say `kept` there.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from corpusprep import schemas
from corpusprep.batches import read_batches
from corpusprep.errors import StageFileError
from corpusprep.verdicts import (
    BLOCK_REASONS,
    DOCUMENT_REASONS,
    DUPLICATE_REASONS,
    EMPTIED_REASONS,
    KEPT,
    LANGUAGE_BLOCK_REASONS,
    LANGUAGE_REASONS,
    PAGE_REASONS,
    RECORD_REASONS,
)

#: The stages that decide about documents and blocks, in order; `encoding` decides about records.
DECIDING = ("boilerplate", "language", "documents", "blocks")

#: Words of text held at once. At 4,000,000 words a slice and its words take about 300 MB.
SLICE_WORDS = 4_000_000

_SCHEMAS = {
    "encoding": schemas.ENCODING,
    "pages": schemas.PAGES,
    "boilerplate": schemas.BOILERPLATE,
    "language": schemas.LANGUAGE,
    "tokens": schemas.TOKENS,
    "documents": schemas.DOCUMENTS,
    "blocks": schemas.BLOCKS,
}

_REASONS = {
    "encoding": RECORD_REASONS,
    "pages": PAGE_REASONS,
    "boilerplate": BLOCK_REASONS,
    "language": LANGUAGE_REASONS,
    "documents": DOCUMENT_REASONS,
    "blocks": DUPLICATE_REASONS,
}


@dataclass(frozen=True)
class Corpus:
    """The folder of one corpus's stage files.

    Attributes:
        folder: the folder.
        batches: names of its batches, in their order.
        archive_bytes: size of all its archives, as stored.
        archives: how many there are.
    """

    folder: Path
    batches: tuple[str, ...]
    archives: int
    archive_bytes: int

    @classmethod
    def open(cls, folder: Path) -> "Corpus":
        """Reads `batches.tsv`.

        Raises:
            StageFileError: there is no such file, or it is not a table of batches.
        """
        batches = read_batches(folder / "batches.tsv")
        sizes = [size for batch in batches for size in batch.sizes]
        return cls(folder, tuple(batch.name for batch in batches), len(sizes), sum(sizes))

    def path(self, stage: str, batch: str) -> Path:
        """Where the table of a stage and batch lies."""
        return self.folder / stage / f"{batch}.parquet"

    def table(self, stage: str, batch: str, columns: list[str]) -> pl.DataFrame:
        """Some columns of a stage's table; verdicts are of an Enum type, the stage's vocabulary.

        Raises:
            StageFileError: the file is missing or damaged, or has a verdict that its stage does not give.
        """
        path = self.path(stage, batch)
        frame = schemas.read(path, _SCHEMAS[stage], columns)
        if "verdict" in columns:
            known = [KEPT, *_REASONS[stage]]
            unknown = frame.filter(~pl.col("verdict").is_in(known).fill_null(False))
            if unknown.height:
                record, verdict = unknown.select("record", "verdict").row(0)
                raise StageFileError(f"{path}: record {record}: no verdict of this version: {verdict}")
        return frame


@dataclass(frozen=True)
class Fates:
    """The joined verdicts of one batch.

    Attributes:
        corpus: where they were read.
        batch: the batch's name.
        records: a row a record of the archives: record, length (bytes), host, declared, detected, verdict.
        documents: a row a page that `encoding` kept: record, host, tokens (null before `tokens`), and the
            verdict of each deciding stage.
        blocks: a row a block, in the order of the boilerplate table: record, block, words, tokens (null
            before `blocks`), and the verdict of each deciding stage; a block falls with its document, or by
            itself in `boilerplate`, `language` and `blocks`.
    """

    corpus: Corpus
    batch: str
    records: pl.DataFrame
    documents: pl.DataFrame
    blocks: pl.DataFrame

    def texts(self, slice_words: int = SLICE_WORDS) -> Iterator[pl.DataFrame]:
        """Yields the rows of `blocks` with their text, up to about `slice_words` words at a time."""
        scan = pl.scan_parquet(self.corpus.path("boilerplate", self.batch)).select("text")
        slices = self.blocks.select(words=pl.col("words").cum_sum() // slice_words)["words"].rle()
        first = 0
        for rows in slices.struct.field("len"):
            text = scan.slice(first, rows).collect()["text"]
            yield self.blocks.slice(first, rows).with_columns(text)
            first += rows

    def characters(self) -> pl.DataFrame:
        """The rows of `blocks` with the number of characters of each."""
        path = self.corpus.path("boilerplate", self.batch)
        count = pl.col("text").str.len_chars().cast(pl.Int64).alias("characters")
        return self.blocks.with_columns(pl.scan_parquet(path).select(count).collect()["characters"])


def read(corpus: Corpus, batch: str) -> Fates:
    """Reads and joins the tables of one batch (without texts: some 100 bytes a block).

    Raises:
        StageFileError: a table is missing or damaged, or the tables do not fit together.
    """
    records = corpus.table(
        "encoding",
        batch,
        ["record", "length", "host", "declared_http", "declared_meta", "declared_bom", "detected", "verdict"],
    ).with_columns(pl.col("host").fill_null(""))
    seen = records.filter(verdict=KEPT).select("record", "host")
    for stage, source in (("boilerplate", "pages"), ("language", "language"), ("documents", "documents")):
        verdicts = corpus.table(source, batch, ["record", "verdict"]).rename({"verdict": stage})
        previous = {"boilerplate": None, "language": "boilerplate", "documents": "language"}[stage]
        seen = _joined(seen, verdicts, ["record"], previous, corpus.path(source, batch))
    tokens = corpus.table("tokens", batch, ["record", "tokens"]).with_columns(pl.col("tokens").cast(pl.Int64))
    seen = _joined(seen, tokens, ["record"], "language", corpus.path("tokens", batch))

    blocks = corpus.table("boilerplate", batch, ["record", "block", "words", "verdict"])
    blocks = blocks.rename({"verdict": "boilerplate"}).with_columns(pl.col("words").cast(pl.Int64))
    good = pl.col("boilerplate") == KEPT
    blocks = blocks.join(
        seen.select("record", "language", "documents", page="boilerplate"),
        on="record",
        how="left",
        maintain_order="left",
    )
    stray = blocks.filter(pl.col("page").is_null() | (good & (pl.col("page") != KEPT)))
    if stray.height:
        raise StageFileError(
            f"{corpus.path('boilerplate', batch)}: blocks of record {stray['record'][0]} do not fit "
            f"{corpus.path('pages', batch)}; {_AGAIN}"
        )
    blocks = blocks.with_columns(pl.when(good).then(name).alias(name) for name in ("language", "documents"))
    blocks = _without_foreign(blocks, corpus, batch)
    last = corpus.table("blocks", batch, ["record", "block", "tokens", "verdict"])
    last = last.rename({"verdict": "blocks"}).with_columns(pl.col("tokens").cast(pl.Int64))
    blocks = _joined(blocks, last, ["record", "block"], "documents", corpus.path("blocks", batch))

    left = blocks.filter(blocks=KEPT).select(pl.col("record").unique(), left=True)
    emptied = next(iter(EMPTIED_REASONS))
    seen = seen.join(left, on="record", how="left", maintain_order="left").with_columns(
        blocks=pl.when(pl.col("documents") == KEPT).then(
            pl.when(pl.col("left")).then(pl.lit(KEPT)).otherwise(pl.lit(emptied))
        )
    )
    return Fates(
        corpus,
        batch,
        records,
        seen.select("record", "host", "tokens", *DECIDING),
        blocks.select("record", "block", "words", "tokens", *DECIDING),
    )


def _without_foreign(blocks: pl.DataFrame, corpus: Corpus, batch: str) -> pl.DataFrame:
    """The blocks, with the verdict of `language` on those that it left out of documents it kept."""
    out = corpus.table("language", batch, ["record", "left_out", "verdict"]).filter(verdict=KEPT)
    out = out.filter(pl.col("left_out").list.len() > 0).select("record", block="left_out").explode("block")
    if not out.height:
        return blocks
    matched = blocks.filter(language=KEPT).join(out, on=["record", "block"], how="semi")
    if matched.height != out.height:
        raise StageFileError(f"{corpus.path('language', batch)}: leaves out blocks that are not good ones; {_AGAIN}")
    reason = next(iter(LANGUAGE_BLOCK_REASONS))
    foreign = pl.col("foreign").is_not_null()
    return (
        blocks.join(out.with_columns(foreign=True), on=["record", "block"], how="left", maintain_order="left")
        .with_columns(
            language=pl.when(foreign).then(pl.lit(reason)).otherwise("language"),
            documents=pl.when(~foreign).then("documents"),
        )
        .drop("foreign")
    )


_AGAIN = "the stage files are of different runs: run the workflow again"


def _joined(frame: pl.DataFrame, other: pl.DataFrame, key: list[str], previous: str | None, path: Path) -> pl.DataFrame:
    """Joins a stage's table to the rows that the stage before (`previous`) kept: exactly one row each."""
    expected = frame.filter(pl.col(previous) == KEPT) if previous else frame
    matched = expected.join(other, on=key, how="inner")
    if not expected.height == other.height == matched.height == matched.n_unique(key):
        raise StageFileError(
            f"{path}: {other.height} rows, {matched.height} of which fit the {expected.height} that the "
            f"stage before kept; {_AGAIN}"
        )
    return frame.join(other, on=key, how="left", maintain_order="left")
