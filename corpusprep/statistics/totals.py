"""The sums of a table whose keys are few, over all batches."""

from collections.abc import Mapping

#: Key -> its numbers.
Totals = Mapping[str, tuple[int, ...]]
