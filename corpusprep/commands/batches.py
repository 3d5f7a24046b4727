"""`corpusprep step batches`: sort the archives and pack them into batches."""

from pathlib import Path

import click

from corpusprep.archive.batches import make_batches
from corpusprep.archive.patterns import expand
from corpusprep.commands import options
from corpusprep.tables.batch_files import corpus_file


@click.command("batches")
@options.new_corpus
@click.option(
    "--archive",
    "patterns",
    required=True,
    multiple=True,
    metavar="PATTERN",
    help="An input (WARC, ARC, HTML, texts), or a pattern such as 'crawl/**/*.warc.gz' (quoted). Repeatable.",
)
@options.setting("batch_bytes")
def command(corpus_dir: Path, patterns: tuple[str, ...], batch_bytes: int) -> None:
    """Sort the archives by path and pack them, in that order, into batches up to a size.

    Writes batches.tsv and bundles.tsv. Removes the files of batches that no longer exist from the corpus's folder.
    """
    batches = make_batches(
        expand(patterns),
        batch_bytes,
        corpus_file(corpus_dir, "plan"),
        bundle_list=corpus_file(corpus_dir, "bundles"),
        others_removed=True,
    )
    archives = sum(len(batch.archives) for batch in batches)
    click.echo(f"{archives} archives in {len(batches)} batches", err=True)
