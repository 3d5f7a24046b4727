"""Acceptance curves: the probability that a method calls two documents duplicates (Pomikálek 2011, figures 3.1 to 3.3).

The curves are computed from closed forms and simulated. For the simulation, random documents share as many n-grams as
a resemblance requires, and the comparators' own functions compare them.
"""

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from corpusprep.io import tsv
from corpusprep.reuse.documents import Features
from corpusprep.reuse.hashing import Keys, seeds
from studies.pomikalek_2011.chapter_3.comparators.sketches import minima
from studies.pomikalek_2011.chapter_3.comparators.super_shingles import super_shingles


class Scheme(NamedTuple):
    """A sketch of k groups of s minima, of which r groups must agree."""

    groups: int  # k
    group_size: int  # s
    agreeing: int  # r

    @property
    def name(self) -> str:
        """The thesis's P_{k,s,r}."""
        return f"P_{self.groups},{self.group_size},{self.agreeing}"


#: Figure 3.1: sketches of t minima, half of which must agree: r = t / 2 or more, as in equation 3.1 and the caption
#: (the text has "more than t/2"). The figure is lost; its text names 10 and 100.
FIGURE_3_1 = tuple(Scheme(t, 1, t // 2) for t in (10, 50, 100, 500))
#: Figure 3.2: super-shingles. AltaVista's 6 of 14, of which 2 must agree (Broder 2000); others for lower resemblance.
FIGURE_3_2 = (Scheme(6, 14, 2), Scheme(6, 14, 1), Scheme(20, 5, 2), Scheme(100, 5, 5), Scheme(100, 10, 2))
#: Figure 3.3: lists and the probability that a list takes a word.
FIGURE_3_3 = ((4, 0.25), (8, 0.125), (16, 0.05), (64, 0.05), (64, 0.02))
#: Resemblances of the curves.
RESEMBLANCES = tuple(step / 20 for step in range(21))
#: Distinct n-grams of two simulated documents together; every resemblance above gives a whole number of shared ones.
_UNION = 100
SEED = 31
_COLUMNS = ("scheme", "k", "s", "r", "resemblance", "probability", "simulated")
_LIST_COLUMNS = ("n", "p", "k", "probability")


def write(trials: int, folder: Path) -> None:
    """Writes figure_3_1.tsv and figure_3_2.tsv, by resemblance, and figure_3_3.tsv, by words that differ.

    Args:
        trials: simulated pairs of each resemblance.
        folder: where the tables go.
    """
    for figure, schemes in (("figure_3_1", FIGURE_3_1), ("figure_3_2", FIGURE_3_2)):
        rows = [
            (scheme.name, *scheme, f"{resemblance:.2f}", f"{accepted:.4f}", f"{share:.4f}")
            for scheme, resemblance, accepted, share in curves(schemes, trials)
        ]
        tsv.write(folder / f"{figure}.tsv", _COLUMNS, rows)
    lists = [
        (
            number,
            f"{probability_of_word:g}",
            differing,
            f"{lists_probability(differing, number, probability_of_word):.4f}",
        )
        for number, probability_of_word in FIGURE_3_3
        for differing in range(101)
    ]
    tsv.write(folder / "figure_3_3.tsv", _LIST_COLUMNS, lists)


def probability(resemblance: float, scheme: Scheme) -> float:
    """Returns equation 3.1: the probability that documents agree in r or more of k groups of s minima.

    >>> round(probability(0.9, Scheme(6, 14, 2)), 3)
    0.415
    """
    agree = resemblance**scheme.group_size
    return math.fsum(
        math.comb(scheme.groups, i) * agree**i * (1 - agree) ** (scheme.groups - i)
        for i in range(scheme.agreeing, scheme.groups + 1)
    )


def lists_probability(differing: int, lists: int, probability_of_word: float) -> float:
    """Returns the probability that documents with `differing` different words have one or more equal lists (3.2.3).

    Args:
        differing: k.
        lists: n.
        probability_of_word: p, the probability that a list takes a word.
    """
    return 1 - (1 - (1 - probability_of_word) ** differing) ** lists


def simulated(resemblance: float, scheme: Scheme, trials: int, seed: int = SEED) -> float:
    """Returns the share of `trials` pairs of random documents of this resemblance that the scheme accepts.

    Each pair has its own random n-grams; all pairs have the same permutations.
    """
    keys = np.random.default_rng(seed).integers(2**64, size=(trials, _UNION), dtype=np.uint64)
    shared = round(resemblance * _UNION)
    middle = shared + (_UNION - shared) // 2
    first, second = keys[:, :middle], np.concatenate([keys[:, :shared], keys[:, middle:]], axis=1)
    permutations = seeds(scheme.groups * scheme.group_size, seed)
    first_groups, second_groups = (
        super_shingles(minima(_rows(part), permutations), scheme.groups) for part in (first, second)
    )
    return float(((first_groups == second_groups).sum(axis=1) >= scheme.agreeing).mean())


def curves(schemes: Sequence[Scheme], trials: int) -> Iterator[tuple[Scheme, float, float, float]]:
    """Yields scheme, resemblance, probability, and share of simulated pairs, for each of RESEMBLANCES."""
    for scheme in schemes:
        for resemblance in RESEMBLANCES:
            yield scheme, resemblance, probability(resemblance, scheme), simulated(resemblance, scheme, trials)


def _rows(keys: Keys) -> Features:
    """Returns each row of keys as a document."""
    return Features(np.ascontiguousarray(keys).ravel(), np.arange(len(keys) + 1) * keys.shape[1])
