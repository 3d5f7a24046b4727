"""Writes the good blocks of a page as Markdown (CommonMark 0.31, with the tables of GitHub).

Headings, lists, quotations, tables of data and code keep their form; links are written if the outline has them, which
needs their addresses in the tree (html.parse, `lean=False`).
"""

from collections.abc import Sequence
from urllib.parse import urljoin

from corpusprep._native.markdown import markdown as written
from corpusprep.extraction.blocks import Block
from corpusprep.pages.outline import Outline, Place


def markdown(blocks: Sequence[Block], outline: Outline | None, first: int, url: str = "") -> str:
    """Returns the good blocks as Markdown, without a line break at the end.

    Args:
        blocks: the blocks of a page.
        outline: their outline; None: only headings and items are told apart.
        first: number of the page's first block in the outline.
        url: the address of the page, for relative links.
    """
    if outline is None:
        outline, first = Outline.of_places([_place(block) for block in blocks]), 0
    return written(
        blocks,
        first,
        outline.places,
        outline.lines,
        outline.line_offsets,
        outline.span_blocks,
        outline.span_starts,
        outline.span_ends,
        outline.span_kinds,
        outline.span_targets,
        {
            number: link_target(address, url).encode("utf-8", "replace")
            for number, address in outline.addresses(first, first + len(blocks)).items()
        },
    )


def _place(block: Block) -> Place:
    """Returns what a block alone tells of its place."""
    level = int(block.tag[1]) if block.heading and block.tag[1:].isdigit() else 2 * block.heading
    return Place(level=level, lists=int(block.tag == "li"))


def link_target(address: str, url: str) -> str:
    """Returns an address in full, as Markdown has it; empty for scripts and for what is no address."""
    address = "".join(address.split("\n")).strip()
    try:
        full = urljoin(url, address) if url else address
    except ValueError:
        return ""
    if full.lower().startswith(("javascript:", "data:")):
        return ""
    return full.replace(" ", "%20").replace("(", "%28").replace(")", "%29").replace("<", "%3C").replace(">", "%3E")
