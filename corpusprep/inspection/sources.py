"""Finds the earlier documents that have n-grams of a page's blocks, which is why the blocks count as seen before.

Block de-duplication stores how many tokens of a block are covered, not by which documents: that would take more room
than the corpus. So the verticals of all batches are searched for the duplicate n-grams of the one page. A document is
earlier if it comes before the page in the order of de-duplication: by the share of its tokens that duplicate n-grams
cover, then by the stable order (Pomikálek 2011, 3.5).
"""

import dataclasses
import heapq
import itertools
import os
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np
import polars as pl

from corpusprep import languages
from corpusprep._native.ngram_search import NgramSearch
from corpusprep._native.ngrams import word_key
from corpusprep._native.unicode import PUNCTUATION, SYMBOL, unicode_class
from corpusprep.dedup.ngram_keys import NgramKeys
from corpusprep.errors import LanguageError, StageFileError
from corpusprep.inspection.records import RecordKey, batches_of
from corpusprep.inspection.story import BlockStory, Other, Source
from corpusprep.io.files import zstd_chunks
from corpusprep.io.progress import track
from corpusprep.tables import schemas
from corpusprep.tables.batch_files import BatchFiles, corpus_file
from corpusprep.tables.reading import read_table
from corpusprep.tables.verdicts import KEPT
from corpusprep.text.vertical import VerticalDocument, read_documents, unescape

#: Documents whose place in the order is computed: those with the most n-grams of the page.
MOST_DOCUMENTS = 50


@dataclass(frozen=True, slots=True)
class _Selection:
    """The settings that decide which tokens n-grams are made of."""

    count_punctuation: bool
    stop_words: frozenset[str]

    def counted(self, token: str) -> bool:
        if not self.count_punctuation and unicode_class(ord(token[0])) in (PUNCTUATION, SYMBOL):
            return False
        return token not in self.stop_words


@dataclass(slots=True)
class _Tokens:
    """The counted tokens of a document: keys of the words, and the number of each one's block in the vertical."""

    words: list[int]
    blocks: list[int]

    @classmethod
    def of(cls, document: VerticalDocument, selection: _Selection) -> "_Tokens":
        tokens = cls([], [])
        for number, block in enumerate(document.blocks):
            for token in _tokens(block):
                if selection.counted(token):
                    tokens.words.append(word_key(token.encode()))
                    tokens.blocks.append(number)
        return tokens

    def keys(self, n: int) -> list[int]:
        """Returns the key of the n-gram at each position."""
        return [_ngram(tuple(self.words[place : place + n])) for place in range(len(self.words) - n + 1)]


def find_sources(corpus_dir: Path, key: RecordKey, blocks: Sequence[BlockStory]) -> list[BlockStory]:
    """Returns the blocks of a page with the earlier documents that have n-grams of theirs.

    Reads the verticals of the whole corpus: about 30 s per thousand million tokens and core. At most MOST_DOCUMENTS
    documents are named, those with the most n-grams.

    Raises:
        StageFileError: a file is missing or damaged, or the settings of n-grams cannot be found out.
    """
    covered = [block for block in blocks if block.covered_tokens]
    if not covered:
        return list(blocks)
    files = BatchFiles.of(corpus_dir, key.batch)
    about = read_table(files.tokens, schemas.TOKENS, ["record", "document"]).filter(record=key.record)
    number = int(about["document"][0])
    document = next(itertools.islice(read_documents(files.vertical), number, None))
    good = [block for block in blocks if block.counted_tokens is not None]
    selection = _selection(corpus_dir, files, document, [block.counted_tokens or 0 for block in good])
    duplicates = NgramKeys.open(corpus_file(corpus_dir, "duplicates"), verify=False)
    own = _Tokens.of(document, selection)
    at = {place: ngram for place, ngram in enumerate(own.keys(duplicates.n)) if _among(ngram, duplicates)}
    wanted = sorted(set(at.values()))
    position = _share(own, list(at), duplicates.n), _rank(files, number)
    matches = _searched(corpus_dir, wanted, duplicates.n, selection)
    matches.pop((key.batch, number), None)
    earlier = _earlier(corpus_dir, matches, selection, duplicates, position)
    sources: dict[int, list[Source]] = defaultdict(list)
    for other, keys in earlier:
        own_keys = {wanted[ngram] for ngram in keys}
        for index, block in enumerate(good):
            places = [
                place
                for place, ngram in at.items()
                if ngram in own_keys and index in own.blocks[place : place + duplicates.n]
            ]
            tokens = {
                token for place in places for token in range(place, place + duplicates.n) if own.blocks[token] == index
            }
            if places:
                sources[block.number].append(Source(other, len({at[place] for place in places}), len(tokens)))
    for listed in sources.values():
        listed.sort(key=lambda ngram: (-ngram.tokens, -ngram.ngrams, ngram.document.date, ngram.document.url))
    return [
        dataclasses.replace(block, sources=tuple(sources.get(block.number, ()))) if block.covered_tokens else block
        for block in blocks
    ]


def _tokens(block: bytes) -> Iterator[str]:
    """Yields the tokens of a block of a vertical."""
    for line in block.decode("utf-8", "replace").split("\n"):
        if line and not (len(line) > 2 and line[0] == "<" and line[-1] == ">"):
            yield unescape(line.partition("\t")[0])


def _ngram(words: tuple[int, ...]) -> int:
    """Returns the key of an n-gram from the keys of its words (hash.hpp)."""
    key = 0x2545F4914F6CDD1D
    for word in words:
        key = _mix(((key + word) * 0x9E3779B97F4A7C15) & _MASK)
    return key


