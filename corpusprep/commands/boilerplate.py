"""`corpusprep boilerplate`: segment pages into blocks and classify them."""

from pathlib import Path
from typing import Any

import click

from corpusprep import languages
from corpusprep.archive.batches import batch_names
from corpusprep.commands import options
from corpusprep.pages.algorithms import registry
from corpusprep.pages.boilerplate import classify_batch
from corpusprep.tables import schemas
from corpusprep.tables.batch_files import BatchFiles, corpus_file
from corpusprep.tables.writing import TableWriter, write_table


@click.command("boilerplate")
@options.corpus_dir
@options.batch
@options.model
@options.algorithm
def command(corpus_dir: Path, batch: str, model: str, **settings: Any) -> None:
    """Segment the pages of a batch into blocks and classify them.

    Reads the pages from the archives that the table of `encoding` names. Writes one row per block, of every class, and
    one row per page.
    """
    classifier = registry.algorithm(**settings)
    references = []
    if classifier.needs_references:
        names = batch_names(corpus_file(corpus_dir, "plan"))
        references = [BatchFiles.of(corpus_dir, name).references for name in names]
    files = BatchFiles.of(corpus_dir, batch)
    with TableWriter(files.boilerplate, schemas.BOILERPLATE) as blocks:
        pages = classify_batch(files.encoding, languages.get(model), classifier, blocks, references)
    write_table(pages, schemas.PAGES, files.pages)
