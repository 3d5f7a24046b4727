"""`ngrams` under a hard limit of memory, with ten times as much input."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl
import pytest
import zstandard

from corpusprep import languages, schemas
from corpusprep.ngram_keys import NgramKeys
from corpusprep.verdicts import KEPT

pytestmark = pytest.mark.slow

TIMES = 10
#: Bytes that a process may hold: little more than the steps accept to start with.
MEMORY = 180_000_000
BATCHES = 5
BLOCK_TOKENS, DOCUMENT_BLOCKS = 50, 20
WORD = 24  # bytes


@contextlib.contextmanager
def hard_limit(size: int) -> Iterator[Path | None]:
    """A control group whose processes are killed where they hold more; None where none can be made."""
    group = Path("/sys/fs/cgroup/memory") / f"corpusprep-test-{os.getpid()}"
    try:
        group.mkdir()
    except OSError:
        yield None
        return
    try:
        (group / "memory.limit_in_bytes").write_text(str(size), encoding="ascii")
        yield group
    finally:
        group.rmdir()


def run(memory: int, times: Path, *arguments: object) -> None:
    """Runs a command that may use `memory` bytes, in a process that cannot hold more, and checks its peak.

    The peak is as the command gives it in `times`: what wait4 tells has this process's own in it, from before exec.
    """
    line = [sys.executable, "-m", "corpusprep", "--times", times, *arguments, "--memory", memory]
    with hard_limit(memory) as group:
        join = f"echo $$ > {group}/cgroup.procs; " if group else ""
        command = ["bash", "-c", join + 'exec "$@"', "-", *map(str, line)]
        done = subprocess.run(command, stderr=subprocess.PIPE, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    peak = pl.read_csv(times, separator="\t")["peak_memory_mb"].item() * 2**20
    assert 0 < peak <= memory, (arguments[:2], peak)


def write_input(folder: Path) -> int:
    """Writes a corpus of BATCHES batches, and gives the bytes of its verticals."""
    generator = np.random.default_rng(5)
    words = np.array([b"w" * (WORD - 12) + b"%011x\n" % number for number in range(100_000)], dtype=object)
    tokens = TIMES * MEMORY // (BATCHES * WORD)
    documents = tokens // (BLOCK_TOKENS * DOCUMENT_BLOCKS) + 1
    size = 0
    repeated: list[bytes] = []
    for batch in range(BATCHES):
        name = f"b{batch:05d}"
        with (folder / f"{name}.vert.zst").open("wb") as raw, zstandard.ZstdCompressor(1).stream_writer(raw) as stream:
            for document in range(documents):
                ids = generator.integers(0, len(words), BLOCK_TOKENS * DOCUMENT_BLOCKS).reshape(-1, BLOCK_TOKENS)
                blocks = [b'<p heading="0">\n' + b"".join(words[row].tolist()) + b"</p>\n" for row in ids]
                if repeated and document % 10 == 0:
                    blocks[3:8] = repeated
                if document % 97 == 0:
                    repeated = blocks[:5]
                text = b'<doc id="%s-%d">\n' % (name.encode(), document) + b"".join(blocks) + b"</doc>\n"
                stream.write(text)
                size += len(text)
        frame = pl.DataFrame({"record": pl.arange(documents, eager=True)}).with_columns(
            batch=pl.lit(name),
            document="record",
            rank=pl.col("record") + batch * documents,
            verdict=pl.lit(KEPT),
        )
        others = schemas.DOCUMENTS.keys() - set(frame.columns)
        frame = frame.with_columns(pl.lit(None).alias(column) for column in sorted(others))
        schemas.write(frame, schemas.DOCUMENTS, folder / f"{name}.parquet")
    rows = [f"b{batch:05d}\tx.warc\t1" for batch in range(BATCHES)]
    (folder / "batches.tsv").write_text("\n".join(["batch\tarchive\tbytes", *rows]) + "\n", encoding="utf-8")
    return size


def test_ngrams(tmp_path: Path) -> None:
    """Every job of both methods works within its memory, on ten times as many bytes of text; their results agree."""
    size = write_input(tmp_path)
    assert size >= TIMES * MEMORY
    languages.save(languages.get("en"), tmp_path / "en.model")
    names = [f"b{batch:05d}" for batch in range(BATCHES)]
    at, model = tmp_path, ["--model", tmp_path / "en.model"]
    batches, lexicon, keys = ["--batches", at / "batches.tsv"], ["--lexicon", at / "lexicon"], at / "duplicates.keys"
    limits = MEMORY, at / "times.tsv"
    for name in names:
        vertical = ["--vertical", at / f"{name}.vert.zst", "--documents", at / f"{name}.parquet"]
        outputs = ["--output", at / f"{name}.words", "--tokens", at / f"{name}.tokens", "--keys", at / f"{name}.keys"]
        run(*limits, "ngrams", "words", *vertical, *model, *outputs)
    run(*limits, "ngrams", "lexicon", *batches, "--words", at, "--output", at / "lexicon")
    run(*limits, "ngrams", "candidates", *batches, "--keys", at, "--output", at / "candidates")
    for filter_ in ([], ["--candidates", at / "candidates"]):  # both methods
        for name in names:
            stream = ["--tokens", at / f"{name}.tokens", *lexicon, *filter_]
            run(*limits, "ngrams", "runs", *stream, "--output", at / f"{name}.runs")
        run(
            *limits,
            "ngrams",
            "merge",
            *batches,
            "--runs",
            at,
            *lexicon,
            "--output",
            keys.with_suffix(f".{len(filter_)}"),
        )
    assert keys.with_suffix(".0").read_bytes() == keys.with_suffix(".2").read_bytes()
    keys = keys.with_suffix(".2")
    assert NgramKeys.open(keys).count > 1000
