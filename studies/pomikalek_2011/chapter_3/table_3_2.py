"""Makes table 3.2: the time of finding duplicate n-grams."""

from collections.abc import Iterator

from studies import published
from studies.comparison import Number, Table
from studies.pomikalek_2011.chapter_3 import scaling
from studies.pomikalek_2011.chapter_3.results import Results
from studies.study import Study


def make(results: Results) -> Iterator[Table]:
    """Yields the table."""
    made = {(row.million_words, row.method): row for row in scaling.table(results.scaling)}
    numbers = []
    for published_row in published.table("3.2"):
        words = int(published_row["million_words"])
        methods = {method: made[words, method] for method in scaling.METHODS}
        sorting = methods["suffix-sort"]
        row = f"{words:,} million words{', ours estimated' if sorting.estimated else ''}"
        numbers += [
            Number(row, "seconds, suffix-sort", published_row["seconds"], sorting.printed),
            Number(row, "seconds, hash", "", methods["hash"].printed),
            Number(row, "duplicate types", published_row["duplicate_10gram_types"], str(sorting.types)),
        ]
    about = (
        "Duplicate n-grams by suffix sorting (3.4.2), and by hashing, on made corpora of these sizes. Both methods "
        "find the same n-grams."
    )
    this = (
        f"This corpus, {results.tokens / 1e6:.1f} million tokens: {results.ngrams.count:,} duplicate "
        f"{results.ngrams.n}-grams, in {results.seconds:.1f} CPU seconds of all jobs of the stage ngrams."
    )
    yield Table("3.2", "Finding duplicate n-grams", about, numbers, [this, *scaling.notes(results.scaling)])


STUDY = Study("Table 3.2", "Finding duplicate n-grams", "3.4.2", make, ("3.2",), ("a corpus",))
