"""Markdown of pages, block by block in plain Python: the twin of native/pages/markdown.cpp."""

import re
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np

from corpusprep.extraction.blocks import Block
from corpusprep.extraction.markdown import link_target
from corpusprep.pages.outline import CODE, Outline, Place

_INDENT = "    "
_CELL_WORDS = 20
_STARTS = re.compile(r"(?:#{1,6}(?=\s|$)|>|[-+*](?=\s|$)|```|~~~|[-=_*]{3,}\s*$|=+\s*$)")
_ORDINAL = re.compile(r"([0-9]{1,9})([.)])(?=\s|$)")
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_BACKTICKS = re.compile("`+")

_Row = tuple[Block, Place, int]


class Span(NamedTuple):
    """A linked part of a block, or code in it: bytes `start` to `end` of its text. Code has no target."""

    start: int
    end: int
    kind: int
    target: str


def places_of(outline: Outline, first: int, end: int) -> list[Place]:
    """Returns where the blocks from `first` to before `end` stand."""
    return [Place(*row) for row in outline.places[first:end].tolist()]


def preformatted(outline: Outline, block: int) -> str:
    """Returns the text of a block inside <pre> with its line breaks; empty for other blocks."""
    start, end = outline.line_offsets[block : block + 2].tolist()
    return outline.lines[start:end].decode("utf-8", "replace")


def spans_of(outline: Outline, first: int, end: int) -> dict[int, list[Span]]:
    """Returns the spans of the blocks from `first` to before `end` that have some, inner ones before outer ones."""
    spans: dict[int, list[Span]] = {}
    start, stop = np.searchsorted(outline.span_blocks, [first, end]).tolist()
    for number in range(start, stop):
        target, address = int(outline.span_targets[number]), ""
        if target >= 0:
            begins, ends = outline.target_offsets[target : target + 2].tolist()
            address = outline.targets[begins:ends].decode("utf-8", "replace")
        place = outline.span_starts[number], outline.span_ends[number], outline.span_kinds[number]
        spans.setdefault(int(outline.span_blocks[number]), []).append(Span(*map(int, place), address))
    return spans


def plain_markdown(blocks: Sequence[Block], outline: Outline, first: int, url: str = "") -> str:
    """Returns the good blocks as Markdown; arguments as of corpusprep.extraction.markdown."""
    end = first + len(blocks)
    rows = [
        (block, place, number)
        for number, (block, place) in enumerate(zip(blocks, places_of(outline, first, end), strict=True), first)
        if block.label == "good"
    ]
    return _Writer(outline, spans_of(outline, first, end), url).text(rows)


