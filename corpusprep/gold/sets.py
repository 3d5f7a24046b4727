"""Reads gold sets by name."""

from pathlib import Path

from corpusprep.errors import ConfigError
from corpusprep.gold import annotated_sets, cleaneval_sets, dragnet, json_sets, news_sets
from corpusprep.gold.data import stored_files
from corpusprep.gold.pages import GoldSet, Reader, digest_of

# Name -> title and reader.
_SETS: dict[str, tuple[str, Reader]] = {
    "cleaneval-dev": ("CleanEval, development", cleaneval_sets.cleaneval_dev),
    "cleaneval-final": ("CleanEval", cleaneval_sets.cleaneval_final),
    "l3s-gn1": ("L3S-GN1", annotated_sets.l3s_gn1),
    "canola-dev": ("Canola, development", annotated_sets.canola_dev),
    "canola-test": ("Canola, test", annotated_sets.canola_test),
    "cleaneval-victor": ("CleanEval with Victor’s labels", annotated_sets.cleaneval_victor),
    "cleanportaleval": ("CleanPortalEval", cleaneval_sets.cleanportaleval),
    "daniel": ("DAnIEL", news_sets.daniel),
    "chinese": ("Chinese Web pages", news_sets.chinese),
    "wcxb": ("WCXB, development", json_sets.wcxb),
    "dragnet": ("Dragnet, training part", dragnet.dragnet),
    "fundus": ("Fundus", json_sets.fundus),
    "fixtures": ("Test pages of extractors", json_sets.fixtures),
    "trafilatura": ("Trafilatura’s pages", json_sets.trafilatura),
}


def read(name: str, data: Path) -> GoldSet | None:
    """Returns the set of that name from a folder of data; None if the folder does not have it.

    Raises:
        ConfigError: there is no set of that name.
        GoldError: its files are damaged.
    """
    _check(name)
    if not stored_files(data, [name]):
        return None
    gold_set = _SETS[name][1](data)
    gold_set.data = digest_of(gold_set)
    return gold_set


def title(name: str) -> str:
    """Returns the title of a set in tables.

    Raises:
        ConfigError: there is no set of that name.
    """
    _check(name)
    return _SETS[name][0]


def _check(name: str) -> None:
    if name not in _SETS:
        raise ConfigError(f"gold set {name!r} is unknown; known: {', '.join(_SETS)}")
