"""De-duplication with many kinds of n-grams, compared with a plain sequential algorithm."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from support.block_corpora import STOP_WORDS, BlockResult, Document, as_written, sequential, whole_documents
from support.block_stage import crawl
from support.experiment_corpora import GIGABYTE, ngram_counts, read, write

from corpusprep.dedup.all_ngrams import DuplicateCounts
from corpusprep.dedup.ngram_keys import NgramKeys
from corpusprep.errors import StageFileError
from corpusprep.io.memory import used
from studies.pomikalek_2011.chapter_3.grid import CHOICES, Left, deduplicate, duplicates, same_duplicates

DOCUMENTS = crawl(100)
N = 3


def run(folder: Path, batches: list[list[int]], thresholds: list[float], **options: object) -> list[Left]:
    """The rows for the kind of n-grams that the plain algorithm supports."""
    names = write(folder, DOCUMENTS, batches)
    return deduplicate(
        read(folder, names),
        folder,
        names,
        n=N,
        count_punctuation=False,
        stop_words=STOP_WORDS,
        thresholds=thresholds,
        memory=used() + GIGABYTE,  # other tests in this process may have held some
        scratch=folder / "experiments",
        **options,  # type: ignore[arg-type]
    )


def left(documents: list[Document], results: dict[int, list[BlockResult]]) -> tuple[int, int]:
    """The tokens and duplicate 10-grams left by a plain algorithm."""
    texts = [
        [token for block, (_, verdict) in zip(documents[number].good, verdicts, strict=True) if verdict == "kept"
         for token in block.tokens]
        for number, verdicts in results.items()
    ]  # fmt: skip
    counts = ngram_counts(texts, 10)
    return sum(map(len, texts)), sum(count for count in counts.values() if count > 1)


def test_rows_are_those_of_the_sequential_algorithm(tmp_path: Path) -> None:
    """For each threshold and any batches; only the tables of tokens stay on disk."""
    rows = run(tmp_path, [[*range(50)], [*range(99, 49, -1)]], [1.0, 0.5, 0.1])
    for row in rows:
        expected = sequential(DOCUMENTS, N, Fraction(str(row.threshold)))
        assert (row.tokens, row.duplicate_10grams) == left(DOCUMENTS, expected)
    assert [row.threshold for row in rows] == [1.0, 0.5, 0.1]
    assert rows[0].tokens > rows[2].tokens > 0
    assert rows == run(tmp_path / "one", [[*range(100)]], [1.0, 0.5, 0.1])
    assert [path.name for path in (tmp_path / "experiments").iterdir()] == ["tokens"]


def test_other_choices_have_rows_of_their_own(tmp_path: Path) -> None:
    """Each leaves what its plain algorithm leaves, at each threshold; the default comes first."""
    half = Fraction(1, 2)
    rows = run(tmp_path, [[*range(50)], [*range(99, 49, -1)]], [0.5, 0.1], choices=tuple(CHOICES))
    assert [(row.threshold, row.choice) for row in rows] == [(at, name) for at in (0.5, 0.1) for name in CHOICES]
    found = {row.choice: (row.tokens, row.duplicate_10grams) for row in rows if row.threshold == 0.5}
    assert found[""] == left(DOCUMENTS, sequential(DOCUMENTS, N, half))
    assert found["as written"] == left(DOCUMENTS, as_written(DOCUMENTS, N, half))
    assert found["whole documents"] == left(DOCUMENTS, whole_documents(DOCUMENTS, N, half))
    assert len(set(found.values())) == len(CHOICES)


def test_ngrams_used_are_those_of_the_stage(tmp_path: Path) -> None:
    """Its file of keys is accepted; a file without one of the n-grams, or with another count, is an error."""
    names = write(tmp_path, DOCUMENTS, [[*range(100)]])
    documents = read(tmp_path, names).documents
    keys, counts, ngrams = duplicates(documents, N)
    texts = [[token for block in document.good for token in block.tokens] for document in DOCUMENTS if document.kept]
    expected = {gram: count for gram, count in ngram_counts(texts, N).items() if count > 1}
    assert (len(keys), int(counts.sum()), ngrams) == (
        len(expected),
        sum(expected.values()),
        sum(ngram_counts(texts, N).values()),
    )
    NgramKeys.write(tmp_path / "same.keys", N, keys, counts, ngrams=0, tokens=0)
    same_duplicates(keys, counts, tmp_path / "same.keys", "sorting")
    for other, others in ((keys[1:], counts[1:]), (keys, counts + (np.arange(len(counts)) == 3))):
        NgramKeys.write(tmp_path / "other.keys", N, other, others, ngrams=0, tokens=0)
        with pytest.raises(StageFileError, match="the stage ngrams found"):
            same_duplicates(keys, counts, tmp_path / "other.keys", "sorting")


def test_a_run_that_leaves_another_corpus_is_an_error(tmp_path: Path) -> None:
    """The run with the corpus's own settings must leave the same tokens and n-grams as the workflow."""
    (row,) = run(tmp_path / "first", [[*range(100)]], [0.5])
    for name, tokens in (("same.tsv", row.tokens), ("other.tsv", row.tokens + 1)):
        DuplicateCounts(10, tokens, 1, row.duplicate_10grams).write(tmp_path / name)
    assert run(tmp_path / "second", [[*range(100)]], [0.5], result=(0.5, tmp_path / "same.tsv")) == [row]
    with pytest.raises(StageFileError, match="the files belong to different runs"):
        run(tmp_path / "third", [[*range(100)]], [0.5], result=(0.5, tmp_path / "other.tsv"))
