"""The marks by which a page describes itself (native/pages/page_metadata.hpp)."""

from lxml import etree

#: Where a mark is from, in the order of MarkKind.
KINDS: tuple[str, ...]

def page_marks(root: etree._Element) -> list[tuple[str, str, str]]:
    """Returns kind, key (in lower case) and value of each mark of the tree, in document order."""
