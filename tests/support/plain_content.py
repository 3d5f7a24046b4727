"""Which scored blocks of a page are main content, in plain Python: the oracle of native/pages/main_content.hpp."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple


class Scored(NamedTuple):
    """A block."""

    score: int
    kind: str
    words: int
    link_density: float


def main_content(
    page: Sequence[Scored], threshold: int, *, comments: bool, title: bool, tables: bool, code: bool
) -> list[int]:
    """Returns 0 for main content, 1 for too low a score, 2 for a kind that is not wanted."""
    good = _by_score(page, threshold)
    good = [score or row for score, row in zip(good, _in_rows(page, good), strict=True)]
    wanted = {"title": title, "table": tables, "code": code}
    left_out = [not wanted.get(block.kind, True) for block in page]
    kept = [block for block, stays, out in zip(page, good, left_out, strict=True) if stays and not out]
    of_comments = sum(block.words for block in kept if block.kind == "comment")
    of_others = sum(block.words for block in kept) - of_comments
    are_content = of_comments > 0.8 * (of_comments + of_others) and of_others < 500
    for number, block in enumerate(page):
        if block.kind == "comment" and comments:
            good[number] |= block.words >= 5 and block.link_density <= 0.3
        elif block.kind == "comment":
            left_out[number] = not are_content
    if title and any(stays and not out for stays, out in zip(good, left_out, strict=True)):
        good = [stays or block.kind == "title" for stays, block in zip(good, page, strict=True)]
    return [1 if not stays else 2 * out for stays, out in zip(good, left_out, strict=True)]


def _by_score(page: Sequence[Scored], threshold: int) -> list[bool]:
    best = max((block.score for block in page), default=0)
    least = max(min(threshold, 250), threshold * best // 1000)
    low = max(threshold * 400 // 1000, min(threshold, 200))
    text = sum(block.words for block in page if block.score >= low)
    nearly_all = best >= 250 and text * 1000 >= 900 * sum(block.words for block in page)
    teasers = _before_title(page, best)
    before = min(1600 * threshold // 1000, 900) * best // 1000
    found = []
    for number, block in enumerate(page):
        lowest = min(low, least) if nearly_all and block.link_density <= 0.5 else least
        found.append(block.score >= (max(lowest, before) if number < teasers else lowest))
    return found


def _before_title(page: Sequence[Scored], best: int) -> int:
    kinds = [block.kind for block in page]
    if "title" not in kinds:
        return 0
    title = kinds.index("title")
    words = [block.words if 2 * block.score >= best else 0 for block in page]
    behind = sum(words[title:])
    return title if behind and behind * 1000 >= 300 * sum(words) else 0


def _in_rows(page: Sequence[Scored], good: Sequence[bool]) -> list[bool]:
    """Which blocks are linked cells between the kept cells of a table."""
    result = [False] * len(page)
    for table in _tables(page):
        places = [run for run in _linked(page, table) if _between_kept(page, good, table, run)]
        if len(places) >= 3:
            for cell in (cell for run in places for cell in run):
                result[cell] = True
    return result


def _tables(page: Sequence[Scored]) -> Iterator[list[int]]:
    for is_table, run in groupby(range(len(page)), lambda number: page[number].kind == "table"):
        if is_table:
            yield list(run)


def _linked(page: Sequence[Scored], table: Sequence[int]) -> Iterator[list[int]]:
    for is_linked, run in groupby(table, lambda number: page[number].link_density > 0.5):
        if is_linked:
            yield list(run)


def _between_kept(page: Sequence[Scored], good: Sequence[bool], table: Sequence[int], run: Sequence[int]) -> bool:
    best = max(block.score for block in page)
    beside = [cell for cell in (run[0] - 1, run[-1] + 1) if cell in table]
    return (
        len(beside) > 0
        and len(run) <= 2
        and all(page[cell].score >= 300 for cell in run)
        and all(good[cell] and 2 * page[cell].score >= best for cell in beside)
    )
