"""Finds duplicate n-grams in three steps: candidates, runs, merge (Pomikálek 2011, 3.4.2).

With the lexicon of the corpus, the n-grams of each batch are sorted in chunks that fit the memory and written as
compressed runs. The merge of all runs finds n-grams that occur twice or more. The result does not depend on memory,
batches or chunks.

The keys of all n-grams are partitioned and counted per partition first. Then only n-grams that occur twice or more are
sorted. To sort all n-grams, as the thesis does, gives the same file in twice the time, and takes three times the
temporary disk (bench/deduplication/suffix_sort.py).
"""

from collections.abc import Sequence
from pathlib import Path

from corpusprep._native import ngrams as native
from corpusprep.dedup import resource_plans as plans
from corpusprep.dedup.resource_plans import (
    FILTER_TABLES,
    LEAST_CHUNK,
    LEAST_FILTER,
    LEAST_MERGED_KEYS,
    MERGE_BUFFER,
    MERGE_STATE,
    MOST_MERGED,
    SORT_TABLES,
    STREAM_BUFFERS,
)
from corpusprep.errors import StageFileError
from corpusprep.io import memory as limits
from corpusprep.io.files import replacing, scratch
from corpusprep.io.merge_rounds import in_rounds, remove_scratch
from corpusprep.io.progress import track

#: Entries that are merged between two progress messages.
MERGE_STEP = 1 << 20


def make_candidates(
    keys: Sequence[Path], output: Path, memory: int, *, threads: int = 1, part: int = 0, parts: int = 1
) -> native.CandidateTotals:
    """Counts the keys of all batches, partition by partition, and writes a filter of those that occur twice or more.

    Args:
        keys: one file of keys per batch.
        output: the filter to write; it passes every duplicate n-gram, and few others.
        memory: limit of the process, in bytes.
        threads: the most threads that count, if the memory allows; the filter does not depend on it.
        part: the range of keys to count, from 0; `native.join_candidates` makes one filter of those of all ranges.
        parts: the number of ranges that the keys were written for.

    Raises:
        StageFileError: a file is missing or damaged, or was made with other settings.
        ResourceError: `memory` is too little.
    """
    headers = [native.read_keys_header(path) for path in keys]
    if not headers:
        raise StageFileError("no keys to count: the list of batches is empty")
    for path, header in zip(keys, headers, strict=True):
        if (header.n, header.selection) != (headers[0].n, headers[0].selection):
            raise StageFileError(f"{path}: not made with the settings of {keys[0]}; run `ngrams words` again")
        if header.parts != parts:
            raise StageFileError(f"{path}: made for --parts {header.parts}, not {parts}; run `ngrams words` again")
    runs = [run for header in headers for run in header.runs[part::parts]]
    count = sum(run.keys for run in runs)
    largest = native.largest_partition(runs, part, parts)
    merging = 2 * (MERGE_BUFFER + native.BYTES_PER_RUN)
    least = native.CandidateCounter.bytes_for(largest) + merging
    free = limits.budget(memory, least, f"counting the keys of {count} n-grams")
    while threads > 1 and native.CandidateCounter.bytes_for(largest, threads) + merging > free:
        threads -= 1
    counting = native.CandidateCounter.bytes_for(largest, threads)
    plan = plans.candidates(count, len(runs), free - counting, memory)
    plan.announce(output.parent)
    with replacing(output) as temporary, scratch(output) as folder:

        def merge(group: list[native.KeyRun], number: int) -> native.KeyRun:
            merged = folder / f"{number}.keys"
            native.merge_keys(group, merged, MERGE_BUFFER, part, parts)
            remove_scratch(folder, {Path(run.path) for run in group})
            return native.read_keys_header(merged).runs[0]

        runs = in_rounds(runs, plan.at_once, merge)
        settings = (headers[0].n, headers[0].selection)
        counter = native.CandidateCounter(runs, MERGE_BUFFER, temporary, *settings, threads, part, parts)
        for _ in track(iter(counter.advance, False), "ngrams candidates: counting groups of partitions"):
            pass
        return counter.totals


