"""`corpusprep step language`: keep the documents in the corpus language."""

from pathlib import Path

import click

from corpusprep import languages
from corpusprep.commands import options
from corpusprep.languages.filtering import filter_documents
from corpusprep.languages.identifiers import IDENTIFIERS, METHODS, default_threshold
from corpusprep.tables import schemas
from corpusprep.tables.batch_files import BatchFiles, corpus_file
from corpusprep.tables.reading import read_table
from corpusprep.tables.writing import write_table


@click.command("language")
@options.new_corpus
@options.batch
@options.model
@click.option(
    "--rival",
    "rival_specs",
    multiple=True,
    help="Language that a document must not score higher for. Repeatable. Default: those that the model names.",
)
@click.option("--no-rivals", is_flag=True, help="Only the threshold decides.")
@options.settings("language", without=("rivals", "code", "method"))
@options.setting("language.method", kind=IDENTIFIERS)
@options.code
@options.setting("blocks.against")
def command(
    corpus_dir: Path,
    batch: str,
    model: str,
    rival_specs: tuple[str, ...],
    no_rivals: bool,
    threshold: float | None,
    level: str,
    min_words: int,
    method: str,
    code: Path,
    against: tuple[str, ...],
) -> None:
    """Keep the documents of a batch that are in the corpus language.

    A document's good text is scored by its character trigrams, 0 to 1, against the corpus language and
    its rivals. It is kept if the score reaches the threshold and no rival scores higher. With the level
    `block`, its longer blocks are judged by themselves first, and left out where they do not pass.

    `trigram-similarity` is the method of the thesis: the cosine of trigram frequencies, kept from 0.6
    on, without rivals.

    With --against, text of other corpora is left out; `against` has gathered it.
    """
    files = BatchFiles.of(corpus_dir, batch)
    known = languages.get(model)
    similarity = method == METHODS[1]
    rivals = [] if no_rivals or similarity else [languages.get(rival) for rival in rival_specs or known.rivals]
    page_rows = read_table(files.pages, schemas.PAGES, ["batch", "record", "verdict"])
    lowest = default_threshold(method, known, code) if threshold is None else threshold
    table = filter_documents(page_rows, files.boilerplate, known, rivals, lowest, level, min_words, method, code)
    if against:
        from corpusprep.dedup.known_text import KnownText, without_known  # with NumPy, which other corpora do without

        known_text = KnownText.open(corpus_file(corpus_dir, "known"), corpus_file(corpus_dir, "known_settings"))
        table = without_known(table, files.boilerplate, known_text)
    write_table(table, schemas.LANGUAGE, files.language)
