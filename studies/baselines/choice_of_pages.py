"""Chooses the reference page of a site (Baisa 2009, 2.4)."""

from collections.abc import Sequence
from typing import TypeVar

Page = TypeVar("Page")


def reference_pages(by_size: Sequence[Page]) -> tuple[Page, Page]:
    """Returns the reference page of a site, and the page that it is itself compared with.

    Args:
        by_size: two or more pages of the site, ascending by size.
    """
    middle = len(by_size) // 2
    return by_size[middle], by_size[middle + 1 if middle + 1 < len(by_size) else middle - 1]
