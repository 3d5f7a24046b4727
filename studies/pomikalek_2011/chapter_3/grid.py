"""De-duplicates blocks with many kinds of n-grams and thresholds (Pomikálek 2011, 3.6.4, tables 3.4 to 3.6).

The n-grams and their matches are found once for all thresholds. De-duplication is the code of the stage `blocks`, on
the same files.
"""

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

from corpusprep import languages
from corpusprep.archive.batches import batch_names
from corpusprep.dedup.all_ngrams import DuplicateCounts
from corpusprep.dedup.block_table import write_blocks
from corpusprep.dedup.decisions import verdicts as decide
from corpusprep.dedup.matches import match
from corpusprep.dedup.ngram_keys import NgramKeys
from corpusprep.errors import StageFileError
from corpusprep.reuse.documents import Documents
from corpusprep.tables import schemas
from corpusprep.tables.reading import read_table
from studies.pomikalek_2011.chapter_3 import measured
from studies.pomikalek_2011.chapter_3.corpus import TokenCorpus, selected
from studies.pomikalek_2011.chapter_3.removal import duplicate_instances


class Choices(TypedDict):
    """How blocks are de-duplicated (dedup.decisions.verdicts)."""

    unit: str
    smoothing: bool
    as_written: bool


THRESHOLDS = (0.5, 0.25, 0.1)
_CHOSEN: Choices = {"unit": "block", "smoothing": True, "as_written": False}
#: The other choices of block de-duplication, which are measured with one kind of n-grams; "" is the choice of corpora.
CHOICES: Mapping[str, Choices] = {
    "": _CHOSEN,
    "as written": {**_CHOSEN, "as_written": True},
    "without smoothing": {**_CHOSEN, "smoothing": False},
    "whole documents": {**_CHOSEN, "unit": "document"},
    "documents, then blocks": {**_CHOSEN, "unit": "both"},
}
#: The kind of n-grams of the thesis's corpora, as in NGRAMS (3.6.5).
CHOSEN = (10, True, True)
#: The kinds of n-grams, in the order of the tables: n, whether stop words are left out, whether punctuation is.
NGRAMS = tuple((n, stop, punctuation) for stop, punctuation, n in product((True, False), (True, False), (10, 7, 5, 3)))


@dataclass(slots=True, frozen=True)
class Left:
    """What a run leaves of a corpus: the kind of n-grams, the threshold, a choice, and the counts afterwards."""

    n: int
    exclude_stopwords: bool
    exclude_punctuation: bool
    threshold: float
    ngrams_used: int  # distinct duplicate n-grams that the algorithm holds
    tokens: int
    duplicate_10grams: int  # instances, of all tokens
    choice: str = ""  # of CHOICES


def write(
    corpus_dir: Path,
    output: Path,
    *,
    n: int,
    count_punctuation: bool,
    stop_words_of: str | None,
    thresholds: Sequence[float],
    memory: int,
    expected: Path | None = None,
    result: tuple[float, Path] | None = None,
) -> None:
    """Writes the table of Left, one row per threshold and choice; raises as `deduplicate` does.

    Only the kind of n-grams CHOSEN is measured with all CHOICES.

    Args:
        corpus_dir: the folder of the corpus's stage files.
        output: the table; temporary files are written beside it.
        n: words in an n-gram.
        count_punctuation: whether tokens that start with punctuation or a symbol count.
        stop_words_of: the corpus language, a .model file or a built-in language's code, to leave out its stop words;
            None counts them.
        thresholds: shares from which a block is a duplicate.
        memory: bytes that the process may use.
        expected: see `deduplicate`.
        result: see `deduplicate`.
    """
    stop_words = None if stop_words_of is None else sorted(languages.get(stop_words_of).stop_words)
    rows = deduplicate(
        TokenCorpus.of_folder(corpus_dir, memory),
        corpus_dir,
        batch_names(corpus_dir / "batches.tsv"),
        n=n,
        count_punctuation=count_punctuation,
        stop_words=stop_words,
        thresholds=thresholds,
        choices=tuple(CHOICES if (n, stop_words is not None, not count_punctuation) == CHOSEN else [""]),
        memory=memory,
        scratch=output.parent,
        expected=expected,
        result=result,
    )
    measured.write(output, Left, rows)


def duplicates(chosen: Documents, n: int) -> tuple[NDArray[np.uint64], NDArray[np.uint32], int]:
    """Returns the n-grams that occur twice or more (keys, ascending, and counts), and the number of all n-grams."""
    keys = np.sort(chosen.ngrams(n)[0].keys)
    starts = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]])) if len(keys) else np.empty(0, np.int64)
    counts = np.diff(starts, append=len(keys))
    several = counts > 1
    return keys[starts[several]], counts[several].astype(np.uint32), len(keys)


