"""Writes the blocks of pages, measured and classified (stage `boilerplate`; Pomikálek 2011, 2.7). Keeps all as rows."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from corpusprep import languages
from corpusprep.archive.accepted_pages import accepted_pages
from corpusprep.encoding import charsets
from corpusprep.errors import OwnCodeError
from corpusprep.io.progress import track
from corpusprep.pages import html
from corpusprep.pages.algorithms.interface import ALONE, LABELS, VERDICTS, Algorithm, Classes
from corpusprep.pages.features import KINDS
from corpusprep.pages.markup_blocks import MarkupSegmenter
from corpusprep.pages.segmentation import TAGS, Blocks, Segmenter, title_of
from corpusprep.tables import schemas
from corpusprep.tables.reading import read_table
from corpusprep.tables.verdicts import KEPT
from corpusprep.tables.writing import TableWriter

CHUNK_BYTES = 8_000_000  # of pages that are segmented before their blocks become rows


class References:
    """The reference pages of the hosts of a batch."""

    def __init__(self, encoding: pl.DataFrame, tables: Sequence[Path]) -> None:
        """Reads the reference pages of the batch's hosts: its table of `encoding`, and the tables of all batches."""
        pages = encoding.filter(verdict=KEPT)
        hosts = pages.select("host").unique()
        found = [read_table(table, schemas.REFERENCES).join(hosts, on="host", how="semi") for table in tables]
        rows = pl.concat(found) if found else pl.DataFrame(schema=schemas.REFERENCES)
        self._pages = {
            (host, stand_in): (digest, body, name)
            for host, stand_in, digest, body, name in rows.select(
                "host", "stand_in", "page_digest", "body", "encoding"
            ).iter_rows()
        }
        self._records = {
            record: (host, digest) for record, host, digest in pages.select("record", "host", "page_digest").iter_rows()
        }

    def of(self, records: Sequence[int]) -> tuple[list[tuple[bytes, str]], NDArray[np.int64]]:
        """Returns (body and encoding of each reference page, number of each record's reference page).

        The reference pages are numbered after the records. ALONE: the host has no other page. A page with the same
        bytes as its reference page is compared with a substitute for it.
        """
        numbers: dict[tuple[str, bool], int] = {}
        bodies: list[tuple[bytes, str]] = []
        against = np.full(len(records), ALONE, np.int64)
        for place, record in enumerate(records):
            host, digest = self._records[record]
            if (host, False) not in self._pages:
                continue
            key = (host, digest == self._pages[host, False][0])
            if key not in numbers:
                numbers[key] = len(records) + len(bodies)
                bodies.append(self._pages[key][1:])
            against[place] = numbers[key]
        return bodies, against


class _Chunks:
    """Turns pages into rows. Many pages are segmented and classified at once, which is faster in Python."""

    def __init__(
        self,
        batch: str,
        segmenter: Segmenter | MarkupSegmenter,
        classifier: Algorithm,
        blocks: TableWriter,
        references: References | None = None,
    ) -> None:
        self._blocks = blocks
        self.pages: list[pl.DataFrame] = []
        self._batch = batch
        self._segmenter = segmenter
        self._classifier = classifier
        self._references = references
        self._waiting: list[tuple[int, str, int, str]] = []  # record, title, undecodable, verdict of the parser
        self._bytes = 0

    def add(self, record: int, name: str, body: bytes) -> None:
        """Decodes, parses and segments a page."""
        text, undecodable = charsets.decode(body, name)
        root, verdict = None, KEPT
        if isinstance(self._segmenter, MarkupSegmenter):
            title = self._segmenter.add(text)
        else:
            try:
                root = html.parse(text)
            except html.PageError as error:
                verdict = error.verdict
            self._segmenter.add(root)
            title = title_of(root)
        self._waiting.append((record, title, undecodable, verdict))
        self._bytes += len(body)
        if self._bytes >= CHUNK_BYTES:
            self.flush()

    def flush(self) -> None:
        """Classifies the waiting pages and turns them into rows."""
        blocks, classes = self._classify()
        first = blocks.pages[:-1]
        sizes = np.diff(blocks.pages)
        records, titles, undecodable, parsed = zip(*self._waiting, strict=True) if self._waiting else ([],) * 4
        within_page = np.arange(len(blocks)) - np.repeat(first, sizes)
        self._blocks.extend(
            pl.DataFrame(
                {
                    "record": np.repeat(np.array(records, np.uint32), sizes),
                    "block": within_page.astype(np.uint32),
                    "tag": _named(blocks.tags, TAGS),
                    "heading": blocks.heading,
                    "text": pl.Series(blocks.column(), dtype=pl.String),
                    "words": blocks.words,
                    "link_density": blocks.link_density,
                    "stopword_density": blocks.stopword_density,
                    "context_free_label": _named(classes.context_free, LABELS),
                    "label": _named(classes.good, ("bad", "good")),
                    "verdict": _named(classes.verdicts, VERDICTS),
                    **_scored(blocks, classes),
                }
            ).select(pl.lit(self._batch).alias("batch"), pl.all())
        )
        good = _sums(classes.good, first)
        verdicts = np.where(sizes == 0, "no_text", np.where(good == 0, "no_good_block", KEPT))
        self.pages.append(
            pl.DataFrame(
                {
                    "record": np.array(records, np.uint32),
                    "title": pl.Series(titles, dtype=pl.String),
                    "undecodable": np.array(undecodable, np.uint32),
                    "invisible": blocks.invisible,
                    "blocks": sizes,
                    "words": _sums(blocks.words, first),
                    "good_blocks": good,
                    "good_words": _sums(np.where(classes.good, blocks.words, 0), first),
                    "verdict": pl.Series(
                        [said if said != KEPT else str(found) for said, found in zip(parsed, verdicts, strict=True)],
                        dtype=pl.String,
                    ),
                }
            ).select(pl.lit(self._batch).alias("batch"), pl.all())
        )
        self._waiting, self._bytes = [], 0

    def _classify(self) -> tuple[Blocks, Classes]:
        """Returns the blocks of the waiting pages, and their classes."""
        if self._references is None:
            blocks = self._segmenter.take()
            try:
                return blocks, self._classifier.classify(blocks)
            except OwnCodeError as error:
                record = self._waiting[error.page or 0][0]
                raise OwnCodeError(f"{error} (batch {self._batch}, record {record})") from None
        if isinstance(self._segmenter, MarkupSegmenter):
            raise TypeError("no algorithm compares the markup of pages")
        records = [waiting[0] for waiting in self._waiting]
        bodies, against = self._references.of(records)
        for body, name in bodies:
            try:
                self._segmenter.add(html.parse(charsets.decode(body, name)[0]))
            except html.PageError:
                self._segmenter.add(None)
        blocks = self._segmenter.take()
        alone = np.full(len(bodies), ALONE)
        classes = self._classifier.classify(blocks, np.concatenate([against, alone]))
        blocks = blocks.first(len(records))
        return blocks, classes.first(len(blocks))


