"""What came of a page: its blocks, text, Markdown and metadata, made from columns of blocks."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from corpusprep._native.block_rows import BlockRows
from corpusprep.cleaners.block_models import TOP_SCORE
from corpusprep.cleaners.interface import LABELS, VERDICTS, Classes
from corpusprep.extraction.blocks import Block
from corpusprep.extraction.markdown import markdown
from corpusprep.pages.features import KINDS, TYPES
from corpusprep.pages.metadata import Mark, Metadata, metadata_of
from corpusprep.pages.outline import Outline
from corpusprep.pages.segmentation import TAGS, Blocks
from corpusprep.tables.verdicts import KEPT, PAGE_REASONS


@dataclass(slots=True, frozen=True)
class PageHead:
    """What a page says beside its blocks.

    Attributes:
        title: its <title>.
        marks: what its metadata is read from (metadata.marks_of).
        url: its address; empty if it is not known.
    """

    title: str = ""
    marks: Sequence[Mark] = ()
    url: str = ""


class Extraction(list[Block]):
    """The blocks of a page, in order: a list that knows what came of the page. `str()` of it is its text.

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

    _head = PageHead()
    _outline: Outline | None = None
    _first = 0

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

    def __str__(self) -> str:
        """Returns the text."""
        return self.text

    @property
    def markdown(self) -> str:
        """The good blocks as Markdown: headings, lists, quotations, tables, code, and links if they were asked for."""
        return markdown(self, self._outline, self._first, self._head.url)

    @cached_property
    def metadata(self) -> Metadata:
        """What the page says about itself: date, author, headline, site, language, address, licence."""
        return metadata_of(self._head.marks, self._head.url, "")

    @classmethod
    def of_page(
        cls,
        blocks: list[Block],
        good: bool,
        heading: str | None,
        head: PageHead,
        outline: Outline | None = None,
        first: int = 0,
    ) -> "Extraction":
        """Returns what came of a page that was parsed: the same as the constructor, without a look at each block.

        Args:
            blocks: its blocks.
            good: whether one is good.
            heading: the text of its first heading; None if it has none.
            head: what it says beside its blocks.
            outline: the outline of its blocks.
            first: number of its first block there.
        """
        made = cls.__new__(cls)
        list.__init__(made, blocks)
        made.verdict = KEPT if good else "no_good_block" if blocks else "no_text"
        made.reason = "" if good else PAGE_REASONS[made.verdict]
        made.error = None
        made.title = head.title if heading is None else heading
        made._head, made._outline, made._first = head, outline, first
        return made


_ROWS = BlockRows(Block, TAGS, LABELS, VERDICTS, KINDS, TYPES, TOP_SCORE)


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
        blocks.types,
    )
