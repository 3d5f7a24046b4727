"""Groups of commands that are imported when they are called."""

import importlib
from collections.abc import Mapping
from typing import Any

import click

from corpusprep import startup


def loaded(places: Mapping[str, tuple[str, str]], name: str) -> click.Command | None:
    """Imports the command of that name from its place (module:attribute, one-line help); None if there is none."""
    if name not in places:
        return None
    module, _, attribute = places[name][0].partition(":")
    with startup.loading():
        command: click.Command = getattr(importlib.import_module(module), attribute)
    return command


class LazyGroup(click.Group):
    """A group of commands, each in a module that is loaded only when the command runs."""

    def __init__(self, *arguments: Any, places: Mapping[str, tuple[str, str]], **options: Any) -> None:
        """A group of the commands in `places`.

        Args:
            arguments: as for click.Group.
            places: command -> (module:attribute, one-line help), in the order in which help lists them.
            options: as for click.Group.
        """
        super().__init__(*arguments, **options)
        self.places = places

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands, in the order given."""
        return list(self.places)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, or None."""
        return loaded(self.places, cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Lists the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in self.places.items()])
