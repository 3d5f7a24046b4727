"""The options of commands that take jusText's thresholds."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from corpusprep.pages.algorithms.justext import PRESETS

_Command = TypeVar("_Command", bound=Callable[..., Any])

_OPTIONS = (
    click.option("--preset", default="A", type=click.Choice(list(PRESETS)), help="Setting of jusText's thresholds."),
    click.option("--max-link-density", type=click.FloatRange(0, 1), help="Over it a block is bad. [default: preset's]"),
    click.option(
        "--length-low", type=click.IntRange(0), help="Words under which a block is short. [default: preset's]"
    ),
    click.option(
        "--length-high", type=click.IntRange(0), help="Words over which a block can be good. [default: preset's]"
    ),
    click.option("--stopwords-low", type=click.FloatRange(0, 1), help="Up to it a block is bad. [default: preset's]"),
    click.option(
        "--stopwords-high", type=click.FloatRange(0, 1), help="Over it, grammatical text. [default: preset's]"
    ),
)


def threshold_options(command: _Command) -> _Command:
    """Adds --preset and an option a threshold, by the names of Thresholds' fields; None where not given."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command
