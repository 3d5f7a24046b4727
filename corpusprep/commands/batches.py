"""The stage `batches`: sort the archives and pack them into batches."""

from collections.abc import Sequence
from pathlib import Path

import click

from corpusprep.archive.batches import (
    MOST_BUNDLED,
    Batch,
    bundles,
    expand,
    plan,
    remove_others,
    write_batches,
    write_bundles,
)
from corpusprep.io.sizes import parse_size


def make_batches(
    patterns: Sequence[str],
    batch_bytes: int,
    output: Path,
    *,
    least_bundles: int = 64,
    bundle_list: Path | None = None,
    others_removed: bool = False,
) -> list[Batch]:
    """Writes the batches of all archives that match `patterns` to `output` and returns them.

    Args:
        patterns: as for batches.expand.
        batch_bytes: archives worth one job.
        output: the table.
        least_bundles: bundles that the batches are put in, if there are as many batches.
        bundle_list: gets the table of bundles.
        others_removed: whether files of other batches, beside the table and in folders there, are removed first.

    Raises:
        ArchiveError: a pattern matches nothing, or an archive cannot be read or is empty.
    """
    batches = plan(expand(patterns), batch_bytes)
    names = [batch.name for batch in batches]
    bundled = bundles(names, least_bundles)
    if others_removed:
        remove_others([*names, *bundled], output.parent)
    if bundle_list:
        write_bundles(bundled, bundle_list)
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
