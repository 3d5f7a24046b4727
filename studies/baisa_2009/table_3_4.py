"""Makes table 3.4: the time of Baisa's systems."""

from collections.abc import Iterator

from studies import published
from studies.baisa_2009.systems import TITLES
from studies.comparison import Number, Table
from studies.evaluation import times
from studies.evaluation.results import Results
from studies.study import Study

#: Published rows without a system of ours -> ours, or the reason why there is none.
_OTHERS = {"TagSoup": times.PARSING}
_NO_STEP = {"cleaning.py": "scripts, styles and comments are skipped while pages are cut into blocks"}


def make(results: Results) -> Iterator[Table]:
    """Yields the table."""
    measured = results.times
    numbers = []
    for published_row in published.table("baisa.3.4"):
        title = _OTHERS.get(published_row["procedure"], TITLES.get(published_row["procedure"], ""))
        for column, name, label in (("GS", times.SETS[0], "gold standard"), ("SS", times.SETS[1], "silver standard")):
            seconds = (measured.get(name) or {}).get("seconds", {}).get(title)
            ours = "" if seconds is None else f"{seconds:.3f}"
            numbers.append(Number(published_row["procedure"], f"{label}: seconds", published_row[column], ours))
    sizes = [
        f"{name}: {sizes['pages']} pages, {sizes['characters']:,} characters"
        for name, sizes in measured.items()
        if sizes
    ]
    about = (
        "Processor seconds, from the decoded page to its text. The published seconds are from another machine "
        "(Pentium Dual Core, 2.5 GHz, 2009) and of Python 2.5; there, TagSoup’s time comes before BTE’s and WCC’s. "
        "Ours are the shortest of three runs, with parsing; beside TagSoup is parsing alone."
    )
    below = [
        *[f"{name} has no step of its own here: {reason}." for name, reason in _NO_STEP.items()],
        "Beside the gold standard are the same 58 pages; beside the silver standard, which is not public, "
        "CleanPortalEval.",
        *([f"{'; '.join(sizes)}."] if sizes else []),
    ]
    yield Table("Baisa 3.4", "Time of Baisa’s systems", about, numbers, below)


STUDY = Study("Table 3.4", "Time of Baisa’s systems", "3.5", make, ("baisa.3.4",), ("cleaneval", "cleanportaleval"))
