"""Reads and writes the measurements of experiments: TSV tables whose columns are the fields of a dataclass."""

from collections.abc import Callable, Iterable
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

from corpusprep.errors import StageFileError
from corpusprep.io import tsv

#: A dataclass whose fields are str, int, float or bool.
T = TypeVar("T")
_KINDS: dict[str, Callable[[str], Any]] = {"str": str, "int": int, "float": float, "bool": lambda text: text == "yes"}


def write(path: Path, kind: type[T], rows: Iterable[T]) -> None:
    """Writes one row per dataclass instance."""
    names = _types(kind)
    tsv.write(path, list(names), ([_shown(getattr(row, name)) for name in names] for row in rows))


def read(path: Path, kind: type[T]) -> list[T]:
    """Reads what `write` wrote.

    Raises:
        StageFileError: the file is missing or not of this kind.
    """
    types = _types(kind)
    rows = tsv.read(path, list(types))
    try:
        return [kind(**{name: _KINDS[of](row[name]) for name, of in types.items()}) for row in rows]
    except ValueError:
        raise StageFileError(f"{path}: not a table of this experiment and version; run it again") from None


def _types(kind: type[Any]) -> dict[str, str]:
    return {field.name: field.type if isinstance(field.type, str) else field.type.__name__ for field in fields(kind)}


def _shown(cell: str | int | float | bool) -> str | int:
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    return repr(cell) if isinstance(cell, float) else cell
