"""`corpusprep step urls sort|part`: the work of `index`, where the corpus has several parts."""

from pathlib import Path

import click

from corpusprep.archive.batches import batches_of, read_bundles
from corpusprep.commands import options
from corpusprep.commands.group import Group
from corpusprep.inspection import indexing
from corpusprep.tables.batch_files import bundle_file, corpus_file, part_file


@click.group("urls", cls=Group)
def command() -> None:
    """Index the records of a corpus in parts that do not wait for each other.

    Two steps: `sort` (per bundle), `part` (per part). `index --parts` joins what they write.
    """


@command.command()
@options.new_corpus
@options.bundle
@options.setting("memory")
def sort(corpus_dir: Path, bundle: str, memory: int) -> None:
    """Sort the records of a bundle by URL, and its documents by identifier."""
    batches = batches_of(bundle, corpus_file(corpus_dir, "bundles"))
    indexing.sort_records(corpus_dir, batches, bundle_file(corpus_dir, "sorted_urls", bundle), memory)


@command.command()
@options.new_corpus
@options.of_part
@options.setting("memory")
def part(corpus_dir: Path, part: int, parts: int, memory: int) -> None:
    """Write the index of a range of URLs and of a range of identifiers."""
    bundles = read_bundles(corpus_file(corpus_dir, "bundles"))
    sorted_urls = [bundle_file(corpus_dir, "sorted_urls", bundle) for bundle in bundles]
    indexing.write_part(sorted_urls, part, parts, part_file(corpus_dir, "url_parts", part), memory)
