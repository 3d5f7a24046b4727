"""Writes the corpus as a Parquet table: one row per document (schemas.CORPUS)."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from corpusprep.corpus.formats.interface import CorpusDocument, OutputFormat, Write


@contextmanager
def writer(
    path: Path, attributes: Sequence[str] = (), columns: Sequence[str] = (), document_columns: Sequence[str] = ()
) -> Iterator[Write]:
    """Writes documents into a Parquet table; part of their text is in memory at a time."""
    from corpusprep.tables import schemas  # with polars, which reading a config does without
    from corpusprep.tables.writing import TableWriter

    with TableWriter(path, schemas.corpus(attributes, columns, document_columns)) as table:

        def write(document: CorpusDocument) -> None:
            table.append(tuple(document.values.values()), len(document.json_line))

        yield write


FORMAT = OutputFormat("parquet", "parquet", "A Parquet table: one row per document.", writer, writer, writer)
