"""Stage `ngrams`: the duplicate n-grams of the corpus (Pomikálek 2011, 3.4.2): `corpusprep ngrams words|…|merge`."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from corpusprep._native import ngrams as native
from corpusprep.archive.batches import listed_names
from corpusprep.dedup.duplicate_ngrams import make_candidates, make_runs, make_stream_runs, merge_duplicates
from corpusprep.dedup.ngram_words import count_words, make_lexicon
from corpusprep.io import memory as limits

F = TypeVar("F", bound=Callable[..., Any])


def _file(name: str, text: str, *, required: bool = True) -> Callable[[F], F]:
    return click.option(name, type=click.Path(path_type=Path), required=required, help=text)


def _files(name: str, text: str) -> Callable[[F], F]:
    return click.option(name, type=click.Path(path_type=Path), multiple=True, help=text)


_memory = click.option(
    "--memory", type=limits.size, default="1G", help="Limit of the process's memory, such as 1500M or 2G."
)
_threads = click.option(
    "--threads", type=click.IntRange(1), default=1, help="Threads to use; what comes out is the same for any number."
)
_vertical = _files("--vertical", "A batch's vertical (tokens/<batch>.vert.zst). May be repeated.")
_documents = _files(
    "--documents",
    "The documents of the batch (documents/<batch>.parquet): only those kept are taken. Once for each vertical.",
)
_batch_list = _file("--batches", "The list of batches (batches.tsv), or of bundles of them (bundles.tsv).")


@click.group("ngrams", context_settings={"show_default": True})
def command() -> None:
    """Find the duplicate n-grams of the corpus: words, lexicon, runs, merge."""


def _counting(function: F) -> F:
    """The options that say what n-grams are made of."""
    options: list[Callable[[F], F]] = [
        click.option("--n", type=click.IntRange(1, native.LONGEST_NGRAM), default=10, help="Words in an n-gram."),
        click.option("--model", help="Language whose stop words are excluded: a code or a .model file."),
        click.option(
            "--exclude-punctuation/--count-punctuation",
            default=True,
            help="Whether tokens that start with punctuation or a symbol are left out of n-grams.",
        ),
        click.option(
            "--exclude-stopwords/--count-stopwords",
            default=True,
            help="Whether the language's stop words are left out of n-grams.",
        ),
    ]
    for option in reversed(options):
        function = option(function)
    return function


def _check_pairs(vertical: Sequence[Path], documents: Sequence[Path]) -> None:
    if not vertical or len(vertical) != len(documents):
        raise click.UsageError(f"{len(vertical)} --vertical and {len(documents)} --documents: give as many of each")


def _stop_words(model: str | None, exclude_stopwords: bool) -> Sequence[str]:
    if not exclude_stopwords:
        return ()
    if model is None:
        raise click.UsageError("--exclude-stopwords needs --model (or give --count-stopwords)")
    from corpusprep import languages

    return sorted(languages.get(model).stop_words)


@command.command()
@_vertical
@_documents
@_counting
@_file("--output", "The word list (<batch>.words).")
@_file("--tokens", "The counted tokens, for `ngrams runs` (<batch>.tokens).", required=False)
@_file("--keys", "The keys of the n-grams, for `ngrams candidates` (<batch>.keys).", required=False)
@_memory
@_threads
def words(
    vertical: Sequence[Path],
    documents: Sequence[Path],
    n: int,
    model: str | None,
    exclude_punctuation: bool,
    exclude_stopwords: bool,
    output: Path,
    tokens: Path | None,
    keys: Path | None,
    memory: int,
    threads: int,
) -> None:
    """Count the words of a batch, or of some; in the same pass, number counted tokens and partition n-grams."""
    _check_pairs(vertical, documents)
    count_words(
        vertical,
        documents,
        output,
        memory,
        tokens=tokens,
        keys=keys,
        n=n,
        count_punctuation=not exclude_punctuation,
        stop_words=_stop_words(model, exclude_stopwords) if tokens or keys else (),
        threads=threads,
    )


@command.command()
@_batch_list
@_file("--words", "The folder of the word lists (<batch>.words).")
@_file("--output", "The lexicon.")
@_memory
def lexicon(batches: Path, words: Path, output: Path, memory: int) -> None:
    """Merge the word lists of all batches or bundles into the corpus's lexicon."""
    header = make_lexicon([words / f"{batch}.words" for batch in listed_names(batches)], output, memory)
    click.echo(
        f"lexicon: {header.tokens} tokens, {header.words + header.hapaxes} words, {header.hapaxes} hapaxes",
        err=True,
    )


@command.command()
@_batch_list
@_file("--keys", "The folder of the keys (<batch>.keys).")
@_memory
@_threads
@_file("--output", "The filter.")
def candidates(batches: Path, keys: Path, memory: int, threads: int, output: Path) -> None:
    """Count the keys of all batches: which n-grams could be duplicates (method hash)."""
    of_batches = [keys / f"{batch}.keys" for batch in listed_names(batches)]
    totals = make_candidates(of_batches, output, memory, threads=threads)
    click.echo(f"candidates: {totals.candidates} of {totals.keys} n-grams", err=True)


@command.command()
@_file("--tokens", "The batch's counted tokens (<batch>.tokens).", required=False)
@_file("--candidates", "The filter of n-grams that could be duplicates (method hash).", required=False)
@_files("--vertical", "Instead of --tokens: a batch's vertical (tokens/<batch>.vert.zst). May be repeated.")
@_documents
@_file("--lexicon", "The corpus's lexicon.")
@_counting
@_memory
@_file("--output", "The file of runs (<batch>.runs).")
def runs(
    tokens: Path | None,
    candidates: Path | None,
    vertical: Sequence[Path],
    documents: Sequence[Path],
    lexicon: Path,
    n: int,
    model: str | None,
    exclude_punctuation: bool,
    exclude_stopwords: bool,
    memory: int,
    output: Path,
) -> None:
    """Sort a batch's n-grams in chunks that fit the memory, and write them as compressed runs.

    With --tokens, which tokens count has been settled by `ngrams words`. With --vertical and no --documents, all
    documents are taken.
    """
    if tokens is not None:
        make_stream_runs(tokens, lexicon, output, memory=memory, n=n, candidates=candidates)
        return
    if not vertical:
        raise click.UsageError("give --tokens or --vertical")
    if documents:
        _check_pairs(vertical, documents)
    make_runs(
        vertical,
        documents or None,
        lexicon,
        output,
        memory=memory,
        n=n,
        count_punctuation=not exclude_punctuation,
        stop_words=_stop_words(model, exclude_stopwords),
    )


@command.command()
@_batch_list
@_file("--runs", "The folder of the runs (<batch>.runs).")
@_file("--lexicon", "The lexicon the runs were made with.")
@_memory
@_file("--output", "The keys of the duplicate n-grams (duplicates.keys).")
def merge(batches: Path, runs: Path, lexicon: Path, memory: int, output: Path) -> None:
    """Merge the runs of all batches: which n-grams occur twice or more."""
    paths = [runs / f"{batch}.runs" for batch in listed_names(batches)]
    totals = merge_duplicates(paths, lexicon, output, memory)
    click.echo(
        f"duplicate n-grams: {totals.keys + totals.collisions}, {totals.instances} instances; "
        f"{totals.collisions} share the key of another",
        err=True,
    )
