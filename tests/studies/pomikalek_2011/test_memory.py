"""Experiments need no more memory than they ask for."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from corpusprep.archive.batches import Batch, write_batches
from corpusprep.dedup.ngram_keys import NgramKeys
from corpusprep.io import tsv
from corpusprep.io.times import COLUMNS
from corpusprep.tables import schemas
from corpusprep.tables.writing import write_table
from studies.pomikalek_2011.chapter_3.corpus import TOKENS

pytestmark = pytest.mark.slow


def corpus(folder: Path, documents: int, size: int) -> None:
    """A batch of documents of `size` words with natural frequencies; half are copies with one word changed."""
    chance = np.random.default_rng(4)
    half = np.minimum(chance.zipf(1.3, documents // 2 * size), 100_000).reshape(-1, size)
    words = np.concatenate([half, half])
    words[: len(half), size // 2] = chance.integers(100_000, 200_000, len(half))
    frame = pl.DataFrame(
        {
            "document": range(len(words)),
            "id": [str(number) for number in range(len(words))],
            "host": "a.example",
            "rank": range(len(words)),
            "blocks": [[size]] * len(words),
            "tokens": [[f"w{word}" for word in row] for row in words.tolist()],
        },
        schema=TOKENS,
    )
    write_batches([Batch("b00000", (Path("x"),), (1,))], folder / "batches.tsv")
    write_table(frame, TOKENS, folder / "experiments" / "tokens" / "b00000.parquet")
    counts = {name: pl.lit(size, pl.UInt32) for name in ("tokens", "counted_tokens", "covered_tokens")}
    keys = {"batch": pl.lit("b00000"), "record": pl.col("document"), "block": pl.lit(0, pl.UInt32)}
    blocks = frame.select("document", verdict=pl.lit("kept"), **counts, **keys)
    write_table(blocks, schemas.BLOCKS, folder / "blocks" / "b00000.parquet")
    NgramKeys.write(folder / "ngrams" / "counted" / "duplicates.keys", 10, [1], [2], ngrams=0, tokens=0)


@pytest.mark.parametrize(
    ("experiment", "options"),
    [
        ("lengths", ["--model", "en"]),
        ("comparators", []),
        ("resemblance", ["--clusters", "clusters.tsv"]),
    ],
)
@pytest.mark.parametrize(("documents", "size"), [(800, 1_000), (5_000, 12)])
def test_the_least_memory_is_enough(
    tmp_path: Path, documents: int, size: int, experiment: str, options: list[str]
) -> None:
    """For the minimum in the error message; with a few long documents and with many short ones."""
    corpus(tmp_path, documents, size)

    def run(memory: str) -> subprocess.CompletedProcess[str]:
        command = [
            sys.executable,
            "-m",
            "corpusprep",
            "--times",
            "times.tsv",
            "studies",
            "experiments",
            experiment,
            *options,
        ]
        command += [".", "--memory", memory, "--output", "out.tsv"]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)

    refused = run("1M")
    least = re.search(r"at least (\d+)M is needed", refused.stderr)
    assert refused.returncode == 1
    assert least is not None
    done = run(f"{int(least[1]) + 5}M")  # the size of a process differs a little from run to run
    assert done.returncode == 0, done.stderr
    (used,) = tsv.read(tmp_path / "times.tsv", COLUMNS)
    assert float(used["peak_memory_mb"]) * (1 << 20) < int(least[1]) * 1_000_000
