"""`corpusprep show`: print the corpus-size table of finished corpora."""

from pathlib import Path

import click
from rich.console import Console

from corpusprep.report.size_table import size_table


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
