"""Makes what tables 2.5, 2.6, 2.8 and 2.9 share: scores of all systems on a gold set, and further scores."""

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from corpusprep.gold.scores import intervals, macro, micro
from studies import published
from studies.comparison import FAR, Number, Table
from studies.evaluation import notes
from studies.evaluation.causes import CHANGES, FUNCTIONAL
from studies.evaluation.measuring import Measured
from studies.evaluation.numbers import COLUMNS, LABELS, NAMES, of_counts, two
from studies.evaluation.results import Results
from studies.evaluation.trained import SYSTEMS

BY_WORDS = "Scored by words, without non-ASCII characters."
NCLEANER = (
    "NCLEANER is trained on CleanEval’s development pages, as published, or on Canola’s. It reads our blocks, not the "
    "output of Lynx: precision is the published one within 1.2 points, recall is 1.5 to 4 points higher, as less text "
    "is lost before the models decide. The thesis could not measure it by text nodes."
)
BOILERPIPE = (
    "ArticleExtractor and CanolaExtractor split text at all tags except links, as the thesis’s DefaultExtractor with "
    "lxml does. The rows named Java follow boilerpipe’s program: it does not split at inline elements such as <b>, and "
    "looks at the density of lines and the title of the page. The published rows of both are of the program; the "
    "table of causes shows the program with inline elements that split text."
)
_CHANGES = (
    "Functional words: the stop list of the thesis instead of the most frequent words. <select> removed: no block, as "
    "in 2.9; else a bad one. Block tags of footnote 15: other block-level elements, which HTML has had since, do not "
    "separate blocks. Annotated pages: the pages that the gold standard annotates, without <select>, instead of the "
    "original ones. Popular words: the alignment skips them, as Python before 2.7.1 did. Inline elements cut: "
    "boilerpipe’s program ends a segment at <b>, <i>, <span> and others too. Without <title>: "
    "ArticleExtractor knows no title. Text after </body>: a page ends at its first </body>."
)
#: Last measure of a table -> what its further scores are.
_FURTHER = {
    "words": "Scores with all characters (without Evert’s option -a). Then, scored as in the table above",
    "nodes_0": "At annotation reliability above 0",
    "words_without": "Without undecided text nodes",
}


