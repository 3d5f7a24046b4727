"""The sums of a table with few keys over all batches."""

from collections.abc import Mapping

#: Key -> its numbers.
Totals = Mapping[str, tuple[int, ...]]
