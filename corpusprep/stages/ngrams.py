"""Duplicate n-grams: words, lexicon, runs, merge (Pomikálek 2011, 3.4.2).

The words of each batch are counted, and the corpus's lexicon made from them; with it, each batch's
n-grams are sorted in chunks that fit the memory given, and written as compressed runs; the merge of all
runs finds those that occur twice or more. Which memory, batches and chunks makes no difference to the
keys that come out.
"""

import contextlib
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click
import polars as pl

from corpusprep import memory as limits
from corpusprep import ngram_keys, schemas
from corpusprep._native import ngrams as native
from corpusprep.batches import batch_names
from corpusprep.errors import StageFileError
from corpusprep.files import replacing, zstd_chunks
from corpusprep.progress import track
from corpusprep.verdicts import KEPT

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])

#: Of each file that is merged, in bytes; with it goes about a kilobyte of state.
MERGE_BUFFER = 1 << 18
MERGE_STATE = 1 << 11
#: Files merged at once: under the 1,024 that a process may have open by default.
MOST_MERGED = 512
#: The least memory that is worth starting with: for words, for the tokens of a chunk, for keys.
LEAST_WORDS = 32 << 20
LEAST_CHUNK = 1 << 20
LEAST_KEYS = 1 << 20
#: Of the suffix sort, beside what it takes for each token.
SORT_TABLES = 1 << 20
#: Entries that are merged between two signs of progress.
MERGE_STEP = 1 << 20


def count_words(vertical: Path, documents: Path | None, output: Path, memory: int) -> None:
    """Counts every token of a batch's kept documents and writes its word list.

    Args:
        vertical: `tokens/<batch>.vert.zst`.
        documents: `documents/<batch>.parquet`; None takes all documents of the vertical.
        output: the word list.
        memory: limit of the process, in bytes; words that do not fit are written in parts and merged.

    Raises:
        StageFileError: a file is missing or damaged, or the two have not the same documents.
        ResourceError: `memory` is too little to start with.
    """
    taken = _taken(documents)
    free = limits.budget(memory, LEAST_WORDS, f"counting the words of {vertical}")
    counter = native.WordCounter(taken)
    with replacing(output) as temporary, _scratch(output) as folder:
        parts: list[Path] = []
        for chunk in zstd_chunks(vertical):
            counter.feed(chunk)
            if counter.memory > free:
                parts.append(folder / f"{len(parts)}.words")
                counter.write(parts[-1])
        counter.finish()
        _same_documents(vertical, documents, counter.documents, taken)
        if parts:
            parts.append(folder / f"{len(parts)}.words")
            counter.write(parts[-1])
            _merge_word_lists(parts, temporary, "words", free, folder)
        else:
            counter.write(temporary)


def make_lexicon(words: Sequence[Path], output: Path, memory: int) -> native.WordListHeader:
    """Merges the word lists of all batches into the lexicon, and gives its header.

    Raises:
        StageFileError: a word list is missing or damaged.
        ResourceError: `memory` is too little, or there are too many words for 32-bit ids.
    """
    free = limits.budget(memory, 2 * (MERGE_BUFFER + MERGE_STATE), "merging word lists")
    with replacing(output) as temporary, _scratch(output) as folder:
        return _merge_word_lists(words, temporary, "lexicon", free, folder)


