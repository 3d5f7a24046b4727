"""Stage `language`: keep the documents that are in the corpus language (Pomikálek 2011, 3.6); make languages."""

from collections.abc import Sequence
from itertools import compress
from pathlib import Path
from typing import NamedTuple

import click
import polars as pl

from corpusprep import languages, schemas
from corpusprep.columns import Columns
from corpusprep.languages import LanguageModel
from corpusprep.languages.samples import read_page, read_text
from corpusprep.progress import track
from corpusprep.statistics import tsv
from corpusprep.trigrams import TrigramScorer
from corpusprep.verdicts import KEPT

_PATH = click.Path(path_type=Path)
LEVELS = ("document", "block")
#: A block with fewer characters is not judged by itself. Of single sentences of this length and more in twelve
#: languages, 1.0 % would be left out of their own language's corpus, and 99.94 % of the other languages' are.
BLOCK_CHARACTERS = 100
#: Stop words that `show` prints.
_SHOWN = 20
#: Files of a sample that the model's origin names.
_NAMED = 5


def filter_documents(
    pages: pl.DataFrame,
    blocks: pl.DataFrame | pl.LazyFrame,
    model: LanguageModel,
    rivals: Sequence[LanguageModel],
    threshold: float,
    level: str = "document",
) -> pl.DataFrame:
    """Scores the good text of each document against the language and its rivals.

    Args:
        pages: schemas.PAGES; those kept are the documents.
        blocks: of schemas.BOILERPLATE the columns batch, record, block, label and text;
            the text of boilerplate is not loaded if they come lazily.
        model: the corpus language.
        rivals: the languages that a document must not score higher for.
        threshold: the lowest score that is kept, 0 to 1.
        level: one of LEVELS. `block`: good blocks of BLOCK_CHARACTERS and more that do not pass by themselves are
            left out, and what is left is the document; a document of which nothing is left is judged as a whole.

    Returns:
        schemas.LANGUAGE, a row a document, in the order of the pages. Without rivals, the columns about
        them are null.
    """
    good = (
        blocks.lazy()
        .filter(pl.col("label") == "good")
        .sort("batch", "record", "block")
        .group_by("batch", "record", maintain_order=True)
        .agg("block", "text")
        .collect(engine="streaming")
    )
    documents = pages.filter(pl.col("verdict") == KEPT).select("batch", "record")
    documents = documents.join(good, on=["batch", "record"], how="left", maintain_order="left")
    judge = _Judge(model, rivals, threshold)
    columns = Columns(schemas.LANGUAGE)
    for batch, record, numbers, texts in track(documents.iter_rows(), "language: documents", len(documents)):
        numbers, texts = numbers or [], texts or []
        foreign = [level == "block" and judge.is_foreign(text) for text in texts]
        if all(foreign):
            foreign = [False] * len(texts)
        judged = judge("\n".join(text for text, out in zip(texts, foreign, strict=True) if not out))
        left_out = list(compress(numbers, foreign)) if judged.verdict == KEPT else []
        columns.append(batch, record, judged.score, judged.rival, judged.rival_score, left_out, judged.verdict)
    return columns.frame()


class _Judged(NamedTuple):
    score: float
    rival: str | None
    rival_score: float | None
    verdict: str


class _Judge:
    """Says whether a text is in the corpus language."""

    def __init__(self, model: LanguageModel, rivals: Sequence[LanguageModel], threshold: float) -> None:
        self._rivals, self._threshold = rivals, threshold
        self._scorer = TrigramScorer([model, *rivals])

    def __call__(self, text: str) -> _Judged:
        score, *others = self._scorer.scores(text)
        # The first of equals: rivals stand in a fixed order.
        rival_score = max(others, default=None)
        rival = None if rival_score is None else self._rivals[others.index(rival_score)].code
        if score < self._threshold:
            verdict = "language_score"
        elif rival_score is not None and rival_score > score:
            verdict = "rival_language"
        else:
            verdict = KEPT
        return _Judged(score, rival, rival_score, verdict)

    def is_foreign(self, text: str) -> bool:
        """Whether a block is long enough to be judged by itself, and does not pass."""
        return len(text) >= BLOCK_CHARACTERS and self(text).verdict != KEPT


@click.group("language", invoke_without_command=True)
@click.option("--boilerplate", type=_PATH, help="Table of the blocks, from the stage boilerplate.")
@click.option("--pages", type=_PATH, help="Table of the pages, from the stage boilerplate.")
@click.option("--model", "spec", help="The corpus language: a .model file, or a built-in language's code.")
@click.option(
    "--rival",
    "rival_specs",
    multiple=True,
    help="Language a document must not score higher for; repeatable. Default: those that the model names.",
)
@click.option("--no-rivals", is_flag=True, help="The threshold alone decides.")
@click.option("--threshold", type=click.FloatRange(0, 1), help="Lowest score kept. Default: the model's.")
@click.option(
    "--level",
    type=click.Choice(LEVELS),
    default=LEVELS[0],
    show_default=True,
    help="Filter whole documents, or first their blocks, and documents by what is left.",
)
@click.option("--output", type=_PATH, help="Where the table goes (Parquet).")
@click.pass_context
def command(
    ctx: click.Context,
    boilerplate: Path | None,
    pages: Path | None,
    spec: str | None,
    rival_specs: tuple[str, ...],
    no_rivals: bool,
    threshold: float | None,
    level: str,
    output: Path | None,
) -> None:
    """Keep the documents of a batch that are in the corpus language; or make, list and show languages.

    A document's good text is scored by its character trigrams, 0 to 1, against the corpus language and
    its rivals. It is kept if the score reaches the threshold and no rival scores higher. With the level
    `block`, its longer blocks are judged by themselves first, and left out where they do not pass.
    """
    if ctx.invoked_subcommand is not None:
        return
    if boilerplate is None or pages is None or spec is None or output is None:
        given = {"--boilerplate": boilerplate, "--pages": pages, "--model": spec, "--output": output}
        missing = next(option for option, value in given.items() if value is None)
        raise click.UsageError(f"Missing option '{missing}', or one of the commands make, list, show.", ctx)
    model = languages.get(spec)
    rivals = [] if no_rivals else [languages.get(rival) for rival in rival_specs or model.rivals]
    page_rows = schemas.read(pages, schemas.PAGES, ["batch", "record", "verdict"])
    with schemas.reading(boilerplate):
        table = filter_documents(
            page_rows,
            pl.scan_parquet(boilerplate).select("batch", "record", "block", "label", "text"),
            model,
            rivals,
            model.threshold if threshold is None else threshold,
            level,
        )
    schemas.write(table, schemas.LANGUAGE, output)


