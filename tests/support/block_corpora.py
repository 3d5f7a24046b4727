"""Small corpora for block de-duplication, a plain implementation of the algorithm, and drivers of the kernels."""

import functools
import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from support.plain_hashes import GOLDEN, MASK, mix64, word_key

from corpusprep._native import blocks as kernel

CODES = {"bad": 0, "short": 1, "near-good": 2, "good": 3}
VERDICTS = ("kept", "duplicate", "stub", "duplicate_document", "near_duplicate")
STOP_WORDS = ("the",)

Ngram = tuple[str, ...]
BlockResult = tuple[int, str]  # covered tokens, verdict


@dataclass(frozen=True)
class Block:
    """A block of a page: its context-free class and its tokens."""

    context_free: str
    tokens: tuple[str, ...]


@dataclass(frozen=True)
class Document:
    """The blocks of a page. Its rank is its place in the list of all documents."""

    blocks: tuple[Block, ...]
    kept: bool = True  # not an exact duplicate

    @property
    def labels(self) -> list[str]:
        """The class of every block after the context-sensitive classification."""
        return algorithm_2_3([block.context_free for block in self.blocks])

    @property
    def good(self) -> list[Block]:
        """The blocks that are in the vertical."""
        return [block for block, label in zip(self.blocks, self.labels, strict=True) if label == "good"]


def page(*blocks: tuple[str, str]) -> Document:
    """A document from (class, text) pairs."""
    return Document(tuple(Block(context_free, tuple(text.split())) for context_free, text in blocks))


def counted(token: str) -> bool:
    """Whether n-grams contain the token: it is neither punctuation nor a stop word."""
    return token[0].isalnum() and token not in STOP_WORDS


def algorithm_2_3(classes: Sequence[str]) -> list[str]:
    """The algorithm of the thesis, line by line."""

    def nearest(indices: Iterable[int], wanted: tuple[str, ...]) -> str:
        return next((classes[i] for i in indices if classes[i] in wanted), "bad")

    result = []
    for i, own in enumerate(classes):
        before, after = range(i - 1, -1, -1), range(i + 1, len(classes))
        stones, not_short = ("good", "bad"), ("good", "near-good", "bad")
        previous, following = nearest(before, stones), nearest(after, stones)
        if own in stones:
            good = own == "good"
        elif own == "near-good":
            good = "good" in (previous, following)
        elif previous == following:
            good = previous == "good"
        elif following == "good":
            good = nearest(before, not_short) == "near-good"
        else:
            good = nearest(after, not_short) == "near-good"
        result.append("good" if good else "bad")
    return result


def positions(document: Document) -> list[int]:
    """Returns the number of the good block of every counted token of a document."""
    return [k for k, block in enumerate(document.good) for token in block.tokens if counted(token)]


def ngrams(document: Document, n: int) -> list[Ngram]:
    """Returns the n-grams of the counted tokens of a document, by position."""
    words = [token for block in document.good for token in block.tokens if counted(token)]
    return [tuple(words[i : i + n]) for i in range(len(words) - n + 1)]


def duplicate_ngrams(documents: Sequence[Document], n: int) -> set[Ngram]:
    """Returns the n-grams that occur at least twice in the documents that were kept."""
    counts = Counter(gram for document in documents if document.kept for gram in ngrams(document, n))
    return {gram for gram, count in counts.items() if count > 1}


def covered_positions(grams: Sequence[Ngram], n: int, seen: Callable[[int, Ngram], bool]) -> set[int]:
    """Returns the positions of counted tokens inside n-grams that are seen."""
    return {i + offset for i, gram in enumerate(grams) if seen(i, gram) for offset in range(n)}


def processing_order(documents: Sequence[Document], n: int) -> list[int]:
    """Sorts documents by ascending share of counted tokens covered by duplicate n-grams, then in the stable order."""
    duplicates = duplicate_ngrams(documents, n)

    def share(document: Document) -> Fraction:
        tokens = len(positions(document))
        covered = covered_positions(ngrams(document, n), n, lambda _, gram: gram in duplicates)
        return Fraction(len(covered), tokens) if tokens else Fraction(0)

    kept = [number for number, document in enumerate(documents) if document.kept]
    return sorted(kept, key=lambda number: (share(documents[number]), number))


