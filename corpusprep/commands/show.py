"""`corpusprep show`: print what finished corpora hold, and where it is."""

import sys
from pathlib import Path

import click

from corpusprep.commands import options
from corpusprep.errors import EmptyCorpusError
from corpusprep.io.console import Console
from corpusprep.report import summary


@click.command("show")
@options.corpora
@click.option("--exported", is_flag=True, help="The text is in the folder export (corpus.shards). [default: if it is]")
def command(corpora: tuple[Path, ...], exported: bool) -> None:
    """Print the corpus-size table of finished corpora (such as results/sample/en) and where more is.

    Archives in which no page was found are named, with the reasons. The exit code is 1 if a corpus is empty.
    """
    console = Console(highlight=False)
    for folder in corpora:
        summary.show(folder, console, exported=exported)
    sys.stdout.flush()
    if empty := [names for folder in corpora if (names := summary.emptied(folder))]:
        raise EmptyCorpusError("; ".join(empty))
