"""Counts the n-grams used for de-duplication, and duplicate 10-grams before and after (Pomikálek 2011, table 3.9)."""

from pathlib import Path

from corpusprep.dedup.ngram_keys import NgramKeys
from corpusprep.errors import StageFileError
from corpusprep.io.tsv import Cell, percent
from corpusprep.statistics.corpus_size import CorpusSize
from corpusprep.statistics.table import Column, Table

#: Number of different keys.
_KEYS = 2**64


class DuplicateNgrams(Table):
    """Duplicate n-grams before and after block de-duplication (thesis, table 3.9). One row.

    Those used for de-duplication are counted as types. The 10-grams are made from all tokens and counted as
    instances, so one that occurs three times counts three times, and as types.
    """

    name = "duplicate_ngrams"
    columns = (
        Column("n", "length of the n-grams used for de-duplication"),
        Column("ngrams_used", "how many different n-grams occur twice or more"),
        Column("ngrams_used_percent_of_tokens", "the same, as a percentage of all tokens"),
        Column("duplicate_10grams_before", "instances of 10-grams that occur twice or more, before"),
        Column("duplicate_10grams_after", "the same, after it"),
        Column("duplicate_10grams_left_percent", "after, as a percentage of before"),
        Column("duplicate_10gram_types_before", "different 10-grams that occur twice or more, before"),
        Column("duplicate_10gram_types_after", "the same, after it"),
        Column("expected_false_matches", "n-grams expected to match a key by chance (keys × n-grams / 2⁶⁴)"),
    )

    def rows(self) -> list[tuple[Cell, ...]]:
        """Returns the table: one row.

        Raises:
            StageFileError: a file is missing or damaged, or counts other n-grams than 10-grams before or after.
        """
        folder, tokens = self.inputs.corpus.folder, self.inputs.table(CorpusSize).tokens_before_blocks
        used = NgramKeys.open(folder / "ngrams" / "counted" / "duplicates.keys")
        paths = (folder / "ngrams" / name / "duplicates.tsv" for name in ("before", "after"))
        types, (before, after) = zip(*map(_ten_grams, paths), strict=True)
        chance = f"{used.count * used.ngrams / _KEYS:.3g}"
        return [
            (used.n, used.count, percent(used.count, tokens), before, after, percent(after, before), *types, chance),
        ]


def _ten_grams(path: Path) -> tuple[int, int]:
    """Returns the types and instances of duplicate 10-grams in a file of counts."""
    from corpusprep.dedup.all_ngrams import DuplicateCounts  # kernels that other tables do without

    counts = DuplicateCounts.read(path)
    if counts.n != 10:
        raise StageFileError(f"{path}: counts {counts.n}-grams, not 10-grams; run the workflow again")
    return counts.types, counts.instances
