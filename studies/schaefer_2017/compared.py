"""Puts our classifiers beside the ones of tables 5 and 6: means over the folds."""

from collections.abc import Iterator

import numpy as np

from studies import published
from studies.comparison import Number
from studies.schaefer_2017.classifiers import CLASSIFIERS
from studies.schaefer_2017.results import Results
from studies.schaefer_2017.vectors import LANGUAGES


def numbers(results: Results, table: str, column: str) -> Iterator[Number]:
    """Yields the mean over the folds of a column of each classifier, beside a table of the paper."""
    published_rows = {row["dataset"]: row for row in published.table(table)}
    for code, language in LANGUAGES.items():
        for name in CLASSIFIERS:
            ours = np.mean(of_folds(results, code, name, column))
            yield Number(language, name, published_rows[language].get(name, ""), f"{ours:.3f}")


def of_folds(results: Results, language: str, classifier: str, column: str) -> list[float]:
    """Returns a column of a classifier, one value per fold."""
    return [float(row[column]) for row in results.folds[language, classifier]]
