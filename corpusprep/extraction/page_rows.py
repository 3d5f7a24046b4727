"""Writes the blocks of pages, measured and classified (stage `boilerplate`; Pomikálek 2011, 2.7). Keeps all as rows."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
import polars as pl
from lxml import etree
from numpy.typing import NDArray

from corpusprep._native.unicode import nfc
from corpusprep.archive import text_fields
from corpusprep.archive.accepted_pages import AcceptedPage
from corpusprep.archive.rights import refused
from corpusprep.cleaners.fixed import TEMPLATE, TEXT_TAG, with_bad, with_good, without_repeated
from corpusprep.cleaners.interface import ALONE, LABELS, VERDICTS, Algorithm, Classes, SidePages
from corpusprep.encoding.pages import page_markup
from corpusprep.errors import OwnCodeError
from corpusprep.extraction.templates import Templates
from corpusprep.pages import html
from corpusprep.pages.features import KINDS, TYPES
from corpusprep.pages.metadata import Mark, Metadata, marks_of, marks_of_rights, metadata_of, with_said
from corpusprep.pages.segmentation import TAGS, Blocks, HiddenText, PageSegmenter
from corpusprep.tables import schemas
from corpusprep.tables.verdicts import HIDDEN, KEPT

#: Metadata that are text, not addresses, dates or codes.
_TEXTS = frozenset({"author", "headline", "site"})
CHUNK_BYTES = 8_000_000  # of pages that are segmented before their blocks become rows


class Rows(Protocol):
    """Where rows of blocks go: a table, or what gathers them."""

    def extend(self, frame: pl.DataFrame) -> None:
        """Adds rows."""


@dataclass(slots=True, frozen=True)
class ParsedPage:
    """A page that was decoded and parsed.

    Attributes:
        record: its number.
        markup: its text with markup, in UTF-8.
        undecodable: U+FFFD in the text that replace bytes which are not valid in the encoding.
        root: its tree; None if there is none.
        verdict: the parser's; `kept` if there is a tree.
        size: bytes of its body.
    """

    record: int
    markup: bytes
    undecodable: int
    root: etree._Element | None
    verdict: str
    size: int

    @classmethod
    def of(cls, page: AcceptedPage) -> "ParsedPage":
        """Decodes and parses a page."""
        markup, undecodable = page_markup(page)
        root, verdict = None, KEPT
        try:
            root = html.parse(markup)
        except html.PageError as error:
            verdict = error.verdict
        return cls(page.record, markup, undecodable, root, verdict, len(page.body))


class Capture(NamedTuple):
    """What is said of a page outside of it: marks of rights by the header; whether it is a text of others."""

    url: str = ""
    date: str = ""
    rights: str = ""
    is_text: bool = False


class _Waiting(NamedTuple):
    """A page whose blocks are not rows yet: `verdict` is the parser's; `said` is what fields of a text say."""

    record: int
    title: str
    undecodable: int
    verdict: str
    marks: Sequence[Mark]
    capture: Capture
    said: Mapping[str, str]


