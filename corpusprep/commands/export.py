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
from corpusprep.corpus.shards import Division
from corpusprep.errors import ConfigError
from corpusprep.io.sizes import parse_amount


def _shards(context: click.Context, option: click.Parameter, value: str) -> tuple[int | None, bool]:
    """Returns the bytes of text or the tokens per file, None for one file; and whether they are tokens."""
    if value == "one":
        return None, False
    try:
        size, of_tokens = parse_amount(value)
    except ConfigError as error:
        raise click.BadParameter(str(error), context, option) from None
    if size < 1:
        raise click.BadParameter("must be at least 1 byte or token", context, option)
    return size, of_tokens


@click.command("export")
@options.corpus
@options.setting("corpus.formats", kind=KIND)
@options.code
@click.option(
    "--shards",
    default="one",
    callback=_shards,
    metavar="one|SIZE",
    help="One file per format, or files of about SIZE bytes of text (100M) or tokens ('100M tokens').",
)
@options.setting("corpus.order")
@options.setting("corpus.seed")
@options.setting("corpus.validation")
@options.setting("memory")
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
    shards: tuple[int | None, bool],
    order: str,
    seed: int,
    validation: float,
    memory: int,
    output: Path | None,
    additions: Additions,
    **described: Any,
) -> None:
    """Write a whole corpus as one file per format, or as files of a given size.

    Reads what the stages have written about all batches. The order is that of the archives by their paths, and of the
    records in each, or one of chance, which a seed decides; it does not depend on the size of the batches. All formats
    have the same documents in files of the same name.
    """
    finished = finished_corpus(corpus, formats, additions=additions, **described)
    division = Division(*shards, order, seed, validation, memory)
    export(corpus, formats, division, output or corpus / "export", additions, described=finished, code=code)
