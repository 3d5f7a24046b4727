"""`corpusprep studies`: the tables of published studies, redone."""

import click

from corpusprep.commands.lazy import LazyGroup

_HERE = "studies.commands"


@click.group(
    "studies",
    cls=LazyGroup,
    places={
        "reuse": (f"{_HERE}.reuse:command", "Measure the detection of sources on short answers."),
        "page": (f"{_HERE}.page:command", "Put the tables and figures of all sources on one page."),
    },
)
def command() -> None:
    """Repeat the measurements of published studies."""
