"""Measures language identification on `langid-dev`, and compares other tools (choosers).

Texts are the sentences of the Wortschatz Leipzig (`lingua-split`). For 20 and 50 characters, they are cut at spaces;
for 100, 200 and 1,000 they are joined. Every tool chooses from the same languages, which all of them know. The table
has precision, recall and F1 of each language, and their means in the rows `macro`. Precision is as if each language had
the same number of texts. The texts are from the half of the sentences that was not used to set values; texts of 1,000
characters are from both, because the half is too small.

The rows `filter` measure the filter of the workflow: a text is kept for a language if it reaches the threshold of the
language and none of the rivals scores higher. They use the half of the sentences that calibration did not use, in
several random orders. Precision is over all languages of the set, also unknown ones, as if each had the same number of
texts. The column `taken` lists files in other languages of which texts are kept, with the share in per cent. It shows
why precision is under 99.5 in some languages: close languages, and sentences in another language than their file.

Malay and Galician are measured on the Universal Declaration of Human Rights, Indonesian on both. The file `ms` of the
set is mostly Indonesian (calibration): the rows `filter, ms as labelled` show the scores if it is taken as Malay.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from corpusprep import languages
from corpusprep.languages.calibrating import (
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
from corpusprep.languages.labelled_texts import unpacked
from corpusprep.languages.rivals import adjusted
from corpusprep.languages.scoring import TrigramScorer
from corpusprep.languages.word_evidence import WordEvidence
from studies.languages.choosers import NOT_INSTALLED, choosers

COLUMNS = ("characters", "tool", "language", "texts", "precision", "recall", "f1", "taken", "sha256")
LENGTHS = (20, 50, 100, 200, 1000)
#: Shorter texts are parts of sentences.
JOINED_FROM = 100
#: The filter judges documents.
FILTER_LENGTHS = (50, 200, 1000)
#: Both halves of the sentences are used for texts of at least this length.
BOTH_HALVES_FROM = 1000
MAX_TEXTS = 200  # per language and length
#: Random orders in which the held-out sentences are joined.
ORDERS = 3
#: The column `taken` lists shares of at least MIN_TAKEN, and at most MAX_LISTED files.
MIN_TAKEN, MAX_LISTED = 0.001, 5


def rows(folder: Path) -> Iterator[tuple[str, ...]]:
    """Yields the rows of the table, in the order of COLUMNS; scores in per cent.

    Raises:
        ArchiveError: the set is missing.
    """
    with unpacked(folder, "langid-dev") as (data, digest):
        lines = sentences(data)
        held_out = sentences(data, REPORTING) | declarations(data, REPORTING)
    codes = known_codes(held_out)
    filters = _Filter(codes)
    tools = choosers(codes)
    for length in LENGTHS:
        pairs = labelled_texts(lines if length >= BOTH_HALVES_FROM else held_out, length)
        for tool, choose in tools.items():
            if choose is None:
                yield str(length), tool, NOT_INSTALLED, *[""] * (len(COLUMNS) - 4), digest
                continue
            yield from _scored(length, tool, pairs, [choose(text) for _, text in pairs], digest)
        if length not in FILTER_LENGTHS:
            continue
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


def known_codes(names: Iterable[str]) -> list[str]:
    """Returns the codes of the languages of these files that have a model."""
    return sorted({language_of(name) for name in names} & set(languages.known()))


def labelled_texts(lines: Mapping[str, Sequence[str]], length: int) -> list[tuple[str, str]]:
    """Returns (code of the language, text) of all languages with a model, at most MAX_TEXTS per file."""
    pairs: list[tuple[str, str]] = []
    for name, ones in lines.items():
        if language_of(name) in languages.known() and name != MISLABELLED:
            texts = texts_of(ones, length)
            # Spread over the file: sentences are sorted.
            pairs += [(language_of(name), text) for text in texts[:: max(1, len(texts) // MAX_TEXTS)][:MAX_TEXTS]]
    return pairs


def texts_of(lines: Sequence[str], length: int) -> list[str]:
    """Joins lines to texts of at least `length` characters, or cuts them at spaces to such texts if it is short."""
    if length >= JOINED_FROM:
        return joined(lines, length)
    texts: list[str] = []
    for line in lines:
        for text in joined(line.split(), length):
            # Without spaces, a line is one long word.
            whole = len(text) <= 2 * length + 20
            texts += [text] if whole else [text[at : at + length] for at in range(0, len(text) - length + 1, length)]
    return texts


def scored(pairs: Sequence[tuple[str, str]], chosen: Sequence[str]) -> Iterator[tuple[str, int, tuple[float, ...]]]:
    """Yields for each language its code, number of texts, and precision, recall and F1; then means, named `macro`.

    Args:
        pairs: code and text.
        chosen: the code that a tool gave for each.
    """
    wanted = Counter(code for code, _ in pairs)
    answers = Counter((code, answer) for (code, _), answer in zip(pairs, chosen, strict=True))
    figures = []
    for code in sorted(wanted):
        recall = answers[code, code] / wanted[code]
        foreign = [answers[other, code] / wanted[other] for other in wanted if other != code]
        precision = precision_of(recall, foreign)
        figures.append((precision, recall, 2 * precision * recall / max(precision + recall, 1e-9)))
        yield code, wanted[code], figures[-1]
    yield "macro", len(pairs), tuple(sum(column) / len(figures) for column in zip(*figures, strict=True))


def _scored(
    length: int, tool: str, pairs: Sequence[tuple[str, str]], chosen: Sequence[str], digest: str
) -> Iterator[tuple[str, ...]]:
    for code, wanted, values in scored(pairs, chosen):
        yield str(length), tool, code, str(wanted), *(f"{100 * value:.2f}" for value in values), "", digest


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
        ordered = sorted((-share, name) for name, share in shares.items() if share >= MIN_TAKEN)
        listed = " ".join(f"{name} {-100 * share:.1f}" for share, name in ordered[:MAX_LISTED])
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
