"""Keeps the models of built-in languages from one process to the next: making one takes a second, reading it does not.

They lie in $CORPUSPREP_CACHE, or else in corpusprep/ in $XDG_CACHE_HOME or ~/.cache; an empty CORPUSPREP_CACHE keeps
none. A file's name has a digest of what its model depends on: the language's description and words, the code that
makes models, and the version of `wordfreq`. Damaged files, and folders that cannot be written, are as if they were not
there.
"""

import contextlib
import functools
import hashlib
import os
from importlib import metadata
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

from corpusprep import _native
from corpusprep.errors import LanguageError
from corpusprep.languages.descriptions import describe, has_list, list_of
from corpusprep.languages.model import VERSION, LanguageModel, load, save

PACKAGE = Path(__file__).parents[1]


def path_of(code: str) -> Path | None:
    """Returns where the model of a built-in language is kept; None if none are.

    Raises:
        LanguageError: the language is unknown.
    """
    folder = _folder()
    if folder is None:
        return None
    description = describe(code)
    made_from = hashlib.sha256(f"{VERSION} {description!r} {_code()}".encode())
    if has_list(description.code):
        made_from.update(list_of(description.code).read_bytes())
    return folder / "languages" / f"{description.code}-{made_from.hexdigest()[:32]}.model"


def read(code: str) -> LanguageModel | None:
    """Returns the model of a built-in language if it is kept; removes a damaged one, so that it is kept again."""
    path = path_of(code)
    if path is None or not path.is_file():
        return None
    try:
        return load(path)
    except LanguageError:
        with contextlib.suppress(OSError):
            path.unlink()
        return None


def keep(model: LanguageModel) -> LanguageModel:
    """Keeps the model of a built-in language, all of it, unless it is kept; returns it."""
    path = path_of(model.code)
    if path is not None and not path.exists():
        with contextlib.suppress(OSError):  # a home that is full or read-only
            save(model, path)
    return model


def _folder() -> Path | None:
    named = os.environ.get("CORPUSPREP_CACHE")
    if named is not None:
        return Path(named) if named else None
    root = os.environ.get("XDG_CACHE_HOME", "")
    try:
        return (Path(root) if Path(root).is_absolute() else Path.home() / ".cache") / "corpusprep"
    except RuntimeError:  # a user without a home
        return None


@functools.cache
def _code() -> str:
    """Returns a digest of the code and of the packages that models are made with."""
    sources = [path for room in ("languages", "encoding", "text") for path in (PACKAGE / room).glob("*.py")]
    kernels = [path for suffix in EXTENSION_SUFFIXES for path in Path(_native.__path__[0]).glob(f"*{suffix}")]
    digest = hashlib.sha256()
    for path in sorted({*sources, *kernels}):
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    for package in ("wordfreq", "PyICU", "pyicu-wheels"):
        digest.update(f"{package} {_version(package)}".encode())
    return digest.hexdigest()


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""
