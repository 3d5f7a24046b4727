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
    "wcxb": "wcxb-dev",
    "dragnet": "dragnet-train",
    "fundus": "fundus-train",
    "fixtures": "fixtures-train",
    "trafilatura": "trafilatura-train",
    "cleaneval-victor": "cleaneval",
}
#: Sets that are there to be trained on: pages of other sets with other annotations.
LABELLED = ("cleaneval-victor",)
SETS = tuple(name for name in STORED if name not in LABELLED)
#: Sets on which `corpusprep studies evaluation causes` measures what explains differences from published numbers.
CAUSE_SETS = ("canola-test", "cleaneval-dev", "cleaneval-final", "cleanportaleval", "daniel", "l3s-gn1")

#: Set that models may learn from -> the licence of its annotations; the pages stay their publishers'.
LICENCES = {
    "wcxb": "CC BY 4.0",
    "canola-dev": "CC BY-SA 4.0",
    "canola-test": "CC BY-SA 4.0",
    "chinese": "MIT",
    "fundus": "MIT",
    "fixtures": "MIT, Apache-2.0",
    "trafilatura": "Apache-2.0, CC0-1.0",
    "dragnet": "AGPL-3.0",
    "daniel": "GPL-3.0",
}
#: Model -> the sets that it is trained on. The permissive one leaves out what has a copyleft licence for software.
TRAINED_ON = {
    "content": tuple(LICENCES),
    "content-permissive": tuple(name for name in LICENCES if name not in {"dragnet", "daniel"}),
}
#: Model -> the seed of its training: the one with the best scores by cross-validation, of three and of four.
SEEDS = {"content": 2, "content-permissive": 2}
#: Models that no made pages with lists of terms teach. Without DAnIEL, whose short news stand among many teasers, these
#: pages cost more on news than they gain on documentation.
WITHOUT_MEMBERS = frozenset({"content-permissive"})
#: Model of another cleaner that comes with the package -> how it is trained: `corpusprep train` with the algorithm, its
#: options, and the sets. None is trained on Canola, whose licence asks to share alike and which shows how good it is.
ALSO_TRAINED: dict[str, tuple[str, tuple[str, ...]]] = {
    "victor": ("victor --plain-pages", ("wcxb", "chinese", "fundus", "fixtures")),
    "ncleaner": ("ncleaner --language en", ("wcxb", "fundus", "fixtures", "trafilatura")),
    "ncleaner-classes": ("ncleaner --classes", ("wcxb", "chinese", "fundus", "fixtures", "trafilatura")),
}


def stored_files(data: str | Path, gold_sets: Sequence[str]) -> list[str]:
    """Returns the existing folders or archives of gold sets."""
    paths = []
    for name in gold_sets:
        candidates = (Path(data) / STORED[name], Path(data) / f"{STORED[name]}.tar.xz")
        paths += [str(path) for path in candidates if path.exists()][:1]
    return paths
