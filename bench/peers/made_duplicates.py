"""Makes documents with known duplicates, and scores what a tool keeps of them.

Words are drawn from an English frequency list. Three in ten original paragraphs of 60 words or more contain a stock
passage that many documents share: at most 40 % of the paragraph, so the paragraph is not a duplicate. Each original is
the source of at most one copy. The same size and seed give the same documents.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import wordfreq
from numpy.typing import NDArray

#: Kind of copy -> its share of the documents, and the share of words that is replaced.
KINDS = {
    "whole pages": (0.07, 0.0),
    "1 word in 50 replaced": (0.07, 1 / 50),
    "1 word in 20 replaced": (0.07, 1 / 20),
    "1 word in 8 replaced": (0.07, 1 / 8),
    "half of a page": (0.07, 0.0),
}
ORIGINAL = "original"
_PASSAGES = "half of a page"  # its first paragraphs, between paragraphs of another page
_VOCABULARY = 20_000
_SENTENCE = 12
_PARAGRAPHS, _WORDS = (4, 11), (20, 101)
_STOCK, _STOCK_WORDS, _STOCK_SHARE, _LEAST_WITH_STOCK = 40, 24, 0.3, 60
#: Mean words of a document, for the number of documents of a size.
_MEAN_WORDS = 390


@dataclass(slots=True, frozen=True)
class Paragraph:
    """A paragraph.

    Attributes:
        words: its words, without punctuation.
        source: number that it shares with its copy.
        kind: ORIGINAL, or the kind of copy.
    """

    words: tuple[str, ...]
    source: int
    kind: str

    @property
    def text(self) -> str:
        """Sentences of twelve words, each with a capital and a full stop."""
        parts = (self.words[place : place + _SENTENCE] for place in range(0, len(self.words), _SENTENCE))
        return " ".join(f"{' '.join(part).capitalize()}." for part in parts)


Document = tuple[Paragraph, ...]
#: Whether a tool kept each paragraph of each document.
Kept = Sequence[Sequence[bool]]


@dataclass(slots=True, frozen=True)
class Quality:
    """What a tool kept, and how well it removed duplicates.

    Attributes:
        documents: documents of which at least one paragraph is kept.
        words: words kept.
        precision: percent of the removed words that are duplicates.
        recall: percent of the words of duplicates that are removed.
        by_kind: recall for each kind of copy.
    """

    documents: int
    words: int
    precision: float
    recall: float
    by_kind: dict[str, float]

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


@cache
def _vocabulary() -> tuple[NDArray[np.object_], NDArray[np.float64]]:
    """Returns words, and where the range of each ends in [0, 1): ranges are as long as the words are frequent."""
    words = wordfreq.top_n_list("en", _VOCABULARY, wordlist="small")
    ends = np.cumsum([wordfreq.word_frequency(word, "en", wordlist="small") for word in words])
    return np.array(words, dtype=object), ends / ends[-1]


class _Maker:
    """Draws words and paragraphs."""

    def __init__(self, seed: int) -> None:
        self.chance = np.random.default_rng(seed)
        self.vocabulary, self.ends = _vocabulary()
        self.stock = [self.draw(_STOCK_WORDS) for _ in range(_STOCK)]
        self.paragraphs = 0

    def draw(self, count: int) -> tuple[str, ...]:
        return tuple(self.vocabulary[np.searchsorted(self.ends, self.chance.random(count))])

    def paragraph(self) -> Paragraph:
        words = self.draw(int(self.chance.integers(*_WORDS)))
        if len(words) >= _LEAST_WITH_STOCK and self.chance.random() < _STOCK_SHARE:
            place = int(self.chance.integers(len(words) - _STOCK_WORDS))
            stock = self.stock[int(self.chance.integers(_STOCK))]
            words = (*words[:place], *stock, *words[place + _STOCK_WORDS :])
        self.paragraphs += 1
        return Paragraph(words, self.paragraphs, ORIGINAL)

    def original(self) -> Document:
        return tuple(self.paragraph() for _ in range(int(self.chance.integers(*_PARAGRAPHS))))

    def copy(self, document: Document, kind: str) -> Document:
        copied = tuple(self._edited(paragraph, kind) for paragraph in document)
        if kind != _PASSAGES:
            return copied
        taken = copied[: (len(copied) + 1) // 2]
        return (self.paragraph(), *taken, self.paragraph(), self.paragraph())

    def _edited(self, paragraph: Paragraph, kind: str) -> Paragraph:
        words = list(paragraph.words)
        for place in np.flatnonzero(self.chance.random(len(words)) < KINDS[kind][1]).tolist():
            (words[place],) = self.draw(1)
        return Paragraph(tuple(words), paragraph.source, kind)


def make(words: int, seed: int = 1) -> list[Document]:
    """Returns documents of about that many words in total, at least 25 documents, in random order."""
    maker = _Maker(seed)
    count = max(25, words // _MEAN_WORDS)
    copies = {kind: round(share * count) for kind, (share, _) in KINDS.items()}
    originals = [maker.original() for _ in range(count - sum(copies.values()))]
    sources = iter(originals)
    made = [*originals, *(maker.copy(next(sources), kind) for kind, some in copies.items() for _ in range(some))]
    return [made[place] for place in maker.chance.permutation(len(made)).tolist()]


def score(documents: Sequence[Document], kept: Kept) -> Quality:
    """Scores by words. Of a paragraph and its copy, one is to be kept, whichever it is."""
    groups: dict[int, list[tuple[Paragraph, bool]]] = {}
    for document, flags in zip(documents, kept, strict=True):
        for paragraph, flag in zip(document, flags, strict=True):
            groups.setdefault(paragraph.source, []).append((paragraph, flag))
    found = extra = 0
    of_kind = {kind: [0, 0] for kind in KINDS}
    for group in groups.values():
        size = len(group[0][0].words)
        removed, surplus = sum(not flag for _, flag in group), len(group) - 1
        right = min(removed, surplus)
        found += right * size
        extra += (removed - right) * size
        for kind in {paragraph.kind for paragraph, _ in group} - {ORIGINAL}:
            of_kind[kind][0] += right * size
            of_kind[kind][1] += surplus * size
    wanted = sum(words for _, words in of_kind.values())
    return Quality(
        sum(map(any, kept)),
        sum(len(paragraph.words) for group in groups.values() for paragraph, flag in group if flag),
        _percent(found, found + extra),
        _percent(found, wanted),
        {kind: _percent(*counts) for kind, counts in of_kind.items()},
    )


def _percent(part: int, whole: int) -> float:
    return 100 * part / whole if whole else 0.0