def sequential(
    documents: Sequence[Document], n: int, threshold: Fraction, order: Sequence[int] | None = None
) -> dict[int, list[BlockResult]]:
    """Algorithm 3.1 on blocks and the classification of 3.5.2, with sets of n-grams, one document after the other.

    `order` has the documents to process; without it, all that were kept are, in their order.
    """
    output: set[Ngram] = set()
    results = {}
    for number in processing_order(documents, n) if order is None else order:
        document = documents[number]
        block_of, grams = positions(document), ngrams(document, n)
        spans = [set(block_of[i : i + n]) for i in range(len(grams))]
        sizes = [sum(map(counted, block.tokens)) for block in document.good]
        local: set[Ngram] = set()
        covered_tokens, duplicate = [], []
        start, ended = 0, 0  # the block's first position; n-grams that ended before it
        for block, size in zip(document.good, sizes, strict=True):
            earlier = range(ended, start - n + 1)
            local.update(grams[i] for i in earlier if not any(duplicate[b] for b in spans[i]))
            ended = max(ended, start - n + 1)
            inside = {
                position
                for i in range(ended, min(start + size, len(grams)))
                for position in range(max(i, start), min(i + n, start + size))
                if grams[i] in output or grams[i] in local
            }
            covered_tokens.append(len(inside))
            share = Fraction(len(inside), size) if size else Fraction(0)
            duplicate.append(block.context_free in ("good", "near-good") and share >= threshold)
            start += size
        removed = iter(duplicate)
        classes = [
            "bad" if label == "good" and next(removed) else block.context_free
            for block, label in zip(document.blocks, document.labels, strict=True)
        ]
        after = [
            label for label, before in zip(algorithm_2_3(classes), document.labels, strict=True) if before == "good"
        ]
        verdicts = [
            "duplicate" if gone else "kept" if label == "good" else "stub"
            for gone, label in zip(duplicate, after, strict=True)
        ]
        output.update(gram for gram, span in zip(grams, spans, strict=True) if all(verdicts[b] == "kept" for b in span))
        results[number] = list(zip(covered_tokens, verdicts, strict=True))
    return results


def whole_documents(
    documents: Sequence[Document], n: int, threshold: Fraction, *, blocks: bool = False
) -> dict[int, list[BlockResult]]:
    """Algorithm 3.1 on documents; with `blocks`, then on the blocks of each document that stays, without smoothing."""
    output: set[Ngram] = set()
    results = {}
    for number in processing_order(documents, n):
        document = documents[number]
        block_of, grams = positions(document), ngrams(document, n)
        inside = covered_positions(grams, n, lambda _, gram, earlier=output: gram in earlier)
        counts = Counter(block_of[position] for position in inside)
        share = Fraction(len(inside), len(block_of)) if block_of else Fraction(0)
        if share >= threshold:
            results[number] = [(counts[k], "duplicate_document") for k in range(len(document.good))]
        elif blocks:
            results[number], seen = blocks_of(document, n, threshold, output)
            output |= seen
        else:
            results[number] = [(counts[k], "kept") for k in range(len(document.good))]
            output.update(grams)
    return results


def blocks_of(
    document: Document, n: int, threshold: Fraction, output: set[Ngram]
) -> tuple[list[BlockResult], set[Ngram]]:
    """The blocks of one document by algorithm 3.1, without smoothing: their results, and the n-grams that stay."""
    block_of, grams = positions(document), ngrams(document, n)
    spans = [set(block_of[i : i + n]) for i in range(len(grams))]
    verdicts: list[str] = []
    results = []
    for k, block in enumerate(document.good):
        local = {
            gram
            for gram, span in zip(grams, spans, strict=True)
            if max(span) < k and all(verdicts[other] == "kept" for other in span)
        }
        inside = covered_positions(grams, n, lambda _, gram, local=local: gram in output or gram in local)
        own = [position for position, owner in enumerate(block_of) if owner == k]
        covered = len(inside.intersection(own))
        share = Fraction(covered, len(own)) if own else Fraction(0)
        verdicts.append("duplicate" if block.context_free != "short" and share >= threshold else "kept")
        results.append((covered, verdicts[-1]))
    return results, {
        gram for gram, span in zip(grams, spans, strict=True) if all(verdicts[other] == "kept" for other in span)
    }


