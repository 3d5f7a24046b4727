"""The systems of Baisa's tables, and their scores: means over pages."""

from collections.abc import Iterator

from corpusprep.gold.scores import macro
from studies import published
from studies.comparison import Number
from studies.evaluation.measuring import Measured
from studies.evaluation.numbers import NAMES, two

#: Published names -> titles of our systems.
TITLES = {
    "BTE": "BTE",
    "WCC single": "density",
    "WCC single, sparse omitted": "density, sparse omitted",
    "WCC multi": "density, sites",
    "WCP (Victor)": "Victor CleanEval",
} | {
    f"WCC multi {letters}": f"density, sites {' '.join(f'-{letter.lower()}' for letter in letters)}"
    for letters in ("F", "P", "R", "PR", "PF")
}
#: Published columns -> their names here.
SCORES = {"precision": "P", "recall": "R", "f_score": "F1"}


def beside_published(number: str, measured: Measured) -> Iterator[Number]:
    """Yields means over pages beside the numbers of a published table."""
    for published_row in published.table(number):
        title = TITLES.get(published_row["algorithm"], "")
        counts = measured.of(title, "words") if title else None
        each = macro(counts) if counts else None
        for place, (column, score) in enumerate(SCORES.items()):
            yield Number(
                published_row["algorithm"], score, two(published_row[column]), two(each[place]) if each else ""
            )


def others(titles: list[str], measured: Measured) -> Iterator[Number]:
    """Yields means over pages of systems that are not in the published tables."""
    for title in titles:
        counts = measured.of(title, "words")
        if counts and title not in TITLES.values():
            each = macro(counts)
            for place, name in enumerate(NAMES[:3]):
                yield Number(title, name, "", two(each[place]))
