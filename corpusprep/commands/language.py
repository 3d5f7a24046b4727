"""`corpusprep step language`: keep the documents in the corpus language."""

from pathlib import Path

import click

from corpusprep import languages
from corpusprep.commands import options
from corpusprep.languages.filtering import filter_documents
from corpusprep.languages.identifiers import IDENTIFIERS, METHODS, default_threshold
from corpusprep.languages.judges import judge_of
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
@options.settings("language", without=("rivals", "code", "method", "learn_pages"))
@options.setting("language.method", kind=IDENTIFIERS)
@options.code
@click.option("--tag", default="", help="The corpus language by BCP 47: where it says more than the model.")
@options.setting("blocks.against")
def command(
    corpus_dir: Path,
    batch: str,
    model: str,
    rival_specs: tuple[str, ...],
    no_rivals: bool,
    threshold: float | None,
    margin: float | None,
    level: str,
    min_words: int,
    method: str,
    code: Path,
    tag: str,
    against: tuple[str, ...],
) -> None:
    """Keep the documents of a batch that are in the corpus language.

    A document's good text is scored by its character trigrams, 0 to 1, against the corpus language and
    its rivals. It is kept if the score reaches the threshold and no rival scores higher. With the level
    `block`, its longer blocks are judged by themselves first, and left out where they do not pass.

    `trigram-similarity` is the method of the thesis: the cosine of trigram frequencies, kept from 0.6
    on, without rivals. Identifiers that name languages (`heliport`, models of fastText) need no rivals.

    A corpus of any language (the model `any`) keeps all documents; the rivals are the languages that
    they may be in, and the column `lang` names theirs. Rivals may be a folder of models.

    With --against, text of other corpora is left out; `against` has gathered it.
    """
    files = BatchFiles.of(corpus_dir, batch)
    known = languages.get(model)
    compared = () if no_rivals or method == METHODS[1] else rival_specs or known.rivals
    rivals = [languages.get(rival) for spec in compared for rival in _models(spec)]
    page_rows = read_table(files.pages, schemas.PAGES, ["batch", "record", "verdict"])
    lowest = default_threshold(method, known, code) if threshold is None else threshold
    judge = judge_of(known, rivals, lowest, method, code, tag, margin)
    table = filter_documents(page_rows, files.boilerplate, judge, known.code, level, min_words)
    if against:
        from corpusprep.dedup.known_text import KnownText, without_known  # with NumPy, which other corpora do without

        known_text = KnownText.open(corpus_file(corpus_dir, "known"), corpus_file(corpus_dir, "known_settings"))
        table = without_known(table, files.boilerplate, known_text)
    write_table(table, schemas.LANGUAGE, files.language)


def _models(spec: str) -> list[str]:
    """Returns a language, or the models of a folder."""
    return sorted(map(str, Path(spec).glob("*.model"))) if Path(spec).is_dir() else [spec]
