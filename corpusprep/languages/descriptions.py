"""What is known of the built-in languages beside their words: config/languages/<code>.yaml.

A description has these keys, all but `name` and `threshold` optional:

- `name`: in English.
- `aliases`: other codes that mean this language.
- `encodings`: those in use on its Web beside UTF-8, by WHATWG name, the most frequent first
  (PRESEMT D3.1, table 1, for cs, de, el, en, it, nb).
- `threshold`: the lowest trigram score of a text that counts as this language.
- `rivals`: the codes of the languages whose texts come nearest to its own.
- `abbreviations`: words that end in a full stop which does not end a sentence.
- `clitic_prefixes`, `clitic_suffixes`: what a tokeniser cuts off, with its apostrophe.
- `spellings`: tables of letters, each turning the words into another way of writing the whole language
  (another script, letters that replace those an old encoding lacks).
- `respelled`: words whose spelling case folding has lost, as they are usually written.
- `capitals`: letters whose capital is not Unicode's default.

Thresholds and rivals follow the rules of `calibration`, measured on 42 to 612 paragraphs a language, of 200
to 400 characters each (sentences of the Wortschatz Leipzig, Wikipedia by XQuAD): 99.8 % of a language's own
paragraphs are kept (99.1 % in the worst, Urdu), 0.3 % of those in 78 other languages. English, and Russian
beside Cyrillic, are rivals wherever they can be told apart.
"""

import functools
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from importlib import resources
from pathlib import Path
from typing import Any

import yaml

from corpusprep.charsets import whatwg_name
from corpusprep.errors import LanguageError


@dataclass(frozen=True, slots=True)
class Description:
    """A built-in language; the attributes are the keys of its file."""

    code: str
    name: str
    threshold: float
    aliases: tuple[str, ...] = ()
    encodings: tuple[str, ...] = ()
    rivals: tuple[str, ...] = ()
    abbreviations: tuple[str, ...] = ()
    clitic_prefixes: tuple[str, ...] = ()
    clitic_suffixes: tuple[str, ...] = ()
    spellings: tuple[Mapping[str, str], ...] = ()
    respelled: Mapping[str, str] = field(default_factory=dict)
    capitals: Mapping[str, str] = field(default_factory=dict)


def folder() -> Path:
    """Where the descriptions are: inside the installed package, or in config/ of a source checkout."""
    checkout = Path(__file__).parents[2] / "config" / "languages"
    if checkout.is_dir():
        return checkout
    return Path(str(resources.files(__package__)))


def known() -> list[str]:
    """The codes of the built-in languages, sorted."""
    return list(_codes())


@functools.cache
def _codes() -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in folder().glob("*.yaml")))


def describe(code: str) -> Description:
    """The description of the built-in language with this code or alias.

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
    """The description of the built-in language with this code or alias, or None."""
    wanted = code.lower()
    if wanted in known():
        return _read(wanted)
    return next((found for other in known() if wanted in (found := _read(other)).aliases), None)


@functools.cache
def _read(code: str) -> Description:
    path = folder() / f"{code}.yaml"
    try:
        values = yaml.load(path.read_text(encoding="utf-8"), getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        return _description(code, values)
    except (OSError, UnicodeDecodeError, yaml.YAMLError, TypeError, ValueError) as error:
        message = " ".join(str(error).split())
        raise LanguageError(f"{path}: not a language description ({message})") from None


def _description(code: str, values: Any) -> Description:
    if not isinstance(values, dict):
        raise ValueError("not a mapping")
    allowed = {item.name for item in fields(Description)} - {"code"}
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
    return Description(code=code, **values)
