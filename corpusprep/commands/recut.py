"""`corpusprep recut`: change the jusText thresholds of a built corpus."""

from pathlib import Path
from typing import Any

import click

from corpusprep.commands import options
from corpusprep.commands.new_path import NewPath
from corpusprep.pages.algorithms.registry import algorithm
from corpusprep.pages.recut import recut, words_kept


@click.command("recut")
@click.argument("corpus", type=click.Path(path_type=Path, exists=True, file_okay=False))
@options.thresholds
@click.option("--output", required=True, type=NewPath(in_results=True), help="Folder of the corpus to write.")
def command(corpus: Path, output: Path, preset: str, **thresholds: Any) -> None:
    """Change the jusText thresholds of a built corpus.

    CORPUS is a corpus's folder, such as results/english. The stage files up to `boilerplate` are written to
    the output folder, such as results/english-d, from the scores stored in CORPUS. Then add the new corpus to the
    config, with the same archives, language and section `encoding`, and the new thresholds, and run the workflow. It
    does the other steps. Into another results folder, the language models are copied, too.
    """
    classifier = algorithm("justext", preset, **thresholds)
    recut(corpus, output, classifier)
    kept, total = words_kept(output, classifier)
    click.echo(f"{output}: {kept} of {total} words in good blocks")
