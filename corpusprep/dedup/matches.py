"""Finds the duplicate n-grams of a batch for block de-duplication (Pomikálek 2011, 3.5, algorithm 3.1; 3.5.2).

The algorithm takes documents in ascending share of duplicate n-grams. It is sequential, but few n-grams matter. `match`
(one process per batch) finds them and sorts the documents of the batch. `verdicts` (one job) merges the batches and
decides. `apply` (one process per batch) writes the table.
"""

import contextlib
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

from corpusprep._native import blocks as kernel
from corpusprep.dedup.kernel_files import MARGIN, READ_BYTES, SMALLEST_PIECE, SpilledRuns, pump
from corpusprep.dedup.match_chunks import least_memory, match_chunks
from corpusprep.dedup.match_keys import AllKeys, BundleKeys
from corpusprep.dedup.ngram_keys import NgramKeys
from corpusprep.dedup.page_blocks import READING, DocumentTable, read_document_table, tables_memory
from corpusprep.dedup.resource_plans import MemoryPlan
from corpusprep.errors import StageFileError
from corpusprep.io import memory as limits
from corpusprep.io.files import replacing, zstd_chunks
from corpusprep.io.progress import track
from corpusprep.io.read_ahead import read_ahead
from corpusprep.tables import schemas
from corpusprep.tables.reading import read_table

BUFFERED = MARGIN + kernel.FEED_SIZE // 2 * kernel.BYTES_PER_NGRAM
#: Bytes per token of the longest document: three times its match (arrays grow) and twice its part of the record.
LONG_TOKEN = 3 * 16 + 8
MATCH_BYTES_PER_VERTICAL_BYTE = 1.0  # matches and runs on disk: three times what is usual


def match(
    vertical: Path,
    documents: Path,
    boilerplate: Path,
    tokens: Path,
    ngrams: Path,
    output: Path,
    *,
    stop_words: Sequence[str] = (),
    count_punctuation: bool = False,
    memory: int,
    threads: int = 1,
    parts: Sequence[Path] = (),
    bundle: int = 0,
) -> None:
    """Finds a batch's duplicate n-grams and writes its documents in the order of de-duplication.

    Args:
        vertical: the vertical of the batch.
        documents: the batch's table schemas.DOCUMENTS; only kept documents are used.
        boilerplate: the batch's table schemas.BOILERPLATE.
        tokens: the batch's table schemas.TOKENS.
        ngrams: the keys of the corpus's duplicate n-grams, made with the same settings.
        output: the file of matches (the header matches.hpp describes its format).
        stop_words: tokens that are not counted, in all their forms.
        count_punctuation: whether tokens that start with punctuation or a symbol are counted.
        memory: bytes that the process may use. Records that do not fit are sorted in runs, in an unnamed file
            beside `output`, which disappears if the process dies.
        threads: with two or more, a thread reads ahead.
        parts: the keys of each bundle, of each part of the corpus; none: all keys of `ngrams` are read.
        bundle: the number of the bundle that the batch belongs to.

    Raises:
        StageFileError: an input is missing or damaged, or the structure of the vertical differs from the
            tables (a tagger removed or added documents or blocks).
        ResourceError: `memory` is too little.
    """
    keys = NgramKeys.open(ngrams, verify=not parts)
    compared = BundleKeys(parts, bundle, keys) if parts else AllKeys(ngrams, keys.count)
    needed = tables_memory(documents, boilerplate, tokens) + max(READING, BUFFERED + least_memory())
    limits.budget(memory, needed, f"matching the n-grams of {vertical}")
    table = read_document_table(documents, boilerplate, tokens)
    copied = table.kept.nbytes + table.ranks.nbytes + table.block_starts.nbytes + table.classes.nbytes
    buffers = copied + BUFFERED + LONG_TOKEN * table.longest
    free = limits.budget(memory, buffers + least_memory(), f"matching the n-grams of {vertical}") - buffers
    # A tagger may have changed the number of tokens; only speed depends on it.
    chunks = match_chunks(free, compared.count, table.tokens)
    plan = MemoryPlan(
        "blocks match",
        chunks.ngrams,
        "n-grams",
        chunks.parts,
        memory,
        int((vertical.stat().st_size if vertical.exists() else 0) * MATCH_BYTES_PER_VERTICAL_BYTE) + (1 << 18),
    )
    plan.announce(output.parent)
    matcher = kernel.Matcher(
        keys.n,
        keys.count,
        keys.checksum,
        count_punctuation,
        sorted(stop_words),
        table.kept,
        table.ranks,
        table.block_starts,
        table.classes,
        chunks.ngrams,
        chunks.store,
        chunks.filter_bytes,
    )
    if chunks.filter_bytes:
        for some in compared.pieces():
            matcher.filter(some)
    with replacing(output) as temporary, tempfile.TemporaryFile(dir=output.parent) as spilled:
        runs = SpilledRuns(spilled)
        pieces = zstd_chunks(vertical)
        for data in track(
            read_ahead(pieces) if threads > 1 else pieces, "blocks match: reading pieces of the vertical"
        ):
            for start in range(0, len(data), kernel.FEED_SIZE):
                with _naming_documents(matcher, vertical, table, tokens):
                    matcher.feed(memoryview(data)[start : start + kernel.FEED_SIZE])
                if matcher.chunk_full:
                    _join(matcher, ngrams, compared, runs)
        with _naming_documents(matcher, vertical, table, tokens):
            matcher.finish()
        _join(matcher, ngrams, compared, runs)

        with temporary.open("wb") as written:
            if not runs:
                for piece in matcher.run():
                    written.write(piece)
                return
            runs.add(matcher.run())
            del matcher  # frees its memory for the merge
            runs.piece_size = max(SMALLEST_PIECE, min(READ_BYTES, chunks.store // (2 * len(runs))))
            _merge(runs, keys, output, written)


def _merge(runs: SpilledRuns, keys: NgramKeys, output: Path, written: BinaryIO) -> None:
    """Merges sorted runs of records; `output` is the name of the file for errors."""
    merge = kernel.RunMerge(len(runs), keys.n, keys.count, keys.checksum, READ_BYTES)
    steps = pump(merge, runs.read, lambda _, piece: written.write(piece), [output] * len(runs))
    for _ in track(steps, "blocks match: merging pieces of sorted runs"):
        pass
    written.write(merge.output(0))


@contextlib.contextmanager
def _naming_documents(matcher: kernel.Matcher, vertical: Path, table: DocumentTable, tokens: Path) -> Iterator[None]:
    """Turns the kernel's errors about the structure of the vertical into errors that name the document."""
    try:
        yield
    except RuntimeError as error:
        where = str(vertical)
        if matcher.wrong_document < len(table.kept):
            names = read_table(tokens, schemas.TOKENS, ["document", "id"])
            where += f": document {names.filter(document=matcher.wrong_document)['id'][0]}"
        raise StageFileError(
            f"{where} {error}; a tool that rewrites the vertical must keep its <doc>, <p>, </p> and </doc> lines"
        ) from None


def _join(matcher: kernel.Matcher, ngrams: Path, compared: AllKeys | BundleKeys, runs: SpilledRuns) -> None:
    """Looks up the n-grams of the chunk and turns its documents into records."""
    try:
        matcher.begin_join(compared.count)
        for piece in compared.numbered():
            matcher.join(*piece)
        while not matcher.collect():
            runs.add(matcher.run())
    except RuntimeError as error:
        raise StageFileError(f"{ngrams}: {error}; run `ngrams merge` again") from None
