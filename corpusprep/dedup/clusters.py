"""Finds clusters of near-duplicate documents, of which one stays: documents that share most of their n-grams.

Two documents are near-duplicates if the n-grams that both have are enough of those that any of them has (resemblance:
Broder 1997). Documents are taken in the order of preference. Each belongs to the first one before it that stays and
that it is a near-duplicate of. Both counts are exact: no n-gram is sampled, and no pair is missed.

The duplicate n-grams of documents come from `blocks match`. Documents that can have near-duplicates are sorted by
preference, on disk. The kernel decides about them with an index of the documents that stay. When it is full, documents
that have no near-duplicate in it wait for another pass. So the memory only decides how many passes there are.
"""

import contextlib
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corpusprep._native import blocks as kernel
from corpusprep.dedup.cluster_table import MEMBER, TABLE_BYTES, ClusterTable
from corpusprep.dedup.kernel_files import MARGIN, fed, longest_record
from corpusprep.dedup.ngram_keys import NgramKeys
from corpusprep.dedup.preferences import preferences, preferences_memory
from corpusprep.dedup.resource_plans import MemoryPlan
from corpusprep.errors import StageFileError
from corpusprep.io import memory as limits
from corpusprep.io.files import naming, scratch
from corpusprep.io.progress import track
from corpusprep.io.sorted_runs import BLOCK_BYTES, Records, SortedRuns, joined
from corpusprep.tables.batch_files import BatchFiles
from corpusprep.tables.parquet_sizes import height

#: A document: the fields of SortedRuns, and its distinct n-grams; the numbers are its duplicate n-grams.
_DOCUMENT = np.dtype([("major", "<u8"), ("minor", "<u8"), ("ngrams", "<u4"), ("size", "<u4")])
#: Memory while documents are sorted, per byte of them: as read, joined, sorted, and the places of their numbers.
_SORTED = 6
#: The least bytes of documents that are sorted at once.
_LEAST_SORTED = 1 << 20


@dataclass(slots=True)
class _Census:
    """What the index would take: of all documents, and of the longest."""

    documents: int = 0
    keys: int = 0
    entries: int = 0
    longest: int = 0
    longest_entries: int = 0

    def add(self, documents: Records, share: float) -> None:
        """Adds documents."""
        sizes = documents.heads["size"].astype(np.int64)
        # An upper bound: the product may be rounded.
        common = np.maximum(np.floor(share * documents.heads["ngrams"]).astype(np.int64) - 1, 1)
        entries = sizes + 1 - np.minimum(sizes, common)
        self.documents += len(documents)
        self.keys += int(sizes.sum())
        self.entries += int(entries.sum())
        self.longest = max(self.longest, int(sizes.max(initial=0)))
        self.longest_entries = max(self.longest_entries, int(entries.max(initial=0)))


