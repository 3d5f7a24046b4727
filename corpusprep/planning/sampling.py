"""Takes a sample of a corpus's archives, the same in every run, and measures the steps before de-duplication on it.

Whole archives are taken, in the order of hashes of their names, until there are enough bytes. If there are too many,
records are taken from these archives, by hashes of their numbers. A record is copied as it is stored.
"""

import csv
import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

import polars as pl

from corpusprep import languages
from corpusprep.archive import batches
from corpusprep.archive.records import records
from corpusprep.archive.stored_streams import GZIP_MAGIC
from corpusprep.config import CorpusSettings
from corpusprep.errors import ArchiveError, StageFileError
from corpusprep.pipeline import FILES, STEPS
from corpusprep.planning import jobs
from corpusprep.planning.forecast import Cost, load_costs
from corpusprep.tables import schemas
from corpusprep.tables.batch_files import BatchFiles
from corpusprep.tables.reading import read_table
from corpusprep.tables.verdicts import KEPT

#: The steps that run on the sample.
SAMPLED = tuple(step for step in STEPS.values() if step.sampled)
#: A sample is taken as it is if it is at most this many times too large.
ENOUGH = 1.25
ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"


@dataclass(slots=True, frozen=True)
class Sample:
    """Archives to read in place of all, with `stored_bytes` of the originals."""

    archives: tuple[Path, ...]
    stored_bytes: int


@dataclass(slots=True, frozen=True)
class Measured:
    """The pages and tokens that the steps found in the sample, and their costs."""

    pages: int
    tokens: int
    costs: Mapping[str, Cost]


def take(archives: Sequence[Path], share: float, folder: Path) -> Sample:
    """Takes a sample of about `share` of the archives' bytes; archives of selected records are written to `folder`.

    Raises:
        ArchiveError: an archive cannot be read.
    """
    sizes = {path: path.stat().st_size for path in archives}
    wanted = share * sum(sizes.values())
    chosen: list[Path] = []
    size = 0
    for path in sorted(archives, key=lambda path: _hash(path.name, path)):
        if size >= wanted:
            break
        chosen.append(path)
        size += sizes[path]
    if size <= ENOUGH * wanted:
        return Sample(tuple(sorted(chosen)), size)
    parts = [_records_of(path, wanted / size, folder / f"sample-{number}") for number, path in enumerate(chosen)]
    return Sample(tuple(part for part, _ in parts), sum(length for _, length in parts))


def _hash(*parts: object) -> float:
    """From 0 to 1."""
    digest = blake2b("\n".join(map(str, parts)).encode(errors="surrogateescape"), digest_size=8).digest()
    return int.from_bytes(digest, "big") / 2**64


def _records_of(path: Path, share: float, output: Path) -> tuple[Path, int]:
    """A part of an archive, and its size; the archive itself where records cannot be taken out by themselves."""
    size = 0
    with path.open("rb") as stored, output.open("wb") as written:
        magic = stored.read(4)
        compressed = GZIP_MAGIC if magic.startswith(GZIP_MAGIC) else ZSTD_MAGIC if magic == ZSTD_MAGIC else b""
        for record in records(path):
            # The first says what kind of archive it is.
            if record.number and _hash(path.name, record.number) >= share:
                continue
            stored.seek(record.offset)
            data = stored.read(record.length)
            if record.verdict == "damaged" or not data.startswith(compressed):
                return path, path.stat().st_size
            written.write(data)
            size += record.length
    return output, size


def measure(corpus: CorpusSettings, made: Mapping[str, str], sample: Sample, folder: Path) -> Measured:
    """Runs the steps before de-duplication on the sample, in `folder`, as the workflow would.

    Args:
        corpus: its settings.
        made: languages that are made from samples, by code, each as options of `corpusprep language make`.
        sample: what `take` gave.
        folder: for what the stages write.

    Raises:
        ArchiveError: there is no page in it.
        StageFileError: a stage fails.
    """
    (batch,) = batches.plan(sample.archives, sample.stored_bytes + 1)
    rivals = corpus.sections["language"].get("rivals")
    model = str(folder / "own.model")
    if corpus.language in made:
        _call("language", ["make", corpus.language, *shlex.split(made[corpus.language]), "--output", model])
    else:
        languages.check(corpus.language)
        own = languages.get(corpus.language)
        languages.save(own, Path(model))
        rivals = own.rivals if rivals is None else rivals
    for number, rival in enumerate(rivals or ()):
        languages.save(languages.get(rival), folder / f"rival-{number}.model")
    rival_models = {"rival": [str(folder / f"rival-{number}.model") for number in range(len(rivals or ()))]}
    files = BatchFiles.of(folder, batch.name)
    told: dict[str, dict[str, Any]] = {
        "archives": {"archive": list(map(str, batch.archives))},
        "model": {"model": model},
        "rivals": rival_models,
    }
    used: dict[str, tuple[float, float]] = {}
    pages = tokens = 0
    for step in SAMPLED:
        options = [word for name in step.takes for word in shlex.split(jobs.flags(told[name]))]
        if "rivals" in step.takes and rivals is not None and not rivals:
            options.append("--no-rivals")
        options += shlex.split(jobs.step_settings(step, corpus))
        used[step.name] = _run(step.name, ["--corpus-dir", str(folder), "--batch", batch.name, *options], folder)
        if step.name == "encoding":
            verdicts = read_table(files.encoding, schemas.ENCODING, ["verdict"])
            pages = verdicts.filter(pl.col("verdict") == KEPT).height
        elif step.name == "tokens":
            tokens = int(read_table(files.tokens, schemas.TOKENS, ["tokens"])["tokens"].sum())
        if not pages or (step.name == "tokens" and not tokens):
            raise ArchiveError(
                f"none of the {pages:,} pages in the sample of {sample.stored_bytes:,} bytes has text to keep"
            )
    costs = load_costs()
    measured = {}
    for step in SAMPLED:
        start = costs[step.cost].start_seconds
        cpu, peak = used[step.name]
        written = sum((folder / FILES[name].pattern.format(batch=batch.name)).stat().st_size for name in step.writes)
        measured[step.cost] = Cost(step.cost, start, max(0.0, cpu - start) / tokens * 1e6, peak, 0.0, written / tokens)
    return Measured(pages, tokens, measured)


def _run(step: str, options: Sequence[str], folder: Path) -> tuple[float, float]:
    """Runs a step and returns its CPU seconds and peak megabytes."""
    times = folder / f"{step}.tsv"
    _call(step, options, "--times", str(times))
    with times.open(encoding="utf-8", newline="") as file:
        row = next(csv.DictReader(file, delimiter="\t"))
    return float(row["cpu_seconds"]), float(row["peak_memory_mb"])


def _call(stage: str, options: Sequence[str], *before: str) -> None:
    command = [sys.executable, "-m", "corpusprep", *before, stage, *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        said = done.stderr.strip().splitlines()
        problem = said[-1].removeprefix("corpusprep: error: ") if said else f"ended with {done.returncode}"
        raise StageFileError(f"{stage}, on the sample: {problem}")
