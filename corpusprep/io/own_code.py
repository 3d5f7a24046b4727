"""Loads a user's own code, named `module:name`: from an installed package, or from a file in a folder."""

import importlib
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from corpusprep.errors import OwnCodeError


def is_own(name: str) -> bool:
    """Returns whether a name is a user's own code, not something built in."""
    return ":" in name


def files(name: str, folder: Path) -> list[Path]:
    """Returns the files in `folder` that the module or package of `module:name` consists of; empty if installed."""
    top = name.partition(":")[0].partition(".")[0]
    module = folder / f"{top}.py"
    return [module] if module.is_file() else sorted((folder / top).rglob("*.py"))


def load(name: str, folder: Path) -> Callable[..., Any]:
    """Returns the class or function that `module:name` names; `find` says where.

    Raises:
        OwnCodeError: as `find`, or what is named cannot be called.
    """
    loaded = find(name, folder)
    if not callable(loaded):
        raise OwnCodeError(f"{name}: {name.partition(':')[2]} is neither a class nor a function")
    return loaded  # type: ignore[no-any-return]


def find(name: str, folder: Path) -> Any:
    """Returns the object that `module:name` names.

    The folder is searched after everything installed, and stays on the search path: the module may import others
    beside it.

    Raises:
        OwnCodeError: there is no such module or name, importing the module fails, or an installed module has its name.
    """
    module_name, _, attribute = name.partition(":")
    if not module_name or not attribute:
        raise OwnCodeError(f"{name}: write the module and the name in it, as my_module:MyName")
    place = str(folder.resolve())
    if place not in sys.path:
        sys.path.append(place)
    importlib.invalidate_caches()
    try:
        module = importlib.import_module(module_name)
    except Exception as error:
        if isinstance(error, ModuleNotFoundError) and f"{module_name}.".startswith(f"{error.name}."):
            raise OwnCodeError(
                f"{name}: there is no module {error.name}: not installed, and not in the folder {place}"
            ) from None
        raise OwnCodeError(f"{name}: cannot import {module_name}: {described(error)}") from None
    beside, loaded_from = files(name, folder), getattr(module, "__file__", None)
    if beside and (loaded_from is None or Path(loaded_from).resolve() not in [path.resolve() for path in beside]):
        raise OwnCodeError(
            f"{name}: {loaded_from or 'Python itself'} has the same name as {beside[0]}; rename that file"
        )
    if not hasattr(module, attribute):
        raise OwnCodeError(f"{name}: {loaded_from} has no {attribute}")
    return getattr(module, attribute)


def check_parameters(name: str, made: Callable[..., Any], parameters: Mapping[str, Any]) -> None:
    """Checks that a class takes these keyword arguments, without calling it.

    Raises:
        OwnCodeError: it does not take one of them, or needs another.
    """
    import inspect  # here and below: importing it takes milliseconds, which steps without such code do without

    try:
        signature = inspect.signature(made)
    except ValueError:  # a class of compiled code
        return
    try:
        signature.bind(**parameters)
    except TypeError as error:
        takes = ", ".join(signature.parameters) or "none"
        raise OwnCodeError(f"{name}: {error}; it takes {takes}") from None


def described(error: Exception) -> str:
    """Returns an exception in a user's code as one line: its kind, its message, and the line of code."""
    import traceback

    text = " ".join(f"{type(error).__name__}: {error}".split())
    frames = traceback.extract_tb(error.__traceback__)
    here = str(Path(__file__).absolute())
    own = [frame for frame in frames if frame.filename != here and not frame.filename.startswith("<")]
    if isinstance(error, SyntaxError) or not own:
        return text
    return f"{text} ({own[-1].filename}, line {own[-1].lineno})"
