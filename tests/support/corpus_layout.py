"""Corpora in the folders of the workflow, and the command lines of the steps that work on them."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from corpusprep.archive.batches import write_bundles
from corpusprep.io import checksums
from corpusprep.pipeline import FILES, STEPS, File, Scope, Step
from corpusprep.tables.batch_files import BatchFiles, corpus_file

NAMES = ("b00000", "b00001")


def write_lists(folder: Path, names: Sequence[str]) -> None:
    """Writes batches.tsv and bundles.tsv: every batch has one archive, and is a bundle alone."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = [f"{name}\tx.warc\t1" for name in names]
    corpus_file(folder, "plan").write_text("\n".join(["batch\tarchive\tbytes", *rows]) + "\n", encoding="utf-8")
    checksums.store(corpus_file(folder, "plan"))
    write_bundles({name: [name] for name in names}, corpus_file(folder, "bundles"))


def lay_out(flat: Path, folder: Path, names: Sequence[str] = NAMES) -> None:
    """Links files that lie beside each other, <batch>.<kind>, into the folders of a corpus."""
    write_lists(folder, names)
    kinds = {"vertical": "vert.zst"} | {kind: f"{kind}.parquet" for kind in ("documents", "boilerplate", "tokens")}
    for name in names:
        for kind, suffix in kinds.items():
            if (path := flat / f"{name}.{suffix}").exists():
                link(path, getattr(BatchFiles.of(folder, name), kind))
    if (flat / "keys").exists():
        link(flat / "keys", corpus_file(folder, "duplicates"))


def link(path: Path, to: Path) -> None:
    """Gives a file a second name; steps replace files, and never write into one."""
    to.parent.mkdir(parents=True, exist_ok=True)
    to.unlink(missing_ok=True)
    os.link(path, to)


@dataclass(frozen=True)
class Run:
    """A process of a step: its command line after the corpus's folder, and its files relative to that folder."""

    step: Step
    options: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]

    def arguments(self, folder: Path) -> list[str]:
        """The command line."""
        return ["step", *self.step.name.split(), str(folder), *self.options]

    def prepare(self, source: Path, folder: Path) -> None:
        """Links the inputs from another corpus."""
        for name in self.inputs:
            link(source / name, folder / name)


def runs(names: Sequence[str] = NAMES, n: int = 3) -> dict[str, Run]:
    """All processes of the steps `documents`, `ngrams` and `blocks` that each corpus has, in their order, undivided."""
    of_parts = {file for step in STEPS.values() if step.divides or step.when for file in step.writes}
    found = {}
    for step in STEPS.values():
        if step.stage_name not in ("documents", "ngrams", "blocks") or step.divides or step.when:
            continue
        for name in [None] if step.scope is Scope.CORPUS else names:
            unit = "--batch" if step.scope is Scope.BATCH or step.process_per_batch else "--bundle"
            options = [unit, name] if name else []
            options += ["--model", "en"] if "model" in step.takes else []
            options += ["--n", str(n)] if "ngrams.n" in step.settings else []
            options += ["--count-stopwords"] if "ngrams.exclude_stopwords" in step.settings else []
            of = [name] if name else list(names)
            implied = [file for file in step.implied if file != "encoding"]  # read for a list of what to forget
            read = [file for file in (*step.reads, *implied) if file not in of_parts]
            inputs = _paths(read, of)
            key = f"{step.name} {name}" if name else step.name
            found[key] = Run(step, tuple(options), inputs, _paths(step.writes, of))
    return found


def _paths(files: Sequence[str], of: Sequence[str]) -> tuple[str, ...]:
    def each(file: File) -> list[str]:
        return [file.pattern.format(batch=name, bundle=name) for name in of]

    return tuple(dict.fromkeys(path for file in files for path in each(FILES[file])))
