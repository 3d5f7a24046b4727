"""Makes table 2.3: the best scores of simple classifiers."""

from collections.abc import Iterator

from studies import published
from studies.comparison import Number, Table
from studies.evaluation import notes
from studies.evaluation.numbers import RELIABILITIES, two
from studies.evaluation.results import Results
from studies.study import Study

#: Classifiers that read a stop list: also measured with the most frequent words.
_WITH_STOP_WORDS = ("stop words density", "combined")


def make(results: Results) -> Iterator[Table]:
    """Yields the table."""
    numbers: list[Number] = []
    for suffix in ("", "_default"):
        ours = {row["classifier"]: row for row in (results.canola or {}).get(f"best{suffix}", ())}
        for published_row in published.table("2.3"):
            classifier = published_row["classifier"]
            if suffix and classifier not in _WITH_STOP_WORDS:
                continue
            numbers += _numbers(
                classifier + (", frequent words" if suffix else ""), published_row, ours.get(classifier)
            )
    about = "The highest F1 and F0.5 of each classifier on the development set, and the threshold that gives it."
    below = [*notes.of_sets(results, "canola-dev"), notes.CANOLA]
    yield Table("2.3", "Simple classifiers", about, numbers, below)


def _numbers(row: str, published_row: dict[str, str], ours: dict[str, list[float]] | None) -> Iterator[Number]:
    """Yields the numbers of a classifier; `ours`: score -> its threshold and value."""
    for least, label in RELIABILITIES:
        for score, name in (("F1", "F1"), ("F05", "F0.5")):
            column = f"AR{least}_{score}"
            threshold, value = ours[f"{least} {score.lower()}"] if ours else ("", "")
            if published_row[f"{column}_threshold"]:
                yield Number(row, f"{label}: {name} at", published_row[f"{column}_threshold"], str(threshold))
            yield Number(row, f"{label}: {name}", two(published_row[column]), two(value))


STUDY = Study("Table 2.3", "Simple classifiers", "2.9.3", make, ("2.3",), ("canola",))
