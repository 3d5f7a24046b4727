"""`corpusprep show`: print what finished corpora hold, and where it is."""

import sys
from pathlib import Path

import click
from rich.console import Console

from corpusprep.errors import EmptyCorpusError
from corpusprep.report import summary


@click.command("show")
@click.argument("folders", metavar="FOLDER...", nargs=-1, required=True, type=click.Path(path_type=Path))
def command(folders: tuple[Path, ...]) -> None:
    """Print the corpus-size table of finished corpora (such as results/sample/en) and where more is.

    Archives in which no page was found are named, with the reasons. The exit code is 1 if a corpus is empty.
    """
    console = Console(highlight=False)
    for folder in folders:
        summary.show(folder, console)
    sys.stdout.flush()
    if empty := [found for folder in folders if (found := summary.emptied(folder))]:
        raise EmptyCorpusError("; ".join(empty))
