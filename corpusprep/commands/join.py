"""`corpusprep step join`: the folder of a corpus that is made from finished ones."""

from pathlib import Path
from typing import Any

import click

from corpusprep.commands import options
from corpusprep.jobs import finished, joining


@click.command("join")
@options.new_corpus
@options.sources(required=True)
@options.page_settings
def command(corpus_dir: Path, sources: tuple[Path, ...], settings: dict[str, Any]) -> None:
    """Make the folder of a corpus from finished corpora: links to their files of the steps on pages.

    Writes batches.tsv and bundles.tsv. Removes the files of batches that no longer exist from the corpus's folder.
    """
    finished.require_same(settings, {source: finished.read(source) for source in sources})
    batches = joining.join(corpus_dir, sources)
    click.echo(f"{len(batches)} batches of {len(sources)} corpora", err=True)
