"""Makes table 5: F1 of the classifiers."""

from collections.abc import Iterator

import numpy as np

from studies.comparison import Table
from studies.schaefer_2017 import compared, scores
from studies.schaefer_2017.classifiers import CLASSIFIERS, MEANINGS
from studies.schaefer_2017.results import Results
from studies.schaefer_2017.vectors import LANGUAGES
from studies.study import Study

#: Share of chance differences that count as real.
ALPHA = 0.05


def make(results: Results) -> Iterator[Table]:
    """Yields the table."""
    about = "The mean of the F1 of both classes, weighted by their blocks; means over ten folds."
    numbers = list(compared.numbers(results, "schaefer.5", "f1"))
    meanings = "; ".join(f"{name}: {text}" for name, text in MEANINGS.items()) + "."
    yield Table("5", "Classifiers compared, F1", about, numbers, [*_differences(results), meanings])


def _differences(results: Results) -> Iterator[str]:
    """Yields one sentence per direction: the classifiers that differ from the perceptron, by language."""
    directions: dict[str, list[str]] = {"better": [], "worse": []}
    for code, language in LANGUAGES.items():
        reference = compared.of_folds(results, code, "MLP", "f1")
        names: dict[str, list[str]] = {"better": [], "worse": []}
        for name in CLASSIFIERS:
            ours = compared.of_folds(results, code, name, "f1")
            if scores.significance(ours, reference) < ALPHA:
                names["better" if np.mean(ours) > np.mean(reference) else "worse"].append(name)
        for direction, different in names.items():
            if different:
                directions[direction].append(f"{language} {', '.join(different)}")
    for direction, each in directions.items():
        if each:
            yield f"Significantly {direction} than MLP (corrected t-test, {ALPHA:g}): {'; '.join(each)}."


STUDY = Study("Table 5", "Classifiers compared, F1", "3.4", make, ("schaefer.5",), ("texrex-blocks",))
