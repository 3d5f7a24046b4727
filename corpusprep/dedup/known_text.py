"""Finds blocks whose text another corpus has (`blocks: {against: …}`): its n-grams count as seen before all others.

The n-grams of the other corpora are a file of sorted keys (ngram_keys), made once. Each batch looks its own up there.
So what is left out depends on the text alone, and not on the order of anything. The stage `language` leaves it out: it
is not in the vertical, and no n-gram of it counts in de-duplication.
"""

import contextlib
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from html import unescape
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from corpusprep import languages
from corpusprep._native import ngrams as native
from corpusprep._native.unicode import PUNCTUATION, SYMBOL, unicode_class
from corpusprep.archive import inputs, plain_text
from corpusprep.archive.batches import batch_names
from corpusprep.archive.patterns import expand
from corpusprep.archive.stored_lines import lines
from corpusprep.archive.stored_streams import StoredFile
from corpusprep.dedup.ngram_keys import HEADER_BYTES, NgramKeys, write_header
from corpusprep.errors import ArchiveError, StageFileError
from corpusprep.io import memory as limits
from corpusprep.io.files import CHUNK, replacing, scratch
from corpusprep.io.progress import track
from corpusprep.io.spill import PartitionFiles
from corpusprep.tables import schemas
from corpusprep.tables.batch_files import BatchFiles, corpus_file
from corpusprep.tables.good_texts import good_texts
from corpusprep.tables.verdicts import KEPT
from corpusprep.text.listed_words import read_words
from corpusprep.text.made_tokenizer import made_tokenizer
from corpusprep.text.own_tokenizer import OwnTokenizer
from corpusprep.text.tokenizer import Tokenizer

#: The verdict on blocks, and on documents of which nothing is left.
AGAINST = "against"
#: Kinds of inputs that are corpora: each record is a text.
_TEXTS = frozenset({"json", "parquet", "vertical", "text"})
_PARAGRAPH = re.compile(r"<(?:p|h2)>(.*)</(?:p|h2)>")
#: Keys that are held before they are spilled, and files that they are spilled to by their first bits.
_HELD, _PARTITIONS = 1 << 20, 256
_KEY = np.dtype([("key", "<u8")])
#: Distinct tokens whose keys are remembered.
_TOKENS = 1 << 18
#: Bytes of these tokens, the keys that are held, and a document.
_FIXED = 150 << 20
#: Lines of a text that are one document.
_LINES = 1000
_LINE_LIMIT = 1 << 24
_TEXT_LIMIT = 200_000_000


@dataclass(slots=True, frozen=True)
class KnownSettings:
    """What decides whether other corpora have a text: the model, settings of `tokens`, `ngrams` and `blocks`."""

    model: str
    unspaced: str = "characters"
    own: str | None = None
    code: str = "."
    n: int = 10
    exclude_punctuation: bool = True
    exclude_stopwords: bool = True
    threshold: float = 0.5
    unit: str = "block"
    words: str | None = None

    def counting(self) -> "Counting":
        """Returns how n-grams are made."""
        language = languages.get(self.model)
        return Counting(
            made_tokenizer(language, self.unspaced, self.own, Path(self.code), words=read_words(self.words)),
            self.n,
            not self.exclude_punctuation,
            frozenset(language.stop_words) if self.exclude_stopwords else frozenset(),
        )


@dataclass(slots=True)
class Counting:
    """How n-grams are made of a text: the settings of `tokens` and `ngrams`.

    Attributes:
        tokenizer: of the corpus.
        n: tokens of an n-gram.
        count_punctuation: whether tokens that start with punctuation or a symbol are counted.
        stop_words: tokens that are not counted, in all their forms.
    """

    tokenizer: Tokenizer | OwnTokenizer
    n: int
    count_punctuation: bool
    stop_words: frozenset[str]
    _keys: dict[str, int | None] = field(default_factory=dict)

    def words(self, text: str) -> list[int]:
        """Returns the keys of the counted tokens of a text."""
        if len(self._keys) > _TOKENS:
            self._keys.clear()
        known = self._keys
        keys = [known[token] if token in known else self._learn(token) for token, _ in self.tokenizer.tokenize(text)]
        return [key for key in keys if key is not None]

    def _learn(self, token: str) -> int | None:
        counted = token not in self.stop_words and (
            self.count_punctuation or unicode_class(ord(token[0])) not in (PUNCTUATION, SYMBOL)
        )
        self._keys[token] = native.word_key(token.encode()) if counted else None
        return self._keys[token]


