"""Reads the documents of a batch: their metadata and their good blocks, in bounded memory."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import polars as pl

from corpusprep.errors import StageFileError
from corpusprep.tables import schemas
from corpusprep.tables.reading import TablePieces, read_table
from corpusprep.tables.verdicts import KEPT

KEY = ["batch", "record"]
_BLOCK = ("block", "heading", "text", "words", "breaks")
ROWS_AT_ONCE = 50_000  # rows of the table of blocks: about 20 MB of text
ROWS_AS_OBJECTS = 4_096  # of these, as objects of Python


class GoodText(NamedTuple):
    """The good blocks of a document, or those that are boilerplate: parallel lists in the order of the page."""

    record: int
    blocks: list[int]
    headings: list[bool]
    texts: list[str]
    words: list[int]
    breaks: list[list[int] | None]

    @property
    def marked_texts(self) -> list[str]:
        """The texts, with zero-width spaces between words where the page has them."""
        return [
            text if breaks is None else _with_breaks(text, breaks)
            for text, breaks in zip(self.texts, self.breaks, strict=True)
        ]


def _with_breaks(text: str, breaks: Sequence[int]) -> str:
    return "\u200b".join(text[start:end] for start, end in pairwise([0, *breaks, len(text)]))


def kept_documents(encoding: Path, pages: Path, language_verdicts: Path, decided: Sequence[Path] = ()) -> pl.DataFrame:
    """Returns the documents that `language` kept, in record order.

    Args:
        encoding: the table of records of a batch.
        pages: its table of pages.
        language_verdicts: the table of `language`.
        decided: tables of stages that decide about documents after `language`, in order; these keep them, too.

    Returns:
        Columns batch, record, lang, archive, offset, record_id, url, host, date, encoding, page_digest, truncated,
        title, the columns of schemas.PAGE_METADATA, meta, left_out (no value is null), language_score.

    Raises:
        StageFileError: a file cannot be read, or lacks a document that `language` kept.
    """
    kept = read_table(language_verdicts, schemas.LANGUAGE).filter(verdict=KEPT)
    for verdict_path in decided:
        verdicts = read_table(verdict_path, schemas.LANGUAGE, ["record", "verdict"])
        if verdicts["record"].to_list() != kept["record"].to_list():
            raise StageFileError(f"{verdict_path}: not the documents that the stage before kept; run both stages again")
        kept = kept.join(verdicts.filter(verdict=KEPT), on="record", how="semi", maintain_order="left")
    kept = kept.select(*KEY, "lang", pl.col("left_out").fill_null([]), language_score="score")
    wanted = [*KEY, "archive", "offset", "record_id", "url", "host", "date", "encoding", "page_digest", "truncated"]
    tables = {
        encoding: read_table(encoding, schemas.ENCODING, wanted),
        pages: read_table(pages, schemas.PAGES, [*KEY, "title", *schemas.PAGE_METADATA, "meta"]),
    }
    documents = kept
    for path, table in tables.items():
        documents = documents.join(table, on=KEY)
        if documents.height != kept.height:
            raise StageFileError(f"{path}: its pages differ from {language_verdicts}; run both stages again")
    return documents.with_columns(pl.col(pl.String).fill_null("")).sort(KEY)


def good_texts(boilerplate: Path, documents: pl.DataFrame) -> Iterator[GoodText]:
    """Yields the good blocks of each document without those that `language` left out, in bounded memory.

    Arguments and errors are as for `page_texts`.
    """
    return page_texts(boilerplate, documents, label="good")


def page_texts(boilerplate: Path, documents: pl.DataFrame, *, label: str) -> Iterator[GoodText]:
    """Yields the blocks of each document with a label, without those that `language` left out, in bounded memory.

    Args:
        boilerplate: the table of blocks.
        documents: columns record, ascending, and left_out.
        label: good or bad.

    Raises:
        StageFileError: the table cannot be read, or its rows are not in the order of record and block.
    """
    records = documents["record"].to_list()
    left_out = documents.filter(pl.col("left_out").list.len() > 0).select("record", block="left_out").explode("block")
    texts = _whole(_pieces(boilerplate, records, left_out, label))
    following = next(texts, None)
    for record in records:
        text = GoodText(record, [], [], [], [], [])
        if following is not None and following.record == record:
            if following.blocks != sorted(set(following.blocks)):
                raise StageFileError(
                    f"{boilerplate}: record {record}: blocks out of order; run the stage boilerplate again"
                )
            text = following
            following = next(texts, None)
        yield text
    if following is not None:
        raise StageFileError(
            f"{boilerplate}: record {following.record} is out of order; run the stage boilerplate again"
        )


def _whole(pieces: Iterator[GoodText]) -> Iterator[GoodText]:
    """Joins pieces of the same document that follow each other."""
    last: GoodText | None = None
    for piece in pieces:
        if last is None or last.record != piece.record:
            if last is not None:
                yield last
            last = piece
        else:
            last.blocks.extend(piece.blocks)
            last.headings.extend(piece.headings)
            last.texts.extend(piece.texts)
            last.words.extend(piece.words)
            last.breaks.extend(piece.breaks)
    if last is not None:
        yield last


def _pieces(boilerplate: Path, records: Sequence[int], left_out: pl.DataFrame, label: str) -> Iterator[GoodText]:
    """Yields the blocks of `records` with a label, in order; a document may come in several pieces."""
    wanted = (pl.col("label") == label) & pl.col("record").is_in(pl.Series(records, dtype=pl.UInt32).implode())
    columns = ["record", *_BLOCK]
    for piece in TablePieces(boilerplate, columns, ROWS_AT_ONCE, wanted):
        if left_out.height:
            piece = piece.join(left_out, on=["record", "block"], how="anti", maintain_order="left")
        for rows in piece.iter_slices(ROWS_AS_OBJECTS):
            lists = [rows[name].to_list() for name in _BLOCK]
            end = 0
            for record, length in rows["record"].rle().struct.unnest().select("value", "len").iter_rows():
                start, end = end, end + length
                yield GoodText(record, *(column[start:end] for column in lists))
