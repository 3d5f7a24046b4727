"""Sets the threshold and chooses the rivals of every built-in language, on the texts of `langid-dev`.

The data are sentences of the Wortschatz Leipzig in 79 languages (`lingua-split`). The hash of a sentence assigns it to
one of two halves: `SETTING` is used here, `REPORTING` for the tables. The sentences are joined, in several random
orders, to texts of at least 200 characters. Precision is computed as if every language had the same number of texts.

The rivals of a language are chosen in this order:

1. the three closest languages with texts to set on, English, and for Cyrillic also Russian;
2. again and again the language that rejects most of the foreign texts that are still accepted, until no language
   rejects any;
3. if there is room, the next closest languages.

A language that rejects too many texts of the language itself is not chosen. The threshold is the lowest one with a
precision of 99.5 %. It is not lower than the score that nearly all own texts reach, and rejects at most 3 % of them.

The file `ms` of the set is not Malay: it has the Indonesian words `bahwa`, `karena`, `bisa` and `yaitu` 34 times, and
the Malay words `bahawa`, `kerana`, `boleh` and `iaitu` 10 times. It is not used. Malay, Indonesian and Galician (not
in the set) are also read from the Universal Declaration of Human Rights. It is a single kind of text, so the usual
scores of Malay texts are taken from the Indonesian sentences, which have the same trigrams.

Three quarters of the sentences for setting are in the word list of a language that has one (config/languages/words),
so only the others set its threshold. A language without sentences has the lowest threshold of such a language (of one
in Latin letters, if it has these), and as rivals the closest languages of texts that are drawn from its words.
"""

import hashlib
import math
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from corpusprep import languages
from corpusprep.io.progress import track
from corpusprep.languages.calibration import BELOW, MARGIN
from corpusprep.languages.descriptions import has_list
from corpusprep.languages.frequencies import of_language
from corpusprep.languages.labelled_texts import unpacked
from corpusprep.languages.model import LanguageModel
from corpusprep.languages.rivals import WORD_WEIGHT
from corpusprep.languages.scoring import TrigramScorer
from corpusprep.languages.word_evidence import WordEvidence

COLUMNS = ("language", "threshold", "rivals", "precision", "recall", "sha256")

#: The halves of the sentences.
SETTING, REPORTING = 0, 1
#: Files whose language has another code here: Croatian, Bosnian and Serbian (Latin) are one language, and Filipino is
#: the standard form of Tagalog.
FILES = {"hr": "sh", "bs": "sh", "sr": "sh", "tl": "fil"}
#: Translations of the declaration -> the language that they are texts of, in addition to its sentences, if any.
DECLARATIONS = {"mly_latn": "ms", "ind": "id", "glg": "gl"}
#: Further translations, of languages without sentences. Their word lists have the half SETTING, so it chooses rivals
#: alone.
FOREIGN = {
    **{"ast": "ast", "bre": "br", "fao": "fo", "fur": "fur", "fri": "fy", "gla": "gd", "gug": "gn", "hsb": "hsb"},
    **{"khm": "km", "kan": "kn", "kir": "ky", "ltz": "lb", "lij": "lij", "lao": "lo", "plt": "mg", "mal": "ml"},
    **{"mlt": "mt", "mya": "my", "nep": "ne", "nso": "nso", "oci_1": "oc", "roh_rumgr": "rm", "kin": "rw"},
    **{"src": "sc", "ssw": "ss", "tgk": "tg", "tuk_latn": "tk", "tat": "tt", "uig_arab": "ug", "uzn_latn": "uz"},
    **{"ven": "ve", "nds": "nds", "ceb": "ceb", "hil": "hil", "ilo": "ilo", "jav": "jv", "sun": "su"},
}
#: The file whose sentences are not in the language of its name.
MISLABELLED = "ms"
#: Languages without sentences of their own -> the language whose sentences give their usual scores.
SCORED_AS = {"ms": "id"}

LENGTH = 200
#: Words that are drawn from the list of a language without sentences.
DRAWN = 5_000
ORDERS = 5
#: Subtracted instead of MARGIN in scripts without spaces. Their scores depend more on the subject: of 138 Chinese news
#: pages of `daniel-dev`, 16 are below the threshold with MARGIN, none with this.
UNSPACED_MARGIN = 0.08
PRECISION = 0.995
#: The highest share of own texts that a threshold may reject, even if PRECISION is not reached.
MAX_REJECTED = 0.03
MAX_RIVALS = 9
#: The highest share of own texts that a rival may reject: MAX_LOST, or MAX_LOST_PER_GAIN times the share of foreign
#: texts that it rejects, if that is more. Reason: one text in twenty of the set's Bokmål has sentences in Nynorsk.
MAX_LOST, MAX_LOST_PER_GAIN = 0.02, 0.2
#: How many of the closest languages are always rivals. English is one too, and Russian for languages in Cyrillic.
CLOSEST = 3
#: The lowest mean trigram score of a language's texts in another language that is written with the same letters.
MIN_CLOSENESS = 0.1

Texts = Mapping[str, list[str]]


