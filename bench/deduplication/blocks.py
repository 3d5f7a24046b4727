"""Runs the three steps of `blocks` on a corpus, one process a job, and prints what they took.

    python bench/measure_blocks.py big --model results/languages/en.model [--memory 1500M] [--threads 2]

The folder needs what made_corpus.py makes, and `measured/duplicates.keys`, which measure_ngrams.py leaves there. What
the steps write stays in `<folder>/measured/blocks/`.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

import steps

from corpusprep.archive.batches import batch_names


def job(step: str, **options: object) -> list[str]:
    """A command line."""
    return ["blocks", step, *(text for name, value in options.items() for text in (f"--{name}", str(value)))]


def commands(
    folder: Path, names: list[str], model: Path, memory: str, threads: int
) -> Iterator[tuple[str, list[list[str]]]]:
    """The steps, each with the command lines of its jobs."""
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


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--model", type=Path, required=True, help="the model of the corpus language")
    parser.add_argument("--memory", default="1500M", help="limit of each process")
    parser.add_argument("--threads", type=int, default=1, help="threads of the steps that take several")
    options = parser.parse_args()
    out = options.folder / "measured" / "blocks"
    out.mkdir(parents=True, exist_ok=True)
    names = batch_names(options.folder / "batches.tsv")
    used = steps.run(commands(options.folder, names, options.model, options.memory, options.threads), out)
    steps.show(used, steps.tokens_of(options.folder))


if __name__ == "__main__":
    main()