@dataclass(slots=True, frozen=True, eq=False)
class Scored:
    """A published table of all systems on a gold set.

    Attributes:
        number: of the table.
        title: of the set and what counts there.
        gold_set: its name.
        columns: prefix of published columns -> our measure.
        about: how it is scored.
        notes: known causes of differences.
    """

    number: str
    title: str
    gold_set: str
    columns: dict[str, str]
    about: str
    notes: tuple[str, ...]

    def tables(self, results: Results) -> Iterator[Table]:
        """Yields the table, causes of differences, both halves of Canola, and unpublished scores."""
        yield main_table(self, results)
        yield self._causes(results)
        if self.gold_set == "canola-test":
            yield self._whole(results)
        yield self._further(results.measured[self.gold_set])

    @property
    def published(self) -> dict[str, dict[str, str]]:
        """The published rows by system."""
        return {row["algorithm"]: row for row in published.table(self.number)}

    def scores(self, results: Results) -> Table:
        """Returns the table of the source."""
        rows = self.published
        measured = results.measured[self.gold_set]
        numbers: list[Number] = []
        listed = {name for configuration in SYSTEMS for name in configuration.published}
        for configuration in SYSTEMS:
            title = configuration.title
            published_row = next((rows[name] for name in configuration.published if name in rows), {})
            for prefix, measure in self.columns.items():
                counts = measured.of(title, measure)
                if counts or published_row:
                    numbers += of_counts(title, prefix, published_row, counts)
            for prefix, measure in self.columns.items():
                changed = results.changed(self.gold_set, FUNCTIONAL, title, measure)
                if changed:
                    numbers += [
                        Number(
                            f"{title}, {FUNCTIONAL}",
                            LABELS.get(prefix, "") + name,
                            two(published_row.get(prefix + score, "")),
                            two(value),
                        )
                        for (score, name), value in zip(COLUMNS.items(), changed[0], strict=True)
                    ]
        for name, published_row in rows.items():
            if name not in listed:
                numbers += [
                    number for prefix in self.columns for number in of_counts(name, prefix, published_row, None)
                ]
        below = [
            *notes.of_sets(results, self.gold_set),
            *self.notes,
            *notes.not_measured(numbers),
            *self._explanations(results),
        ]
        return Table(self.number, self.title, self.about, numbers, below)

    def _explanations(self, results: Results) -> Iterator[str]:
        """Yields which F1 that differ much one change explains, and which none does."""
        prefix, measure = list(self.columns.items())[-1]
        explained, unexplained = [], []
        for configuration in SYSTEMS:
            title = configuration.title
            published_row = next((row for name in configuration.published if (row := self.published.get(name))), None)
            counts = measured.of(title, measure) if (measured := results.measured[self.gold_set]) else None
            if published_row is None or not counts:
                continue
            goal = float(published_row[f"{prefix}F1"])
            difference = micro(counts).f1 - goal
            if abs(difference) <= FAR:
                continue
            differences = {
                change.name: changed[0][2] - goal
                for change in CHANGES
                if self.gold_set in change.sets
                and (changed := results.changed(self.gold_set, change.name, title, measure))
            }
            best = min(differences, key=lambda name: abs(differences[name]), default="")
            if best and abs(differences[best]) <= FAR:
                explained.append(f"{title} ({difference:+.2f}; {best}: {differences[best]:+.2f})")
            else:
                unexplained.append(f"{title} ({difference:+.2f})")
        if explained:
            yield f"F1 that differs by more than {FAR} points, and by less with one change: {', '.join(explained)}."
        if unexplained:
            yield f"F1 that differs by more than {FAR} points, which no change explains: {', '.join(unexplained)}."

    def _causes(self, results: Results) -> Table:
        """Returns F1 of systems with one thing changed, beside the published F1: what explains differences."""
        prefix, measure = list(self.columns.items())[-1]
        rows, measured = self.published, results.measured[self.gold_set]
        changes = [change.name for change in CHANGES if self.gold_set in change.sets]
        numbers = []
        for configuration in SYSTEMS:
            title = configuration.title
            published_f1 = next((rows[name] for name in configuration.published if name in rows), {}).get(
                f"{prefix}F1", ""
            )
            counts = measured.of(title, measure)
            by_change = {name: results.changed(self.gold_set, name, title, measure) for name in changes}
            if counts and any(by_change.values()):
                numbers.append(Number(title, "as above: F1", two(published_f1), two(micro(counts).f1)))
                numbers += [
                    Number(title, f"{name}: F1", two(published_f1), two(changed[0][2]) if changed else "")
                    for name, changed in by_change.items()
                ]
        about = (
            f"{LABELS.get(prefix, '')}F1 with one thing changed. {_CHANGES} The difference is that to the published "
            "F1: the change explains what it takes away."
        )
        return Table(f"{self.number} causes", f"{self.title}, causes of differences", about, numbers)

    def _whole(self, results: Results) -> Table:
        """Returns a table of both halves of Canola together: what does not depend on how the pages are split."""
        rows = self.published
        halves = [results.measured[name] for name in ("canola-test", "canola-dev")]
        numbers: list[Number] = []
        for configuration in SYSTEMS:
            published_row = next((rows[name] for name in configuration.published if name in rows), {})
            for prefix, measure in self.columns.items():
                counts = [count for half in halves for count in half.of(configuration.title, measure) or ()]
                if counts:
                    numbers += of_counts(configuration.title, prefix, published_row, counts)
        pages = sum(results.facts[name].pages for name in ("canola-test", "canola-dev"))
        about = f"The same for the {pages} pages of both halves, beside the published numbers for 100 pages."
        return Table(f"{self.number} all pages", f"{self.title}, both halves", about, numbers)

    def _further(self, measured: Measured) -> Table:
        """Returns scores with all characters, if measured; means over pages and 95 % intervals of the last measure."""
        measures: Sequence[str] = list(self.columns.values())
        numbers = []
        for configuration in SYSTEMS:
            title = configuration.title
            counts = measured.of(title, "words_all") if "words" in measures else None
            if counts:
                for name, value in zip(NAMES, micro(counts), strict=True):
                    numbers.append(Number(title, f"all characters: {name}", "", two(value)))
            counts = measured.of(title, measures[-1])
            if counts:
                for name, value in zip(NAMES, macro(counts), strict=True):
                    numbers.append(Number(title, f"mean over pages: {name}", "", two(value)))
                for name, (low, high) in zip(NAMES[2:], intervals(counts), strict=True):
                    numbers.append(Number(title, f"95 %: {name}", "", f"{low:.2f}–{high:.2f}"))
        about = _FURTHER[measures[-1]] + (
            ": means of the pages’ scores, and 95 % bootstrap intervals (2,000 draws of pages, fixed seed)."
        )
        return Table(f"{self.number} further", f"{self.title}, further", about, numbers)


@functools.lru_cache(maxsize=4)
def main_table(scored: Scored, results: Results) -> Table:
    """Returns the table of the source. Its intervals take most of the time, and appendix B draws the same numbers."""
    return scored.scores(results)
