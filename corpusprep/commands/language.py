"""`corpusprep language`: keep the documents in the corpus language; make languages."""

from pathlib import Path

import click

from corpusprep import languages
from corpusprep.commands import options
from corpusprep.commands.lazy import LazyGroup
from corpusprep.languages.filtering import METHODS, filter_documents
from corpusprep.languages.similarity import THRESHOLD
from corpusprep.tables import schemas
from corpusprep.tables.batch_files import BatchFiles
from corpusprep.tables.reading import read_table
from corpusprep.tables.writing import write_table

_PATH = click.Path(path_type=Path)
_KIT = "corpusprep.commands.language_kit"


@click.group(
    "language",
    cls=LazyGroup,
    places={
        "make": (f"{_KIT}:make", "Make the model of a language."),
        "list": (f"{_KIT}:list_known", "List the built-in languages."),
        "show": (f"{_KIT}:show", "Show a language: what it was made from, and its parts."),
        "calibrate": (f"{_KIT}:calibrate", "Set the thresholds and rivals of the built-in languages."),
        "table": (f"{_KIT}:table", "Measure the language kit on evaluation data: one of its tables."),
    },
    invoke_without_command=True,
)
@click.option("--corpus-dir", type=_PATH, help="Folder of the corpus's files, such as results/news.")
@click.option("--batch", help="Name of the batch, as in batches.tsv.")
@click.option("--model", "spec", help="The corpus language: a .model file, or a built-in language's code.")
@click.option(
    "--rival",
    "rival_specs",
    multiple=True,
    help="Language that a document must not score higher for. Repeatable. Default: those that the model names.",
)
@click.option("--no-rivals", is_flag=True, help="Only the threshold decides.")
@options.settings("language", without=("rivals", "code"))
@click.pass_context
def command(
    ctx: click.Context,
    corpus_dir: Path | None,
    batch: str | None,
    spec: str | None,
    rival_specs: tuple[str, ...],
    no_rivals: bool,
    threshold: float | None,
    level: str,
    min_words: int,
    method: str,
) -> None:
    """Keep the documents of a batch that are in the corpus language; or make, list and show languages.

    A document's good text is scored by its character trigrams, 0 to 1, against the corpus language and
    its rivals. It is kept if the score reaches the threshold and no rival scores higher. With the level
    `block`, its longer blocks are judged by themselves first, and left out where they do not pass.

    The method `trigram-similarity` is that of the thesis: the cosine of trigram frequencies, kept from 0.6
    on, without rivals.
    """
    if ctx.invoked_subcommand is not None:
        return
    if corpus_dir is None or batch is None or spec is None:
        given = {"--corpus-dir": corpus_dir, "--batch": batch, "--model": spec}
        missing = next(option for option, value in given.items() if value is None)
        raise click.UsageError(f"{missing} is missing; give it, or one of the commands make, list, show", ctx)
    files = BatchFiles.of(corpus_dir, batch)
    model = languages.get(spec)
    similarity = method == METHODS[1]
    rivals = [] if no_rivals or similarity else [languages.get(rival) for rival in rival_specs or model.rivals]
    page_rows = read_table(files.pages, schemas.PAGES, ["batch", "record", "verdict"])
    default = THRESHOLD if similarity else model.threshold
    lowest = default if threshold is None else threshold
    table = filter_documents(page_rows, files.boilerplate, model, rivals, lowest, level, min_words, method)
    write_table(table, schemas.LANGUAGE, files.language)