def make_runs(
    vertical: Path,
    documents: Path | None,
    lexicon: Path,
    output: Path,
    *,
    memory: int,
    n: int = 10,
    count_punctuation: bool = False,
    stop_words: Sequence[str] = (),
    chunk_tokens: int | None = None,
) -> None:
    """Writes the sorted n-grams of a batch that could be duplicates, with their counts, as runs.

    An n-gram that holds a hapax of the corpus cannot recur and is left out.

    Args:
        vertical: `tokens/<batch>.vert.zst`.
        documents: `documents/<batch>.parquet`; None takes all documents of the vertical.
        lexicon: made from the words of these documents, or of more.
        output: the file of runs.
        memory: limit of the process, in bytes, the lexicon included.
        n: words in an n-gram, 1 to LONGEST_NGRAM.
        count_punctuation: whether tokens that start with punctuation or a symbol count.
        stop_words: tokens that do not count, each form of them.
        chunk_tokens: at most so many tokens are sorted at once; None takes what the memory holds.

    Raises:
        StageFileError: a file is missing or damaged, or the two have not the same documents.
        ResourceError: `memory` is too little for the lexicon and a chunk.
    """
    taken = _taken(documents)
    words = native.word_list_header(lexicon, "lexicon")
    fixed = words.memory + SORT_TABLES
    least = fixed + native.BYTES_A_TOKEN * LEAST_CHUNK
    free = limits.budget(memory, least, f"the lexicon ({words.words} words) and a chunk of tokens")
    most = min((free - fixed) // native.BYTES_A_TOKEN, 2**32 - 1, chunk_tokens or 2**32 - 1)
    selection = native.checksum("\n".join([str(count_punctuation), *sorted(set(stop_words))]).encode())
    with replacing(output) as temporary:
        loaded = native.Lexicon(lexicon, count_punctuation, stop_words)
        builder = native.RunBuilder(temporary, loaded, n, max(most, 4 * n), taken, selection)
        for chunk in zstd_chunks(vertical):
            builder.feed(chunk)
        builder.finish()
        _same_documents(vertical, documents, builder.documents, taken)


def merge_duplicates(
    runs: Sequence[Path],
    lexicon: Path,
    output: Path,
    memory: int,
    *,
    merged_at_once: int = MOST_MERGED,
    keys_at_once: int | None = None,
) -> native.DuplicateTotals:
    """Merges the runs of all batches and writes the keys of the n-grams that occur twice or more.

    Args:
        runs: a file of runs for each batch, one at least.
        lexicon: the one the runs were made with.
        output: `duplicates.keys`, see NgramKeys.
        memory: limit of the process, in bytes, eight bytes for each word of the lexicon included.
        merged_at_once: at most so many runs are merged at once (2 or more).
        keys_at_once: at most so many keys are held in memory; None takes what the memory holds.

    Raises:
        StageFileError: a file is missing or damaged, or was not made with this lexicon or like the others.
        ResourceError: `memory` is too little.
    """
    words = native.word_list_header(lexicon, "lexicon")
    headers = [native.read_runs_header(path) for path in runs]
    _same_making(runs, headers, lexicon, words)
    n = headers[0].n
    fixed = 8 * words.words
    least = fixed + 2 * (MERGE_BUFFER + MERGE_STATE) + native.BYTES_A_KEY * LEAST_KEYS
    free = limits.budget(memory, least, f"the lexicon ({words.words} words) and merging runs") - fixed
    fan_in = min(merged_at_once, free // 2 // (MERGE_BUFFER + MERGE_STATE))

    with replacing(output) as temporary, _scratch(output) as folder:

        def merge(group: list[native.Run], number: int) -> native.Run:
            merged = folder / f"{number}.runs"
            native.merge_runs(group, n, merged, MERGE_BUFFER)
            _remove_scratch(folder, {Path(run.path) for run in group})
            return native.read_runs_header(merged).runs[0]

        sources = _reduce([run for header in headers for run in header.runs], fan_in, merge)
        entries = sum(run.entries for run in sources)
        held = (free - len(sources) * (MERGE_BUFFER + MERGE_STATE)) // native.BYTES_A_KEY
        capacity = max(1, min(held, entries, keys_at_once or held))
        collector = native.DuplicateCollector(sources, n, lexicon, MERGE_BUFFER, capacity, folder / "keys")
        for _ in track(range(0, entries + 1, MERGE_STEP), "merging n-grams (million)"):
            collector.advance(MERGE_STEP)
        while collector.advance(MERGE_STEP):
            pass
        totals = collector.write(temporary, ngram_keys.HEADER_BYTES)
        with temporary.open("r+b") as file:
            ngram_keys.write_header(
                file,
                n=n,
                count=totals.keys,
                instances=totals.instances,
                ngrams=sum(header.ngrams for header in headers),
                tokens=sum(header.tokens for header in headers),
                checksum=totals.checksum,
            )
    return totals


def _taken(documents: Path | None) -> bytes | None:
    """A byte for each document of the vertical: whether `documents` kept it."""
    if documents is None:
        return None
    table = schemas.read(documents, schemas.DOCUMENTS, ["document", "verdict"]).sort("document")
    if not table["document"].cast(pl.Int64).equals(pl.int_range(len(table), eager=True, dtype=pl.Int64)):
        raise StageFileError(f"{documents}: its documents are not numbered from 0 on; run `documents` again")
    return (table["verdict"] == KEPT).cast(pl.UInt8).to_numpy().tobytes()


def _same_documents(vertical: Path, documents: Path | None, seen: int, taken: bytes | None) -> None:
    if taken is not None and seen != len(taken):
        raise StageFileError(f"{documents}: {len(taken)} documents, but {vertical} has {seen}; run `documents` again")


def _same_making(
    runs: Sequence[Path],
    headers: Sequence[native.RunsHeader],
    lexicon: Path,
    words: native.WordListHeader,
) -> None:
    """Runs of other ids, lengths or selections cannot be merged."""
    if not runs:
        raise StageFileError("no runs to merge: the list of batches is empty")
    first = headers[0]
    for path, header in zip(runs, headers, strict=True):
        if header.lexicon != words.checksum:
            raise StageFileError(f"{path}: not made with {lexicon}; run `ngrams runs` again")
        if (header.n, header.selection) != (first.n, first.selection):
            raise StageFileError(
                f"{path}: not made with the n, punctuation and stop words of {runs[0]}; "
                "run `ngrams runs` with the same for all"
            )
    # A word that the lexicon does not list is taken for a hapax, so there cannot be more of them.
    if sum(header.hapaxes for header in headers) > words.hapaxes:
        raise StageFileError(f"{lexicon}: not made from all documents of the runs; run `ngrams words` again")


def _merge_word_lists(lists: Sequence[Path], output: Path, kind: str, free: int, folder: Path) -> native.WordListHeader:
    fan_in = min(MOST_MERGED, free // (MERGE_BUFFER + MERGE_STATE))

    def merge(group: list[Path], number: int) -> Path:
        merged = folder / f"merged-{number}.words"
        native.merge_words(group, merged, "words", MERGE_BUFFER)
        _remove_scratch(folder, set(group))
        return merged

    left: list[Path] = _reduce(list(lists), fan_in, merge)
    return native.merge_words(left, output, kind, MERGE_BUFFER)


def _reduce(sources: list[T], fan_in: int, merge: Callable[[list[T], int], T]) -> list[T]:
    """Merges groups of up to `fan_in` (2 or more) sources, until that many are left at most.

    `merge` gets a group and the number of the result, from 0.
    """
    number = 0
    while len(sources) > fan_in:
        merged = []
        for start in range(0, len(sources), fan_in):
            group = sources[start : start + fan_in]
            merged.append(merge(group, number))
            number += 1
        sources = merged
    return sources


@contextlib.contextmanager
def _scratch(output: Path) -> Iterator[Path]:
    """A folder beside `output` for what does not fit the memory; it goes when the block ends."""
    output.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=output.parent, prefix=f".{output.name}.", suffix=".partial") as folder:
        yield Path(folder)


def _remove_scratch(folder: Path, paths: set[Path]) -> None:
    """Removes those of `paths` that lie in the scratch folder."""
    for path in paths:
        if path.parent == folder:
            path.unlink(missing_ok=True)


def _file(name: str, text: str, *, required: bool = True) -> Callable[[F], F]:
    return click.option(name, type=click.Path(path_type=Path), required=required, help=text)


_memory = click.option(
    "--memory", type=limits.size, default="1G", help="Limit of the process's memory, such as 1500M or 2G."
)
_vertical = _file("--vertical", "The batch's vertical (tokens/<batch>.vert.zst).")
_documents = "The batch's documents (documents/<batch>.parquet): only those kept are taken."
_batch_list = _file("--batches", "The list of batches (batches.tsv).")


@click.group("ngrams", context_settings={"show_default": True})
def command() -> None:
    """Find the duplicate n-grams of the corpus: words, lexicon, runs, merge."""


@command.command()
@_vertical
@_file("--documents", _documents)
@_file("--output", "The word list (<batch>.words).")
@_memory
def words(vertical: Path, documents: Path, output: Path, memory: int) -> None:
    """Count the words of a batch."""
    count_words(vertical, documents, output, memory)


@command.command()
@_batch_list
@_file("--words", "The folder of the word lists (<batch>.words).")
@_file("--output", "The lexicon.")
@_memory
def lexicon(batches: Path, words: Path, output: Path, memory: int) -> None:
    """Merge the word lists of all batches into the corpus's lexicon."""
    header = make_lexicon([words / f"{batch}.words" for batch in batch_names(batches)], output, memory)
    click.echo(
        f"lexicon: {header.tokens} tokens, {header.words + header.hapaxes} words, {header.hapaxes} hapaxes",
        err=True,
    )


@command.command()
@_vertical
@_file("--documents", _documents + " All, if this is left out.", required=False)
@_file("--lexicon", "The corpus's lexicon.")
@click.option("--n", type=click.IntRange(1, native.LONGEST_NGRAM), default=10, help="Words in an n-gram.")
@click.option("--model", help="Language whose stop words are excluded: a code or a .model file.")
@click.option(
    "--exclude-punctuation/--count-punctuation",
    default=True,
    help="Whether tokens that start with punctuation or a symbol are left out of n-grams.",
)
@click.option(
    "--exclude-stopwords/--count-stopwords",
    default=True,
    help="Whether the language's stop words are left out of n-grams.",
)
@_memory
@_file("--output", "The file of runs (<batch>.runs).")
def runs(
    vertical: Path,
    documents: Path | None,
    lexicon: Path,
    n: int,
    model: str | None,
    exclude_punctuation: bool,
    exclude_stopwords: bool,
    memory: int,
    output: Path,
) -> None:
    """Sort a batch's n-grams in chunks that fit the memory, and write them as compressed runs."""
    stop_words: Sequence[str] = ()
    if exclude_stopwords:
        if model is None:
            raise click.UsageError("--exclude-stopwords needs --model (or give --count-stopwords)")
        from corpusprep import languages

        stop_words = sorted(languages.get(model).stop_words)
    make_runs(
        vertical,
        documents,
        lexicon,
        output,
        memory=memory,
        n=n,
        count_punctuation=not exclude_punctuation,
        stop_words=stop_words,
    )


@command.command()
@_batch_list
@_file("--runs", "The folder of the runs (<batch>.runs).")
@_file("--lexicon", "The lexicon the runs were made with.")
@_memory
@_file("--output", "The keys of the duplicate n-grams (duplicates.keys).")
def merge(batches: Path, runs: Path, lexicon: Path, memory: int, output: Path) -> None:
    """Merge the runs of all batches: which n-grams occur twice or more."""
    paths = [runs / f"{batch}.runs" for batch in batch_names(batches)]
    totals = merge_duplicates(paths, lexicon, output, memory)
    click.echo(
        f"duplicate n-grams: {totals.keys + totals.collisions}, {totals.instances} instances; "
        f"{totals.collisions} share the key of another",
        err=True,
    )
