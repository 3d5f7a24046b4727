"""`corpusprep describe`: write registry, scripts, data card and frequency list of a corpus."""

from pathlib import Path
from typing import Any

import click

from corpusprep.commands import options
from corpusprep.commands.new_path import NewPath
from corpusprep.corpus.describing import describe, finished_corpus
from corpusprep.corpus.documents import Additions
from corpusprep.corpus.formats import names


@click.command("describe")
@options.corpus_dir
@options.setting("corpus.formats", allowed=names())
@options.described
@click.option(
    "--output",
    type=NewPath(file_okay=False),
    help="Folder of the files. [default: corpus in the corpus's folder]",
)
@options.additions
def command(
    corpus_dir: Path,
    formats: tuple[str, ...],
    output: Path | None,
    additions: Additions,
    **described: Any,
) -> None:
    """Write what goes with a finished corpus: registry, scripts, data card, frequency list.

    Of the formats, those are written that describe the whole corpus: card, cwb, frequencies, sketch. The card also says
    which others there are.
    """
    corpus = finished_corpus(corpus_dir, formats, additions=additions, **described)
    folder = output or corpus_dir / "corpus"
    folder.mkdir(exist_ok=True)
    for path in describe(corpus, folder):
        click.echo(path)
