"""`corpusprep encoding`: read archives and detect encodings."""

from pathlib import Path

import click

from corpusprep import languages
from corpusprep.commands import options
from corpusprep.encoding.pages import PageRules, read_archives
from corpusprep.encoding.selection import Selection
from corpusprep.tables import schemas
from corpusprep.tables.batch_files import BatchFiles
from corpusprep.tables.writing import write_table


@click.command("encoding")
@options.corpus_dir
@options.batch
@click.option(
    "--archive",
    "archives",
    required=True,
    multiple=True,
    type=click.Path(path_type=Path),
    help="An archive of the batch. Repeatable; they are read in this order.",
)
@options.model
@options.settings("encoding")
def command(
    corpus_dir: Path,
    batch: str,
    archives: tuple[Path, ...],
    model: str,
    trust: str,
    status: tuple[int, ...],
    content_types: tuple[str, ...],
    min_bytes: int,
    max_bytes: int,
    hosts: tuple[str, ...],
    urls: tuple[str, ...],
    first_date: str | None,
    last_date: str | None,
) -> None:
    """Read the archives of a batch: one row per record, with the encodings of the page and the verdict."""
    selection = Selection.of(hosts, urls, first_date, last_date)
    rules = PageRules(frozenset(status), frozenset(content_types), min_bytes, max_bytes, selection)
    table = read_archives(batch, archives, languages.get(model), rules, trust)
    write_table(table, schemas.ENCODING, BatchFiles.of(corpus_dir, batch).encoding)
