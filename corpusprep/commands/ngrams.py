"""`corpusprep step ngrams`: the duplicate n-grams of the corpus (Pomikálek 2011, 3.4.2)."""

from pathlib import Path

import click

from corpusprep._native.ngrams import WordListHeader
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
    (per bundle), `merge` (for all bundles). Where the corpus has several parts, `lexicon-part`, `candidates-part` and
    `merge-part` do the work of a part, and the steps without that ending join what they write.
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
@options.of_part
def lexicon_part(corpus_dir: Path, memory: int, part: int, parts: int) -> None:
    """Merge a range of the words in the word lists of all bundles."""
    output = part_file(corpus_dir, "lexicon_parts", part)
    _report(make_lexicon(of_bundles(corpus_dir, "words"), output, memory, part=part, parts=parts))


@command.command()
@options.new_corpus
@options.setting("memory")
@options.parts
def lexicon(corpus_dir: Path, memory: int, parts: int) -> None:
    """Merge the word lists of all bundles into the lexicon. With several --parts, join the parts."""
    output = corpus_file(corpus_dir, "lexicon")
    if parts > 1:
        _report(join_lexicons(part_files(corpus_dir, "lexicon_parts", parts), output))
    else:
        _report(make_lexicon(of_bundles(corpus_dir, "words"), output, memory))


def _report(lexicon: WordListHeader) -> None:
    click.echo(
        f"lexicon: {lexicon.tokens} tokens, {lexicon.words + lexicon.hapaxes} words, {lexicon.hapaxes} hapaxes",
        err=True,
    )


@command.command()
@options.new_corpus
@options.setting("memory")
@options.of_part
def candidates_part(corpus_dir: Path, memory: int, part: int, parts: int) -> None:
    """Count the keys of a range of all bundles: which n-grams could be duplicates."""
    output = part_file(corpus_dir, "candidates_parts", part)
    totals = make_candidates(of_bundles(corpus_dir, "ngram_keys"), output, memory, part=part, parts=parts)
    click.echo(f"candidates: {totals.candidates} of {totals.keys} n-grams", err=True)


@command.command()
@options.new_corpus
@options.setting("memory")
@options.threads
@options.parts
def candidates(corpus_dir: Path, memory: int, threads: int, parts: int) -> None:
    """Count the keys of all bundles: which n-grams could be duplicates. With several --parts, join the parts."""
    output = corpus_file(corpus_dir, "candidates")
    if parts > 1:
        joined = join_candidates(part_files(corpus_dir, "candidates_parts", parts), output)
        click.echo(f"candidates: {joined.candidates} n-grams", err=True)
    else:
        totals = make_candidates(of_bundles(corpus_dir, "ngram_keys"), output, memory, threads=threads)
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
@options.of_part
def merge_part(corpus_dir: Path, memory: int, part: int, parts: int) -> None:
    """Merge the n-grams of a range of keys of all bundles, and write which of them each bundle has."""
    output, bundles = part_file(corpus_dir, "duplicates_parts", part), part_file(corpus_dir, "bundle_keys", part)
    _merge(corpus_dir, output, memory, part=part, parts=parts, bundles=bundles)


@command.command()
@options.new_corpus
@options.setting("memory")
@options.parts
def merge(corpus_dir: Path, memory: int, parts: int) -> None:
    """Merge the runs of all bundles: which n-grams occur twice or more. With several --parts, join the parts."""
    output = corpus_file(corpus_dir, "duplicates")
    if parts > 1:
        from corpusprep.dedup.ngram_keys import join_parts  # here: most steps do not need numpy

        joined = join_parts(part_files(corpus_dir, "duplicates_parts", parts), output)
        click.echo(f"duplicate n-grams: {joined.count}, {joined.instances} instances", err=True)
    else:
        _merge(corpus_dir, output, memory)


def _merge(
    corpus_dir: Path, output: Path, memory: int, part: int = 0, parts: int = 1, bundles: Path | None = None
) -> None:
    runs, lexicon = of_bundles(corpus_dir, "runs"), corpus_file(corpus_dir, "lexicon")
    totals = merge_duplicates(runs, lexicon, output, memory, part=part, parts=parts, bundles=bundles)
    click.echo(
        f"duplicate n-grams: {totals.keys + totals.collisions}, {totals.instances} instances; "
        f"{totals.collisions} share the key of another",
        err=True,
    )
