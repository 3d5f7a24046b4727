"""Filling in audit sheets in a browser: one unit at a time, each judgement stored in the annotator's own sheet."""

import re
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from corpusprep.errors import ConfigError
from corpusprep.inspection.audit.scoring import publish, score
from corpusprep.inspection.audit.sheets import JUDGEMENTS, KEY_SUFFIX, SHEET_COLUMNS
from corpusprep.io import folder_locks, sheets
from corpusprep.report.audit import AGREEMENT, FOLDER, SCORES

#: The sheet that `corpusprep audit sample` writes; an annotator's sheet has a name behind it.
SHEET = "sheet.tsv"
_ANNOTATOR = re.compile(r"[\w-]{1,30}")
#: Who writes a sheet has locked this file: two windows may be open, or two servers run.
_LOCK = ".judging.lock"


@dataclass(frozen=True, slots=True)
class Progress:
    """A sheet of an annotator: its file name, the annotator, judged units and all units."""

    sheet: str
    annotator: str
    judged: int
    units: int


@dataclass(frozen=True, slots=True)
class Shown:
    """A unit as the page shows it.

    Attributes:
        id, unit, judgement, before, text, after: of the sheet.
        place: number of the unit in the sheet, from 1.
        units: number of all.
        judged: number of those that are judged.
        previous: id of the unit before; empty for the first.
        following: id of the next unit; empty for the last.
    """

    id: str
    unit: str
    judgement: str
    before: str
    text: str
    after: str
    place: int
    units: int
    judged: int
    previous: str
    following: str


def folder(corpus: Path) -> Path:
    """Returns the folder of a corpus's audit."""
    return corpus / FOLDER


def drawn(corpus: Path) -> bool:
    """Whether a sample was drawn."""
    return (folder(corpus) / SHEET).is_file()


def annotators(corpus: Path) -> list[Progress]:
    """Returns the sheets of annotators, by name.

    Raises:
        SheetError: a sheet is damaged.
    """
    people = []
    for path in sorted(folder(corpus).glob("sheet-*.tsv")):
        if path.name.endswith(KEY_SUFFIX):
            continue
        rows = _rows(path)
        name = path.stem.removeprefix("sheet-")
        people.append(Progress(path.name, name, sum(_judged(row) for row in rows), len(rows)))
    return people


def start(corpus: Path, annotator: str) -> str:
    """Makes the sheet of an annotator, if there is none yet, and returns its name.

    Raises:
        ConfigError: the name cannot be part of a file name.
        SheetError: no sample was drawn.
    """
    if not _ANNOTATOR.fullmatch(annotator):
        raise ConfigError("a name of an annotator has up to 30 letters, digits, - and _")
    path = folder(corpus) / f"sheet-{annotator}.tsv"
    if not path.exists():
        rows = [{**row, "judgement": ""} for row in _rows(folder(corpus) / SHEET)]
        with _writing(corpus):
            if not path.exists():
                _write(path, rows)
    return path.name


def show(corpus: Path, sheet: str, wanted: str = "") -> Shown | None:
    """Returns a unit of a sheet: that with an id, or the first that is not judged; None if all are judged.

    Raises:
        ConfigError: there is no such sheet, or no such unit.
        SheetError: the sheet is damaged.
    """
    rows = _rows(_path(corpus, sheet))
    judged = [_judged(row) for row in rows]
    if wanted:
        place = next((number for number, row in enumerate(rows) if row["id"] == wanted), None)
        if place is None:
            raise ConfigError(f"{sheet}: no unit {wanted[:20]!r}")
    else:
        place = next((number for number, done in enumerate(judged) if not done), None)
        if place is None:
            return None
    row = rows[place]
    return Shown(
        row["id"],
        row["unit"],
        row["judgement"].lower(),
        sheets.plain(row["before"]),
        sheets.plain(row["text"]),
        sheets.plain(row["after"]),
        place + 1,
        len(rows),
        sum(judged),
        rows[place - 1]["id"] if place else "",
        rows[place + 1]["id"] if place + 1 < len(rows) else "",
    )


def judge(corpus: Path, sheet: str, unit: str, judgement: str) -> None:
    """Stores a judgement: good, bad, or `?` for a unit that the annotator leaves open.

    Raises:
        ConfigError: there is no such sheet, unit or judgement.
        SheetError: the sheet is damaged.
    """
    if judgement not in JUDGEMENTS or not judgement:
        raise ConfigError(f"no judgement {judgement[:20]!r}; it is good, bad or ?")
    path = _path(corpus, sheet)
    with _writing(corpus):
        rows = _rows(path)
        row_of_unit = next((row for row in rows if row["id"] == unit), None)
        if row_of_unit is None:
            raise ConfigError(f"{sheet}: no unit {unit[:20]!r}")
        row_of_unit["judgement"] = judgement
        _write(path, rows)


def score_all(corpus: Path) -> None:
    """Writes scores.tsv, agreement.tsv and the report from the sheets of all annotators who have judged something.

    Raises:
        SheetError: a sheet or the key is missing or damaged.
        EmptyCorpusError: nobody has judged anything.
    """
    sheets_judged = [folder(corpus) / annotator.sheet for annotator in annotators(corpus) if annotator.judged]
    audit, _ = score(sheets_judged or [folder(corpus) / SHEET], folder(corpus) / f"{Path(SHEET).stem}{KEY_SUFFIX}")
    publish(audit, folder(corpus))


def scored(corpus: Path) -> bool:
    """Whether there are scores."""
    return all((folder(corpus) / name).is_file() for name in (SCORES, AGREEMENT))


def _writing(corpus: Path) -> AbstractContextManager[None]:
    """Lets one thread of one process write the sheets of a corpus."""
    return folder_locks.turn(folder(corpus) / _LOCK)


def _path(corpus: Path, sheet: str) -> Path:
    """Returns the path of an annotator's sheet; only names of sheets that are there lead to a file."""
    known = {path.name: path for path in folder(corpus).glob("sheet-*.tsv") if not path.name.endswith(KEY_SUFFIX)}
    if sheet not in known:
        raise ConfigError(f"no sheet {sheet[:60]!r} here")
    return known[sheet]


def _rows(path: Path) -> list[dict[str, str]]:
    return [row for _, row in sheets.read(path, SHEET_COLUMNS)]


def _write(path: Path, rows: list[dict[str, str]]) -> None:
    """Writes a sheet with the columns of its rows: an annotator may have added some."""
    columns = list(rows[0]) if rows else SHEET_COLUMNS
    sheets.write_cells(path, columns, ([row[name] for name in columns] for row in rows))


def _judged(row: dict[str, str]) -> bool:
    """Whether an annotator is done with a unit, also if it was left open."""
    return bool(row["judgement"])
