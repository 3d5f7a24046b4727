"""`corpusprep archive yield`: what the hosts of archives give."""

from pathlib import Path

import click

from corpusprep.archive.patterns import expand
from corpusprep.commands.new_path import NewPath
from corpusprep.crawling import archive_yields, yields
from corpusprep.errors import ConfigError


@click.command("yield")
@click.argument("archives", nargs=-1, metavar="[ARCHIVE]...")
@click.option("--language", help="A built-in language's code, or a .model file.")
@click.option(
    "--table", type=click.Path(path_type=Path), help="Show this table of a crawl or archives; reads no archive."
)
@click.option("--output", type=NewPath(dir_okay=False), help="Write the table of yields by host.")
@click.option("--plot", type=NewPath(dir_okay=False), help="Draw it: a file .svg, .png or .pdf.")
@click.option("--hosts", type=click.IntRange(0), default=20, help="Hosts that are printed.")
def command(
    archives: tuple[str, ...],
    language: str | None,
    table: Path | None,
    output: Path | None,
    plot: Path | None,
    hosts: int,
) -> None:
    """Print how much clean text in a language the hosts of archives give, per byte fetched.

    The threshold is the one of `corpusprep crawl`: the state `yield` marks hosts that a crawl would have left.
    """
    if (table is None) == (not archives):
        raise ConfigError("give archives (with --language), or a table with --table")
    if table is not None:
        rows = yields.read(table)
    else:
        if language is None:
            raise ConfigError("--language is missing: the language whose text counts, such as --language cs")
        found = archive_yields.of_archives(expand(archives), language)
        rows = found.rows()
        if output is not None:
            found.write(output)
    if plot is not None:
        from corpusprep.crawling.yield_plot import draw  # matplotlib is an extra, and takes half a second

        draw(rows, plot)
    for line in yields.shown(yields.final_rows(rows), hosts):
        click.echo(line)
