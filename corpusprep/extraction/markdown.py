"""Writes the good blocks of a page as Markdown (CommonMark 0.31, with the tables of GitHub).

Headings, lists, quotations, tables of data and code keep their form; links are written if the outline has them, which
needs their addresses in the tree (html.parse, `lean=False`). Characters that
would begin something else at the start of a line, and `<` before a name, are escaped; marks of emphasis are not.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import groupby
from urllib.parse import urljoin

from corpusprep.extraction.blocks import Block
from corpusprep.pages.outline import CODE, Outline, Place, Span

#: Spaces that a list is indented by in its item: enough for ordinals of two digits, and below an indented code block.
_INDENT = "    "
#: Cells of a data table have at most that many words in the mean, where no model tells the kinds of blocks.
_CELL_WORDS = 20
_STARTS = re.compile(r"(?:#{1,6}(?=\s|$)|>|[-+*](?=\s|$)|```|~~~|[-=_*]{3,}\s*$|=+\s*$)")
#: First characters of what these find; also the empty text.
_FIRSTS = frozenset(["", *"#>-+*`~=_0123456789"])
_ORDINAL = re.compile(r"([0-9]{1,9})([.)])(?=\s|$)")
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_BACKTICKS = re.compile("`+")

_Row = tuple[Block, Place, int]


def markdown(blocks: Sequence[Block], outline: Outline | None, first: int, url: str = "") -> str:
    """Returns the good blocks as Markdown, without a line break at the end.

    Args:
        blocks: the blocks of a page.
        outline: their outline; None: only headings and items are told apart.
        first: number of the page's first block in the outline.
        url: the address of the page, for relative links.
    """
    end = first + len(blocks)
    places = map(_place, blocks) if outline is None else outline.places_of(first, end)
    rows: list[_Row] = [
        (block, place, number)
        for number, (block, place) in enumerate(zip(blocks, places, strict=True), first)
        if block.label == "good"
    ]
    return _Writer(outline, {} if outline is None else outline.spans_of(first, end), url).text(rows)


def _place(block: Block) -> Place:
    """Returns what a block alone tells of its place."""
    level = int(block.tag[1]) if block.heading and block.tag[1:].isdigit() else 2 * block.heading
    return Place(level=level, lists=int(block.tag == "li"))


class _Writer:
    """Writes one page."""

    def __init__(self, outline: Outline | None, spans: Mapping[int, Sequence[Span]], url: str) -> None:
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
        lines = [
            (self._outline.preformatted(number) if self._outline is not None else "") or block.text
            for block, _, number in rows
        ]
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
            if start < position or start >= end or (closing and end > closing[-1][0] >= start):
                continue
            until(start)
            if span.kind == CODE:
                code = text[start:end].decode("utf-8", "replace")
                fence = "`" * (1 + max(map(len, _BACKTICKS.findall(code)), default=0))
                space = " " if code.startswith("`") or code.endswith("`") else ""
                written.append(f"{fence}{space}{code}{space}{fence}")
                position = end
            elif target := self._target(span.target):
                written.append("[")
                closing.append((end, f"]({target})"))
        until(len(text))
        return "".join(written)

    def _target(self, address: str) -> str:
        """Returns an address in full, as Markdown has it; empty for scripts and for what is no address."""
        address = "".join(address.split("\n")).strip()
        try:
            full = urljoin(self._url, address) if self._url else address
        except ValueError:
            return ""
        if full.lower().startswith(("javascript:", "data:")):
            return ""
        return full.replace(" ", "%20").replace("(", "%28").replace(")", "%29").replace("<", "%3C").replace(">", "%3E")


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
    if text[:1] not in _FIRSTS:
        return text
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
