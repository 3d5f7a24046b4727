"""What comparators leave of a corpus: reading the stages' files, and the table."""

from pathlib import Path

import polars as pl
import pytest
import zstandard
from token_documents import documents_of, random_texts

from corpusprep import schemas
from corpusprep.batches import Batch, write_batches
from corpusprep.cli import main
from corpusprep.errors import StageFileError
from corpusprep.experiments import leftovers
from corpusprep.experiments.comparators.intervals import ValidIntervals
from corpusprep.experiments.comparators.resemblance import Resemblance
from corpusprep.experiments.reading import read_corpus
from corpusprep.statistics import tsv

BASE, OTHER = random_texts(2, 100, seed=21)


def vertical(texts: dict[str, list[str]]) -> bytes:
    """Documents as the stages write them, compressed."""
    lines = "".join(
        f'<doc id="{name}" url="u">\n<p heading="0">\n' + "".join(f"{token}\n" for token in text) + "</p>\n</doc>\n"
        for name, text in texts.items()
    )
    return zstandard.compress(lines.encode())


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Two batches; `d` is an exact duplicate of `a`; in the stable order `c` comes first."""
    batches = {
        "b0": ({"a": BASE, "d": BASE}, ["kept", "exact_duplicate"], [2, 3]),
        "b1": ({"b": OTHER[:50] + BASE[:50], "c": [*BASE[:99], "end"]}, ["kept", "kept"], [1, 0]),
    }
    write_batches([Batch(name, (Path("x"),), (1,)) for name in batches], tmp_path / "batches.tsv")
    for folder in ("tokens", "documents", "corpus"):
        (tmp_path / folder).mkdir()
    for name, (texts, verdicts, ranks) in batches.items():
        (tmp_path / "tokens" / f"{name}.vert.zst").write_bytes(vertical(texts))
        (tmp_path / "corpus" / f"{name}.vert.zst").write_bytes(vertical({k: t for k, t in texts.items() if k == "a"}))
        rows = [
            (name, i, i, verdict, None, rank) for i, (verdict, rank) in enumerate(zip(verdicts, ranks, strict=True))
        ]
        frame = pl.DataFrame(rows, schema=schemas.DOCUMENTS, orient="row")
        schemas.write(frame, schemas.DOCUMENTS, tmp_path / "documents" / f"{name}.parquet")
    return tmp_path


def test_a_corpus_is_read_in_its_stable_order(corpus: Path) -> None:
    """Without exact duplicates, each document whole."""
    documents = read_corpus(corpus)
    assert documents.names == ("c", "b", "a")
    texts = [[*BASE[:99], "end"], OTHER[:50] + BASE[:50], BASE]
    assert [documents.lexicon[word] for word in documents.words] == [word for text in texts for word in text]
    assert documents.offsets.tolist() == [0, 100, 200, 300]
    assert documents.places.tolist() == [*range(100)] * 3


def test_files_of_different_runs_are_an_error(corpus: Path) -> None:
    """A vertical with more documents than its table."""
    (corpus / "tokens" / "b0.vert.zst").write_bytes(vertical(dict.fromkeys("adx", BASE)))
    with pytest.raises(StageFileError, match=r"b0\.vert\.zst: its documents are not those of"):
        read_corpus(corpus)


def test_what_is_left() -> None:
    """Documents or passages go, and with them their n-grams."""
    documents = documents_of([[*BASE[:99], "end"], OTHER[:50] + BASE[:50], BASE])
    none, exact, passages = leftovers.measure(documents, [Resemblance(threshold=0.9), ValidIntervals()])
    # 10-grams: 90 of the first and third share, 41 of which the second has, too.
    assert none[3:5] == (300, 90 * 2 + 41)
    assert exact[2:5] == (1, 200, 41 * 2)
    assert passages[2:5] == (3, 100 + 50 + 1, 0)


def test_the_command_writes_the_table(corpus: Path, tmp_path: Path) -> None:
    """Every comparator, the corpus before, and block de-duplication."""
    with pytest.raises(SystemExit) as end:
        main(["experiments", "comparators", "--corpus-dir", str(corpus), "--output", str(tmp_path / "out.tsv")])
    assert not end.value.code
    rows = tsv.read(tmp_path / "out.tsv", leftovers.COLUMNS)
    assert rows[0]["method"] == "none"
    assert rows[0]["duplicate_10grams_left"] == str(90 * 2 + 41)
    assert rows[-1] | {"method": "blocks", "tokens_left": "100", "duplicate_10grams_left": "0"} == rows[-1]
