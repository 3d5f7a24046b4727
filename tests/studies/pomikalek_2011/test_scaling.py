"""Table 3.2: what is measured is shown, and what is not is estimated and says so."""

import re
from itertools import product
from pathlib import Path

import pytest
from support.running import REPOSITORY

from studies import published
from studies.pomikalek_2011.chapter_3 import scaling
from studies.pomikalek_2011.chapter_3.scaling import METHODS, Measured

PUBLISHED = [int(row["million_words"]) for row in published.table("3.2")]


def linear(sizes: list[int]) -> list[Measured]:
    """Measurements of methods that take 2 and 3 seconds, and one more per million words.

    Types grow with the 1.5th power. The last of the sizes decide, so the first is out of line.
    """
    rows = []
    for size, (seconds, method) in product(sizes, enumerate(METHODS, start=2)):
        start = seconds + (size == sizes[0])
        rows.append(Measured(size, method, size * 10**6, size * 400_000, start + size, 100, round(10_000 * size**1.5)))
    return rows


def test_rows_that_are_not_measured_are_estimated() -> None:
    """Seconds along a line, types along a power law, both through the two largest; measured rows stay as they are."""
    rows = linear([1, 10, 100])
    made = scaling.table(rows)
    assert [(row.million_words, row.method) for row in made] == list(product(PUBLISHED, METHODS))
    assert [row.estimated for row in made] == [size > 100 for size in PUBLISHED for _ in METHODS]
    for row in made:
        start = METHODS.index(row.method) + 2 + (row.million_words == 1)
        assert row.seconds == pytest.approx(start + row.million_words)
        assert row.types == pytest.approx(10_000 * row.million_words**1.5, rel=1e-3)


def test_nothing_is_estimated_where_all_is_measured() -> None:
    """Then no note speaks of it."""
    rows = linear(PUBLISHED)
    assert not any(row.estimated for row in scaling.table(rows))
    assert "stimated" not in scaling.markdown(rows)


def test_estimated_numbers_are_marked() -> None:
    """Each number of such a row, and a note names the rows."""
    lines = scaling.markdown(linear([1, 10, 100])).splitlines()
    assert [line.count("(estimated)") for line in lines[2:7]] == [0, 0, 0, 3, 3]
    assert "ours for 1,000 and 9,292 million words" in "\n".join(lines)


def test_measurements_are_read_as_written(tmp_path: Path) -> None:
    """In the order of sizes."""
    rows = linear([1, 10])
    path = tmp_path / "scaling.tsv"
    path.write_text(scaling.as_text(rows[::-1]), encoding="utf-8")
    assert scaling.read(path) == rows


def test_both_methods_are_measured_and_agree() -> None:
    """On the same corpora, with the same n-grams."""
    rows = scaling.read()
    for size in {row.million_words for row in rows}:
        suffix_sort, hashing = (row for row in rows if row.million_words == size)
        assert (suffix_sort.method, hashing.method) == METHODS
        assert suffix_sort.duplicate_types == hashing.duplicate_types > 0
        assert suffix_sort.tokens == hashing.tokens == pytest.approx(size * 10**6, rel=0.05)
        assert 0.3 < suffix_sort.counted_tokens / suffix_sort.tokens < 0.6


def test_the_page_shows_these_measurements() -> None:
    """`python bench table-3-2` writes both."""
    page = (REPOSITORY / "docs" / "measurements" / "deduplication.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"<!-- table 3\.2 -->\n(.*?)\n<!-- end -->", page, re.DOTALL)
    assert shown == scaling.markdown(scaling.read())
