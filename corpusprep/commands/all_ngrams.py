"""`corpusprep step statistics runs|merge`: 10-grams before and after de-duplication (thesis, 3.6.4)."""

from pathlib import Path

import click

from corpusprep.archive.batches import batches_of
from corpusprep.commands import options
from corpusprep.commands.ngrams import of_bundles
from corpusprep.dedup.all_ngrams import DuplicateCounts, added_up, count_duplicates, write_keys
from corpusprep.tables.batch_files import BatchFiles, bundle_file, corpus_file, part_file, part_files

N = 10
measured_argument = click.argument("measured", type=click.Choice(["before", "after"]))


@click.command("runs")
@options.new_corpus
@options.bundle
@options.setting("memory")
@options.parts
def runs(corpus_dir: Path, bundle: str, memory: int, parts: int) -> None:
    """Write the keys of the 10-grams of all tokens of a bundle, before and after block de-duplication.

    Before it: all 10-grams of the vertical, without exact duplicates. After it: the 10-grams of the corpus.
    """
    batches = [BatchFiles.of(corpus_dir, name) for name in batches_of(bundle, corpus_file(corpus_dir, "bundles"))]
    for measured, verticals, documents in (
        ("before", [files.vertical for files in batches], [files.documents for files in batches]),
        ("after", [files.corpus_vertical for files in batches], None),
    ):
        keys = bundle_file(corpus_dir, f"runs_{measured}", bundle)
        write_keys(verticals, documents, keys, memory=memory, n=N, parts=parts)


@click.command("merge-part")
@measured_argument
@options.new_corpus
@options.setting("memory")
@options.of_part
def merge_part(measured: str, corpus_dir: Path, memory: int, part: int, parts: int) -> None:
    """Count the 10-grams of a range of keys of all bundles: which occur twice or more."""
    counts = _count(measured, corpus_dir, part, parts, memory)
    counts.write(part_file(corpus_dir, f"duplicates_{measured}_parts", part))


@click.command("merge")
@measured_argument
@options.new_corpus
@options.setting("memory")
@options.parts
def merge(measured: str, corpus_dir: Path, memory: int, parts: int) -> None:
    """Count the 10-grams of all bundles: which occur twice or more. With several --parts, add up the parts."""
    if parts > 1:
        paths = part_files(corpus_dir, f"duplicates_{measured}_parts", parts)
        counts = added_up([DuplicateCounts.read(path) for path in paths])
    else:
        counts = _count(measured, corpus_dir, 0, 1, memory)
    counts.write(corpus_file(corpus_dir, f"duplicates_{measured}"))
    click.echo(f"duplicate 10-grams: {counts.types}, {counts.instances} instances", err=True)


def _count(measured: str, corpus_dir: Path, part: int, parts: int, memory: int) -> DuplicateCounts:
    folder = corpus_file(corpus_dir, f"duplicates_{measured}").parent
    return count_duplicates(of_bundles(corpus_dir, f"runs_{measured}"), folder, memory, part=part, parts=parts)
