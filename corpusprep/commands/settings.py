"""`corpusprep step settings`: what a finished corpus keeps of how its pages were worked on."""

from pathlib import Path
from typing import Any

import click

from corpusprep.commands import options
from corpusprep.errors import ConfigError
from corpusprep.jobs import finished


@click.command("settings")
@options.corpus
@options.page_settings
@click.option("--file", "files", multiple=True, metavar="NAME=PATH", help="A file that the steps read. Repeatable.")
@options.sources(required=False)
def command(corpus: Path, settings: dict[str, Any], files: tuple[str, ...], sources: tuple[Path, ...]) -> None:
    """Write the settings and the digests of files that decided the pages of a corpus: settings.json.

    Corpora that are made from this one compare them with their own.
    """
    named = {name: Path(path) for name, separator, path in (file.partition("=") for file in files) if separator}
    if len(named) != len(files):
        raise ConfigError("--file: give each file once, as NAME=PATH")
    digests = finished.read(sources[0])["files"] if sources else finished.file_digests(named)
    finished.write(corpus, settings, digests)