def deduplicate(
    corpus: TokenCorpus,
    folder: Path,
    batches: Sequence[str],
    *,
    n: int,
    count_punctuation: bool,
    stop_words: Sequence[str] | None,
    thresholds: Sequence[float],
    choices: Sequence[str] = ("",),
    memory: int,
    scratch: Path,
    expected: Path | None = None,
    result: tuple[float, Path] | None = None,
) -> list[Left]:
    """De-duplicates the corpus once for each threshold and choice.

    Args:
        corpus: its tokens.
        folder: its stage files.
        batches: the names of its batches.
        n: words in an n-gram.
        count_punctuation: whether tokens that start with punctuation or a symbol count.
        stop_words: tokens that do not count; None counts stop words.
        thresholds: shares from which a block is a duplicate.
        choices: names of CHOICES.
        memory: bytes that the process may use.
        scratch: folder for temporary files, which are removed at the end.
        expected: a file of keys that must hold the same n-grams.
        result: a threshold, and the keys of the duplicate 10-grams of all tokens in the workflow's corpus. The run at
            this threshold must leave the same numbers of tokens and duplicate 10-grams.

    Raises:
        StageFileError: a stage file is missing or damaged, the n-grams differ from `expected`, or the counts
            differ from `result`.
        ResourceError: `memory` is too small.
    """
    chosen = selected(corpus.documents, punctuation=count_punctuation, stop_words=stop_words or ())
    keys, counts, ngrams = duplicates(chosen, n)
    if expected is not None:
        same_duplicates(keys, counts, expected, f"{n}-grams by sorting keys")
    scratch.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=scratch) as place:
        work = Path(place)
        NgramKeys.write(work / "duplicates.keys", n, keys, counts, ngrams=ngrams, tokens=len(chosen.words))
        del chosen
        matches = {batch: work / f"{batch}.matches" for batch in batches}
        for batch in batches:
            match(
                folder / "tokens" / f"{batch}.vert.zst",
                folder / "documents" / f"{batch}.parquet",
                folder / "boilerplate" / f"{batch}.parquet",
                folder / "tokens" / f"{batch}.parquet",
                work / "duplicates.keys",
                matches[batch],
                stop_words=stop_words or (),
                count_punctuation=count_punctuation,
                memory=memory,
            )
        rows = []
        for threshold, choice in product(thresholds, choices):
            decide(matches, work / "duplicates.keys", work, threshold=threshold, **CHOICES[choice])
            tables = {}
            for batch in batches:
                table = work / f"{batch}.parquet"
                write_blocks(
                    work / f"{batch}.verdicts",
                    matches[batch],
                    folder / "tokens" / f"{batch}.parquet",
                    folder / "boilerplate" / f"{batch}.parquet",
                    folder / "documents" / f"{batch}.parquet",
                    table,
                    memory,
                    mark=False,
                )
                tables[batch] = read_table(table, schemas.BLOCKS)
            kept = corpus.kept_tokens(tables)
            left = duplicate_instances(corpus.documents.keep(kept))
            tokens = int(np.count_nonzero(kept))
            kind = (n, stop_words is not None, not count_punctuation)
            rows.append(Left(*kind, threshold, len(keys), tokens, left, choice))
    if result is not None:
        _same_result(rows, *result)
    return rows


def _same_result(rows: Sequence[Left], threshold: float, after: Path) -> None:
    stored = DuplicateCounts.read(after)
    for row in rows:
        if (
            row.threshold == threshold
            and not row.choice
            and (row.tokens, row.duplicate_10grams) != (stored.tokens, stored.instances)
        ):
            raise StageFileError(
                f"{after}: the corpus has {stored.tokens} tokens and {stored.instances} duplicate 10-grams, this run "
                f"with the same settings leaves {row.tokens} and {row.duplicate_10grams}; the files belong to "
                "different runs, build the corpus again"
            )


def same_duplicates(keys: NDArray[np.uint64], counts: NDArray[np.uint32], expected: Path, method: str) -> None:
    """Checks that a method finds the duplicate n-grams that the suffix sort of the stage `ngrams` found.

    Args:
        keys: keys of the distinct duplicate n-grams, ascending.
        counts: how often each occurs.
        expected: the keys of the stage `ngrams`.
        method: name of the method in an error.

    Raises:
        StageFileError: an n-gram is missing on one side, or counts differ.
    """
    stored = NgramKeys.open(expected)
    if np.array_equal(keys, stored.keys) and np.array_equal(counts, stored.counts):
        return
    missing, surplus = np.setdiff1d(stored.keys, keys).size, np.setdiff1d(keys, stored.keys).size
    raise StageFileError(
        f"{expected}: the stage ngrams found {stored.count} duplicate n-grams, {method} found {len(keys)}: {missing} "
        f"are missing, {surplus} are surplus, or counts differ; run both again, for the files may be of different runs"
    )
