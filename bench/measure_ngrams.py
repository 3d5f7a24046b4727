"""Runs the steps of `ngrams` on a corpus, one process each, and prints what they took.

    python bench/measure_ngrams.py results/docs --model results/languages/en.model [--memory 1500M]
        [--method hash|suffix-sort] [--threads 2]

The folder needs `batches.tsv` and the stages `tokens` and `documents`; see made_corpus.py. What the steps write goes to
`<folder>/measured/`, where duplicates.keys stays.
"""

import argparse
from collections.abc import Iterator, Mapping
from pathlib import Path

import steps

from corpusprep.archive.batches import batch_names, read_bundles, write_bundles
from corpusprep.dedup.ngram_keys import NgramKeys
from corpusprep.pipeline import STEPS, Scope
from corpusprep.tables.batch_files import corpus_file

#: Folders that the measured steps read.
READ = ("tokens", "documents", "boilerplate")


def measured_folder(folder: Path) -> Path:
    """Makes the corpus folder that steps are measured in: links to what they read, and every batch a bundle alone."""
    out = folder / "measured"
    out.mkdir(exist_ok=True)
    write_bundles({name: [name] for name in batch_names(folder / "batches.tsv")}, out / "bundles.tsv")
    for name in READ:
        if (folder / name).is_dir() and not (out / name).exists():
            (out / name).symlink_to((folder / name).resolve())
    return out


def commands(
    folder: Path, stage: str, model: Path, options: Mapping[str, str]
) -> Iterator[tuple[str, list[list[str]]]]:
    """Yields the steps of a stage, each with the command lines of its processes.

    Args:
        folder: of the corpus.
        stage: ngrams or blocks.
        model: of the language of the corpus.
        options: values of settings, by name (memory, method), and threads.
    """
    for step in (step for step in STEPS.values() if step.stage_name == stage):
        if step.name == "ngrams candidates" and options.get("method") != "hash":
            continue
        names = [key.rpartition(".")[2] for key in step.settings] + ["threads"] * step.threads
        line = [*step.name.split(), "--corpus-dir", str(folder), *(["--model", str(model)] if step.takes else [])]
        line += [word for name in names if name in options for word in (f"--{name}", options[name])]
        unit = "--batch" if step.scope is Scope.BATCH or step.process_per_batch else "--bundle"
        of_corpus = step.scope is Scope.CORPUS
        batches = read_bundles(folder / "bundles.tsv")
        yield step.name.split()[1], [line] if of_corpus else [[*line, unit, batch] for batch in batches]


def measure(folder: Path, model: Path, memory: str, method: str, threads: int = 1) -> list[steps.Used]:
    """Runs the steps."""
    out = measured_folder(folder)
    lines = commands(out, "ngrams", model, {"memory": memory, "method": method, "threads": str(threads)})
    used = steps.run(lines, out)
    for path in out.glob("ngrams/**/*"):
        if path.is_file() and path.name != "duplicates.keys":
            path.unlink()
    return used


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--model", type=Path, required=True, help="the model of the corpus language")
    parser.add_argument("--memory", default="1500M", help="limit of each process")
    parser.add_argument("--method", choices=["hash", "suffix-sort"], default="hash")
    parser.add_argument("--threads", type=int, default=1, help="threads of the steps that take several")
    options = parser.parse_args()
    used = measure(options.folder, options.model, options.memory, options.method, options.threads)
    steps.show(used, steps.tokens_of(options.folder))
    keys = NgramKeys.open(corpus_file(options.folder / "measured", "duplicates"))
    print(f"{keys.tokens:,} tokens counted; {keys.count:,} duplicate {keys.n}-grams")


if __name__ == "__main__":
    main()
