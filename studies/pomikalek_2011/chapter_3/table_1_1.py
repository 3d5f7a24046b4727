"""Makes table 1.1: frequencies of words and expressions in corpora of various sizes."""

from collections.abc import Iterator

from studies import published
from studies.comparison import Number, Table
from studies.pomikalek_2011.chapter_3.results import Results
from studies.study import Study

_HERE = "here"


def make(results: Results) -> Iterator[Table]:
    """Yields the table."""
    ours = {row.expression: str(row.hits) for row in results.words}
    ours["tokens"] = next((str(row.tokens) for row in results.words), "")
    numbers = []
    for row in published.table("1.1"):
        expression, *_ = row.values()
        numbers += [Number(expression, corpus, hits, "") for corpus, hits in row.items() if corpus != "expression"]
        numbers.append(Number(expression, _HERE, "", ours.get(expression, "")))
    about = "How often a word or expression occurs, in small letters or capitals. Each corpus has a column of its own."
    notes = [
        "The corpora of the thesis cannot be distributed. In a corpus of another language, the words hardly occur."
    ]
    yield Table("1.1", "Frequencies of words in corpora of various sizes", about, numbers, notes)


STUDY = Study("Table 1.1", "Frequencies of words in corpora of various sizes", "1.1", make, ("1.1",), ("a corpus",))
