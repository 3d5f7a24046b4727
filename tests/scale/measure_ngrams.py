"""Runs the steps of `ngrams` on a corpus, one process each, and prints what they took.

    python tests/scale/measure_ngrams.py results/docs --model results/languages/en.model [--memory 1500M]
        [--method hash|suffix-sort]

The folder needs `batches.tsv` and the stages `tokens` and `documents`; see made_corpus.py. What the steps write goes to
`<folder>/measured/`, where duplicates.keys stays.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from corpusprep import schemas
from corpusprep.batches import batch_names
from corpusprep.ngram_keys import NgramKeys


@dataclass(slots=True, frozen=True)
class Used:
    """What a step took in all batches: seconds of CPU time, and megabytes of its largest process."""

    step: str
    cpu_seconds: float
    wall_seconds: float
    peak_megabytes: float


def commands(folder: Path, names: list[str], model: Path, method: str) -> Iterator[tuple[str, list[list[str]]]]:
    """The steps, each with the command lines of its jobs."""
    out = folder / "measured"
    batches, lexicon, hashed = ["--batches", f"{folder}/batches.tsv"], ["--lexicon", f"{out}/lexicon"], method == "hash"
    yield (
        "words",
        [
            ["words", "--vertical", f"{folder}/tokens/{name}.vert.zst", "--model", str(model)]
            + ["--documents", f"{folder}/documents/{name}.parquet"]
            + ["--output", f"{out}/{name}.words", "--tokens", f"{out}/{name}.tokens"]
            + (["--keys", f"{out}/{name}.keys"] if hashed else [])
            for name in names
        ],
    )
    yield "lexicon", [["lexicon", *batches, "--words", f"{out}", "--output", f"{out}/lexicon"]]
    if hashed:
        yield "candidates", [["candidates", *batches, "--keys", f"{out}", "--output", f"{out}/candidates"]]
    filter_ = ["--candidates", f"{out}/candidates"] if hashed else []
    yield (
        "runs",
        [
            ["runs", "--tokens", f"{out}/{name}.tokens", *lexicon, *filter_, "--output", f"{out}/{name}.runs"]
            for name in names
        ],
    )
    yield "merge", [["merge", *batches, "--runs", f"{out}", *lexicon, "--output", f"{out}/duplicates.keys"]]


def measure(folder: Path, model: Path, memory: str, method: str) -> list[Used]:
    """Runs the steps."""
    (folder / "measured").mkdir(exist_ok=True)
    environment = {**os.environ, "POLARS_MAX_THREADS": "1"}
    times, found = folder / "measured" / "times.tsv", []
    for step, lines in commands(folder, batch_names(folder / "batches.tsv"), model, method):
        used = []
        for line in lines:
            command = [sys.executable, "-m", "corpusprep", "--times", str(times), "ngrams", *line, "--memory", memory]
            subprocess.run(command, check=True, env=environment, stderr=subprocess.DEVNULL)
            used.append([float(value) for value in times.read_text(encoding="utf-8").split()[-3:]])
        wall, cpu, peak = zip(*used, strict=True)
        found.append(Used(step, sum(cpu), sum(wall), max(peak)))
    for path in folder.glob("measured/*"):
        if path.name != "duplicates.keys":
            path.unlink()
    return found


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--model", type=Path, required=True, help="the model of the corpus language")
    parser.add_argument("--memory", default="1500M", help="limit of each process")
    parser.add_argument("--method", choices=["hash", "suffix-sort"], default="hash")
    options = parser.parse_args()
    tokens = sum(
        schemas.read(options.folder / "tokens" / f"{name}.parquet", schemas.TOKENS, ["tokens"])["tokens"].sum()
        for name in batch_names(options.folder / "batches.tsv")
    )
    for used in (all_used := measure(options.folder, options.model, options.memory, options.method)):
        print(f"{used.step:<11} {used.cpu_seconds:9.2f} s CPU {used.peak_megabytes:8.0f} MB")
    keys = NgramKeys.open(options.folder / "measured" / "duplicates.keys")
    cpu = sum(used.cpu_seconds for used in all_used)
    print(f"{tokens:,} tokens, {keys.tokens:,} counted; {keys.count:,} duplicate {keys.n}-grams")
    wall = sum(used.wall_seconds for used in all_used)
    print(f"{cpu:.1f} s CPU, {wall:.1f} s: {tokens / cpu / 1e6:.1f} M tokens a CPU s")


if __name__ == "__main__":
    main()
