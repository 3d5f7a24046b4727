"""`blocks verdicts` under a hard limit of memory, with ten times as many bytes of matches in hundreds of batches."""

import random
import struct
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from support.block_corpora import Block, Document
from support.block_stage import DEFAULTS, match, write_batches
from support.corpus_layout import link, write_lists
from support.hard_limits import least_memory, run
from support.loading import more_than_usual
from support.plain_hashes import mix64

from corpusprep._native import blocks as kernel
from corpusprep._native import ngrams
from corpusprep.dedup.decisions import STREAM, verdicts
from corpusprep.dedup.kernel_files import SMALLEST_PIECE
from corpusprep.dedup.ngram_keys import NgramKeys
from corpusprep.tables import batch_files

pytestmark = pytest.mark.slow

TIMES = 10
#: Duplicate n-grams: their file is larger than the memory, too.
KEYS = 17_000_000
DOCUMENTS, DOCUMENT_BLOCKS, BLOCK_TOKENS = 1050, 20, 50
KEPT, DUPLICATE = 0, 1
#: As frames.hpp says: a header, then frames, which start with their size and its check and end with a checksum.
HEADER, FRAME, CHECKSUM, END = 128, struct.Struct("<II"), 8, 1 << 31


def matches_file(folder: Path, name: str) -> Path:
    """Returns the path of a batch's matches."""
    return folder / f"{name}.matches"


def made_documents() -> list[Document]:
    """Makes pages of good blocks: most are repeated texts, the others occur once."""
    chance = random.Random(11)
    words = [f"w{number}" for number in range(5000)]
    texts = [tuple(chance.choices(words, k=BLOCK_TOKENS)) for _ in range(2000)]
    documents = []
    for _ in range(DOCUMENTS):
        of_page = chance.sample(texts, DOCUMENT_BLOCKS)
        for place in range(chance.randrange(4)):
            of_page[place * 5] = tuple(chance.choices(words, k=BLOCK_TOKENS))
        documents.append(Document(tuple(Block("good", text) for text in of_page)))
    return documents


def add_keys(path: Path) -> None:
    """Adds other keys to a file until it has KEYS keys."""
    own = NgramKeys.open(path)
    steps = np.random.default_rng(12).integers(1, (1 << 64) // KEYS, KEYS - own.count, np.uint64, endpoint=True)
    keys = np.sort(np.concatenate([np.cumsum(steps), own.keys]))
    NgramKeys.write(path, own.n, keys, np.full(KEYS, 2, np.uint32), ngrams=0, tokens=0)


def with_other_ranks(matches: bytes, batches: int) -> Iterator[bytes]:
    """The matches of `batches` batches with the same documents: rank r becomes rank r * batches + b in batch b."""
    frames = []
    start = HEADER
    while start < len(matches):
        size, _ = FRAME.unpack_from(matches, start)
        payload = bytearray(matches[start + FRAME.size : start + FRAME.size + size % END])
        ranks, record = {}, 0
        while size < END and record < len(payload):
            length, _, _, rank = struct.unpack_from("<IIIQ", payload, record)
            ranks[record + 12] = rank
            record += 4 + length
        frames.append((size, payload, ranks))
        start += FRAME.size + len(payload) + CHECKSUM
    for batch in range(batches):
        (checksum,) = struct.unpack_from("<Q", matches, HEADER - CHECKSUM)
        parts = [matches[:HEADER]]
        for size, payload, ranks in frames:
            for place, rank in ranks.items():
                struct.pack_into("<Q", payload, place, rank * batches + batch)
            parts += [FRAME.pack(size, mix64((checksum + size) % 2**64) % 2**32), bytes(payload)]
            checksum = ngrams.checksum_of_pieces((struct.pack("<Q", checksum), parts[-1]))
            parts.append(struct.pack("<Q", checksum))
        yield b"".join(parts)


def decided(path: Path) -> list[list[int]]:
    """Returns the columns of a file of verdicts: documents in the order of de-duplication, and their blocks."""
    table = kernel.VerdictTable()
    table.feed(path.read_bytes())
    return [column.tolist() for column in table.columns()]


def decide(folder: Path, few: int, many: int) -> int:
    """Decides on copies of the documents of one batch, in several batches, with the least memory; returns this memory.

    A document comes from each batch in turn. What is decided on the first two batches is the same without the others: a
    copy finds all that was kept of the original, and keeps nothing that the original does not.
    """
    keys, names = folder / "keys", [f"b{batch:05d}" for batch in range(many)]
    match(folder, names[0])
    of_one = matches_file(folder, names[0]).read_bytes()
    for name, data in zip(names, with_other_ranks(of_one, many), strict=True):
        matches_file(folder, name).write_bytes(data)
    taken, peaks = {}, {}
    for batches in (few, many):
        corpus = folder / f"{batches}"
        write_lists(corpus, names[:batches])
        link(keys, batch_files.corpus_file(corpus, "duplicates"))
        for name in names[:batches]:
            link(matches_file(folder, name), batch_files.bundle_file(corpus, "matches", name, name))
        step = ["step", "blocks", "verdicts", corpus]
        taken[batches] = least_memory(*step)
        peaks[batches] = run(taken[batches], folder / "times.tsv", *step)
    # That the peak is within the limit is no chance: a batch takes no more than the limit is made of.
    assert peaks[many] - peaks[few] <= (many - few) * (SMALLEST_PIECE + STREAM)
    verdicts({name: matches_file(folder, name) for name in names[:2]}, keys, folder / "two", **DEFAULTS)
    for name in names[:2]:
        of_all = batch_files.BatchFiles.of(corpus, name).verdicts
        assert of_all.read_bytes() == (folder / "two" / of_all.name).read_bytes()
    copy = decided(folder / "two" / f"{names[1]}.verdicts")
    assert all(decided(batch_files.BatchFiles.of(corpus, name).verdicts) == copy for name in names[2:])
    return taken[many]


def test_matches_are_streamed(tmp_path: Path) -> None:
    """Those of 430 batches have ten times as many bytes as the process may hold, and the n-grams more than those."""
    write_batches(tmp_path, made_documents(), [range(DOCUMENTS)])
    add_keys(tmp_path / "keys")
    memory = decide(tmp_path, 100, 430) - more_than_usual()
    matches = list(tmp_path.glob("*.matches"))
    assert sum(path.stat().st_size for path in matches) >= TIMES * memory
    assert (tmp_path / "keys").stat().st_size > memory
    original, copy = (decided(tmp_path / "two" / f"b0000{batch}.verdicts")[-1] for batch in range(2))
    assert 0.05 < original.count(KEPT) / len(original) < 0.5
    assert 0.02 < copy.count(KEPT) / len(copy) < 0.2
    assert set(copy) == {KEPT, DUPLICATE}
    for path in [tmp_path / "keys", *matches]:
        path.unlink()


def test_one_long_document_is_held_at_once(tmp_path: Path) -> None:
    """Not that of each of 160 batches, each with a page of a million tokens."""
    chance = random.Random(13)
    text = chance.choices([f"w{number}" for number in range(2000)], k=500_000)
    blocks = [Block("good", tuple(text[start : start + 100])) for start in range(0, len(text), 100)]
    write_batches(tmp_path, [Document((*blocks, *blocks))], [[0]])
    decide(tmp_path, 10, 160)
    assert matches_file(tmp_path, "b00000").stat().st_size > 3_000_000
