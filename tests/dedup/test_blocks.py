"""The stage `blocks`: from a batch's stage files to its table of blocks."""

import random
import re
import subprocess
import sys
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import click.testing
import numpy as np
import polars as pl
import pytest
import zstandard
from support import block_corpora as corpora
from support.block_corpora import Block, Document, page
from support.corpus_layout import lay_out

from corpusprep.commands import blocks as stage
from corpusprep.dedup import block_verdicts as decided_blocks
from corpusprep.dedup.block_verdicts import write_blocks
from corpusprep.dedup.decisions import verdicts as decide_corpus
from corpusprep.dedup.matches import match as match_batch
from corpusprep.dedup.ngram_keys import NgramKeys
from corpusprep.errors import ResourceError, StageFileError
from corpusprep.tables import schemas
from corpusprep.tables.batch_files import BatchFiles

N = 3
GIGABYTE = 1 << 30
Batches = Sequence[Sequence[int]]


def crawl(documents: int = 120, seed: int = 7) -> list[Document]:
    """Pages made of a few texts, some of them changed; the same for the same seed."""
    chance = random.Random(seed)
    words = [f"w{i}" for i in range(40)] + ["the", "."]
    pool = [tuple(chance.choices(words, k=chance.randint(0, 30))) for _ in range(60)]
    made = []
    for _ in range(documents):
        texts = chance.choices(pool, k=chance.randint(0, 9))
        texts = [text + tuple(chance.choices(words, k=chance.choice([0, 0, 3]))) for text in texts]
        classes = chance.choices(list(corpora.CODES), [2, 3, 2, 5], k=len(texts))
        made.append(Document(tuple(map(Block, classes, texts)), kept=chance.random() < 0.9))
    return made


def write_keys(folder: Path, documents: Sequence[Document]) -> None:
    """The file of duplicate n-grams; de-duplication does not read the counts in it."""
    keys = corpora.sorted_keys(documents, N)
    NgramKeys.write(folder / "keys", N, keys, np.full(len(keys), 2), ngrams=0, tokens=0)


def write_batches(folder: Path, documents: Sequence[Document], batches: Batches) -> None:
    """The stage files of a corpus, as the stages before `blocks` write them. Record numbers leave gaps."""
    write_keys(folder, documents)
    rows = [f"b{b:05}\tcrawl-{part}.warc.gz\t100" for b in range(len(batches)) for part in "ab"]
    (folder / "batches.tsv").write_text("batch\tarchive\tbytes\n" + "\n".join(rows) + "\n")
    for number, batch in enumerate(batches):
        name = f"b{number:05}"
        members = [documents[document] for document in batch]
        (folder / f"{name}.vert.zst").write_bytes(zstandard.compress(corpora.vertical(members)))
        records = [3 * document + 1 for document in range(len(batch))]
        frame = pl.DataFrame(
            {
                "batch": name,
                "record": records,
                "document": range(len(batch)),
                "id": [f"{name}-{record}" for record in records],
                "tokens": [sum(len(block.tokens) for block in document.good) for document in members],
                "verdict": ["kept" if document.kept else "exact_duplicate" for document in members],
                "rank": batch,
            },
            schema_overrides={"record": pl.UInt32},
        )
        others = (schemas.TOKENS | schemas.DOCUMENTS).keys() - frame.columns  # not read here
        frame = frame.with_columns(pl.lit(None).alias(column) for column in sorted(others))
        schemas.write(frame, schemas.TOKENS, folder / f"{name}.tokens.parquet")
        schemas.write(frame, schemas.DOCUMENTS, folder / f"{name}.documents.parquet")
        # Pages that `language` did not keep have blocks too.
        pages = zip([0, *records], [page(("good", "in another language")), *members], strict=True)
        blocks = [
            (name, record, block, "p", False, "", 0, 0.0, 0.0, part.context_free, label, "")
            for record, document in pages
            for block, (part, label) in enumerate(zip(document.blocks, document.labels, strict=True))
        ]
        table = pl.DataFrame(blocks, schema=schemas.BOILERPLATE, orient="row")
        schemas.write(table, schemas.BOILERPLATE, folder / f"{name}.boilerplate.parquet")


