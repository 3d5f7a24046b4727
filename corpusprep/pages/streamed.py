"""Puts the parts of streamed pages where their scripts put them (React's server rendering, and Next.js).

A server sends a page with gaps, and what belongs in them later, at its end, in hidden elements:

    <!--$?--><template id="B:0"></template>Loading …<!--/$-->   a gap, with what is shown until then
    <template id="P:1"></template>                              a gap without
    <div hidden id="S:0">…</div><script>$RC("B:0","S:0")</script>
    <div hidden id="S:1">…</div><script>$RS("S:1","P:1")</script>
"""

import re

from corpusprep._native.markup import has_moves

_PART = re.compile(rb'<div hidden(?:="")? id="([^"<>]{,64}S:[^"<>]{,16})">')
_MOVE = re.compile(rb'\$R[A-Z]\("([^"<>]{,64}[BPS]:[^"<>]{,16})","([^"<>]{,64}[BPS]:[^"<>]{,16})"')
_GAP = re.compile(rb'(?:<!--\$\?-->)?<template id="([^"<>]{,64}[BP]:[^"<>]{,16})"></template>')
_DIV = re.compile(rb"<(/?)div(?=[\s>])")
_BORDER = re.compile(rb"<!--(/?)\$[?!~]?-->")
#: Gaps inside gaps that are filled, and bytes of what is shown in one.
_DEEPEST, _LONGEST = 64, 1 << 16


def put_together(page: bytes) -> bytes:
    """Returns a page (UTF-8) as its scripts put it together. Linear; each part is used once."""
    if not has_moves(page):
        return page
    named = _MOVE.findall(page)
    moves = {second: first for first, second in named} | dict(named)
    found = _parts(page, moves)
    if not found:
        return page
    rest, parts = found
    return _filled(rest, parts, 0)


def _parts(page: bytes, moves: dict[bytes, bytes]) -> tuple[bytes, dict[bytes, bytes]] | None:
    """Returns a page without the parts that scripts move, and these by the names of their gaps."""
    parts: dict[bytes, bytes] = {}
    rest: list[bytes] = []
    end = 0
    for start in _PART.finditer(page):
        gap = moves.get(start[1])
        if gap is None or gap in parts or start.start() < end:
            continue
        close = _end_of_div(page, start.end())
        if close is None:
            break
        parts[gap] = page[start.end() : close[0]]
        rest.append(page[end : start.start()])
        end = close[1]
    return (b"".join([*rest, page[end:]]), parts) if parts else None


def _end_of_div(page: bytes, start: int) -> tuple[int, int] | None:
    """Returns where the end tag of a <div> begins and ends; None if it has none."""
    depth = 1
    for tag in _DIV.finditer(page, start):
        depth += -1 if tag[1] else 1
        if not depth:
            end = page.find(b">", tag.end())
            return None if end < 0 else (tag.start(), end + 1)
    return None


def _filled(text: bytes, parts: dict[bytes, bytes], depth: int) -> bytes:
    """Returns text with its gaps filled; takes the parts that it uses."""
    filled: list[bytes] = []
    end = 0
    for gap in _GAP.finditer(text):
        if gap.start() < end or gap[1] not in parts or depth == _DEEPEST:
            continue
        part = _filled(parts.pop(gap[1]), parts, depth + 1)
        filled += [text[end : gap.start()], part]
        end = _end_of_gap(text, gap.end()) if gap[0].startswith(b"<!--") else gap.end()
    return b"".join([*filled, text[end:]])


def _end_of_gap(text: bytes, start: int) -> int:
    """Returns where the end of what is shown in a gap ends; `start` if it has none."""
    depth = 1
    for border in _BORDER.finditer(text, start, start + _LONGEST):
        depth += -1 if border[1] else 1
        if not depth:
            return border.end()
    return start
