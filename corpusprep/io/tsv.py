"""Reads and writes tables as tab-separated text: one header line, one line per row, no quoting."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from corpusprep.errors import StageFileError
from corpusprep.io import checksums
from corpusprep.io.files import replacing

#: Characters that would end a line or a cell: control characters and Unicode line separators.
_BREAKING = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")

_AGAIN = "run the stage that writes it again"

Cell = str | int
#: A row that was read: column -> cell.
Row = dict[str, str]


def write(path: Path, columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> None:
    """Writes a table and its checksum; control characters and line separators inside a cell become spaces."""
    checksums.forget(path)
    with replacing(path) as temporary, temporary.open("w", encoding="utf-8", newline="\n") as out:
        for row in (columns, *rows):
            out.write("\t".join(_BREAKING.sub(" ", str(cell)) for cell in row) + "\n")
    checksums.store(path)


def read(path: Path, columns: Sequence[str] | None = None) -> list[Row]:
    """Reads a table; returns one dictionary per row, with the names of the header line as keys.

    Raises:
        StageFileError: the file is missing or damaged, lacks one of `columns`, or a row has another number of cells.
    """
    return list(_rows(path, columns))


def head(path: Path, rows: int) -> tuple[list[Row], int]:
    """Returns the first rows of a table and its number of rows; memory does not depend on its length.

    Raises:
        StageFileError: as in `read`.
    """
    table = _rows(path)
    first = list(islice(table, rows))
    return first, len(first) + sum(1 for _ in table)


def _rows(path: Path, columns: Sequence[str] | None = None) -> Iterator[Row]:
    checksums.verify(path)
    try:
        with path.open(encoding="utf-8", newline="\n") as lines:
            header = next(lines, "").rstrip("\n").split("\t")
            for name in columns or ():
                if name not in header:
                    raise StageFileError(f"{path}: not a table of this stage and version (no column {name}); {_AGAIN}")
            for number, line in enumerate(lines, start=2):
                if line == "\n":
                    continue
                cells = line.rstrip("\n").split("\t")
                if len(cells) != len(header):
                    raise StageFileError(
                        f"{path}: line {number} has {len(cells)} cells instead of {len(header)}; {_AGAIN}"
                    )
                yield dict(zip(header, cells, strict=True))
    except FileNotFoundError:
        raise StageFileError.missing(path) from None
    except UnicodeDecodeError:
        raise StageFileError(f"{path}: not a table of this stage (it is not UTF-8 text); {_AGAIN}") from None


def percent(part: float, whole: float) -> str:
    """Formats 100 * part / whole with one decimal; 0.0 if `whole` is 0."""
    return f"{100 * part / whole:.1f}" if whole else "0.0"


def ratio(part: float, whole: float, decimals: int) -> str:
    """Formats part / whole with `decimals` decimals; 0 if `whole` is 0."""
    return f"{part / whole if whole else 0:.{decimals}f}"