@dataclass(frozen=True, slots=True)
class Setting:
    """The threshold and rivals of a language, with their precision and recall on the texts that they were set on."""

    threshold: float
    rivals: tuple[str, ...]
    precision: float
    recall: float


def rows(folder: Path) -> Iterator[tuple[str, ...]]:
    """Yields the rows of config/languages/calibration.tsv, in the order of COLUMNS; precision and recall in per cent.

    Raises:
        ArchiveError: the set is missing.
    """
    with unpacked(folder, "langid-dev") as (data, digest):
        texts = calibration_texts(data)
    codes = languages.known()
    models = [languages.get(code) for code in codes]
    scorer = TrigramScorer(models)
    scores = {name: np.array([scorer.scores(text) for text in ones]) for name, ones in texts.items()}
    with_sentences = {language_of(name) for name in texts if name not in DECLARATIONS | FOREIGN}
    settings: dict[str, Setting] = {}
    for own, code in track(enumerate(codes), "calibrate: languages", len(codes)):
        if SCORED_AS.get(code, code) in with_sentences:
            evidence = WordEvidence(models[own].words, [model.words for model in models])
            margin = UNSPACED_MARGIN if models[own].characters_per_word else MARGIN
            settings[code] = _Language(own, codes, texts, scores, evidence, margin).setting()
    latin = {code: _is_latin(model) for code, model in zip(codes, models, strict=True)}
    least = {
        letters: min(
            setting.threshold for code, setting in settings.items() if has_list(code) and latin[code] in (letters, True)
        )
        for letters in (True, False)
    }
    for own, code in enumerate(codes):
        if code in settings:
            setting = settings[code]
            shares = [f"{100 * value:.2f}" for value in (setting.precision, setting.recall)]
        else:
            setting = Setting(least[latin[code]], _closest(own, codes, scorer), math.nan, math.nan)
            shares = ["", ""]
        yield code, f"{setting.threshold:.3f}", " ".join(setting.rivals), *shares, digest


def _is_latin(model: LanguageModel) -> bool:
    """Returns whether most stop words of a language are in Latin letters."""
    return 2 * sum("a" <= word[0] <= "ɏ" for word in model.stop_list) > len(model.stop_list)


def _closest(own: int, codes: Sequence[str], scorer: TrigramScorer) -> tuple[str, ...]:
    """Returns the closest languages of texts that are drawn from the words of a language, and English."""
    words = of_language(codes[own])
    draw = random.Random(codes[own])
    drawn = draw.choices(words.words, words.shares.tolist(), k=DRAWN)
    close = np.array([scorer.scores(text) for text in joined(drawn, LENGTH)]).mean(axis=0)
    others = sorted((number for number in range(len(codes)) if number != own), key=lambda number: -close[number])
    alike = [codes[number] for number in others if close[number] >= MIN_CLOSENESS][: MAX_RIVALS - 1]
    return tuple(dict.fromkeys([*alike, "en"]))


def is_for_words(line: str) -> bool:
    """Returns whether a sentence of the half for setting is in the word list of its language."""
    return hashlib.sha256(line.encode()).digest()[1] % 4 != 0


def language_of(name: str) -> str:
    """Returns the code of the language that a file of the set is in, or the name of the file if no code is known."""
    return DECLARATIONS.get(name) or FOREIGN.get(name) or FILES.get(name, name)


def calibration_texts(data: Path) -> dict[str, list[str]]:
    """Returns texts of the half SETTING, by file."""
    lines = sentences(data, SETTING) | declarations(data, SETTING, DECLARATIONS | FOREIGN)
    del lines[MISLABELLED]
    lines = {
        name: [line for line in ones if name in FOREIGN or not (has_list(language_of(name)) and is_for_words(line))]
        for name, ones in lines.items()
    }
    return {
        name: [text for order in range(ORDERS) for text in joined(shuffled(ones, order), LENGTH)]
        for name, ones in lines.items()
    }


def sentences(data: Path, half: int | None = None) -> dict[str, list[str]]:
    """Returns the sentences of each language, by file: of one half, or all if `half` is None."""
    files = sorted((data / "lingua-split" / "dev").glob("*.txt"))
    return {path.stem: lines_of(path, half) for path in files}


def declarations(
    data: Path, half: int | None = None, names: Iterable[str] = tuple(DECLARATIONS)
) -> dict[str, list[str]]:
    """Returns the lines of translations of the declaration by file: of one half, or all if `half` is None."""
    return {name: lines_of(data / "udhr" / "txt" / f"{name}.txt", half) for name in names}


def lines_of(path: Path, half: int | None) -> list[str]:
    """Returns the lines of a file that are in a half, or all if `half` is None."""
    lines = (line.strip() for line in path.read_text(encoding="utf-8").split("\n"))
    return [line for line in lines if line and half in (None, hashlib.sha256(line.encode()).digest()[0] % 2)]


def joined(lines: Sequence[str], length: int) -> list[str]:
    """Joins lines, in their order, to texts of at least `length` characters."""
    texts: list[str] = []
    current = ""
    for line in lines:
        current = f"{current} {line}".strip()
        if len(current) >= length:
            texts.append(current)
            current = ""
    return texts


