"""Word lists of a corpus: made once, kept beside it, and found again as long as its text stays the same.

A list is a Parquet table in the folder `word-lists` of the corpus. Its name has a digest of the corpus's text and of
what is listed, so a list of an older text is never read. Lists of older texts are removed when a new one is written.
"""

import hashlib
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import polars as pl

from corpusprep import __version__
from corpusprep.errors import ConfigError
from corpusprep.inspection import counting
from corpusprep.inspection.condition_reader import check_expression
from corpusprep.inspection.conditions import whole
from corpusprep.inspection.counting import LONGEST_NGRAM
from corpusprep.inspection.item_counts import COUNTS
from corpusprep.inspection.kept_checksums import kept_checksums
from corpusprep.inspection.keyness import Frequencies, variance_over_hosts
from corpusprep.inspection.numbered_tokens import Attribute, T, documents_of, in_batches
from corpusprep.inspection.query import LOWER
from corpusprep.inspection.records import batches_of
from corpusprep.inspection.subcorpora import DOCUMENTS, WHOLE, Documents, Part
from corpusprep.io.files import scratch
from corpusprep.io.memory import budget
from corpusprep.io.progress import is_shown, track
from corpusprep.tables.batch_files import BatchFiles
from corpusprep.tables.crawl_files import refuse_crawl
from corpusprep.tables.key_sums import KeySums
from corpusprep.tables.reading import TablePieces, read_table, reading
from corpusprep.tables.sorted_frames import SortedFrames
from corpusprep.tables.writing import TableWriter, write_table

#: The folder of the lists.
FOLDER = "word-lists"
#: A list: items in the order of their words, with what is counted of each.
LIST = pl.Schema({"item": pl.String} | dict(COUNTS))
#: How lists can be sorted.
SORTS = ("frequency", "documents", "hosts", "arf", "dp", "item")
#: Bytes for a list, beside the sorted words; also for each batch that is read at the same time.
_LEAST = 200_000_000
#: Rows of a list that are read at once, and bytes that one takes while it is sorted.
_ROWS_AT_ONCE, _BYTES_PER_ROW = 1 << 17, 600
_KEPT = re.compile(r"([0-9a-f]{16})-[\w.-]+\.parquet")


