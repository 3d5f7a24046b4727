"""Writes the corpus of a batch in its output formats."""

import json
from pathlib import Path

from corpusprep.corpus.documents import corpus_documents
from corpusprep.io.files import zstd_writer
from corpusprep.io.progress import track
from corpusprep.tables import schemas
from corpusprep.tables.batch_files import BatchFiles
from corpusprep.tables.parts import ParquetParts


def write_corpus(files: BatchFiles, vertical: Path, jsonl: Path, parquet: Path) -> None:
    """Writes the corpus of a batch in its three forms, which hold the same documents in the same order.

    Raises:
        StageFileError: as corpus_documents; none of the three forms appears then.
    """
    with (
        zstd_writer(vertical) as vertical_stream,
        zstd_writer(jsonl) as jsonl_stream,
        ParquetParts(parquet, schemas.CORPUS) as table,
    ):
        for document in track(corpus_documents(files), "corpus: documents"):
            line = (json.dumps(document.values, ensure_ascii=False) + "\n").encode()
            vertical_stream.write(document.lines)
            jsonl_stream.write(line)
            table.append(tuple(document.values.values()), len(line))
