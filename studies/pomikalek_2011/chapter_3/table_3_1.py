"""Makes table 3.1: the iterations of SPEX."""

from collections.abc import Iterator

from corpusprep.io.tsv import ratio
from studies import published
from studies.comparison import Number, Table
from studies.pomikalek_2011.chapter_3.results import Results
from studies.study import Study

#: Column -> the attribute of spex.Counts, and the published column.
_COLUMNS = {
    "unique": ("unique", "unique_ngrams"),
    "of these pruned": ("pruned", "pruned_unique"),
    "duplicate types": ("types", "duplicate_types"),
    "duplicate instances": ("instances", "duplicate_instances"),
    "stored": ("stored", "stored"),
}


def make(results: Results) -> Iterator[Table]:
    """Yields the table."""
    numbers = [
        Number(f"n = {ours.n}", column, published_row[published_column], str(getattr(ours, attribute)))
        for ours, published_row in zip(results.spex, published.table("3.1"), strict=True)
        for column, (attribute, published_column) in _COLUMNS.items()
    ]
    last = results.spex[-1]
    peak = max(row.stored for row in results.spex)
    share = ratio(100 * peak, last.unique + last.types, 0)
    notes = [
        f"Ours: all {results.tokens:,} tokens of the corpus before block de-duplication; published: the British "
        "National Corpus.",
        "SPEX and the suffix sort of the stage ngrams found the same duplicate 10-grams with the same counts. This was "
        "checked; with any difference this table would not exist.",
        f"The largest iteration stores {share} % as many n-grams as there are distinct 10-grams (published: 39 %).",
    ]
    about = (
        "N-grams of each length. Pruned: unique n-grams that the previous iteration excluded. Stored: n-grams held in "
        "memory at once."
    )
    yield Table("3.1", "Iterations of SPEX", about, numbers, notes)


STUDY = Study("Table 3.1", "Iterations of SPEX", "3.4.1", make, ("3.1",), ("a corpus",))
