"""Word evidence: distinguishes close languages by their words.

The trigrams of Malay and Indonesian, or of Bokmål and Nynorsk, are nearly the same, but their frequent words differ:
`kerana` and `karena`, `ikkje` and `ikke`. A word's evidence for a language against a rival is the logarithm of its
share in the language divided by its share in the rival, as in naive Bayes. A text's evidence is the mean over its
running words.
"""

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from corpusprep._native.trigrams import NativeWordComparison, NativeWordKeys, NativeWordRatios, NativeWords, is_word
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
#: More than rounding changes in a mean.
EVIDENCE_ERROR = 1e-6


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
        keys: theirs, for WordEvidence.of_words.
    """

    number: int
    keys: NativeWordKeys


@functools.lru_cache(maxsize=64)
def _ratios(words: WordShares) -> NativeWordRatios:
    """Returns a language's words, to be compared with several other languages: 1 MB."""
    return NativeWordRatios(NativeWordKeys(words.text), words.shares)


class WordEvidence:
    """Compares the words of a language with other languages."""

    def __init__(self, own: WordShares, others: Sequence[WordShares]) -> None:
        self._own, self._others = own, others

    def of(self, text: str) -> list[float]:
        """Returns the text's evidence for the language against each of the others; above 0: for the language.

        It is a mean of natural logarithms: about 1 for languages that are easy to distinguish, 0 for no words.
        """
        return self.mean(self._scorer.sums(text))

    def of_words(self, words: TextWords) -> list[float]:
        """Returns what `of` does, from the words of a text."""
        return self._mean(words.number, self._comparison.sums(words.keys))

    def reaches(self, words: TextWords, least: Sequence[float]) -> bool:
        """Returns whether the words of a text have at least this evidence against each of the others.

        May be false where the evidence is larger by less than EVIDENCE_ERROR.
        """
        unit = (words.number or 1) * EVIDENCE_UNIT
        return self._comparison.reach(words.keys, [math.ceil((evidence + EVIDENCE_ERROR) * unit) for evidence in least])

    @staticmethod
    def mean(sums: TextSums) -> list[float]:
        """Returns the evidence from the sums over a text."""
        return WordEvidence._mean(sums.words, sums.of_words)

    @staticmethod
    def _mean(words: int, sums: Sequence[int]) -> list[float]:
        most = (words or 1) * EVIDENCE_UNIT
        return [total / most for total in sums]

    @functools.cached_property
    def table(self) -> tuple[NativeWords, npt.NDArray[np.int32]]:
        """All words that are evidence for or against the language, and theirs.

        Returns:
            The words, numbered, and the evidence of each for the language, int32, shape (words, others), in units of
            1 / EVIDENCE_UNIT.
        """
        # Three of four words are evidence for neither language, and are left out before they are numbered.
        own = _ratios(self._own)
        unequal = [own.unequal(_ratios(other), *_SCALE) for other in self._others]
        words = NativeWords.of_keys([keys for keys, _ in unequal])
        weights = np.zeros((len(words), len(self._others)), np.int32)
        for column, (_, evidence) in enumerate(unequal):
            weights[np.frombuffer(words.numbers(column), np.uint32), column] = np.frombuffer(evidence, np.int32)
        return words, weights

    @functools.cached_property
    def _comparison(self) -> NativeWordComparison:
        """Finds the evidence of a word when a text has it: most languages of a crawl are compared for a few texts."""
        return NativeWordComparison(_ratios(self._own), [_ratios(other) for other in self._others], *_SCALE)

    @functools.cached_property
    def _scorer(self) -> TextScorer:
        return TextScorer((), *self.table)


_SCALE = LEAST_RATIO, MOST_RATIO, EVIDENCE_UNIT
