"""`blocks verdicts` under a hard limit of memory, with ten times as many bytes of matches in hundreds of batches."""

import random
import struct
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hard_limits import least_memory, run
from native.block_corpora import Block, Document, mix64
from stages.test_blocks import match, write_batches

from corpusprep._native import blocks as kernel
from corpusprep._native import ngrams
from corpusprep.ngram_keys import NgramKeys
from corpusprep.stages.blocks import SMALLEST_PIECE, STREAM, verdicts

pytestmark = pytest.mark.slow

TIMES = 10
#: Of all batches there are, and of a few.
BATCHES, FEW = 400, 100
NAMES = [f"b{batch:05d}" for batch in range(BATCHES)]
#: Duplicate n-grams: their file is larger than the memory, too.
KEYS = 17_000_000
DOCUMENTS, DOCUMENT_BLOCKS, BLOCK_TOKENS = 1050, 20, 50
KEPT, DUPLICATE = 0, 1
#: As framed.hpp says: a header, then frames, which start with their size and its check and end with a checksum.
HEADER, FRAME, CHECKSUM, END = 64, struct.Struct("<II"), 8, 1 << 31


def matches_file(folder: Path, name: str) -> Path:
    """Where the matches of a batch are."""
    return folder / f"{name}.matches"


def made_documents() -> list[Document]:
    """Pages of good blocks: most are of a few texts, the others come once."""
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
    """Puts as many other keys between those of a file as make KEYS."""
    own = NgramKeys.open(path)
    steps = np.random.default_rng(12).integers(1, (1 << 64) // KEYS, KEYS - own.count, np.uint64, endpoint=True)
    keys = np.sort(np.concatenate([np.cumsum(steps), own.keys]))
    NgramKeys.write(path, own.n, keys, np.full(KEYS, 2, np.uint32), ngrams=0, tokens=0)


def with_other_ranks(matches: bytes) -> Iterator[bytes]:
    """The matches of every batch, of the same documents: that of rank r has rank r * BATCHES + b in batch b."""
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
    for batch in range(BATCHES):
        (checksum,) = struct.unpack_from("<Q", matches, HEADER - CHECKSUM)
        parts = [matches[:HEADER]]
        for size, payload, ranks in frames:
            for place, rank in ranks.items():
                struct.pack_into("<Q", payload, place, rank * BATCHES + batch)
            parts += [FRAME.pack(size, mix64((checksum + size) % 2**64) % 2**32), bytes(payload)]
            checksum = mix64(checksum ^ ngrams.word_key(parts[-1]))
            parts.append(struct.pack("<Q", checksum))
        yield b"".join(parts)


def decided(path: Path) -> list[list[int]]:
    """Of each document, in the order of de-duplication, and each of its blocks: columns of a file of verdicts."""
    table = kernel.VerdictTable()
    table.feed(path.read_bytes())
    return [column.tolist() for column in table.columns()]


def test_matches_are_streamed(tmp_path: Path) -> None:
    """The verdicts of 400 batches, with a document of each at a time in turn, are those of the first two alone."""
    write_batches(tmp_path, made_documents(), [range(DOCUMENTS)])
    keys = tmp_path / "keys"
    add_keys(keys)
    match(tmp_path, NAMES[0])
    path = matches_file(tmp_path, NAMES[0])
    for name, data in zip(NAMES, with_other_ranks(path.read_bytes()), strict=True):
        matches_file(tmp_path, name).write_bytes(data)
    taken, peaks = {}, {}
    for batches in (FEW, BATCHES):
        rows = [f"{name}\tx.warc\t1" for name in NAMES[:batches]]
        (tmp_path / "batches.tsv").write_text("\n".join(["batch\tarchive\tbytes", *rows]) + "\n", encoding="utf-8")
        inputs = ["--batches", tmp_path / "batches.tsv", "--matches", tmp_path, "--ngrams", keys]
        step = ["blocks", "verdicts", *inputs, "--output", tmp_path / "all"]
        taken[batches] = least_memory(*step)
        peaks[batches] = run(taken[batches], tmp_path / "times.tsv", *step)
    memory = taken[BATCHES]
    assert sum(matches_file(tmp_path, name).stat().st_size for name in NAMES) >= TIMES * memory
    assert keys.stat().st_size > memory
    # That the peak is within the limit is no chance: a batch takes what the limit is made of.
    assert peaks[BATCHES] - peaks[FEW] <= (BATCHES - FEW) * (SMALLEST_PIECE + STREAM)

    # A copy finds all that was kept of the original, and keeps nothing that the original does not.
    verdicts({name: matches_file(tmp_path, name) for name in NAMES[:2]}, keys, tmp_path / "two")
    for name in NAMES[:2]:
        file = f"{name}.verdicts"
        assert (tmp_path / "all" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()
    original, copy = (decided(tmp_path / "two" / f"{name}.verdicts") for name in NAMES[:2])
    assert all(decided(tmp_path / "all" / f"{name}.verdicts") == copy for name in NAMES[2:])
    assert 0.05 < original[3].count(KEPT) / len(original[3]) < 0.5
    assert 0.02 < copy[3].count(KEPT) / len(copy[3]) < 0.2
    assert set(copy[3]) == {KEPT, DUPLICATE}
    for path in [keys, *tmp_path.glob("*.matches")]:
        path.unlink()
