"""`corpusprep statistics runs|merge`: the duplicate 10-grams before and after block de-duplication (thesis, 3.6.4)."""

from pathlib import Path

import click

from corpusprep.archive.batches import batches_of
from corpusprep.commands import options
from corpusprep.commands.ngrams import merge_runs
from corpusprep.dedup.duplicate_ngrams import make_runs
from corpusprep.tables.batch_files import BatchFiles, bundle_file, corpus_file

N = 10
measured_argument = click.argument("measured", type=click.Choice(["before", "after"]))


@click.command("runs")
@measured_argument
@options.corpus_dir
@options.bundle
@options.setting("memory")
@options.parts
def runs(measured: str, corpus_dir: Path, bundle: str, memory: int, parts: int) -> None:
    """Sort the 10-grams of all tokens of a bundle.

    Before block de-duplication: those of the vertical, without exact duplicates. After it: those of the corpus.
    """
    batches = [BatchFiles.of(corpus_dir, name) for name in batches_of(bundle, corpus_file(corpus_dir, "bundles"))]
    before = measured == "before"
    make_runs(
        [files.vertical if before else files.corpus_vertical for files in batches],
        [files.documents for files in batches] if before else None,
        corpus_file(corpus_dir, "lexicon"),
        bundle_file(corpus_dir, f"runs_{measured}", bundle),
        memory=memory,
        n=N,
        count_punctuation=True,
        parts=parts,
    )


@click.command("merge-part")
@measured_argument
@options.corpus_dir
@options.part
@options.parts
@options.setting("memory")
def merge_part(measured: str, corpus_dir: Path, part: int, parts: int, memory: int) -> None:
    """Merge a part of the runs of all bundles: 10-grams whose keys are in a range."""
    merge_runs(corpus_dir, f"runs_{measured}", f"duplicates_{measured}", memory, parts, part)


@click.command("merge")
@measured_argument
@options.corpus_dir
@options.setting("memory")
@options.parts
def merge(measured: str, corpus_dir: Path, memory: int, parts: int) -> None:
    """Merge the runs of all bundles: which 10-grams occur twice or more.

    With several --parts, join what `merge-part` has merged.
    """
    merge_runs(corpus_dir, f"runs_{measured}", f"duplicates_{measured}", memory, parts)
