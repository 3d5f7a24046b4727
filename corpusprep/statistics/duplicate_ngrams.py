"""Counts the n-grams used for de-duplication, and duplicate 10-grams before and after (Pomikálek 2011, table 3.9)."""

from pathlib import Path

from corpusprep.dedup.all_ngrams import DuplicateCounts
from corpusprep.dedup.ngram_keys import NgramKeys
from corpusprep.errors import StageFileError
from corpusprep.io.tsv import Cell, percent

NAME = "duplicate_ngrams"
COLUMNS = (
    "n",
    "ngrams_used",
    "ngrams_used_percent_of_tokens",
    "duplicate_10grams_before",
    "duplicate_10grams_after",
    "duplicate_10grams_left_percent",
    "duplicate_10gram_types_before",
    "duplicate_10gram_types_after",
    "expected_false_matches",
)

#: Number of different keys.
_KEYS = 2**64


def rows(folder: Path, tokens: int) -> list[tuple[Cell, ...]]:
    """Returns the table: one row.

    The n-grams used for de-duplication are counted as types. The 10-grams before and after block de-duplication are
    made from all tokens and counted as instances: a 10-gram that occurs three times counts three times. They are also
    counted as types: it then counts once. The expected number of n-grams that match a key by chance is
    keys x n-grams / 2^64.

    Args:
        folder: the corpus's folder.
        tokens: number of tokens before block de-duplication.

    Raises:
        StageFileError: a file is missing or damaged, or counts other n-grams than 10-grams before or after.
    """
    used = NgramKeys.open(folder / "ngrams" / "counted" / "duplicates.keys")
    found = [_ten_grams(folder / "ngrams" / name / "duplicates.tsv") for name in ("before", "after")]
    types, (before, after) = [counts.types for counts in found], [counts.instances for counts in found]
    chance = f"{used.count * used.ngrams / _KEYS:.3g}"
    return [
        (used.n, used.count, percent(used.count, tokens), before, after, percent(after, before), *types, chance),
    ]


def _ten_grams(path: Path) -> DuplicateCounts:
    counts = DuplicateCounts.read(path)
    if counts.n != 10:
        raise StageFileError(f"{path}: counts {counts.n}-grams, not 10-grams; run the workflow again")
    return counts
