"""`corpusprep step statistics count|tables`: the statistics tables of one corpus."""

from pathlib import Path
from typing import Any

import click

from corpusprep.cleaners import registry
from corpusprep.commands import options
from corpusprep.dedup.forgetting import ForgetList
from corpusprep.io.own_code import is_own
from corpusprep.statistics.thresholds import Used
from corpusprep.tables.batch_files import BatchFiles, part_file, part_files


def _thresholds(name: str, preset: str, given: dict[str, Any]) -> Used | None:
    """Returns the thresholds that stored scores can be compared with others by; a user's own cleaner has none."""
    return None if is_own(name) else registry.algorithm(name, preset, **given).stored_thresholds


@click.command("count")
@options.new_corpus
@options.batch
@options.algorithm
@options.setting("forget")
@options.setting("corpus.count_tokens")
@options.setting("personal.find")
@options.setting("personal.mask")
def count_command(
    corpus_dir: Path,
    batch: str,
    name: str,
    preset: str,
    forget: str,
    count_tokens: str,
    find: tuple[str, ...],
    mask: tuple[str, ...],
    **settings: Any,
) -> None:
    """Count what a batch adds to the tables, and choose pages for the report."""
    from corpusprep.statistics.batch_counts import count  # here and below: each step loads what it needs

    files = BatchFiles.of(corpus_dir, batch)
    thresholds = _thresholds(name, preset, settings)
    count(
        files,
        files.counts,
        files.samples,
        preset,
        thresholds,
        ForgetList.of(forget),
        with_subwords=bool(count_tokens),
        with_personal=bool(find or mask),
    )


@click.command("tables-part")
@options.new_corpus
@options.of_part
@options.setting("memory")
def part_command(corpus_dir: Path, part: int, parts: int, memory: int) -> None:
    """Add up a range of the keys that batches have counted: words, hosts, URLs.

    With the files of all parts, `tables --parts` has little left to do.
    """
    from corpusprep.statistics.large_tables import make_part

    make_part(corpus_dir, part, parts, part_file(corpus_dir, "count_parts", part), memory)


@click.command("tables")
@options.new_corpus
@options.algorithm
@options.parts
@options.setting("forget")
def tables_command(corpus_dir: Path, name: str, preset: str, parts: int, forget: str, **settings: Any) -> None:
    """Add up the counts of all batches; with several --parts, what `tables-part` has added up.

    Writes the tables of the folder statistics. The reference (page Files) describes each.
    """
    from corpusprep.statistics.corpus_tables import compute

    added_up = part_files(corpus_dir, "count_parts", parts)
    thresholds = _thresholds(name, preset, settings)
    compute(corpus_dir, corpus_dir / "statistics", preset, thresholds, added_up, ForgetList.of(forget))
