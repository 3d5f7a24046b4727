"""`corpusprep show`: what became of a corpus, on the terminal."""

import csv
from pathlib import Path

import click
from rich import box
from rich.console import Console
from rich.table import Table

from corpusprep.errors import StageFileError

STAGES = {
    "crawl": "original corpus",
    "boilerplate": "after removing boilerplate",
    "language": "after language filtering",
    "documents": "after removing exact duplicates",
    "blocks": "after block de-duplication",
}


def size_table(folder: Path) -> Table:
    """The corpus-size table (Pomikálek 2011, table 3.8) of a corpus.

    Raises:
        StageFileError: the corpus has no statistics yet.
    """
    path = folder / "statistics" / "corpus_size.tsv"
    if not path.is_file():
        raise StageFileError(f"{path}: no such file; has the workflow finished for this corpus?")
    table = Table(title=f"Corpus size: {folder.name}", title_justify="left", box=box.SIMPLE_HEAD)
    table.add_column("stage", no_wrap=True)
    for name in ("documents", "words", "%", "tokens"):
        table.add_column(name, justify="right", no_wrap=True)
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            numbers = [_thousands(row["documents"]), _thousands(row["words"])]
            percent = row["words_percent_of_previous"]
            table.add_row(STAGES.get(row["stage"], row["stage"]), *numbers, percent, _thousands(row["tokens"]))
    return table


def _thousands(number: str) -> str:
    return f"{int(number):,}" if number else ""


@click.command("show")
@click.argument("folders", metavar="FOLDER...", nargs=-1, required=True, type=click.Path(path_type=Path))
def command(folders: tuple[Path, ...]) -> None:
    """Print the corpus-size table of finished corpora (such as results/sample-english) and where more is."""
    console = Console(highlight=False)
    for folder in folders:
        console.print(size_table(folder))
        console.print(f"  corpus      {folder / 'corpus'}", soft_wrap=True)
        console.print(f"  statistics  {folder / 'statistics'}", soft_wrap=True)
        console.print(f"  report      {(folder / 'report.html').absolute().as_uri()}\n", soft_wrap=True)
