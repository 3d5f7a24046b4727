"""Writes and reads sheets: tables that people fill in with a spreadsheet program.

A sheet is tab-separated text in UTF-8. A spreadsheet may save it in another form: with a byte-order mark, as UTF-16,
separated by semicolons or commas, with CR LF, quotation marks, further columns, or empty rows and columns at the end.
All of these are read. What is not a sheet is refused in one line that names the file and the line.
"""

import codecs
import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from corpusprep.errors import CorpusprepError
from corpusprep.io import named_files
from corpusprep.io.files import replacing
from corpusprep.io.readable import printable

#: A spreadsheet may run a text that begins so as a formula, also in full-width forms (OWASP, "CSV Injection"): such a
#: text has an apostrophe before it.
FORMULA = ("=", "+", "-", "@", "'", "＝", "＋", "－", "＠")

#: Cells of spreadsheets hold 32,767 characters; a reader of sheets needs fewer.
LONGEST = 4_000

_SEPARATORS = ("\t", ";", ",")
_LINE_END = re.compile("\r\n|\r|\n")
_SPACE = re.compile(r"[\s\x85\u2028\u2029]+")
_WORKBOOK = b"PK\x03\x04"


class SheetError(CorpusprepError):
    """A file is not a sheet, or a row of it cannot be used."""


def cell(text: str, longest: int = LONGEST) -> str:
    """Returns text as a cell: on one line, without control characters, not too long, and never a formula."""
    return guarded(printable(_SPACE.sub(" ", text).strip(), longest))


def guarded(text: str) -> str:
    """Returns text with an apostrophe before it if a spreadsheet would run it as a formula."""
    return f"'{text}" if text.startswith(FORMULA) else text


def plain(shown: str) -> str:
    """Returns the text of a `cell` without the apostrophe that stands before what looks like a formula."""
    return shown[1:] if shown[:1] == "'" and shown[1:].startswith(FORMULA) else shown


def write(path: Path, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Writes a sheet; every value becomes a `cell`."""
    write_cells(path, columns, ([cell(value) for value in row] for row in rows))


def write_cells(path: Path, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Writes a sheet of values that are cells already, such as another sheet's."""
    with replacing(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)


def read(path: Path, columns: Sequence[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """Yields the line number and the cells of each row that is not empty, by the names of its columns.

    Args:
        path: the sheet.
        columns: the columns that it must have; their order does not matter, and it may have more.

    Raises:
        SheetError: the file is missing or is not such a sheet.
    """
    yield from read_content(str(path), _content(path), columns)


def read_content(name: str, content: bytes, columns: Sequence[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """Yields what `read` yields, of a sheet's bytes.

    Args:
        name: of the sheet, for messages.
        content: the file as it is.
        columns: as in `read`.

    Raises:
        SheetError: this is not such a sheet.
    """
    text = _text(name, content)
    separator, header = _header(name, text, columns)
    rows = _plain_rows(text, len(header)) if separator == "\t" else None
    for line, cells in rows if rows is not None else _quoted_rows(name, text, separator):
        values = [*cells, *[""] * (len(header) - len(cells))]
        if extra := next((cell for cell in values[len(header) :] if cell.strip()), ""):
            raise SheetError(
                f"{name}, line {line}: {len(cells)} cells, but the first line has {len(header)} columns ({extra[:30]!r}"
                " is too much); fill in the sheet that corpusprep wrote"
            )
        row = {column: value.strip() for column, value in zip(header, values, strict=False) if column}
        if any(row.values()):
            yield line, row


def _content(path: Path) -> bytes:
    try:
        return named_files.read(path)
    except FileNotFoundError:
        raise SheetError(f"{path}: no such file") from None
    except IsADirectoryError:
        raise SheetError(f"{path}: a folder; give the sheets themselves") from None
    except OSError as error:
        raise SheetError(f"{path}: cannot be read: {error.strerror}") from None


def _text(name: str, content: bytes) -> str:
    if content.startswith(_WORKBOOK):
        raise SheetError(f"{name}: a workbook of a spreadsheet program; save it as tab-separated text or CSV, in UTF-8")
    wide = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        text = content.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError as error:
        line = 1 + content.count(b"\n", 0, error.start)
        raise SheetError(f"{name}, line {line}: not UTF-8; save the sheet again with the encoding UTF-8") from None
    if "\0" in text:
        line = 1 + text.count("\n", 0, text.index("\0"))
        raise SheetError(f"{name}, line {line}: not a text file; save the sheet as tab-separated text, in UTF-8")
    first, _, rest = text.partition("\n")
    return f"\n{rest}" if re.fullmatch(r"sep=.\r?", first, re.IGNORECASE) else text  # Excel's line keeps its number


def _header(name: str, text: str, columns: Sequence[str]) -> tuple[str, list[str]]:
    """Returns the separator, and the names of the columns; a column without a name has an empty one."""
    start = next((line for line in _LINE_END.split(text) if line.strip()), "")
    for separator in _SEPARATORS:
        names = [_unquoted(name).strip().lower() for name in start.split(separator)]
        if all(name in names for name in columns):
            if twice := next((name for name in names if name and names.count(name) > 1), ""):
                raise SheetError(f"{name}, line 1: two columns are named {twice}; keep one of them")
            while names and not names[-1]:
                names.pop()
            return separator, names
    first = next((name for name in columns if name not in start.lower()), columns[0])
    raise SheetError(
        f"{name}, line 1: no column {first}; a sheet has the columns {', '.join(columns)}, and may have more"
    )


def _plain_rows(text: str, width: int) -> list[tuple[int, list[str]]] | None:
    """Returns the rows of tab-separated text; None if cells have tabs or line ends inside quotation marks.

    Some programs save tab-separated text without quotation marks of their own, so that those in a cell stand alone.
    """
    rows = []
    for number, line in enumerate(_LINE_END.split(text), start=1):
        cells = line.split("\t")
        if line.strip() and any(cell.strip() for cell in cells[width:]):
            return None
        rows.append((number, [_unquoted(cell) for cell in cells]))
    start = next((place for place, (_, cells) in enumerate(rows) if any(cell.strip() for cell in cells)), len(rows))
    body = rows[start + 1 :]
    if any(0 < len(cells) < width and cells[0].startswith('"') and not cells[-1].strip() for _, cells in body):
        return None
    return body


def _quoted_rows(name: str, text: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    seen = False
    try:
        for cells in reader:
            if seen:
                yield reader.line_num, cells
            seen = seen or any(cell.strip() for cell in cells)
    except csv.Error as error:
        raise SheetError(
            f"{name}, line {reader.line_num}: quotation marks or separators are damaged, or a cell has more than"
            f" {csv.field_size_limit():,} characters ({error}); mend or shorten it, and save the sheet again"
        ) from None


def _unquoted(value: str) -> str:
    if len(value) > 1 and value[0] == value[-1] == '"':
        return value[1:-1].replace('""', '"')
    return value
