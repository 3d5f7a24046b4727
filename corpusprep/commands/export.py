"""`corpusprep export`: write a whole corpus as one file, or as files of a given size."""

from pathlib import Path
from typing import Any

import click

from corpusprep.commands import options
from corpusprep.commands.new_path import NewPath
from corpusprep.corpus.describing import finished_corpus
from corpusprep.corpus.documents import Additions
from corpusprep.corpus.export import export
from corpusprep.corpus.formats import KIND
from corpusprep.errors import ConfigError
from corpusprep.io.sizes import parse_size


def _shards(context: click.Context, option: click.Parameter, value: str) -> int | None:
    """Returns the bytes of text per file; None for one file."""
    if value == "one":
        return None
    try:
        size = parse_size(value)
    except ConfigError as error:
        raise click.BadParameter(str(error), context, option) from None
    if size < 1:
        raise click.BadParameter("must be at least 1 byte", context, option)
    return size


@click.command("export")
@options.corpus
@options.setting("corpus.formats", kind=KIND)
@options.code
@click.option(
    "--shards",
    default="one",
    callback=_shards,
    metavar="one|SIZE",
    help="One file per format, or files of about SIZE bytes of text (100M).",
)
@click.option(
    "--output",
    type=NewPath(file_okay=False),
    help="Folder of the files; an earlier export there is replaced. [default: export in the corpus's folder]",
)
@options.described
@options.additions
def command(
    corpus: Path,
    formats: tuple[str, ...],
    code: Path,
    shards: int | None,
    output: Path | None,
    additions: Additions,
    **described: Any,
) -> None:
    """Write a whole corpus as one file per format, or as files of a given size.

    Reads what the stages have written about all batches. The order is that of the archives by their paths, and of the
    records in each, whatever the size of the batches. All formats have the same documents in files of the same name.
    """
    finished = finished_corpus(corpus, formats, additions=additions, **described)
    export(corpus, formats, shards, output or corpus / "export", additions, described=finished, code=code)
