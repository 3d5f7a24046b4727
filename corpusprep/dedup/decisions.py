"""Decides which blocks of a corpus are duplicates, in document order (Pomikálek 2011, 3.5, algorithm 3.1)."""

import contextlib
from collections.abc import Mapping
from pathlib import Path

from corpusprep._native import blocks as kernel
from corpusprep.dedup.kernel_files import MARGIN, READ_BYTES, SMALLEST_PIECE, FileReader, longest_record, pump
from corpusprep.dedup.ngram_keys import NgramKeys
from corpusprep.dedup.resource_plans import MemoryPlan
from corpusprep.io import memory as limits
from corpusprep.io.files import naming, replacing
from corpusprep.io.progress import track

UNITS = ("block", "document", "both")
BUFFERS = 256 << 20  # bytes of all buffers if no memory limit is given
#: Bytes per batch, in addition to the piece that is read: up to two earlier frames that are not complete, one of
#: verdicts, one to be written, and the names of its files.
STREAM = 4 * kernel.FRAME_SIZE + (4 << 10)


def verdicts(
    matches: Mapping[str, Path],
    ngrams: Path,
    output: Path,
    *,
    threshold: float,
    unit: str,
    smoothing: bool,
    as_written: bool,
    clusters: Path | None = None,
    memory: int | None = None,
) -> None:
    """Decides on every good block of the corpus: kept, or one of verdicts.DUPLICATE_REASONS.

    Args:
        matches: the file of matches of each batch, by the name of the batch, in any order.
        ngrams: the n-gram keys that the matches were made with.
        output: the folder that gets `<batch>.verdicts` for every batch.
        threshold: minimum share (over 0, up to 1) of covered tokens among the counted tokens of a duplicate.
        unit: what is a duplicate: a `block`, a `document`, or `both`: first the document, then the blocks of those
            that stay.
        smoothing: whether the context-sensitive classification removes stubs beside duplicate blocks.
        as_written: whether blocks are taken as algorithm 3.1 takes documents: n-grams do not run across blocks, and
            the n-grams of a stub count as seen. Only with the unit `block`.
        clusters: the table of clusters, if near-duplicates are left out: all their blocks get that verdict.
        memory: bytes that the process may use: one bit per duplicate n-gram, small buffers, and the longest document.

    Raises:
        StageFileError: the table of clusters or a file of matches is missing or damaged; or it was made with other
            n-grams.
        ResourceError: `memory` is too little.
        ValueError: the threshold or the unit is none of those above.
    """
    if not 0 < threshold <= 1:
        raise ValueError(f"threshold {threshold}: must be over 0 and at most 1")
    if unit not in UNITS:
        raise ValueError(f"unit {unit}: must be one of {', '.join(UNITS)}")
    near_duplicates = b""
    if clusters is not None:
        # The step does without polars where there are none.
        from corpusprep.dedup.cluster_table import marks

        near_duplicates = marks(clusters)
    count = NgramKeys.open(ngrams, verify=False).count
    paths = list(matches.values())
    longest = max((longest_record(path) for path in paths if path.exists()), default=0)
    fixed = MARGIN + len(near_duplicates) + count // 8 + kernel.document_bytes(longest, count)
    piece_size = _piece_size(memory, fixed, count, len(matches))
    sizes = [path.stat().st_size for path in paths if path.exists()]
    used = limits.held() + fixed + (piece_size + STREAM) * len(paths)
    MemoryPlan("blocks verdicts", piece_size, "bytes per batch", 1, used, sum(sizes) // 2 + (1 << 12)).announce(output)
    keys = NgramKeys.open(ngrams)
    merge = kernel.VerdictPass(
        len(paths),
        keys.n,
        keys.count,
        keys.checksum,
        threshold,
        kernel.FRAME_SIZE,
        documents=unit != "block",
        blocks=unit != "document",
        smoothing=smoothing,
        as_written=as_written,
        near_duplicates=near_duplicates,
    )
    reader = FileReader(paths, piece_size)
    with contextlib.ExitStack() as stack:
        decided = [output / f"{batch}.verdicts" for batch in matches]
        outputs = [stack.enter_context(replacing(path)) for path in decided]

        def write(stream: int, data: bytes) -> None:
            with naming(decided[stream]), outputs[stream].open("ab") as file:
                file.write(data)

        for _ in track(pump(merge, reader.read, write, paths), "blocks verdicts: reading pieces of matches"):
            pass
        for stream in range(len(paths)):
            write(stream, merge.output(stream))


def _piece_size(memory: int | None, fixed: int, keys: int, batches: int) -> int:
    """Returns the bytes of matches to read at once; `fixed` bytes of the memory have other uses."""
    buffers = BUFFERS
    if memory is not None:
        smallest = (SMALLEST_PIECE + STREAM) * batches
        purpose = f"{keys} duplicate n-grams in {batches} batches"
        buffers = limits.budget(memory, fixed + smallest, purpose) - fixed
    return min(READ_BYTES, max(SMALLEST_PIECE, buffers // max(batches, 1) - STREAM))
