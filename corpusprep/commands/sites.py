"""`corpusprep archive sites`: write the pages of archives into one file per site."""

from pathlib import Path

import click

from corpusprep.archive.sites import sort_by_site
from corpusprep.commands.new_path import NewPath
from corpusprep.io import folder_locks


@click.command("sites")
@click.argument("archives", metavar="ARCHIVE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--output", required=True, type=NewPath(file_okay=False), help="A new or empty folder.")
def command(archives: tuple[Path, ...], output: Path) -> None:
    """Write the pages of archives into one WARC file per site (Baisa 2009). Prints the pages of each site.

    The workflow does not need this: it chooses the reference pages of all hosts from a table.
    """
    with folder_locks.sole_writer(output):
        sites = sort_by_site(archives, output)
    for site, pages in sites.items():
        click.echo(f"{site}\t{pages}")
