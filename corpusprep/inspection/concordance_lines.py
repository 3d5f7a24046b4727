"""Lines of a concordance: hits as text in its context, what is counted of them, and their orders."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from corpusprep.inspection.search_texts import Fates
from corpusprep.text.vertical import attributes, unescape

#: How lines can be sorted: by what stands to the left or right of the keyword, or by the keyword.
SORTS = ("left", "right", "keyword")
#: What hits are counted by, beside columns and attributes of documents: the hit in lower case, the year of the date.
KEYWORD, YEAR = "keyword", "year"
#: Tokens of context that decide the order.
_SORTED_TOKENS = 5
_BLOCK = re.compile(rb'<p heading="[01]" block="([0-9]+)"')
_HOST = re.compile(rb'<doc(?: +[\w.:-]+="[^"]*")*? +host="([^"]*)"')


@dataclass(frozen=True, slots=True)
class ConcordanceLine:
    """A hit in its context, all from one block.

    Attributes:
        left, keyword, right: text as it was, on one line; the contexts have up to `width` characters.
        host, date, url: of the page.
        where: what `corpusprep why` takes to explain the page: a document identifier, or batch:record.
        block: number of the block in the page.
        stage, reason: what removed the block; both empty if it is in the corpus.
    """

    left: str
    keyword: str
    right: str
    host: str
    date: str
    url: str
    where: str
    block: int
    stage: str = ""
    reason: str = ""


@dataclass(slots=True)
class HitCounts:
    """What a search has counted so far, of all hits, whether they are shown or not.

    Attributes:
        hits: number of hits.
        tokens: number of tokens that were searched.
        hosts: hits by host.
        reasons: hits by the stage that removed the block, and its reason; ("", "") is the corpus.
        values: hits by what was asked for.
        batches: batches that were searched, and all.
    """

    hits: int = 0
    tokens: int = 0
    hosts: Counter[str] = field(default_factory=Counter)
    reasons: Counter[tuple[str, str]] = field(default_factory=Counter)
    values: Counter[str] = field(default_factory=Counter)
    batches: tuple[int, int] = (0, 0)


class Context:
    """Makes lines from a piece of a vertical."""

    def __init__(self, piece: bytes, width: int, fates: Fates | None) -> None:
        self._piece, self._width, self._fates = piece, width, fates
        self._document: tuple[int, dict[str, str]] = (-1, {})
        self._block: tuple[int, dict[str, str]] = (-1, {})

    def document(self, place: int) -> dict[str, str]:
        """Returns the attributes of the document at a place."""
        if self._document[0] != place:
            self._document = place, self._attributes(place)
        return self._document[1]

    def host(self, place: int) -> str:
        """Returns the host of the document at a place; of a usual line, no other attribute is read."""
        match = _HOST.match(self._piece, place)
        return unescape(match[1].decode("utf-8", "replace")) if match else self.document(place).get("host", "")

    def block(self, place: int) -> dict[str, str]:
        """Returns the attributes of the block at a place."""
        if self._block[0] != place:
            self._block = place, self._attributes(place)
        return self._block[1]

    def fate(self, document: int, block: int) -> tuple[str, str]:
        """Returns the stage that removed a block, and its reason; both are empty if it stays."""
        about = self.block(block)
        if self._fates is None:
            return about.get("stage", ""), about.get("reason", "")
        [fate] = self._fates.of([int(self.document(document)["where"].rpartition(":")[2])], [int(about["block"])])
        return fate

    def offset(self, block: int, begin: int) -> int:
        """Returns where a hit begins in its block, in bytes behind the line <p …>."""
        return begin - self._piece.index(b"\n", block)

    def count(self, places: NDArray[np.int64], counts: HitCounts, *, removed: bool) -> None:
        """Adds hits to counts by host and, for removed text, by reason."""
        for document, number in _runs(places[:, 0]):
            counts.hosts[self.host(document)] += number
        if not removed:
            counts.reasons["", ""] += len(places)
            return
        firsts, numbers = _firsts(places[:, 1])
        for fate, number in zip(self._fates_of(places[firsts, :2].tolist()), numbers.tolist(), strict=True):
            counts.reasons[fate] += number

    def values(self, places: NDArray[np.int64], by: str, columns: Sequence[str]) -> Counter[str]:
        """Returns the numbers of hits by a value.

        Args:
            places: of the hits.
            by: KEYWORD, a column of the vertical, YEAR, or an attribute of documents; one that is missing is empty.
            columns: names of the columns.
        """
        if by == KEYWORD or by in columns:
            column = columns.index(by) if by in columns else 0
            hits = Counter(self._piece[begin:end] for begin, end in places[:, 2:4].tolist())
            values: Counter[str] = Counter()
            for lines, number in hits.items():
                value = _text(lines, column)
                values[value.lower() if by == KEYWORD else value] += number
            return values
        values = Counter()
        for document, number in _runs(places[:, 0]):
            about = self.document(document)
            values[about.get("date", "")[:4] if by == YEAR else about.get(by, "")] += number
        return values

    def _fates_of(self, places: Sequence[tuple[int, int]]) -> list[tuple[str, str]]:
        """Returns the fates of blocks, each given by the places of its document and of itself."""
        if self._fates is None:
            return [self.fate(*place) for place in places]
        records: dict[int, int] = {}
        wanted: list[int] = []
        numbers: list[int] = []
        for document, block in places:
            if document not in records:
                records[document] = int(self._attributes(document)["where"].rpartition(":")[2])
            wanted.append(records[document])
            # _BLOCK is how the tokeniser writes the line.
            match = _BLOCK.match(self._piece, block)
            numbers.append(int(match[1] if match else self._attributes(block)["block"]))
        return self._fates.of(wanted, numbers)

    def _attributes(self, place: int) -> dict[str, str]:
        return attributes(self._piece[place : self._piece.index(b"\n", place)].decode("utf-8", "replace"))

    def line(self, document: int, block_start: int, begin: int, end: int) -> ConcordanceLine:
        """Returns a hit in its context."""
        about, block = self.document(document), self.block(block_start)
        stage, reason = self.fate(document, block_start)
        # Four bytes per character, and the line feed or glue between tokens: more than enough for the context.
        reach = 12 * self._width + 200
        start = self._piece.index(b"\n", block_start) + 1
        before = max(start, begin - reach)
        if before > start:
            before = self._piece.index(b"\n", before) + 1
        stop = self._piece.find(b"\n</p>", end)
        after = min(len(self._piece) if stop < 0 else stop, end + reach)
        left = _text(self._piece[before:begin])
        keyword = _text(self._piece[begin:end])
        right_lines = self._piece[end + 1 : max(after, end)]
        if after == end + reach:
            right_lines = right_lines[: right_lines.rfind(b"\n") + 1]
        right = _text(right_lines)
        glued_left = self._piece[before:begin].endswith(b"<g/>\n")
        return ConcordanceLine(
            left=(left + ("" if glued_left or not left else " "))[-self._width :],
            keyword=keyword,
            right=(("" if right_lines.startswith(b"<g/>") or not right else " ") + right)[: self._width],
            host=about.get("host", ""),
            date=about.get("date", ""),
            url=about.get("url", ""),
            where=about.get("where") or about.get("id", ""),
            block=int(block.get("block", 0)),
            stage=stage,
            reason=reason,
        )


def _runs(places: NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    """Yields each place of an ascending array, and how often it occurs."""
    firsts, numbers = _firsts(places)
    yield from zip(places[firsts].tolist(), numbers.tolist(), strict=True)


def _firsts(places: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Returns where each place of an ascending array occurs first, and how often it occurs."""
    firsts = np.flatnonzero(np.diff(places, prepend=-1))
    return firsts, np.diff(firsts, append=len(places))


def _text(lines: bytes, column: int = 0) -> str:
    """Returns a column of the tokens of lines, as they were in the text: with spaces, but where `<g/>` stands."""
    words: list[str] = []
    glued = True
    for line in lines.decode("utf-8", "replace").split("\n"):
        if line == "<g/>":
            glued = True
        elif line and not (line[0] == "<" and line[-1] == ">" and len(line) > 2):
            words.append(("" if glued else " ") + unescape("".join(line.split("\t")[column : column + 1])))
            glued = False
    return "".join(words)


def in_order(lines: Sequence[ConcordanceLine], sort: str) -> list[ConcordanceLine]:
    """Returns lines in one of the orders SORTS."""
    return sorted(lines, key=lambda line: (_sort_key(line, sort), line.left, line.right, line.url, line.block))


def _sort_key(line: ConcordanceLine, sort: str) -> tuple[str, ...]:
    if sort == "left":
        return tuple(reversed(line.left.casefold().split()[-_SORTED_TOKENS:]))
    text = line.right if sort == "right" else line.keyword
    return tuple(text.casefold().split()[:_SORTED_TOKENS])
