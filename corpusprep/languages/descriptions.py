"""Descriptions of the built-in languages: config/languages/<code>.yaml. Words are in a file beside, or in `wordfreq`.

A description has these keys. All but `name` are optional.

- `name`: in English.
- `aliases`: other codes of this language.
- `encodings`: the encodings in use on its Web besides UTF-8, by WHATWG name, the most frequent first
  (PRESEMT D3.1, table 1, for cs, de, el, en, it, nb).
- `abbreviations`: words that end in a full stop which does not end a sentence. `No. 0` is one before a number alone.
  `0.` stands for ordinal numbers, where these end in a full stop (`5.`); `0. a` for those before small letters.
- `clitic_prefixes`, `clitic_suffixes`: parts of words that the tokeniser splits off, with their apostrophe.
- `whole_words`: words that are one token although they end or begin with a mark or have one inside (`po'`, `ό,τι`).
- `joints`: marks that join the parts of a word before a small letter (`:` in `EU:n`), and letters that must follow them
  (`*in` in `Bürger*innen`).
- `apart`: marks that are tokens of their own, where the treebanks of a language agree on it: `-` between the parts of a
  compound, `.` behind an abbreviation.
- `spellings`: tables of letters. Each table rewrites the words to another way of writing the whole language
  (another script, or letters that replace those missing from an old encoding).
- `respelled`: the usual spelling of words that case folding changes.
- `capitals`: letters whose capital is not Unicode's default.

The threshold (the lowest trigram score of a text that counts as the language) and the rivals of each language are in
calibration.tsv beside the descriptions. `corpusprep language calibrate` writes it (language_tables.calibration).
"""

import difflib
import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import yaml

from corpusprep.encoding.charsets import whatwg_name
from corpusprep.errors import LanguageError
from corpusprep.io import shipped
from corpusprep.languages.tags import UNKNOWN, tag

#: What a corpus of any language has in place of a language: no stop words, no filter (`language: any`).
ANY = "any"
#: The table beside the descriptions.
CALIBRATION = "calibration.tsv"
#: Running words below which a built-in language is weak.
LEAST_COUNTED = 10_000


@dataclass(frozen=True, slots=True)
class Description:
    """A built-in language: the keys of its file, its threshold and its rivals."""

    code: str
    name: str
    threshold: float = 0.0
    aliases: tuple[str, ...] = ()
    encodings: tuple[str, ...] = ()
    rivals: tuple[str, ...] = ()
    abbreviations: tuple[str, ...] = ()
    clitic_prefixes: tuple[str, ...] = ()
    clitic_suffixes: tuple[str, ...] = ()
    whole_words: tuple[str, ...] = ()
    joints: tuple[str, ...] = ()
    apart: tuple[str, ...] = ()
    spellings: tuple[Mapping[str, str], ...] = ()
    respelled: Mapping[str, str] = field(default_factory=dict)
    capitals: Mapping[str, str] = field(default_factory=dict)


def folder() -> Path:
    """Returns the folder of the descriptions."""
    return shipped.root() / "config" / "languages"


def known() -> list[str]:
    """Returns the codes of the built-in languages, sorted."""
    return list(_codes())


@functools.cache
def _codes() -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in folder().glob("*.yaml")))


def has_list(code: str) -> bool:
    """Returns whether the words of a built-in language are in a list of its own, not in `wordfreq`."""
    return re.fullmatch("[a-z]{2,3}", code) is not None and list_of(code).is_file()


def list_of(code: str) -> Path:
    """Returns where the word list of a built-in language is, if it has one (frequencies.of_list reads it)."""
    return folder() / "words" / f"{code}.tsv"


def weakness(code: str) -> str:
    """Returns a note on a built-in language whose words were counted in little text; empty for the others."""
    if not has_list(code):
        return ""
    with list_of(code).open(encoding="utf-8") as lines:
        words = int(next(lines).removeprefix("# ").partition(" words: ")[0])
    if words >= LEAST_COUNTED:
        return ""
    return f"its words were counted in a text of {words:,} words: stop words and threshold are uncertain"


def describe(code: str) -> Description:
    """Returns the description of the built-in language with this code or alias.

    Raises:
        LanguageError: the code is unknown, or the file cannot be used.
    """
    description = find(code)
    if description is None:
        own = code if re.fullmatch("[A-Za-z0-9_-]+", code) else "CODE"  # README.md is no code
        raise LanguageError(
            f"unknown language {code!r};{_meant(code)} built in: {', '.join(known())}. "
            f"Make a model of another from a text: corpusprep language make {own} --text FILE --output {own}.model; "
            f"then use {own}.model as the language. Or let an identifier filter it, such as method: heliport"
        )
    return description


def _meant(code: str) -> str:
    """Returns a hint at the language that a code or name is most like, if there is one."""
    described = [_read(name) for name in known()]
    names = {description.name.lower(): description.code for description in described}
    names |= {
        alias: description.code for description in described for alias in (description.code, *description.aliases)
    }
    main = code.lower().replace("_", "-").partition("-")[0]  # of en-US
    close = difflib.get_close_matches(main, names, 1, 0.75)
    return f" did you mean {names[close[0]]} ({describe(names[close[0]]).name})?" if close else ""


@functools.cache
def find(code: str) -> Description | None:
    """Returns the description of the built-in language with this code, alias or name, or None.

    Codes may be from ISO 639-3, and have a script (`ces`, `sr-Cyrl`). Any language (`any`, `und`) has one, too.
    """
    found = _find(code.lower())
    if found is None and re.fullmatch("[A-Za-z][A-Za-z ()_-]+", code):
        meant = tag(code)
        return None if meant is None else _find(meant.language)
    return found


def _find(wanted: str) -> Description | None:
    if wanted in (ANY, UNKNOWN):
        return Description(code=UNKNOWN, name="any language", aliases=(ANY,))
    if wanted in known():
        return _read(wanted)
    described = map(_read, known())
    return next((found for found in described if wanted in found.aliases or wanted == found.name.lower()), None)


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
    allowed = {item.name for item in fields(Description)} - {"code", "threshold", "rivals"}
    if unknown := sorted(str(key) for key in values if key not in allowed):
        raise ValueError(f"unknown key {unknown[0]}")
    for key, value in values.items():
        if isinstance(value, list):
            values[key] = tuple(value)
        strings = value if isinstance(value, list) and key != "spellings" else []
        if wrong := [text for text in strings if not isinstance(text, str)]:
            raise ValueError(f"{key}: {wrong[0]!r} is not a string (put it in quotes)")
    for name in values.get("encodings", ()):
        if whatwg_name(name) != name:
            raise ValueError(f"encodings: {name} is not the WHATWG name of an encoding")
    threshold, rivals = calibrated().get(code, (0.0, ()))
    return Description(code=code, threshold=threshold, rivals=rivals, **values)


@functools.cache
def calibrated() -> Mapping[str, tuple[float, tuple[str, ...]]]:
    """Returns the threshold and the rivals of each built-in language, by code.

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
