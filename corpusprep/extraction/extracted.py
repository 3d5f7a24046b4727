"""The blocks of a page as `extract` returns them, made from columns of blocks."""

from collections.abc import Iterable
from dataclasses import dataclass

from corpusprep._native.block_rows import BlockRows
from corpusprep.cleaners.block_models import TOP_SCORE
from corpusprep.cleaners.interface import LABELS, VERDICTS, Classes
from corpusprep.pages.features import KINDS
from corpusprep.pages.segmentation import TAGS, Blocks
from corpusprep.tables.verdicts import KEPT, PAGE_REASONS


@dataclass(slots=True, frozen=True)
class Block:
    """A textual block of a page (Pomikálek 2011, 2.7).

    Attributes:
        text: the text, white space folded to single spaces.
        label: `good` (main content) or `bad` (boilerplate).
        context_free_label: the class before the context was looked at: good, near-good, short or bad.
        words: white-space separated words.
        link_density: share of the words inside links, 0 to 1.
        stopword_density: share of stop words among the alphabetic words, 0 to 1.
        heading: whether the block is in h1 … h6.
        verdict: `kept`, or the reason why it is bad (corpusprep.tables.verdicts.BLOCK_REASONS).
        score: probability that it is main content, 0 to 1, by a learned algorithm; None for others.
        kind: text, heading, title, list, table, code, caption or comment, by `content`; None for others.
        tag: the innermost block-level element around its start: `p`, `li`, `td`, …
    """

    text: str
    label: str
    context_free_label: str
    words: int
    link_density: float
    stopword_density: float
    heading: bool
    verdict: str
    score: float | None = None
    kind: str | None = None
    tag: str = "body"


class Extraction(list[Block]):
    """The blocks of a page, in order: a list that knows what came of the page.

    Attributes:
        verdict: `kept` if a block is good. Otherwise why none is: `no_good_block`, `no_text` or `parse_failed`
            (corpusprep.tables.verdicts.PAGE_REASONS); or for an input that is no HTML page, without blocks, `empty`,
            `content_type`, `not_text`, `json` or another format (RECORD_REASONS).
        reason: the same in words; for an input that is no HTML page, what it is and what to do. Empty if the verdict
            is `kept`.
        title: its first heading, or else its <title>; empty if it has neither (Baisa 2009, appendix: getMainHeadline).
        error: of a page of `extract_many` that failed: the exception; its verdict is `error`. Otherwise None.

    >>> from corpusprep import extract
    >>> page = extract("<a href=/>Home</a>")
    >>> len(page), page.verdict, page.reason
    (1, 'no_good_block', 'blocks of text, but no good one')
    >>> extract("<p>The ferry is back on the river, and it is full of people.").text
    'The ferry is back on the river, and it is full of people.'
    """

    def __init__(
        self, blocks: Iterable[Block], verdict: str, reason: str = "", title: str = "", error: Exception | None = None
    ) -> None:
        super().__init__(blocks)
        self.verdict = verdict
        self.reason = reason
        self.error = error
        self.title = next((block.text for block in self if block.heading), title)

    @property
    def text(self) -> str:
        """The text of the good blocks, one per line."""
        return "\n".join(block.text for block in self if block.label == "good")

    @classmethod
    def of_page(cls, blocks: list[Block], good: bool, heading: str | None, title: str) -> "Extraction":
        """Returns what came of a page that was parsed: the same as the constructor, without a look at each block.

        Args:
            blocks: its blocks.
            good: whether one is good.
            heading: the text of its first heading; None if it has none.
            title: its <title>.
        """
        made = cls.__new__(cls)
        list.__init__(made, blocks)
        made.verdict = KEPT if good else "no_good_block" if blocks else "no_text"
        made.reason = "" if good else PAGE_REASONS[made.verdict]
        made.error = None
        made.title = title if heading is None else heading
        return made


_ROWS = BlockRows(Block, TAGS, LABELS, VERDICTS, KINDS, TOP_SCORE)


def page_rows(blocks: Blocks, classes: Classes) -> list[tuple[list[Block], bool, str | None]]:
    """Returns for each page its blocks with their classes, whether one is good, and the text of its first heading.

    They are made in one pass over the columns: a page has 100 blocks or more, and a call of Block for each takes 50
    times as long.
    """
    scores = classes.scores_of(blocks)
    with_kinds = blocks.features is not None and scores is not None and classes.scores is None
    return _ROWS.of_pages(
        blocks.text,
        blocks.offsets,
        blocks.pages,
        blocks.tags,
        blocks.flags,
        blocks.words,
        blocks.link_words,
        blocks.alphabetic_words,
        blocks.stop_words,
        classes.context_free,
        classes.good,
        classes.verdicts,
        scores,
        blocks.features.kinds if blocks.features is not None and with_kinds else None,
    )
