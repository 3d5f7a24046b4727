"""Puts all cleaners beside each other: F1 by words on every gold set, and pages per second of CPU time.

A system that is registered is here (configurations.cleaners), and so are the public extractors that are installed. On
a set that a model was trained on, the counts are from cross-validation, if the model has them; otherwise the number
is marked, and the set does not count in the means.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from corpusprep.gold.data import TRAINED_ON
from corpusprep.gold.page_scores import CROSS
from corpusprep.gold.scores import Counts, intervals, macro, mean_interval, micro
from studies.comparison import Number, Table
from studies.evaluation import speed
from studies.evaluation.configurations import cleaners, trained_on
from studies.evaluation.figures import Dot
from studies.evaluation.measuring import Measured
from studies.evaluation.peer_programs import PROGRAMS
from studies.evaluation.peers import PEERS

#: Families of systems, in the order of the figure's legend.
RULES, LEARNED, EXTRACTORS = "rules", "learned", "public extractors"
#: What marks the score of a system on a set that it has seen.
SEEN = " †"
MEAN, SPEED = "mean of sets", "pages per second"


@dataclass(slots=True, frozen=True)
class CleanerRow:
    """A system.

    Attributes:
        title: its name in tables.
        family: RULES, LEARNED or EXTRACTORS.
        counts: set -> counts of its pages; sets that it was not measured on are missing.
        seen: sets that it was trained on, and measured on by a model that has seen them.
        speed: pages per second of CPU time; None if it was not timed.
    """

    title: str
    family: str
    counts: Mapping[str, Sequence[Counts]]
    seen: frozenset[str]
    speed: float | None


def measure_of(gold_set: str) -> str:
    """Returns the measure that counts words of main content, or what a set has instead."""
    if gold_set.startswith("canola"):
        return "words_with"
    return {"dragnet": "words_main", "trafilatura": "snippets"}.get(gold_set, "words")


def rows(
    measured: Mapping[str, Measured],
    extractors: Mapping[str, Measured],
    timed: Mapping[str, Mapping[str, speed.Timed]],
) -> list[CleanerRow]:
    """Returns all systems that were measured.

    Args:
        measured: set -> counts of our algorithms.
        extractors: set -> counts of the models of `content`, and of public extractors.
        timed: set -> system -> time.
    """
    times = speed.total(timed)
    systems = cleaners()
    learned = {system.title: trained_on(system) for system in systems}
    # Cross-validation is of models, which are named as their algorithms are, if not as the system is.
    titles = [(system.title, system.algorithm, LEARNED if learned[system.title] else RULES) for system in systems]
    titles += [(peer.title, peer.title, EXTRACTORS) for peer in (*PEERS, *PROGRAMS)]
    listed = []
    for title, model, family in titles:
        counts: dict[str, Sequence[Counts]] = {}
        seen = set()
        for name in measured:
            own, validated, of_model = (
                next((pages for table in (extractors, measured) if (pages := _counts(table, name, row_title))), None)
                for row_title in (title, f"{title}, {CROSS}", f"{model}, {CROSS}")
            )
            if title not in TRAINED_ON and name in learned.get(title, ()):
                validated = validated or of_model
            if chosen := validated or own:
                counts[name] = chosen
                if validated is None and name in learned.get(title, ()):
                    seen.add(name)
        if counts:
            time = times.get(title)
            listed.append(CleanerRow(title, family, counts, frozenset(seen), time.pages_per_second if time else None))
    return listed


def common(cleaners: Sequence[CleanerRow]) -> list[str]:
    """Returns the sets of the means: scored by words, and unseen by all systems that most sets were measured with."""
    names = list(dict.fromkeys(name for row in cleaners for name in row.counts if measure_of(name) != "snippets"))
    seen = set().union(*(row.seen for row in cleaners))
    return [name for name in names if name not in seen] or names


def table(cleaners: Sequence[CleanerRow], titles: Mapping[str, str], notes: Sequence[str]) -> Table:
    """Returns the table of all systems, best mean first; `titles`: of the sets."""
    shared = common(cleaners)
    columns = [MEAN, SPEED, *(title for name, title in titles.items() if any(name in row.counts for row in cleaners))]
    numbers = []
    for row in sorted(cleaners, key=lambda cleaner: (-(mean(cleaner, shared) or 0.0), cleaner.title)):
        cells = {number.score: number for number in _numbers(row, shared, titles)}
        numbers += [cells.get(column, Number(row.title, column, "", "")) for column in columns]
    about = (
        "Every cleaner on every gold set: micro-averaged F1 by words (Trafilatura’s pages: by snippets). The mean is "
        f"that of {', '.join(titles[name] for name in shared)}. Pages per second: CPU time from the decoded page to "
        f"its text, the quickest of {speed.ROUNDS} rounds over up to {speed.PAGES} pages per set, all systems in the "
        "same run. A system that learns is cross-validated on the sets that it was trained on; "
        f"“{SEEN.strip()}”: it has seen the pages."
    )
    return Table("cleaners", "All cleaners", about, numbers, list(notes))


def _numbers(row: CleanerRow, shared: Sequence[str], titles: Mapping[str, str]) -> Iterator[Number]:
    value = mean(row, shared)
    if value is not None:
        yield Number(row.title, MEAN, "", f"{value:.2f}", _two(mean_interval([row.counts[name] for name in shared])))
    if row.speed is not None:
        yield Number(row.title, SPEED, "", f"{row.speed:.0f}")
    for name, pages in row.counts.items():
        score = f"{micro(pages).f1:.2f}{SEEN if name in row.seen else ''}"
        yield Number(row.title, titles[name], "", score, _two(intervals(pages)[0]), f"{macro(pages).f1:.2f}")


def _two(interval: tuple[float, float]) -> tuple[str, str]:
    low, high = interval
    return f"{low:.2f}", f"{high:.2f}"


def mean(row: CleanerRow, shared: Sequence[str]) -> float | None:
    """Returns the mean F1 over the shared sets; None for a system that was not measured on all of them."""
    if not shared or any(name not in row.counts for name in shared):
        return None
    return sum(micro(row.counts[name]).f1 for name in shared) / len(shared)


def dots(cleaners: Sequence[CleanerRow]) -> list[Dot]:
    """Returns the points of the figure: speed, mean F1, title and family of each system that has both."""
    shared = common(cleaners)
    return [
        Dot(row.title, row.speed, value, row.family)
        for row in cleaners
        if row.speed is not None and (value := mean(row, shared)) is not None
    ]


def _counts(table: Mapping[str, Measured], name: str, title: str) -> Sequence[Counts] | None:
    return table[name].of(title, measure_of(name)) if name in table else None
