"""The comparators of the tables, with the parameters of their papers."""

from corpusprep.reuse.comparator import Comparator
from corpusprep.reuse.intervals import ValidIntervals
from studies.pomikalek_2011.chapter_3.comparators.combined import FilteredSuperShingles
from studies.pomikalek_2011.chapter_3.comparators.lines import LineHashes
from studies.pomikalek_2011.chapter_3.comparators.lists import WordLists
from studies.pomikalek_2011.chapter_3.comparators.resemblance import Containment, Resemblance
from studies.pomikalek_2011.chapter_3.comparators.sampling import LowestHashes, ModularSampling, RarestPrefixes
from studies.pomikalek_2011.chapter_3.comparators.simhash import Simhash
from studies.pomikalek_2011.chapter_3.comparators.sketches import MinwiseSketches, SmallestSketches
from studies.pomikalek_2011.chapter_3.comparators.super_shingles import SuperShingles
from studies.pomikalek_2011.chapter_3.comparators.winnowing import Winnowing


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
