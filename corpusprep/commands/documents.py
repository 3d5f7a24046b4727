"""`corpusprep documents`: find exact duplicates over the whole corpus."""

from pathlib import Path

import click

from corpusprep.archive.batches import batch_names
from corpusprep.commands import options
from corpusprep.dedup.exact_duplicates import find_duplicates
from corpusprep.tables.batch_files import batch_folder, corpus_file


@click.command("documents")
@options.corpus_dir
@options.setting("memory")
def command(corpus_dir: Path, memory: int) -> None:
    """Find exact duplicates over the whole corpus.

    Sorts the documents of all batches in the stable order (crawl date, URL, digest of the text) and keeps the first
    of each digest. The others are `exact_duplicate` and name the one that is kept. Writes one table per batch.
    """
    batches = batch_names(corpus_file(corpus_dir, "plan"))
    find_duplicates(batches, batch_folder(corpus_dir, "tokens"), batch_folder(corpus_dir, "documents"), memory)