def join_candidates(parts: Sequence[Path], output: Path) -> native.CandidatesHeader:
    """Writes the filter of a corpus from the filters of its parts, in their order; returns its header.

    Raises:
        StageFileError: a file is missing or damaged, or is not the filter of this part.
    """
    with replacing(output) as temporary:
        native.join_candidates(parts, temporary)
    return native.candidates_header(output)


def make_stream_runs(
    tokens: Path,
    lexicon: Path,
    candidates: Path,
    output: Path,
    *,
    memory: int,
    n: int,
    chunk_tokens: int | None = None,
    parts: int = 1,
) -> None:
    """Writes n-grams of a batch that could be duplicates, with their counts, as sorted runs.

    An n-gram with a word that occurs once in the corpus has no duplicate and is left out.

    Args:
        tokens: the file that `count_words` wrote.
        lexicon: made from the words of all batches.
        candidates: the filter of `make_candidates`; n-grams that do not pass have no duplicate and are left out.
        output: the file of runs to write.
        memory: limit of the process, in bytes.
        n: words in an n-gram, 1 to LONGEST_NGRAM.
        chunk_tokens: the most tokens sorted at once; None: as many as the memory holds.
        parts: the number of ranges of keys, each with runs of its own; for `merge_duplicates`.

    Raises:
        StageFileError: a file is missing or damaged, or the files were made with different settings.
        ResourceError: `memory` is too little.
    """
    stream = native.token_stream_header(tokens)
    fixed = native.BYTES_PER_WORD * stream.most_words + SORT_TABLES + STREAM_BUFFERS + FILTER_TABLES
    header = native.candidates_header(candidates)
    if (header.n, header.selection) != (n, stream.selection):
        raise StageFileError(f"{candidates}: not made with the settings of {tokens}; run `ngrams candidates` again")
    filter_bytes = 8 * header.cells
    least = fixed + native.BYTES_PER_TOKEN * LEAST_CHUNK + min(filter_bytes, LEAST_FILTER)
    free = _free_with_parts(limits.budget(memory, least, f"sorting the n-grams of {tokens}") - fixed, parts)
    plan = plans.runs(stream.tokens, free, memory, filter_bytes, chunk_tokens)
    plan.announce(output.parent)
    cells = plans.held_filter(free, filter_bytes) // 8
    with replacing(output) as temporary:
        builder = native.StreamRunBuilder(temporary, tokens, lexicon, n, max(plan.at_once, 4 * n), parts)
        for filtered in _filter_parts(native.candidates_index(candidates), cells):
            builder.start(native.CandidateFilter(candidates, *filtered))
            while builder.advance():
                pass
        builder.finish()


def _free_with_parts(free: int, parts: int) -> int:
    """Returns the memory for chunks, without what each of their tokens takes if there are several parts."""
    per_token = native.BYTES_PER_TOKEN
    return free if parts == 1 else free * per_token // (per_token + native.PART_BYTES_PER_TOKEN)


def _filter_parts(index: Sequence[int], cells: int) -> list[tuple[int, int]]:
    """Returns ranges of partitions whose filters take up to `cells` cells each, or one partition if it takes more."""
    parts, first = [], 0
    for end in range(1, len(index)):
        if end == len(index) - 1 or index[end + 1] - index[first] > cells:
            parts.append((first, end))
            first = end
    return parts


