"""`corpusprep studies experiments`: repeats the measurements of chapter 3 of Pomikálek 2011 on a corpus."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from corpusprep.commands import options
from corpusprep.commands.group import Group
from corpusprep.commands.new_path import NewPath

F = TypeVar("F", bound=Callable[..., Any])
_FILE = click.Path(path_type=Path)

_memory = options.setting("memory")
_model = options.model


def _output(what: str) -> Callable[[F], F]:
    return click.option("--output", required=True, type=NewPath(), help=what)


@click.group("experiments", cls=Group)
def command() -> None:
    """Measure duplicate n-grams and de-duplication methods (thesis, chapter 3)."""


@command.command("tokens")
@click.option("--vertical", required=True, type=_FILE, help="A batch's vertical (tokens/<batch>.vert.zst).")
@click.option("--documents", required=True, type=_FILE, help="The batch's table of `documents`.")
@_output("The batch's table of tokens (experiments/tokens/<batch>.parquet).")
def tokens(vertical: Path, documents: Path, output: Path) -> None:
    """Write the table of a batch's tokens, which the experiments read."""
    from studies.pomikalek_2011.chapter_3.corpus import write_tokens

    write_tokens(vertical, documents, output)


@command.command("spex")
@options.corpus
@_memory
@_output("The table of iterations.")
def spex(corpus: Path, memory: int, output: Path) -> None:
    """Find the duplicate 10-grams of all tokens by SPEX, and check that the suffix sort found the same."""
    from studies.pomikalek_2011.chapter_3 import spex as algorithm

    algorithm.write(corpus, memory, output)


@command.command("words")
@options.corpus
@_output("The table of words.")
def words(corpus: Path, output: Path) -> None:
    """Count the words and expressions of table 1.1 in the corpus."""
    from studies.pomikalek_2011.chapter_3 import rare_words

    rare_words.write(corpus, output)


@command.command("lengths")
@options.corpus
@_model
@_memory
@_output("The table of n-grams that recur.")
def lengths(corpus: Path, model: str, memory: int, output: Path) -> None:
    """Count the n-grams that recur within one domain and across domains, for n of 3 to 12."""
    from studies.pomikalek_2011.chapter_3 import lengths as counting

    counting.write(corpus, model, memory, output)


@command.command("grid")
@options.corpus
@_model
@click.option("--n", required=True, type=click.IntRange(1), help="Words in an n-gram.")
@options.setting("ngrams.exclude_punctuation")
@options.setting("ngrams.exclude_stopwords")
@click.option(
    "--threshold",
    "thresholds",
    multiple=True,
    default=(0.5, 0.25, 0.1),
    type=click.FloatRange(0, 1, min_open=True),
    help="Share from which a block is a duplicate; can be given several times.",
)
@click.option("--ngrams", type=_FILE, help="File of keys that must hold the same duplicate n-grams.")
@click.option("--after", type=_FILE, help="Counts of the duplicate 10-grams in the workflow’s corpus.")
@click.option("--after-threshold", type=float, help="Threshold at which the run must leave the same as --after.")
@_memory
@_output("The table, with one row per threshold.")
def grid(
    corpus: Path,
    model: str,
    n: int,
    exclude_punctuation: bool,
    exclude_stopwords: bool,
    thresholds: tuple[float, ...],
    ngrams: Path | None,
    after: Path | None,
    after_threshold: float | None,
    memory: int,
    output: Path,
) -> None:
    """De-duplicate the corpus with n-grams of one kind at several thresholds, and count what is left."""
    from studies.pomikalek_2011.chapter_3 import grid as runs

    runs.write(
        corpus,
        output,
        n=n,
        count_punctuation=not exclude_punctuation,
        stop_words_of=model if exclude_stopwords else None,
        thresholds=thresholds,
        memory=memory,
        expected=ngrams,
        result=None if after is None or after_threshold is None else (after_threshold, after),
    )


@command.command("resemblance")
@options.corpus
@_memory
@_output("The table of pairs above each resemblance, before and after block de-duplication.")
@click.option(
    "--clusters", required=True, type=NewPath(), help="Table of what is left without near-identical documents."
)
def resemblance(corpus: Path, memory: int, output: Path, clusters: Path) -> None:
    """Compute the exact resemblance of all pairs of documents that share a 10-gram."""
    from studies.pomikalek_2011.chapter_3 import resembling

    resembling.write(corpus, memory, output, clusters)


@command.command("set-memory")
@click.option("--most", default=100_000_000, type=click.IntRange(1), help="N-grams of the largest set.")
@_output("The table of bytes per stored n-gram.")
def set_memory(most: int, output: Path) -> None:
    """Measure the memory of a set of n-grams: bitmap, sorted keys, Judy1 (if libJudy is installed)."""
    from studies.pomikalek_2011.chapter_3 import set_memory as memory_of

    memory_of.write(most, output)


@command.command("judgements")
@options.folder("--data", "Folder of neardup-dev.tar.xz and clough-stevenson.tar.xz; an absent set is skipped.")
@_output("Folder for the tables.")
def judgements(data: Path, output: Path) -> None:
    """Measure every comparator against human judgements.

    Writes judgements.tsv (precision, recall and F1 at every threshold) and judgements_best.tsv (at the best threshold).
    """
    from studies.pomikalek_2011.chapter_3 import judgements as measures
    from studies.pomikalek_2011.chapter_3.comparators.registry import comparators

    measures.write(data, comparators(), output)


@command.command("acceptance")
@click.option("--trials", default=1000, type=click.IntRange(1), help="Simulated pairs of each resemblance.")
@_output("Folder for the tables.")
def acceptance(trials: int, output: Path) -> None:
    """Compute and simulate the probability that documents are accepted as duplicates.

    Writes figure_3_1.tsv and figure_3_2.tsv (sketches and super-shingles, by resemblance) and figure_3_3.tsv
    (lists, by words that differ).
    """
    from studies.pomikalek_2011.chapter_3 import acceptance as curves

    curves.write(trials, output)


@command.command("comparators")
@options.corpus
@_memory
@_output("The table: tokens and duplicate 10-grams left, memory and time.")
def comparators(corpus: Path, memory: int, output: Path) -> None:
    """Measure how much of a corpus each comparator keeps, beside block de-duplication."""
    from studies.pomikalek_2011.chapter_3 import leftovers

    leftovers.write(corpus, memory, output)


@command.command("tables")
@options.corpus
@click.option("--name", required=True, help="The corpus's name.")
@click.option("--common", required=True, type=_FILE, help="Folder that set-memory and acceptance wrote to.")
@click.option("--judgements", type=_FILE, help="judgements_best.tsv, if the data is available.")
@click.option("--output", required=True, type=NewPath(), help="Folder for table_*.tsv, figure_*.tsv and report.html.")
def tables(corpus: Path, name: str, common: Path, judgements: Path | None, output: Path) -> None:
    """Write the tables of chapter 3, ours beside the published, and one page with tables and figures."""
    from studies.pomikalek_2011.chapter_3 import report

    report.write(corpus, name, common, judgements, output)
