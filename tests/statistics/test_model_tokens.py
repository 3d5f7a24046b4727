"""The table of tokens of a model."""

from pathlib import Path

import polars as pl
import pytest
from support import corpus_fixture as fixture
from support.counting import compute

from corpusprep.io import tsv
from corpusprep.report.corpus_statistics import CorpusStatistics
from corpusprep.tables import schemas
from corpusprep.tables.batch_files import BatchFiles
from corpusprep.tables.writing import write_table


@pytest.mark.parametrize("filtered", [False, True])
@pytest.mark.parametrize("at_once", [10, 10**6])
def test_the_sums_of_the_corpus(tmp_path: Path, at_once: int, filtered: bool) -> None:
    """Of documents that stay, also of those that a filter leaves, in any parts; the report shows the table."""
    corpus = fixture.write(tmp_path / "c", fixture.draw(seed=3, batches=2, records=30))
    counted = {name: [] for name in corpus.batches}
    for name, records in corpus.batches.items():
        counted[name] = [number for number, record in enumerate(records) if record.kept_blocks]
        if filtered:
            verdicts = {number: "words" if number % 3 else "kept" for number in counted[name]}
            counted[name] = [number for number, verdict in verdicts.items() if verdict == "kept"]
            decided = [{"batch": name, "record": number, "verdict": verdict} for number, verdict in verdicts.items()]
            quality = pl.DataFrame(decided).select(
                pl.col(column).cast(dtype) if column in decided[0] else pl.lit(None, dtype).alias(column)
                for column, dtype in schemas.QUALITY.items()
            )
            write_table(quality, schemas.QUALITY, BatchFiles.of(corpus.folder, name).quality)
        rows = [{"batch": name, "record": number, "model_tokens": 100 + number} for number in counted[name]]
        table = pl.DataFrame(rows, schema=schemas.SUBWORDS)
        write_table(table, schemas.SUBWORDS, BatchFiles.of(corpus.folder, name).subwords)
    compute(corpus.folder, corpus.folder / "statistics", with_subwords=True, rows_at_once=at_once)
    [row] = tsv.read(corpus.folder / "statistics" / "model_tokens.tsv")
    kept = [
        block
        for name, numbers in counted.items()
        for number in numbers
        for block in corpus.batches[name][number].kept_blocks
    ]
    model = sum(100 + number for numbers in counted.values() for number in numbers)
    words = sum(block.words for block in kept)
    assert row == {
        "documents": str(sum(map(len, counted.values()))),
        "words": str(words),
        "tokens": str(sum(block.tokens for block in kept)),
        "model_tokens": str(model),
        "model_tokens_per_word": f"{model / words:.2f}",
    }
    shown = CorpusStatistics.read(corpus.folder / "statistics").others
    assert [table.title for table in shown] == ["Tokens of a model"]


def test_without_a_tokeniser_there_is_no_row(tmp_path: Path) -> None:
    """Though counts of an earlier run are there; the report has no section."""
    corpus = fixture.write(tmp_path / "c", fixture.draw(seed=3, batches=1, records=20))
    BatchFiles.of(corpus.folder, next(iter(corpus.batches))).subwords.parent.mkdir()
    compute(corpus.folder, corpus.folder / "statistics")
    assert tsv.read(corpus.folder / "statistics" / "model_tokens.tsv") == []
    assert CorpusStatistics.read(corpus.folder / "statistics").others == []
