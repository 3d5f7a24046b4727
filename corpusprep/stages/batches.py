"""The stage `batches`: sort the archives and pack them into batches."""

from collections.abc import Sequence
from pathlib import Path

import click

from corpusprep.batches import Batch, expand, plan, write_batches
from corpusprep.sizes import parse_size


def make_batches(patterns: Sequence[str], batch_bytes: int, output: Path) -> list[Batch]:
    """Writes the batches of all archives that match `patterns` to `output` and returns them.

    Raises:
        ArchiveError: a pattern matches nothing, or an archive cannot be read or is empty.
    """
    batches = plan(expand(patterns), batch_bytes)
    write_batches(batches, output)
    return batches


@click.command("batches")
@click.option(
    "--archive",
    "patterns",
    required=True,
    multiple=True,
    metavar="PATTERN",
    help="A WARC or ARC file, or a pattern such as 'crawl/**/*.warc.gz' (quoted). May be repeated.",
)
@click.option(
    "--batch-bytes",
    default="1G",
    metavar="SIZE",
    help="Archives worth one job, in bytes as stored; a larger archive is a batch alone.",
)
@click.option(
    "--output",
    required=True,
    type=click.Path(path_type=Path),
    help="Where to write the table: batch, archive, bytes.",
)
def command(patterns: tuple[str, ...], batch_bytes: str, output: Path) -> None:
    """Sort the archives by path and pack them, in that order, into batches of up to a size."""
    batches = make_batches(patterns, parse_size(batch_bytes), output)
    archives = sum(len(batch.archives) for batch in batches)
    click.echo(f"{archives} archives in {len(batches)} batches", err=True)
