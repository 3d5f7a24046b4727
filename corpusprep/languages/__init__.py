"""The language kit: stop list, trigrams, encodings and thresholds of a language (given by code or model file).

>>> from corpusprep import languages
>>> languages.get("en").stop_list[:3]
('the', 'to', 'and')
"""

import functools
import hashlib
import importlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpusprep.errors import LanguageError
from corpusprep.languages.model import VERSION, LanguageModel, load, save

if TYPE_CHECKING:
    from corpusprep.languages.descriptions import Description, known
    from corpusprep.languages.descriptions import describe as describe_built_in
    from corpusprep.languages.making import STOP_LIST_COVERAGE, blank, built_in, make

__all__ = [
    "STOP_LIST_COVERAGE",
    "VERSION",
    "Description",
    "LanguageModel",
    "blank",
    "built_in",
    "check",
    "code_of",
    "describe",
    "describe_built_in",
    "fingerprint",
    "get",
    "is_path",
    "known",
    "lacks_model",
    "load",
    "make",
    "save",
    "spec_of",
]
#: Name -> its module, and its name there. Loaded on first use: a job that is given a model file does not need them.
_LAZY = {
    "Description": ("descriptions", "Description"),
    "describe_built_in": ("descriptions", "describe"),
    "known": ("descriptions", "known"),
    "blank": ("making", "blank"),
    "STOP_LIST_COVERAGE": ("making", "STOP_LIST_COVERAGE"),
    "built_in": ("making", "built_in"),
    "make": ("making", "make"),
}


def __getattr__(name: str) -> Any:
    """Loads on first use what makes and describes built-in languages."""
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, there = _LAZY[name]
    return getattr(importlib.import_module(f"{__name__}.{module}"), there)


def is_path(spec: str) -> bool:
    """Returns whether a language is given as the path of a model file, not as a code."""
    return spec.endswith(".model") or "/" in spec or os.sep in spec


def spec_of(language: Any) -> str:
    """Returns a language, as a function of the library was given it, as a code or the path of a model file.

    Raises:
        LanguageError: it is empty.
        TypeError: it is no text and no path.
    """
    if isinstance(language, os.PathLike):
        language = os.fspath(language)
    if not isinstance(language, str):
        raise TypeError(f"language is {language!r}; allowed: a code, such as 'en', or the path of a model file")
    if not language:
        raise LanguageError("language is ''; write a code, such as 'en', or the path of a model file")
    return language


def get(spec: str | os.PathLike[str]) -> LanguageModel:
    """Returns the model of a language.

    Args:
        spec: code or alias of a built-in language, or path of a model file.

    Raises:
        LanguageError: the language is unknown, or the file cannot be used.
    """
    spec = os.fspath(spec)
    if not is_path(spec):
        from corpusprep.languages.making import built_in

        return built_in(spec)
    path = Path(spec)
    try:
        status = path.stat()
    except OSError:
        return load(path)  # raises an error that says what is wrong
    return _loaded(path, status.st_mtime_ns, status.st_size)


def describe(spec: str) -> "Description | LanguageModel":
    """Returns code, name, threshold and rivals of a language, without making its model.

    Raises:
        LanguageError: the language is unknown, or the file cannot be used.
    """
    if is_path(spec):
        return get(spec)
    from corpusprep.languages.descriptions import describe as describe_built_in

    return describe_built_in(spec)


def weakness(spec: str) -> str:
    """Returns a note on a built-in language whose words were counted in little text; empty for the others."""
    from corpusprep.languages.descriptions import find
    from corpusprep.languages.descriptions import weakness as of_code

    described = None if is_path(spec) else find(spec)
    return of_code(described.code) if described else ""


def lacks_model(spec: str) -> bool:
    """Returns whether this is a language without a model: it is not built in."""
    from corpusprep.languages.descriptions import find
    from corpusprep.languages.tags import tag

    return not is_path(spec) and find(spec) is None and tag(spec) is not None


def code_of(spec: str) -> str:
    """Returns the code of a language, whether it has a model or not.

    Raises:
        LanguageError: the language is unknown, or the model file cannot be used.
    """
    from corpusprep.languages.tags import tag

    named = tag(spec) if lacks_model(spec) else None
    return named.language if named else describe(spec).code


def fingerprint(code: str) -> str:
    """Returns a digest of what a model depends on besides its sample: the file format and the description."""
    from corpusprep.languages.descriptions import find

    return hashlib.sha256(f"{VERSION} {find(code)!r}".encode()).hexdigest()[:16]


def check(spec: str) -> None:
    """Checks that a language can be a corpus language: built in, or a model file.

    Raises:
        LanguageError: the language is unknown, or the file cannot be used.
    """
    describe(spec)


@functools.lru_cache(maxsize=16)
def _loaded(path: Path, _modified: int, _size: int) -> LanguageModel:
    """Loads a model file once per modification time and size."""
    return load(path)
