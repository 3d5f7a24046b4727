"""Merges in rounds: for more files than can be open, or fit the memory, at once."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")


def in_rounds(sources: list[T], fan_in: int, merge: Callable[[list[T], int], T]) -> list[T]:
    """Merges groups of up to `fan_in` (2 or more) sources, until at most `fan_in` are left.

    `merge` gets a group and the number of its result, counted from 0.
    """
    number = 0
    while len(sources) > fan_in:
        merged = []
        for start in range(0, len(sources), fan_in):
            group = sources[start : start + fan_in]
            merged.append(merge(group, number))
            number += 1
        sources = merged
    return sources


def remove_scratch(folder: Path, paths: set[Path]) -> None:
    """Removes the paths that lie in the scratch folder."""
    for path in paths:
        if path.parent == folder:
            path.unlink(missing_ok=True)
