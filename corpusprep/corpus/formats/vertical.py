"""Writes the corpus as a vertical: one token per line, structures as tags."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from corpusprep.corpus.formats.interface import CorpusDocument, OutputFormat, Write
from corpusprep.io.files import zstd_writer


@contextmanager
def writer(path: Path) -> Iterator[Write]:
    """Writes documents into a compressed vertical."""
    with zstd_writer(path) as stream:

        def write(document: CorpusDocument) -> None:
            stream.write(document.lines)

        yield write


FORMAT = OutputFormat("vertical", "vert.zst", "A vertical, compressed: one token per line, structures as tags.", writer)
