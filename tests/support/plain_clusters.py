"""Clusters of near-duplicates, in plain Python: each document is compared with all that stay."""

from collections.abc import Sequence
from fractions import Fraction


def clusters(documents: Sequence[frozenset[object]], share: Fraction) -> list[tuple[int, Fraction]]:
    """Returns of each document the number of the one that stays for it, and their resemblance (Broder 1997).

    Args:
        documents: their n-grams, in the order of preference.
        share: the least resemblance of near-duplicates.
    """
    leaders: list[int] = []
    decided: list[tuple[int, Fraction]] = []
    for number, ngrams in enumerate(documents):
        for leader in leaders:
            common = len(ngrams & documents[leader])
            resemblance = Fraction(common, max(1, len(ngrams | documents[leader])))
            if common and resemblance >= share:
                decided.append((leader, resemblance))
                break
        else:
            leaders.append(number)
            decided.append((number, Fraction(1)))
    return decided
