"""Writes text with CleanEval's markers: <h> heading, <l> item of a list, <p> other text (Baisa 2009, 2.5)."""

from collections.abc import Iterable

from corpusprep.extraction.blocks import Block


def marked_lines(blocks: Iterable[Block], title: str = "", *, document: bool = False) -> list[str]:
    """Returns a line per block, with its marker.

    Args:
        blocks: the good blocks of a page.
        title: added as the first heading, unless the first block has the same text (Baisa's -t).
        document: whether a line `<doc>` comes first (Baisa's -c).
    """
    lines = [f"<{block.type}>{block.text}" for block in blocks]
    if title and (not lines or lines[0][len("<h>") :] != title):
        lines.insert(0, f"<h>{title}")
    return ["<doc>"] * document + lines
