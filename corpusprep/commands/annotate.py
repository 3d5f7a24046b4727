"""`corpusprep step annotate`: add columns to the vertical."""

from pathlib import Path

import click

from corpusprep.annotation import built_in, running, settings
from corpusprep.commands import options
from corpusprep.errors import ConfigError
from corpusprep.tables.batch_files import BOILERPLATE_VERTICAL, BatchFiles


@click.command("annotate")
@options.new_corpus
@options.batch
@options.setting("annotate.annotator", kind=built_in.KIND)
@options.code
@options.settings("annotate", without=("annotator", "threads"))
@options.threads
@options.setting("corpus.boilerplate")
def command(
    corpus_dir: Path,
    batch: str,
    annotator: str,
    code: Path,
    command: str,
    columns: tuple[str, ...],
    model: str,
    threads: int,
    boilerplate: str,
) -> None:
    """Add columns to the vertical of a batch, such as lemmas and tags.

    Runs an annotator on the vertical that `tokens` wrote: a command of yours that reads a vertical and writes it, or
    another annotator. The tokens and structures must stay as they are; an error names the document and the line.
    """
    if annotator != settings.NONE:
        columns = tuple(built_in.load(annotator, code).columns)
    elif not (command and columns):
        raise ConfigError("give --annotator, or --command and --columns")
    files = BatchFiles.of(corpus_dir, batch)
    line = command if annotator == settings.NONE else built_in.command(annotator, code, model)
    pairs = [(files.vertical, files.annotated)]
    if boilerplate == "keep":
        name = BOILERPLATE_VERTICAL.format(batch)
        pairs.append((files.vertical.with_name(name), files.annotated.with_name(name)))
    for vertical, output in pairs:
        running.annotate(vertical, line, columns, output, threads)
