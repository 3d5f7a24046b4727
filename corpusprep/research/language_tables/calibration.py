"""Setting the threshold and choosing the rivals of every built-in language, on the texts of `langid-dev`.

The sentences of the Wortschatz Leipzig in 79 languages (`lingua-split`) are divided in two by the hash of each:
`SETTING` is for this, `REPORTING` for the tables. They are joined, in several random orders, to texts of 200
characters and more. What counts as precision of a threshold is with as many texts of every language.

Of a language, the rivals are the three closest, English (and Russian, of Cyrillic), and then those that take most of
the texts away that it would take of other languages, until none does. A language that takes too many of its own
texts is none. The threshold is
the lowest with which 99.5 % of what it keeps is in the language, but not lower than nearly all its own texts reach, nor
so high that more than 3 % of them do not.

The set's file `ms` is no Malay: it has `bahwa`, `karena`, `bisa` and `yaitu` 34 times, which are Indonesian, and
`bahawa`, `kerana`, `boleh` and `iaitu` 10 times. Malay, Indonesian and Galician (not in the set) are also read
from the Universal Declaration of Human Rights, which has one kind of text only: how high Malay texts usually score
is taken from the Indonesian sentences, whose trigrams are the same. The file `ms` is not used.
"""

import hashlib
import math
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from corpusprep import languages
from corpusprep.io.progress import track
from corpusprep.languages.calibration import BELOW, MARGIN
from corpusprep.languages.rivals import WORD_WEIGHT
from corpusprep.languages.scoring import TrigramScorer
from corpusprep.languages.word_evidence import WordEvidence
from corpusprep.research.language_tables.data import unpacked

COLUMNS = ("language", "threshold", "rivals", "precision", "recall", "sha256")

#: The halves of the sentences.
SETTING, REPORTING = 0, 1
#: Files whose language has another code here: Croatian, Serbian (Latin) and Bosnian, and Tagalog, of which Filipino
#: is the standard.
FILES = {"hr": "sh", "bs": "sh", "sr": "sh", "tl": "fil"}
#: Translations of the declaration that are texts of a language, beside the sentences or for want of them.
DECLARATIONS = {"mly_latn": "ms", "ind": "id", "glg": "gl"}
#: The file of the sentences that is not what it says.
MISLABELLED = "ms"
#: The language whose sentences say how high a language's texts usually score, where its own do not.
STAND_IN = {"ms": "id"}

LENGTH = 200
ORDERS = 5
PRECISION = 0.995
#: No threshold is so high that more of a language's own texts are under it. Where precision is less, it is the highest.
MOST_BELOW = 0.03
MOST_RIVALS = 7
#: A language that would take a greater share of the own texts is no rival; unless it takes as many times as many
#: texts of other languages away: of the set's Bokmål one text in twenty has sentences in Nynorsk.
MOST_LOST, MOST_LOST_FOR_ONE = 0.02, 0.2
#: How many of the closest languages are rivals whatever they take; so is English, and Russian among Cyrillic.
CLOSEST = 3
#: Mean trigram score of a language's texts against another that is written with the same letters.
LEAST_CLOSENESS = 0.1

Texts = Mapping[str, list[str]]


@dataclass(frozen=True, slots=True)
class Setting:
    """The threshold and rivals of a language, and what they give on the texts that they were set on."""

    threshold: float
    rivals: tuple[str, ...]
    precision: float
    recall: float


def rows(folder: Path) -> Iterator[tuple[str, ...]]:
    """The table config/languages/calibration.tsv, in the order of COLUMNS; precision and recall in per cent.

    Raises:
        ArchiveError: the set is missing.
    """
    with unpacked(folder, "langid-dev") as (data, digest):
        texts = calibration_texts(data)
    codes = [*languages.known(), *languages.neighbours()]
    models = [languages.get(code) for code in codes]
    scorer = TrigramScorer(models)
    scores = {name: np.array([scorer.scores(text) for text in ones]) for name, ones in texts.items()}
    for own in track(range(len(languages.known())), "calibrate: languages", len(languages.known())):
        evidence = WordEvidence(models[own].words, [model.words for model in models])
        found = _Language(own, codes, texts, scores, evidence).setting()
        shares = (f"{100 * value:.2f}" for value in (found.precision, found.recall))
        yield codes[own], f"{found.threshold:.3f}", " ".join(found.rivals), *shares, digest


def language_of(name: str) -> str:
    """The code of the language that a file of the set is in; its own name where none is known."""
    return DECLARATIONS.get(name) or FILES.get(name, name)


def calibration_texts(data: Path) -> dict[str, list[str]]:
    """By file: texts of the half SETTING."""
    lines = sentences(data, SETTING) | declarations(data, SETTING)
    del lines[MISLABELLED]
    return {
        name: [text for order in range(ORDERS) for text in joined(shuffled(ones, order), LENGTH)]
        for name, ones in lines.items()
    }


def sentences(data: Path, half: int | None = None) -> dict[str, list[str]]:
    """The sentences of each language, by file; of a half, or all."""
    files = sorted((data / "lingua-split" / "dev").glob("*.txt"))
    return {path.stem: lines_of(path, half) for path in files}


def declarations(data: Path, half: int | None = None) -> dict[str, list[str]]:
    """The lines of DECLARATIONS, by file; of a half, or all."""
    return {name: lines_of(data / "udhr" / "txt" / f"{name}.txt", half) for name in DECLARATIONS}