def _named(codes: NDArray[np.uint8] | NDArray[np.bool_], names: Sequence[str]) -> pl.Series:
    """Returns codes as the names they stand for."""
    return pl.Series(names, dtype=pl.String).gather(codes.astype(np.uint32))


def _scored(blocks: Blocks, classes: Classes) -> dict[str, pl.Series]:
    """Returns the columns that a learned algorithm decides, null where it says nothing; `content` alone says kinds."""
    scores = classes.scores_of(blocks)
    kinds = None if blocks.features is None or classes.scores is not None else blocks.features.kinds
    without = pl.Series([None]).new_from_index(0, len(blocks))
    return {
        "score": without.cast(pl.UInt16) if scores is None else pl.Series(scores, dtype=pl.UInt16),
        "kind": without.cast(pl.String) if scores is None or kinds is None else _named(kinds, KINDS),
    }


def _sums(values: NDArray[Any], first: NDArray[np.int64]) -> NDArray[np.int64]:
    """Returns the sum over each page's blocks; `first` are the numbers of the pages' first blocks."""
    totals = np.concatenate([np.zeros(1, np.int64), np.cumsum(values, dtype=np.int64)])
    ends = np.append(first[1:], len(values))
    sums: NDArray[np.int64] = totals[ends] - totals[first]
    return sums


def classify_batch(
    encoding: Path,
    model: languages.LanguageModel,
    classifier: Algorithm,
    blocks: TableWriter,
    references: Sequence[Path] = (),
) -> pl.DataFrame:
    """Classifies the blocks of every page of a batch.

    Args:
        encoding: the batch's table of `encoding`.
        model: the corpus language.
        classifier: the boilerplate algorithm.
        blocks: where the rows of schemas.BOILERPLATE go, those of some pages at a time.
        references: the tables of reference pages (schemas.REFERENCES) of all batches, for algorithms that need
            references. Those of the batch's hosts are held in memory.

    Returns:
        The table schemas.PAGES.

    Raises:
        ModelError: the algorithm's model is damaged, or of another version or language.
        OwnCodeError: a user's own cleaner fails, or does not keep its interface; names the record.
    """
    classifier.check_language(model.code)
    rows = read_table(encoding, schemas.ENCODING)
    segmenter: Segmenter | MarkupSegmenter
    if classifier.markup_forms is None:
        segmenter = Segmenter(
            model.stop_words,
            model.characters_per_word,
            structure=classifier.needs_structure,
            model=classifier.block_model,
        )
    else:
        segmenter = MarkupSegmenter(model.stop_words, model.characters_per_word, keep_forms=classifier.markup_forms)
    found = References(rows, references) if classifier.needs_references else None
    chunks = _Chunks(rows["batch"][0] if len(rows) else "", segmenter, classifier, blocks, found)
    kept = int((rows["verdict"] == KEPT).sum())
    for record, name, body in track(accepted_pages(rows), "boilerplate: pages", total=kept):
        chunks.add(record, name, body)
    chunks.flush()
    return pl.concat(chunks.pages)
