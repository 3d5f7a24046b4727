"""`blocks clusters`: near-duplicates of small corpora, compared with comparing all documents."""

import tempfile
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support import block_corpora as corpora
from support.block_corpora import Document
from support.block_stage import Batches, N, crawl, match, write_batches
from support.block_strategies import splits
from support.corpus_layout import link
from support.plain_clusters import clusters

from corpusprep.dedup import clusters as step
from corpusprep.dedup.clusters import find_clusters
from corpusprep.dedup.preferences import KEEP
from corpusprep.errors import ResourceError, StageFileError
from corpusprep.io import sorted_runs
from corpusprep.tables import schemas
from corpusprep.tables.batch_files import BatchFiles
from corpusprep.tables.reading import read_table
from corpusprep.tables.writing import write_table

pytestmark = pytest.mark.usefixtures("fresh_process")

GIGABYTE = 1 << 30


def words(number: int) -> int:
    """A length with many ties."""
    return number * 7 % 3


def date(number: int) -> str | None:
    """A date with ties; some have none."""
    return None if number % 5 == 4 else f"2024-01-0{1 + number % 3}T00:00:0{number % 2}Z"


def score(number: int) -> float | None:
    """A score with ties, some below 0; some have none."""
    return None if number % 4 == 3 else (number % 5 - 2) / 4


#: What is preferred first, by the number of a document.
ORDERS = {
    "first": lambda number: number,
    "longest": lambda number: (-words(number), number),
    "latest": lambda number: (date(number) is None, [-int(c) for c in (date(number) or "") if c.isdigit()], number),
    "score": lambda number: (score(number) is None, -(score(number) or 0), number),
}


def prepare(folder: Path, documents: Sequence[Document], batches: Batches) -> dict[str, Path]:
    """Writes the files of the stages before, in their places, and returns those of matches."""
    write_batches(folder, documents, batches)
    matches = {}
    for number, batch in enumerate(batches):
        name = f"b{number:05}"
        files = BatchFiles.of(folder, name)
        tokens = read_table(folder / f"{name}.tokens.parquet", schemas.TOKENS)
        tokens = tokens.with_columns(
            id=pl.Series([f"{document:016x}" for document in batch], dtype=pl.String),
            words=pl.Series([words(document) for document in batch], dtype=pl.UInt32),
            date=pl.Series([date(document) for document in batch], dtype=pl.String),
        )
        scores = pl.Series([score(document) for document in batch], dtype=pl.Float64)
        language = with_all(tokens.select("batch", "record", score=scores), schemas.LANGUAGE)
        write_table(tokens, schemas.TOKENS, files.tokens)
        write_table(language, schemas.LANGUAGE, files.language)
        link(folder / f"{name}.documents.parquet", files.documents)
        match(folder, name)
        matches[name] = folder / f"{name}.matches"
    return matches


def with_all(frame: pl.DataFrame, schema: pl.Schema) -> pl.DataFrame:
    """Adds the other columns of a table, empty."""
    return frame.with_columns(pl.lit(None).alias(name) for name in sorted(schema.keys() - set(frame.columns)))


def expected(documents: Sequence[Document], batches: Batches, share: Fraction, keep: str) -> list[tuple[object, ...]]:
    """The rows of the table, from comparing all documents."""
    order = sorted((number for number, document in enumerate(documents) if document.kept), key=ORDERS[keep])
    pairs = clusters([frozenset(corpora.ngrams(documents[number], N)) for number in order], share)
    of_leaders: dict[int, list[tuple[int, float]]] = {}
    for number, (leader, resemblance) in zip(order, pairs, strict=True):
        of_leaders.setdefault(order[leader], []).append((number, float(resemblance)))
    places = {number: (f"b{b:05}", 3 * i + 1, i) for b, batch in enumerate(batches) for i, number in enumerate(batch)}
    rows: list[tuple[object, ...]] = []
    several = [(leader, members) for leader, members in sorted(of_leaders.items()) if len(members) > 1]
    for cluster, (leader, members) in enumerate(several):
        for number, resemblance in sorted(members, key=lambda member: (member[0] != leader, member[0])):
            about = (number, f"{number:016x}", cluster, len(members), f"{leader:016x}", resemblance)
            rows.append((*places[number], *about, "kept" if number == leader else "near_duplicate"))
    return rows


