"""Makes table 2.11: fragments of cleaned documents."""

from collections.abc import Iterator

from studies import published
from studies.comparison import Number, Table
from studies.evaluation import notes
from studies.evaluation.causes import FUNCTIONAL
from studies.evaluation.numbers import two
from studies.evaluation.results import Results
from studies.evaluation.trained import SYSTEMS
from studies.study import Study

_COLUMNS = {
    "avg_fragment_chars": "average",
    "median_fragment_chars": "median",
    "fragments_per_document": "a document",
}


def make(results: Results) -> Iterator[Table]:
    """Yields the table."""
    ours = dict((results.canola or {}).get("fragments", {}))
    stored = {row["algorithm"]: row for row in published.table("2.11")}
    by_title = {"perfect cleaning": "perfect cleaning"}
    for configuration in SYSTEMS:
        name = next((name for name in configuration.published if name in stored), configuration.title)
        by_title[configuration.title] = name
        if f"{configuration.title}, {FUNCTIONAL}" in ours:
            by_title[f"{configuration.title}, {FUNCTIONAL}"] = name
    numbers = []
    for title, name in by_title.items():
        published_row = stored.get(name, {})
        for place, (column, label) in enumerate(_COLUMNS.items()):
            value = ours[title][place] if title in ours else ""
            numbers.append(Number(title, label, published_row.get(column, ""), two(value)))
    about = (
        "Sequences of kept text nodes on Canola’s test set: average and median length in characters, and number per "
        "document."
    )
    yield Table("2.11", "Fragments", about, numbers, [*notes.of_sets(results, "canola-test"), notes.CANOLA])


STUDY = Study("Table 2.11", "Fragments", "2.9.10", make, ("2.11",), ("canola",))
