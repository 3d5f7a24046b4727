"""Setting a language's threshold and choosing its rivals on a sample of its text."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from corpusprep.languages.model import LanguageModel
from corpusprep.languages.scoring import TrigramScorer

#: Paragraphs have at least this many characters, as a good block of 30 words has, and at most the other.
SHORTEST, LONGEST = 200, 400
#: Every so many paragraphs one is kept out of the model that the others make.
HELD_OUT = 5
#: Share of the paragraphs that may score under the threshold.
BELOW = 0.01
#: Taken off the threshold: texts of other kinds than the sample score somewhat lower.
MARGIN = 0.03
#: How many languages become rivals: those in which the sample scores highest.
MOST_RIVALS = 6
#: A language that scores higher on more than this share of the paragraphs is no rival: the two cannot be told
#: apart, and what it would take away is mostly not its own.
MOST_LOST = 0.01
#: A sample is in more languages than one if at least this share of its paragraphs is in another language, and
#: at least this share is clearly not in that language.
MIXED = 0.1


@dataclass(frozen=True, slots=True)
class Calibration:
    """What a sample says: the lowest score of its language's texts, and the codes of the closest others.

    `foreign` is the code of another language that a part of the sample is in, and the share of that part.
    """

    threshold: float
    rivals: tuple[str, ...]
    foreign: tuple[str, float] | None = None


def calibrate(
    texts: Iterable[str], make: Callable[[list[str]], LanguageModel], others: Sequence[LanguageModel]
) -> Calibration:
    """Calibrates the language of a sample on the paragraphs that are kept out of its model.

    Args:
        texts: the sample.
        make: makes the language's model from a part of it.
        others: the models that may become rivals.
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
    """The lines of texts, joined and cut to paragraphs of SHORTEST to LONGEST characters; leftovers are dropped."""
    found = []
    current = ""
    for text in texts:
        for line in text.splitlines():
            current = f"{current}\n{line.strip()}" if current else line.strip()
            while len(current) > LONGEST:
                found.append(current[:LONGEST])
                current = current[LONGEST:]
            if len(current) >= SHORTEST:
                found.append(current)
                current = ""
    return found


def threshold_of(scores: npt.NDArray[np.float64]) -> float:
    """The threshold for a language in which its own paragraphs have these scores, to three decimals."""
    if not len(scores):
        return 0.0
    lowest = float(np.quantile(scores, BELOW, method="lower"))
    return max(0.0, math.floor((lowest - MARGIN) * 1000) / 1000)


def rivals_of(scores: npt.NDArray[np.float64], codes: Sequence[str]) -> tuple[str, ...]:
    """The closest of the other languages, the closest first.

    Args:
        scores: of the language's own paragraphs; first column its own, then one for each of the others.
        codes: of the others.
    """
    if not len(scores):
        return ()
    lost = (scores[:, 1:] > scores[:, :1]).mean(axis=0)
    mean = scores[:, 1:].mean(axis=0)
    ranked = sorted(range(len(codes)), key=lambda column: (-mean[column], codes[column]))
    return tuple(codes[column] for column in ranked if lost[column] <= MOST_LOST)[:MOST_RIVALS]


def foreign_of(
    scores: npt.NDArray[np.float64], codes: Sequence[str], thresholds: npt.NDArray[np.float64]
) -> tuple[str, float] | None:
    """The other language that most of the paragraphs are in, if only a part of them is, and the share of it.

    A paragraph is in another language if it scores higher there than in its own, and reaches the threshold.

    Args:
        scores: as for rivals_of.
        codes: of the others.
        thresholds: of the others.
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
