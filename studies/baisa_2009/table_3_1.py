"""Makes table 3.1: Baisa's cleaner on CleanEval's development pages, and what explains the differences."""

from collections.abc import Iterator
from typing import Any

from corpusprep.gold.scores import macro
from studies import published
from studies.baisa_2009.systems import SCORES, TITLES, beside_published, others
from studies.comparison import Number, Table
from studies.evaluation import notes
from studies.evaluation.causes import CHANGES
from studies.evaluation.measuring import Measured
from studies.evaluation.results import Results
from studies.evaluation.trained import SYSTEMS
from studies.study import Study

#: Changes of what density chooses or of how it is scored.
_CHANGES = {change.name for change in CHANGES if change.algorithm or change.prepare or change.edges}


def make(results: Results) -> Iterator[Table]:
    """Yields the table, and the same with one thing changed at a time."""
    measured = results.measured["cleaneval-dev"]
    numbers = list(beside_published("baisa.3.1", measured))
    numbers += others([configuration.title for configuration in SYSTEMS], measured)
    about = "CleanEval’s 58 development pages; precision, recall and F averaged over pages, as in Baisa 2009."
    below = [
        *notes.of_sets(results, "cleaneval-dev"),
        "Baisa’s numbers are means over pages from his own script. Ours are means over pages of Evert’s scores, "
        "without non-ASCII characters.",
        "The table of causes shows what explains the differences.",
        *notes.not_measured(numbers),
    ]
    yield Table("Baisa 3.1", "CleanEval’s development pages", about, numbers, below)
    yield _causes(measured, results.causes.get("cleaneval-dev", []))


def _causes(measured: Measured, changed: list[list[Any]]) -> Table:
    """Returns table 3.1 with one thing changed at a time; `changed`: the rows of causes.measure."""
    numbers = []
    for published_row in published.table("baisa.3.1"):
        title = TITLES.get(published_row["algorithm"], "")
        counts = measured.of(title, "words")
        if not counts:
            continue
        rows = {"as in table 3.1": list(macro(counts))}
        rows |= {change: means for change, _, system, name, _, means in changed if (system, name) == (title, "words")}
        for change, means in rows.items():
            for place, (column, score) in enumerate(SCORES.items()):
                if published_row[column] == "":  # of Victor, precision and recall alone are published
                    continue
                row = f"{published_row['algorithm']}, {change}"
                numbers.append(Number(row, score, f"{float(published_row[column]):.2f}", f"{means[place]:.2f}"))
    about = (
        "Means over pages with one thing changed; the difference is that to the published number. Evert’s script: "
        "markers of segments count as words, and so do the empty words at the beginning and the end of a text; words "
        "are aligned as Python 2.5 did. Density by all elements: not only structural ones count. Largest child: the "
        "target node is found by entering the child with the most "
        "characters, not the densest one, while it has more than a half (or 40 %, 30 %) of its parent’s. Best element: "
        "the one element of each page with the highest F1; no rule that chooses one element per page is better on "
        "average. Means of pages with text: pages that are omitted do not count. Without links: their text is left out."
    )
    return Table(
        "Baisa 3.1 causes", "CleanEval’s development pages, causes of differences", about, numbers, _bounds(numbers)
    )


def _bounds(numbers: list[Number]) -> list[str]:
    """Returns what the changed rows say about the published scores of density."""
    rows: dict[str, dict[str, Number]] = {}
    for number in numbers:
        system, _, change = number.row.partition(", ")
        if system == "WCC single":
            rows.setdefault(change, {})[number.score] = number
    if "best element" not in rows:
        return []
    printed, best = rows["as in table 3.1"]["P"], rows["best element"]["P"]
    apart = {
        change: max(abs(float(number.difference)) for number in scores.values())
        for change, scores in rows.items()
        if change in _CHANGES
    }
    nearest = min(apart, key=lambda change: apart[change])
    return [
        f"The published precision of density, {printed.published}, is {-float(printed.difference):.2f} points above "
        f"that of algorithm 1 as printed. The best element of each page has {best.ours}: the program must have chosen "
        f"almost as well, or have left out text of the element. With the change “{nearest}”, precision, recall and F1 "
        f"are all within {apart[nearest]:.2f} points of the published ones. The program is not public."
    ]


STUDY = Study("Table 3.1", "CleanEval’s development pages", "3.3", make, ("baisa.3.1",), ("cleaneval",))
