"""Runs the steps of `ngrams` on a corpus, one process per job, and prints what they used.

    python bench ngrams results/docs --model results/languages/en.model [--memory 1500M] [--threads 2]

The folder needs `batches.tsv` and the files of the stages `tokens` and `documents`, as `make-corpus` makes them. The
steps write to `<folder>/measured/`, where duplicates.keys stays.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import running

from corpusprep.archive.batches import read_bundles, write_bundles
from corpusprep.config.schema import switches
from corpusprep.dedup.ngram_keys import NgramKeys
from corpusprep.pipeline import STEPS, Scope
from corpusprep.tables.batch_files import corpus_file
from deduplication import steps

#: Folders that the measured steps read.
READ = ("tokens", "documents", "boilerplate")


def measured_folder(folder: Path) -> Path:
    """Makes the corpus folder in which steps are measured: links to the files that they read; one bundle per batch."""
    out = folder / "measured"
    names = running.batches_of(folder)
    out.mkdir(exist_ok=True)
    write_bundles({name: [name] for name in names}, corpus_file(out, "bundles"))
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
        model: of the corpus language.
        options: values of settings (memory, share of clusters) and of `threads`, by name.
    """
    bundles = read_bundles(corpus_file(folder, "bundles"))
    for step in (step for step in STEPS.values() if step.stage_name == stage):
        if step.scope is Scope.PART or (step.when and "share" not in options):
            continue  # one part; and clusters only where they are asked for
        names = [key.rpartition(".")[2] for key in step.settings] + ["threads"] * step.threads
        line = ["step", *step.name.split(), str(folder)]
        line += ["--model", str(model)] if "model" in step.takes else []
        line += [word for name in names if name in options for word in _option(name, options[name])]
        unit = "--batch" if step.scope is Scope.BATCH or step.process_per_batch else "--bundle"
        of_corpus = step.scope is Scope.CORPUS
        yield step.name.split()[1], [line] if of_corpus else [[*line, unit, name] for name in bundles]


def _option(name: str, value: str) -> tuple[str, ...]:
    """Returns the words of an option; those that are true or false have a name for each."""
    return (switches(name)[value == "false"],) if value in ("true", "false") else (f"--{name}", value)


def measure(
    folder: Path, model: Path, memory: str, threads: int = 1, *, sorts_all: bool = False
) -> list[steps.StepTimes]:
    """Runs the steps and returns what each used; of their files only duplicates.keys stays.

    Args:
        folder: of the corpus.
        model: of the corpus language.
        memory: limit of each process.
        threads: of the steps that can use several.
        sorts_all: whether all n-grams are sorted, as in the thesis (suffix_sort.py).
    """
    out = measured_folder(folder)
    if sorts_all:
        script = str(Path(__file__).with_name("suffix_sort.py"))
        needed = [step for step in commands(out, "ngrams", model, {"memory": memory}) if step[0] != "candidates"]
        lines = [(name, [line[name in ("words", "runs") :] for line in of_step]) for name, of_step in needed]
        times = steps.run(lines, {"words": [script], "runs": [script]})
    else:
        times = steps.run(commands(out, "ngrams", model, {"memory": memory, "threads": str(threads)}))
    for path in (out / "ngrams").rglob("*"):
        if path.is_file() and path.name != "duplicates.keys":
            path.unlink()
    return times


def main(prog: str, arguments: Sequence[str]) -> None:
    """Measures the corpus that the arguments name."""
    parser = running.parser(prog, __doc__)
    parser.add_argument("folder", type=Path, help="folder of the corpus")
    parser.add_argument("--model", type=Path, required=True, help="the model of the corpus language")
    parser.add_argument("--memory", default="1500M", help="limit of each process")
    parser.add_argument("--threads", type=int, default=1, help="threads of the steps that can use several")
    options = parser.parse_args(arguments)
    times = measure(options.folder, options.model, options.memory, options.threads)
    steps.show(times, steps.tokens_of(options.folder))
    keys = NgramKeys.open(corpus_file(options.folder / "measured", "duplicates"))
    print(f"{keys.tokens:,} tokens counted; {keys.count:,} duplicate {keys.n}-grams")
