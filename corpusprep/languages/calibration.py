"""Sets a language's threshold and chooses its rivals on a sample of its text."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from corpusprep.languages.model import LanguageModel
from corpusprep.languages.scoring import TrigramScorer

#: Fewest and most characters of a paragraph. 200 characters are the length of a good block of 30 words.
SHORTEST, LONGEST = 200, 400
#: One paragraph in this many is held out: the model is made from the others.
HELD_OUT = 5
#: Share of the held-out paragraphs that may score below the threshold.
BELOW = 0.01
#: Subtracted from the threshold: other kinds of text than the sample score slightly lower.
MARGIN = 0.03
#: Most rivals of a language: those in which the sample scores highest.
MOST_RIVALS = 6
#: A language that scores higher on more than this share of the paragraphs is not made a rival: trigrams cannot tell
#: the two apart, and most of the texts that it would reject are in the corpus language.
MOST_LOST = 0.01
#: A sample mixes languages if at least this share of its paragraphs is in another language, and at least this share
#: is clearly not in that language.
MIXED = 0.1


@dataclass(frozen=True, slots=True)
class Calibration:
    """The result of calibration on a sample.

    Attributes:
        threshold: the lowest score of a text that counts as the language, 0 to 1.
        rivals: codes of the closest other languages, the closest first.
        foreign: if the sample mixes languages: the code of the other language, and its share of the paragraphs.
    """

    threshold: float
    rivals: tuple[str, ...]
    foreign: tuple[str, float] | None = None


def calibrate(
    texts: Iterable[str], make: Callable[[list[str]], LanguageModel], others: Sequence[LanguageModel]
) -> Calibration:
    """Calibrates a language on the paragraphs of a sample that are held out of its model.

    Args:
        texts: the sample.
        make: makes the language's model from a part of the sample.
        others: models of the languages that may become rivals.
    """
    parts = paragraphs(texts)
    held_out = parts[::HELD_OUT]
    own = make([part for number, part in enumerate(parts) if number % HELD_OUT])
    scorer = TrigramScorer([own, *others])
    scores = np.array([scorer.scores(part) for part in held_out]).reshape(len(held_out), -1)
    codes = [other.code for other in others]
    foreign = foreign_of(scores, codes, np.array([other.threshold for other in others]))
    return Calibration(threshold_of(scores[:, 0]), rivals_of(scores, codes), foreign)


def paragraphs(texts: Iterable[str]) -> list[str]:
    """Joins and cuts the lines of texts to paragraphs of SHORTEST to LONGEST characters; a shorter rest is dropped."""
    paragraph_list = []
    current = ""
    for text in texts:
        for line in text.splitlines():
            current = f"{current}\n{line.strip()}" if current else line.strip()
            while len(current) > LONGEST:
                paragraph_list.append(current[:LONGEST])
                current = current[LONGEST:]
            if len(current) >= SHORTEST:
                paragraph_list.append(current)
                current = ""
    return paragraph_list


def threshold_of(scores: npt.NDArray[np.float64]) -> float:
    """Returns a language's threshold, to three decimals, from the scores of its own paragraphs."""
    if not len(scores):
        return 0.0
    lowest = float(np.quantile(scores, BELOW, method="lower"))
    return max(0.0, math.floor((lowest - MARGIN) * 1000) / 1000)


def rivals_of(scores: npt.NDArray[np.float64], codes: Sequence[str]) -> tuple[str, ...]:
    """Returns the codes of the closest other languages, the closest first; none that has nothing of the language.

    Args:
        scores: of the language's paragraphs, one row each: first column the language, then one per other language.
        codes: of the other languages.
    """
    if not len(scores):
        return ()
    lost = (scores[:, 1:] > scores[:, :1]).mean(axis=0)
    mean = scores[:, 1:].mean(axis=0)
    ranked = sorted(range(len(codes)), key=lambda column: (-mean[column], codes[column]))
    return tuple(codes[column] for column in ranked if lost[column] <= MOST_LOST and mean[column] > 0)[:MOST_RIVALS]


def foreign_of(
    scores: npt.NDArray[np.float64], codes: Sequence[str], thresholds: npt.NDArray[np.float64]
) -> tuple[str, float] | None:
    """Returns the other language that a part of the paragraphs is in, with its share; None: not mixed (MIXED).

    A paragraph is in another language if its score there is higher than in its own language and reaches the
    other's threshold. Of several other languages, the one with most paragraphs is returned.

    Args:
        scores: as for rivals_of.
        codes: of the other languages.
        thresholds: of the other languages.
    """
    if not len(scores) or not codes:
        return None
    passed = scores[:, 1:] >= thresholds
    best = np.argmax(np.where(passed, scores[:, 1:], 0.0), axis=1)
    rows = np.arange(len(scores))
    inside = passed[rows, best] & (scores[rows, 1 + best] > scores[:, 0])
    shares = np.bincount(best[inside], minlength=len(codes)) / len(scores)
    outside = (scores[:, 1:] < thresholds - MARGIN).mean(axis=0)
    mixed = np.where((shares >= MIXED) & (outside >= MIXED), shares, 0.0)
    other = int(np.argmax(mixed))
    return (codes[other], float(shares[other])) if mixed[other] > 0 else None
