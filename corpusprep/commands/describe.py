"""`corpusprep step describe`: write registry, scripts, data card and frequency list of a corpus."""

from pathlib import Path
from typing import Any

import click

from corpusprep.commands import options
from corpusprep.commands.new_path import NewPath
from corpusprep.corpus.describing import describe, finished_corpus
from corpusprep.corpus.documents import Additions
from corpusprep.corpus.formats import KIND
from corpusprep.io import digests


@click.command("describe")
@options.corpus
@options.setting("corpus.formats", kind=KIND)
@options.code
@options.described
@click.option(
    "--output",
    type=NewPath(file_okay=False),
    help="Folder of the files. [default: corpus in the corpus's folder]",
)
@options.additions
def command(
    corpus: Path,
    formats: tuple[str, ...],
    code: Path,
    output: Path | None,
    additions: Additions,
    **described: Any,
) -> None:
    """Write what goes with a finished corpus: registry, scripts, data card, frequency list.

    Of the formats, those are written that describe the whole corpus: blacklab, card, cqpweb, cwb, frequencies, sketch.
    The card also says which others there are.
    """
    finished = finished_corpus(corpus, formats, additions=additions, **described)
    folder = output or corpus / "corpus"
    folder.mkdir(exist_ok=True)
    written = describe(finished, folder, code)
    digests.renew(written, folder)
    for path in written:
        click.echo(path)