def as_written(
    documents: Sequence[Document], n: int, threshold: Fraction, *, smoothing: bool = True
) -> dict[int, list[BlockResult]]:
    """Algorithm 3.1 line by line, each good or near-good block being a document; then the classification of 3.5.2."""
    output: set[Ngram] = set()
    results = {}
    for number in processing_order(documents, n):
        document = documents[number]
        found: list[BlockResult] = []
        for block in document.good:
            words = [token for token in block.tokens if counted(token)]
            grams = [tuple(words[i : i + n]) for i in range(len(words) - n + 1)]
            covered = len(covered_positions(grams, n, lambda _, gram: gram in output))
            if block.context_free == "short":
                found.append((covered, "kept"))
            elif words and Fraction(covered, len(words)) >= threshold:
                found.append((covered, "duplicate"))
            else:
                found.append((covered, "kept"))
                output.update(grams)
        results[number] = without_stubs(document, found) if smoothing else found
    return results


def without_stubs(document: Document, found: Sequence[BlockResult]) -> list[BlockResult]:
    """The classification of 3.5.2: duplicates are bad, and good blocks that are no longer good are stubs."""
    verdicts = iter(found)
    classes = [
        "bad" if label == "good" and next(verdicts)[1] == "duplicate" else block.context_free
        for block, label in zip(document.blocks, document.labels, strict=True)
    ]
    after = [label for label, before in zip(algorithm_2_3(classes), document.labels, strict=True) if before == "good"]
    return [
        (covered, "stub" if verdict == "kept" and label == "bad" else verdict)
        for (covered, verdict), label in zip(found, after, strict=True)
    ]


@functools.cache
def ngram_key(gram: Ngram) -> int:
    """Returns the key of an n-gram as in hash.hpp."""
    key = 0x2545F4914F6CDD1D
    for word in gram:
        key = mix64(((key + word_key(word.encode())) * GOLDEN) & MASK)
    return key


def ngram_check(gram: Ngram) -> int:
    """Returns the check of an n-gram as in hash.hpp."""
    total = 0
    for word in gram:
        total = (total + word_key(word.encode())) * 0xD1342543DE82EF95 & MASK
    return total >> 32


def sorted_keys(documents: Sequence[Document], n: int) -> np.ndarray:
    """Returns the keys of all duplicate n-grams, ascending, as `ngrams` finds them."""
    return np.array(sorted(map(ngram_key, duplicate_ngrams(documents, n))), dtype=np.uint64)


def vertical(documents: Iterable[Document]) -> bytes:
    """Returns the vertical of the documents' good blocks."""
    lines = []
    for document in documents:
        lines.append('<doc id="x">')
        for block in document.good:
            lines += ['<p heading="0">', *block.tokens, "</p>"]
        lines.append("</doc>")
    return "".join(f"{line}\n" for line in lines).encode()


def split(documents: Sequence[Document], assignment: Sequence[int]) -> list[list[int]]:
    """Returns batches of document numbers; each value of `assignment` determines the batch of one document."""
    batches: dict[int, list[int]] = {}
    for number in sorted(range(len(documents)), key=lambda i: (assignment[i] * 7919) % 101):
        batches.setdefault(assignment[number] % 4, []).append(number)
    return list(batches.values())


