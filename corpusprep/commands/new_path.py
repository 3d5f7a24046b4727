"""The type of options that name a file or folder to write."""

import os
from pathlib import Path
from typing import Any

import click

from corpusprep.errors import ConfigError


class NewPath(click.Path):
    """A file or folder that a command writes. Its folder must be there: a mistyped path makes no folders."""

    def __init__(self, *, in_results: bool = False, **options: Any) -> None:
        """A path to write.

        Args:
            in_results: whether it is the folder of a corpus, whose results folder is made with it.
            options: as for click.Path.
        """
        super().__init__(path_type=Path, **options)
        self._in_results = in_results

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Returns the path.

        Raises:
            ConfigError: there is no folder to write it to.
        """
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        parents = path.absolute().parents
        needed = parents[min(self._in_results, len(parents) - 1)] if parents else path
        if not needed.is_dir():
            named = isinstance(param, click.Argument) and param.metavar
            name = named or (param.opts[0] if param is not None else "path")
            raise ConfigError(f"{name} {path}: there is no folder {needed}; make it first, or choose another")
        return path