def found(folder: Path, matches: dict[str, Path], share: Fraction, keep: str, memory: int = GIGABYTE) -> pl.DataFrame:
    """Runs the step, and returns its table."""
    output = folder / "clusters.parquet"
    find_clusters(matches, folder / "keys", folder, output, share=float(share), keep=keep, memory=memory)
    return read_table(output, schemas.CLUSTERS)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(splits(), st.sampled_from([Fraction(1, 10), Fraction(1, 2), Fraction(1)]), st.sampled_from(KEEP))
def test_the_table_is_that_of_comparing_all(
    split: tuple[list[Document], list[list[int]]], share: Fraction, keep: str
) -> None:
    """For any documents, in any batches, and any order of preference."""
    documents, batches = split
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        matches = prepare(folder, documents, batches)
        assert found(folder, matches, share, keep).rows() == expected(documents, batches, share, keep)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Path], list[Document], list[list[int]]]:
    """A corpus of many near-duplicates in three batches."""
    documents = crawl(150, seed=3) + crawl(150, seed=3)
    batches = [[*range(0, 300, 2)], [*range(299, 150, -2)], [*range(1, 151, 2)]]
    folder = tmp_path_factory.mktemp("clusters")
    return folder, prepare(folder, documents, batches), documents, batches


@pytest.mark.parametrize("keep", KEEP)
@pytest.mark.parametrize("free", [600, 4000, GIGABYTE])
def test_the_table_does_not_depend_on_memory(
    made: tuple[Path, dict[str, Path], list[Document], list[list[int]]],
    keep: str,
    free: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Many runs, merged in rounds; many passes over an index that is full; many ranges of ranks: the same bytes."""
    folder, matches, documents, batches = made
    whole = found(folder, matches, Fraction(1, 2), keep)
    assert whole.rows() == expected(documents, batches, Fraction(1, 2), keep)
    assert whole["cluster"].n_unique() > 20
    stored = (folder / "clusters.parquet").read_bytes()
    files = []

    class Counted(sorted_runs.SortedRuns):
        def __init__(self, *about: Any) -> None:
            super().__init__(*about)
            files.append(self)

    monkeypatch.setattr(step.limits, "budget", lambda _, needed, __: needed + free)
    monkeypatch.setattr(step, "_LEAST_SORTED", 0)
    monkeypatch.setattr(sorted_runs, "BLOCK_BYTES", 256)
    monkeypatch.setattr(step, "BLOCK_BYTES", 256)
    monkeypatch.setattr(step, "SortedRuns", Counted)
    found(folder, matches, Fraction(1, 2), keep)
    assert (folder / "clusters.parquet").read_bytes() == stored
    runs, *passes = files
    assert (len(runs) > 3, len(passes) > 1) == (free < GIGABYTE, free < GIGABYTE)


def test_errors_say_what_is_wrong(
    made: tuple[Path, dict[str, Path], list[Document], list[list[int]]], tmp_path: Path
) -> None:
    """Too little memory; a table of another run."""
    folder, matches, _, _ = made
    with pytest.raises(ResourceError, match="near-duplicates among 300 documents"):
        found(folder, matches, Fraction(1, 2), "first", memory=1)
    others = tmp_path / "others"
    others.mkdir()
    prepare(others, crawl(20), [range(10), range(10, 20)])
    files = [BatchFiles.of(others, name) for name in ("b00000", "b00001")]
    files[0].documents.write_bytes(files[1].documents.read_bytes())
    shorter = read_table(files[1].tokens, schemas.TOKENS).head(3)
    write_table(shorter, schemas.TOKENS, files[1].tokens)
    with pytest.raises(StageFileError, match=r"run .* again"):
        found(others, {name: others / f"{name}.matches" for name in ("b00000", "b00001")}, Fraction(1, 10), "first")
