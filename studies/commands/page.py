"""`corpusprep studies page`: puts the tables and figures of all sources on one page."""

from pathlib import Path

import click

from corpusprep.commands import options
from corpusprep.commands.new_path import NewPath


@click.command("page")
@options.folder("--results", "Folder of the results of a config, with what the other studies have measured.")
@click.option("--output", type=NewPath(), required=True, help="Page to write.")
def command(results: Path, output: Path) -> None:
    """Write every table and figure of every source, ours beside the published; what is missing is named."""
    from studies import page

    missing = page.write_all(results, output)
    if missing:
        click.echo(f"{output}: {missing} tables and figures could not be made; the page says why")