def lines_of(path: Path, half: int | None) -> list[str]:
    """The lines of a file that are in a half."""
    lines = (line.strip() for line in path.read_text(encoding="utf-8").split("\n"))
    return [line for line in lines if line and half in (None, hashlib.sha256(line.encode()).digest()[0] % 2)]


def joined(lines: Sequence[str], length: int) -> list[str]:
    """Lines joined, in their order, to texts of at least so many characters."""
    texts: list[str] = []
    current = ""
    for line in lines:
        current = f"{current} {line}".strip()
        if len(current) >= length:
            texts.append(current)
            current = ""
    return texts


def shuffled(lines: Sequence[str], order: int) -> list[str]:
    """The lines in one of many random orders, each always the same."""
    lines = list(lines)
    random.Random(order).shuffle(lines)
    return lines


def precision_of(own: float, foreign: Sequence[float]) -> float:
    """The share of what is kept that is in the language, with as many texts of each language.

    Args:
        own: the share of the language's texts that is kept.
        foreign: of each other language's.
    """
    return own / (own + sum(foreign)) if own else 0.0


class _Language:
    """The texts that a language is calibrated on: its own, and those of others that it would take for its own."""

    def __init__(
        self,
        own: int,
        codes: Sequence[str],
        texts: Texts,
        scores: Mapping[str, npt.NDArray[np.float64]],
        evidence: WordEvidence,
    ) -> None:
        self._own, self._codes = own, codes
        mine = [name for name in texts if language_of(name) == codes[own]]
        usual = STAND_IN.get(codes[own], codes[own])
        sentences_of = [name for name in texts if language_of(name) == usual and name not in DECLARATIONS]
        own_scores = np.concatenate([scores[name][:, own] for name in sentences_of])
        self._least = float(np.quantile(own_scores, BELOW, method="lower")) - MARGIN
        self._highest = float(np.quantile(own_scores, MOST_BELOW, method="lower"))
        kept_scores, names, weights = [], [], []
        self._closeness = np.concatenate([scores[name] for name in mine]).mean(axis=0)
        for name, ones in texts.items():
            table = scores[name]
            possible = np.flatnonzero((table[:, own] >= self._least) | (name in mine))
            moved = np.array([evidence.of(ones[number]) for number in possible]).reshape(len(possible), len(codes))
            kept_scores.append(table[possible] - WORD_WEIGHT * moved)
            names += [name in mine] * len(possible)
            weights += [1 / sum(len(texts[other]) for other in mine) if name in mine else 1 / len(ones)] * len(possible)
        self._scores = np.concatenate(kept_scores)
        self._mine, self._weights = np.array(names), np.array(weights)

    def setting(self) -> Setting:
        """The threshold and the rivals."""
        rivals = self._rivals()
        own = self._scores[:, self._own]
        passed: npt.NDArray[np.bool_] = np.all(self._scores[:, rivals] <= own[:, None], axis=1)
        between = own[passed & (own >= self._least) & (own <= self._highest)]
        settings = [self._at(threshold, passed) for threshold in np.unique([self._least, *between, self._highest])]
        threshold, precision, recall = next((one for one in settings if one[1] >= PRECISION), settings[-1])
        # Down to three decimals, so that what just reached the threshold still does.
        rounded = max(0.0, math.floor(threshold * 1000) / 1000)
        return Setting(rounded, tuple(self._codes[rival] for rival in rivals), precision, recall)

    def _at(self, threshold: float, passed: npt.NDArray[np.bool_]) -> tuple[float, float, float]:
        """The threshold, with its precision and recall on the texts that pass the rivals."""
        kept = passed & (self._scores[:, self._own] >= threshold)
        recall = float(self._weights[kept & self._mine].sum())
        return float(threshold), precision_of(recall, [float(self._weights[kept & ~self._mine].sum())]), recall

    def _rivals(self) -> list[int]:
        own = self._scores[:, self._own]
        beaten = self._scores > own[:, None]
        lost = beaten[self._mine].mean(axis=0)
        left = np.where(self._mine | (own < self._least), 0.0, self._weights)
        worth = np.maximum(MOST_LOST, MOST_LOST_FOR_ONE * (left @ beaten))
        possible = [one for one in range(len(self._codes)) if one != self._own and lost[one] <= worth[one]]
        close = self._closeness
        closest = sorted(possible, key=lambda one: -close[one])
        alike = [one for one in closest if close[one] >= LEAST_CLOSENESS]
        frequent = [one for one in closest if self._codes[one] == "en" or (self._codes[one] == "ru" and one in alike)]
        chosen = list(dict.fromkeys([*alike[:CLOSEST], *frequent]))
        for one in chosen:
            possible.remove(one)
            left[beaten[:, one]] = 0.0
        while len(chosen) < MOST_RIVALS and possible:
            taken = {one: float(left[beaten[:, one]].sum()) for one in possible}
            best = max(possible, key=lambda one: (taken[one], close[one]))
            if not taken[best]:
                break
            chosen.append(best)
            possible.remove(best)
            left[beaten[:, best]] = 0.0
        others = [one for one in alike if one in possible]
        return [*chosen, *others[: MOST_RIVALS - len(chosen)]]
