"""What is known of the built-in languages beside their words: config/languages/<code>.yaml.

A description has these keys, all but `name` optional:

- `name`: in English.
- `aliases`: other codes that mean this language.
- `encodings`: those in use on its Web beside UTF-8, by WHATWG name, the most frequent first
  (PRESEMT D3.1, table 1, for cs, de, el, en, it, nb).
- `abbreviations`: words that end in a full stop which does not end a sentence.
- `clitic_prefixes`, `clitic_suffixes`: what a tokeniser cuts off, with its apostrophe.
- `spellings`: tables of letters, each turning the words into another way of writing the whole language
  (another script, letters that replace those an old encoding lacks).
- `respelled`: words whose spelling case folding has lost, as they are usually written.
- `capitals`: letters whose capital is not Unicode's default.

- `derived`: only in neighbours/<code>.yaml, see below.

The lowest trigram score of a text that counts as the language, and its rivals, stand in calibration.tsv beside
the descriptions, which `corpusprep language calibrate` writes (language_tables.calibration).

Close languages whose word frequencies do not come with `wordfreq` are neighbours: config/languages/neighbours. They
serve as rivals only (Nynorsk of Bokmål, Afrikaans of Dutch, Galician of Spanish and Portuguese, Azerbaijani of
Turkish). Their words are derived from the language's own: `derived` has, by that language's code, `words` that are
others there, `endings` that replace those of the rest, and `letters` that replace letters in the rest of it; where
several may stand, separated by spaces, each is taken as often. A neighbour that derives from two is their mean.
"""

import functools
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from importlib import resources
from pathlib import Path
from typing import Any

import yaml

from corpusprep.encoding.charsets import whatwg_name
from corpusprep.errors import LanguageError

#: Folder and table beside the descriptions.
NEIGHBOURS = "neighbours"
CALIBRATION = "calibration.tsv"


@dataclass(frozen=True, slots=True)
class Description:
    """A built-in language or a neighbour: the keys of its file, and what it is calibrated to."""

    code: str
    name: str
    threshold: float = 0.0
    aliases: tuple[str, ...] = ()
    encodings: tuple[str, ...] = ()
    rivals: tuple[str, ...] = ()
    abbreviations: tuple[str, ...] = ()
    clitic_prefixes: tuple[str, ...] = ()
    clitic_suffixes: tuple[str, ...] = ()
    spellings: tuple[Mapping[str, str], ...] = ()
    respelled: Mapping[str, str] = field(default_factory=dict)
    capitals: Mapping[str, str] = field(default_factory=dict)
    derived: Mapping[str, Mapping[str, Mapping[str, str]]] = field(default_factory=dict)


def folder() -> Path:
    """Where the descriptions are: inside the installed package, or in config/ of a source checkout."""
    checkout = Path(__file__).parents[2] / "config" / "languages"
    if checkout.is_dir():
        return checkout
    return Path(str(resources.files(__package__)))


def known() -> list[str]:
    """The codes of the built-in languages, sorted."""
    return list(_codes())


def neighbours() -> list[str]:
    """The codes of the languages that are known as rivals only, sorted."""
    return sorted(path.stem for path in (folder() / NEIGHBOURS).glob("*.yaml"))


@functools.cache
def _codes() -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in folder().glob("*.yaml")))


def describe(code: str) -> Description:
    """The description of the built-in language or neighbour with this code or alias.

    Raises:
        LanguageError: no built-in language has the code; or its file cannot be used.
    """
    description = find(code)
    if description is None:
        raise LanguageError(
            f"unknown language {code!r}; known: {', '.join(known())}. Make another from a text in it: "
            f"corpusprep language make {code} --text FILE --output {code}.model; "
            f"then give {code}.model as the language"
        )
    return description


@functools.cache
def find(code: str) -> Description | None:
    """The description of the built-in language or neighbour with this code or alias, or None."""
    wanted = code.lower()
    names = {other: other for other in known()} | {other: f"{NEIGHBOURS}/{other}" for other in neighbours()}
    if wanted in names:
        return _read(names[wanted])
    return next((found for name in names.values() if wanted in (found := _read(name)).aliases), None)


@functools.cache
def _read(name: str) -> Description:
    path, code = folder() / f"{name}.yaml", name.rpartition("/")[2]
    try:
        values = yaml.load(path.read_text(encoding="utf-8"), getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        return _description(code, values)
    except (OSError, UnicodeDecodeError, yaml.YAMLError, TypeError, ValueError) as error:
        message = " ".join(str(error).split())
        raise LanguageError(f"{path}: not a language description ({message})") from None


def _description(code: str, values: Any) -> Description:
    if not isinstance(values, dict):
        raise ValueError("not a mapping")
    allowed = {item.name for item in fields(Description)} - {"code", "threshold", "rivals"}
    if unknown := sorted(str(key) for key in values if key not in allowed):
        raise ValueError(f"unknown key {unknown[0]}")
    for key, value in values.items():
        if isinstance(value, list):
            values[key] = tuple(value)
        strings = value if isinstance(value, list) and key != "spellings" else []
        if wrong := [one for one in strings if not isinstance(one, str)]:
            raise ValueError(f"{key}: {wrong[0]!r} is not a text (quote it)")
    for name in values.get("encodings", ()):
        if whatwg_name(name) != name:
            raise ValueError(f"encodings: {name} is not a WHATWG name")
    threshold, rivals = calibrated().get(code, (0.0, ()))
    return Description(code=code, threshold=threshold, rivals=rivals, **values)


@functools.cache
def calibrated() -> Mapping[str, tuple[float, tuple[str, ...]]]:
    """The threshold and the rivals of each built-in language, by code.

    Raises:
        LanguageError: the table cannot be used.
    """
    path = folder() / CALIBRATION
    try:
        columns, *rows = (line.split("\t") for line in path.read_text(encoding="utf-8").splitlines())
        named = [dict(zip(columns, row, strict=True)) for row in rows]
        return {row["language"]: (float(row["threshold"]), tuple(row["rivals"].split())) for row in named}
    except (OSError, UnicodeDecodeError, KeyError, ValueError) as error:
        raise LanguageError(f"{path}: not a table of thresholds and rivals ({error})") from None
