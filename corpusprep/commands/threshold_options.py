"""The options of commands that take a boilerplate algorithm, or jusText's thresholds alone."""

import json
from collections.abc import Callable
from pathlib import Path
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


def _mapping(context: click.Context, option: click.Parameter, value: str | None) -> dict[str, Any] | None:
    """Returns the mapping that an option gives as JSON."""
    try:
        found = {} if value is None else json.loads(value)
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise click.BadParameter(f"{value!r} is not a JSON object", context, option)
    return found


def algorithm_options(command: _Command) -> _Command:
    """Adds the options of the config's section `boilerplate`, by the names of the arguments of registry.algorithm."""
    options = (
        click.option(
            "--algorithm",
            "name",
            default="justext",
            metavar="NAME|MODULE:CLASS",
            help="Algorithm, or your own cleaner.",
        ),
        threshold_options,
        click.option(
            "--parameters", callback=_mapping, metavar="JSON", help="Further parameters, as a JSON object by name."
        ),
        click.option(
            "--code", default=".", type=click.Path(path_type=Path), help="Folder with the file of your own cleaner."
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command
