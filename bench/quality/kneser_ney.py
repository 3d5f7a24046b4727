"""A trigram model of words with interpolated Kneser-Ney smoothing (Chen and Goodman 1999, 4.1.6)."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

ORDER = 3
#: The word before the first one of a line, and the one in place of words that are not in the vocabulary.
BEGIN, UNKNOWN = -1, 0


class _Level:
    """The n-grams of one length: how often each occurs, and of each history the sum of that and its different words."""

    def __init__(self, counts: Counter[tuple[int, ...]]) -> None:
        self.counts = counts
        self.sums: defaultdict[tuple[int, ...], int] = defaultdict(int)
        self.types: defaultdict[tuple[int, ...], int] = defaultdict(int)
        for ngram, count in counts.items():
            self.sums[ngram[:-1]] += count
            self.types[ngram[:-1]] += 1
        once, twice = (sum(count == times for count in counts.values()) for times in (1, 2))
        self.discount = once / (once + 2 * twice) if once else 0.5


class KneserNey:
    """The model of some lines."""

    def __init__(self, lines: Iterable[Sequence[int]], vocabulary: int) -> None:
        """Counts the n-grams of lines.

        Args:
            lines: numbers of words, from 0; UNKNOWN for those that are not in the vocabulary.
            vocabulary: number of different words, with UNKNOWN.
        """
        counts: Counter[tuple[int, ...]] = Counter()
        for line in lines:
            padded = [*[BEGIN] * (ORDER - 1), *line]
            counts.update(zip(*(padded[start:] for start in range(ORDER)), strict=False))
        self._vocabulary = vocabulary
        self._levels = [_Level(counts)]
        for _ in range(ORDER - 1):
            # In how many contexts an n-gram is: that many n-grams that are longer by a word end with it.
            counts = Counter(ngram[1:] for ngram in counts)
            self._levels.append(_Level(counts))

    def probability(self, ngram: tuple[int, ...]) -> float:
        """Returns the probability of the last word of ORDER words, after the others."""
        found = 1.0 / self._vocabulary
        for size, level in enumerate(reversed(self._levels), 1):
            part = ngram[-size:]
            if total := level.sums.get(part[:-1], 0):
                left = level.discount * level.types[part[:-1]]
                found = (max(level.counts.get(part, 0) - level.discount, 0.0) + left * found) / total
        return found

    def perplexity(self, lines: Iterable[Sequence[int]]) -> float:
        """Returns the perplexity of lines: 2 to the power of the mean bits per word."""
        bits, words = 0.0, 0
        for line in lines:
            padded = [*[BEGIN] * (ORDER - 1), *line]
            for ngram in zip(*(padded[start:] for start in range(ORDER)), strict=False):
                bits -= math.log2(self.probability(ngram))
            words += len(line)
        return float(2 ** (bits / words))
