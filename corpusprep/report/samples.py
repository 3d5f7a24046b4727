"""Ten pages of the crawl, with what became of each block (as in Pomikálek 2011, figure 2.1)."""

import hashlib
import heapq
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from corpusprep import verdicts
from corpusprep.progress import track
from corpusprep.report.numbers import printable
from corpusprep.statistics import fates
from corpusprep.statistics.fates import DECIDING, Corpus
from corpusprep.verdicts import KEPT

KEPT_PAGES = 7
REMOVED_PAGES = 3
SHOWN_BLOCKS = 60
SHOWN_CHARACTERS = 400

#: What a stage's verdicts on a document mean.
DOCUMENT_VERDICTS = {
    "boilerplate": verdicts.PAGE_REASONS,
    "language": verdicts.LANGUAGE_REASONS,
    "documents": verdicts.DOCUMENT_REASONS,
    "blocks": verdicts.EMPTIED_REASONS,
}

#: What a stage's verdicts on a block mean; a block goes with its document in `documents`, and
#: in `language` or by itself.
BLOCK_VERDICTS = DOCUMENT_VERDICTS | {
    "boilerplate": verdicts.BLOCK_REASONS,
    "language": verdicts.LANGUAGE_REASONS | verdicts.LANGUAGE_BLOCK_REASONS,
    "blocks": verdicts.DUPLICATE_REASONS,
}


@dataclass(frozen=True)
class Place:
    """Where a page is found, and the order pages are sampled in: by the MD5 of their URL."""

    digest: str
    date: str
    page_digest: str
    batch: str
    record: int

    @property
    def order(self) -> tuple[str, str, str]:
        """What pages are ordered by: nothing that depends on files or batches."""
        return self.digest, self.date, self.page_digest


@dataclass(frozen=True)
class Block:
    """A block to show, or `hidden` blocks of one kind that are not shown.

    Attributes:
        kept: whether it is in the corpus.
        reason: why not, or an empty text.
        meaning: what the reason means.
        heading: whether it is a heading.
        text: its text, cut.
        hidden: number of blocks left out here; 0 for a block that is shown.
    """

    kept: bool
    reason: str
    meaning: str
    heading: bool = False
    text: str = ""
    hidden: int = 0


@dataclass(frozen=True)
class Page:
    """A sampled page: where it came from, what became of it, and its blocks."""

    url: str
    title: str
    date: str
    encoding: str
    language_score: str
    stage: str
    reason: str
    meaning: str
    words: int
    kept_words: int
    blocks: tuple[Block, ...]

    @property
    def kept(self) -> bool:
        """Whether any of it is in the corpus."""
        return not self.reason


def sample(corpus: Corpus) -> list[Page]:
    """Seven pages of the corpus and three that were removed (or more of the one where the other lacks).

    Of each kind those whose URL has the smallest MD5, among pages with any text; the removed ones with as
    many different reasons as there are. The same crawl gives the same pages, whatever its batches.
    """
    kept: list[Place] = []
    removed: dict[tuple[str, str], list[Place]] = defaultdict(list)
    wanted = KEPT_PAGES + REMOVED_PAGES
    for batch in track(corpus.batches, "report: batches", len(corpus.batches)):
        found = _places(corpus, batch)
        kept = _first(wanted, [*kept, *found.pop(("", ""), [])])
        for fate, places in found.items():
            removed[fate] = _first(wanted, [*removed[fate], *places])
    chosen_removed = _varied(list(removed.values()))
    chosen_kept = kept[: max(KEPT_PAGES, wanted - len(chosen_removed))]
    return _pages(corpus, [*chosen_kept, *chosen_removed[: wanted - len(chosen_kept)]])


def _places(corpus: Corpus, batch: str) -> dict[tuple[str, str], list[Place]]:
    """The first pages of a batch, by the stage and reason that removed them (empty texts for kept ones)."""
    batch_fates = fates.read(corpus, batch)
    with_text = batch_fates.documents.join(batch_fates.blocks, on="record", how="semi")
    addresses = corpus.table("encoding", batch, ["record", "url", "date", "page_digest"])
    found: dict[tuple[str, str], list[Place]] = defaultdict(list)
    rows = with_text.join(addresses, on="record", how="left").iter_rows(named=True)
    for row in rows:
        digest = hashlib.md5((row["url"] or "").encode(), usedforsecurity=False).hexdigest()
        place = Place(digest, row["date"] or "", row["page_digest"] or "", batch, row["record"])
        found[_fate(row)].append(place)
    return {fate: _first(KEPT_PAGES + REMOVED_PAGES, places) for fate, places in found.items()}


def _first(number: int, places: Sequence[Place]) -> list[Place]:
    """The first pages in order; one a URL."""
    distinct: dict[str, Place] = {}
    for place in places:
        if place.digest not in distinct or place.order < distinct[place.digest].order:
            distinct[place.digest] = place
    return heapq.nsmallest(number, distinct.values(), key=lambda place: place.order)


