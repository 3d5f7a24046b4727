"""`corpusprep experiments`: the measurements of chapter 3 of Pomikálek 2011 on a corpus, beside the published ones."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from corpusprep.archive.batches import batch_names
from corpusprep.io import memory as limits
from corpusprep.io.files import replacing
from corpusprep.io.progress import track

F = TypeVar("F", bound=Callable[..., Any])
_FILE = click.Path(path_type=Path)

_corpus_dir = click.option(
    "--corpus-dir", required=True, type=_FILE, help="The folder of the corpus's stage files, with experiments/tokens."
)
_memory = click.option(
    "--memory", default="2G", type=limits.size, help="What the process may use: bytes, or with a unit (500M, 2G)."
)
_model = click.option(
    "--model", required=True, help="The corpus language: a .model file or a built-in language's code."
)


def _output(what: str) -> Callable[[F], F]:
    return click.option("--output", required=True, type=_FILE, help=what)


@click.group("experiments")
def command() -> None:
    """Measure duplicate n-grams and what they catch (thesis, chapter 3)."""


@command.command("tokens")
@click.option("--vertical", required=True, type=_FILE, help="A batch's vertical (tokens/<batch>.vert.zst).")
@click.option("--documents", required=True, type=_FILE, help="Its table of `documents`.")
@_output("Where the batch's table of tokens goes (experiments/tokens/<batch>.parquet).")
def tokens(vertical: Path, documents: Path, output: Path) -> None:
    """Write a batch's tokens as the experiments read them."""
    from corpusprep.research.experiments.corpus import write_tokens

    write_tokens(vertical, documents, output)


@command.command("spex")
@_corpus_dir
@_memory
@_output("The table of iterations.")
def spex(corpus_dir: Path, memory: int, output: Path) -> None:
    """Find duplicate 10-grams of all tokens by SPEX, which must be those of the suffix sort."""
    from corpusprep.research.experiments import measured
    from corpusprep.research.experiments import spex as algorithm
    from corpusprep.research.experiments.grid import same_duplicates

    documents = _read(corpus_dir, memory).documents
    counts = []
    for found in track(algorithm.iterations(documents, 10), "experiments spex: iterations", 10):
        counts.append(found.counts)
    same_duplicates(*algorithm.keys(documents, found), corpus_dir / "ngrams" / "before" / "duplicates.keys", "SPEX")
    measured.write(output, algorithm.Counts, counts)


@command.command("lengths")
@_corpus_dir
@_model
@_memory
@_output("The table of n-grams that recur.")
def lengths(corpus_dir: Path, model: str, memory: int, output: Path) -> None:
    """Count the n-grams that recur within one domain and across domains, for n of 3 to 12."""
    from corpusprep import languages
    from corpusprep.research.experiments import lengths as counting
    from corpusprep.research.experiments import measured
    from corpusprep.research.experiments.corpus import selected

    stop_words = sorted(languages.get(model).stop_words)  # before: a model that is made takes memory
    corpus = _read(corpus_dir, memory)
    rows: list[counting.Recurring] = []
    kinds = ((True, ()), (False, ()), (False, stop_words))
    for name, (punctuation, left_out) in track(zip(counting.KINDS, kinds, strict=True), "experiments lengths", 3):
        chosen = selected(corpus.documents, punctuation=punctuation, stop_words=left_out)
        rows += counting.recurring(corpus, chosen, name)
    measured.write(output, counting.Recurring, rows)


@command.command("grid")
@_corpus_dir
@_model
@click.option("--n", required=True, type=click.IntRange(1), help="Words in an n-gram.")
@click.option("--exclude-punctuation/--count-punctuation", default=True, help="As for `ngrams`.")
@click.option("--exclude-stopwords/--count-stopwords", default=True, help="As for `ngrams`.")
@click.option(
    "--threshold",
    "thresholds",
    multiple=True,
    default=(0.5, 0.25, 0.1),
    type=click.FloatRange(0, 1, min_open=True),
    help="Share from which a block is a duplicate; may be given several times.",
)
@click.option("--ngrams", type=_FILE, help="A file of keys that must hold the same duplicate n-grams.")
@click.option("--after", type=_FILE, help="The keys of the duplicate 10-grams that the workflow’s corpus has.")
@click.option("--after-threshold", type=float, help="The threshold of the run that must leave the same as --after.")
@_memory
@_output("The table: one row per threshold.")
def grid(
    corpus_dir: Path,
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
    """De-duplicate the corpus with n-grams of one kind at several thresholds, and see what is left."""
    from corpusprep import languages
    from corpusprep.research.experiments import grid as runs
    from corpusprep.research.experiments import measured

    stop_words = sorted(languages.get(model).stop_words) if exclude_stopwords else None
    rows = runs.deduplicate(
        _read(corpus_dir, memory),
        corpus_dir,
        batch_names(corpus_dir / "batches.tsv"),
        n=n,
        count_punctuation=not exclude_punctuation,
        stop_words=stop_words,
        thresholds=thresholds,
        memory=memory,
        scratch=output.parent,
        expected=ngrams,
        result=None if after is None or after_threshold is None else (after_threshold, after),
    )
    measured.write(output, runs.Left, rows)


@command.command("resemblance")
@_corpus_dir
@_memory
@_output("The table of pairs above each resemblance, before and after block de-duplication.")
@click.option("--clusters", required=True, type=_FILE, help="What is left without near-identical documents.")
def resemblance(corpus_dir: Path, memory: int, output: Path, clusters: Path) -> None:
    """Compute the exact resemblance of all pairs of documents that share a 10-gram."""
    from corpusprep.research.experiments import measured, resembling

    corpus = _read(corpus_dir, memory)
    kept = _kept_tokens(corpus, corpus_dir)
    rows = [*track(resembling.curves(corpus, kept), "experiments resemblance: steps")]
    measured.write(clusters, resembling.Remaining, [resembling.without_near_identical(corpus)])
    measured.write(output, resembling.Above, rows)


@command.command("set-memory")
@click.option("--most", default=100_000_000, type=click.IntRange(1), help="N-grams of the largest set.")
@_output("The table of bytes a stored n-gram.")
def set_memory(most: int, output: Path) -> None:
    """Measure the memory of a set of n-grams: bitmap, sorted keys, Judy1 (where libJudy is installed)."""
    from corpusprep.research.experiments import measured
    from corpusprep.research.experiments import set_memory as memory_of

    measured.write(output, memory_of.Stored, track(memory_of.measure(most), "experiments set-memory: sizes"))


@command.command("judgements")
@click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    help="Folder of neardup-dev.tar.xz and clough-stevenson.tar.xz; one that is absent is left out.",
)
@_output("Folder to write the tables to.")
def judgements(data: Path, output: Path) -> None:
    """Measure every comparator against human judgements.

    Writes judgements.tsv (precision, recall and F1 at every threshold) and judgements_best.tsv (at the best).
    """
    from corpusprep.research.experiments import judgements as measures
    from corpusprep.research.experiments.comparators.registry import comparators

    measures.write(data, comparators(), output)


