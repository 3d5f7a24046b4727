"""Writes the corpus as JSON lines: one object per document."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from corpusprep.corpus.formats.interface import CorpusDocument, OutputFormat, Write
from corpusprep.io.files import zstd_writer


@contextmanager
def writer(path: Path) -> Iterator[Write]:
    """Writes documents into compressed JSON lines."""
    with zstd_writer(path) as stream:

        def write(document: CorpusDocument) -> None:
            stream.write(document.json_line)

        yield write


FORMAT = OutputFormat("jsonl", "jsonl.zst", "JSON lines, compressed: one object per document.", writer)
