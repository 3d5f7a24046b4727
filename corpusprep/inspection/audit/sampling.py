"""Draws blocks and documents of a crawl for a blind audit: a stratified sample, the same for the same seed.

A stratum has the units that one stage removed, or the corpus's; blocks that `boilerplate` removed, and blocks of
the corpus, are divided by their distance from the thresholds, documents by their language scores. Each stratum
gets the same number of units, as far as it has them. So stages that remove little, and blocks near a threshold, are
sampled more than their share. The weights of the strata undo this when judgements are counted (scoring.py).

Units are drawn by a hash of the seed, the URL, the date and the digest of the page, and the number of the block. So the
sample does not depend on the order of archives or on batches, and it takes one pass in bounded memory.
"""

import hashlib
import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from corpusprep.errors import EmptyCorpusError
from corpusprep.inspection.audit.sheets import Stratum, Unit
from corpusprep.inspection.thresholds import DISTANCES, Choice, distances, in_use
from corpusprep.io.progress import track
from corpusprep.statistics.corpus_folder import CorpusFolder
from corpusprep.statistics.joined_verdicts import JoinedVerdicts, parts, removal_reason, removed_by
from corpusprep.tables import schemas
from corpusprep.tables.batch_files import BatchFiles
from corpusprep.tables.crawl_files import refuse_crawl
from corpusprep.tables.reading import read_table
from corpusprep.tables.verdicts import KEPT

BLOCKS, DOCUMENTS = 200, 60
#: Characters of a block, of its context on either side, and of a document that the sheet shows.
TEXT, CONTEXT, DOCUMENT = 1_500, 250, 1_500
#: Blocks of the page on either side that the context is made of.
NEIGHBOURS = 3
#: A language score is near if it is this close to the lowest score that was kept, or to a rival's score.
NEAR_SCORE = 0.05
BETWEEN = " ¶ "

_IN_CORPUS = "kept"


@dataclass
class _Drawn:
    """The units of a stratum that are drawn so far: the smallest hashes; and the sizes of the stratum."""

    stage: str
    units: int = 0
    words: int = 0
    smallest: list[tuple[int, Unit]] = field(default_factory=list)


def draw(
    folder: Path, blocks: int = BLOCKS, documents: int = DOCUMENTS, seed: int = 1
) -> tuple[list[Unit], list[Stratum]]:
    """Returns the sampled units, and the strata that they are from.

    Args:
        folder: of a corpus that is complete.
        blocks: number of blocks to draw.
        documents: number of documents to draw.
        seed: another seed draws other units.

    Raises:
        StageFileError: a table of the corpus is missing or damaged.
        EmptyCorpusError: the crawl has no block of text.
    """
    refuse_crawl(folder)
    corpus, choice = CorpusFolder.open(folder), in_use(folder)
    lowest = _lowest_score(folder, corpus.batches)
    sampler = _Sampler(choice, {"block": blocks, "document": documents}, seed)
    for batch in track(corpus.batches, "audit: batches", total=len(corpus.batches)):
        files = BatchFiles.of(folder, batch)
        near = _near_records(files, lowest)
        for part in parts(files):
            sampler.add(part, near)
    drawn = sampler.drawn
    if not drawn:
        raise EmptyCorpusError(f"{folder}: the crawl has no block of text; there is nothing to judge")
    strata = [
        Stratum(unit, name, sample.stage, sample.units, sample.words) for (unit, name), sample in sorted(drawn.items())
    ]
    units: list[Unit] = []
    for kind, number in (("block", blocks), ("document", documents)):
        sizes = {stratum.name: stratum.units for stratum in strata if stratum.unit == kind}
        for name, share in allocate(sizes, number).items():
            ordered = sorted(drawn[kind, name].smallest, reverse=True)
            units += {unit.id: unit for _, unit in ordered[:share]}.values()  # equal captures are judged once
    return units, strata


