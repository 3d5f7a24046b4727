"""Stage `language`: keep the documents that are in the corpus language (Pomikálek 2011, 3.6); make languages."""

from collections.abc import Sequence
from itertools import compress
from pathlib import Path
from typing import NamedTuple

import click
import polars as pl

from corpusprep import languages
from corpusprep.commands.lazy import LazyGroup
from corpusprep.io.progress import track
from corpusprep.languages import LanguageModel
from corpusprep.languages.rivals import RivalScorer
from corpusprep.tables import schemas
from corpusprep.tables.columns import Columns
from corpusprep.tables.good_texts import good_texts
from corpusprep.tables.verdicts import KEPT

_PATH = click.Path(path_type=Path)
LEVELS = ("document", "block")
#: A block with fewer characters is not judged by itself. Of single sentences of this length and more in twelve
#: languages, 1.0 % would be left out of their own language's corpus, and 99.94 % of the other languages' are.
BLOCK_CHARACTERS = 100


def filter_documents(
    pages: pl.DataFrame,
    boilerplate: Path,
    model: LanguageModel,
    rivals: Sequence[LanguageModel],
    threshold: float,
    level: str = "document",
) -> pl.DataFrame:
    """Scores the good text of each document against the language and its rivals, some documents in memory at a time.

    Args:
        pages: of a batch's table of pages the columns batch, record and verdict, in record order; those kept are
            the documents.
        boilerplate: its table of blocks.
        model: the corpus language.
        rivals: the languages that a document must not score higher for.
        threshold: the lowest score that is kept, 0 to 1.
        level: one of LEVELS. `block`: good blocks of BLOCK_CHARACTERS and more that do not pass by themselves are
            left out, and what is left is the document; a document of which nothing is left is judged as a whole.

    Returns:
        schemas.LANGUAGE, a row a document, in the order of the pages. Without rivals, the columns about
        them are null.

    Raises:
        StageFileError: the table of blocks cannot be read, or its rows are out of order.
    """
    nothing = pl.lit([], dtype=pl.List(pl.UInt32))
    documents = pages.filter(pl.col("verdict") == KEPT).select("batch", "record", left_out=nothing)
    judge = Judge(model, rivals, threshold)
    columns = Columns(schemas.LANGUAGE)
    rows = zip(documents["batch"], good_texts(boilerplate, documents), strict=True)
    for batch, found in track(rows, "language: documents", len(documents)):
        texts = found.texts
        foreign = [level == "block" and judge.is_foreign(text) for text in texts]
        if all(foreign):
            foreign = [False] * len(texts)
        judged = judge("\n".join(text for text, out in zip(texts, foreign, strict=True) if not out))
        left_out = list(compress(found.blocks, foreign)) if judged.verdict == KEPT else []
        columns.append(batch, found.record, judged.score, judged.rival, judged.rival_score, left_out, judged.verdict)
    return columns.frame()


class Judged(NamedTuple):
    """A text's score, its best rival's, and whether it is kept."""

    score: float
    rival: str | None
    rival_score: float | None
    verdict: str


class Judge:
    """Says whether a text is in the corpus language."""

    def __init__(self, model: LanguageModel, rivals: Sequence[LanguageModel], threshold: float) -> None:
        """Makes a judge; arguments as for `filter_documents`."""
        self._rivals, self._threshold = rivals, threshold
        self._scorer = RivalScorer(model, rivals)

    def __call__(self, text: str) -> Judged:
        """Scores the text."""
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
        return Judged(score, rival, rival_score, verdict)

    def is_foreign(self, text: str) -> bool:
        """Whether a block is long enough to be judged by itself, and does not pass."""
        return len(text) >= BLOCK_CHARACTERS and self(text).verdict != KEPT


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
    lowest = model.threshold if threshold is None else threshold
    table = filter_documents(page_rows, boilerplate, model, rivals, lowest, level)
    schemas.write(table, schemas.LANGUAGE, output)
