"""`corpusprep step encoding`: read archives and detect encodings."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from corpusprep import languages
from corpusprep.archive.html_files import Addresses
from corpusprep.commands import options
from corpusprep.encoding.pages import PageRules, read_archives
from corpusprep.encoding.selection import Selection
from corpusprep.remote.addresses import archive_path
from corpusprep.tables import schemas
from corpusprep.tables.batch_files import BatchFiles
from corpusprep.tables.writing import write_table

if TYPE_CHECKING:
    from corpusprep.encoding.detection import KnownEncodings
    from corpusprep.encoding.unknown_language import Candidates


@click.command("encoding")
@options.new_corpus
@options.batch
@click.option(
    "--archive",
    "archives",
    required=True,
    multiple=True,
    type=archive_path,
    metavar="ARCHIVE",
    help="An archive of the batch. Repeatable; they are read in this order.",
)
@options.models
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
    listed: str,
    urls: tuple[str, ...],
    first_date: str | None,
    last_date: str | None,
    text: str,
    normalisation: str,
    addresses: tuple[str, ...],
    documents: tuple[str, ...],
) -> None:
    """Read the archives of a batch: one row per record, with the encodings of the page and the verdict."""
    del normalisation  # of the section, but texts are made by the stage boilerplate
    selection = Selection.of(hosts, urls, first_date, last_date, listed)
    rules = PageRules(frozenset(status), frozenset(content_types), min_bytes, max_bytes, selection, text != "leave")
    language: KnownEncodings | Candidates
    if Path(model).is_dir():
        from corpusprep.languages.known_languages import KnownLanguages  # with NumPy, which other corpora do without

        language = KnownLanguages.read(Path(model)).encodings
    else:
        language = languages.get(model)
    table = read_archives(batch, archives, language, rules, trust, Addresses.of(addresses), documents)
    write_table(table, schemas.ENCODING, BatchFiles.of(corpus_dir, batch).encoding)
