"""`corpusprep experiments`: the comparators of chapter 3, measured."""

from pathlib import Path

import click

_OUTPUT = click.option(
    "--output", type=click.Path(path_type=Path, file_okay=False), required=True, help="Folder to write the tables to."
)


@click.group("experiments")
def command() -> None:
    """Compare methods of finding duplicates (thesis, chapter 3)."""


@command.command("judgements")
@click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    help="Folder of neardup-dev.tar.xz and clough-stevenson.tar.xz; one that is absent is left out.",
)
@_OUTPUT
def judgements(data: Path, output: Path) -> None:
    """Measure every comparator against human judgements.

    Writes judgements.tsv (precision, recall and F1 at every threshold) and judgements_best.tsv (at the best).
    """
    from corpusprep.experiments import judgements as measures
    from corpusprep.experiments.comparators.registry import comparators

    measures.write(data, comparators(), output)


@command.command("acceptance")
@click.option("--trials", default=1000, type=click.IntRange(1), help="Simulated pairs of each resemblance.")
@_OUTPUT
def acceptance(trials: int, output: Path) -> None:
    """Compute and simulate how likely documents are accepted as duplicates.

    Writes figure_3_1.tsv and figure_3_2.tsv (sketches and super-shingles, by resemblance) and figure_3_3.tsv
    (lists, by words that differ).
    """
    from corpusprep.experiments import acceptance as curves
    from corpusprep.statistics import tsv

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
@click.option(
    "--corpus-dir",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    help="Folder of a corpus that the workflow has made (it holds batches.tsv).",
)
@_OUTPUT
def comparators(corpus_dir: Path, output: Path) -> None:
    """Measure what every comparator leaves of a corpus, next to block de-duplication.

    Writes comparators.tsv: tokens and duplicate 10-grams left, memory and time; and figure_3_6.tsv: how many pairs
    of documents have a resemblance greater than each threshold.
    """
    from corpusprep.experiments import leftovers

    leftovers.write(corpus_dir, output)