class _Writer:
    """Writes one page."""

    def __init__(self, outline: Outline, spans: Mapping[int, Sequence[Span]], url: str) -> None:
        self._outline, self._spans, self._url = outline, spans, url
        self._items: set[int] = set()  # that have their mark

    def text(self, rows: Sequence[_Row]) -> str:
        """Returns the Markdown of rows of blocks."""
        parts: list[str] = []
        in_list = False
        for (pre, table), grouped in groupby(rows, key=lambda row: (row[1].preformatted, row[1].table)):
            group = list(grouped)
            if pre:
                parts += ["\n\n"] * bool(parts) + [self._code(group)]
                in_list = False
            elif table and _is_data(group):
                parts += ["\n\n"] * bool(parts) + [self._table(group)]
                in_list = False
            else:
                for row in group:
                    is_item = row[1].lists > 0
                    if parts:
                        parts.append("\n" if in_list and is_item and self._begins_item(row) else "\n\n")
                    parts.append(self._block(row))
                    in_list = is_item
        return "".join(parts)

    def _begins_item(self, row: _Row) -> bool:
        item = row[1].item
        return not item or item not in self._items

    def _block(self, row: _Row) -> str:
        """Returns a paragraph, heading or item."""
        _, place, _ = row
        text = self._inline(row)
        if place.lists:
            mark = ""
            if self._begins_item(row):
                mark = f"{place.ordinal}. " if place.ordinal else "- "
            self._items.add(place.item)
            text = _INDENT * (place.lists - 1) + (mark + _escaped(text) if mark else _INDENT + _escaped(text))
        elif place.level:
            text = "#" * place.level + " " + text
        else:
            text = _escaped(text)
        return "> " * min(place.quotes, 3) + text if place.quotes else text

    def _code(self, rows: Sequence[_Row]) -> str:
        """Returns the blocks of one <pre> as fenced code."""
        lines = [preformatted(self._outline, number) or block.text for block, _, number in rows]
        code = "\n".join(line.strip("\n") for line in lines)
        fence = "`" * max(3, 1 + max(map(len, _BACKTICKS.findall(code)), default=0))
        return f"{fence}\n{code}\n{fence}"

    def _table(self, rows: Sequence[_Row]) -> str:
        """Returns the blocks of one table as a table; its first row is the header."""
        cells = _cells(rows)
        lines = [[" ".join(self._inline(row) for row in cell).replace("|", r"\|") for cell in line] for line in cells]
        width = max(map(len, lines))
        padded = [line + [""] * (width - len(line)) for line in lines]
        written = ["| " + " | ".join(line) + " |" for line in padded]
        return "\n".join([written[0], "|" + " --- |" * width, *written[1:]])

    def _inline(self, row: _Row) -> str:
        """Returns the text of a block with its code and links."""
        block, _, number = row
        spans = self._spans.get(number)
        return self._marked(block.text.encode(), spans) if spans else _literal(block.text)

    def _marked(self, text: bytes, spans: Sequence[Span]) -> str:
        """Returns text with its spans; those inside code are left out."""
        written: list[str] = []
        position = 0
        # Outer spans first: they begin before, or end after, those inside.
        ordered = sorted(spans, key=lambda span: (span.start, -span.end, span.kind))
        closing: list[tuple[int, str]] = []

        def until(end: int) -> None:
            nonlocal position
            while closing and closing[-1][0] <= end:
                stop, mark = closing.pop()
                written.append(_plain(text[position:stop]) + mark)
                position = stop
            written.append(_plain(text[position:end]))
            position = end

        for span in ordered:
            start, end = _trimmed(text, span)
            if start < position or start >= end:
                continue
            until(start)
            if closing and end > closing[-1][0]:
                continue
            if span.kind == CODE:
                code = text[start:end].decode("utf-8", "replace")
                fence = "`" * (1 + max(map(len, _BACKTICKS.findall(code)), default=0))
                space = " " if code.startswith("`") or code.endswith("`") else ""
                written.append(f"{fence}{space}{code}{space}{fence}")
                position = end
            elif target := link_target(span.target, self._url):
                written.append("[")
                closing.append((end, f"]({target})"))
        until(len(text))
        return "".join(written)


def _plain(text: bytes) -> str:
    return _literal(text.decode("utf-8", "replace"))


def _literal(text: str) -> str:
    """Returns text in which no tag begins."""
    return _TAG.sub(r"\\<", text) if "<" in text else text


def _trimmed(text: bytes, span: Span) -> tuple[int, int]:
    """Returns start and end of a span without the spaces at its ends."""
    part = text[span.start : span.end]
    start = span.start + len(part) - len(part.lstrip(b" "))
    return start, span.end - (len(part) - len(part.rstrip(b" "))) if part.strip() else start


def _escaped(text: str) -> str:
    """Returns text that begins a line: what would begin a list, a heading, a quotation or a fence is escaped."""
    if _STARTS.match(text):
        return "\\" + text
    return _ORDINAL.sub(r"\1\\\2", text, count=1) if _ORDINAL.match(text) else text


def _cells(rows: Sequence[_Row]) -> list[list[list[_Row]]]:
    """Returns the blocks of a table by row and cell."""
    return [
        [list(cell) for _, cell in groupby(line, key=lambda row: row[1].cell)]
        for _, line in groupby(rows, key=lambda row: row[1].row)
    ]


def _is_data(rows: Sequence[_Row]) -> bool:
    """Returns whether a table has data: tables may only place text on the page."""
    cells = _cells(rows)
    if sum(len(line) > 1 for line in cells) < 2:
        return False
    kinds = [block.kind for block, _, _ in rows]
    if None not in kinds:
        return 2 * kinds.count("table") >= len(kinds)
    return sum(block.words for block, _, _ in rows) <= _CELL_WORDS * sum(map(len, cells))
