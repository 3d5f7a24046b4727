"""The language kit: stop list, trigrams, encodings and thresholds of any language (a code, or a model file).

>>> from corpusprep import languages
>>> languages.get("en").stop_list[:3]
('the', 'to', 'and')
"""

import functools
import os
from pathlib import Path

from corpusprep.languages.descriptions import Description, known
from corpusprep.languages.descriptions import describe as describe_built_in
from corpusprep.languages.make import STOP_LIST_COVERAGE, built_in, make
from corpusprep.languages.model import LanguageModel, load, save

__all__ = [
    "STOP_LIST_COVERAGE",
    "Description",
    "LanguageModel",
    "built_in",
    "describe",
    "describe_built_in",
    "get",
    "is_path",
    "known",
    "load",
    "make",
    "save",
]


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
        return built_in(spec)
    path = Path(spec)
    try:
        status = path.stat()
    except OSError:
        return load(path)  # which says what is wrong
    return _loaded(path, status.st_mtime_ns, status.st_size)


def describe(spec: str) -> Description | LanguageModel:
    """Code, name, threshold and rivals of a language, without making what takes time.

    Raises:
        LanguageError: the language is unknown, or the file cannot be used.
    """
    return get(spec) if is_path(spec) else describe_built_in(spec)


@functools.lru_cache(maxsize=16)
def _loaded(path: Path, modified: int, size: int) -> LanguageModel:
    """A model file as it was at that time; a changed file is read again."""
    return load(path)