def find_clusters(
    matches: Mapping[str, Path],
    ngrams: Path,
    corpus: Path,
    output: Path,
    *,
    share: float,
    keep: str,
    memory: int,
) -> None:
    """Writes the table of clusters (schemas.CLUSTERS).

    Args:
        matches: the file of matches of each batch, by the name of the batch.
        ngrams: the n-gram keys that the matches were made with.
        corpus: the folder of the corpus, with the tables of its documents.
        output: the table to write, and the place of temporary files.
        share: the least resemblance of near-duplicates, over 0 and up to 1.
        keep: what stays of a cluster: one of preferences.KEEP.
        memory: bytes that the process may use.

    Raises:
        StageFileError: a file is missing or damaged.
        ResourceError: `memory`, or the disk, is too little.
    """
    files = {batch: BatchFiles.of(corpus, batch) for batch in matches}
    keys = NgramKeys.open(ngrams, verify=False).count
    present = [path for path in matches.values() if path.exists()]
    longest = kernel.document_bytes(max(map(longest_record, present), default=0), keys)
    documents = sum(height(batch.documents) for batch in files.values())
    fixed = limits.POLARS + MARGIN + longest + documents // 4
    fixed += max([TABLE_BYTES, *(preferences_memory(batch.tokens) for batch in files.values())])
    purpose = f"near-duplicates among {documents} documents"
    free = limits.budget(memory, fixed + _SORTED * _LEAST_SORTED, purpose) - fixed
    stored = sum(path.stat().st_size for path in present)
    disk = 16 * stored + 120 * documents + (1 << 18)
    at_once = free // _SORTED
    MemoryPlan("blocks clusters", at_once, "bytes of n-grams", 1 + 8 * stored // at_once, memory, disk).announce(output)
    output.parent.mkdir(parents=True, exist_ok=True)
    with naming(output), scratch(output) as folder:
        table = ClusterTable(folder, documents, free)
        with tempfile.TemporaryFile(dir=folder) as file:
            runs, census = SortedRuns(file, _DOCUMENT), _Census()
            read = track(_documents(matches, files, share, keep), "blocks clusters: reading pieces of matches")
            _sort(read, at_once, share, runs, census)
            room = limits.budget(memory, fixed, purpose) - fixed
            index = _index(share, census, room // 2, purpose)
            for block in runs.blocks():
                index.count(block.numbers)
            most = max(2, room // 2 // (_SORTED * max(BLOCK_BYTES, 8 * census.longest + _DOCUMENT.itemsize)))
            decided = _decide(index, runs.merged(most), folder)
            for members in track(decided, "blocks clusters: deciding about pieces"):
                table.add(members)
        del index
        table.write(files, output)


def _documents(
    matches: Mapping[str, Path], files: Mapping[str, BatchFiles], share: float, keep: str
) -> Iterator[Records]:
    """Yields the documents that can have near-duplicates, with their preferences."""
    for batch, path in matches.items():
        preferred = preferences(keep, files[batch].tokens, files[batch].language)
        candidates = kernel.ClusterCandidates(share)
        for _ in fed(candidates, path):
            numbers, ranks, ngrams, sizes, keys = candidates.columns()
            if numbers.max(initial=0) >= max(len(preferred), 1):
                raise StageFileError(f"{path} has more documents than its batch; run `blocks match` again")
            heads = np.empty(len(numbers), _DOCUMENT)
            heads["major"], heads["minor"] = preferred[numbers], ranks
            heads["ngrams"], heads["size"] = ngrams, sizes
            yield Records(heads, keys)


def _sort(documents: Iterable[Records], at_once: int, share: float, runs: SortedRuns, census: _Census) -> None:
    """Writes documents as sorted runs of about `at_once` bytes."""
    waiting: list[Records] = []
    size = 0

    def write() -> None:
        runs.start()
        runs.write(joined(waiting).sorted())
        waiting.clear()

    for piece in documents:
        census.add(piece, share)
        waiting.append(piece)
        size += piece.nbytes
        if size >= at_once:
            write()
            size = 0
    if waiting:
        write()


def _index(share: float, census: _Census, room: int, purpose: str) -> kernel.ClusterPass:
    """Makes the index: for all documents, or for as many as fit `room` bytes."""
    counters = max(1, min(census.keys, room // 8))
    room -= 2 * counters
    wanted = 8 * census.keys + kernel.BYTES_PER_ENTRY * census.entries
    part = min(1.0, room / max(wanted, 1))
    keys = max(census.longest, int(part * census.keys))
    entries = max(census.longest_entries, min(int(part * census.entries), 2**31 - 1))
    least = 8 * census.longest + kernel.BYTES_PER_ENTRY * census.longest_entries
    if least > room:
        limits.budget(0, 4 * least, f"{purpose}, the longest of which has {census.longest} duplicate n-grams")
    return kernel.ClusterPass(share, counters, keys, entries)


def _decide(index: kernel.ClusterPass, documents: Iterator[Records], folder: Path) -> Iterator[NDArray[np.void]]:
    """Yields the documents that do not stay (MEMBER); those that the index has no room for are read again."""
    with contextlib.ExitStack() as files:
        waiting = True
        while waiting:
            file = files.enter_context(tempfile.TemporaryFile(dir=folder))
            left, waiting = SortedRuns(file, _DOCUMENT), False
            left.start()
            for piece in documents:
                ranks, ngrams, sizes = (np.ascontiguousarray(piece.heads[name]) for name in ("minor", "ngrams", "size"))
                leaders, shares = index.decide(ranks, ngrams, sizes, piece.numbers)
                waits = leaders == kernel.UNDECIDED
                if waits.any():
                    left.write(piece.take(np.flatnonzero(waits)))
                    waiting = True
                gone = ~waits & (leaders != ranks)
                members = np.empty(int(gone.sum()), MEMBER)
                members["rank"], members["leader"], members["share"] = ranks[gone], leaders[gone], shares[gone]
                yield members
            index.restart()
            documents = left.run(0)
