"""Makes the table of F1 by threshold of the shipped models of `content`, as their cards have it."""

from collections.abc import Iterator

from corpusprep.cleaners.block_models import TOP_SCORE, read_model, shipped_model
from corpusprep.gold.data import TRAINED_ON
from studies.comparison import Number, Table
from studies.evaluation.results import Results
from studies.study import Study


def make(_: Results) -> Iterator[Table]:
    """Yields the table."""
    numbers, below = [], []
    for name in TRAINED_ON:
        model = read_model(shipped_model(name), "content")
        by_threshold = model.card.get("f1_by_threshold", {})
        numbers += [Number(name, threshold, "", value) for threshold, value in by_threshold.items()]
        named = (f"{title} {value / TOP_SCORE:g}" for title, value in model.thresholds.items())
        below.append(f"Thresholds of {name}: {', '.join(named)}.")
    about = (
        "F1 by threshold, a share of the page’s best score: the mean over the training sets, each scored by a model of "
        "the others, and of each set over all its words and over its pages."
    )
    yield Table("content thresholds", "Thresholds of content", about, numbers, below)


STUDY = Study("", "Thresholds of content", "", make)
