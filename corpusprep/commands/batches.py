"""`corpusprep batches`: sort the archives and pack them into batches."""

from pathlib import Path

import click

from corpusprep.archive.batches import (
    MOST_BUNDLED,
    make_batches,
)
from corpusprep.io.sizes import parse_size


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
@click.option(
    "--bundles",
    "least_bundles",
    default=64,
    type=click.IntRange(1),
    help=f"Bundles of batches there are at least, if there are as many batches; up to {MOST_BUNDLED} batches in each.",
)
@click.option("--bundle-list", type=click.Path(path_type=Path), help="Where to write the table: bundle, batch.")
@click.option(
    "--remove-others",
    "others",
    is_flag=True,
    help="Remove the files of batches that are no more, from the folder of the table and those in it.",
)
def command(
    patterns: tuple[str, ...],
    batch_bytes: int,
    output: Path,
    least_bundles: int,
    bundle_list: Path | None,
    others: bool,
) -> None:
    """Sort the archives by path and pack them, in that order, into batches of up to a size."""
    batches = make_batches(
        patterns,
        parse_size(batch_bytes),
        output,
        least_bundles=least_bundles,
        bundle_list=bundle_list,
        others_removed=others,
    )
    archives = sum(len(batch.archives) for batch in batches)
    click.echo(f"{archives} archives in {len(batches)} batches", err=True)