def shuffled(lines: Sequence[str], order: int) -> list[str]:
    """Returns the lines in a random order, which is always the same for the same `order`."""
    lines = list(lines)
    random.Random(order).shuffle(lines)
    return lines


def precision_of(own: float, foreign: Sequence[float]) -> float:
    """Returns the precision of a language, as if every language had the same number of texts.

    Args:
        own: share of the texts in the language that are kept.
        foreign: the same share for every other language.
    """
    return own / (own + sum(foreign)) if own else 0.0


class _Language:
    """The texts that a language is calibrated on: its own, and texts in others with a score that it could accept."""

    def __init__(
        self,
        own: int,
        codes: Sequence[str],
        texts: Texts,
        scores: Mapping[str, npt.NDArray[np.float64]],
        evidence: WordEvidence,
        margin: float = MARGIN,
    ) -> None:
        self._own, self._codes = own, codes
        with_texts = {language_of(name) for name in texts if name not in FOREIGN}
        self._tested = {code for code in codes if code in with_texts or not has_list(code)}
        mine = [name for name in texts if language_of(name) == codes[own]]
        usual = SCORED_AS.get(codes[own], codes[own])
        sentences_of = [name for name in texts if language_of(name) == usual and name not in DECLARATIONS | FOREIGN]
        own_scores = np.concatenate([scores[name][:, own] for name in sentences_of])
        self._least = float(np.quantile(own_scores, BELOW, method="lower")) - margin
        self._highest = float(np.quantile(own_scores, MAX_REJECTED, method="lower"))
        kept_scores, names, weights, counted = [], [], [], []
        self._closeness = np.concatenate([scores[name] for name in mine]).mean(axis=0)
        for name, ones in texts.items():
            table = scores[name]
            possible = np.flatnonzero((table[:, own] >= self._least) | (name in mine))
            moved = np.array([evidence.of(ones[number]) for number in possible]).reshape(len(possible), len(codes))
            kept_scores.append(table[possible] - WORD_WEIGHT * moved)
            names += [name in mine] * len(possible)
            counted += [name not in FOREIGN] * len(possible)
            weights += [1 / sum(len(texts[other]) for other in mine) if name in mine else 1 / len(ones)] * len(possible)
        self._scores = np.concatenate(kept_scores)
        self._mine, self._weights, self._counted = np.array(names), np.array(weights), np.array(counted)

    def setting(self) -> Setting:
        """Returns the threshold and the rivals."""
        rivals = self._rivals()
        own = self._scores[:, self._own]
        passed: npt.NDArray[np.bool_] = np.all(self._scores[:, rivals] <= own[:, None], axis=1)
        between = own[passed & (own >= self._least) & (own <= self._highest)]
        settings = [self._at(threshold, passed) for threshold in np.unique([self._least, *between, self._highest])]
        threshold, precision, recall = next(
            (candidate for candidate in settings if candidate[1] >= PRECISION), settings[-1]
        )
        # Rounded down, so that texts that just reached the threshold still reach it.
        rounded = max(0.0, math.floor(threshold * 1000) / 1000)
        return Setting(rounded, tuple(self._codes[rival] for rival in rivals), precision, recall)

    def _at(self, threshold: float, passed: npt.NDArray[np.bool_]) -> tuple[float, float, float]:
        """Returns the threshold, and its precision and recall on the texts that no rival rejects."""
        kept = passed & self._counted & (self._scores[:, self._own] >= threshold)
        recall = float(self._weights[kept & self._mine].sum())
        return float(threshold), precision_of(recall, [float(self._weights[kept & ~self._mine].sum())]), recall

    def _rivals(self) -> list[int]:
        own = self._scores[:, self._own]
        beaten = self._scores > own[:, None]
        lost = beaten[self._mine].mean(axis=0)
        left = np.where(self._mine | (own < self._least), 0.0, self._weights)
        worth = np.maximum(MAX_LOST, MAX_LOST_PER_GAIN * (left @ beaten))
        possible = [other for other in range(len(self._codes)) if other != self._own and lost[other] <= worth[other]]
        close = self._closeness
        closest = sorted(possible, key=lambda other: -close[other])
        alike = [other for other in closest if close[other] >= MIN_CLOSENESS]
        frequent = [
            other for other in closest if self._codes[other] == "en" or (self._codes[other] == "ru" and other in alike)
        ]
        tested = [other for other in alike if self._codes[other] in self._tested]
        chosen = list(dict.fromkeys([*tested[:CLOSEST], *frequent]))
        for other in chosen:
            possible.remove(other)
            left[beaten[:, other]] = 0.0
        while len(chosen) < MAX_RIVALS and possible:
            weights = {other: float(left[beaten[:, other]].sum()) for other in possible}
            best = max(possible, key=lambda other: (weights[other], close[other]))
            if not weights[best]:
                break
            chosen.append(best)
            possible.remove(best)
            left[beaten[:, best]] = 0.0
        others = [other for other in alike if other in possible]
        return [*chosen, *others[: MAX_RIVALS - len(chosen)]]