def match(folder: Path, name: str = "b00000", memory: int = 4 * GIGABYTE, threads: int = 1) -> None:
    """Runs the first step on one batch."""
    match_batch(
        folder / f"{name}.vert.zst",
        folder / f"{name}.documents.parquet",
        folder / f"{name}.boilerplate.parquet",
        folder / f"{name}.tokens.parquet",
        folder / "keys",
        folder / f"{name}.matches",
        stop_words=corpora.STOP_WORDS,
        memory=memory,
        threads=threads,
    )


def decide(folder: Path, batches: int = 1, threshold: float = 0.5) -> None:
    """Runs the second step."""
    names = [f"b{b:05}" for b in range(batches)]
    matches = {name: folder / f"{name}.matches" for name in names}
    decide_corpus(matches, folder / "keys", folder, threshold=threshold)


def apply(folder: Path, name: str = "b00000", memory: int = 4 * GIGABYTE) -> pl.DataFrame:
    """Runs the third step on one batch, and gives the table it writes."""
    write_blocks(
        folder / f"{name}.verdicts",
        folder / f"{name}.matches",
        folder / f"{name}.tokens.parquet",
        folder / f"{name}.boilerplate.parquet",
        folder / f"{name}.documents.parquet",
        folder / f"{name}.parquet",
        memory,
    )
    return schemas.read(folder / f"{name}.parquet", schemas.BLOCKS)


def tables(folder: Path, documents: Sequence[Document], batches: Batches, threshold: float) -> list[pl.DataFrame]:
    """The tables of all batches."""
    write_batches(folder, documents, batches)
    names = [f"b{b:05}" for b in range(len(batches))]
    for name in names:
        match(folder, name)
    decide(folder, len(batches), threshold)
    return [apply(folder, name) for name in names]


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
    corpus = ["--corpus-dir", str(tmp_path / "corpus"), "--memory", "4G"]
    for step in (["match", "--batch", "b00000", "--model", "en"], ["verdicts"], ["apply", "--batch", "b00000"]):
        result = click.testing.CliRunner().invoke(stage.command, [*step, *corpus])
        assert result.exit_code == 0, result.output
    table = pl.read_parquet(BatchFiles.of(tmp_path / "corpus", "b00000").blocks)
    assert table.schema == schemas.BLOCKS
    assert len(table) > 100


def test_result_is_the_same_in_small_memory(tmp_path: Path) -> None:
    """Several chunks, and runs sorted on disk, within a limit that the batch does not fit in."""
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
    def begin_join(self):
        joins.append(1)
        super().begin_join()
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
    """To a byte of the matches."""
    before = (one_batch / "b00000.matches").read_bytes()
    (one_batch / "b00000.matches").unlink()
    match(one_batch, threads=2)
    assert (one_batch / "b00000.matches").read_bytes() == before


