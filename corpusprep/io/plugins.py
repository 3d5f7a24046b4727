"""Finds plugins by name: built in, registered by an installed package, or in a file of a user's own.

A kind of plugin is a group of entry points. A package that is installed beside corpusprep adds names to it in its
pyproject.toml:

    [project.entry-points."corpusprep.cleaners"]
    long-blocks = "my_package.long_blocks:ALGORITHMS"

Names that are built in are in a table. Entry points are read, in 25 ms, only for other names, or to list all names.
"""

import functools
import importlib
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from corpusprep.errors import ConfigError, meant
from corpusprep.io import own_code
from corpusprep.startup import what_to_install

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of plugin.

    Attributes:
        group: of its entry points, such as `corpusprep.cleaners`.
        noun: what messages call a plugin, such as `boilerplate algorithm`.
        built_in: name -> `module:attribute`.
        own: how a user names a plugin in a file of their own; empty if that is not possible.
        files: ends of the names of files that may be given instead of a plugin; what they are is for the caller.
        separate: names that a package registers which may be missing -> how it is installed.
    """

    group: str
    noun: str
    built_in: Mapping[str, str]
    own: str = "my_module:MyClass"
    files: tuple[str, ...] = ()
    separate: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    def names(self) -> tuple[str, ...]:
        """Returns the names of all plugins that are built in or installed, sorted."""
        return tuple(sorted({*self.built_in, *_registered(self.group)}))

    def allowed(self) -> tuple[str, ...]:
        """Returns all names that may be in a config, sorted: of missing packages, `load` says what to install."""
        return tuple(sorted({*self.names(), *self.separate}))

    def check(self, name: str) -> None:
        """Checks a name without loading what it stands for.

        Raises:
            ConfigError: it is unknown, or of a package that is not installed.
        """
        if not (
            name in self.built_in
            or (self.files and name.endswith(self.files))
            or (self.own and own_code.is_own(name))
            or name in _registered(self.group)
        ):
            raise ConfigError(self._unknown(name))

    def load(self, name: str, folder: Path | str = ".") -> Any:
        """Returns what a name stands for; imports its module.

        Args:
            name: of a plugin, or `module:attribute` of a user's own.
            folder: where a user's own module is looked for, if it is not installed.

        Raises:
            ConfigError: the name is unknown, two packages register it, or its package is not installed or fails.
            OwnCodeError: the user's own is missing, or importing its module fails.
        """
        if name in self.built_in:
            module, _, attribute = self.built_in[name].partition(":")
            return getattr(importlib.import_module(module), attribute)
        if self.own and own_code.is_own(name):
            return own_code.find(name, Path(folder))
        self.check(name)
        points = _registered(self.group)[name]
        packages = [point.dist.name if point.dist else point.value for point in points]
        if len(points) > 1:
            raise ConfigError(f"{self.noun} {name!r} is registered by {' and by '.join(packages)}; uninstall one")
        try:
            return points[0].load()
        except Exception as error:
            reason = isinstance(error, ImportError) and what_to_install(error)
            raise ConfigError(
                f"{self.noun} {name!r}: the package {packages[0]} fails: {reason or own_code.described(error)}"
            ) from None

    def _unknown(self, name: str) -> str:
        """Returns what is wrong with a name that nothing registers."""
        if name in self.separate:
            return (
                f"{self.noun} {name!r} is of a package that is not installed: {sys.executable} -m pip install"
                f" {self.separate[name]}"
            )
        known = self.names()
        own = f", or your own as {self.own}" if self.own else ""
        return f"{self.noun} {name!r} is unknown;{meant(name, known)} known: {', '.join(known)}{own}"


@functools.cache
def _registered(group: str) -> Mapping[str, "tuple[EntryPoint, ...]"]:
    """Returns the entry points of a group by name; reads them once per process."""
    from importlib.metadata import entry_points  # importing it takes 15 ms

    points: dict[str, tuple[EntryPoint, ...]] = {}
    for point in entry_points(group=group):
        points[point.name] = (*points.get(point.name, ()), point)
    return points
