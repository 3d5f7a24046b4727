"""Telling close languages apart by their words: how much more a text's words are of one than of the other.

Trigrams of Malay and Indonesian, or of Bokmål and Nynorsk, are nearly the same; their frequent words are not:
`kerana` and `karena`, `ikkje` and `ikke`. A word's evidence for a language against a rival is the logarithm of
its share in the one over its share in the other, as in naive Bayes; a text's is the mean over its running words.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from corpusprep._native.trigrams import NativeWords, is_word
from corpusprep.languages.trigrams import TextScorer, TextSums, reduce

#: Shares are whole numbers in units of this part of the running words.
SHARE_UNIT = 1 << 32
#: Words that a model keeps, the most frequent ones. With 10,000 twice as many texts of 200 characters are taken
#: for Malay that are Indonesian, or the other way.
MOST_WORDS = 30_000
#: A word says nothing unless it is so many times as frequent in one language as in the other, and no more than
#: one that is so many times as frequent: frequencies differ between kinds of text, too.
LEAST_RATIO, MOST_RATIO = 4.0, 55.0
#: Evidence is counted in whole numbers in units of this, so that sums are exact and the same on every machine.
EVIDENCE_UNIT = 1 << 16


@dataclass(frozen=True, slots=True, eq=False)
class WordShares:
    """The most frequent words of a language.

    Attributes:
        text: the words, composed and case folded, each once, in UTF-8 with a line feed between them.
        shares: of each among running words, uint32, in units of 1 / SHARE_UNIT.
    """

    text: bytes
    shares: npt.NDArray[np.uint32]

    @property
    def words(self) -> tuple[str, ...]:
        """The words by themselves."""
        return tuple(self.text.decode().split("\n")) if self.text else ()


def shares_of(words: Sequence[str], shares: npt.NDArray[np.float64]) -> WordShares:
    """The words to keep of a language's, the most frequent first; those that fold to the same are one."""
    folded: dict[str, float] = {}
    for word, share in zip(words, shares.tolist(), strict=True):
        reduced = reduce(word)
        # Words with marks are left out: those of Devanagari, Bengali or Tamil, which no two built-in languages share.
        if not is_word(reduced):
            continue
        if reduced in folded or len(folded) < MOST_WORDS:
            folded[reduced] = folded.get(reduced, 0.0) + share
    scaled = np.rint(np.array(list(folded.values()), np.float64) * SHARE_UNIT)
    return WordShares("\n".join(folded).encode(), np.clip(scaled, 1, SHARE_UNIT - 1).astype(np.uint32))


class WordEvidence:
    """Compares a language's words with those of others.

    Attributes:
        words: the words of all of them, numbered.
        weights: int32 of shape (words, others): what each says for the language, in units of 1 / EVIDENCE_UNIT.
    """

    def __init__(self, own: WordShares, others: Sequence[WordShares]) -> None:
        self.words = NativeWords([language.text for language in (own, *others)])
        self.weights = np.zeros((len(self.words), len(others)), np.int32)
        if own.text:
            for column, other in enumerate(others):
                if other.text:
                    self._compare(column, own, other)
        self._scorer: TextScorer | None = None

    def of(self, text: str) -> list[float]:
        """The text's evidence for the language against each of the others; above 0 it speaks for the language.

        It is the mean of natural logarithms, so some 1 where languages are told apart easily; 0 without words.
        """
        if self._scorer is None:
            self._scorer = TextScorer((), self.words, self.weights)
        return self.mean(self._scorer.sums(text))

    @staticmethod
    def mean(sums: TextSums) -> list[float]:
        """The evidence that the sums over a text come to."""
        most = (sums.words or 1) * EVIDENCE_UNIT
        return [total / most for total in sums.of_words]

    def _compare(self, column: int, own: WordShares, other: WordShares) -> None:
        """Fills the column of the language that stands there among the others."""
        # A word that is not in a list is at most as frequent as the last one in it; the shorter list decides.
        least = float(max(own.shares.min(), other.shares.min()))
        ones, others = np.full(len(self.words), least), np.full(len(self.words), least)
        ones[self._numbers(0)] = np.maximum(own.shares, least)
        others[self._numbers(1 + column)] = np.maximum(other.shares, least)
        differ = np.flatnonzero(ones != others)
        ratios = np.log(ones[differ] / others[differ])
        told = np.clip(ratios, -np.log(MOST_RATIO), np.log(MOST_RATIO))
        told[np.abs(ratios) < np.log(LEAST_RATIO)] = 0.0
        self.weights[differ, column] = np.rint(told * EVIDENCE_UNIT).astype(np.int32)

    def _numbers(self, place: int) -> npt.NDArray[np.uint32]:
        return np.frombuffer(self.words.numbers(place), np.uint32)
