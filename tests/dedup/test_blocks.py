"""The stage `blocks`: from a batch's stage files to its table of blocks."""

import random
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import click.testing
import polars as pl
import pytest
import zstandard
from support import block_corpora as corpora
from support.block_corpora import Block, Document
from support.block_stage import DEFAULTS, N, apply, crawl, decide, match, tables, write_batches, write_keys
from support.corpus_layout import lay_out

from corpusprep.commands import blocks as stage
from corpusprep.dedup import block_table
from corpusprep.errors import ResourceError, StageFileError
from corpusprep.tables import schemas
from corpusprep.tables.batch_files import BatchFiles
from corpusprep.tables.verdicts import MARKS
from corpusprep.tables.writing import write_table


@pytest.fixture
def one_batch(tmp_path: Path) -> Path:
    """The files of a corpus of one batch, matched."""
    documents = crawl(20)
    write_batches(tmp_path, documents, [range(len(documents))])
    match(tmp_path)
    return tmp_path


@pytest.mark.parametrize("threshold", ["0.3", "0.5", "1"])
def test_tables_are_those_of_the_sequential_algorithm(tmp_path: Path, threshold: str) -> None:
    """Every good block of every kept document, with its tokens, covered tokens and verdict."""
    documents = crawl()
    batches = [[*range(0, 120, 2)], [*range(119, 60, -2)], [*range(1, 61, 2)], []]
    found = pl.concat(tables(tmp_path, documents, batches, float(threshold)))
    expected = []
    results = corpora.sequential(documents, N, Fraction(threshold))
    for number, batch in enumerate(batches):
        for position, document in enumerate(batch):
            if not documents[document].kept:
                continue
            good = [i for i, label in enumerate(documents[document].labels) if label == "good"]
            for i, (covered, verdict) in zip(good, results[document], strict=True):
                tokens = documents[document].blocks[i].tokens
                counts = (position, len(tokens), sum(map(corpora.counted, tokens)), covered)
                expected.append((f"b{number:05}", 3 * position + 1, i, *counts, verdict))
    assert found.schema.names() == schemas.BLOCKS.names()
    assert found.rows() == expected
    assert set(found["verdict"]) == {"kept", "duplicate", "stub"}


def test_commands_write_what_the_functions_return(tmp_path: Path) -> None:
    """The three commands as the workflow calls them."""
    write_batches(tmp_path, crawl(), [range(120)])
    lay_out(tmp_path, tmp_path / "corpus", ["b00000"])
    corpus = [str(tmp_path / "corpus"), "--memory", "4G"]
    for step in (["match", "--batch", "b00000", "--model", "en"], ["verdicts"], ["apply", "--batch", "b00000"]):
        result = click.testing.CliRunner().invoke(stage.command, [*step, *corpus])
        assert result.exit_code == 0, result.output
    table = pl.read_parquet(BatchFiles.of(tmp_path / "corpus", "b00000").blocks)
    assert table.schema == schemas.BLOCKS
    assert len(table) > 100


@pytest.mark.parametrize(
    ("given", "choices", "mark"),
    [
        (["--as-written", "--no-smoothing"], {"as_written": True, "smoothing": False}, "--no-mark"),
        (["--unit", "both", "--threshold", "0.3"], {"unit": "both", "threshold": 0.3}, "--mark"),
    ],
)
def test_choices_are_options_of_the_commands(
    tmp_path: Path, given: list[str], choices: dict[str, Any], mark: str
) -> None:
    """The tables are those of the functions with the same choices. The n-grams are short, so that both have some."""
    write_batches(tmp_path, crawl(), [range(120)])
    match(tmp_path)
    decide(tmp_path, **choices)
    expected = apply(tmp_path, mark=mark == "--mark")
    lay_out(tmp_path, tmp_path / "corpus", ["b00000"])
    corpus = [str(tmp_path / "corpus"), "--memory", "4G"]
    steps = (
        ["match", "--batch", "b00000", "--model", "en"],
        ["verdicts", *given],
        ["apply", "--batch", "b00000", mark],
    )
    for step in steps:
        result = click.testing.CliRunner().invoke(stage.command, [*step, *corpus])
        assert result.exit_code == 0, result.output
    found = pl.read_parquet(BatchFiles.of(tmp_path / "corpus", "b00000").blocks)
    assert found.equals(expected)
    assert len(set(found["verdict"])) > 1


@pytest.mark.parametrize(
    "choices",
    [
        {"unit": "both"},
        {"unit": "document"},
        {"smoothing": False},
        {"as_written": True, "smoothing": False},
    ],
)
def test_other_choices_give_the_same_in_any_batches(tmp_path: Path, choices: dict[str, Any]) -> None:
    """The verdicts do not depend on batches, and marks are put on exactly what would be removed."""
    documents = crawl()
    (whole := tmp_path / "whole").mkdir()
    (parts := tmp_path / "parts").mkdir()
    (expected,) = tables(whole, documents, [range(120)], 0.5)
    decide(whole, 1, **choices)
    found = apply(whole)
    assert not found.equals(expected)
    batches = [[*range(0, 120, 2)], [*range(119, 0, -2)]]
    tables(parts, documents, batches, 0.5)
    decide(parts, 2, **choices)
    verdicts = {}
    for number, batch in enumerate(batches):
        for row in apply(parts, f"b{number:05}").iter_rows(named=True):
            verdicts[batch[row["document"]], row["block"]] = row["covered_tokens"], row["verdict"]
    rows = found.select("document", "block", "covered_tokens", "verdict").rows()
    assert verdicts == {(document, block): tuple(values) for document, block, *values in rows}
    marked = apply(whole, mark=True)
    assert marked.drop("verdict").equals(found.drop("verdict"))
    assert marked["verdict"].to_list() == [MARKS.get(verdict, verdict) for verdict in found["verdict"]]


