"""Makes what `ngrams words` writes, of any size: keys of n-grams, and lists of words, without a text; and verticals.

The layouts are those of `native/io/stage_file.hpp`, `key_partitions.cpp` and `word_list.cpp`.
"""

import struct
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corpusprep._native import ngrams as native
from corpusprep.io.files import zstd_writer

PARTITIONS = native.PARTITIONS
#: Keys of a file; `ngrams words` has as many in memory (resource_plans.MOST_KEYS).
KEYS_PER_FILE = 1 << 24
#: Of the keys, how many are those of another n-gram, as in a crawl of documentation (costs.tsv: 16 bits per candidate).
REPEATED = 0.02
#: Words of a list, those of a block of it, and letters of a word.
WORDS_PER_LIST, WORDS_PER_BLOCK, LETTERS = 100_000, 10_000, 8
#: Verticals, and tokens of each of their documents.
VERTICALS, DOCUMENT = 16, 500
_HEADER = struct.Struct("<8sQ13Q")
HEADER_BYTES = _HEADER.size + 8


def _header(magic: bytes, version: int, *fields: int) -> bytes:
    head = _HEADER.pack(magic, version, *fields, *[0] * (13 - len(fields)))
    return head + struct.pack("<Q", native.checksum(head))


def keys(folder: Path, count: int, parts: int = 1) -> list[Path]:
    """Writes `count` keys of 10-grams in files of KEYS_PER_FILE, each for so many parts; one in 50 is one before it."""
    folder.mkdir(parents=True)
    paths = []
    for number, first in enumerate(range(0, count, KEYS_PER_FILE)):
        size = min(KEYS_PER_FILE, count - first)
        paths.append(folder / f"{number:05}.keys")
        _write_keys(paths[-1], np.random.default_rng([number, 1]), size, number, parts)
    return paths


def _write_keys(path: Path, chance: np.random.Generator, size: int, seed: int, parts: int) -> None:
    """Writes one run of keys per part. The repeated ones are the first keys of the first file of each partition."""
    counts = np.full(PARTITIONS, size // PARTITIONS, "<u4")
    counts[: size % PARTITIONS] += 1
    # Random bits; and of each partition, a share that every file has.
    rest = chance.integers(0, 2**32, size, "<u4")
    starts = np.append(0, np.cumsum(counts, dtype=np.int64))
    shared = int(size // PARTITIONS * REPEATED)
    if shared:
        same = np.random.default_rng([seed // 2, 2]).integers(0, 2**32, (PARTITIONS, shared), "<u4")
        rest[(starts[:-1, None] + np.arange(shared)).ravel()] = same.ravel()
    index = b""
    with path.open("wb") as file:
        file.write(bytes(HEADER_BYTES))
        for part in range(parts):
            first, end = PARTITIONS * part // parts, PARTITIONS * (part + 1) // parts
            section = [counts[first:end].data, rest[starts[first] : starts[end]].data]
            index += struct.pack("<3Q", file.tell(), starts[end] - starts[first], native.checksum_of_pieces(section))
            file.writelines(section)
        offset = file.tell()
        file.write(index)
        file.seek(0)
        file.write(_header(b"CPNGKEYS", 2, 10, 0, parts, offset, native.checksum(index), parts, 0, size))


def verticals(folder: Path, tokens: int) -> list[Path]:
    """Writes VERTICALS verticals with this number of tokens in all, whose n-grams recur: one document in ten is a copy.

    Words are drawn by Zipf's law. The copies are of a tenth of the documents, in any of the verticals.
    """
    folder.mkdir(parents=True)
    texts = np.array([b"w%x" % number for number in range(WORDS_PER_LIST)], object)
    documents = max(1, tokens // DOCUMENT // VERTICALS)
    paths = []
    for number in range(VERTICALS):
        chance = np.random.default_rng([number, 4])
        seeds = np.where(chance.random(documents) < 0.1, chance.integers(0, documents, documents), -1)
        paths.append(folder / f"{number:05}.vert.zst")
        with zstd_writer(paths[-1]) as file:
            for place, seed in enumerate(seeds):
                of = np.random.default_rng([5, seed] if seed >= 0 else [6, number, place])
                drawn = np.minimum(of.zipf(1.15, DOCUMENT), WORDS_PER_LIST) - 1
                file.write(b"<doc>\n<p>\n" + b"\n".join(texts[drawn]) + b"\n</p>\n</doc>\n")
    return paths


def words(folder: Path, lists: int) -> list[Path]:
    """Writes lists of WORDS_PER_LIST words, drawn by Zipf's law: the more lists, the more words are in one of them."""
    folder.mkdir(parents=True)
    paths = []
    for number in range(lists):
        chance = np.random.default_rng([number, 3])
        drawn = np.minimum(chance.zipf(1.15, 4 * WORDS_PER_LIST), 2**38).astype(np.uint64)
        mixed = drawn * np.uint64(0x9E3779B97F4A7C15) >> np.uint64(64 - 5 * LETTERS)
        different, times = np.unique(mixed, return_counts=True)
        different, times = different[:WORDS_PER_LIST], times[:WORDS_PER_LIST]
        paths.append(folder / f"{number:05}.words")
        _write_words(paths[-1], different, times)
    return paths


def _write_words(path: Path, numbers: NDArray[np.uint64], times: NDArray[np.int64]) -> None:
    """Writes a list of words of LETTERS letters, which are numbers of five bits each, in ascending order."""
    shifts = np.arange(5 * (LETTERS - 1), -1, -5, dtype=np.uint64)
    letters = (numbers[:, None] >> shifts & np.uint64(31)).astype(np.uint8) + ord("a")
    shared = np.zeros(len(numbers), np.uint8)
    shared[1:] = np.argmax(letters[1:] != letters[:-1], axis=1)
    frequent = times >= 128
    # Length of the common prefix, length of the rest, the rest, and the frequency in one or two bytes.
    rows = np.zeros((len(numbers), LETTERS + 4), np.uint8)
    rows[:, 0], rows[:, 1], rows[:, 2 : 2 + LETTERS] = shared, LETTERS - shared, letters
    least = np.minimum(times, (1 << 14) - 1)
    rows[:, -2] = np.where(frequent, least & 127 | 128, least)
    rows[:, -1] = least >> 7
    taken = np.ones(rows.shape, bool)
    taken[:, -1] = frequent
    entries, index, before = b"", b"", b""
    for first in range(0, len(numbers), WORDS_PER_BLOCK):
        block = slice(first, first + WORDS_PER_BLOCK)
        rows[first, :2] = 0, LETTERS  # it starts with a whole word
        shared[first] = 0
        taken[block, 2 : 2 + LETTERS] = np.arange(LETTERS) >= shared[block, None]
        written, word = rows[block][taken[block]].tobytes(), letters[first].tobytes()
        common = next((place for place, (a, b) in enumerate(zip(before, word, strict=False)) if a != b), 0)
        index += bytes([common, LETTERS - common]) + word[common:] + _varint(len(written))
        index += struct.pack("<Q", native.checksum(written))
        entries, before = entries + written, word
    blocks = -(-len(numbers) // WORDS_PER_BLOCK)
    nothing = native.checksum(b"")
    fields = (len(numbers), 0, int(least.sum()), len(entries), 0, 0, nothing, blocks, native.checksum(index))
    path.write_bytes(_header(b"CPWORDLS", 2, *fields) + entries + index)


def _varint(number: int) -> bytes:
    """Returns a number as LEB128."""
    digits = []
    while number > 127:
        digits.append(number & 127 | 128)
        number >>= 7
    return bytes([*digits, number])
