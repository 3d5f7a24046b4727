"""The settings of annotation: which annotator, and which columns it adds."""

import shlex
import shutil
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from corpusprep.annotation import built_in
from corpusprep.annotation.taggers import Tagger
from corpusprep.errors import ConfigError
from corpusprep.io import own_code

#: The name of the annotator of a corpus without one.
NONE = "none"
#: Reserved names of columns: the word and its place (schemas.annotation).
TAKEN = ("word", "lc", "space_after", "sentence", "block")
#: Characters that make a word of a command more than the name of a program.
_SHELL = frozenset("=$`;|&<>()~*?[]{}\"'\\")


def settled(settings: Mapping[str, Any], code: str = ".") -> dict[str, Any]:
    """Returns the section `annotate` with the columns of the annotator; with the folder `code`, if it is a user's own.

    Raises:
        ConfigError: the settings contradict each other, or there is no such annotator; names the setting.
    """
    name, command, columns = settings["annotator"], settings["command"], list(settings["columns"])
    if name != NONE:
        if command or columns:
            given = "command" if command else "columns"
            raise ConfigError(f"{given} is for a command of your own, but annotator is {name}; remove one of the two")
        annotator = built_in.load(name, code)
        needed = annotator.model if isinstance(annotator, Tagger) else ""
        if needed and not settings["model"]:
            raise ConfigError(f"model is missing: annotator is {name}, and model is {needed}")
        if settings["model"] and not needed:
            raise ConfigError(f"model is given, but annotator is {name}, which brings its own; remove it")
        columns = list(annotator.columns)
        _check_columns(columns)
        return {**settings, "columns": columns, **({"code": code} if own_code.is_own(name) else {})}
    if settings["model"]:
        raise ConfigError("model is given, but no annotator that takes one; name it in the command")
    if command and not columns:
        raise ConfigError("columns is missing: the names of the columns that the command adds, such as [lemma, tag]")
    if columns and not command:
        raise ConfigError("columns are given, but no command that adds them")
    _check_columns(columns)
    if command:
        words(command)
    return dict(settings)


def _check_columns(columns: list[str]) -> None:
    """Refuses reserved names of columns."""
    if reserved := next((column for column in columns if column in TAKEN), None):
        raise ConfigError(f"columns: {reserved} is taken; choose another name")


def words(command: str) -> list[str]:
    """Returns the words of a command.

    Raises:
        ConfigError: a quotation mark is not closed.
    """
    try:
        return shlex.split(command)
    except ValueError as error:
        raise ConfigError(f"command: {error}: {command!r}") from None


def files(settings: Mapping[str, Any]) -> list[str]:
    """Returns the files of a user's own annotator, its model, or those that a command names by relative paths.

    If one of them changes, the annotation is made again.
    """
    model = [name for name in (settings.get("model", ""),) if name and Path(name).is_file()]
    if own_code.is_own(settings.get("annotator", NONE)):
        return [*map(str, own_code.files(settings["annotator"], Path(settings["code"]))), *model]
    if model:
        return model
    named = words(settings["command"])
    return sorted({word for word in named if not word.startswith("/") and _plain(word) and Path(word).is_file()})


def check(settings: Mapping[str, Any], language: str) -> None:
    """Checks that there is the program or package that settings name.

    Args:
        settings: the section `annotate`, settled.
        language: code of the corpus language; empty if it is not known.

    Raises:
        ConfigError: there is not, or it does not know the language.
    """
    if settings["annotator"] != NONE:
        name = settings["annotator"]
        annotator = built_in.load(name, settings.get("code", "."))
        if any(not _installed(package) for package in annotator.packages):
            wheels = " ".join(annotator.wheels if isinstance(annotator, Tagger) else annotator.packages)
            wanted = "'corpusprep[annotate]'" if annotator in (built_in.SIMPLEMMA, built_in.PYMORPHY3) else wheels
            raise ConfigError(f"annotator is {name!r}, which needs {wheels}: {sys.executable} -m pip install {wanted}")
        if language and not annotator.knows(language):
            raise ConfigError(f"annotator is {name!r}, which does not know the language {language}")
    named = words(settings["command"])
    if named and _plain(named[0]) and shutil.which(named[0]) is None:
        raise ConfigError(f"command: there is no program {named[0]!r}; give its path, or put it on the PATH")


def _installed(package: str) -> bool:
    """Returns whether a module can be imported; of one in a package, whether the package is there."""
    try:
        return find_spec(package) is not None
    except ModuleNotFoundError:
        return False


def _plain(word: str) -> bool:
    return not _SHELL & set(word)
