"""`corpusprep archive pack`: a WARC file of files."""

from pathlib import Path

import click

from corpusprep.archive.heads import iso_date
from corpusprep.archive.html_files import Addresses
from corpusprep.commands.new_path import NewPath
from corpusprep.errors import ConfigError


@click.command("pack")
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--output", required=True, type=NewPath(dir_okay=False), help="The WARC file to write: x.warc.gz.")
@click.option(
    "--address",
    "rules",
    multiple=True,
    metavar="PATTERN=ADDRESS",
    help="Rule for the addresses of files, with one * on both sides: 'mirror/*=https://*'. Repeatable; the first that "
    "fits counts. Without one, a file has its path as its address.",
)
@click.option("--date", help="Date of all files, as 2024-05-31. Default: when each was changed last.")
def command(folder: Path, output: Path, rules: tuple[str, ...], date: str | None) -> None:
    """Pack the HTML and text files of a folder, and of folders in it, into a WARC file."""
    if not output.name.endswith(".warc.gz"):
        raise ConfigError(f"--output {output}: the name of a WARC file ends in .warc.gz; choose such a name")
    when = None if date is None else iso_date(date)
    if when == "":
        raise ConfigError(f"--date is {date!r}; write it as 2024-05-31 or 2024-05-31T12:00:00Z")
    from corpusprep.crawling.packing import pack  # warcio is an extra

    packed = pack(folder, output, Addresses.of(rules), when)
    robots = f", {packed.rules:,} robots.txt" if packed.rules else ""
    click.echo(
        f"{output}: {packed.pages:,} pages, {packed.texts:,} texts{robots}; {packed.others:,} other files left out"
    )
