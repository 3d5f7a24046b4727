"""`corpusprep studies`: the tables of published studies, redone. A group that corpusprep finds by its entry point."""

import click

from corpusprep import startup
from corpusprep.commands.lazy import LazyGroup

_HERE = "studies.commands"
#: Milliseconds for which polars keeps memory that it no longer needs, where they differ: experiments hold much.
_KEPT_MS = {"experiments": 0}


class Studies(LazyGroup):
    """The studies, each with the memory that it lets polars keep."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Returns the command of that name, or None."""
        if cmd_name in _KEPT_MS:
            startup.prepare_command(_KEPT_MS[cmd_name])
        return super().get_command(ctx, cmd_name)


@click.group(
    "studies",
    cls=Studies,
    places={
        "evaluation": (f"{_HERE}.evaluation:command", "Measure boilerplate removal on gold data."),
        "experiments": (f"{_HERE}.experiments:command", "Measure duplicate n-grams and de-duplication methods."),
        "languages": (f"{_HERE}.languages:command", "Measure the language kit on evaluation data: one of its tables."),
        "page": (f"{_HERE}.page:command", "Put the tables and figures of all sources on one page."),
        "reuse": (f"{_HERE}.reuse:command", "Measure the detection of sources on short answers."),
        "texrex": (f"{_HERE}.texrex:command", "Measure block classifiers on the vectors of texrex."),
        "treebanks": (f"{_HERE}.treebanks:command", "Measure tokens and sentences on treebanks."),
    },
)
def command() -> None:
    """Repeat the measurements of published studies."""
