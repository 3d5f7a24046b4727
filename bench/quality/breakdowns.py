"""Tables of a gold set by kind of page, by language, or without pages that its annotators left empty."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from corpusprep.cleaners.block_models import shipped_model
from corpusprep.gold.page_scores import CROSS, LEFT_OUT, PAGE_COLUMNS
from corpusprep.gold.scores import Counts, macro, micro
from corpusprep.io import tsv
from studies.evaluation.results import Results

#: Gold set -> the measure that its breakdown shows.
_MEASURES = {"wcxb": "words", "daniel": "words", "canola-test": "words_with"}
_MODELS = ("content", "content-permissive")


@dataclass(slots=True, frozen=True)
class Breakdown:
    """How the pages of a set are divided: the name of each part, and which facts a page of it has."""

    gold_set: str
    parts: dict[str, Callable[[dict[str, str]], bool]]
    most_peers: int


def kinds() -> Breakdown:
    """WCXB by kind of page."""
    names = ("article", "documentation", "service", "forum", "listing", "collection", "product")
    return Breakdown("wcxb", {name: lambda page, name=name: page["kind"] == name for name in names}, 4)  # type: ignore[misc]


def languages() -> Breakdown:
    """DAnIEL by language."""
    names = {"English": "en", "Russian": "ru", "Polish": "pl", "Chinese": "zh", "Greek": "el"}
    parts = {name: lambda page, code=code: page["language"] == code for name, code in names.items()}
    return Breakdown("daniel", parts, 4)  # type: ignore[arg-type]


def emptied() -> Breakdown:
    """The test half of Canola with and without the pages that have no main content for its annotators."""
    parts = {"all pages": lambda page: True, "pages with gold text": lambda page: page["gold_words"] != "0"}
    return Breakdown("canola-test", parts, 3)


def rows(results: Results, breakdown: Breakdown) -> Iterator[list[str]]:
    """Yields the head, and a row for each model of `content`, the best public extractors, and jusText A.

    Cells are F1 in percent: over all words of the part, and the mean over its pages.
    """
    name, measure = breakdown.gold_set, _MEASURES[breakdown.gold_set]
    facts = _facts(name)
    members = {part: [holds(page) for page in facts] for part, holds in breakdown.parts.items()}
    yield ["cleaner", *(f"{part} ({sum(chosen)})" for part, chosen in members.items())]
    for title, pages in _systems(results, name, measure, breakdown.most_peers):
        if len(pages) != len(facts):
            raise ValueError(f"{name}: {title} has {len(pages)} pages, the table beside the model {len(facts)}")
        yield [title, *(_cell(pages, chosen) for chosen in members.values())]


def _facts(name: str) -> list[dict[str, str]]:
    """Returns what the table beside the model `content` says of each page of a set, in the order of the set."""
    path = shipped_model("content").with_suffix(".pages.tsv")
    return [row for row in tsv.read(path, PAGE_COLUMNS) if row["set"] == name and row["protocol"] == CROSS]


def _systems(results: Results, name: str, measure: str, most: int) -> Iterator[tuple[str, list[Counts]]]:
    """Yields title and counts per page."""
    found = {system: pages for (system, other), pages in results.extractors[name].counts.items() if other == measure}
    for model in _MODELS:
        for suffix in (f", {CROSS}", f", {LEFT_OUT}", ""):
            if f"{model}{suffix}" in found:
                yield f"{model}{suffix}", found[f"{model}{suffix}"]
    peers = sorted((-micro(pages).f1, title) for title, pages in found.items() if title in results.versions)
    peers = [(score, title) for score, title in peers if not title.endswith(", comments")]
    for _, title in peers[:most]:
        yield title, found[title]
    own = results.measured[name].of("jusText A", measure)
    if own is not None:
        yield "jusText A", own


def _cell(pages: Sequence[Counts], chosen: Sequence[bool]) -> str:
    here = [counts for counts, is_chosen in zip(pages, chosen, strict=True) if is_chosen]
    return f"{micro(here).f1:.1f} / {macro(here).f1:.1f}"
