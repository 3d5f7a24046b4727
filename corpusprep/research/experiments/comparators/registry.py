"""The comparators of the tables, with the parameters of their papers."""

from corpusprep.research.experiments.comparators.combined import FilteredSuperShingles
from corpusprep.research.experiments.comparators.interface import Comparator
from corpusprep.research.experiments.comparators.intervals import ValidIntervals
from corpusprep.research.experiments.comparators.lines import LineHashes
from corpusprep.research.experiments.comparators.lists import WordLists
from corpusprep.research.experiments.comparators.resemblance import Containment, Resemblance
from corpusprep.research.experiments.comparators.sampling import LowestHashes, ModularSampling, RarestPrefixes
from corpusprep.research.experiments.comparators.simhash import Simhash
from corpusprep.research.experiments.comparators.sketches import MinwiseSketches, SmallestSketches
from corpusprep.research.experiments.comparators.super_shingles import SuperShingles
from corpusprep.research.experiments.comparators.winnowing import Winnowing


def comparators() -> tuple[Comparator, ...]:
    """Returns the comparators, in the order of 3.2."""
    return (
        Resemblance(),
        Resemblance(n=5, threshold=0.5),
        Containment(n=5),
        MinwiseSketches(),
        SmallestSketches(),
        SuperShingles(),
        Simhash(),
        Simhash(bits=384, distance=12, tables=()),
        FilteredSuperShingles(),
        WordLists(),
        WordLists(lists=16, probability=0.05),
        WordLists(lists=16, probability=0.05, full=250),
        LineHashes(2),
        LineHashes(4),
        ModularSampling(),
        LowestHashes(),
        RarestPrefixes(),
        Winnowing(),
        ValidIntervals(),
        ValidIntervals(least=5),
    )