_MASK = (1 << 64) - 1


def _mix(x: int) -> int:
    x ^= x >> 30
    x = (x * 0xBF58476D1CE4E5B9) & _MASK
    x ^= x >> 27
    x = (x * 0x94D049BB133111EB) & _MASK
    return x ^ (x >> 31)


def _among(key: int, duplicates: NgramKeys) -> bool:
    place = int(np.searchsorted(duplicates.keys, np.uint64(key)))
    return place < duplicates.count and int(duplicates.keys[place]) == key


def _share(tokens: _Tokens, places: Sequence[int], n: int) -> Fraction:
    """Returns the share of counted tokens that duplicate n-grams cover."""
    covered = len({token for place in places for token in range(place, place + n)})
    return Fraction(covered, len(tokens.words)) if tokens.words else Fraction(0)


def _rank(files: BatchFiles, number: int) -> int:
    return int(read_table(files.documents, schemas.DOCUMENTS, ["document", "rank"]).filter(document=number)["rank"][0])


def _selection(corpus_dir: Path, files: BatchFiles, document: VerticalDocument, counted: Sequence[int]) -> _Selection:
    """Finds out which tokens were counted: the settings with which each block has as many as its table says."""
    code = str(read_table(files.language, schemas.LANGUAGE, ["lang"])["lang"][0])
    model = corpus_dir.parent / "languages" / f"{code}.model"
    try:
        stop_words = frozenset(languages.get(model if model.exists() else code).stop_words)
    except LanguageError:
        stop_words = frozenset()
    for punctuation, words in itertools.product((False, True), (stop_words, frozenset[str]())):
        selection = _Selection(punctuation, words)
        counts = [sum(map(selection.counted, _tokens(block))) for block in document.blocks]
        if counts == list(counted):
            return selection
    raise StageFileError(
        f"{files.blocks}: its counted tokens do not fit the language {code}; give the language model that the"
        f" corpus was made with as {model}"
    )


def _searched(
    corpus_dir: Path, wanted: Sequence[int], n: int, selection: _Selection
) -> dict[tuple[str, int], list[tuple[int, int, int]]]:
    """Returns (batch, document) -> the n-grams that it has: (first block, last block, place of the key)."""

    def of_batch(batch: str) -> dict[tuple[str, int], list[tuple[int, int, int]]]:
        search = NgramSearch(n, wanted, selection.count_punctuation, sorted(selection.stop_words))
        matches: dict[tuple[str, int], list[tuple[int, int, int]]] = defaultdict(list)
        for chunk in zstd_chunks(BatchFiles.of(corpus_dir, batch).vertical):
            for number, first, last, key in search.feed(chunk).tolist():
                matches[batch, number].append((first, last, key))
        return matches

    batches = [batch.name for batch in batches_of(corpus_dir)]
    every: dict[tuple[str, int], list[tuple[int, int, int]]] = {}
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for batch_matches in track(pool.map(of_batch, batches), "why: searching batches", len(batches)):
            every |= batch_matches
    return every


def _earlier(
    corpus_dir: Path,
    matches: dict[tuple[str, int], list[tuple[int, int, int]]],
    selection: _Selection,
    duplicates: NgramKeys,
    position: tuple[Fraction, int],
) -> list[tuple[Other, set[int]]]:
    """Returns the documents before a position in the order of de-duplication, with the n-grams of their kept blocks."""
    kept: dict[tuple[str, int], set[int]] = {}
    for batch, group in itertools.groupby(sorted(matches), lambda match: match[0]):
        rows = read_table(BatchFiles.of(corpus_dir, batch).blocks, schemas.BLOCKS)
        numbers = [number for _, number in group]
        rows = rows.filter(pl.col("document").is_in(numbers)).sort("document", "block")
        verdicts: dict[int, list[bool]] = defaultdict(list)
        for number, verdict, counted in rows.select("document", "verdict", "counted_tokens").iter_rows():
            # What is only marked stays in the corpus, but does not count as seen.
            verdicts[number].append(verdict == KEPT or not counted)
        for number in numbers:
            keys = {
                key
                for first, last, key in matches[batch, number]
                if verdicts[number] and all(verdicts[number][first : last + 1])
            }
            if keys:
                kept[batch, number] = keys
    most = heapq.nsmallest(MOST_DOCUMENTS, kept, key=lambda match: (-len(kept[match]), match))
    earlier = []
    for batch, group in itertools.groupby(sorted(most), lambda match: match[0]):
        files = BatchFiles.of(corpus_dir, batch)
        missing = {number for _, number in group}
        ranks = dict(read_table(files.documents, schemas.DOCUMENTS, ["document", "rank"]).iter_rows())
        rows = read_table(files.tokens, schemas.TOKENS, ["document", "record", "id", "url", "date"])
        about = {row["document"]: row for row in rows.filter(pl.col("document").is_in(missing)).iter_rows(named=True)}
        for document in read_documents(files.vertical):
            if document.number not in missing:
                continue
            missing.remove(document.number)
            tokens = _Tokens.of(document, selection)
            places = [place for place, match in enumerate(tokens.keys(duplicates.n)) if _among(match, duplicates)]
            if (_share(tokens, places, duplicates.n), ranks[document.number]) < position:
                row = about[document.number]
                other = Other(row["id"], row["url"] or "", row["date"] or "", batch, row["record"])
                earlier.append((other, kept[batch, document.number]))
            if not missing:
                break
    return earlier