def merge_duplicates(
    runs: Sequence[Path],
    lexicon: Path,
    output: Path,
    memory: int,
    *,
    part: int = 0,
    parts: int = 1,
    bundles: Path | None = None,
    merged_at_once: int = MOST_MERGED,
    keys_at_once: int | None = None,
) -> native.DuplicateTotals:
    """Merges the runs of all batches and writes the keys of the n-grams that occur twice or more.

    Args:
        runs: one file of runs per batch, at least one.
        lexicon: the lexicon that the runs were made with.
        output: `duplicates.keys`, see NgramKeys.
        memory: limit of the process, in bytes, including eight bytes per word of the lexicon.
        part: the range of keys to merge, from 0; `join_parts` makes one file of the files of all ranges.
        parts: the number of ranges that the runs were made for.
        bundles: where to write which of the keys each of the runs has, see `match_keys`; None: nowhere.
        merged_at_once: the most runs merged at once (2 or more).
        keys_at_once: the most keys in memory; None: as many as the memory holds.

    Raises:
        StageFileError: a file is missing or damaged, or was made with another lexicon or other settings.
        ResourceError: `memory` is too little.
    """
    from corpusprep.dedup import ngram_keys  # here, because most steps do not need numpy: half of their start-up time

    words = native.word_list_header(lexicon, "lexicon")
    headers = [native.read_runs_header(path) for path in runs]
    _same_making(runs, headers, lexicon, words, parts)
    n = headers[0].n
    fixed = 8 * words.words
    least = fixed + 2 * (MERGE_BUFFER + MERGE_STATE) + native.BYTES_PER_KEY * LEAST_MERGED_KEYS
    free = limits.budget(memory, least, f"the lexicon ({words.words} words) and merging runs") - fixed
    of_bundles = [header.runs[part::parts] for header in headers]
    sorted_runs = [run for runs_of_bundle in of_bundles for run in runs_of_bundle]
    plan = plans.merge(
        sum(run.entries for run in sorted_runs),
        sum(run.bytes for run in sorted_runs),
        len(sorted_runs),
        free,
        memory,
        merged_at_once,
    )
    plan.announce(output.parent)

    with replacing(output) as temporary, scratch(output) as folder:

        def merge(group: list[native.Run], number: int) -> native.Run:
            merged = folder / f"{number}.runs"
            native.merge_runs(group, n, merged, MERGE_BUFFER)
            remove_scratch(folder, {Path(run.path) for run in group})
            return native.read_runs_header(merged).runs[0]

        sources = in_rounds(sorted_runs, plan.at_once, merge)
        entries = sum(run.entries for run in sources)
        keys = (free - len(sources) * (MERGE_BUFFER + MERGE_STATE)) // native.BYTES_PER_KEY
        capacity = max(1, min(keys, entries, keys_at_once or keys))
        collector = native.DuplicateCollector(sources, n, lexicon, MERGE_BUFFER, capacity, folder / "keys")
        for _ in track(range(0, entries + 1, MERGE_STEP), "ngrams merge: merging n-grams (million)"):
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
        if bundles:
            from corpusprep.dedup import match_keys

            match_keys.write_bundle_keys(collector, of_bundles, temporary, bundles, free)
    return totals


def _same_making(
    runs: Sequence[Path],
    headers: Sequence[native.RunsHeader],
    lexicon: Path,
    words: native.WordListHeader,
    parts: int,
) -> None:
    """Raises an error if runs differ in lexicon, length, selection or parts of n-grams."""
    if not runs:
        raise StageFileError("no runs to merge: the list of batches is empty")
    first = headers[0]
    for path, header in zip(runs, headers, strict=True):
        if header.lexicon != words.checksum:
            raise StageFileError(f"{path}: not made with {lexicon}; run `ngrams runs` again")
        if header.parts != parts:
            raise StageFileError(f"{path}: made for --parts {header.parts}, not {parts}; run `ngrams runs` again")
        if (header.n, header.selection) != (first.n, first.selection):
            raise StageFileError(
                f"{path}: not made with the n, punctuation and stop words of {runs[0]}; "
                "run `ngrams runs` with the same for all"
            )
    # Words that the lexicon lacks count as hapaxes, so runs cannot have more hapaxes than the lexicon.
    if sum(header.hapaxes for header in headers) > words.hapaxes:
        raise StageFileError(f"{lexicon}: not made from all documents of the runs; run `ngrams words` again")
