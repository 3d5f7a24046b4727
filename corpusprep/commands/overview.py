"""`corpusprep overview`: several corpora side by side, on one page and in one table."""

from pathlib import Path

import click

from corpusprep.commands.new_path import NewPath


@click.command("overview")
@click.option(
    "--corpus",
    "corpora",
    required=True,
    multiple=True,
    type=(click.Path(path_type=Path), str),
    metavar="FOLDER CODE",
    help="Folder of a corpus, such as results/news, and the code of its language. Repeatable.",
)
@click.option("--output", required=True, type=NewPath(), help="The page: one HTML file.")
@click.option("--table", required=True, type=NewPath(), help="The same numbers as tab-separated text.")
def command(corpora: tuple[tuple[Path, str], ...], output: Path, table: Path) -> None:
    """Put corpora side by side: one self-contained HTML page, and one table.

    The rows of tables 3.8 and 3.9 of Pomikálek (2011) and of PRESEMT's table 2, beside the published corpora, with
    links to the reports of the corpora.
    """
    from corpusprep.report import overview

    overview.write(corpora, output, table)
