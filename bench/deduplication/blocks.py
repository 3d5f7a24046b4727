"""Runs the three steps of `blocks` on a corpus, one process per job, and prints what they used.

    python bench blocks big --model results/languages/en.model [--memory 1500M] [--threads 2]

The folder needs what `make-corpus` makes, and `measured/duplicates.keys`, which `ngrams` leaves there. The files that
the steps write stay in `<folder>/measured/blocks/`.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

import running

from deduplication import steps


def job(step: str, **options: object) -> list[str]:
    """Returns a command line."""
    return ["blocks", step, *(text for name, value in options.items() for text in (f"--{name}", str(value)))]


def commands(
    folder: Path, names: list[str], model: Path, memory: str, threads: int
) -> Iterator[tuple[str, list[list[str]]]]:
    """Yields the steps, each with the command lines of its jobs."""
    out, keys = folder / "measured" / "blocks", folder / "measured" / "duplicates.keys"
    tables = {
        name: {stage: folder / stage / f"{name}.parquet" for stage in ("documents", "boilerplate", "tokens")}
        for name in names
    }
    matches = {name: out / f"{name}.matches" for name in names}
    of_all = {"ngrams": keys, "memory": memory}
    verticals = {name: folder / "tokens" / f"{name}.vert.zst" for name in names}
    yield (
        "match",
        [
            job(
                "match", vertical=verticals[name], **tables[name], **of_all, model=model, threads=threads,
                output=matches[name],
            )
            for name in names
        ],
    )  # fmt: skip
    decided = out / "verdicts"
    yield "verdicts", [job("verdicts", batches=folder / "batches.tsv", matches=out, **of_all, output=decided)]
    yield (
        "apply",
        [
            job(
                "apply", verdicts=decided / f"{name}.verdicts", matches=matches[name], **tables[name],
                memory=memory, output=out / f"{name}.parquet",
            )
            for name in names
        ],
    )  # fmt: skip


def main(prog: str, arguments: Sequence[str]) -> None:
    """Measures the corpus that the arguments name."""
    parser = running.parser(prog, __doc__)
    parser.add_argument("folder", type=Path, help="folder of the corpus")
    parser.add_argument("--model", type=Path, required=True, help="the model of the corpus language")
    parser.add_argument("--memory", default="1500M", help="limit of each process")
    parser.add_argument("--threads", type=int, default=1, help="threads of the steps that can use several")
    options = parser.parse_args(arguments)
    names = running.batches_of(options.folder)
    (options.folder / "measured" / "blocks").mkdir(parents=True, exist_ok=True)
    times = steps.run(commands(options.folder, names, options.model, options.memory, options.threads))
    steps.show(times, steps.tokens_of(options.folder))
