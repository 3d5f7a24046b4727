"""Makes the scores of the CleanEval competition, as section 2.5 has them: Text Only, and Text and Markup."""

from collections.abc import Iterator, Sequence

from corpusprep.gold.data import TRAINED_ON
from corpusprep.gold.scores import Counts
from studies import published
from studies.comparison import Number, Table
from studies.evaluation import notes
from studies.evaluation.extractors import VARIANTS
from studies.evaluation.results import Results
from studies.evaluation.trained import SYSTEMS
from studies.study import Study

#: System -> its score in 2.5.
_PUBLISHED = {("BTE", "Text Only"): "85.41"}
#: The winner of the competition in Baisa's table 3.1, in which these are the columns of its two scores.
_WINNER, _OF_WINNER = "Victor CleanEval", {"Text Only": "precision", "Text and Markup": "recall"}
_SET = "cleaneval-final"
#: Column -> measure.
_SCORES = {"Text Only": "words_all", "Text and Markup": "words_marked"}
_MEAN = "mean"
_FURTHER = {"Text and Markup, by elements": "words_elements"}


def make(results: Results) -> Iterator[Table]:
    """Yields the scores of all systems, and their mean."""
    winner = next(row for row in published.table("baisa.3.1") if row["algorithm"].startswith("WCP"))
    goals = _PUBLISHED | {(_WINNER, name): f"{float(winner[column]):.2f}" for name, column in _OF_WINNER.items()}
    numbers = []
    titles = [f"{model}{variant}" for model in TRAINED_ON for variant in VARIANTS]
    for title in (*(configuration.title for configuration in SYSTEMS), *titles):
        scores = {
            name: score(counts)
            for name, measure in (_SCORES | _FURTHER).items()
            if (counts := results.measured[_SET].of(title, measure) or results.extractors[_SET].of(title, measure))
        }
        if scores.keys() >= _SCORES.keys():
            scores[_MEAN] = sum(scores[name] for name in _SCORES) / len(_SCORES)
        for name in (*_SCORES, _MEAN, *_FURTHER):
            goal = goals.get((title, name), "")
            if name in scores or goal:
                numbers.append(Number(title, name, goal, f"{scores[name]:.2f}" if name in scores else ""))
    about = (
        "The scores of the competition: 100 minus the words to be deleted from a cleaned text, and to be inserted, in "
        "per cent of its words; at least 0; the mean over pages, whatever their length. Text and Markup counts each "
        "<h>, <l> and <p> as a word, too. Victor and content predict which of them a block is; “by elements” is their "
        "score with h1 to h6 and li instead, which decide for all other systems."
    )
    below = [
        *notes.of_sets(results, _SET),
        "Victor won the competition; its published scores are in Baisa 2009, table 3.1.",
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
