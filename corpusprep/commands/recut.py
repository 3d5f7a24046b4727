"""`corpusprep recut`: change the thresholds of a built corpus."""

from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from corpusprep.cleaners.registry import algorithm, check_preset
from corpusprep.commands import options
from corpusprep.commands.new_path import NewPath
from corpusprep.extraction.recut import made_by, recut, words_kept


def _number(_context: click.Context, _option: click.Parameter, value: str | None) -> float | str | None:
    """Returns a number as such: only some learned algorithms have thresholds with names."""
    try:
        return value if value is None else float(value)
    except ValueError:
        return value


@click.command("recut")
@options.corpus
@options.thresholds
@click.option(
    "--algorithm",
    "name",
    help="The algorithm that made the corpus. Not needed for jusText and content, which the stored scores show.",
)
@click.option(
    "--threshold",
    callback=_number,
    help="For a corpus made by a learned algorithm: a score, 0 to 1; for content and ncleaner also precision, balanced"
    " or recall.",
)
@click.option("--keep-comments/--drop-comments", default=None, help="For a corpus made by content: readers' comments.")
@click.option("--keep-title/--drop-title", default=None, help="For a corpus made by content: the page's title.")
@click.option("--keep-tables/--drop-tables", default=None, help="For a corpus made by content: tables of data.")
@click.option("--keep-code/--drop-code", default=None, help="For a corpus made by content: code.")
@click.option("--output", required=True, type=NewPath(in_results=True), help="Folder of the corpus to write.")
def command(corpus: Path, output: Path, name: str | None, preset: str, **thresholds: Any) -> None:
    """Change the thresholds of a built corpus, of jusText or of a learned algorithm.

    The stage files up to `boilerplate` are written to
    the output folder, such as results/english-d, from the scores stored in CORPUS. Then add the new corpus to the
    config, with the same archives, language and sections `encoding`, `rights` and `templates`, and the new
    thresholds, and run the workflow. It does the other steps. Templates that were removed stay removed at any
    threshold. Into another results folder, the language models are copied, too.
    """
    name = name or made_by(corpus)
    if click.get_current_context().get_parameter_source("preset") is ParameterSource.COMMANDLINE:
        check_preset(name, preset)
    classifier = algorithm(name, preset, **thresholds)
    recut(corpus, output, classifier)
    kept, total = words_kept(output, classifier)
    click.echo(f"{output}: {kept} of {total} words in good blocks")
