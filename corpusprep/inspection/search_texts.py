"""Gives the text that a concordance searches, as verticals: the corpus, all of the crawl, or what a stage removed.

The corpus and what is in the verticals of the stage `tokens` are read as they are; where an annotator has added columns
to them, with these. What was removed before that stage is tokenised here, by the rules of its language.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from corpusprep import languages
from corpusprep.errors import LanguageError, StageFileError
from corpusprep.inspection.ending import SearchEndedError, ending
from corpusprep.inspection.records import batches_of
from corpusprep.io.files import zstd_chunks
from corpusprep.pipeline import DECIDING
from corpusprep.statistics.joined_verdicts import ROWS_AT_ONCE, parts, removal_reason, removed_by, stays
from corpusprep.tables import schemas
from corpusprep.tables.batch_files import BatchFiles
from corpusprep.tables.reading import TablePieces, read_table
from corpusprep.tables.verdicts import KEPT, STAYING
from corpusprep.text.made_tokenizer import built_in_tokenizer
from corpusprep.text.tokenizer import Tokenizer
from corpusprep.text.vertical import escape, read_documents

#: What can be searched: the corpus, the crawl before all cleaning, or what one stage removed.
CORPUS, CRAWL = "corpus", "crawl"
STAGES = (CORPUS, CRAWL, *DECIDING)

#: Bytes of a piece that is searched at once.
PIECE_BYTES = 4 << 20
_END = b"\n</doc>\n"
_SPECIAL = re.compile("[&<>\"']")


class Fates:
    """Which stage removed the blocks of a frame, and why; asked for the blocks with hits only."""

    def __init__(self, blocks: pl.DataFrame) -> None:
        """Takes blocks in the order of their pages: record, block, stage, reason; the last two are null if it stays."""
        self._keys = _fate_key(blocks["record"].to_numpy(), blocks["block"].to_numpy())
        self._fates = blocks.select("stage", "reason")

    def of(self, records: Sequence[int], blocks: Sequence[int]) -> list[tuple[str, str]]:
        """Returns for each block the stage that removed it, and its reason; both are empty if it stays."""
        wanted = _fate_key(np.array(records, dtype=np.uint64), np.array(blocks, dtype=np.uint64))
        fates = self._fates[np.searchsorted(self._keys, wanted)]
        return [(stage or "", reason or "") for stage, reason in fates.iter_rows()]


def _fate_key(records: NDArray[Any], blocks: NDArray[Any]) -> NDArray[np.uint64]:
    return (records.astype(np.uint64) << np.uint64(32)) | blocks.astype(np.uint64)


#: Documents as a vertical, and what became of their blocks; None: lines `<p>` say it, or all are in the corpus.
Piece = tuple[bytes, Fates | None]


def pieces(corpus_dir: Path, batch: str, stage: str) -> Iterator[Piece]:
    """Yields the documents of a batch as pieces of a vertical, each of whole documents.

    `<doc>` has at least url, host and date, and id or where: what `corpusprep why` takes. `<p>` has block.

    Raises:
        StageFileError: a file of the batch is missing or damaged.
        SearchEndedError: nobody waits any more (ending.py).
    """
    ended = ending()
    for piece in _pieces(corpus_dir, batch, stage):
        if ended():
            raise SearchEndedError
        yield piece


def _pieces(corpus_dir: Path, batch: str, stage: str) -> Iterator[Piece]:
    files = BatchFiles.of(corpus_dir, batch)
    if stage == CORPUS and files.corpus_vertical.exists():
        return ((piece, None) for piece in _whole_documents(files.corpus_vertical))
    if stage in (CORPUS, "documents", "blocks"):
        return ((piece, None) for piece in _gathered(_from_vertical(files, stage)))
    return _from_tables(files, stage)


def tokenizer_of(corpus_dir: Path) -> Tokenizer:
    """Returns the tokeniser of what is not in the verticals of the stage `tokens`.

    Raises:
        StageFileError: there is no corpus, or a file is missing or damaged.
    """
    codes = (_language(BatchFiles.of(corpus_dir, batch.name)) for batch in batches_of(corpus_dir))
    return _tokenizer(corpus_dir / "languages", next(filter(None, codes), ""))


def _whole_documents(path: Path) -> Iterator[bytes]:
    """Yields a compressed vertical in pieces that end with a document."""
    documents: list[bytes] = []
    size, enough = 0, PIECE_BYTES
    for chunk in zstd_chunks(path):
        documents.append(chunk)
        size += len(chunk)
        if size < enough:
            continue
        text = b"".join(documents)
        end = text.rfind(_END)
        if end >= 0:
            yield text[: end + len(_END)]
            text = text[end + len(_END) :]
        # Of a document that is longer, not each chunk: it would be copied and searched with each of them.
        documents, size, enough = [text], len(text), len(text) + PIECE_BYTES
    if rest := b"".join(documents):
        yield rest


def _gathered(documents: Iterator[bytes]) -> Iterator[bytes]:
    lines: list[bytes] = []
    size = 0
    for document in documents:
        lines.append(document)
        size += len(document)
        if size >= PIECE_BYTES:
            yield b"".join(lines)
            lines, size = [], 0
    if lines:
        yield b"".join(lines)


def _from_vertical(files: BatchFiles, stage: str) -> Iterator[bytes]:
    """Yields documents of the stage `tokens`: the blocks that a later stage removed, or (`corpus`) those that stay."""
    verdicts = read_table(files.documents, schemas.DOCUMENTS, ["document", "verdict"]).sort("document")["verdict"]
    rows = read_table(files.blocks, schemas.BLOCKS, ["document", "block", "verdict"]).sort("document", "block")
    by_document = groupby(rows.iter_rows(), itemgetter(0))
    refused: set[int] = set()
    left_out: dict[int, list[int]] = {}
    if stage == CORPUS and files.quality.exists():
        decided = read_table(files.quality, schemas.QUALITY, ["document", "left_out", "verdict"])
        refused.update(decided.filter(pl.col("verdict") != KEPT)["document"])
        left_out.update(decided.filter(pl.col("left_out").list.len() > 0).select("document", "left_out").iter_rows())
    vertical = files.annotated if _is_current(files.annotated, files.vertical) else files.vertical
    for document in read_documents(vertical):
        if document.number >= len(verdicts):
            raise StageFileError(f"{vertical}: has more documents than {files.documents}; run the workflow again")
        verdict = verdicts[document.number]
        if verdict != KEPT:
            if stage == "documents":
                yield _document(document.start, [_said(block, stage, verdict) for block in document.blocks])
            continue
        if stage == "documents" or not document.blocks:
            continue
        number, group = next(by_document, (-1, iter(())))
        out = set(left_out.get(document.number, ()))
        reasons = ["quality" if block in out else reason for _, block, reason in group]
        if number != document.number or len(reasons) != len(document.blocks):
            raise StageFileError(f"{files.blocks}: not the blocks of {vertical}; run the workflow again")
        wanted = [
            block if reason in STAYING else _said(block, stage, reason)
            for block, reason in zip(document.blocks, reasons, strict=True)
            if (reason in STAYING) is (stage == CORPUS)
        ]
        if wanted and number not in refused:
            yield _document(document.start, wanted)


def _is_current(annotated: Path, vertical: Path) -> bool:
    """Whether there is an annotated vertical, and not of an older one: an annotator may have been taken out again."""
    return annotated.exists() and annotated.stat().st_mtime_ns >= vertical.stat().st_mtime_ns


def _from_tables(files: BatchFiles, stage: str) -> Iterator[Piece]:
    """Yields blocks of the crawl, or those that `boilerplate` or `language` removed."""
    tokenizer = _tokenizer(files.language.parents[2] / "languages", _language(files))
    about = read_table(files.encoding, schemas.ENCODING, ["record", "url", "host", "date", "verdict"])
    documents = {row[0]: row[1:4] for row in about.filter(verdict=KEPT).iter_rows()}
    for blocks in _removed_blocks(files) if stage == DECIDING[0] else _decided_blocks(files, stage):
        fates = Fates(blocks.select("record", "block", "stage", "reason"))
        if strange := set(blocks["record"].unique()) - documents.keys():
            raise StageFileError(
                f"{files.encoding}: lacks record {min(strange)} of a later stage; run the workflow again"
            )
        texts, numbers = blocks["text"].to_list(), blocks["block"].to_list()
        headings = blocks["heading"].fill_null(value=False).to_list()
        gathered: list[bytes] = []
        size = place = 0
        for record, length in blocks["record"].rle().struct.unnest().select("value", "len").iter_rows():
            end = place + length
            lines, _ = tokenizer.vertical(texts[place:end], headings[place:end], numbers[place:end])
            start = _start(f"{files.batch}:{record}", *documents[record])
            gathered += [start, lines, b"</doc>\n"]
            size += len(lines)
            place = end
            if size >= PIECE_BYTES:
                yield b"".join(gathered), fates
                gathered, size = [], 0
        if gathered:
            yield b"".join(gathered), fates


def _removed_blocks(files: BatchFiles) -> Iterator[pl.DataFrame]:
    """Yields the blocks that `boilerplate` removed; its table alone says which. A page may be in two frames."""
    verdict = pl.col("verdict")
    columns: list[str | pl.Expr] = ["record", "block", "heading", "text", verdict.alias("reason")]
    for rows in TablePieces(files.boilerplate, columns, ROWS_AT_ONCE, verdict != KEPT):
        yield rows.with_columns(stage=pl.lit(DECIDING[0]))


def _decided_blocks(files: BatchFiles, stage: str) -> Iterator[pl.DataFrame]:
    """Yields the blocks that a stage removed, or all blocks of the crawl, with what all stages say."""
    for part in parts(files):
        blocks = part.blocks if stage == CRAWL else part.blocks.filter(~stays(stage))
        yield blocks.select("record", "block", "heading", "text", stage=removed_by(), reason=removal_reason())


def _start(where: str, url: str | None, host: str | None, date: str | None) -> bytes:
    values = {"url": url or "", "host": host or "", "date": date or "", "where": where}
    joined = "".join(values.values())
    if not joined.isascii() or not joined.isprintable() or _SPECIAL.search(joined):  # as few are
        values = {name: escape(value) for name, value in values.items()}
    start = "<doc " + " ".join(f'{name}="{value}"' for name, value in values.items()) + ">\n"
    return start.encode("utf-8", "replace")


def _language(files: BatchFiles) -> str:
    """Returns the code of a corpus's language, as a batch has it; empty if the batch has no page."""
    code = read_table(files.language, schemas.LANGUAGE, ["lang"])["lang"]
    return str(code[0]) if len(code) else ""


def _tokenizer(models: Path, code: str) -> Tokenizer:
    """Returns the tokeniser of a language; one without rules if the language is not known here."""
    try:
        model = languages.get(models / f"{code}.model") if (models / f"{code}.model").exists() else languages.get(code)
    except LanguageError:
        return Tokenizer()
    return built_in_tokenizer(model)


def _said(block: bytes, stage: str, reason: str) -> bytes:
    """Returns a block whose line <p> says which stage removed it, and why."""
    first, feed, rest = block.partition(b"\n")
    return first.rstrip()[:-1] + f' stage="{stage}" reason="{reason}">'.encode() + feed + rest


def _document(start: bytes, blocks: Sequence[bytes]) -> bytes:
    return b"".join([start, *blocks, b"</doc>\n"])
