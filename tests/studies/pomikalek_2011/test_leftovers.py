"""The text that comparators leave in a corpus, and its table."""

from pathlib import Path

import polars as pl
import pytest
from support.block_stage import crawl
from support.experiment_corpora import write
from support.token_documents import documents_of, random_texts

from corpusprep.commands.application import main
from corpusprep.dedup.ngram_keys import NgramKeys
from corpusprep.io import tsv
from corpusprep.io.times import COLUMNS as TIMES
from corpusprep.reuse.intervals import ValidIntervals
from corpusprep.tables import schemas
from corpusprep.tables.reading import read_table
from corpusprep.tables.writing import write_table
from studies.pomikalek_2011.chapter_3 import leftovers
from studies.pomikalek_2011.chapter_3.comparators.resemblance import Resemblance
from studies.pomikalek_2011.chapter_3.corpus import TOKENS
from studies.pomikalek_2011.chapter_3.removal import duplicate_instances

pytestmark = pytest.mark.usefixtures("fresh_process")

BASE, OTHER = random_texts(2, 100, seed=21)
DOCUMENTS = crawl(40)


def test_removed_text_is_not_counted() -> None:
    """Removed documents and passages also remove their n-grams."""
    documents = documents_of([[*BASE[:99], "end"], OTHER[:50] + BASE[:50], BASE])
    none, exact, passages = leftovers.measure(documents, [Resemblance(threshold=0.9), ValidIntervals()])
    # 10-grams: the first and third share 90, the second has 41 of them.
    assert (none.tokens, none.duplicates) == (300, 90 * 2 + 41)
    assert (exact.pairs, exact.tokens, exact.duplicates) == (1, 200, 41 * 2)
    assert (passages.pairs, passages.tokens, passages.duplicates) == (3, 100 + 50 + 1, 0)


def test_memory_does_not_grow_with_pairs() -> None:
    """3,000 copies are 4.5 million pairs, which would take 100 MB."""
    documents = documents_of([BASE[:12]] * 3_000)
    exact = Resemblance()
    _, warm = leftovers.measure(documents, [exact])
    assert warm.pairs == 3_000 * 2_999 // 2
    assert warm.tokens == 12
    few = documents_of(random_texts(3_000, 12, seed=3))
    _, without = leftovers.measure(few, [exact])
    if warm.peak is None or without.peak is None:
        pytest.skip("the system does not say what a process held")
    assert without.pairs == 0
    assert warm.peak - without.peak < 40


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Two batches; de-duplication keeps the first block of each document."""
    for name in write(tmp_path, DOCUMENTS, [[*range(39, 19, -1)], [*range(20)]]):
        tokens = read_table(tmp_path / "experiments" / "tokens" / f"{name}.parquet", TOKENS)
        blocks = tokens.select("document", pl.col("blocks").alias("tokens")).explode("tokens").drop_nulls()
        number = pl.int_range(pl.len(), dtype=pl.UInt32).over("document")
        verdict = pl.when(number == 0).then(pl.lit("kept")).otherwise(pl.lit("duplicate"))
        counts = {name: pl.col("tokens") for name in ("counted_tokens", "covered_tokens")}
        keys = {"batch": pl.lit(name), "record": pl.col("document")}
        table = blocks.with_columns(block=number, verdict=verdict, **counts, **keys)
        write_table(table, schemas.BLOCKS, tmp_path / "blocks" / f"{name}.parquet")
    path = tmp_path / "ngrams" / "counted" / "duplicates.keys"
    NgramKeys.write(path, 10, range(65), [2] * 65, ngrams=0, tokens=0)
    return tmp_path


def table(folder: Path, *options: str) -> tuple[object, list[dict[str, str]]]:
    """Exit code and rows of `corpusprep studies experiments comparators`."""
    output = folder / "out.tsv"
    with pytest.raises(SystemExit) as end:
        main(["studies", "experiments", "comparators", str(folder), "--output", str(output), *options])
    return end.value.code, tsv.read(output, leftovers.COLUMNS) if output.exists() else []


def test_the_command_writes_the_table(corpus: Path) -> None:
    """Rows for the corpus before, every comparator, and block de-duplication with the time and memory of its jobs."""
    for stage, seconds, peak in (("ngrams", "1.5", "90.0"), ("blocks", "2.0", "120.4")):
        for job in ("one", "two"):
            tsv.write(corpus / "times" / stage / f"{job}.tsv", TIMES, [("9", seconds, peak)])
    code, rows = table(corpus)
    assert not code
    texts = [[block.tokens for block in document.good] for document in DOCUMENTS if document.kept]
    before = documents_of([[token for block in text for token in block] for text in texts])
    after = documents_of([text[0] if text else () for text in texts])
    for row, documents in ((rows[0], before), (rows[-1], after)):
        assert row["tokens_left"] == str(len(documents.words))
        assert row["duplicate_10grams_left"] == str(duplicate_instances(documents))
    used = {"method": "blocks", "stored_bytes": "16", "peak_memory_mb": "120", "cpu_seconds": "7.0"}
    assert rows[-1] | used == rows[-1]
    assert all(row["cpu_seconds"] for row in rows[1:])


def test_times_that_are_missing_leave_their_cells_empty(corpus: Path) -> None:
    """For a corpus whose stages were run by hand."""
    _, rows = table(corpus)
    assert (rows[-1]["peak_memory_mb"], rows[-1]["cpu_seconds"]) == ("", "")


def test_a_corpus_that_is_too_large_is_refused(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Before any comparator runs; the message names the setting and the value it needs."""
    assert table(corpus, "--memory", "1M") == (1, [])
    assert "memory of 1M is too little for experiments on" in capsys.readouterr().err
