"""What the page about a record shows: runs of blocks that are kept or removed together."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from corpusprep.inspection.story import BlockStory


@dataclass(frozen=True, slots=True)
class Stretch:
    """Consecutive blocks that are all kept or all removed.

    Attributes:
        kept: whether they are in the corpus.
        blocks: the blocks.
        words: their words.
        reasons: of removed blocks: each reason with its number, most frequent first.
    """

    kept: bool
    blocks: tuple[BlockStory, ...]
    words: int
    reasons: str


def runs(blocks: Sequence[BlockStory]) -> list[Stretch]:
    """Returns the blocks of a page in order, as runs."""
    stretches: list[list[BlockStory]] = []
    for block in blocks:
        if stretches and stretches[-1][-1].verdict.kept == block.verdict.kept:
            stretches[-1].append(block)
        else:
            stretches.append([block])
    return [
        Stretch(
            stretch[0].verdict.kept,
            tuple(stretch),
            sum(block.words for block in stretch),
            "" if stretch[0].verdict.kept else _reasons([block.verdict.reason for block in stretch]),
        )
        for stretch in stretches
    ]


def _reasons(reasons: Sequence[str]) -> str:
    counts = sorted(Counter(reasons).items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{reason} {count:,}" for reason, count in counts)
