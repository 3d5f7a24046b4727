"""`corpusprep encoding`: read archives and detect encodings."""

from pathlib import Path

import click

from corpusprep import languages
from corpusprep.encoding.pages import HTML_TYPES, TRUST, PageRules, read_archives
from corpusprep.io.sizes import parse_size
from corpusprep.tables import schemas
from corpusprep.tables.writing import write_table


@click.command("encoding")
@click.option("--batch", required=True, help="Name of the batch.")
@click.option(
    "--archive",
    "archives",
    required=True,
    multiple=True,
    type=click.Path(path_type=Path),
    help="An archive of the batch; repeatable. They are read in this order.",
)
@click.option("--model", required=True, help="The corpus language: a .model file or a built-in language's code.")
@click.option("--trust", default="detected", type=click.Choice(TRUST), help="Which encoding pages are decoded with.")
@click.option("--status", multiple=True, type=int, default=(200,), help="HTTP status accepted; repeatable.")
@click.option("--content-type", "types", multiple=True, default=HTML_TYPES, help="Accepted; repeatable.")
@click.option("--min-bytes", default="0", help="Smallest body taken, such as 5kB.")
@click.option("--max-bytes", default="20MB", help="Largest body taken.")
@click.option("--output", required=True, type=click.Path(path_type=Path), help="Where the table goes (Parquet).")
def command(
    batch: str,
    archives: tuple[Path, ...],
    model: str,
    trust: str,
    status: tuple[int, ...],
    types: tuple[str, ...],
    min_bytes: str,
    max_bytes: str,
    output: Path,
) -> None:
    """Read the archives of a batch: a row a record, with the page's encodings and the record's verdict."""
    rules = PageRules(frozenset(status), frozenset(types), parse_size(min_bytes), parse_size(max_bytes))
    table = read_archives(batch, archives, languages.get(model), rules, trust)
    write_table(table, schemas.ENCODING, output)