def matcher(
    documents: Sequence[Document],
    batch: Sequence[int],
    n: int,
    keys: int,
    capacity: int,
    store_size: int,
    filter_bytes: int = 0,
) -> kernel.Matcher:
    """Returns the kernel for one batch of the documents."""
    members = [documents[number] for number in batch]
    classes = [
        [CODES[block.context_free] + 4 * (label == "good") for block, label in zip(d.blocks, d.labels, strict=True)]
        if d.kept
        else []
        for d in members
    ]
    return kernel.Matcher(
        n,
        keys,
        99,
        False,
        STOP_WORDS,
        np.array([d.kept for d in members], dtype=np.uint8),
        np.array(batch, dtype=np.uint64),
        np.array([0, *itertools.accumulate(map(len, classes))], dtype=np.uint64),
        np.array(list(itertools.chain.from_iterable(classes)), dtype=np.uint8),
        capacity,
        store_size,
        filter_bytes,
    )


def pieces(data: bytes, size: int) -> Iterator[bytes]:
    """Yields the data in pieces of up to `size` bytes, then an empty piece."""
    yield from (data[start : start + size] for start in range(0, len(data), size))
    yield b""


def worked(merge: kernel.RunMerge | kernel.VerdictPass, streams: Sequence[bytes], piece: int) -> list[bytes]:
    """Returns the outputs of a merge that gets its streams in small pieces."""
    outputs = [b""] * len(streams)
    while (state := merge.work()) != kernel.DONE:
        if state == kernel.NEEDS_INPUT:
            merge.feed(merge.stream, streams[merge.stream][merge.wanted : merge.wanted + piece])
        else:
            outputs[merge.stream if isinstance(merge, kernel.VerdictPass) else 0] += merge.output(merge.stream)
    if isinstance(merge, kernel.RunMerge):
        return [b"".join(outputs) + merge.output(0)]
    return [output + merge.output(stream) for stream, output in enumerate(outputs)]


def matched(
    documents: Sequence[Document],
    batch: Sequence[int],
    n: int,
    *,
    capacity: int = 1 << 20,
    store_size: int = 1 << 20,
    filter_bytes: int = 0,
    piece: int = 1 << 16,
) -> bytes:
    """Returns the stream of matches of one batch; small sizes give many chunks and runs."""
    keys = sorted_keys(documents, n)
    found = matcher(documents, batch, n, len(keys), capacity, store_size, filter_bytes)
    found.filter(keys)
    runs = []

    def join() -> None:
        found.begin_join(len(keys))
        for first in range(0, len(keys), 3):
            some = keys[first : first + 3]
            found.join(some, np.arange(first, first + len(some), dtype=np.uint64))
        while not found.collect():
            runs.append(b"".join(found.run()))

    for part in pieces(vertical(documents[number] for number in batch), piece):
        found.feed(part)
        if found.chunk_full:
            join()
    found.finish()
    join()
    runs.append(b"".join(found.run()))
    return worked(kernel.RunMerge(len(runs), n, len(keys), 99, 1), runs, piece)[0] if len(runs) > 1 else runs[0]


def deduplicated(
    documents: Sequence[Document],
    batches: Sequence[Sequence[int]],
    n: int,
    threshold: Fraction,
    choices: Mapping[str, bool] | None = None,
    **sizes: int,
) -> dict[int, list[BlockResult]]:
    """Returns the verdicts of the kernels on every good block of every kept document; `choices` of VerdictPass."""
    streams = [matched(documents, batch, n, **sizes) for batch in batches]
    keys = len(duplicate_ngrams(documents, n))
    merge = kernel.VerdictPass(len(streams), n, keys, 99, float(threshold), 1, **choices or {})
    results: dict[int, list[BlockResult]] = {}
    for batch, stream in zip(batches, worked(merge, streams, sizes.get("piece", 1 << 16)), strict=True):
        table = kernel.VerdictTable()
        for part in pieces(stream, 1 << 16):
            table.feed(part)
        numbers, sizes_of, covered, codes = table.columns()
        rows = iter(zip(covered.tolist(), (VERDICTS[code] for code in codes), strict=True))
        for number, size in zip(numbers, sizes_of, strict=True):
            assert batch[number] not in results
            results[batch[number]] = list(itertools.islice(rows, size))
    return results
