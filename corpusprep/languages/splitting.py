"""Splits the pages of a crawl's batch by language, and gathers the pages of a language from several batches.

Each page goes to one language, or to a named rest, with all its blocks; by choice, each block does. Nothing else
changes: a language's tables are those that `encoding` and `boilerplate` write for a corpus, with fewer records.
"""

import contextlib
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from corpusprep.io.files import replacing
from corpusprep.io.progress import track
from corpusprep.tables import schemas
from corpusprep.tables.batch_files import BatchFiles
from corpusprep.tables.crawl_files import PARTS, found_file, further_part_file, part_file, part_files, parts_folder
from corpusprep.tables.good_texts import good_texts
from corpusprep.tables.parquet_sizes import row_groups
from corpusprep.tables.reading import TablePieces, read_table, reading
from corpusprep.tables.verdicts import KEPT
from corpusprep.tables.writing import FRAME_BYTES, PART_BYTES, RowBuffer, write_scanned, write_scratch, write_table

if TYPE_CHECKING:
    from corpusprep.languages.assignment import Assigner, NamingAssigner  # with NumPy, which gathering does without

_KEY = ["batch", "record"]
#: Rows of blocks in memory at a time.
ROWS_AT_ONCE = 50_000
_SCHEMAS = {"encoding": schemas.ENCODING, "pages": schemas.PAGES, "boilerplate": schemas.BOILERPLATE}


def find_languages(files: BatchFiles, assigner: "Assigner | NamingAssigner") -> pl.DataFrame:
    """Returns the table schemas.FOUND of a batch: the language of each page, or of each portion of a divided page.

    Raises:
        StageFileError: a table cannot be read, or its rows are out of order.
    """
    records = read_table(files.encoding, schemas.ENCODING, [*_KEY, "archive", "length", "verdict"])
    pages = read_table(files.pages, schemas.PAGES, [*_KEY, *_COUNTS, "verdict"])
    documents = pages.filter(verdict=KEPT).select(*_KEY, left_out=pl.lit([], dtype=pl.List(pl.UInt32)))
    assigned = RowBuffer(pl.Schema({name: schemas.FOUND[name] for name in ("record", *_ASSIGNED)}))
    for text in track(good_texts(files.boilerplate, documents), "languages: documents", len(documents)):
        for portion in assigner.portions(text.blocks, text.texts):
            instead = assigner.instead(portion, text.blocks, text.texts)
            assigned.append(text.record, *portion.assigned, instead, portion.runs or None)
    languages = (
        pages.join(assigned.frame(), on="record", how="left", maintain_order="left")
        .join(records.filter(verdict=KEPT).drop("verdict"), on=_KEY, how="left", maintain_order="left")
        # A page without good text is in no language: `boilerplate` has the reason.
        .with_columns(
            pl.col("rest").fill_null(pl.col("verdict")),
            pl.col("mixed").fill_null(False),
            pl.col("instead").fill_null([]),
        )
        .select(schemas.FOUND.names())
    )
    return _counted(languages, divided_blocks(files, languages))


_ASSIGNED = ("corpus", "rest", "language", "score", "mixed", "instead", "runs")
_COUNTS = ("blocks", "words", "good_blocks", "good_words")


def divided_blocks(files: BatchFiles, languages: pl.DataFrame) -> pl.DataFrame:
    """Returns the blocks of the pages that are divided: record, block, words, label, and the number of the portion.

    Args:
        files: of the batch.
        languages: its table schemas.FOUND.

    Raises:
        StageFileError: the table of blocks cannot be read.
    """
    firsts = _numbered(languages).drop_nulls("runs").select("record", "portion", block="runs").explode("block")
    pieces = [pl.DataFrame(schema={name: schemas.BOILERPLATE[name] for name in _OF_BLOCKS})]
    if len(firsts):
        wanted = pl.col("record").is_in(firsts["record"].unique().implode())
        pieces += TablePieces(files.boilerplate, list(_OF_BLOCKS), ROWS_AT_ONCE, wanted)
    rows = pl.concat(pieces).join(firsts, on=["record", "block"], how="left", maintain_order="left")
    # A run has all blocks, good or not, up to the first block of the next one.
    return rows.with_columns(pl.col("portion").forward_fill().over("record"))


_OF_BLOCKS = ("record", "block", "words", "label")


def _numbered(languages: pl.DataFrame) -> pl.DataFrame:
    """Adds the number of the portion among the portions of its page."""
    return languages.with_columns(portion=pl.int_range(pl.len(), dtype=pl.UInt32).over("record"))


def _counted(languages: pl.DataFrame, blocks: pl.DataFrame) -> pl.DataFrame:
    """Replaces the counts of pages by the counts of their portions."""
    good = pl.col("label") == "good"
    sums = blocks.group_by("record", "portion").agg(
        blocks_=pl.len(),
        words_=pl.col("words").sum(),
        good_blocks_=good.sum(),
        good_words_=pl.col("words").filter(good).sum(),
    )
    counted = _numbered(languages).join(sums, on=["record", "portion"], how="left", maintain_order="left")
    counts = (pl.coalesce(f"{name}_", name).cast(schemas.FOUND[name]).alias(name) for name in _COUNTS)
    return counted.with_columns(counts).select(schemas.FOUND.names())