@dataclass(frozen=True)
class Corpus:
    """A corpus whose items are counted.

    Attributes:
        folder: of the corpus.
        columns: names of the columns of its vertical, the word first.
        memory: bytes that counting may take.
        threads: batches that are read at the same time, where the memory is enough.
    """

    folder: Path
    columns: tuple[str, ...] = ("word",)
    memory: int = 1_000_000_000
    threads: int = 1

    @cached_property
    def batches(self) -> list[str]:
        """The names of its batches.

        Raises:
            StageFileError: there is no corpus in the folder.
        """
        refuse_crawl(self.folder)
        return [batch.name for batch in batches_of(self.folder)]

    @cached_property
    def digest(self) -> str:
        """A digest of its text: of the files that it is read from, and of the version of the program."""
        paths: list[Path] = []
        batches: list[str] = []
        for batch in self.batches:
            files = BatchFiles.of(self.folder, batch)
            read = [files.corpus_vertical, files.quality]
            if not read[0].exists():
                read += [files.documents, files.blocks, files.vertical, files.annotated]
            there = [path for path in read if path.exists()]
            paths += there
            batches += [batch] * len(there)
        checksums = kept_checksums(self.folder, FOLDER, paths)
        lines = (f"{batch} {known}\n" for batch, known in zip(batches, checksums, strict=True))
        return hashlib.blake2b(f"{__version__}\n{''.join(lines)}".encode(), digest_size=8).hexdigest()

    def attribute(self, name: str) -> Attribute:
        """Returns an attribute of its tokens.

        Raises:
            ConfigError: the vertical has no such column.
        """
        if name in self.columns:
            return Attribute(self.columns.index(name))
        if name == LOWER:
            return Attribute(0, lowered=True)
        known = ", ".join(dict.fromkeys((*self.columns, LOWER)))
        raise ConfigError(f"attribute {name}: there is {known}; name the columns of the vertical with --columns")

    @property
    def documents_table(self) -> Path:
        """The table of its documents, which `documents` makes."""
        return self._path("documents")

    def documents(self, part: Part = WHOLE) -> Documents:
        """Returns the documents of a part."""
        path = self.documents_table
        if not path.exists():
            numbers = in_batches(
                self.batches, lambda number, batch: documents_of(self.folder, number, batch), self.threads
            )
            rows = pl.concat([DOCUMENTS.to_frame(), *shown(numbers, "documents: batches", len(self.batches))])
            keys = [pl.col("line").str.extract(rf'\s{name}="([^"]*)"').fill_null("") for name in ("date", "url", "id")]
            write_table(rows.sort(*keys, "line", "batch", "document"), DOCUMENTS, path)
            self._remove_older()
        return Documents(path, part)

    def words(self, attribute: str, ngrams: int = 1, part: Part = WHOLE) -> "WordList":
        """Returns the list of the values of an attribute, or of their n-grams, in a part of the corpus.

        Raises:
            ConfigError: there is no such attribute, or n-grams are too long.
            ResourceError: the memory is too little.
        """
        counted = self.attribute(attribute)
        if not 1 <= ngrams <= LONGEST_NGRAM:
            raise ConfigError(f"n-grams of {ngrams} tokens: choose 1 to {LONGEST_NGRAM}")
        documents = self.documents(part)
        place = f"{attribute if attribute in self.columns else LOWER}-{counted.column}"
        rest = "not " if part.negated else ""
        chosen = f"-{_digest(rest + part.text)}" if part.condition else ""
        path = self._path(f"{_digest(place)}-{ngrams}{chosen}")
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            with scratch(path) as folder:
                if ngrams > 1:
                    lexicon = read_table(self.words(attribute, 1, part).path, LIST, ["item", "frequency"])
                else:
                    lexicon = self._lexicon(documents, counted, folder)
                self._write(path, documents, counted, lexicon, ngrams, folder)
            self._remove_older()
        return WordList(path, documents, self.memory)

    def _lexicon(self, documents: Documents, attribute: Attribute, folder: Path) -> pl.DataFrame:
        """Returns the sorted words of a part, with their frequencies."""
        with KeySums(folder, self.memory // 16) as sums:
            batches = counting.frequencies(self.folder, self.batches, documents, attribute, sums, self._readers)
            for _ in shown(batches, "words: batches", len(self.batches)):
                pass
            empty = pl.DataFrame(schema={"key": pl.String, "frequency": pl.Int64})
            words = pl.concat([empty, *sums.sums()]).rename({"key": "item"}).rechunk()
        if attribute.column and words.height == 1 and words["item"][0] == "":
            raise ConfigError(f"{self.folder}: no token has a column {attribute.column + 1}; correct --columns")
        return words

    def _write(
        self, path: Path, documents: Documents, attribute: Attribute, lexicon: pl.DataFrame, ngrams: int, folder: Path
    ) -> None:
        memory = budget(self.memory, _LEAST, "counting words")
        frames = counting.occurrences(
            self.folder, self.batches, documents, attribute, lexicon, ngrams, folder, memory, self._readers
        )
        said = f"{ngrams}-grams: batches" if ngrams > 1 else "places of words: batches"
        with TableWriter(path, LIST) as table:
            for _ in shown((next(frames) for _ in self.batches), said, len(self.batches)):
                pass
            for frame in frames:
                if frame is not None and frame.height:
                    table.extend(frame)

    @property
    def _readers(self) -> int:
        return max(1, min(self.threads, self.memory // _LEAST - 1))

    def _path(self, name: str) -> Path:
        return self.folder / FOLDER / f"{self.digest}-{name}.parquet"

    def _remove_older(self) -> None:
        """Removes the lists of older texts."""
        for path in (self.folder / FOLDER).iterdir():
            if (match := _KEPT.fullmatch(path.name)) and match[1] != self.digest:
                path.unlink(missing_ok=True)


@dataclass(frozen=True)
class WordList:
    """A list that is kept.

    Attributes:
        path: the table LIST.
        documents: the part of the corpus that was counted.
        memory: bytes that reading it may take.
    """

    path: Path
    documents: Documents
    memory: int = 1_000_000_000

    def first(
        self, pattern: str = "", least: int = 1, sort: str = "frequency", limit: int = 0
    ) -> tuple[pl.DataFrame, int]:
        """Returns the first items of the list in an order, ties by item, and the number of all that match.

        Args:
            pattern: a regular expression that items match as a whole; empty: all.
            least: the smallest frequency.
            sort: one of SORTS: the largest numbers first, items in their order.
            limit: the most rows; 0: all.

        Returns:
            A frame with the columns LIST and `per_million`, and the number.

        Raises:
            PatternError: the expression is wrong.
        """
        where = passing(pattern, least)
        listed = None
        if limit and not pattern and sort != "item":  # reading all columns of all rows would take longer
            best, listed = pl.Series(sort, [], LIST[sort]), 0
            for numbers in self.pieces([sort], where):
                listed += numbers.height
                best = pl.concat([best, numbers[sort]]).top_k(limit)
            if best.len():
                where &= pl.col(sort) >= best.min()
        with self._sorted(where, sort, limit) as rows:
            return pl.concat(rows.sorted()), rows.added if listed is None else listed

    def in_order(self, pattern: str = "", least: int = 1, sort: str = "frequency") -> Iterator[pl.DataFrame]:
        """Yields what `first` returns without a limit, in pieces, within the memory.

        Raises:
            PatternError: the expression is wrong.
        """
        where = passing(pattern, least)
        if sort == "item":
            yield from map(self._with_share, self.pieces(LIST, where))
            return
        with self._sorted(where, sort) as rows:
            yield from rows.sorted()

    def pieces(self, columns: Iterable[str], where: pl.Expr) -> Iterator[pl.DataFrame]:
        """Yields columns of the rows that pass a condition, in the order of the list, at least one frame."""
        table = TablePieces(self.path, columns, min(_ROWS_AT_ONCE, self.rows), where)
        yield table.empty
        yield from table

    def _sorted(self, where: pl.Expr, sort: str, limit: int = 0) -> SortedFrames:
        order = [pl.col("item")] if sort == "item" else [-pl.col(sort), pl.col("item")]
        rows = SortedFrames(self.path, order, self.rows, limit)
        for piece in self.pieces(LIST, where):
            rows.add(self._with_share(piece))
        return rows

    def _with_share(self, rows: pl.DataFrame) -> pl.DataFrame:
        millions = 1e6 / max(1, self.documents.tokens)
        return rows.with_columns(per_million=(pl.col("frequency") * millions).round(4))

    @property
    def tokens(self) -> int:
        """The tokens of the part."""
        return self.documents.tokens

    @property
    def rows(self) -> int:
        """The most rows in memory."""
        return max(1, self.memory // _BYTES_PER_ROW)

    def frequencies(self, items: pl.Series, running: int = 0) -> Frequencies:
        """Returns the frequencies of items, with their variances over hosts; items that it does not have have 0.

        Args:
            items: the items.
            running: number of tokens that they are compared with; 0: all.
        """
        within = pl.col("item").is_between(pl.lit(items.min(), pl.String), pl.lit(items.max(), pl.String))
        with reading(self.path):
            table = pl.scan_parquet(self.path, glob=False).filter(within)
            found = table.join(pl.LazyFrame({"item": items}), on="item", how="semi")
            known = found.select("item", "frequency", "squares", "products").collect(engine="streaming")
        rows = pl.DataFrame({"item": items}).join(known, on="item", how="left", maintain_order="left").fill_null(0)
        counts = rows["frequency"].to_numpy().astype(np.float64)
        sizes = self.documents.unit_sizes.astype(np.float64)
        variances = variance_over_hosts(
            counts,
            rows["squares"].to_numpy(),
            rows["products"].to_numpy(),
            self.documents.tokens,
            self.documents.hosts,
            float((sizes**2).sum()),
        )
        return Frequencies(counts, running or self.documents.tokens, variances)


def passing(pattern: str, least: int) -> pl.Expr:
    """Returns the condition that an item matches a regular expression as a whole, and is as frequent as `least`.

    Raises:
        PatternError: the expression is wrong.
    """
    frequent = pl.col("frequency") >= least
    if not pattern:
        return frequent
    check_expression(pattern)
    return frequent & pl.col("item").str.contains(whole(pattern))


def cores() -> int:
    """Returns the number of cores of this machine."""
    return os.cpu_count() or 1


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=6).hexdigest()


def shown(items: Iterable[T], what: str, total: int) -> Iterator[T]:
    """Yields items; on a terminal, or on a page, shows how many are done."""
    return track(items, what, total) if is_shown() else iter(items)