def test_an_unknown_unit_is_refused(one_batch: Path) -> None:
    """Before any work."""
    with pytest.raises(ValueError, match="unit sentence: must be one of block, document, both"):
        decide(one_batch, unit="sentence")


def test_result_is_the_same_in_small_memory(tmp_path: Path) -> None:
    """Several chunks, and runs sorted on disk, under a limit that is too small for the whole batch."""
    chance = random.Random(3)
    texts = [tuple(f"w{chance.randrange(3000)}" for _ in range(400)) for _ in range(60)]
    documents = [
        Document(tuple(Block("good", chance.choice(texts)[chance.randrange(200) :]) for _ in range(10)))
        for _ in range(900)
    ]
    write_batches(tmp_path, documents, [range(len(documents))])
    match(tmp_path)
    expected = (tmp_path / "b00000.matches").read_bytes()
    script = f"""
from corpusprep import startup
startup.prepare_command(0)  # as the command: polars gives memory back at once
import re
from pathlib import Path
from corpusprep._native import blocks as kernel
from corpusprep.errors import ResourceError
from corpusprep.io.memory import used
from corpusprep.commands import blocks as stage
from corpusprep.dedup.decisions import verdicts as decide_corpus
from corpusprep.dedup.matches import match as match_batch

joins, runs = [], []
class Matcher(kernel.Matcher):
    def begin_join(self, keys):
        joins.append(1)
        super().begin_join(keys)
    def run(self):
        runs.append(1)
        yield from super().run()
kernel.Matcher = Matcher

def match(memory):
    folder = Path({str(tmp_path)!r})
    names = ["vert.zst", "documents.parquet", "boilerplate.parquet", "tokens.parquet"]
    files = [folder / f"b00000.{{name}}" for name in names]
    match_batch(*files, folder / "keys", folder / "b00000.matches", stop_words=["the"], memory=memory)

try:
    match(1)
except ResourceError as error:
    memory = (int(re.search(r"least (\\d+)M", str(error))[1]) + 1) * 10**6
match(memory)
assert len(joins) > 2 and len(runs) > 1, (joins, runs)
assert used() < memory
"""
    result = subprocess.run([sys.executable, "-c", script], check=False, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert (tmp_path / "b00000.matches").read_bytes() == expected


def test_threads_make_no_difference(one_batch: Path) -> None:
    """The matches are the same bytes with any number of threads."""
    before = (one_batch / "b00000.matches").read_bytes()
    (one_batch / "b00000.matches").unlink()
    match(one_batch, threads=2)
    assert (one_batch / "b00000.matches").read_bytes() == before


def test_blocks_come_in_order_from_many_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The table is the same if the memory holds only a few blocks; the plan names the number of parts."""
    documents = crawl()
    (expected,) = tables(tmp_path, documents, [range(len(documents))], 0.5)
    monkeypatch.setattr(block_table, "SORTED_BLOCK", 2 * 10**8)
    monkeypatch.setattr(block_table, "PARTITIONED", 1)
    assert apply(tmp_path).equals(expected)
    assert re.search(
        r"blocks apply: \d\d blocks at a time, in \d+ parts; uses up to [\d.]+ [MG]B of memory", capsys.readouterr().err
    )


def test_too_little_memory_is_an_error_that_says_how_much_is_needed(one_batch: Path) -> None:
    """The error comes before any work and names the memory needed."""
    with pytest.raises(ResourceError, match=r"too little for matching .*b00000.vert.zst: at least \d+M is needed"):
        match(one_batch, memory=10**7)
    with pytest.raises(
        ResourceError, match=r"too little for the blocks of .*b00000.documents.*: at least \d+M is needed"
    ):
        apply(one_batch, memory=10**7)
    with pytest.raises(ResourceError, match=r"\d+ duplicate n-grams in 1 batches: at least \d+M is needed"):
        decide(one_batch, memory=10**7)


@pytest.mark.usefixtures("fresh_process")
def test_memory_for_the_longest_document_is_asked_for(one_batch: Path) -> None:
    """All matches of a document are in memory: before any work, 4 GB are refused for a page of 80 million tokens."""
    path = one_batch / "b00000.tokens.parquet"
    table = pl.read_parquet(path).with_columns(tokens=pl.lit(80_000_000, pl.UInt32))
    write_table(table, schemas.TOKENS, path)
    with pytest.raises(
        ResourceError, match=r"too little for matching .*b00000.vert.zst: at least [45]\d{3}M is needed"
    ):
        match(one_batch)


def test_a_removed_block_of_the_vertical_is_an_error_that_names_the_document(one_batch: Path) -> None:
    """A tagger that drops a <p> would shift every later verdict."""
    path = one_batch / "b00000.vert.zst"
    text = zstandard.decompress(path.read_bytes()).replace(b'<p heading="0">\n', b"", 1)
    path.write_bytes(zstandard.compress(text))
    with pytest.raises(StageFileError, match=r"b00000.vert.zst: document b00000-\d+ has .*<p>"):
        match(one_batch)


@pytest.mark.parametrize("name", ["b00000.vert.zst", "keys", "b00000.matches"])
def test_a_file_cut_short_is_an_error_that_names_it(one_batch: Path, name: str) -> None:
    """Damage at any place is an error, and no output appears."""
    path = one_batch / name
    whole = path.read_bytes()
    for size in range(0, len(whole), len(whole) // 30):
        path.write_bytes(whole[:size])
        with pytest.raises(StageFileError, match=name):
            match(one_batch) if name != "b00000.matches" else decide(one_batch)
    assert not list(one_batch.glob("*.verdicts")) + list(one_batch.glob(".*.partial"))


def test_a_changed_byte_of_matches_or_verdicts_is_an_error_that_names_the_file(one_batch: Path) -> None:
    """Changed input gives an error, never a wrong corpus."""
    decide(one_batch)
    for name in ("b00000.matches", "b00000.verdicts"):
        path = one_batch / name
        whole = path.read_bytes()
        for byte in range(0, len(whole), max(1, len(whole) // 50)):
            path.write_bytes(whole[:byte] + bytes([whole[byte] ^ 0x10]) + whole[byte + 1 :])
            with pytest.raises(StageFileError, match=name):
                apply(one_batch)
        path.write_bytes(whole)


def test_a_changed_byte_of_the_keys_is_an_error_that_names_the_file(one_batch: Path) -> None:
    """The keys are verified once for all batches, before any verdict."""
    path = one_batch / "keys"
    whole = path.read_bytes()
    for byte in range(64, len(whole), len(whole) // 20):
        path.write_bytes(whole[:byte] + bytes([whole[byte] ^ 0x10]) + whole[byte + 1 :])
        with pytest.raises(StageFileError, match="keys"):
            decide(one_batch)
    assert not list(one_batch.glob("*.verdicts"))


@pytest.mark.parametrize("later", [crawl(20, seed=8), crawl(20)[::-1]], ids=["other blocks", "as many blocks"])
def test_verdicts_of_other_matches_are_refused(one_batch: Path, later: list[Document]) -> None:
    """Verdicts that are older than the matches are refused."""
    decide(one_batch)
    write_batches(one_batch, later, [range(len(later))])
    match(one_batch)
    with pytest.raises(StageFileError, match=r"b00000.verdicts was not made from .*b00000.matches"):
        apply(one_batch)


def test_matches_of_other_keys_are_refused(one_batch: Path) -> None:
    """Matches that are older than the n-grams are refused."""
    write_keys(one_batch, crawl(20, seed=8))
    with pytest.raises(StageFileError, match=r"b00000.matches: it was made with other duplicate n-grams"):
        decide(one_batch)


def test_missing_files_are_errors_that_name_them(one_batch: Path) -> None:
    """Missing matches, tables and verticals are named."""
    with pytest.raises(StageFileError, match=r"b00001.matches: no such file; run `blocks match` first"):
        decide(one_batch, batches=2)
    for name in ("b00000.boilerplate.parquet", "b00000.documents.parquet", "b00000.vert.zst"):
        (one_batch / name).rename(one_batch / "away")
        with pytest.raises(StageFileError, match=f"{name}: no such file"):
            match(one_batch)
        (one_batch / "away").rename(one_batch / name)


def test_tables_of_another_batch_are_refused(one_batch: Path) -> None:
    """Documents and tokens of different verticals are refused."""
    table = pl.read_parquet(one_batch / "b00000.documents.parquet")
    write_table(table.head(5), schemas.DOCUMENTS, one_batch / "b00000.documents.parquet")
    with pytest.raises(StageFileError, match="does not describe the documents of"):
        match(one_batch)


def test_more_batches_than_a_process_may_open_files(tmp_path: Path) -> None:
    """A corpus of ten thousand batches: files are not kept open."""
    documents = crawl(90)
    write_batches(tmp_path, documents, [[number] for number in range(90)])
    for number in range(90):
        match(tmp_path, f"b{number:05}")
    script = f"""
import resource
resource.setrlimit(resource.RLIMIT_NOFILE, (40, 40))
from pathlib import Path
from corpusprep.dedup.decisions import verdicts
folder = Path({str(tmp_path)!r})
names = [f"b{{b:05}}" for b in range(90)]
matches = {{name: folder / f"{{name}}.matches" for name in names}}
verdicts(matches, folder / "keys", folder, **{DEFAULTS})
"""
    subprocess.run([sys.executable, "-c", script], check=True, capture_output=True)
    assert len(list(tmp_path.glob("*.verdicts"))) == 90
