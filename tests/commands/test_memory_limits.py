"""`documents`, `ngrams` and `blocks` under a hard limit of memory, each job with ten times as much input."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
import zstandard
from support.corpus_layout import runs, write_lists
from support.hard_limits import run
from support.loading import more_than_usual

from corpusprep.dedup.ngram_keys import NgramKeys
from corpusprep.tables import schemas
from corpusprep.tables.batch_files import BatchFiles, corpus_file
from corpusprep.tables.reading import read_table
from corpusprep.tables.verdicts import KEPT
from corpusprep.tables.writing import TableWriter, write_table

pytestmark = pytest.mark.slow

TIMES = 10
#: Bytes that a process may hold, and more_than_usual(): little more than the steps accept to start with.
MEMORY = 250_000_000
NAMES = [f"b{batch:05d}" for batch in range(5)]
BLOCK_TOKENS, DOCUMENT_BLOCKS = 50, 20
WORD = 120  # bytes
OTHERS = {"text", "record", "block", "document", "rank", "digest", "page_digest", "id", "url"}


def write_batch(folder: Path, name: str, documents: int, first_rank: int, generator: np.random.Generator) -> int:
    """Writes the vertical and the tables of a batch, and gives the bytes of the vertical; some blocks are repeated."""
    words = np.array([b"w" * (WORD - 12) + b"%011x\n" % number for number in range(100_000)], dtype=object)
    size = 0
    files = BatchFiles.of(folder, name)
    files.vertical.parent.mkdir(exist_ok=True)
    repeated: list[bytes] = []
    with (
        files.vertical.open("wb") as raw,
        zstandard.ZstdCompressor(1).stream_writer(raw) as stream,
        TableWriter(files.boilerplate, schemas.BOILERPLATE) as table,
    ):
        texts: list[str] = []
        for document in range(documents):
            ids = generator.integers(0, len(words), BLOCK_TOKENS * DOCUMENT_BLOCKS).reshape(-1, BLOCK_TOKENS)
            blocks = [b"".join(words[row].tolist()) for row in ids]
            if repeated and document % 10 == 0:
                blocks[3:8] = repeated
            if document % 97 == 0:
                repeated = blocks[:5]
            inner = b"</p>\n".join(b'<p heading="0">\n' + block for block in blocks)
            text = b'<doc id="%s-%d">\n' % (name.encode(), document) + inner + b"</p>\n</doc>\n"
            stream.write(text)
            size += len(text)
            texts += [block.decode() for block in blocks]
            if len(texts) >= 20_000 or document == documents - 1:
                first = document + 1 - len(texts) // DOCUMENT_BLOCKS
                row = pl.int_range(len(texts), dtype=pl.UInt32)
                rows = pl.DataFrame({"text": texts}).with_columns(
                    *filled(schemas.BOILERPLATE, batch=name, tag="p", context_free_label="good", label="good"),
                    record=first + row // DOCUMENT_BLOCKS,
                    block=row % DOCUMENT_BLOCKS,
                )
                table.extend(rows)
                texts.clear()
    frame = pl.DataFrame({"record": pl.arange(documents, eager=True)}).with_columns(
        *filled(schemas.DOCUMENTS | schemas.TOKENS, batch=name, verdict=KEPT, tokens=BLOCK_TOKENS * DOCUMENT_BLOCKS),
        *(pl.lit("").alias(column) for column in ("digest", "page_digest", "id", "url")),
        document="record",
        rank=pl.col("record") + first_rank,
    )
    write_table(frame, schemas.DOCUMENTS, files.documents)
    write_table(frame, schemas.TOKENS, files.tokens)
    return size


def filled(schema: Mapping[str, Any], **values: object) -> list[pl.Expr]:
    """Columns that have one value, null where none is given; those of OTHERS are left to the caller."""
    given = {name: values.get(name) for name in schema if name not in OTHERS}
    return [pl.lit(value).alias(name) for name, value in given.items()]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Five batches, the first of which has ten times as many bytes of text as a process may hold."""
    folder = tmp_path_factory.mktemp("corpus")
    generator = np.random.default_rng(5)
    documents = TIMES * MEMORY // (WORD * BLOCK_TOKENS * DOCUMENT_BLOCKS) + 1
    assert write_batch(folder, NAMES[0], documents, 0, generator) >= TIMES * MEMORY
    for number, name in enumerate(NAMES[1:]):
        write_batch(folder, name, documents // 20, documents * (number + 1), generator)
    write_lists(folder, NAMES)
    return folder


def test_documents(tmp_path: Path) -> None:
    """The order and the exact duplicates of ten times as many bytes of tables, with URLs that are long."""
    documents, size = 300_000, 0
    names = []
    digits = np.random.default_rng(3).bytes(16 * documents).hex()
    number = pl.int_range(documents, dtype=pl.UInt64, eager=True)
    while size < TIMES * MEMORY:
        names.append(f"b{len(names):05d}")
        table = pl.DataFrame({"document": number}).with_columns(
            *filled(schemas.TOKENS, batch=names[-1], date="2025-01-01T00:00:00Z", encoding="utf-8", tokens=1),
            record="document",
            # Each text is in every batch.
            digest=pl.Series([digits[start : start + 32] for start in range(0, len(digits), 32)]),
            page_digest=pl.lit("0" * 32),
            id=pl.format("0000000{}{}", pl.lit(str(len(names) % 10)), number.cast(pl.String).str.zfill(8)),
            url=pl.format("https://{}.example/" + "path/" * 180, number * pl.lit(0x9E3779B97F4A7C15, pl.UInt64)),
        )
        write_table(table, schemas.TOKENS, tmp_path / "tokens" / f"{names[-1]}.parquet")
        size += int(table.select(schemas.TOKENS.names()).estimated_size())
    write_lists(tmp_path, names)
    run(MEMORY + more_than_usual(), tmp_path / "times.tsv", "step", "documents", tmp_path)
    tables = [read_table(tmp_path / "documents" / f"{name}.parquet", schemas.DOCUMENTS) for name in names]
    # Equal but for their batch, so the first batch has them.
    assert [(table["verdict"] == KEPT).sum() for table in tables] == [documents] + [0] * (len(names) - 1)
    assert sum(int(table["rank"].sum()) for table in tables) == sum(range(documents * len(names)))


def test_ngrams_and_blocks(corpus: Path) -> None:
    """Every job of `ngrams` and `blocks`, on ten times as many bytes of text as it may hold."""
    limits, keys = (MEMORY + more_than_usual(), corpus / "times.tsv"), corpus_file(corpus, "duplicates")
    for step in runs(NAMES, 10).values():
        if step.step.stage_name in ("ngrams", "blocks"):
            options = [option for option in step.options if option != "--count-stopwords"]
            run(*limits, "step", *step.step.name.split(), corpus, *options)
    assert NgramKeys.open(keys).count > 1000
    for name in NAMES:
        files = BatchFiles.of(corpus, name)
        table = read_table(files.blocks, schemas.BLOCKS)
        assert table.height == DOCUMENT_BLOCKS * read_table(files.documents, schemas.DOCUMENTS).height
        assert 0 < (table["verdict"] == "duplicate").mean() < 0.1
