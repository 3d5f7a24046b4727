"""Ten pages of the crawl, with what became of each block (as in Pomikálek 2011, figure 2.1)."""

import hashlib
import heapq
import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import polars as pl

from corpusprep.errors import StageFileError
from corpusprep.io.progress import track
from corpusprep.io.readable import printable
from corpusprep.pipeline import DECIDING
from corpusprep.statistics.fates import Corpus, Fates
from corpusprep.tables import schemas, verdicts
from corpusprep.tables.verdicts import KEPT

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


class Samples:
    """Of each fate, the pages of a batch that come first, in the order of Place; ten are enough for any sample."""

    def __init__(self) -> None:
        self._pages: dict[tuple[str, str], dict[Place, Page]] = defaultdict(dict)

    def add(self, part: Fates) -> None:
        """Adds the pages of a part of the batch that have any text."""
        documents = part.documents.join(part.blocks, on="record", how="semi")
        found: dict[tuple[str, str], list[Place]] = defaultdict(list)
        rows = documents.select("url", "date", "page_digest", "batch", "record", *DECIDING).iter_rows(named=True)
        for row in rows:
            digest = hashlib.md5((row["url"] or "").encode(), usedforsecurity=False).hexdigest()
            place = Place(digest, row["date"] or "", row["page_digest"] or "", row["batch"], row["record"])
            found[_fate(row)].append(place)
        for fate, places in found.items():
            have = self._pages[fate]
            first = _first(KEPT_PAGES + REMOVED_PAGES, [*have, *places])
            self._pages[fate] = {place: have.get(place) or _page(part, place) for place in first}

    def write(self, path: Path) -> None:
        """Writes them as a table schemas.SAMPLES."""
        rows = [
            (place.batch, place.record, *fate, place.digest, place.date, place.page_digest, json.dumps(asdict(page)))
            for fate, pages in sorted(self._pages.items())
            for place, page in pages.items()
        ]
        schemas.write(pl.DataFrame(rows, schema=schemas.SAMPLES, orient="row"), schemas.SAMPLES, path)


def sample(corpus: Corpus) -> list[Page]:
    """Seven pages of the corpus and three that were removed (or more of the one where the other lacks).

    Of each kind those whose URL has the smallest MD5, among pages with any text; the removed ones with as
    many different reasons as there are. The same crawl gives the same pages, whatever its batches.

    Raises:
        StageFileError: what `statistics count` sampled of a batch is missing or damaged.
    """
    by_fate: dict[tuple[str, str], list[Place]] = {("", ""): []}
    wanted = KEPT_PAGES + REMOVED_PAGES
    columns = [name for name in schemas.SAMPLES if name != "page"]
    paths = dict(zip(corpus.batches, corpus.paths("samples"), strict=True))
    for path in track(paths.values(), "report: batches", len(paths)):
        for batch, record, stage, reason, digest, date, page in schemas.read(
            path, schemas.SAMPLES, columns
        ).iter_rows():
            by_fate.setdefault((stage, reason), []).append(Place(digest, date, page, batch, record))
        by_fate = {fate: _first(wanted, places) for fate, places in by_fate.items()}
    kept = by_fate.pop(("", ""))
    removed = _varied([by_fate[fate] for fate in sorted(by_fate)])
    chosen_kept = kept[: max(KEPT_PAGES, wanted - len(removed))]
    return [_stored(paths[place.batch], place) for place in [*chosen_kept, *removed[: wanted - len(chosen_kept)]]]


def _stored(path: Path, place: Place) -> Page:
    """A page as it was sampled."""
    with schemas.reading(path):
        rows = pl.scan_parquet(path).filter(pl.col("record") == place.record).select("page").collect()
    try:
        page = json.loads(rows.item())
        return Page(**page | {"blocks": tuple(Block(**block) for block in page["blocks"])})
    except (TypeError, ValueError, KeyError) as error:
        raise StageFileError(f"{path}: record {place.record}: not a page of this version ({error})") from None


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


def _page(part: Fates, place: Place) -> Page:
    about = part.documents.filter(record=place.record).row(0, named=True)
    stage, reason = _fate(about)
    rows = part.blocks.filter(record=place.record).sort("block")
    score = about["score"]
    texts = rows.with_columns(pl.col("text").str.head(SHOWN_CHARACTERS + 1))
    blocks = [_block(row) for row in texts.select("heading", "text", *DECIDING).iter_rows(named=True)]
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
