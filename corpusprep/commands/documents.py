"""`corpusprep step documents`: find exact duplicates over the whole corpus."""

import shutil
from collections.abc import Iterable
from pathlib import Path

import click

from corpusprep.archive.batches import batch_names, read_bundles
from corpusprep.commands import options
from corpusprep.dedup.exact_duplicates import find_duplicates
from corpusprep.dedup.forgetting import ForgetList, write_receipt
from corpusprep.errors import StageFileError
from corpusprep.io.files import replacing
from corpusprep.tables.batch_files import batch_folder, bundle_file, corpus_file


@click.command("documents")
@options.new_corpus
@options.setting("forget")
@options.setting("memory")
@options.parts
def command(corpus_dir: Path, forget: str, memory: int, parts: int) -> None:
    """Find exact duplicates over the whole corpus.

    Sorts the documents of all batches in the stable order (crawl date, URL, digest of the text) and keeps the first
    of each digest. The others are `exact_duplicate` and name the one that is kept. Writes one table per batch.

    Documents that the list --forget names are left out first; forgotten.tsv in the corpus's folder says which.

    With several --parts, take the tables that `exact gather` has written.
    """
    batches = batch_names(corpus_file(corpus_dir, "plan"))
    tokens = batch_folder(corpus_dir, "tokens")
    forgotten = ForgetList.of(forget)
    output = batch_folder(corpus_dir, "documents")
    if parts > 1:
        bundles = read_bundles(corpus_file(corpus_dir, "bundles"))
        _take(
            [
                bundle_file(corpus_dir, "document_tables", bundle, batch)
                for bundle, part in bundles.items()
                for batch in part
            ],
            output,
        )
    else:
        find_duplicates(batches, tokens, output, memory, forgotten)
    receipt = corpus_dir / "forgotten.tsv"
    if forgotten is None:
        receipt.unlink(missing_ok=True)
    else:
        write_receipt(forgotten, batches, tokens, batch_folder(corpus_dir, "encoding"), receipt)


def _take(tables: Iterable[Path], output: Path) -> None:
    """Copies the tables of batches to the folder of the corpus."""
    for table in tables:
        try:
            with replacing(output / table.name) as temporary:
                shutil.copyfile(table, temporary)
        except FileNotFoundError:
            raise StageFileError(f"{table}: no such file; run `corpusprep step exact gather` first") from None
