"""Notes that tables of several sources share: facts about gold sets, and why systems are not measured."""

from collections.abc import Sequence

from studies.comparison import Number
from studies.evaluation.results import Results

CANOLA = (
    "The public corpus has 208 final pages; the thesis had 219, kept 197 of them and split them at random. Here the "
    "split is by host, so the halves are not the thesis’s."
)
#: Beginning of the names of published systems that are not measured -> reason.
NOT_MEASURED = {
    "Victor": "its models are trained where the data of CleanEval and Canola and the extra [studies] are.",
    "NCLEANER": "its models are trained where the data of CleanEval and Canola is.",
    "WCP (Victor)": "see Victor: its model is trained where the data is.",
}


def of_sets(results: Results, *gold_sets: str) -> list[str]:
    """Returns one note per gold set: its pages and special cases, or that it is missing."""
    notes = []
    for name in gold_sets:
        facts = results.facts[name]
        if not facts.present:
            notes.append(f"{facts.title}: the data is missing, so the set is left out and our columns are empty.")
            continue
        cases = "; ".join(f"{count:,} {case}" for case, count in facts.cases.items() if count)
        notes.append(f"{facts.title}: {facts.pages:,} pages{'; ' + cases if cases else ''}.")
    return notes


def not_measured(numbers: Sequence[Number]) -> list[str]:
    """Returns one note per system that has published numbers and none of ours: the reason."""
    measured = {number.row for number in numbers if number.ours}
    rows = dict.fromkeys(number.row for number in numbers if number.published and number.row not in measured)
    reasons: dict[str, list[str]] = {}
    for row in rows:
        reason = next((text for start, text in NOT_MEASURED.items() if row.startswith(start)), "")
        if reason:
            reasons.setdefault(reason, []).append(row)
    return [f"{', '.join(named)}: not measured; {reason}" for reason, named in reasons.items()]


def of_extractors(results: Results) -> list[str]:
    """Returns the versions of the public extractors, and which are not installed."""
    missing = [title for title, version in results.versions.items() if version is None]
    notes = [f"Not installed, so not measured: {', '.join(missing)} (extra [bench])."] if missing else []
    used = [f"{title} {version}" for title, version in results.versions.items() if version is not None]
    notes += [f"Versions: {', '.join(used)}."] if used else []
    return notes
