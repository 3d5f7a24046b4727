"""`corpusprep step overview`: several corpora side by side, on one page and in one table."""

from pathlib import Path

import click

from corpusprep.commands import options
from corpusprep.commands.new_path import NewPath
from corpusprep.errors import ConfigError


@click.command("overview")
@options.corpora
@click.option("--language", "codes", required=True, multiple=True, help="Code of the language of each. Repeatable.")
@click.option("--output", required=True, type=NewPath(), help="The page: one HTML file.")
@click.option("--table", required=True, type=NewPath(), help="The same numbers as tab-separated text.")
def command(corpora: tuple[Path, ...], codes: tuple[str, ...], output: Path, table: Path) -> None:
    """Put corpora side by side: one self-contained HTML page, and one table.

    The rows of tables 3.8 and 3.9 of Pomikálek (2011) and of PRESEMT's table 2, beside the published corpora, with
    links to the reports of the corpora.
    """
    from corpusprep.report import overview

    if len(corpora) != len(codes):
        raise ConfigError(f"{len(corpora)} corpora and {len(codes)} languages; give --language once per corpus")
    overview.write(list(zip(corpora, codes, strict=True)), output, table)
