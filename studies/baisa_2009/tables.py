"""Makes tables of Baisa's cleaner (2009): what explains differences in table 3.1, and the times of table 3.4."""

from typing import Any

from corpusprep.gold.scores import macro
from corpusprep.report import published
from studies.comparison import Number, Table
from studies.evaluation import times
from studies.evaluation.causes import CHANGES
from studies.evaluation.measuring import Measured

#: Published names -> titles of our systems.
NAMES = {
    "BTE": "BTE",
    "WCC single": "density",
    "WCC single, sparse omitted": "density, sparse omitted",
    "WCC multi": "density, sites",
    "WCP (Victor)": "Victor CleanEval",
} | {
    f"WCC multi {letters}": f"density, sites {' '.join(f'-{letter.lower()}' for letter in letters)}"
    for letters in ("F", "P", "R", "PR", "PF")
}
_SCORES = {"precision": "P", "recall": "R", "f_score": "F1"}
#: Changes of what density chooses or of how it is scored.
_CHANGES = {change.name for change in CHANGES if change.algorithm or change.prepare or change.edges}
#: Published rows of table 3.4 without a system of ours -> ours, or the reason why there is none.
_OTHERS = {"TagSoup": times.PARSING}
_NO_STEP = {"cleaning.py": "scripts, styles and comments are skipped while pages are cut into blocks"}


def causes(measured: Measured, changed: list[list[Any]]) -> Table:
    """Returns table 3.1 with one thing changed at a time; `changed`: the rows of causes.measure."""
    numbers = []
    for theirs in published.table("baisa.3.1"):
        title = NAMES.get(theirs["algorithm"], "")
        counts = measured.of(title, "words")
        if not counts:
            continue
        rows = {"as in table 3.1": list(macro(counts))}
        rows |= {change: means for change, _, system, name, _, means in changed if (system, name) == (title, "words")}
        for change, means in rows.items():
            for place, (column, score) in enumerate(_SCORES.items()):
                if theirs[column] == "":  # of Victor, precision and recall alone are published
                    continue
                row = f"{theirs['algorithm']}, {change}"
                numbers.append(Number(row, score, f"{float(theirs[column]):.2f}", f"{means[place]:.2f}"))
    about = (
        "Means over pages with one thing changed; the difference is that to the published number. Evert’s script: "
        "markers of segments count as words, and so do the empty words at the beginning and the end of a text; words "
        "are aligned as Python 2.5 did. Density by all elements: not only structural ones count. Largest child: the "
        "target node is found by entering the child with the most "
        "characters, not the densest one, while it has more than a half (or 40 %, 30 %) of its parent’s. Best element: "
        "the one element of each page with the highest F1; no rule that chooses one element per page is better on "
        "average. Means of pages with text: pages that are omitted do not count. Without links: their text is left out."
    )
    notes = _bounds(numbers)
    return Table("Baisa 3.1 causes", "CleanEval’s development pages, causes of differences", about, numbers, notes)


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


def seconds(measured: dict[str, Any]) -> Table:
    """Returns table 3.4; `measured`: what times.write wrote."""
    numbers = []
    for theirs in published.table("baisa.3.4"):
        title = _OTHERS.get(theirs["procedure"], NAMES.get(theirs["procedure"], ""))
        for column, name, label in (("GS", times.SETS[0], "gold standard"), ("SS", times.SETS[1], "silver standard")):
            found = (measured.get(name) or {}).get("seconds", {}).get(title)
            ours = "" if found is None else f"{found:.3f}"
            numbers.append(Number(theirs["procedure"], f"{label}: seconds", theirs[column], ours))
    sizes = [
        f"{name}: {found['pages']} pages, {found['characters']:,} characters"
        for name, found in measured.items()
        if found
    ]
    about = (
        "Processor seconds, from the decoded page to its text. The published seconds are those of another machine "
        "(Pentium Dual Core, 2.5 GHz, 2009) and of Python 2.5; there, TagSoup’s time comes before that of BTE and WCC. "
        "Ours are the shortest of three runs, with parsing; beside TagSoup is parsing alone."
    )
    notes = [
        *[f"{name} has no step of its own here: {reason}." for name, reason in _NO_STEP.items()],
        "Beside the gold standard are the same 58 pages; beside the silver standard, which is not public, "
        "CleanPortalEval.",
        *([f"{'; '.join(sizes)}."] if sizes else []),
    ]
    return Table("Baisa 3.4", "Time of Baisa’s systems", about, numbers, notes)
