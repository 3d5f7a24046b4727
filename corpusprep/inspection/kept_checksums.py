"""Keeps checksums of files beside a corpus, so that a file is read once as long as it does not change."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from corpusprep._native.checksums import checksum
from corpusprep.errors import CorpusprepError
from corpusprep.io import tsv

#: The table of a folder: files by their paths from the corpus, with what they were when they were read.
NAME = "checksums.tsv"
_COLUMNS = ("file", "bytes", "modified", "checksum")


def kept_checksums(corpus_dir: Path, folder: str, paths: Sequence[Path]) -> list[str]:
    """Returns the checksums of files, in hexadecimal digits; reads those that are new or changed.

    A file is unchanged if it has the size and the time (in nanoseconds) that it had, and is older than the table: a
    change in the same tick of the clock as the reading would not be seen otherwise.

    Args:
        corpus_dir: folder of the corpus.
        folder: its folder for the table, made if something has to be written.
        paths: of existing files in the corpus.
    """
    table = corpus_dir / folder / NAME
    known = _known(table)
    rows = []
    for path in paths:
        status = path.stat()
        key = str(path.relative_to(corpus_dir)), str(status.st_size), str(status.st_mtime_ns)
        rows.append((*key, known.get(key) or f"{checksum(path):016x}"))
    if any(known.get(row[:3]) != row[3] for row in rows):
        with suppress(OSError):  # the corpus of somebody else: its files are then read each time
            table.parent.mkdir(parents=True, exist_ok=True)
            tsv.write(table, _COLUMNS, rows)
    return [row[3] for row in rows]


def _known(table: Path) -> dict[tuple[str, str, str], str]:
    """Returns the checksums of files that did not change since the table was written; nothing of a damaged table."""
    try:
        written = table.stat().st_mtime_ns
        return {
            (row["file"], row["bytes"], row["modified"]): row["checksum"]
            for row in tsv.read(table)
            if int(row["modified"]) < written
        }
    except (OSError, KeyError, ValueError, CorpusprepError):
        return {}