class Chunks:
    """Turns pages into rows. Many pages are segmented and classified at once, which is faster in Python."""

    def __init__(
        self,
        batch: str,
        segmenter: PageSegmenter,
        classifier: Algorithm,
        blocks: Rows,
        references: SidePages | None = None,
        kept: Collection[int] = (),
        captures: Mapping[int, Capture] | None = None,
        refuse: Collection[str] = (),
        templates: Templates | None = None,
        least_share: float | None = None,
        *,
        composed: bool = True,
        keeps_repeated: bool = False,
    ) -> None:
        self._composed, self._keeps_repeated = composed, keeps_repeated
        self._templates, self._least_share = templates, least_share
        self._kept = frozenset(kept)
        self._refuse = frozenset(refuse)
        self._blocks = blocks
        self._captures = captures or {}
        self.pages: list[pl.DataFrame] = []
        self._batch = batch
        self._segmenter = segmenter
        self._classifier = classifier
        self._references = references
        self._waiting: list[_Waiting] = []
        self._bytes = 0

    def add(self, page: ParsedPage) -> None:
        """Segments a page."""
        markup, root, verdict = page.markup, page.root, page.verdict
        capture = self._captures.get(page.record, Capture())
        marks = marks_of(root)
        said = text_fields.of_page(markup) if capture.is_text else {}
        capture = capture._replace(rights=f"{capture.rights} {said.get('rights', '')}".strip())
        if root is None:
            capture = capture._replace(url="")  # its address alone says nothing of a page
        marked = f"{capture.rights} {metadata_of(marks_of_rights(marks), '', '').rights}" if self._refuse else ""
        if refused(marked, self._refuse):
            # Nothing of it is stored but its verdict, and the marks that lead to it.
            markup, root, verdict = b"", None, "rights"
            marks, capture, said = marks_of_rights(marks), capture._replace(url=""), {}
        if verdict != "rights" and not self._segmenter.reads_trees:
            verdict = KEPT
        title = self._segmenter.add_page(markup, root)
        self._waiting.append(_Waiting(page.record, title, page.undecodable, verdict, marks, capture, said))
        self._bytes += page.size
        if self._bytes >= CHUNK_BYTES:
            self.flush()

    def flush(self) -> None:
        """Classifies the waiting pages and turns them into rows."""
        blocks, classes = self._classify()
        records = [page.record for page in self._waiting]
        sizes = np.diff(blocks.pages)
        kept = np.repeat(np.array([record in self._kept for record in records], bool), sizes)
        template = pl.repeat(None, len(blocks), dtype=pl.UInt16, eager=True)
        if not self._keeps_repeated:
            classes = without_repeated(classes, blocks)
        if self._templates is not None:
            template = self._templates.of(records, blocks)
            if self._least_share is not None:
                classes = with_bad(classes, _recurring(template, self._least_share), TEMPLATE)
        if kept.any():
            classes = with_good(classes, kept)
        self._add_blocks(blocks, classes, np.repeat(np.array(records, np.uint32), sizes), kept, template)
        self._add_pages(blocks, classes)
        self._waiting, self._bytes = [], 0

    def _add_blocks(
        self,
        blocks: Blocks,
        classes: Classes,
        records: NDArray[np.uint32],
        kept: NDArray[np.bool_],
        template: pl.Series,
    ) -> None:
        """Adds the rows of the blocks of the waiting pages.

        Args:
            blocks: n blocks.
            classes: theirs.
            records: shape (n,): the record of each.
            kept: shape (n,): whether each is text that is kept as it is.
            template: n shares of the pages of the host that have the block, per mille, or nulls.
        """
        scored = _scored(blocks, classes)
        rows = pl.DataFrame(
            {
                "record": records,
                "tag": _tags(blocks, kept),
                **_measured(blocks),
                "context_free_label": _named(classes.context_free, LABELS),
                "label": _named(classes.good, ("bad", "good")),
                "verdict": _named(classes.verdicts, VERDICTS),
                **scored,
                "type": _named(np.where(kept, TYPES.index("p"), blocks.types).astype(np.uint8), TYPES),
                "template": template,
            }
        )
        pages = blocks.pages
        if blocks.hidden is not None and len(blocks.hidden.blocks):
            rows = _with_hidden(rows, blocks, blocks.hidden, [page.record for page in self._waiting])
            pages = pages + blocks.hidden.blocks.pages
        within_page = np.arange(len(rows)) - np.repeat(pages[:-1], np.diff(pages))
        self._blocks.extend(
            rows.select(
                pl.lit(self._batch).alias("batch"),
                "record",
                pl.Series("block", within_page.astype(np.uint32)),
                pl.exclude("record"),
            )
        )

    def _add_pages(self, blocks: Blocks, classes: Classes) -> None:
        """Adds the rows of the waiting pages, with these blocks."""
        first, sizes = blocks.pages[:-1], np.diff(blocks.pages)
        words = _sums(blocks.words, first)
        if blocks.hidden is not None:
            sizes = sizes + np.diff(blocks.hidden.blocks.pages)
            words += _sums(blocks.hidden.blocks.words, blocks.hidden.blocks.pages[:-1])
        metadata = [
            with_said(metadata_of(page.marks, page.capture.url, page.capture.date), page.said) for page in self._waiting
        ]
        good = _sums(classes.good, first)
        verdicts = np.where(sizes == 0, "no_text", np.where(good == 0, "no_good_block", KEPT))
        self.pages.append(
            pl.DataFrame(
                {
                    "record": np.array([page.record for page in self._waiting], np.uint32),
                    "title": pl.Series([page.title for page in self._waiting], dtype=pl.String),
                    "undecodable": np.array([page.undecodable for page in self._waiting], np.uint32),
                    "invisible": blocks.invisible,
                    "blocks": sizes,
                    "words": words,
                    "good_blocks": good,
                    "good_words": _sums(np.where(classes.good, blocks.words, 0), first),
                    "verdict": pl.Series(
                        [
                            page.verdict if page.verdict != KEPT else str(verdict)
                            for page, verdict in zip(self._waiting, verdicts, strict=True)
                        ],
                        dtype=pl.String,
                    ),
                    **{
                        name: pl.Series([self._written(name, one) for one in metadata], dtype=pl.String)
                        for name in schemas.PAGE_METADATA
                    },
                    "rights": [
                        f"{page.capture.rights} {page_metadata.rights}".strip()
                        for page, page_metadata in zip(self._waiting, metadata, strict=True)
                    ],
                    "meta": pl.Series([page.said.get(text_fields.OWN, "") for page in self._waiting], dtype=pl.String),
                }
            ).select(pl.lit(self._batch).alias("batch"), pl.all())
        )

    def _written(self, name: str, metadata: Metadata) -> str:
        """Returns a value of metadata as the table has it: names and titles composed as texts are."""
        value: str = getattr(metadata, name)
        return nfc(value) if self._composed and name in _TEXTS else value

    def _classify(self) -> tuple[Blocks, Classes]:
        """Returns the blocks of the waiting pages, and their classes."""
        if self._references is None:
            blocks = self._segmenter.take()
            try:
                return blocks, self._classifier.classify(blocks)
            except OwnCodeError as error:
                record = self._waiting[error.page or 0].record
                raise OwnCodeError(f"{error} (batch {self._batch}, record {record})") from None
        records = [page.record for page in self._waiting]
        bodies, against = self._references.of(records)
        for body, name in bodies:
            page = ParsedPage.of(AcceptedPage(0, name, body, plain=False))
            self._segmenter.add_page(page.markup, page.root)
        blocks = self._segmenter.take()
        alone = np.full(len(bodies), ALONE)
        classes = self._classifier.classify(blocks, np.concatenate([against, alone]))
        blocks = blocks.first(len(records))
        return blocks, classes.first(len(blocks))


