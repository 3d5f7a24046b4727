"""The corpus-size table for the terminal (Pomikálek 2011, table 3.8)."""

import csv
from pathlib import Path

from rich import box
from rich.table import Table

from corpusprep import pipeline
from corpusprep.errors import StageFileError
from corpusprep.pipeline import CRAWL
from corpusprep.tables.crawl_files import corpus_name

#: The rows of `corpus_size.tsv` in the words of table 3.8.
STAGES = {"crawl": CRAWL[0]} | {name: stage.after for name, stage in pipeline.STAGES.items()}


def size_table(folder: Path) -> Table:
    """Returns the corpus-size table of a corpus, for the terminal.

    Raises:
        StageFileError: the corpus has no statistics yet.
    """
    path = folder / "statistics" / "corpus_size.tsv"
    if not path.is_file():
        raise StageFileError(_missing(folder, path))
    table = Table(title=f"Corpus size: {corpus_name(folder)}", title_justify="left", box=box.SIMPLE_HEAD)
    table.add_column("stage", no_wrap=True)
    for name in ("documents", "words", "%", "tokens"):
        table.add_column(name, justify="right", no_wrap=True)
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            numbers = [_thousands(row["documents"]), _thousands(row["words"])]
            percent = row["words_percent_of_previous"]
            table.add_row(STAGES.get(row["stage"], row["stage"]), *numbers, percent, _thousands(row["tokens"]))
    return table


def _missing(folder: Path, path: Path) -> str:
    """Returns what to do for a corpus without its table."""
    if not folder.is_dir():
        likely = Path("results", folder.name)
        return (
            f"{folder}: no such folder; give a corpus folder, such as {likely if likely != folder else 'results/news'}"
        )
    if not (folder / "batches.tsv").is_file():
        return f"{folder}: not the folder of a corpus, which has batches.tsv; give one such as results/news"
    return f"{path}: no such file; run the workflow with the config of this corpus again: it makes what is missing"


def _thousands(number: str) -> str:
    return f"{int(number):,}" if number else ""
