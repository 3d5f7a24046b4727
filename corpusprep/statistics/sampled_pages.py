"""Samples twelve pages of the crawl, with the verdict on each block (as in Pomikálek 2011, figure 2.1)."""

import hashlib
import heapq
import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from corpusprep.errors import StageFileError
from corpusprep.io.progress import track
from corpusprep.io.readable import printable
from corpusprep.pipeline import DECIDING
from corpusprep.statistics.corpus_folder import CorpusFolder
from corpusprep.statistics.joined_verdicts import VERDICT, JoinedVerdicts, in_corpus, removal_reason, removed_by
from corpusprep.tables import schemas
from corpusprep.tables.reading import read_table, reading
from corpusprep.tables.verdicts import BLOCK_VERDICTS, DOCUMENT_VERDICTS, KEPT, MARKED_REASONS, STAYING
from corpusprep.tables.writing import write_table

KEPT_PAGES = 8
REMOVED_PAGES = 4
SHOWN_BLOCKS = 60
SHOWN_CHARACTERS = 400

#: The verdicts by their number in a column.
_NAMES = VERDICT.categories.to_list()
#: In place of the number of a stage: the block stays.
_STAYS = 255
#: The stage that removed a page and the reason, of pages that stay.
_KEPT_PAGE = ("", "")


@dataclass(frozen=True)
class Place:
    """Where a page is stored, and its place in the order of sampling: by the MD5 of the URL."""

    digest: str
    date: str
    page_digest: str
    batch: str
    record: int

    @property
    def order(self) -> tuple[str, str, str]:
        """The sort key of pages, which does not depend on files or batches."""
        return self.digest, self.date, self.page_digest


@dataclass(frozen=True)
class ShownBlock:
    """A block in the report, or a placeholder for `hidden` blocks that are all kept or all removed.

    Attributes:
        kept: whether it is in the corpus.
        reason: why it was removed; how it is marked in the corpus; empty if kept without a mark.
        meaning: meaning of the reason.
        heading: whether it is a heading.
        text: its text, shortened.
        hidden: number of blocks that the placeholder stands for; 0: a block.
    """

    kept: bool
    reason: str
    meaning: str
    heading: bool = False
    text: str = ""
    hidden: int = 0


@dataclass(frozen=True)
class SampledPage:
    """A sampled page: its origin, its verdict and its blocks."""

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
    blocks: tuple[ShownBlock, ...]

    @property
    def kept(self) -> bool:
        """Whether any block of it is in the corpus."""
        return not self.reason


class Samples:
    """The first twelve pages of a batch per verdict, in the order of Place: enough for any sample of the corpus."""

    def __init__(self) -> None:
        self._pages: dict[tuple[str, str], dict[Place, SampledPage]] = defaultdict(dict)
        #: The digest of the last one, where there are twelve: no page with a larger one is among them.
        self._last: dict[tuple[str, str], str] = {}

    def add(self, part: JoinedVerdicts, forgotten: pl.DataFrame) -> None:
        """Adds the pages with text in a part of the batch, without forgotten ones (`record`)."""
        documents = part.documents.join(part.blocks, on="record", how="semi")
        documents = documents.join(forgotten, on="record", how="anti", maintain_order="left")
        about = documents.select("date", "page_digest", "batch", "record")
        by_key: dict[tuple[str, str], list[Place]] = defaultdict(list)
        digests = [
            hashlib.md5(url.encode(), usedforsecurity=False).hexdigest() for url in documents["url"].fill_null("")
        ]
        removals = zip(*(numbers.tolist() for numbers in _removals(documents)), strict=True)
        for row, (digest, (stage, why)) in enumerate(zip(digests, removals, strict=True)):
            reason = _KEPT_PAGE if stage == _STAYS else (DECIDING[stage], _NAMES[why])
            if digest <= self._last.get(reason, digest):
                date, page_digest, batch, record = about.row(row)
                by_key[reason].append(Place(digest, date or "", page_digest or "", batch, record))
        for reason, places in by_key.items():
            have = self._pages[reason]
            first = _first(KEPT_PAGES + REMOVED_PAGES, [*have, *places])
            self._pages[reason] = {place: have.get(place) or _page(part, place, *reason) for place in first}
            if len(first) == KEPT_PAGES + REMOVED_PAGES:
                self._last[reason] = first[-1].digest

    def write(self, path: Path) -> None:
        """Writes the pages as a table schemas.SAMPLES."""
        rows = [
            (place.batch, place.record, *reason, place.digest, place.date, place.page_digest, _json(page))
            for reason, pages in sorted(self._pages.items())
            for place, page in pages.items()
        ]
        write_table(pl.DataFrame(rows, schema=schemas.SAMPLES, orient="row"), schemas.SAMPLES, path)


