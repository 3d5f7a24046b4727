"""`corpusprep step ngrams`: the duplicate n-grams of the corpus (Pomikálek 2011, 3.4.2)."""

from pathlib import Path

import click

from corpusprep.archive.batches import batches_of, read_bundles
from corpusprep.commands import options
from corpusprep.commands.group import Group
from corpusprep.dedup.duplicate_ngrams import join_candidates, make_candidates, make_stream_runs, merge_duplicates
from corpusprep.dedup.ngram_words import count_words, join_lexicons, make_lexicon
from corpusprep.tables.batch_files import BatchFiles, bundle_file, corpus_file, part_file, part_files


@click.group("ngrams", cls=Group, context_settings={"show_default": True})
def command() -> None:
    """Find the duplicate n-grams of the corpus.

    Five steps: `words` (per bundle), `lexicon` (for all bundles), `candidates` (for all bundles), `runs`
    (per bundle), `merge` (for all bundles).
    """


def of_bundles(corpus_dir: Path, name: str) -> list[Path]:
    """Returns the paths of a file of every bundle."""
    return [bundle_file(corpus_dir, name, bundle) for bundle in read_bundles(corpus_file(corpus_dir, "bundles"))]


@command.command()
@options.new_corpus
@options.bundle
@options.model
@options.setting("ngrams.n")
@options.setting("ngrams.exclude_punctuation")
@options.setting("ngrams.exclude_stopwords")
@options.setting("memory")
@options.threads
@options.parts
def words(
    corpus_dir: Path,
    bundle: str,
    model: str,
    n: int,
    exclude_punctuation: bool,
    exclude_stopwords: bool,
    memory: int,
    threads: int,
    parts: int,
) -> None:
    """Count the words of a bundle; in the same pass, number the counted tokens and partition the n-grams."""
    from corpusprep import languages  # other steps do without

    batches = [BatchFiles.of(corpus_dir, name) for name in batches_of(bundle, corpus_file(corpus_dir, "bundles"))]
    count_words(
        [files.vertical for files in batches],
        [files.documents for files in batches],
        bundle_file(corpus_dir, "words", bundle),
        memory,
        tokens=bundle_file(corpus_dir, "counted_tokens", bundle),
        keys=bundle_file(corpus_dir, "ngram_keys", bundle),
        n=n,
        count_punctuation=not exclude_punctuation,
        stop_words=sorted(languages.get(model).stop_words) if exclude_stopwords else (),
        threads=threads,
        parts=parts,
    )


@command.command()
@options.new_corpus
@options.setting("memory")
@options.of_parts
@options.parts
def lexicon(corpus_dir: Path, memory: int, part: int | None, parts: int) -> None:
    """Merge the word lists of all bundles into the lexicon of the corpus.

    With --part, merge the words of a range. With several --parts alone, join what the parts have written.
    """
    output = corpus_file(corpus_dir, "lexicon")
    if part is None and parts > 1:
        header = join_lexicons(part_files(corpus_dir, "lexicon_parts", parts), output)
    else:
        if part is not None:
            options.check_part(part, parts)
            output = part_file(corpus_dir, "lexicon_parts", part)
        header = make_lexicon(of_bundles(corpus_dir, "words"), output, memory, part=part or 0, parts=parts)
    click.echo(
        f"lexicon: {header.tokens} tokens, {header.words + header.hapaxes} words, {header.hapaxes} hapaxes",
        err=True,
    )


@command.command()
@options.new_corpus
@options.setting("memory")
@options.threads
@options.of_parts
@options.parts
def candidates(corpus_dir: Path, memory: int, threads: int, part: int | None, parts: int) -> None:
    """Count the keys of all bundles: which n-grams could be duplicates.

    With --part, count those whose keys are in a range. With several --parts alone, join what the parts have written.
    """
    output = corpus_file(corpus_dir, "candidates")
    if part is None and parts > 1:
        joined = join_candidates(part_files(corpus_dir, "candidates_parts", parts), output)
        click.echo(f"candidates: {joined.candidates} n-grams", err=True)
        return
    if part is not None:
        options.check_part(part, parts)
        output = part_file(corpus_dir, "candidates_parts", part)
    keys = of_bundles(corpus_dir, "ngram_keys")
    totals = make_candidates(keys, output, memory, threads=threads, part=part or 0, parts=parts)
    click.echo(f"candidates: {totals.candidates} of {totals.keys} n-grams", err=True)


@command.command()
@options.new_corpus
@options.bundle
@options.setting("ngrams.n")
@options.setting("memory")
@options.parts
def runs(corpus_dir: Path, bundle: str, n: int, memory: int, parts: int) -> None:
    """Sort the n-grams of a bundle in chunks that fit the memory, and write them as compressed runs."""
    make_stream_runs(
        bundle_file(corpus_dir, "counted_tokens", bundle),
        corpus_file(corpus_dir, "lexicon"),
        corpus_file(corpus_dir, "candidates"),
        bundle_file(corpus_dir, "runs", bundle),
        memory=memory,
        n=n,
        parts=parts,
    )


@command.command()
@options.new_corpus
@options.setting("memory")
@options.of_parts
@options.parts
def merge(corpus_dir: Path, memory: int, part: int | None, parts: int) -> None:
    """Merge the runs of all bundles: which n-grams occur twice or more.

    With --part, merge those whose keys are in a range, and write which of them each bundle has. With several --parts
    alone, join what the parts have written.
    """
    merge_runs(corpus_dir, "runs", "duplicates", memory, parts, part)


def merge_runs(
    corpus_dir: Path, runs: str, duplicates: str, memory: int, parts: int = 1, part: int | None = None
) -> None:
    """Merges the runs of all bundles; both files by their names in pipeline.FILES.

    Args:
        corpus_dir: the corpus's folder.
        runs: name of the runs.
        duplicates: name of the file to write; its parts are `<name>_parts`.
        memory: bytes that the process may use.
        parts: number of parts of the corpus.
        part: the part to merge; None for all: the results of several parts are joined.
    """
    lexicon, output, bundles = corpus_file(corpus_dir, "lexicon"), corpus_file(corpus_dir, duplicates), None
    if part is None and parts > 1:
        from corpusprep.dedup.ngram_keys import join_parts  # here: most steps do not need numpy

        joined = join_parts(part_files(corpus_dir, f"{duplicates}_parts", parts), output)
        click.echo(f"duplicate n-grams: {joined.count}, {joined.instances} instances", err=True)
        return
    if part is not None:
        options.check_part(part, parts)
        output = part_file(corpus_dir, f"{duplicates}_parts", part)
        bundles = part_file(corpus_dir, "bundle_keys", part)
    totals = merge_duplicates(
        of_bundles(corpus_dir, runs), lexicon, output, memory, part=part or 0, parts=parts, bundles=bundles
    )
    click.echo(
        f"duplicate n-grams: {totals.keys + totals.collisions}, {totals.instances} instances; "
        f"{totals.collisions} share the key of another",
        err=True,
    )
