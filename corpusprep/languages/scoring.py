"""Scores a text for several languages by the mean weight of its trigrams (Pomikálek 2011, 3.6)."""

from collections.abc import Sequence

import numpy as np

from corpusprep._native.trigrams import NativeEvidence, NativeWordKeys, NativeWords
from corpusprep.languages.model import LanguageModel
from corpusprep.languages.trigrams import WEIGHT_UNIT, TextScorer, TextSums
from corpusprep.languages.word_evidence import TextWords, WordEvidence


class TrigramScorer:
    """Scores texts for several languages.

    A language with several spellings or scripts gets the score of the best one.
    """

    def __init__(self, models: Sequence[LanguageModel], evidence: WordEvidence | NativeEvidence | None = None) -> None:
        """Makes a scorer whose sums include the words of `evidence`."""
        spellings = [spelling for model in models for spelling in model.trigrams]
        self._owners = [number for number, model in enumerate(models) for _ in model.trigrams]
        self._languages = len(models)
        self._one_spelling_each = self._owners == list(range(len(models)))
        if isinstance(evidence, WordEvidence):
            scorer = TextScorer(spellings, *evidence.table)
        else:
            scorer = TextScorer(spellings, NativeWords([]), np.zeros((0, 0), np.int32), evidence)
        self.sums = scorer.sums

    def scores(self, text: str) -> list[float]:
        """Returns the similarity of the text to each model, 0 to 1; all 0 for a text without letters."""
        return self.mean(self.sums(text))

    def measured(self, text: str) -> tuple[list[float], TextWords]:
        """Returns what `scores` does, and the words of the text."""
        keys = NativeWordKeys(b"")
        sums = self.sums(text, keys)
        return self.mean(sums), TextWords(sums.words, keys)

    def mean(self, sums: TextSums) -> list[float]:
        """Returns the similarities from the sums over a text."""
        if not sums.trigrams:
            return [0.0] * self._languages
        most = sums.trigrams * WEIGHT_UNIT
        if self._one_spelling_each:
            return [total / most for total in sums.of_trigrams]
        best = [0] * self._languages
        for owner, total in zip(self._owners, sums.of_trigrams, strict=True):
            if total > best[owner]:
                best[owner] = total
        return [total / most for total in best]