def ngram_keys(words: NDArray[np.uint64], n: int) -> NDArray[np.uint64]:
    """Returns the key of the n-gram at each place (hash.hpp), from the keys of its words."""
    keys = np.full(max(0, len(words) - n + 1), 0x2545F4914F6CDD1D, np.uint64)
    for place in range(n if len(keys) else 0):
        keys = (keys + words[place : place + len(keys)]) * np.uint64(0x9E3779B97F4A7C15)
        keys ^= keys >> np.uint64(30)
        keys *= np.uint64(0xBF58476D1CE4E5B9)
        keys ^= keys >> np.uint64(27)
        keys *= np.uint64(0x94D049BB133111EB)
        keys ^= keys >> np.uint64(31)
    return keys


def files_of(sources: Iterable[str]) -> list[Path]:
    """Returns the files of other corpora: the verticals of a folder of results, or files as archives are named.

    Raises:
        ArchiveError: there is none, or a file is no corpus.
    """
    files: list[Path] = []
    for source in sources:
        folder = Path(source)
        plan = corpus_file(folder, "plan")
        if plan.is_file():
            files += [BatchFiles.of(folder, batch).corpus_vertical for batch in batch_names(plan)]
        else:
            files += expand([source])
    return sorted(dict.fromkeys(files))


def write_known(sources: Iterable[str], settings: KnownSettings, keys: Path, said: Path, memory: int) -> None:
    """Writes the keys of all n-grams of other corpora, in bounded memory, and the settings for those who read them.

    Args:
        sources: folders of results, or files: JSON lines, Parquet, verticals, texts.
        settings: how n-grams are made, and when a block is known.
        keys: the file of the keys.
        said: the file of the settings.
        memory: bytes that the process may use.

    Raises:
        ArchiveError: a file cannot be read, or is no corpus.
        ResourceError: `memory` is too little.
    """
    counting = settings.counting()
    tokens = ngrams = 0
    with scratch(keys) as folder:
        parts = PartitionFiles(folder / "keys", _KEY)
        held: list[NDArray[np.uint64]] = []
        size = 0

        def spill() -> None:
            values = np.unique(np.concatenate([np.empty(0, np.uint64), *held]))
            parts.add((values >> np.uint64(56)).astype(np.int64), values.view(_KEY))
            held.clear()

        for document in track(_documents(files_of(sources)), "against: documents"):
            words = [key for text in document for key in counting.words(text)]
            found = ngram_keys(np.array(words, np.uint64), counting.n)
            tokens, ngrams, size = tokens + len(words), ngrams + len(found), size + len(found)
            held.append(found)
            if size >= _HELD:
                spill()
                size = 0
        spill()
        needed = _FIXED + 4 * _KEY.itemsize * ngrams // _PARTITIONS
        limits.budget(memory, needed, f"{ngrams:,} n-grams of other corpora")
        _write(parts, counting.n, tokens, ngrams, keys)
    with replacing(said) as temporary:
        temporary.write_text(json.dumps(asdict(settings), sort_keys=True), encoding="utf-8")


