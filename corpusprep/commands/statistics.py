"""`corpusprep step statistics`: the statistics tables of one corpus, and the n-grams that one of them counts."""

import click

from corpusprep.commands.lazy import LazyGroup

_TABLES = "corpusprep.commands.statistics_tables"
_NGRAMS = "corpusprep.commands.all_ngrams"


@click.group(
    "statistics",
    cls=LazyGroup,
    places={
        "count": (f"{_TABLES}:count_command", "Count what a batch adds to the tables."),
        "runs": (f"{_NGRAMS}:runs", "Write the 10-grams of a bundle, before and after block de-duplication."),
        "merge-part": (f"{_NGRAMS}:merge_part", "Count the 10-grams of a range of keys: which occur twice or more."),
        "merge": (f"{_NGRAMS}:merge", "Merge the 10-grams of all bundles: which occur twice or more."),
        "tables-part": (f"{_TABLES}:part_command", "Add up a range of the words, hosts and URLs of all batches."),
        "tables": (f"{_TABLES}:tables_command", "Add up the counts of all batches and write the tables."),
    },
)
def command() -> None:
    """Compute the statistics tables from the files of the steps.

    The settings of `boilerplate` must be those that the corpus was made with.
    """