def test_blocks_come_in_order_from_many_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The table is the same where the memory holds a few blocks at once, and says before in how many parts."""
    documents = crawl()
    (expected,) = tables(tmp_path, documents, [range(len(documents))], 0.5)
    monkeypatch.setattr(decided_blocks, "SORTED_BLOCK", 2 * 10**8)
    monkeypatch.setattr(decided_blocks, "DEALT", 1)
    assert apply(tmp_path).equals(expected)
    assert re.search(r"blocks apply: \d\d blocks at once, \d+ parts; memory up to", capsys.readouterr().err)


def test_too_little_memory_is_an_error_that_says_how_much_is_needed(one_batch: Path) -> None:
    """Before any work, and with a figure."""
    with pytest.raises(ResourceError, match=r"too little for matching .*b00000.vert.zst: at least \d+M is needed"):
        match(one_batch, memory=10**7)
    with pytest.raises(
        ResourceError, match=r"too little for the blocks of .*b00000.documents.*: at least \d+M is needed"
    ):
        apply(one_batch, memory=10**7)
    with pytest.raises(ResourceError, match=r"\d+ duplicate n-grams in 1 batches: at least \d+M is needed"):
        decide_corpus({"b00000": one_batch / "b00000.matches"}, one_batch / "keys", one_batch, memory=10**7)


def test_memory_for_the_longest_document_is_asked_for(one_batch: Path) -> None:
    """All its matches are held: before any work, a batch with a page of 80 million tokens is refused 4 GB."""
    path = one_batch / "b00000.tokens.parquet"
    table = pl.read_parquet(path).with_columns(tokens=pl.lit(80_000_000, pl.UInt32))
    schemas.write(table, schemas.TOKENS, path)
    with pytest.raises(
        ResourceError, match=r"too little for matching .*b00000.vert.zst: at least [45]\d{3}M is needed"
    ):
        match(one_batch)


def test_a_removed_block_of_the_vertical_is_an_error_that_names_the_document(one_batch: Path) -> None:
    """A tagger that drops a <p> would shift every verdict behind it."""
    path = one_batch / "b00000.vert.zst"
    text = zstandard.decompress(path.read_bytes()).replace(b'<p heading="0">\n', b"", 1)
    path.write_bytes(zstandard.compress(text))
    with pytest.raises(StageFileError, match=r"b00000.vert.zst: document b00000-\d+ has .*<p>"):
        match(one_batch)


@pytest.mark.parametrize("name", ["b00000.vert.zst", "keys", "b00000.matches"])
def test_a_file_cut_short_is_an_error_that_names_it(one_batch: Path, name: str) -> None:
    """At any place, and no output appears."""
    path = one_batch / name
    whole = path.read_bytes()
    for size in range(0, len(whole), len(whole) // 30):
        path.write_bytes(whole[:size])
        with pytest.raises(StageFileError, match=name):
            match(one_batch) if name != "b00000.matches" else decide(one_batch)
    assert not list(one_batch.glob("*.verdicts")) + list(one_batch.glob(".*.partial"))


def test_a_changed_byte_of_matches_or_verdicts_is_an_error_that_names_the_file(one_batch: Path) -> None:
    """Never a wrong corpus."""
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


def test_verdicts_of_other_matches_are_refused(one_batch: Path) -> None:
    """Verdicts left over from before the batch was matched again."""
    decide(one_batch)
    documents = crawl(20, seed=8)
    write_batches(one_batch, documents, [range(len(documents))])
    match(one_batch)
    with pytest.raises(StageFileError, match=r"b00000.verdicts was not made from .*b00000.matches"):
        apply(one_batch)


def test_matches_of_other_keys_are_refused(one_batch: Path) -> None:
    """Matches left over from before the n-grams were found again."""
    write_keys(one_batch, crawl(20, seed=8))
    with pytest.raises(StageFileError, match=r"b00000.matches was made with other duplicate n-grams"):
        decide(one_batch)


def test_missing_files_are_errors_that_name_them(one_batch: Path) -> None:
    """Matches of a batch, a table, a vertical."""
    with pytest.raises(StageFileError, match=r"b00001.matches: no such file; run `blocks match` first"):
        decide(one_batch, batches=2)
    for name in ("b00000.boilerplate.parquet", "b00000.documents.parquet", "b00000.vert.zst"):
        (one_batch / name).rename(one_batch / "away")
        with pytest.raises(StageFileError, match=f"{name}: no such file"):
            match(one_batch)
        (one_batch / "away").rename(one_batch / name)


def test_tables_of_another_batch_are_refused(one_batch: Path) -> None:
    """Documents of one vertical, tokens of another."""
    table = pl.read_parquet(one_batch / "b00000.documents.parquet")
    schemas.write(table.head(5), schemas.DOCUMENTS, one_batch / "b00000.documents.parquet")
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
verdicts({{name: folder / f"{{name}}.matches" for name in names}}, folder / "keys", folder)
"""
    subprocess.run([sys.executable, "-c", script], check=True, capture_output=True)
    assert len(list(tmp_path.glob("*.verdicts"))) == 90