def _write(parts: PartitionFiles, n: int, tokens: int, ngrams: int, output: Path) -> None:
    """Writes the file of the keys of all partitions, which are in ascending order."""
    count = 0
    with replacing(output) as temporary, temporary.open("w+b") as file:
        file.write(bytes(HEADER_BYTES))
        for number in range(_PARTITIONS):
            values = [rows["key"] for rows in parts.take(number)]
            if values:
                distinct = np.unique(np.concatenate(values))
                file.write(distinct.astype("<u8").tobytes())
                count += len(distinct)
        ones = np.ones(CHUNK // 4, "<u4").tobytes()
        left = 4 * count
        while left:
            left -= file.write(ones[: min(left, len(ones))])
        file.seek(HEADER_BYTES)
        checksum = native.checksum_of_pieces(iter(lambda: file.read(CHUNK), b""))
        write_header(file, n, count, count, ngrams, tokens, checksum)


def _documents(files: Sequence[Path]) -> Iterator[list[str]]:
    """Yields the blocks of each document of corpora.

    Raises:
        ArchiveError: a file is no corpus.
    """
    for path in files:
        kind = inputs.kind(path)
        if kind not in _TEXTS:
            raise ArchiveError(
                f"{path}: no corpus to compare with; give JSON lines, Parquet, a vertical or a text (.txt)"
            )
        if kind == "text":
            yield from _of_text(path)
            continue
        for record in inputs.records(path, _TEXT_LIMIT):
            if record.record_type == plain_text.RECORD_TYPE and record.verdict is None:
                yield [unescape(text) for text in _PARAGRAPH.findall(record.body.decode("utf-8", "replace"))]
            elif record.verdict == "damaged":
                raise ArchiveError(f"{path}: damaged at byte {record.offset:,}; write or fetch it again")


def _of_text(path: Path) -> Iterator[list[str]]:
    block: list[str] = []
    with contextlib.closing(StoredFile(path)) as stored:
        for line in lines(stored, _LINE_LIMIT):
            try:
                block.append((line.data or b"").decode("utf-8-sig"))
            except UnicodeDecodeError:
                raise ArchiveError(f"{path}: not UTF-8; convert the file first (iconv -t utf-8)") from None
            if len(block) >= _LINES:
                yield block
                block = []
        yield block


class KnownText:
    """The n-grams of other corpora, and how blocks are compared with them."""

    def __init__(self, keys: NgramKeys, counting: Counting, threshold: float, unit: str) -> None:
        """Takes the keys; from `threshold` on, the share of covered counted tokens makes a block (`unit`) known."""
        if keys.n != counting.n:
            raise StageFileError(
                f"the n-grams of other corpora have {keys.n} tokens, not {counting.n}; run `against` again"
            )
        self._keys, self._counting = keys.keys, counting
        self._threshold, self._unit = threshold, unit

    @classmethod
    def open(cls, keys: Path, said: Path) -> "KnownText":
        """Opens what `write_known` has written.

        Raises:
            StageFileError: a file is missing or damaged.
        """
        try:
            settings = KnownSettings(**json.loads(said.read_bytes()))
        except FileNotFoundError:
            raise StageFileError(f"{said}: no such file; run `corpusprep step against` first") from None
        except (ValueError, TypeError):
            raise StageFileError(f"{said}: damaged; run `corpusprep step against` again") from None
        return cls(NgramKeys.open(keys), settings.counting(), settings.threshold, settings.unit)

    def known(self, texts: Sequence[str]) -> list[bool]:
        """Returns which blocks of a document other corpora have."""
        words = [self._counting.words(text) for text in texts]
        joined = np.array([key for of_block in words for key in of_block], np.uint64)
        found = ngram_keys(joined, self._counting.n)
        places = np.minimum(np.searchsorted(self._keys, found), max(0, len(self._keys) - 1))
        hits = self._keys[places] == found if len(self._keys) else np.zeros(len(found), np.bool_)
        ends = np.zeros(len(joined) + 1, np.int64)
        starts = np.flatnonzero(hits)
        np.add.at(ends, starts, 1)
        np.add.at(ends, starts + self._counting.n, -1)
        covered = np.cumsum(ends[:-1]) > 0
        bounds = np.cumsum([0, *map(len, words)])
        sums = np.concatenate([[0], np.cumsum(covered)])
        of_blocks = sums[bounds[1:]] - sums[bounds[:-1]]
        if self._unit != "block" and self._reaches(int(sums[-1]), len(joined)):
            return [True] * len(texts)
        if self._unit == "document":
            return [False] * len(texts)
        return [self._reaches(int(part), len(of_block)) for part, of_block in zip(of_blocks, words, strict=True)]

    def _reaches(self, covered: int, counted: int) -> bool:
        return covered > 0 and covered >= self._threshold * counted


def without_known(table: pl.DataFrame, boilerplate: Path, known: KnownText) -> pl.DataFrame:
    """Returns the table schemas.LANGUAGE of a batch without what other corpora have.

    Blocks of documents that stay are left out, and named in `against`. A document of which nothing is left has the
    verdict AGAINST.

    Raises:
        StageFileError: the table of blocks cannot be read.
    """
    kept = table.filter(verdict=KEPT).select("record", pl.col("left_out").fill_null([]))
    rows: list[tuple[int, list[int], list[int], str]] = []
    texts = zip(kept.iter_rows(), good_texts(boilerplate, kept), strict=True)
    for (record, left_out), text in track(texts, "against: documents", kept.height):
        out = [block for block, is_known in zip(text.blocks, known.known(text.texts), strict=True) if is_known]
        whole = len(out) == len(text.blocks) > 0
        rows.append((record, [], [], AGAINST) if whole else (record, sorted([*left_out, *out]), out, KEPT))
    decided = pl.DataFrame(
        rows,
        schema={name: schemas.LANGUAGE[name] for name in ("record", "left_out", "against", "verdict")},
        orient="row",
    )
    return table.update(decided, on="record").select(schemas.LANGUAGE.names())
