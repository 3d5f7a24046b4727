"""Finds personal data in the documents of a batch (step `personal`)."""

from collections.abc import Collection, Iterator
from itertools import zip_longest

import polars as pl

from corpusprep.io.progress import track
from corpusprep.personal.rules import KINDS, countries_of, kernel
from corpusprep.tables import schemas
from corpusprep.tables.batch_files import BatchFiles
from corpusprep.tables.good_texts import GoodText, good_texts, kept_documents, page_texts
from corpusprep.tables.reading import read_table
from corpusprep.tables.verdicts import STAYING
from corpusprep.tables.writing import RowBuffer, write_table


def write_personal(files: BatchFiles, kinds: Collection[str] = (), *, boilerplate: bool = False) -> None:
    """Writes the table schemas.PERSONAL of a batch: places in the blocks that stay, also of documents filtered later.

    Args:
        files: what the stages before have written about the batch.
        kinds: those that are looked for, of rules.KINDS; none stands for all.
        boilerplate: whether the corpus keeps boilerplate, which is then looked through, too.

    Raises:
        StageFileError: a table is missing or damaged, or they do not match.
    """
    wanted = [kind in kinds or not kinds for kind in KINDS]
    documents = _documents(files)
    staying = _staying(files)
    rows = RowBuffer(schemas.PERSONAL)
    finder = kernel()
    good = good_texts(files.boilerplate, documents)
    bad: Iterator[GoodText | None] = page_texts(files.boilerplate, documents, label="bad") if boilerplate else iter(())
    about = track(documents.iter_rows(named=True), "personal: documents", total=documents.height)
    for row, (text, other) in zip(about, zip_longest(good, bad), strict=True):
        stays = staying[row["record"]]
        blocks = [block for block in zip(text.blocks, text.texts, strict=True) if block[0] in stays] + (
            [] if other is None else list(zip(other.blocks, other.texts, strict=True))
        )
        blocks.sort()
        places = finder.find([block[1] for block in blocks], countries_of(row["lang"], row["host"]))
        for number, kind, start, end in places.tolist():
            if wanted[kind]:
                key = files.batch, row["record"], row["document"], blocks[number][0]
                rows.append(*key, start, end, KINDS[kind])
    write_table(rows.frame(), schemas.PERSONAL, files.personal)


def _documents(files: BatchFiles) -> pl.DataFrame:
    """Returns the documents of which a block stays: record, document, lang, host, left_out; in record order."""
    kept = kept_documents(files.encoding, files.pages, files.language, files.decided_before_tokens)
    numbers = read_table(files.tokens, schemas.TOKENS, ["record", "document"])
    blocks = read_table(files.blocks, schemas.BLOCKS, ["record", "verdict"])
    blocks = blocks.filter(pl.col("verdict").is_in(STAYING))
    documents = kept.join(numbers, on="record").join(blocks, on="record", how="semi")
    return documents.select("record", "document", "lang", "host", "left_out").sort("record")


def _staying(files: BatchFiles) -> dict[int, set[int]]:
    """Returns the numbers of the blocks that stay, by record."""
    rows = read_table(files.blocks, schemas.BLOCKS, ["record", "block", "verdict"])
    rows = rows.filter(pl.col("verdict").is_in(STAYING))
    return {record: set(blocks) for record, blocks in rows.group_by("record").agg("block").iter_rows()}