def allocate(sizes: Mapping[str, int], number: int) -> dict[str, int]:
    """Returns how many units each stratum gives: the same number, or all that it has; others then give more.

    >>> allocate({"a": 100, "b": 2, "c": 50}, 20)
    {'a': 9, 'b': 2, 'c': 9}
    """
    shares = dict.fromkeys(sorted(sizes), 0)
    left = min(number, sum(sizes.values()))
    while left:
        open_strata = [name for name in shares if shares[name] < sizes[name]]
        each = max(1, left // len(open_strata))
        for name in open_strata:
            more = min(each, sizes[name] - shares[name], left)
            shares[name] += more
            left -= more
    return shares


class _Sampler:
    """Draws units part by part."""

    def __init__(self, choice: Choice | None, wanted: Mapping[str, int], seed: int) -> None:
        self._choice, self._wanted, self._seed = choice, wanted, seed
        self.drawn: dict[tuple[str, str], _Drawn] = {}

    def add(self, part: JoinedVerdicts, near: set[int]) -> None:
        """Adds the units of a part of a batch; `near` has the records whose language scores are near."""
        if not part.blocks.height:
            return
        sizes = part.blocks.group_by("record", maintain_order=True).agg(pl.len(), pl.col("words").sum())
        pages = sizes.join(part.documents, on="record", how="left", maintain_order="left")
        keys = self._keys(pages)
        fate = removed_by().cast(pl.String).fill_null(_IN_CORPUS)
        reason = removal_reason().cast(pl.String).fill_null(KEPT)
        rows = part.blocks.with_columns(fate=fate, reason=reason)
        self._add_blocks(rows, pages, np.repeat(keys, pages["len"].to_numpy()))
        self._add_documents(part.blocks, pages.with_columns(fate=fate, reason=reason), keys, near)

    def _keys(self, pages: pl.DataFrame) -> NDArray[np.uint64]:
        """Returns a hash of each page."""
        keys = []
        for about in pages.select("url", "date", "page_digest").iter_rows():
            text = "\0".join([str(self._seed), *(value or "" for value in about)])
            keys.append(int.from_bytes(hashlib.md5(text.encode(), usedforsecurity=False).digest()[:8], "little"))
        return np.array(keys, np.uint64)

    def _add_blocks(self, rows: pl.DataFrame, pages: pl.DataFrame, keys: NDArray[np.uint64]) -> None:
        fates = rows["fate"].to_numpy()
        strata = fates
        if self._choice is not None:
            divided = (fates == _IN_CORPUS) | (fates == "boilerplate")
            names = np.array(DISTANCES)[distances(self._choice, rows)]
            strata = np.where(divided, np.char.add(np.char.add(fates.astype(str), " "), names), fates)
        hashes = _mixed(keys ^ _mixed(rows["block"].to_numpy().astype(np.uint64) + np.uint64(1)))
        words = rows["words"].to_numpy()
        starts = np.concatenate([[0], np.cumsum(pages["len"].to_numpy())])
        for place in self._chosen("block", strata.astype(str), fates, hashes, words):
            page = int(np.searchsorted(starts, place, side="right")) - 1
            row, about = rows.row(place, named=True), pages.row(page, named=True)
            first, last = max(int(starts[page]), place - NEIGHBOURS), min(int(starts[page + 1]), place + 1 + NEIGHBOURS)
            before = BETWEEN.join(rows["text"][first:place])
            unit = Unit(
                self._name(int(hashes[place]), "block", str(strata[place])),
                "block",
                str(strata[place]),
                "" if row["fate"] == _IN_CORPUS else row["fate"],
                row["reason"],
                row["words"],
                about["batch"],
                row["record"],
                str(row["block"]),
                about["url"] or "",
                before if len(before) <= CONTEXT else f"… {before[-CONTEXT:]}",
                row["text"][:TEXT],
                BETWEEN.join(rows["text"][place + 1 : last])[:CONTEXT],
            )
            self._keep(unit, int(hashes[place]))

    def _add_documents(
        self, blocks: pl.DataFrame, pages: pl.DataFrame, keys: NDArray[np.uint64], near: set[int]
    ) -> None:
        fates = pages["fate"].to_numpy()
        away = np.where(pages["record"].is_in(list(near)).to_numpy(), "near", "far") if near else np.array("far")
        divided = (fates == _IN_CORPUS) | (fates == "language")
        strata = np.where(divided, np.char.add(np.char.add(fates.astype(str), " "), away), fates).astype(str)
        hashes = _mixed(keys)
        starts = np.concatenate([[0], np.cumsum(pages["len"].to_numpy())])
        for place in self._chosen("document", strata, fates, hashes, pages["words"].to_numpy()):
            about = pages.row(place, named=True)
            unit = Unit(
                self._name(int(hashes[place]), "document", str(strata[place])),
                "document",
                str(strata[place]),
                "" if about["fate"] == _IN_CORPUS else about["fate"],
                about["reason"],
                about["words"],
                about["batch"],
                about["record"],
                "",
                about["url"] or "",
                (about["title"] or "")[:CONTEXT],
                _shown(blocks["text"][int(starts[place]) : int(starts[place + 1])].to_list()),
            )
            self._keep(unit, int(hashes[place]))

    def _chosen(
        self,
        kind: str,
        strata: NDArray[np.str_],
        fates: NDArray[np.str_],
        hashes: NDArray[np.uint64],
        words: NDArray[np.int64],
    ) -> Sequence[int]:
        """Counts the units of a part; returns the places of those that may be among the smallest of their stratum."""
        chosen: list[int] = []
        for name in np.unique(strata):
            places = np.flatnonzero(strata == name)
            fate = str(fates[places[0]])
            drawn = self.drawn.setdefault((kind, str(name)), _Drawn("" if fate == _IN_CORPUS else fate))
            drawn.units += len(places)
            drawn.words += int(words[places].sum())
            places = places[np.argsort(hashes[places], kind="stable")][: self._wanted[kind]]
            if len(drawn.smallest) == self._wanted[kind] and drawn.smallest:
                places = places[hashes[places] < -drawn.smallest[0][0]]
            chosen += places.tolist()
        return sorted(chosen)

    def _keep(self, unit: Unit, order: int) -> None:
        """Keeps a unit if its hash is among the smallest of its stratum."""
        smallest = self.drawn[unit.unit, unit.stratum].smallest
        entry = _Entry((-order, unit))
        if len(smallest) < self._wanted[unit.unit]:
            heapq.heappush(smallest, entry)
        else:
            heapq.heappushpop(smallest, entry)

    def _name(self, order: int, kind: str, stratum: str) -> str:
        """Returns the id of a unit: a hash of its own, because small hashes would tell large strata from small ones.

        It begins with a letter: a spreadsheet would take 123456e78901 for a number.
        """
        text = f"{kind} {stratum} {self._seed} {order}"
        return "u" + hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()[:12]


class _Entry(tuple[int, Unit]):
    """A hash, negative so that the largest is taken out first, and its unit; compared by the hash, then the place."""

    __slots__ = ()

    def __lt__(self, other: object) -> bool:
        assert isinstance(other, _Entry)
        return _order(self) < _order(other)


def _order(entry: _Entry) -> tuple[int, str, int]:
    return entry[0], entry[1].batch, entry[1].record


def _mixed(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Returns a permutation of 64-bit numbers without order (the finaliser of SplitMix64; Steele et al. 2014)."""
    mixed = values + np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))


def _shown(texts: Sequence[str]) -> str:
    """Returns the longest blocks of a page in their order: what people judge a document by, whatever its verdict."""
    left, chosen = DOCUMENT, {}
    for place in sorted(range(len(texts)), key=lambda place: (-len(texts[place]), place)):
        if left <= 0:
            break
        chosen[place] = texts[place][:left]
        left -= len(texts[place]) + len(BETWEEN)
    return BETWEEN.join(chosen[place] for place in sorted(chosen))


def _lowest_score(folder: Path, batches: Sequence[str]) -> float | None:
    """Returns the lowest language score of a kept document, which shows the threshold; None without a document."""
    lowest: float | None = None
    for batch in batches:
        rows = read_table(BatchFiles.of(folder, batch).language, schemas.LANGUAGE, ["score", "verdict"])
        score = rows.filter(verdict=KEPT)["score"].min()
        if isinstance(score, float):
            lowest = score if lowest is None else min(lowest, score)
    return lowest


def _near_records(files: BatchFiles, lowest: float | None) -> set[int]:
    rows = read_table(files.language, schemas.LANGUAGE, ["record", "score", "rival_score"])
    if lowest is None or not rows.height:
        return set()
    near = (pl.col("score") - lowest).abs() <= NEAR_SCORE
    rival = (pl.col("score") - pl.col("rival_score")).abs() <= NEAR_SCORE
    return set(rows.filter(near | rival)["record"].to_list())
