"""`corpusprep documents`: find exact duplicates over the whole corpus."""

from pathlib import Path

import click

from corpusprep.archive.batches import batch_names
from corpusprep.dedup.exact_duplicates import find_duplicates
from corpusprep.io.sizes import parse_size


@click.command("documents")
@click.option("--batches", "plan", required=True, type=click.Path(path_type=Path), help="The table batches.tsv.")
@click.option("--tokens", required=True, type=click.Path(path_type=Path), help="The folder of the stage `tokens`.")
@click.option("--memory", default="2G", help="What the job may use: bytes, or with a unit (500M, 2G).")
@click.option("--output", required=True, type=click.Path(path_type=Path), help="The folder the tables go to.")
def command(plan: Path, tokens: Path, memory: str, output: Path) -> None:
    """Find exact duplicates over the whole corpus.

    Puts the documents of all batches in the stable order (crawl date, URL, digest of the text) and keeps the first
    of each digest; the others are `exact_duplicate` and name it. Writes a table for each batch.
    """
    find_duplicates(batch_names(plan), tokens, output, parse_size(memory))
