"""Samples documents on both sides of each threshold of the filter by quality: those nearest to it."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import polars as pl

from corpusprep.io.readable import printable
from corpusprep.quality.rules import Rule
from corpusprep.tables import schemas
from corpusprep.tables.batch_files import BatchFiles
from corpusprep.tables.reading import read_table, reading
from corpusprep.tables.verdicts import STAYING
from corpusprep.tables.writing import write_table

#: Documents on each side of a threshold.
A_SIDE = 12
#: Characters of the text of each, and of its title and its address.
TEXT_CHARACTERS, ABOUT_CHARACTERS = 300, 200

#: What decides which documents are taken: they do not depend on batches or on the order of archives.
_ORDER = ["distance", "digest", "url"]
_SIDE = ["rule", "refused"]


class Side(NamedTuple):
    """The documents on one side of a threshold, the nearest first: value of the signal, number of other rules, text.

    Attributes:
        refused: whether the rule refuses them.
        documents: title, url, value (None: the rule is an expression), other_rules and text of each.
    """

    refused: bool
    documents: list[tuple[str, str, float | None, int, str]]


def write_samples(files: BatchFiles, applied: Sequence[Rule], beginnings: Mapping[int, str] | None = None) -> None:
    """Writes the table schemas.FILTER_SAMPLES of a batch, from its table of `quality`.

    Args:
        files: what `quality` and the stages before have written about the batch.
        applied: the rules.
        beginnings: record -> what `beginning` returns of its text, if they are known.

    Raises:
        StageFileError: a table is missing or damaged.
    """
    signals = dict.fromkeys(signal for rule in applied for signal in rule.signals)
    measured = read_table(files.quality, schemas.QUALITY, ["batch", "record", "failed", *signals])
    about = read_table(files.tokens, schemas.TOKENS, ["record", "digest", "url"])
    chosen = _nearest(measured.join(about, on="record", maintain_order="left"), applied)
    write_table(described(files, chosen, beginnings), schemas.FILTER_SAMPLES, files.filter_samples)


def beginning(blocks: Iterable[str]) -> str:
    """Returns the beginning of the text of a document, and a character more if there is more."""
    parts: list[str] = []
    size = 0
    for block in blocks:
        parts.append(block[: TEXT_CHARACTERS + 1])
        size += len(parts[-1])
        if size > TEXT_CHARACTERS:
            break
    return " / ".join(parts)[: TEXT_CHARACTERS + 1]


def described(files: BatchFiles, rows: pl.DataFrame, beginnings: Mapping[int, str] | None = None) -> pl.DataFrame:
    """Returns documents with the columns title and text, the beginning of what `blocks` keeps; all can be printed.

    Args:
        files: what the stages have written about their batch.
        rows: record, url and others.
        beginnings: as for `write_samples`.

    Raises:
        StageFileError: a table is missing or damaged.
    """
    titles = read_table(files.pages, schemas.PAGES, ["record", "title"])
    records = rows["record"].unique()
    if beginnings is None:
        texts = _texts(files, records)
    else:
        texts = pl.DataFrame({"record": records, "text": [beginnings[record] for record in records]})
    return (
        rows.join(titles, on="record", how="left", maintain_order="left")
        .join(texts, on="record", how="left", maintain_order="left")
        .with_columns(
            *(_printable(name, ABOUT_CHARACTERS) for name in ("url", "title")), _printable("text", TEXT_CHARACTERS)
        )
    )


def _printable(column: str, longest: int) -> pl.Expr:
    return pl.col(column).fill_null("").map_elements(lambda text: printable(text, longest), return_dtype=pl.String)


def _nearest(measured: pl.DataFrame, applied: Sequence[Rule]) -> pl.DataFrame:
    """Returns the documents nearest to each rule, on both sides; of an expression, those with the smallest digests."""
    parts = [schemas.FILTER_SAMPLES.to_frame().drop("title", "text")]
    for number, rule in enumerate(applied):
        value = pl.lit(None) if rule.threshold is None else pl.col(rule.signals[0])
        sides = measured.select(
            "batch",
            "record",
            rule=pl.lit(rule.text),
            number=pl.lit(number),
            refused=rule.removes,
            value=value.cast(pl.Float64),
            distance=(value.cast(pl.Float64) - (rule.threshold or 0.0)).abs().fill_null(0.0),
            other_rules=pl.col("failed").list.len() - rule.removes.cast(pl.UInt32),
            digest="digest",
            url=pl.col("url").fill_null(""),
        )
        nearest = _first(sides.filter(pl.col("refused").is_not_null()))
        parts.append(nearest.select(pl.col(name).cast(kind) for name, kind in parts[0].schema.items()))
    return pl.concat(parts)


def _first(rows: pl.DataFrame) -> pl.DataFrame:
    """Returns the nearest documents of each side."""
    return rows.sort(_ORDER).group_by(_SIDE, maintain_order=True).head(A_SIDE).select(rows.columns)


def _texts(files: BatchFiles, records: pl.Series) -> pl.DataFrame:
    """Returns record and `beginning` of some documents, of what `blocks` keeps of them."""
    kept = read_table(files.blocks, schemas.BLOCKS, ["record", "block", "verdict"])
    kept = kept.filter(pl.col("verdict").is_in(STAYING) & pl.col("record").is_in(records.implode()))
    with reading(files.boilerplate):
        blocks = pl.scan_parquet(files.boilerplate, glob=False).filter(pl.col("record").is_in(records.implode()))
        texts = blocks.select("record", "block", pl.col("text").str.head(TEXT_CHARACTERS + 1)).collect()
    texts = texts.join(kept, on=["record", "block"], how="semi").sort("record", "block")
    return texts.group_by("record").agg(pl.col("text").str.join(" / ").str.head(TEXT_CHARACTERS + 1))


def of_rules(tables: Iterable[Path]) -> dict[str, list[Side]]:
    """Returns rule -> the documents on its two sides, refused ones first, of a whole corpus.

    Args:
        tables: schemas.FILTER_SAMPLES of its batches.

    Raises:
        StageFileError: a table is damaged.
    """
    rows = schemas.FILTER_SAMPLES.to_frame()
    for table in tables:
        rows = _first(pl.concat([rows, read_table(table, schemas.FILTER_SAMPLES)]))
    sides: dict[str, list[Side]] = {}
    parts = rows.sort("number", pl.col("refused").not_(), *_ORDER).partition_by(_SIDE, maintain_order=True)
    for part in parts:
        documents = part.select("title", "url", "value", "other_rules", "text").rows()
        sides.setdefault(part["rule"][0], []).append(Side(part["refused"][0], documents))
    return sides
