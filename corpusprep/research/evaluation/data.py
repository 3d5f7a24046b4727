"""Finds the data of each gold set."""

from collections.abc import Sequence
from pathlib import Path

#: Set -> the name of its folder or packed archive.
STORED = {
    "cleaneval-dev": "cleaneval",
    "cleaneval-final": "cleaneval",
    "l3s-gn1": "l3s-gn1",
    "canola-dev": "canola",
    "canola-test": "canola",
    "cleanportaleval": "cleanportaleval",
    "daniel": "daniel-dev",
    "chinese": "zh-web-content-dev",
}
SETS = tuple(STORED)
#: Sets on which `corpusprep evaluation causes` measures what explains differences from published numbers.
CAUSE_SETS = ("canola-test", "cleaneval-dev", "cleaneval-final", "cleanportaleval", "daniel", "l3s-gn1")


def stored_files(data: str | Path, gold_sets: Sequence[str]) -> list[str]:
    """Returns the existing folders or archives of gold sets."""
    found = []
    for name in gold_sets:
        candidates = (Path(data) / STORED[name], Path(data) / f"{STORED[name]}.tar.xz")
        found += [str(path) for path in candidates if path.exists()][:1]
    return found