@command.command("make")
@click.argument("code")
@click.option("--text", "texts", multiple=True, type=_PATH, help="Sample of the language; repeatable.")
@click.option("--html", "pages", multiple=True, type=_PATH, help="A Web page in the language; repeatable.")
@click.option(
    "--sample-encoding",
    help="Encoding of the samples. Default: utf-8 for text; for a page what it declares, or utf-8.",
)
@click.option("--name", help="Name of the language. Default: the built-in one, or the code.")
@click.option("--encoding", "encodings", multiple=True, help="In use on its Web beside utf-8; repeatable.")
@click.option("--rival", "rivals", multiple=True, help="Code of a close built-in language; repeatable.")
@click.option("--threshold", type=click.FloatRange(0, 1), help="Lowest score of a text in the language.")
@click.option(
    "--coverage",
    type=click.FloatRange(0, 1),
    default=languages.STOP_LIST_COVERAGE,
    show_default=True,
    help="Share of the running words that the stop list covers.",
)
@click.option("--output", required=True, type=_PATH, help="Where the model goes (a .model file).")
def make(
    code: str,
    texts: tuple[Path, ...],
    pages: tuple[Path, ...],
    sample_encoding: str | None,
    name: str | None,
    encodings: tuple[str, ...],
    rivals: tuple[str, ...],
    threshold: float | None,
    coverage: float,
    output: Path,
) -> None:
    """Make the model of the language CODE: stop list, trigrams, encodings, threshold and rivals.

    A built-in language needs no sample: its words and their frequencies come with `wordfreq`. What is not
    given is found on the sample, which should be in one language; of pages, the running text is taken.
    """
    sample = [read_text(path, sample_encoding) for path in texts]
    sample += [read_page(path, sample_encoding) for path in pages]
    kinds = (("text", texts), ("html", pages))
    model = languages.make(
        code,
        sample or None,
        name=name,
        origin="; ".join(f"{kind}: {_names(paths)}" for kind, paths in kinds if paths),
        encodings=encodings or None,
        rivals=rivals or None,
        threshold=threshold,
        coverage=coverage,
    )
    languages.save(model, output)


def _names(paths: Sequence[Path]) -> str:
    names = [path.name for path in paths]
    return ", ".join(names if len(names) <= _NAMED else [*names[:_NAMED], f"{len(names) - _NAMED} more"])


@command.command("list")
def list_known() -> None:
    """List the built-in languages: code, other codes, name, encodings beside utf-8."""
    for code in languages.known():
        described = languages.describe_built_in(code)
        codes = " ".join((code, *described.aliases))
        click.echo(f"{codes:<14} {described.name:<18} {' '.join(described.encodings)}")


@command.command("show")
@click.argument("language")
def show(language: str) -> None:
    """Show a language, given by its code or as a .model file: what it was made from, and its parts."""
    model = languages.get(language)
    trigrams = ", ".join(f"{len(spelling.keys):,}" for spelling in model.trigrams)
    lines = {
        "language": f"{model.code} ({model.name})",
        "origin": model.origin,
        "version": str(model.version),
        "stop list": f"{len(model.stop_list):,} words: {' '.join(model.stop_list[:_SHOWN])} …",
        "words": f"{model.characters_per_word} characters each, written without spaces"
        if model.characters_per_word
        else "separated by spaces",
        "trigrams": trigrams + (" (in each of its spellings)" if len(model.trigrams) > 1 else ""),
        "threshold": str(model.threshold),
        "rivals": " ".join(model.rivals) or "none",
        "encodings": " ".join(model.encodings.names),
        "byte trigrams": f"{len(model.encodings.keys):,}",
        "abbreviations": f"{len(model.abbreviations):,}",
        "clitics": " ".join(model.clitics) or "none",
    }
    for key, value in lines.items():
        click.echo(f"{key + ':':<15}{value}")


@command.command("table")
@click.argument("name", type=click.Choice(("stop_lists", "identification", "encodings", "charsets")))
@click.option("--data", required=True, type=_PATH, help="Folder of the evaluation data (archives, .tar.xz).")
@click.option("--output", required=True, type=_PATH, help="Where the table goes (TSV).")
def table(name: str, data: Path, output: Path) -> None:
    """Measure the language kit on evaluation data: one of its tables.

    stop_lists: F1 of boilerplate removal by the stop list's coverage, scripts without spaces among them;
    identification: languages, and the corpus filter; encodings: PRESEMT's table 1 on made pages; charsets: labelled
    files. Other tools (the extra `bench`) have their rows where they are installed.
    """
    from corpusprep.language_tables import TABLES  # other stages do without

    columns, rows = TABLES[name]
    tsv.write(output, columns, rows(data))
