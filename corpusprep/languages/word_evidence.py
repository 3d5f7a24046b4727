"""Word evidence: distinguishes close languages by their words.

The trigrams of Malay and Indonesian, or of Bokmål and Nynorsk, are nearly the same, but their frequent words differ:
`kerana` and `karena`, `ikkje` and `ikke`. A word's evidence for a language against a rival is the logarithm of its
share in the language divided by its share in the rival, as in naive Bayes. A text's evidence is the mean over its
running words.
"""

import functools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from corpusprep._native.trigrams import NativeWordKeys, NativeWordRatios, NativeWords, is_word
from corpusprep.languages.trigrams import TextScorer, TextSums, reduce

#: Shares are stored as integers: this value means all running words.
SHARE_UNIT = 1 << 32
#: Number of words in a model, the most frequent ones. With 10,000, twice as many texts of 200 characters are confused
#: between Malay and Indonesian.
MOST_WORDS = 30_000
#: A word counts only if it is at least LEAST_RATIO times as frequent in one language as in the other; ratios above
#: MOST_RATIO count as MOST_RATIO. Reason: frequencies differ between kinds of text, too.
LEAST_RATIO, MOST_RATIO = 4.0, 55.0
#: Evidence is stored as integers: this value means 1. So sums are exact, and the same on every machine.
EVIDENCE_UNIT = 1 << 16


@dataclass(frozen=True, slots=True, eq=False)
class WordShares:
    """The most frequent words of a language.

    Attributes:
        text: the words, composed and case folded, each once, in UTF-8, separated by line feeds.
        shares: share of each word among the running words, uint32, in units of 1 / SHARE_UNIT.
    """

    text: bytes
    shares: npt.NDArray[np.uint32]

    @property
    def words(self) -> tuple[str, ...]:
        """The words as strings."""
        return tuple(self.text.decode().split("\n")) if self.text else ()


def shares_of(words: Sequence[str], shares: npt.NDArray[np.float64]) -> WordShares:
    """Returns the MOST_WORDS most frequent words of a language; words that fold to the same form are added up."""
    folded: dict[str, float] = {}
    for word, share in zip(words, shares.tolist(), strict=True):
        reduced = reduce(word)
        # Words with marks are left out: words of Devanagari, Bengali and Tamil, which no two built-in languages share.
        if not is_word(reduced):
            continue
        if reduced in folded or len(folded) < MOST_WORDS:
            folded[reduced] = folded.get(reduced, 0.0) + share
    scaled = np.rint(np.array(list(folded.values()), np.float64) * SHARE_UNIT)
    return WordShares("\n".join(folded).encode(), np.clip(scaled, 1, SHARE_UNIT - 1).astype(np.uint32))


@dataclass(frozen=True, slots=True)
class TextWords:
    """The running words of a text.

    Attributes:
        number: how many there are.
        keys: theirs, for NativeWords.sums.
    """

    number: int
    keys: NativeWordKeys


@functools.lru_cache(maxsize=64)
def _keys(words: WordShares) -> NativeWordKeys:
    """Returns the keys of a language's words, which is compared with several others: 8 bytes per word."""
    return NativeWordKeys(words.text)


class WordEvidence:
    """Compares the words of a language with those of others.

    Attributes:
        words: the words that are evidence for or against the language, numbered.
        weights: evidence of each word for the language, int32, shape (words, others), in units of 1 / EVIDENCE_UNIT.
    """

    def __init__(self, own: WordShares, others: Sequence[WordShares]) -> None:
        # Three of four words are evidence for neither language, and are left out before they are numbered.
        compared = NativeWordRatios(_keys(own), own.shares)
        unequal = [compared.unequal(_keys(other), other.shares, LEAST_RATIO) for other in others]
        self.words = NativeWords.of_keys([keys for keys, _, _ in unequal])
        self.weights = np.zeros((len(self.words), len(others)), np.int32)
        for column, (_, ones, shares) in enumerate(unequal):
            numbers = np.frombuffer(self.words.numbers(column), np.uint32)
            self.weights[numbers, column] = _evidence(np.frombuffer(ones, np.uint32), np.frombuffer(shares, np.uint32))

    def of(self, text: str) -> list[float]:
        """Returns the text's evidence for the language against each of the others; above 0: for the language.

        It is a mean of natural logarithms: about 1 for languages that are easy to distinguish, 0 for no words.
        """
        return self.mean(self._scorer.sums(text))

    def of_words(self, words: TextWords) -> list[float]:
        """Returns what `of` does, from the words of a text."""
        return self._mean(words.number, self.words.sums(words.keys, self.weights))

    @staticmethod
    def mean(sums: TextSums) -> list[float]:
        """Returns the evidence from the sums over a text."""
        return WordEvidence._mean(sums.words, sums.of_words)

    @staticmethod
    def _mean(words: int, sums: Sequence[int]) -> list[float]:
        most = (words or 1) * EVIDENCE_UNIT
        return [total / most for total in sums]

    @functools.cached_property
    def _scorer(self) -> TextScorer:
        return TextScorer((), self.words, self.weights)


def _evidence(ones: npt.NDArray[np.uint32], others: npt.NDArray[np.uint32]) -> npt.NDArray[np.int32]:
    """Returns the evidence of words from their shares in two languages."""
    ratios = np.log(ones.astype(np.float64) / others)
    evidence = np.clip(ratios, -np.log(MOST_RATIO), np.log(MOST_RATIO))
    weights: npt.NDArray[np.int32] = np.rint(evidence * EVIDENCE_UNIT).astype(np.int32)
    return weights
