"""Makes table 2.2: text nodes and characters of Canola by annotation."""

from collections.abc import Iterator

from studies import published
from studies.comparison import Number, Table
from studies.evaluation import notes
from studies.evaluation.results import Results
from studies.study import Study


def make(results: Results) -> Iterator[Table]:
    """Yields the table."""
    ours = {(row[0], str(row[2]), row[1]): row[3:] for row in (results.canola or {}).get("volumes", ())}
    numbers = []
    for published_row in published.table("2.2"):
        volume = ours.get((published_row["set"], published_row["reliability"], published_row["annotation"]))
        reliability = "= 100" if published_row["reliability"] == "100" else "> 0"
        row = f"{published_row['set']}, AR {reliability}, {published_row['annotation']}"
        for place, column in enumerate(("text_nodes", "characters")):
            numbers.append(
                Number(row, column.replace("_", " "), published_row[column], str(volume[place]) if volume else "")
            )
    below = [
        *notes.of_sets(results, "canola-test", "canola-dev"),
        notes.CANOLA,
        "A run of white space counts as one character.",
    ]
    yield Table("2.2", "Volume of Canola’s annotations", "Text nodes and their characters.", numbers, below)


STUDY = Study("Table 2.2", "Volume of Canola’s annotations", "2.9.2", make, ("2.2",), ("canola",))
