"""Tries thresholds on Canola's development set: simple classifiers and tuning of jusText (2.9.3, 2.9.5)."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray

from corpusprep import languages
from corpusprep.cleaners.justext import PRESETS, JusText, Thresholds
from corpusprep.gold.pages import GoldSet
from corpusprep.gold.scores import Scores, micro
from studies.evaluation.decisions import Spans, segment
from studies.evaluation.node_scores import RELIABILITIES, Nodes

#: Feature -> the thresholds tried.
FEATURES: Mapping[str, Sequence[float]] = {
    "link density": [round(0.02 * step, 2) for step in range(51)],
    "word count": [float(2 * step) for step in range(51)],
    "stop words density": [round(0.02 * step, 2) for step in range(36)],
}
#: Figure 2.7: curves by stop-word density over word counts.
COMBINED_STOPWORDS = (0.10, 0.15, 0.20, 0.25, 0.30, 0.35, 0.40)
COMBINED_WORDS = range(0, 61, 5)

#: The parameters in the order in which they are tuned, and the values tried.
PARAMETERS: Mapping[str, Sequence[float]] = {
    "max_link_density": [round(0.02 * step, 2) for step in range(51)],
    "length_low": [float(step) for step in range(0, 41, 2)],
    "stopwords_low": [round(0.02 * step, 2) for step in range(31)],
    "length_high": [float(step) for step in range(0, 101, 2)],
    "stopwords_high": [round(0.02 * step, 2) for step in range(31)],
}
#: The thesis's initial values.
START = Thresholds(max_link_density=0.2, length_low=10, stopwords_low=0.2, length_high=40, stopwords_high=0.4)


@dataclass(slots=True, frozen=True)
class Point:
    """A classifier's scores at a threshold, for one least annotation reliability."""

    classifier: str
    threshold: str
    reliability: int
    scores: Scores


@dataclass(slots=True, frozen=True)
class Step:
    """A step of the tuning: its name, the parameters after it, F0.5 by least annotation reliability."""

    name: str
    thresholds: Thresholds
    f05: dict[int, float]


class Development:
    """An annotated set that is segmented once, to try many thresholds on it."""

    def __init__(self, gold_set: GoldSet, stop_words: Collection[str] | None = None) -> None:
        """Segments the set's pages with a stop list; None: the English one of the pipeline."""
        self.blocks = segment(gold_set.pages, stop_words or languages.get("en").stop_words)
        self._nodes = Nodes(gold_set.pages)
        self._spans = self._nodes.spans(Spans.of_blocks(self.blocks))

    def scores(self, good: NDArray[np.bool_], reliability: int) -> Scores:
        """Returns the scores of a decision about the blocks."""
        return micro(self._nodes.counts(good[self._spans], reliability))

    def classifiers(self) -> Iterator[Point]:
        """Yields figures 2.6 and 2.7: simple classifiers at each threshold, the combined one at pairs of thresholds."""
        blocks = self.blocks
        rules: dict[str, Callable[[float], NDArray[np.bool_]]] = {
            "link density": lambda threshold: blocks.link_density <= threshold,
            "word count": lambda threshold: blocks.words >= threshold,
            "stop words density": lambda threshold: blocks.stopword_density >= threshold,
        }
        decisions: list[tuple[str, str, NDArray[np.bool_]]] = [("baseline", "", np.ones(len(blocks), np.bool_))]
        for feature, thresholds in FEATURES.items():
            decisions += [(feature, f"{value:g}", rules[feature](value)) for value in thresholds]
        for words in COMBINED_WORDS:
            for density in COMBINED_STOPWORDS:
                good = rules["word count"](words) & rules["stop words density"](density)
                decisions.append(("combined", f"{words}; {density:.2f}", good))
        for classifier, threshold, good in decisions:
            for reliability in RELIABILITIES:
                yield Point(classifier, threshold, reliability, self.scores(good, reliability))

    def influence(self, thresholds: Thresholds = PRESETS["A"]) -> Iterator[Point]:
        """Yields figure 2.8: jusText with one parameter varied and the others as given."""
        for parameter, values in PARAMETERS.items():
            for value in values:
                good = self._justext(_with(thresholds, parameter, value))
                for reliability in RELIABILITIES:
                    yield Point(parameter, f"{value:g}", reliability, self.scores(good, reliability))

    def f05(self, thresholds: Thresholds) -> dict[int, float]:
        """Returns F0.5 of jusText by least annotation reliability."""
        good = self._justext(thresholds)
        return {reliability: self.scores(good, reliability).f05 for reliability in RELIABILITIES}

    def f1(self, thresholds: Thresholds) -> float:
        """Returns F1 of jusText over the text nodes of any annotation reliability."""
        return self.scores(self._justext(thresholds), 0).f1

    def tuning(self) -> Iterator[Step]:
        """Yields table 2.4: sets each parameter in turn to its best value, in two rounds (2.9.5).

        The best value has the largest mean of the two F0.5; ties go to the value nearest to the previous one.
        From the second step of the second round there is a second branch, with LENGTH_LOW 0.
        """
        current = START
        for round_number in (1, 2):
            for number, parameter in enumerate(PARAMETERS, start=1):
                current = self._best(current, parameter)
                branch = "a" if round_number == 2 and number > 1 else ""
                yield Step(f"{round_number}.{number}{branch}", current, self.f05(current))
                if round_number == 2 and number == 1:
                    second = _with(current, "length_low", 0)
        yield Step("2.2b", second, self.f05(second))
        for number, parameter in list(enumerate(PARAMETERS, start=1))[2:]:
            second = self._best(second, parameter)
            yield Step(f"2.{number}b", second, self.f05(second))

    def _best(self, thresholds: Thresholds, parameter: str) -> Thresholds:
        before = asdict(thresholds)[parameter]

        def merit(value: float) -> tuple[float, float]:
            score = self.f05(_with(thresholds, parameter, value))
            return round(sum(score.values()), 6), -abs(value - before)

        return _with(thresholds, parameter, max(PARAMETERS[parameter], key=merit))

    def _justext(self, thresholds: Thresholds) -> NDArray[np.bool_]:
        return JusText(thresholds).classify(self.blocks).good


def _with(thresholds: Thresholds, parameter: str, value: float) -> Thresholds:
    kind = {field.name: field.type for field in fields(thresholds)}[parameter]
    return replace(thresholds, **{parameter: int(value) if kind in (int, "int") else value})  # type: ignore[arg-type]


def best(points: Sequence[Point], classifier: str, reliability: int, score: str) -> Point:
    """Returns a classifier's first point with the largest F1 (`f1`) or F0.5 (`f05`), for table 2.3."""
    chosen = [point for point in points if (point.classifier, point.reliability) == (classifier, reliability)]
    return max(chosen, key=lambda point: float(getattr(point.scores, score)))
