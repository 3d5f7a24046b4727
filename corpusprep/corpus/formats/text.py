"""Writes the corpus as plain text: one block per line, an empty line after each document."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from corpusprep.corpus.formats.interface import CorpusDocument, OutputFormat, Write
from corpusprep.io.files import zstd_writer


@contextmanager
def writer(path: Path) -> Iterator[Write]:
    """Writes documents into a compressed text file."""
    with zstd_writer(path) as stream:

        def write(document: CorpusDocument) -> None:
            stream.write(f"{document.values['text']}\n\n".encode())

        yield write


FORMAT = OutputFormat(
    "text", "txt.zst", "Plain text, compressed: one block per line, an empty line between documents.", writer
)
