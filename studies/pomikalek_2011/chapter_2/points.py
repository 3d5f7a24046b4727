"""Points of the curves of figures 2.6 and 2.8: scores by threshold."""

from collections.abc import Callable, Iterable
from typing import Any

#: Least annotation reliability -> its name in panels.
_RELIABILITIES = {100: "AR = 100", 0: "AR > 0"}


def panels(
    rows: list[list[Any]], classifiers: Iterable[str], title: Callable[[str], str]
) -> dict[str, list[tuple[float, float, float, float, float]]]:
    """Returns panel -> threshold, precision, recall, F1 and F0.5: a panel per classifier and annotation reliability.

    Args:
        rows: classifier, threshold, least reliability and the four scores.
        classifiers: those to show.
        title: what a classifier is called.
    """
    return {
        f"{title(classifier)}, {label}": [
            (float(row[1]), row[3], row[4], row[5], row[6])
            for row in rows
            if row[0] == classifier and row[2] == reliability
        ]
        for classifier in classifiers
        for reliability, label in _RELIABILITIES.items()
    }
