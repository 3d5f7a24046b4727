"""Runs the steps of `ngrams` on a corpus, one process per job, and prints what they used.

    python bench ngrams results/docs --model results/languages/en.model [--memory 1500M]
        [--method hash|suffix-sort] [--threads 2]

The folder needs `batches.tsv` and the files of the stages `tokens` and `documents`, as `make-corpus` makes them. The
steps write to `<folder>/measured/`, where duplicates.keys stays.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

import running

from corpusprep.dedup.ngram_keys import NgramKeys
from deduplication import steps


def commands(
    folder: Path, names: list[str], model: Path, method: str, threads: int
) -> Iterator[tuple[str, list[list[str]]]]:
    """Yields the steps, each with the command lines of its jobs."""
    out = folder / "measured"
    batches, lexicon, hashed = ["--batches", f"{folder}/batches.tsv"], ["--lexicon", f"{out}/lexicon"], method == "hash"
    several = ["--threads", str(threads)]
    yield (
        "words",
        [
            ["words", "--vertical", f"{folder}/tokens/{name}.vert.zst", "--model", str(model)]
            + ["--documents", f"{folder}/documents/{name}.parquet"]
            + ["--output", f"{out}/{name}.words", "--tokens", f"{out}/{name}.tokens"]
            + (["--keys", f"{out}/{name}.keys"] if hashed else [])
            + several
            for name in names
        ],
    )
    yield "lexicon", [["lexicon", *batches, "--words", f"{out}", "--output", f"{out}/lexicon"]]
    if hashed:
        yield "candidates", [["candidates", *batches, "--keys", f"{out}", *several, "--output", f"{out}/candidates"]]
    filter_ = ["--candidates", f"{out}/candidates"] if hashed else []
    yield (
        "runs",
        [
            ["runs", "--tokens", f"{out}/{name}.tokens", *lexicon, *filter_, "--output", f"{out}/{name}.runs"]
            for name in names
        ],
    )
    yield "merge", [["merge", *batches, "--runs", f"{out}", *lexicon, "--output", f"{out}/duplicates.keys"]]


def measure(folder: Path, model: Path, memory: str, method: str, threads: int = 1) -> list[steps.StepTimes]:
    """Runs the steps and returns what each used; of their files only duplicates.keys stays."""
    out = folder / "measured"
    lines = commands(folder, running.batches_of(folder), model, method, threads)
    out.mkdir(exist_ok=True)
    times = steps.run((step, [["ngrams", *job, "--memory", memory] for job in jobs]) for step, jobs in lines)
    for path in out.iterdir():
        if path.is_file() and path.name != "duplicates.keys":
            path.unlink()
    return times


def main(prog: str, arguments: Sequence[str]) -> None:
    """Measures the corpus that the arguments name."""
    parser = running.parser(prog, __doc__)
    parser.add_argument("folder", type=Path, help="folder of the corpus")
    parser.add_argument("--model", type=Path, required=True, help="the model of the corpus language")
    parser.add_argument("--memory", default="1500M", help="limit of each process")
    parser.add_argument("--method", choices=["hash", "suffix-sort"], default="hash")
    parser.add_argument("--threads", type=int, default=1, help="threads of the steps that can use several")
    options = parser.parse_args(arguments)
    times = measure(options.folder, options.model, options.memory, options.method, options.threads)
    steps.show(times, steps.tokens_of(options.folder))
    keys = NgramKeys.open(options.folder / "measured" / "duplicates.keys")
    print(f"{keys.tokens:,} tokens counted; {keys.count:,} duplicate {keys.n}-grams")
