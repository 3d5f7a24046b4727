"""Measured files that are read when a table needs them: what is missing stops no other table."""

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar

T = TypeVar("T")


class Files(Mapping[str, T]):
    """Values by name, each of a file of its own."""

    def __init__(self, names: Iterable[str], read: Callable[[str], T]) -> None:
        """The values of these names; `read` returns one."""
        self._names, self._read = tuple(names), functools.cache(read)

    def __getitem__(self, name: str) -> T:
        if name not in self._names:
            raise KeyError(name)
        return self._read(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


class Contents(Mapping[str, Any]):
    """The contents of one file; empty if it holds nothing."""

    def __init__(self, read: Callable[[], Mapping[str, Any] | None]) -> None:
        """The contents that `read` returns."""
        self._read = functools.cache(read)

    def __getitem__(self, name: str) -> Any:
        return (self._read() or {})[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._read() or {})

    def __len__(self) -> int:
        return len(self._read() or {})