@command.command("acceptance")
@click.option("--trials", default=1000, type=click.IntRange(1), help="Simulated pairs of each resemblance.")
@_output("Folder to write the tables to.")
def acceptance(trials: int, output: Path) -> None:
    """Compute and simulate how likely documents are accepted as duplicates.

    Writes figure_3_1.tsv and figure_3_2.tsv (sketches and super-shingles, by resemblance) and figure_3_3.tsv
    (lists, by words that differ).
    """
    from corpusprep.io import tsv
    from corpusprep.research.experiments import acceptance as curves

    columns = ("scheme", "k", "s", "r", "resemblance", "probability", "simulated")
    for figure, schemes in (("figure_3_1", curves.FIGURE_3_1), ("figure_3_2", curves.FIGURE_3_2)):
        rows = [
            (scheme.name, *scheme, f"{resemblance:.2f}", f"{probability:.4f}", f"{simulated:.4f}")
            for scheme, resemblance, probability, simulated in curves.curves(schemes, trials)
        ]
        tsv.write(output / f"{figure}.tsv", columns, rows)
    lists = [
        (number, taken, differing, f"{curves.lists_probability(differing, number, taken):.4f}")
        for number, taken in curves.FIGURE_3_3
        for differing in range(101)
    ]
    tsv.write(
        output / "figure_3_3.tsv",
        ("n", "p", "k", "probability"),
        [(number, f"{taken:g}", differing, probability) for number, taken, differing, probability in lists],
    )


@command.command("comparators")
@_corpus_dir
@_memory
@_output("The table: tokens and duplicate 10-grams left, memory and time.")
def comparators(corpus_dir: Path, memory: int, output: Path) -> None:
    """Measure how much of a corpus each comparator keeps, beside block de-duplication."""
    from corpusprep.research.experiments import leftovers

    corpus = _read(corpus_dir, memory)
    leftovers.write(corpus_dir, corpus, _kept_tokens(corpus, corpus_dir), output)


@command.command("tables")
@_corpus_dir
@click.option("--name", required=True, help="The corpus's name.")
@click.option(
    "--common", required=True, type=_FILE, help="Folder of what set-memory and acceptance measured: set_memory.tsv …"
)
@click.option("--judgements", type=_FILE, help="judgements_best.tsv, if there is such data.")
@click.option(
    "--output", required=True, type=_FILE, help="Folder to write table_*.tsv, figure_*.tsv and report.html to."
)
def tables(corpus_dir: Path, name: str, common: Path, judgements: Path | None, output: Path) -> None:
    """Write the tables of chapter 3, ours beside the published, and one page with tables and figures."""
    from corpusprep.report import comparison
    from corpusprep.research.experiments import page
    from corpusprep.research.experiments.tables import Results
    from corpusprep.research.experiments.tables import tables as made

    results = Results.read(corpus_dir, common, judgements)
    whole = made(results)
    for table in whole:
        comparison.write(output / f"table_{table.name.replace('.', '_').replace(' ', '_')}.tsv", table)
    results.write_figures(output)
    text = page.render(results, whole, name)
    with replacing(output / "report.html") as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")


def _read(corpus_dir: Path, memory: int) -> Any:
    from corpusprep.research.experiments.corpus import Corpus

    return Corpus.read(corpus_dir / "experiments" / "tokens", batch_names(corpus_dir / "batches.tsv"), memory)


def _kept_tokens(corpus: Any, corpus_dir: Path) -> Any:
    """The tokens that the corpus's own block de-duplication keeps."""
    from corpusprep.tables import schemas

    batches = batch_names(corpus_dir / "batches.tsv")
    return corpus.kept_tokens(
        {batch: schemas.read(corpus_dir / "blocks" / f"{batch}.parquet", schemas.BLOCKS) for batch in batches}
    )
