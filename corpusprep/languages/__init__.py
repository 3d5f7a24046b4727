"""The language kit: stop list, trigrams, encodings and thresholds of any language (a code, or a model file).

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
    from corpusprep.languages.descriptions import Description, known, neighbours
    from corpusprep.languages.descriptions import describe as describe_built_in
    from corpusprep.languages.making import STOP_LIST_COVERAGE, built_in, make

__all__ = [
    "STOP_LIST_COVERAGE",
    "VERSION",
    "Description",
    "LanguageModel",
    "built_in",
    "check",
    "describe",
    "describe_built_in",
    "fingerprint",
    "get",
    "is_path",
    "known",
    "load",
    "make",
    "neighbours",
    "save",
]
#: Name -> its module, and its name there: what jobs that are given a model file do without.
_LATER = {
    "Description": ("descriptions", "Description"),
    "describe_built_in": ("descriptions", "describe"),
    "known": ("descriptions", "known"),
    "neighbours": ("descriptions", "neighbours"),
    "STOP_LIST_COVERAGE": ("making", "STOP_LIST_COVERAGE"),
    "built_in": ("making", "built_in"),
    "make": ("making", "make"),
}


def __getattr__(name: str) -> Any:
    """What makes and describes built-in languages, loaded when it is first asked for."""
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, there = _LATER[name]
    return getattr(importlib.import_module(f"{__name__}.{module}"), there)


def is_path(spec: str) -> bool:
    """Whether a language is given as the path of a model file, not as a code."""
    return spec.endswith(".model") or "/" in spec or os.sep in spec


def get(spec: str | os.PathLike[str]) -> LanguageModel:
    """The language model of a built-in language's code or alias, or of a model file's path.

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
        return load(path)  # which says what is wrong
    return _loaded(path, status.st_mtime_ns, status.st_size)


def describe(spec: str) -> "Description | LanguageModel":
    """Code, name, threshold and rivals of a language, without making what takes time.

    Raises:
        LanguageError: the language is unknown, or the file cannot be used.
    """
    if is_path(spec):
        return get(spec)
    from corpusprep.languages.descriptions import describe as describe_built_in

    return describe_built_in(spec)


def fingerprint(code: str) -> str:
    """What a model of the language depends on beside its sample: it changes with the format and the description."""
    from corpusprep.languages.descriptions import find

    return hashlib.sha256(f"{VERSION} {find(code)!r}".encode()).hexdigest()[:16]


def check(spec: str) -> None:
    """Checks that a language can be a corpus language: built in, or a model file.

    Raises:
        LanguageError: it is unknown, known as a neighbour only, or the file cannot be used.
    """
    described = describe(spec)
    if not isinstance(described, LanguageModel) and described.derived:
        raise LanguageError(
            f"{described.name} ({described.code}) is known as a neighbour of {' and '.join(described.derived)} only; "
            f"make it from a text: corpusprep language make {spec} --text FILE --output {spec}.model; "
            f"then give {spec}.model as the language"
        )


@functools.lru_cache(maxsize=16)
def _loaded(path: Path, modified: int, size: int) -> LanguageModel:
    """A model file as it was at that time; a changed file is read again."""
    return load(path)