def _varied(by_reason: list[list[Place]]) -> list[Place]:
    """Removed pages: first one of each reason, then a second of each, and so on."""
    turns = [(turn, place.order, place) for places in by_reason for turn, place in enumerate(places)]
    return [place for _, _, place in sorted(turns, key=lambda entry: entry[:2])]


def _fate(row: dict[str, object]) -> tuple[str, str]:
    """The stage that removed a unit and its reason; empty texts if none did."""
    for stage in DECIDING:
        if row[stage] is not None and row[stage] != KEPT:
            return stage, str(row[stage])
    return "", ""


def _pages(corpus: Corpus, places: Sequence[Place]) -> list[Page]:
    """Reads the pages chosen."""
    by_batch: dict[str, list[Place]] = defaultdict(list)
    for place in places:
        by_batch[place.batch].append(place)
    read: dict[Place, Page] = {}
    for batch, wanted in by_batch.items():
        batch_fates = fates.read(corpus, batch)
        for place in wanted:
            read[place] = _page(corpus, batch_fates, place)
    return [read[place] for place in places]


def _page(corpus: Corpus, batch_fates: fates.Fates, place: Place) -> Page:
    about = _row(corpus, "encoding", place, ["url", "date", "encoding"])
    about |= _row(corpus, "pages", place, ["title"])
    about |= {"score": None} | _row(corpus, "language", place, ["score"])
    document = batch_fates.documents.filter(record=place.record).row(0, named=True)
    stage, reason = _fate(document)
    texts = (
        pl.scan_parquet(corpus.path("boilerplate", place.batch))
        .filter(pl.col("record") == place.record)
        .select("block", "heading", pl.col("text").str.head(SHOWN_CHARACTERS + 1))
        .collect()
    )
    rows = batch_fates.blocks.filter(record=place.record).join(texts, on="block").sort("block")
    blocks = [_block(row) for row in rows.iter_rows(named=True)]
    score = about["score"]
    return Page(
        url=printable(str(about["url"] or ""), SHOWN_CHARACTERS),
        title=printable(str(about["title"] or ""), SHOWN_CHARACTERS),
        date=printable(str(about["date"] or ""), 40),
        encoding=printable(str(about["encoding"] or ""), 40),
        language_score=f"{score:.3f}" if isinstance(score, float) else "",
        stage=stage,
        reason=reason,
        meaning=DOCUMENT_VERDICTS[stage][reason] if reason else "",
        words=int(rows["words"].sum()),
        kept_words=int(rows.filter(blocks=KEPT)["words"].sum()),
        blocks=tuple(abridge(blocks)),
    )


def _row(corpus: Corpus, stage: str, place: Place, columns: list[str]) -> dict[str, object]:
    """The columns of a record in a stage's table; nothing if it is not there."""
    frame = corpus.table(stage, place.batch, ["record", *columns]).filter(record=place.record)
    return frame.row(0, named=True) if frame.height else {}


def _block(row: dict[str, object]) -> Block:
    stage, reason = _fate(row)
    return Block(
        kept=not reason,
        reason=reason,
        meaning=BLOCK_VERDICTS[stage][reason] if reason else "",
        heading=bool(row["heading"]),
        text=printable(str(row["text"]), SHOWN_CHARACTERS),
    )


def abridge(blocks: Sequence[Block], limit: int = SHOWN_BLOCKS) -> list[Block]:
    """At most `limit` of a page's blocks, with a stand-in wherever some are left out.

    Of each run of kept or of removed blocks the first few are shown, as many of each as the limit allows,
    so that no menu hides the text that follows it. Of a page with more runs than that, the first ones.
    """
    runs: list[list[Block]] = []
    for block in blocks:
        if runs and runs[-1][0].kept == block.kept:
            runs[-1].append(block)
        else:
            runs.append([block])
    most = limit
    while most > 1 and sum(min(len(run), most) for run in runs) > limit:
        most -= 1
    shown: list[Block] = []
    for run in runs[:limit]:
        shown.extend(run[:most])
        shown.extend(_stand_in(run[most:]))
    rest = [block for run in runs[limit:] for block in run]
    for kept in (True, False):
        shown.extend(_stand_in([block for block in rest if block.kept == kept]))
    return shown


def _stand_in(hidden: Sequence[Block]) -> list[Block]:
    """One entry that stands for blocks left out, with the reasons they went for."""
    if not hidden:
        return []
    reasons = Counter(block.reason for block in hidden)
    listed = ", ".join(f"{reason} {count}" for reason, count in sorted(reasons.items(), key=lambda r: (-r[1], r[0])))
    return [Block(hidden[0].kept, "" if hidden[0].kept else listed, "", hidden=len(hidden))]
