"""The settings of annotation: which annotator, and which columns it adds."""

import shlex
import shutil
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from corpusprep.annotation.built_in import BUILT_IN
from corpusprep.errors import ConfigError

#: The name of the annotator of a corpus without one.
NONE = "none"
#: Reserved names of columns: the word and its place (schemas.annotation).
TAKEN = ("word", "lc", "space_after", "sentence", "block")
#: Characters that make a word of a command more than the name of a program.
_SHELL = frozenset("=$`;|&<>()~*?[]{}\"'\\")


def settled(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the section `annotate` with the columns of a built-in annotator.

    Raises:
        ConfigError: the settings contradict each other; names the setting.
    """
    name, command, columns = settings["annotator"], settings["command"], list(settings["columns"])
    if name != NONE:
        if command or columns:
            given = "command" if command else "columns"
            raise ConfigError(f"{given} is for a command of your own, but annotator is {name}; remove one of the two")
        return {**settings, "columns": list(BUILT_IN[name].columns)}
    if command and not columns:
        raise ConfigError("columns is missing: the names of the columns that the command adds, such as [lemma, tag]")
    if columns and not command:
        raise ConfigError("columns are given, but no command that adds them")
    if taken := next((one for one in columns if one in TAKEN), None):
        raise ConfigError(f"columns: {taken} is taken; choose another name")
    if command:
        words(command)
    return dict(settings)


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
    """Returns the files that a command names by relative paths: if one changes, the annotation is made again."""
    named = words(settings["command"])
    return sorted({one for one in named if not one.startswith("/") and _plain(one) and Path(one).is_file()})


def check(settings: Mapping[str, Any], language: str) -> None:
    """Checks that there is the program or package that settings name.

    Args:
        settings: the section `annotate`, settled.
        language: code of the corpus language; empty if it is not known.

    Raises:
        ConfigError: there is not, or it does not know the language.
    """
    if settings["annotator"] != NONE:
        annotator = BUILT_IN[settings["annotator"]]
        for package in annotator.packages:
            if find_spec(package) is None:
                raise ConfigError(
                    f"annotator is {settings['annotator']!r}, which needs {package}: pip install 'corpusprep[annotate]'"
                )
        if language and not annotator.knows(language):
            raise ConfigError(f"annotator is {settings['annotator']!r}, which does not know the language {language}")
    named = words(settings["command"])
    if named and _plain(named[0]) and shutil.which(named[0]) is None:
        raise ConfigError(f"command: there is no program {named[0]!r}; give its path, or put it on the PATH")


def _plain(word: str) -> bool:
    return not _SHELL & set(word)
