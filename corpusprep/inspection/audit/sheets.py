"""The two files of an audit: the sheet, which hides the verdicts, and its key, which has them.

A sheet has a row per unit: `id`, `unit` (block or document), `judgement` (empty; people write good or bad), `text`, and
the text `before` and `after` it. The sheets that `corpusprep train` reads have the labels, too. The key has what the
sheet hides. Each annotator fills in a copy of the sheet.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from corpusprep.io import sheets, tsv
from corpusprep.io.sheets import SheetError

SHEET_COLUMNS = ("id", "unit", "judgement", "text", "before", "after")
KEY_COLUMNS = (
    "id",
    "unit",
    "stratum",
    "stratum_units",
    "stratum_words",
    "stage",
    "verdict",
    "words",
    "batch",
    "record",
    "block",
    "url",
)
#: What people write -> the judgement; None: they did not decide.
JUDGEMENTS: Mapping[str, float | None] = {"good": 1.0, "bad": 0.0, "": None, "?": None}

KEY_SUFFIX = ".key.tsv"


@dataclass(frozen=True, slots=True)
class Unit:
    """A sampled block or document.

    Attributes:
        id: in the sheet; says nothing about the verdict.
        unit: block or document.
        stratum: the stage that removed it, or `kept`; and how far it is from the thresholds, if that is known.
        stage: the stage that removed it; empty if it is in the corpus.
        verdict: of that stage, or kept.
        words: its words.
        batch, record, block: where it is; block is empty for a document.
        url: of its page.
        before, text, after: what the sheet shows.
    """

    id: str
    unit: str
    stratum: str
    stage: str
    verdict: str
    words: int
    batch: str
    record: int
    block: str
    url: str
    before: str = ""
    text: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class Stratum:
    """A part of the crawl that is sampled by itself.

    Attributes:
        unit: block or document.
        name: as in Unit.stratum.
        stage: the stage that removed its units; empty if they are in the corpus.
        units, words: how many it has.
    """

    unit: str
    name: str
    stage: str
    units: int
    words: int


@dataclass(frozen=True, slots=True)
class Key:
    """What a key says: the units by id, and the strata by unit and name."""

    units: Mapping[str, Unit]
    strata: Mapping[tuple[str, str], Stratum]


def key_path(sheet: Path) -> Path:
    """Returns where the key of a new sheet goes."""
    return sheet.with_name(sheet.stem + KEY_SUFFIX)


def write(sheet: Path, units: Sequence[Unit], strata: Sequence[Stratum]) -> None:
    """Writes a sheet and its key. Rows are in the order of ids, which says nothing about the verdicts."""
    ordered = sorted(units, key=lambda unit: unit.id)
    sizes = {(stratum.unit, stratum.name): stratum for stratum in strata}
    rows = []
    for unit in ordered:
        size = sizes[unit.unit, unit.stratum]
        about = (unit.id, unit.unit, unit.stratum, size.units, size.words, unit.stage, unit.verdict)
        rows.append((*about, unit.words, unit.batch, unit.record, unit.block, unit.url))
    tsv.write(key_path(sheet), KEY_COLUMNS, rows)
    sheets.write(
        sheet, SHEET_COLUMNS, ((unit.id, unit.unit, "", unit.text, unit.before, unit.after) for unit in ordered)
    )


def find_key(paths: Sequence[Path]) -> Path:
    """Returns the key of sheets: that beside the first one, by its name, or the only one in its folder.

    Raises:
        SheetError: there is none, or there are several.
    """
    first = paths[0]
    if not first.exists():
        raise SheetError(f"{first}: no such file; give the sheets that were filled in")
    if key_path(first).is_file():
        return key_path(first)
    keys = sorted(first.parent.glob(f"*{KEY_SUFFIX}")) if first.parent.is_dir() else []
    if len(keys) == 1:
        return keys[0]
    problem = "several keys beside it" if keys else f"no key ({key_path(first).name}) beside it"
    raise SheetError(f"{first}: {problem}; give the one that was written with the sheet as --key")


def read_key(path: Path) -> Key:
    """Reads a key.

    Raises:
        SheetError: a value cannot be read.
        StageFileError: the file is missing, damaged or not a key.
    """
    units, strata = {}, {}
    for line, row in enumerate(tsv.read(path, KEY_COLUMNS), start=2):
        try:
            units[row["id"]] = Unit(
                row["id"],
                row["unit"],
                row["stratum"],
                row["stage"],
                row["verdict"],
                int(row["words"]),
                row["batch"],
                int(row["record"]),
                row["block"],
                row["url"],
            )
            strata[row["unit"], row["stratum"]] = Stratum(
                row["unit"], row["stratum"], row["stage"], int(row["stratum_units"]), int(row["stratum_words"])
            )
        except ValueError:
            raise SheetError(f"{path}, line {line}: a number cannot be read; write sheet and key again") from None
    return Key(units, strata)


def read_judgements(path: Path, key: Key) -> dict[str, str]:
    """Returns the judgement on each unit that was judged in a sheet: good or bad, by id.

    Raises:
        SheetError: the file is no sheet; a row has another judgement, an id that the key does not have or that another
            row has.
    """
    judgements: dict[str, str] = {}
    seen: dict[str, int] = {}
    for line, row in sheets.read(path, ("id", "judgement")):
        name, judgement = row["id"].lower(), row["judgement"].lower()
        if name not in key.units:
            raise SheetError(f"{path}, line {line}: the key has no id {row['id'][:40]!r}; is it of another sheet?")
        if name in seen:
            raise SheetError(f"{path}, line {line}: the id {name} stands in line {seen[name]}, too; keep one of them")
        if judgement not in JUDGEMENTS:
            raise SheetError(
                f"{path}, line {line}: the judgement {row['judgement'][:40]!r}; write good, bad, or nothing"
            )
        seen[name] = line
        if JUDGEMENTS[judgement] is not None:
            judgements[name] = judgement
    return judgements