def _measured(blocks: Blocks) -> dict[str, Any]:
    """Returns the columns that measure blocks."""
    return {
        "heading": blocks.heading,
        "text": pl.Series(blocks.column(), dtype=pl.String),
        "breaks": pl.Series(blocks.breaks_of_blocks(), dtype=pl.List(pl.UInt32)),
        "words": blocks.words,
        "link_density": blocks.link_density,
        "stopword_density": blocks.stopword_density,
    }


def _with_hidden(rows: pl.DataFrame, blocks: Blocks, hidden: HiddenText, records: Sequence[int]) -> pl.DataFrame:
    """Returns the rows of blocks with the rows of hidden text between them, in the order of the pages.

    Args:
        rows: of n blocks.
        blocks: these.
        hidden: m blocks.
        records: the record of each page.
    """
    of_pages = np.diff(hidden.blocks.pages)
    unseen = pl.DataFrame(
        {
            "record": np.repeat(np.array(records, np.uint32), of_pages),
            "tag": _named(hidden.blocks.tags, TAGS),
            **_measured(hidden.blocks),
        }
    ).with_columns(
        pl.lit("bad").alias("context_free_label"),
        pl.lit("bad").alias("label"),
        pl.lit(HIDDEN).alias("verdict"),
        # As a learned algorithm scores what it does not keep.
        pl.lit(None if rows["score"].null_count() else 0, dtype=pl.UInt16).alias("score"),
        pl.lit(None if rows["kind"].null_count() else KINDS[0], dtype=pl.String).alias("kind"),
        _named(hidden.blocks.types, TYPES).alias("type"),
        pl.lit(None, dtype=pl.UInt16).alias("template"),
    )
    places = np.repeat(blocks.pages[:-1], of_pages) + hidden.before
    order = np.argsort(np.concatenate([np.arange(len(rows)), places - 0.5]), kind="stable")
    return pl.concat([rows, unseen.select(rows.columns)])[order]


def _recurring(template: pl.Series, least_share: float) -> NDArray[np.bool_]:
    """Returns whether blocks are on at least this share of the pages of their host."""
    recurs: NDArray[np.bool_] = (template >= round(1000 * least_share)).fill_null(value=False).to_numpy()
    return recurs


def _tags(blocks: Blocks, kept: NDArray[np.bool_]) -> pl.Series:
    """Returns the elements that opened the blocks; TEXT_TAG for those that are kept as they are."""
    if not kept.any():
        return _named(blocks.tags, TAGS)
    return _named(np.where(kept, len(TAGS), blocks.tags).astype(np.uint8), (*TAGS, TEXT_TAG))


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