def split(crawl: Path, batch: str, assigner: "Assigner | NamingAssigner") -> None:
    """Writes the table schemas.FOUND of a batch, and for each language its rows of the tables of the batch.

    Raises:
        StageFileError: as find_languages.
    """
    files = BatchFiles.of(crawl, batch)
    languages = find_languages(files, assigner)
    goes = _numbered(languages).filter(pl.col("corpus").is_not_null())
    codes = goes["corpus"].unique().sort().to_list()
    of_block = divided_blocks(files, languages).join(goes, on=["record", "portion"]).select("record", "block", "corpus")
    columns = {"encoding": ["record", "corpus"], "pages": ["record", "corpus", *_COUNTS]}
    folder = parts_folder(crawl, batch)
    with replacing(folder) as temporary:
        temporary.mkdir()
        for name in PARTS:
            paths = {code: temporary / part_file(crawl, batch, code, name).name for code in codes}
            writers = {code: _PartWriter(path, _SCHEMAS[name]) for code, path in paths.items()}
            for piece in TablePieces(getattr(files, name), _SCHEMAS[name].names(), ROWS_AT_ONCE):
                if name == "boilerplate":
                    owned = _with_corpus(piece, goes, of_block)
                else:
                    counted = piece.drop(_COUNTS) if name == "pages" else piece
                    owned = counted.join(goes.select(columns[name]), on="record", maintain_order="left_right")
                for (code,), rows in owned.group_by("corpus", maintain_order=True):
                    writers[str(code)].extend(rows)
            for writer in writers.values():
                writer.write()
        if folder.exists():
            shutil.rmtree(folder)
    write_table(languages, schemas.FOUND, found_file(crawl, batch))


class _PartWriter:
    """Writes the rows of a language, each once and lightly compressed: `gather` reads them and writes the tables.

    One table would be written twice, first as scratch (TableWriter). For 890,000 blocks that took 1.5 s, this 0.5 s.
    """

    def __init__(self, path: Path, schema: pl.Schema) -> None:
        self._first, self._rows = path, RowBuffer(schema)
        self._bytes = self._files = 0

    def extend(self, frame: pl.DataFrame) -> None:
        """Adds the rows of a frame."""
        self._rows.extend(frame)
        self._bytes += int(frame.estimated_size())
        if self._bytes >= FRAME_BYTES:
            self.write()

    def write(self) -> None:
        """Writes the rows in memory, if there are any; the first file is there even without."""
        rows = self._rows.frame()
        if len(rows) or not self._files:
            path = further_part_file(self._first, self._files) if self._files else self._first
            write_scratch(rows, path, ROWS_AT_ONCE)
            self._files += 1
        self._bytes = 0


def _with_corpus(blocks: pl.DataFrame, goes: pl.DataFrame, of_block: pl.DataFrame) -> pl.DataFrame:
    """Adds to blocks the corpus that each goes to; those that go to none are left out."""
    whole = goes.filter(pl.col("runs").is_null()).select("record", "corpus")
    owned = blocks.join(whole, on="record", how="left", maintain_order="left")
    if len(of_block):
        owned = owned.join(of_block, on=["record", "block"], how="left", maintain_order="left", suffix="_of_block")
        owned = owned.with_columns(pl.coalesce("corpus", "corpus_of_block").alias("corpus"))
    return owned.drop_nulls("corpus")


def gather(crawl: Path, parts: Sequence[str], language: str, folder: Path, batch: str) -> None:
    """Writes the tables of a language's batch, from its rows in several batches of the crawl.

    Args:
        crawl: the folder of the crawl.
        parts: names of the batches of the crawl, in order. One without rows of the language adds none.
        language: its code.
        folder: of the corpus of the language.
        batch: name of its batch. Records are numbered on from one part to the next.

    Raises:
        StageFileError: a table cannot be read.
    """
    files = BatchFiles.of(folder, batch)
    present, first, start = [], [], 0
    for part in parts:
        if records := part_files(crawl, part, language, PARTS[0]):
            present.append(part)
            first.append(start)
            start += int(read_table(records[-1], schemas.ENCODING, ["record"])["record"][-1]) + 1
    for name in PARTS:
        schema = _SCHEMAS[name]
        frames, rows, size = [], 0, 0
        with contextlib.ExitStack() as checked:
            for part, offset in zip(present, first, strict=True):
                for path in part_files(crawl, part, language, name):
                    checked.enter_context(reading(path))
                    groups = row_groups(path, schema.names())
                    rows += sum(group.rows for group in groups)
                    size += sum(group.decompressed for group in groups)
                    scanned = pl.scan_parquet(path, glob=False)
                    frames.append(scanned.with_columns(pl.lit(batch).alias("batch"), pl.col("record") + offset))
            per_group = max(1, min(ROWS_AT_ONCE, rows * PART_BYTES // max(1, size)))
            write_scanned(frames, schema, getattr(files, name), per_group)
