"""The summary of a finished corpus for the terminal, at the end of a run and by `corpusprep show`."""

import csv
from collections import Counter
from pathlib import Path

import polars as pl
from rich.console import Console

from corpusprep import languages
from corpusprep.archive.batches import read_batches
from corpusprep.report import crawl_summary
from corpusprep.report.size_table import STAGES, size_table
from corpusprep.tables import schemas
from corpusprep.tables.batch_files import BatchFiles, corpus_file, is_packed
from corpusprep.tables.crawl_files import is_crawl, written_folder
from corpusprep.tables.reading import read_table
from corpusprep.tables.verdicts import KEPT

#: The most archives that are named.
MOST_ARCHIVES = 10


def show(folder: Path, console: Console, *, exported: bool = False) -> None:
    """Prints the corpus-size table, where the corpus and its report are, and the archives in which no page was found.

    Of a crawl of several languages, prints the table of its languages. `exported`: as written_folder takes it.

    Raises:
        StageFileError: the corpus has no statistics yet.
    """
    if is_crawl(folder):
        crawl_summary.show(folder, console, exported=exported)
        return
    console.print(size_table(folder))
    console.print(f"  corpus      {written_folder(folder, exported=exported)}", soft_wrap=True, markup=False)
    console.print(f"  statistics  {folder / 'statistics'}", soft_wrap=True, markup=False)
    console.print(f"  report      {(folder / 'report.html').absolute().as_uri()}", soft_wrap=True, markup=False)
    if (learned := folder / "language.model").exists():
        model = languages.get(learned)
        console.print(f"  language    {learned}: {model.origin}", soft_wrap=True, markup=False)
    if is_packed(folder):
        console.print(
            "  packed      corpusprep pack-stages --unpack puts its files back\n", soft_wrap=True, markup=False
        )
        return
    without_pages, archives = archives_without_pages(folder)
    if without_pages:
        console.print(f"\n  no page in {len(without_pages):,} of {archives:,} archive{'s' * (archives != 1)}:")
        for path, reasons in without_pages[:MOST_ARCHIVES]:
            console.print(f"    {path}: {reasons}", soft_wrap=True, markup=False)
        if len(without_pages) > MOST_ARCHIVES:
            console.print(f"    … and {len(without_pages) - MOST_ARCHIVES:,} more")
    console.print()


def emptied(folder: Path) -> str | None:
    """Returns a line that says that the corpus has no document, and after which stage; None if it has any.

    A crawl of several languages is empty if all its corpora are.

    Raises:
        StageFileError: the corpus has no statistics yet.
    """
    if is_crawl(folder):
        return crawl_summary.emptied(folder)
    with corpus_file(folder, "corpus_size").open(encoding="utf-8", newline="") as file:
        documents = {row["stage"]: int(row["documents"]) for row in csv.DictReader(file, delimiter="\t")}
    crawl, *rest = documents
    if documents[rest[-1]]:
        return None
    if not documents[crawl]:
        return f"{folder}: the corpus is empty: its archives have no page that is taken; the report has the reasons"
    last = next(stage for stage in rest if not documents[stage])
    return (
        f"{folder}: the corpus is empty: of {documents[crawl]:,} documents in the crawl, none is left "
        f"{STAGES[last]}; the report has the reasons"
    )


def archives_without_pages(folder: Path) -> tuple[list[tuple[str, str]], int]:
    """Finds the archives of which `encoding` has accepted no record as a page.

    Returns:
        The path of each, with how many of its records have which verdict; and the number of all archives.

    Raises:
        StageFileError: the table of a batch is missing or damaged.
    """
    without_pages, archives = [], 0
    for batch in read_batches(corpus_file(folder, "plan")):
        rows = read_table(BatchFiles.of(folder, batch.name).encoding, schemas.ENCODING, ["archive", "verdict"])
        verdicts: dict[str, Counter[str]] = {str(path): Counter() for path in batch.archives}
        for archive, verdict, number in rows.group_by("archive", "verdict").agg(pl.len()).iter_rows():
            verdicts[archive][verdict] = number
        archives += len(verdicts)
        without_pages += [(path, _reasons(counts)) for path, counts in verdicts.items() if not counts[KEPT]]
    return without_pages, archives


def _reasons(verdicts: Counter[str]) -> str:
    ordered = sorted(verdicts.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{number:,} {verdict}" for verdict, number in ordered if number) or "no record"
