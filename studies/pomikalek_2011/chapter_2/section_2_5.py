"""Makes the scores of the CleanEval competition, as section 2.5 has them: Text Only, and Text and Markup."""

from collections.abc import Iterator, Sequence

from corpusprep.gold.scores import Counts
from studies.comparison import Number, Table
from studies.evaluation import notes
from studies.evaluation.results import Results
from studies.evaluation.trained import SYSTEMS
from studies.study import Study

#: System -> its Text Only score in 2.5.
_PUBLISHED = {"BTE": "85.41"}
_SET = "cleaneval-final"
#: Column -> measure.
_SCORES = {"Text Only": "words_all", "Text and Markup": "words_marked"}


def make(results: Results) -> Iterator[Table]:
    """Yields the scores of all systems, and their mean."""
    numbers = []
    for configuration in SYSTEMS:
        scores = []
        for name, measure in _SCORES.items():
            if counts := results.measured[_SET].of(configuration.title, measure):
                scores.append(score(counts))
                goal = _PUBLISHED.get(configuration.title, "") if name == "Text Only" else ""
                numbers.append(Number(configuration.title, name, goal, f"{scores[-1]:.2f}"))
        if len(scores) == len(_SCORES):
            numbers.append(Number(configuration.title, "mean", "", f"{sum(scores) / len(scores):.2f}"))
    about = (
        "The scores of the competition: 100 minus the words to be deleted from a cleaned text, and to be inserted, in "
        "per cent of its words; at least 0; the mean over pages, whatever their length. Text and Markup counts each "
        "<h>, <l> and <p> as a word, too."
    )
    below = [
        *notes.of_sets(results, _SET),
        "The thesis names 80.9 to 84.1 as the Text Only scores of seven of the nine systems of the competition.",
        "Words are paired as difflib does, not by the shortest edit distance, which the competition used: our score is "
        "never higher than by that. The thesis does not describe Text and Markup; this is our reading of it.",
    ]
    yield Table("2.5 competition", "CleanEval’s own scores", about, numbers, below)


def score(pages: Sequence[Counts]) -> float:
    """Returns the mean score of pages: 100 for equal texts, 0 for a page that needs as many edits as it has words.

    >>> score([Counts(8, 1, 1), Counts(0, 4, 0), Counts(0, 0, 0), Counts(0, 0, 3)])
    44.44444444444444
    """
    return sum(map(_of_page, pages)) / len(pages)


def _of_page(page: Counts) -> float:
    edits, words = page.false_positives + page.false_negatives, page.true_positives + page.false_positives
    if not edits:
        return 100.0
    return max(0.0, 100.0 * (1 - edits / words)) if words else 0.0


STUDY = Study("Section 2.5", "CleanEval’s own scores", "2.5", make, needs=("cleaneval",))