def sample(corpus: CorpusFolder) -> list[SampledPage]:
    """Returns eight pages of the corpus and four removed pages; if there are fewer of one kind, more of the other.

    From the pages with text, those whose URLs have the smallest MD5 are taken; the reasons of the removed pages differ
    as far as possible. The same crawl gives the same pages, however it is divided into batches.

    Raises:
        StageFileError: the sampled pages of a batch (`statistics count`) are missing or damaged.
    """
    by_reason: dict[tuple[str, str], list[Place]] = {_KEPT_PAGE: []}
    wanted = KEPT_PAGES + REMOVED_PAGES
    columns = [name for name in schemas.SAMPLES if name != "page"]
    paths = dict(zip(corpus.batches, corpus.paths("samples"), strict=True))
    for path in track(paths.values(), "report: batches", len(paths)):
        for batch, record, stage, reason, digest, date, page in read_table(path, schemas.SAMPLES, columns).iter_rows():
            by_reason.setdefault((stage, reason), []).append(Place(digest, date, page, batch, record))
        by_reason = {reason: _first(wanted, places) for reason, places in by_reason.items()}
    kept = by_reason.pop(_KEPT_PAGE)
    removed = _varied([by_reason[reason] for reason in sorted(by_reason)])
    chosen_kept = kept[: max(KEPT_PAGES, wanted - len(removed))]
    return [_stored(paths[place.batch], place) for place in [*chosen_kept, *removed[: wanted - len(chosen_kept)]]]


def _json(page: SampledPage) -> str:
    return json.dumps(vars(page) | {"blocks": [vars(block) for block in page.blocks]})


def _stored(path: Path, place: Place) -> SampledPage:
    """Reads a sampled page."""
    with reading(path):
        rows = pl.scan_parquet(path, glob=False).filter(pl.col("record") == place.record).select("page").collect()
    try:
        page = json.loads(rows.item())
        return SampledPage(**page | {"blocks": tuple(ShownBlock(**block) for block in page["blocks"])})
    except (TypeError, ValueError, KeyError) as error:
        raise StageFileError(
            f"{path}: record {place.record}: not a sampled page of this version ({error}); "
            "run `corpusprep step statistics count` again"
        ) from None


def _first(number: int, places: Sequence[Place]) -> list[Place]:
    """Returns the first pages in order, one per URL."""
    distinct: dict[str, Place] = {}
    for place in places:
        if place.digest not in distinct or place.order < distinct[place.digest].order:
            distinct[place.digest] = place
    return heapq.nsmallest(number, distinct.values(), key=lambda place: place.order)


def _varied(by_reason: list[list[Place]]) -> list[Place]:
    """Orders removed pages: first one page per reason, then a second one per reason, and so on."""
    turns = [(turn, place.order, place) for places in by_reason for turn, place in enumerate(places)]
    return [place for _, _, place in sorted(turns, key=lambda entry: entry[:2])]


def _page(part: JoinedVerdicts, place: Place, stage: str, reason: str) -> SampledPage:
    """Returns a page; the stage that removed it and the reason are empty if it stays."""
    about = part.documents.row(part.documents["record"].search_sorted(place.record), named=True)
    start, end = (part.blocks["record"].search_sorted(place.record, side) for side in ("left", "right"))
    rows = part.blocks[start:end].sort("block")
    score = about["score"]
    return SampledPage(
        url=printable(str(about["url"] or ""), SHOWN_CHARACTERS),
        title=printable(str(about["title"] or ""), SHOWN_CHARACTERS),
        date=printable(str(about["date"] or ""), 40),
        encoding=printable(str(about["encoding"] or ""), 40),
        language_score=f"{score:.3f}" if isinstance(score, float) else "",
        stage=stage,
        reason=reason,
        meaning=DOCUMENT_VERDICTS[stage][reason] if reason else "",
        words=int(rows["words"].sum()),
        kept_words=int(rows.filter(in_corpus())["words"].sum()),
        blocks=tuple(abridge(rows)),
    )


