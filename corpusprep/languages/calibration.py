"""Setting a language's threshold and choosing its rivals on a sample of its text."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from corpusprep.languages.model import LanguageModel
from corpusprep.trigrams import TrigramScorer

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


@dataclass(frozen=True, slots=True)
class Calibration:
    """What a sample says: the lowest score of its language's texts, and the codes of the closest others."""

    threshold: float
    rivals: tuple[str, ...]


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
    return Calibration(threshold_of(scores[:, 0]), rivals_of(scores, [other.code for other in others]))


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
