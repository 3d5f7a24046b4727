"""The summary of a crawl of several languages for the terminal."""

from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table

from corpusprep.errors import StageFileError
from corpusprep.io import tsv
from corpusprep.statistics.crawl_languages import LANGUAGE_COLUMNS, corpus_number
from corpusprep.tables.crawl_files import language_folders, languages_file, written_folder
from corpusprep.tables.verdicts import KEPT

_HEADINGS = ("crawl\npages", "\nwords", "corpus\ndocuments", "\nwords", "\ntokens")


def show(folder: Path, console: Console, *, exported: bool = False) -> None:
    """Prints the languages of a crawl, what is in no corpus, and where more is.

    Raises:
        StageFileError: the crawl has no table of its languages yet.
    """
    table = Table(title=f"Languages: {folder.name}", title_justify="left", box=box.SIMPLE_HEAD)
    table.add_column("\nlanguage", no_wrap=True)
    for heading in _HEADINGS:
        table.add_column(heading, justify="right", no_wrap=True)
    rows = _rows(folder)
    for row in rows:
        name = row["language"] if row["verdict"] == KEPT else _rest(row)
        numbers = [row["documents"], row["words"]]
        numbers += [corpus_number(row, unit) for unit in ("documents", "words", "tokens")]
        table.add_row(name, *(f"{int(number):,}" if number else "" for number in numbers))
    console.print(table)
    names = {written_folder(language, exported=exported).name for language in language_folders(folder)} or {"corpus"}
    for name in sorted(names):
        console.print(f"  corpora     {folder}/<language>/{name}", soft_wrap=True, markup=False)
    console.print(f"  report      {(folder / 'report.html').absolute().as_uri()}", soft_wrap=True, markup=False)
    nothing = [row["language"] for row in rows if row["verdict"] == KEPT and corpus_number(row, "documents") == "0"]
    if nothing:
        console.print(f"\n  nothing was found in: {', '.join(nothing)}; these corpora are empty", soft_wrap=True)
    console.print()


def emptied(folder: Path) -> str | None:
    """Returns a line that says that all corpora of a crawl are empty; None if any has a document.

    Raises:
        StageFileError: the crawl has no table of its languages yet.
    """
    if any(corpus_number(row, "documents") not in ("", "0") for row in _rows(folder)):
        return None
    return f"{folder}: the corpora of all its languages are empty; the report has the reasons"


def _rest(row: dict[str, str]) -> str:
    return f"{row['verdict'].replace('_', ' ')}{': ' + row['language'] if row['language'] else ''}"


def _rows(folder: Path) -> list[dict[str, str]]:
    path = languages_file(folder)
    if not path.is_file():
        raise StageFileError(f"{path}: no such file; run the workflow with the config of this crawl again")
    return tsv.read(path, LANGUAGE_COLUMNS)