def abridge(rows: pl.DataFrame, limit: int = SHOWN_BLOCKS) -> list[ShownBlock]:
    """Returns at most `limit` of a page's blocks, with a placeholder wherever blocks are left out.

    Of each run of kept or removed blocks, the first ones are shown: the same number per run, as large as the limit
    allows. So a long menu does not displace the text after it. Of a page with more than `limit` runs, the first are
    shown. A page may have millions of blocks: only those that are shown become objects.

    Args:
        rows: the blocks in order, with heading, text and the verdicts of the stages in DECIDING.
        limit: the most blocks that are shown.
    """
    stages, reasons = _removals(rows)
    starts = np.flatnonzero(np.append(True, (stages[1:] == _STAYS) != (stages[:-1] == _STAYS))[: len(stages)])
    lengths = np.diff(starts, append=len(stages))
    most = limit
    while most > 1 and np.minimum(lengths, most).sum() > limit:
        most -= 1
    first = zip(starts[:limit].tolist(), lengths[:limit].tolist(), strict=True)
    runs = [(start, start + min(most, length), start + length) for start, length in first]
    places = [place for start, stop, _ in runs for place in range(start, stop)]
    listed = rows.select("heading", "text", "blocks")[places].iter_rows()
    shown: list[ShownBlock] = []
    end = 0
    for start, stop, end in runs:
        removals = zip(stages[start:stop].tolist(), reasons[start:stop].tolist(), strict=True)
        for (stage, reason), (heading, text, last) in zip(removals, islice(listed, stop - start), strict=True):
            by = None if stage == _STAYS else (DECIDING[stage], _NAMES[reason])
            shown.append(_block(heading, text, last, by))
        shown.extend(_stand_in(stages[stop:end], reasons[stop:end]))
    rest, why = stages[end:], reasons[end:]
    for hidden in (rest == _STAYS, rest != _STAYS):
        shown.extend(_stand_in(rest[hidden], why[hidden]))
    return shown


def _removals(rows: pl.DataFrame) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Returns the number in DECIDING of the stage that removed each unit (_STAYS: none), and of its verdict."""
    stages, reasons = rows.select(_removal_numbers()).get_columns()
    return stages.to_numpy(), reasons.to_numpy()


@cache
def _removal_numbers() -> tuple[pl.Expr, pl.Expr]:
    stages, reasons = removed_by().to_physical(), removal_reason().cast(VERDICT).to_physical()
    return (
        stages.cast(pl.UInt8).fill_null(_STAYS).alias("stage"),
        reasons.cast(pl.UInt8).fill_null(0).alias("reason"),
    )


def _block(heading: bool | None, text: str, last: str | None, removed: tuple[str, str] | None) -> ShownBlock:
    """Returns a block.

    Args:
        heading: whether it is a heading.
        text: its text.
        last: the verdict of `blocks` on it.
        removed: the stage that removed it and the reason; None: it stays.
    """
    stage, reason = removed or ("", "")
    mark = last if not removed and last in STAYING and last != KEPT else None
    return ShownBlock(
        kept=not removed,
        reason=reason or mark or "",
        meaning=BLOCK_VERDICTS[stage][reason] if removed else MARKED_REASONS[mark] if mark else "",
        heading=bool(heading),
        text=printable(text[: SHOWN_CHARACTERS + 1], SHOWN_CHARACTERS),
    )


def _stand_in(stages: NDArray[np.uint8], reasons: NDArray[np.uint8]) -> list[ShownBlock]:
    """Returns a placeholder for blocks that are left out, with their reasons; an empty list for no blocks.

    Args:
        stages: the number of the stage that removed each block (_STAYS: none), all _STAYS or none.
        reasons: the number of its verdict.
    """
    if not len(stages):
        return []
    if stages[0] == _STAYS:
        return [ShownBlock(True, "", "", hidden=len(stages))]
    counts = np.bincount(reasons)
    order = sorted(np.flatnonzero(counts).tolist(), key=lambda reason: -counts[reason])
    return [
        ShownBlock(False, ", ".join(f"{_NAMES[reason]} {counts[reason]}" for reason in order), "", hidden=len(stages))
    ]
