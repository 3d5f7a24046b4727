"""How far annotators agree: Krippendorff's alpha for nominal data (Krippendorff 2011, "Computing Krippendorff's
Alpha-Reliability"; any number of annotators, missing values).
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement on units that two annotators or more have judged.

    Attributes:
        units: number of such units.
        observed: the share of pairs of judgements on a unit that are the same; None without a unit.
        alpha: 1 is agreement, 0 is chance; None if it is not defined: all judgements are the same, or there is no
            unit.
    """

    units: int
    observed: float | None
    alpha: float | None


def agreement(judgements: Iterable[Sequence[Hashable]]) -> Agreement:
    """Returns the agreement on units.

    Args:
        judgements: the values that annotators gave to each unit, without those that are missing.

    >>> agreement([["good", "good"], ["bad", "good"], ["bad", "bad"]]).units
    3
    """
    totals: Counter[Hashable] = Counter()
    units = pairable = 0
    same = 0.0
    for values in judgements:
        if len(values) < 2:
            continue
        counts = Counter(values)
        units += 1
        pairable += len(values)
        totals += counts
        same += sum(count * (count - 1) for count in counts.values()) / (len(values) - 1)
    if not units:
        return Agreement(0, None, None)
    differing = pairable * pairable - sum(count * count for count in totals.values())
    observed = same / pairable
    alpha = 1 - (pairable - 1) * (pairable - same) / differing if differing else None
    return Agreement(units, observed, alpha)
