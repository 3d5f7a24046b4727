"""Runs the three steps of `blocks` on corpora made by tests."""

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import zstandard
from support import block_corpora as corpora
from support.block_corpora import Block, Document, page

from corpusprep.config import schema as config_schema
from corpusprep.dedup.block_table import write_blocks
from corpusprep.dedup.decisions import verdicts as decide_corpus
from corpusprep.dedup.matches import match as match_batch
from corpusprep.dedup.ngram_keys import NgramKeys
from corpusprep.tables import schemas
from corpusprep.tables.reading import read_table
from corpusprep.tables.writing import write_table

N = 3


GIGABYTE = 1 << 30


Batches = Sequence[Sequence[int]]


def crawl(documents: int = 120, seed: int = 7) -> list[Document]:
    """Pages made of a few texts, some of them changed; the same seed gives the same pages."""
    chance = random.Random(seed)
    words = [f"w{i}" for i in range(40)] + ["the", "."]
    pool = [tuple(chance.choices(words, k=chance.randint(0, 30))) for _ in range(60)]
    made = []
    for _ in range(documents):
        texts = chance.choices(pool, k=chance.randint(0, 9))
        texts = [text + tuple(chance.choices(words, k=chance.choice([0, 0, 3]))) for text in texts]
        classes = chance.choices(list(corpora.CODES), [2, 3, 2, 5], k=len(texts))
        made.append(Document(tuple(map(Block, classes, texts)), kept=chance.random() < 0.9))
    return made


def write_keys(folder: Path, documents: Sequence[Document]) -> None:
    """The file of duplicate n-grams; de-duplication does not read the counts in it."""
    keys = corpora.sorted_keys(documents, N)
    NgramKeys.write(folder / "keys", N, keys, np.full(len(keys), 2), ngrams=0, tokens=0)


def write_batches(folder: Path, documents: Sequence[Document], batches: Batches) -> None:
    """Writes the stage files of a corpus, as the stages before `blocks` do. Record numbers have gaps."""
    write_keys(folder, documents)
    rows = [f"b{b:05}\tcrawl-{part}.warc.gz\t100" for b in range(len(batches)) for part in "ab"]
    (folder / "batches.tsv").write_text("batch\tarchive\tbytes\n" + "\n".join(rows) + "\n")
    for number, batch in enumerate(batches):
        name = f"b{number:05}"
        members = [documents[document] for document in batch]
        (folder / f"{name}.vert.zst").write_bytes(
            zstandard.ZstdCompressor(write_checksum=True).compress(corpora.vertical(members))
        )
        records = [3 * document + 1 for document in range(len(batch))]
        frame = pl.DataFrame(
            {
                "batch": name,
                "record": records,
                "document": range(len(batch)),
                "id": [f"{name}-{record}" for record in records],
                "tokens": [sum(len(block.tokens) for block in document.good) for document in members],
                "verdict": ["kept" if document.kept else "exact_duplicate" for document in members],
                "rank": batch,
            },
            schema_overrides={"record": pl.UInt32},
        )
        others = (schemas.TOKENS | schemas.DOCUMENTS).keys() - frame.columns  # not read here
        frame = frame.with_columns(pl.lit(None).alias(column) for column in sorted(others))
        write_table(frame, schemas.TOKENS, folder / f"{name}.tokens.parquet")
        write_table(frame, schemas.DOCUMENTS, folder / f"{name}.documents.parquet")
        # Pages that `language` did not keep have blocks too.
        pages = zip([0, *records], [page(("good", "in another language")), *members], strict=True)
        blocks = [
            (
                name,
                record,
                block,
                "p",
                False,
                "",
                None,
                0,
                0.0,
                0.0,
                part.context_free,
                label,
                "",
                None,
                None,
                None,
                None,
            )
            for record, document in pages
            for block, (part, label) in enumerate(zip(document.blocks, document.labels, strict=True))
        ]
        table = pl.DataFrame(blocks, schema=schemas.BOILERPLATE, orient="row")
        write_table(table, schemas.BOILERPLATE, folder / f"{name}.boilerplate.parquet")


def match(
    folder: Path,
    name: str = "b00000",
    memory: int = 4 * GIGABYTE,
    threads: int = 1,
    parts: Sequence[Path] = (),
    bundle: int = 0,
) -> None:
    """Runs the first step on one batch."""
    match_batch(
        folder / f"{name}.vert.zst",
        folder / f"{name}.documents.parquet",
        folder / f"{name}.boilerplate.parquet",
        folder / f"{name}.tokens.parquet",
        folder / "keys",
        folder / f"{name}.matches",
        stop_words=corpora.STOP_WORDS,
        memory=memory,
        threads=threads,
        parts=parts,
        bundle=bundle,
    )


#: What decides where a test does not choose: the settings of a config that has none.
DEFAULTS = {name: config_schema.default(f"blocks.{name}") for name in ("threshold", "unit", "smoothing", "as_written")}


def decide(folder: Path, batches: int = 1, **choices: Any) -> None:
    """Runs the second step; `choices` of dedup.decisions.verdicts."""
    names = [f"b{b:05}" for b in range(batches)]
    matches = {name: folder / f"{name}.matches" for name in names}
    decide_corpus(matches, folder / "keys", folder, **{**DEFAULTS, **choices})


def apply(folder: Path, name: str = "b00000", memory: int = 4 * GIGABYTE, *, mark: bool = False) -> pl.DataFrame:
    """Runs the third step on one batch, and returns the table that it writes."""
    write_blocks(
        folder / f"{name}.verdicts",
        folder / f"{name}.matches",
        folder / f"{name}.tokens.parquet",
        folder / f"{name}.boilerplate.parquet",
        folder / f"{name}.documents.parquet",
        folder / f"{name}.parquet",
        memory,
        mark=mark,
    )
    return read_table(folder / f"{name}.parquet", schemas.BLOCKS)


def tables(folder: Path, documents: Sequence[Document], batches: Batches, threshold: float) -> list[pl.DataFrame]:
    """Returns the tables of all batches."""
    write_batches(folder, documents, batches)
    names = [f"b{b:05}" for b in range(len(batches))]
    for name in names:
        match(folder, name)
    decide(folder, len(batches), threshold=threshold)
    return [apply(folder, name) for name in names]
