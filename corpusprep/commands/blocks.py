"""`corpusprep step blocks match|clusters|verdicts|apply`: block de-duplication.

Each imports its own step: `verdicts` needs no polars, which takes two thirds of a start and 45 MB.
"""

from pathlib import Path

import click

from corpusprep import languages, startup
from corpusprep.archive.batches import bundle_of, read_bundles
from corpusprep.commands import options
from corpusprep.commands.group import Group
from corpusprep.errors import ConfigError
from corpusprep.tables.batch_files import BatchFiles, batch_folder, bundle_file, corpus_file, part_files


@click.group("blocks", cls=Group)
def command() -> None:
    """Find duplicate blocks (algorithm 3.1 on blocks, then the context-sensitive classification).

    The steps: `match` (per batch), `clusters` (of near-duplicates, if the config asks for them) and `verdicts` (for all
    batches together), `apply` (per batch).
    """


@command.command("match")
@options.new_corpus
@options.batch
@options.model
@options.setting("ngrams.exclude_punctuation")
@options.setting("ngrams.exclude_stopwords")
@options.setting("memory")
@options.threads
@options.parts
def match_command(
    corpus_dir: Path,
    batch: str,
    model: str,
    exclude_punctuation: bool,
    exclude_stopwords: bool,
    memory: int,
    threads: int,
    parts: int,
) -> None:
    """Find the duplicate n-grams of a batch and sort its documents by their share.

    The settings of n-grams must be those that the n-grams were made with. With several --parts, only the n-grams of its
    bundle are read.
    """
    with startup.loading():
        from corpusprep.dedup.matches import match

    files = BatchFiles.of(corpus_dir, batch)
    bundle = bundle_of(batch, corpus_file(corpus_dir, "bundles"))
    bundles = list(read_bundles(corpus_file(corpus_dir, "bundles")))
    match(
        files.vertical,
        files.documents,
        files.boilerplate,
        files.tokens,
        corpus_file(corpus_dir, "duplicates"),
        bundle_file(corpus_dir, "matches", bundle, batch),
        stop_words=sorted(languages.get(model).stop_words) if exclude_stopwords else (),
        count_punctuation=not exclude_punctuation,
        memory=memory,
        threads=threads,
        parts=part_files(corpus_dir, "bundle_keys", parts),
        bundle=bundles.index(bundle),
    )


@command.command("clusters")
@options.new_corpus
@options.settings("clusters")
@options.setting("memory")
def clusters_command(corpus_dir: Path, share: float, keep: str, memory: int) -> None:
    """Find clusters of near-duplicate documents; write the table of clusters."""
    with startup.loading():
        from corpusprep.dedup.clusters import find_clusters

    if not share:
        raise ConfigError("--share is 0: give a share over 0, such as 0.8")
    find_clusters(
        _matches(corpus_dir),
        corpus_file(corpus_dir, "duplicates"),
        corpus_dir,
        corpus_file(corpus_dir, "clusters"),
        share=share,
        keep=keep,
        memory=memory,
    )


def _matches(corpus_dir: Path) -> dict[str, Path]:
    """Returns the file of matches of each batch."""
    bundles = read_bundles(corpus_file(corpus_dir, "bundles"))
    return {
        batch: bundle_file(corpus_dir, "matches", bundle, batch) for bundle, part in bundles.items() for batch in part
    }


@command.command("verdicts")
@options.new_corpus
@options.setting("blocks.threshold")
@options.setting("blocks.unit")
@options.setting("blocks.smoothing")
@options.setting("blocks.as_written")
@options.setting("clusters.share")
@options.setting("memory")
def verdicts_command(
    corpus_dir: Path, threshold: float, unit: str, smoothing: bool, as_written: bool, share: float, memory: int
) -> None:
    """Decide on every block of the corpus, in one pass over the matches of all batches."""
    with startup.loading():
        from corpusprep.dedup.decisions import verdicts

    verdicts(
        _matches(corpus_dir),
        corpus_file(corpus_dir, "duplicates"),
        batch_folder(corpus_dir, "verdicts"),
        clusters=corpus_file(corpus_dir, "clusters") if share else None,
        threshold=threshold,
        unit=unit,
        smoothing=smoothing,
        as_written=as_written,
        memory=memory,
    )


@command.command("apply")
@options.new_corpus
@options.batch
@options.setting("blocks.mark")
@options.setting("memory")
def apply_command(corpus_dir: Path, batch: str, mark: bool, memory: int) -> None:
    """Write the table of blocks of a batch: one row per good block, with its verdict."""
    with startup.loading():
        from corpusprep.dedup.block_table import write_blocks

    files = BatchFiles.of(corpus_dir, batch)
    matches = bundle_file(corpus_dir, "matches", bundle_of(batch, corpus_file(corpus_dir, "bundles")), batch)
    write_blocks(
        files.verdicts, matches, files.tokens, files.boilerplate, files.documents, files.blocks, memory, mark=mark
    )
