"""Groups of commands beside the workflow: `corpusprep language`, `corpusprep archive` and `corpusprep check`."""

import click

from corpusprep.commands.lazy import LazyGroup

_HERE = "corpusprep.commands"
_LANGUAGE = f"{_HERE}.language_kit"


@click.group(
    "language",
    cls=LazyGroup,
    places={
        "make": (f"{_LANGUAGE}:make", "Make the model of a language."),
        "list": (f"{_LANGUAGE}:list_known", "List the built-in languages."),
        "show": (f"{_LANGUAGE}:show", "Show a language: what it was made from, and its parts."),
        "calibrate": (f"{_LANGUAGE}:calibrate", "Set the thresholds and rivals of the built-in languages."),
    },
)
def language() -> None:
    """Make, list and show languages."""


@click.group(
    "archive",
    cls=LazyGroup,
    places={
        "queries": (f"{_HERE}.seeds:queries", "Make queries for search engines."),
        "urls": (f"{_HERE}.seeds:urls", "Clean lists of addresses."),
        "pack": (f"{_HERE}.pack:command", "Pack a folder of files into a WARC file."),
        "sites": (f"{_HERE}.sites:command", "Write the pages of archives into one WARC file per site."),
        "yield": (f"{_HERE}.host_yields:command", "Measure how much clean text each host gives in a language."),
    },
)
def archive() -> None:
    """Prepare crawls and archives, and measure what archives give."""


@click.group(
    "check",
    cls=LazyGroup,
    places={
        "files": (f"{_HERE}.digests:check", "Compare the files of finished corpora with their digests."),
        "vertical": (f"{_HERE}.vrt:command", "Check verticals: structures, attributes, characters, lengths."),
        "reuse": (f"{_HERE}.reuse:command", "Print which source each text was taken from."),
    },
)
def check() -> None:
    """Check files and verticals; find texts that were taken from others."""
