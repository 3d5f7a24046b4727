"""`corpusprep step exact sort|part|gather`: the work of `documents`, where the corpus has several parts."""

from pathlib import Path

import click

from corpusprep.archive.batches import batch_names, batches_of, read_bundles
from corpusprep.commands import options
from corpusprep.commands.group import Group
from corpusprep.dedup import document_parts
from corpusprep.dedup.forgetting import ForgetList
from corpusprep.tables.batch_files import batch_folder, bundle_file, corpus_file, part_file, part_files


@click.group("exact", cls=Group)
def command() -> None:
    """Find exact duplicates in parts that do not wait for each other.

    Three steps: `sort` (per bundle), `part` (per part), `gather` (per bundle). `documents --parts` takes their tables.
    """


def _numbered(corpus_dir: Path, bundle: str) -> dict[str, int]:
    """Returns the batches of a bundle, each with its number in the list of all batches."""
    numbers = {batch: number for number, batch in enumerate(batch_names(corpus_file(corpus_dir, "plan")))}
    return {batch: numbers[batch] for batch in batches_of(bundle, corpus_file(corpus_dir, "bundles"))}


@command.command()
@options.new_corpus
@options.bundle
@options.setting("forget")
@options.setting("memory")
def sort(corpus_dir: Path, bundle: str, forget: str, memory: int) -> None:
    """Sort the documents of a bundle by date and URL, and by the digest of their text."""
    document_parts.sort_documents(
        _numbered(corpus_dir, bundle),
        batch_folder(corpus_dir, "tokens"),
        bundle_file(corpus_dir, "documents_by_order", bundle),
        bundle_file(corpus_dir, "documents_by_digest", bundle),
        memory,
        ForgetList.of(forget),
    )


@command.command()
@options.new_corpus
@options.of_part
@options.setting("memory")
def part(corpus_dir: Path, part: int, parts: int, memory: int) -> None:
    """Rank the documents of a range of dates and URLs; find the duplicates of a range of digests."""
    bundles = read_bundles(corpus_file(corpus_dir, "bundles"))
    by_order, by_digest = (
        [bundle_file(corpus_dir, name, bundle) for bundle in bundles]
        for name in ("documents_by_order", "documents_by_digest")
    )
    ranks, duplicates = (part_file(corpus_dir, name, part) for name in ("document_ranks", "document_duplicates"))
    document_parts.decide_part(by_order, by_digest, part, parts, ranks, duplicates, memory)


@command.command()
@options.new_corpus
@options.bundle
@options.parts
@options.setting("forget")
@options.setting("memory")
def gather(corpus_dir: Path, bundle: str, parts: int, forget: str, memory: int) -> None:
    """Write the tables of a bundle with what the parts have found."""
    document_parts.write_tables(
        _numbered(corpus_dir, bundle),
        batch_folder(corpus_dir, "tokens"),
        part_files(corpus_dir, "document_ranks", parts),
        part_files(corpus_dir, "document_duplicates", parts),
        bundle_file(corpus_dir, "document_tables", bundle, batch="").parent,
        memory,
        ForgetList.of(forget),
    )
