"""Block de-duplication (Pomikálek 2011, 3.5, algorithm 3.1; 3.5.2): `corpusprep blocks match|verdicts|apply`.

Documents are taken in ascending share of duplicate n-grams, so the algorithm is sequential; but the
n-grams that matter are few. `match`, a process a batch, finds them and sorts the batch's documents;
`verdicts`, one job, merges the batches and decides; `apply`, a process a batch, writes the table.
"""

import contextlib
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray

from corpusprep import languages, schemas
from corpusprep import memory as limits
from corpusprep._native import blocks as kernel
from corpusprep.batches import files_of_batches
from corpusprep.block_streams import PIECE, FileReader, Runs, longest_record, pump
from corpusprep.decided_blocks import write_blocks
from corpusprep.document_blocks import PIECE as READING
from corpusprep.document_blocks import DocumentTable, read_document_table, tables_memory
from corpusprep.errors import StageFileError
from corpusprep.files import naming, replacing, zstd_chunks
from corpusprep.match_chunks import least_memory, match_chunks
from corpusprep.ngram_keys import HEADER_BYTES, NgramKeys
from corpusprep.progress import track
from corpusprep.read_ahead import read_ahead
from corpusprep.resource_plans import Plan
from corpusprep.sizes import parse_size

KEYS_A_READ = 1 << 19
MARGIN = 32 << 20  # bytes for what is neither chunk nor store: pieces of files, the decompressor
BUFFERED = MARGIN + kernel.FEED_SIZE // 2 * kernel.BYTES_PER_NGRAM
SMALLEST_PIECE = 1 << 14  # bytes of a file read in one go
#: Bytes of a token of the longest document: its match, three times as they grow, and its part of the record, twice.
LONG_TOKEN = 3 * 16 + 8
MATCHES_A_BYTE = 1.0  # bytes of matches and of runs for each compressed byte of the vertical: three times what is usual
BUFFERS = 256 << 20  # bytes that `verdicts` buffers in all where no memory is given
#: Bytes of a batch in `verdicts`, beside the piece that is read: up to two frames before it that are not complete yet,
#: one of verdicts and one that is to be written, and what names its files.
STREAM = 4 * kernel.FRAME_SIZE + (4 << 10)


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
) -> None:
    """Finds a batch's duplicate n-grams and writes its documents in the order of de-duplication.

    Args:
        vertical: the batch's vertical.
        documents: its table schemas.DOCUMENTS; only documents with verdict kept are looked at.
        boilerplate: its table schemas.BOILERPLATE.
        tokens: its table schemas.TOKENS.
        ngrams: the keys of the corpus's duplicate n-grams, made of the same counted tokens.
        output: the file of matches (native/dedup/matches.hpp says what is in it).
        stop_words: tokens that are not counted, in each of their forms.
        count_punctuation: whether tokens that start with punctuation or a symbol are counted.
        memory: bytes that the process may use. Records that do not fit are sorted in runs on disk,
            beside `output`, under no name: nothing is left of them if the process dies.
        threads: with two or more, one reads ahead.

    Raises:
        StageFileError: an input is missing or damaged, or the vertical's structure is not that of the
            tables (a tagger removed or added documents or blocks).
        ResourceError: `memory` is too little.
    """
    keys = NgramKeys.open(ngrams, verify=False)  # `verdicts` verifies them once for all batches
    needed = tables_memory(documents, boilerplate, tokens) + max(READING, BUFFERED + least_memory())
    limits.budget(memory, needed, f"matching the n-grams of {vertical}")
    table = read_document_table(documents, boilerplate, tokens)
    copied = table.kept.nbytes + table.ranks.nbytes + table.block_starts.nbytes + table.classes.nbytes
    buffers = copied + BUFFERED + LONG_TOKEN * table.longest
    free = limits.budget(memory, buffers + least_memory(), f"matching the n-grams of {vertical}") - buffers
    # A tagger may have changed the number of tokens; nothing but speed hangs on it.
    chunks = match_chunks(free, keys.count, table.tokens)
    plan = Plan(
        "blocks match",
        chunks.ngrams,
        "n-grams",
        chunks.parts,
        memory,
        int((vertical.stat().st_size if vertical.exists() else 0) * MATCHES_A_BYTE) + (1 << 18),
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
        for _, some in _keys(ngrams, keys.count):
            matcher.filter(some)
    with replacing(output) as temporary, tempfile.TemporaryFile(dir=output.parent) as spilled:
        runs = Runs(spilled)
        pieces = zstd_chunks(vertical)
        for data in track(read_ahead(pieces) if threads > 1 else pieces, "blocks match: pieces of the vertical"):
            for start in range(0, len(data), kernel.FEED_SIZE):
                with _naming_documents(matcher, vertical, table, tokens):
                    matcher.feed(memoryview(data)[start : start + kernel.FEED_SIZE])
                if matcher.chunk_full:
                    _join(matcher, ngrams, keys.count, runs)
        with _naming_documents(matcher, vertical, table, tokens):
            matcher.finish()
        _join(matcher, ngrams, keys.count, runs)

        with temporary.open("wb") as written:
            if not runs:
                for piece in matcher.run():
                    written.write(piece)
                return
            runs.add(matcher.run())
            del matcher  # the merge gets its memory
            runs.piece_size = max(SMALLEST_PIECE, min(PIECE, chunks.store // (2 * len(runs))))
            merge = kernel.RunMerge(len(runs), keys.n, keys.count, keys.checksum, PIECE)
            steps = pump(merge, runs.read, lambda _, piece: written.write(piece), [output] * len(runs))
            for _ in track(steps, "blocks match: pieces of sorted runs"):
                pass
            written.write(merge.output(0))


def verdicts(
    matches: Mapping[str, Path],
    ngrams: Path,
    output: Path,
    *,
    threshold: float = 0.5,
    memory: int | None = None,
) -> None:
    """Decides on every good block of the corpus: kept, duplicate or stub.

    Args:
        matches: the file of each of the corpus's batches, by the batch's name; their order does not matter.
        ngrams: the keys that the matches were made with.
        output: the folder that gets `<batch>.verdicts` for every batch.
        threshold: share, over 0 and up to 1, of a block's counted tokens from which it is a duplicate.
        memory: bytes that the process may use; it needs one bit a duplicate n-gram, small buffers, and
            what the longest document takes.

    Raises:
        StageFileError: a file of matches is missing or damaged, or was made with other n-grams.
        ResourceError: `memory` is too little.
    """
    if not 0 < threshold <= 1:
        raise ValueError(f"threshold {threshold}: must be over 0 and at most 1")
    count = NgramKeys.open(ngrams, verify=False).count
    paths = list(matches.values())
    longest = max((longest_record(path) for path in paths if path.exists()), default=0)
    fixed = MARGIN + count // 8 + kernel.document_bytes(longest, count)
    piece_size = _piece_size(memory, fixed, count, len(matches))
    sizes = [path.stat().st_size for path in paths if path.exists()]
    used = limits.held() + fixed + (piece_size + STREAM) * len(paths)
    Plan("blocks verdicts", piece_size, "bytes of each batch", 1, used, sum(sizes) // 2 + (1 << 12)).announce(output)
    keys = NgramKeys.open(ngrams)
    merge = kernel.VerdictPass(len(paths), keys.n, keys.count, keys.checksum, threshold, kernel.FRAME_SIZE)
    reader = FileReader(paths, piece_size)
    with contextlib.ExitStack() as stack:
        decided = [output / f"{batch}.verdicts" for batch in matches]
        outputs = [stack.enter_context(replacing(path)) for path in decided]

        def write(stream: int, data: bytes) -> None:
            with naming(decided[stream]), outputs[stream].open("ab") as file:
                file.write(data)

        for _ in track(pump(merge, reader.read, write, paths), "blocks verdicts: pieces of matches"):
            pass
        for stream in range(len(paths)):
            write(stream, merge.output(stream))


def _piece_size(memory: int | None, fixed: int, keys: int, batches: int) -> int:
    """Bytes of matches to read in one go; `fixed` bytes of the memory are for other things."""
    buffers = BUFFERS
    if memory is not None:
        smallest = (SMALLEST_PIECE + STREAM) * batches
        purpose = f"{keys} duplicate n-grams in {batches} batches"
        buffers = limits.budget(memory, fixed + smallest, purpose) - fixed
    return min(PIECE, max(SMALLEST_PIECE, buffers // max(batches, 1) - STREAM))


@contextlib.contextmanager
def _naming_documents(matcher: kernel.Matcher, vertical: Path, table: DocumentTable, tokens: Path) -> Iterator[None]:
    """Turns what the kernel says of the vertical's structure into an error that names the document."""
    try:
        yield
    except RuntimeError as error:
        where = str(vertical)
        if matcher.wrong_document < len(table.kept):
            names = schemas.read(tokens, schemas.TOKENS, ["document", "id"])
            where += f": document {names.filter(document=matcher.wrong_document)['id'][0]}"
        raise StageFileError(
            f"{where} {error}; what rewrites a vertical must keep its <doc>, <p>, </p> and </doc> lines"
        ) from None


def _join(matcher: kernel.Matcher, ngrams: Path, keys: int, runs: Runs) -> None:
    """Looks the chunk's n-grams up, and turns its documents into records."""
    try:
        matcher.begin_join()
        for first, some in _keys(ngrams, keys):
            matcher.join(some, first)
        while not matcher.collect():
            runs.add(matcher.run())
    except RuntimeError as error:
        raise StageFileError(f"{ngrams}: {error}; run `ngrams merge` again") from None


def _keys(ngrams: Path, count: int) -> Iterator[tuple[int, NDArray[np.uint64]]]:
    """The keys of all duplicate n-grams in order, some at a time, each time with the number of the first."""
    with ngrams.open("rb") as file:
        file.seek(HEADER_BYTES)
        for first in range(0, count, KEYS_A_READ):
            yield first, np.fromfile(file, "<u8", min(KEYS_A_READ, count - first))


_FILE = click.Path(path_type=Path)


@click.group("blocks")
def command() -> None:
    """Find duplicate blocks (algorithm 3.1 on blocks, then the context-sensitive classification).

    Three steps: `match` (for each batch), `verdicts` (for all together), `apply` (for each batch).
    """


@command.command("match")
@click.option("--vertical", required=True, type=_FILE, help="The batch's vertical (tokens/<batch>.vert.zst).")
@click.option("--documents", required=True, type=_FILE, help="The batch's table of `documents`.")
@click.option("--boilerplate", required=True, type=_FILE, help="The batch's table of `boilerplate`.")
@click.option("--tokens", required=True, type=_FILE, help="The batch's table of `tokens`.")
@click.option("--ngrams", required=True, type=_FILE, help="The corpus's duplicate n-grams (duplicates.keys).")
@click.option("--model", required=True, help="The corpus language: a .model file or a built-in language's code.")
@click.option(
    "--exclude-punctuation/--count-punctuation",
    default=True,
    help="Leave tokens that start with punctuation out of n-grams; as for `ngrams`.",
)
@click.option(
    "--exclude-stopwords/--count-stopwords",
    default=True,
    help="Leave stop words out of n-grams; as for `ngrams`.",
)
@click.option(
    "--memory", default="2G", type=limits.size, help="What the process may use: bytes, or with a unit (500M, 2G)."
)
@click.option(
    "--threads", type=click.IntRange(1), default=1, help="Threads to use; what comes out is the same for any number."
)
@click.option("--output", required=True, type=_FILE, help="Where the batch's matches go.")
def match_command(
    vertical: Path,
    documents: Path,
    boilerplate: Path,
    tokens: Path,
    ngrams: Path,
    model: str,
    exclude_punctuation: bool,
    exclude_stopwords: bool,
    memory: str,
    threads: int,
    output: Path,
) -> None:
    """Find the duplicate n-grams of a batch and sort its documents by their share."""
    match(
        vertical,
        documents,
        boilerplate,
        tokens,
        ngrams,
        output,
        stop_words=sorted(languages.get(model).stop_words) if exclude_stopwords else (),
        count_punctuation=not exclude_punctuation,
        memory=parse_size(memory),
        threads=threads,
    )


@command.command("verdicts")
@click.option(
    "--batches", required=True, type=_FILE, help="The list of batches (batches.tsv) or of bundles (bundles.tsv)."
)
@click.option(
    "--matches",
    required=True,
    type=_FILE,
    help="The folder of the matches: <batch>.matches, with a list of bundles <bundle>/<batch>.matches.",
)
@click.option("--ngrams", required=True, type=_FILE, help="The duplicate n-grams the matches were made with.")
@click.option(
    "--threshold",
    default=0.5,
    type=click.FloatRange(0, 1, min_open=True),
    help="Share of a block's counted tokens from which it is a duplicate.",
)
@click.option("--memory", help="What the process may use. [default: what it needs]")
@click.option("--output", required=True, type=_FILE, help="The folder the batches' verdicts go to.")
def verdicts_command(
    batches: Path, matches: Path, ngrams: Path, threshold: float, memory: str | None, output: Path
) -> None:
    """Decide on every block of the corpus, in one pass over the matches of all batches."""
    limit = None if memory is None else parse_size(memory)
    verdicts(files_of_batches(batches, matches, ".matches"), ngrams, output, threshold=threshold, memory=limit)


@command.command("apply")
@click.option("--verdicts", "decided", required=True, type=_FILE, help="The batch's verdicts.")
@click.option("--matches", required=True, type=_FILE, help="The batch's matches.")
@click.option("--tokens", required=True, type=_FILE, help="The batch's table of `tokens`.")
@click.option("--boilerplate", required=True, type=_FILE, help="The batch's table of `boilerplate`.")
@click.option("--documents", required=True, type=_FILE, help="The batch's table of `documents`.")
@click.option(
    "--memory", default="2G", type=limits.size, help="What the process may use: bytes, or with a unit (500M, 2G)."
)
@click.option("--output", required=True, type=_FILE, help="Where the table of blocks goes.")
def apply_command(
    decided: Path, matches: Path, tokens: Path, boilerplate: Path, documents: Path, memory: int, output: Path
) -> None:
    """Write the batch's table: a row a good block, with its verdict."""
    write_blocks(decided, matches, tokens, boilerplate, documents, output, memory)
