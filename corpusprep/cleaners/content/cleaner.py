"""Keeps the blocks that a learned model scores as main content: oblivious trees over features of blocks.

No language is needed: features are counts, shares and places (corpusprep.pages.features), and weights of class and id
words. Which kinds of blocks are kept is policy: comments, the title, tables and code are kept or left out by setting.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from corpusprep.cleaners import model_files
from corpusprep.cleaners.block_models import THRESHOLDS, TOP_SCORE, BlockModel, lowest_score, read_model, shipped_model
from corpusprep.cleaners.interface import VERDICTS, Algorithm, Classes, Registration, parameter, without_context
from corpusprep.errors import StageFileError
from corpusprep.pages.features import KINDS
from corpusprep.pages.segmentation import Blocks

if TYPE_CHECKING:
    import polars as pl

    from corpusprep._native import pages as native

#: Comments stay if the model wants them, they are more than this share of a page's main content, and the rest has fewer
#: words: on such pages (forums, questions and answers) they are the content. Longer texts are articles with readers.
COMMENTS_ARE_CONTENT, ARTICLE_WORDS = 0.8, 500
#: Blocks with a lower score, per mille, are not kept as the best of a poor page, unless the threshold is lower.
LEAST_SCORE = 250
#: On a page that is nearly all text, the lowest score is that share of the threshold, and at least that score, per
#: mille. It is nearly all text if blocks with such scores have that share of its words, per mille. On old pages and on
#: documentation, headings, lists and code have low scores, and menus have lower ones.
OF_THRESHOLD, LEAST_OF_ALL, NEARLY_ALL = 400, 200, 900
#: Blocks with a higher link density need the usual score: they may be the menu of a small page.
MOST_LINKED = 0.5
#: If the block like the title has that share of the main content behind it, what stands before it is mostly teasers and
#: needs a threshold that is higher by that factor, of the page's best score at most that share; all per mille.
BEHIND_TITLE, BEFORE_TITLE, MOST_BEFORE = 300, 1600, 900
#: Linked cells of a table of data stay between cells without links that have half of the page's best score: so many in
#: a row at most, with at least that score, per mille, and if the table has at least so many such places. Then rows are
#: not torn, and lists of teasers are left out.
LINKED_CELLS, LINKED_SCORE, LINKED_PLACES = 2, 300, 3
#: What counts as the text of a comment where comments are kept: not its date, its author or its buttons.
COMMENT_WORDS, COMMENT_LINK_DENSITY = 5, 0.3

_COMMENT, _TITLE, _TABLE = KINDS.index("comment"), KINDS.index("title"), KINDS.index("table")
_SCORE, _KIND = VERDICTS.index("score"), VERDICTS.index("kind")


@dataclass(slots=True, frozen=True)
class ContentSettings:
    """What is kept."""

    threshold: float | str = parameter(
        "balanced",
        "Lowest score of main content, as a share of the page's best score (less on pages that are nearly all text, "
        "more before the title), or a name of one that the model declares.",
        0,
        1,
        THRESHOLDS,
    )
    keep_comments: bool = parameter(False, "Whether readers' comments are kept.")
    keep_title: bool = parameter(
        False, "Whether the block that is like the page's title is kept, with any score, on pages with main content."
    )
    keep_tables: bool = parameter(True, "Whether tables of data are kept.")
    keep_code: bool = parameter(True, "Whether code and other preformatted text is kept.")
    model: str = parameter("", "Model file; empty: the one that comes with the package.")


@dataclass(slots=True, frozen=True)
class Scored:
    """What decides the classes of n blocks: their columns in Blocks and Features, or in the table of blocks."""

    pages: NDArray[np.int64]
    scores: NDArray[np.uint16]
    kinds: NDArray[np.uint8]
    words: NDArray[np.number]
    link_density: NDArray[np.float64]

    @classmethod
    def of_rows(cls, rows: "pl.DataFrame") -> "Scored":
        """Returns the scores of stored blocks, from rows with Content.stored_columns: no page is read again.

        Raises:
            StageFileError: the rows were not scored by a model.
        """
        if rows["score"].null_count():
            raise StageFileError("the corpus was not made by a learned model: its blocks have no scores")
        records = rows["record"].to_numpy().astype(np.int64)
        return cls(
            pages=np.append(np.flatnonzero(np.diff(records, prepend=-1)), len(records)).astype(np.int64),
            scores=rows["score"].to_numpy(),
            kinds=rows["kind"].replace_strict(list(KINDS), list(range(len(KINDS)))).to_numpy().astype(np.uint8),
            words=rows["words"].to_numpy(),
            link_density=rows["link_density"].to_numpy(),
        )


class Content(Algorithm):
    """Scores by a model, a threshold, and the kinds to keep."""

    needs_language = False
    stored_columns = ("record", "words", "link_density", "score", "kind")

    def __init__(self, settings: ContentSettings = ContentSettings()) -> None:
        self.settings = settings

    @cached_property
    def model(self) -> BlockModel:
        """The model, read on first use.

        Raises:
            ModelError: it is missing, damaged, or made for something else.
        """
        path = self.settings.model
        return read_model(model_files.path_of(path) if path else shipped_model("content"), "content")

    @property
    def block_model(self) -> "native.BlockModel":
        """The model as Segmenter takes it."""
        return self.model.native

    @property
    def threshold(self) -> int:
        """The lowest score of main content, per mille of the page's best score."""
        return lowest_score(self.settings.threshold, self.model.thresholds)

    def classify(self, blocks: Blocks, references: NDArray[np.int64] | None = None) -> Classes:
        """Classifies all blocks of all pages."""
        features = blocks.features
        if features is None or features.scores is None:
            raise ValueError("the algorithm needs Segmenter(…, model=algorithm.block_model)")
        return self.classify_scored(
            Scored(blocks.pages, features.scores, features.kinds, blocks.words, blocks.link_density)
        )

    def classify_stored(self, rows: "pl.DataFrame") -> Classes:
        """Classifies the blocks of pages again from their rows, with stored_columns.

        Raises:
            StageFileError: the rows were not scored by a model.
        """
        return self.classify_scored(Scored.of_rows(rows))

    def classify_scored(self, blocks: Scored) -> Classes:
        """Classifies blocks by their scores and kinds."""
        best = _best_of_pages(blocks)
        good = blocks.scores >= self._least(blocks, best)
        good |= links_of_tables(blocks, good, best)
        left_out = np.zeros(len(good), np.bool_)
        for kind, kept in (
            ("title", self.settings.keep_title),
            ("table", self.settings.keep_tables),
            ("code", self.settings.keep_code),
        ):
            if not kept:
                left_out |= blocks.kinds == KINDS.index(kind)
        comments = blocks.kinds == _COMMENT
        if self.settings.keep_comments:
            text = (blocks.words >= COMMENT_WORDS) & (blocks.link_density <= COMMENT_LINK_DENSITY)
            good |= comments & text
        elif comments.any():
            left_out |= comments & ~self._comments_are_content(blocks, good & ~left_out)
        if self.settings.keep_title:
            has_content = _page_sums(blocks, good & ~left_out) > 0
            good |= (blocks.kinds == _TITLE) & np.repeat(has_content, np.diff(blocks.pages))
        verdicts = np.where(left_out & good, _KIND, np.where(good, 0, _SCORE))
        return without_context(verdicts.astype(np.uint8))

    def _least(self, blocks: Scored, best: NDArray[np.int64]) -> NDArray[np.int64]:
        """Returns for each block the lowest score of main content: a share of the page's best score.

        On pages of a kind that the model knows little all scores are low. With leave-one-set-out on the training sets,
        F1 is 0.4 points higher than with one threshold for all pages, and 0.3 in cross-validation. A lower
        score is enough on pages that are nearly all text (studies/notes/content.md).
        """
        sizes = np.diff(blocks.pages)
        least = np.maximum(min(self.threshold, LEAST_SCORE), self.threshold * best // TOP_SCORE)
        low = max(OF_THRESHOLD * self.threshold // TOP_SCORE, min(self.threshold, LEAST_OF_ALL))
        words = blocks.words.astype(np.int64)
        text = _page_sums(blocks, np.where(blocks.scores >= low, words, 0))
        nearly_all = (best >= LEAST_SCORE) & (TOP_SCORE * text >= NEARLY_ALL * _page_sums(blocks, words))
        lower = np.repeat(nearly_all, sizes) & (blocks.link_density <= MOST_LINKED)
        all_least = np.repeat(least, sizes)
        lowest = np.where(lower, np.minimum(low, all_least), all_least)
        if _TITLE in blocks.kinds:
            before = min(BEFORE_TITLE * self.threshold // TOP_SCORE, MOST_BEFORE) * best // TOP_SCORE
            lowest = np.maximum(lowest, np.where(_before_title(blocks, best), np.repeat(before, sizes), 0))
        return lowest

    def _comments_are_content(self, blocks: Scored, good: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Returns for each block whether comments are the main content of its page."""
        words = np.where(good, blocks.words, 0).astype(np.int64)
        of_comments = _page_sums(blocks, np.where(blocks.kinds == _COMMENT, words, 0))
        of_all = _page_sums(blocks, words)
        are_content = (of_comments > COMMENTS_ARE_CONTENT * of_all) & (of_all - of_comments < ARTICLE_WORDS)
        return np.repeat(are_content, np.diff(blocks.pages))

    @property
    def stored_thresholds(self) -> ContentSettings:
        """The settings in use."""
        return self.settings


def _before_title(blocks: Scored, best: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Returns for each block whether it stands before the title of a page with enough of its main content after it.

    Main content is here what has half of the page's best score, whatever the threshold: a higher one keeps no more.
    """
    sizes = np.diff(blocks.pages)
    titles = np.concatenate([[0], np.cumsum(blocks.kinds == _TITLE)])
    before = titles[1:] == np.repeat(titles[blocks.pages[:-1]], sizes)  # without a title: all blocks
    words = np.where(2 * blocks.scores.astype(np.int64) >= np.repeat(best, sizes), blocks.words, 0).astype(np.int64)
    behind = _page_sums(blocks, np.where(before, 0, words))
    enough = (behind > 0) & (TOP_SCORE * behind >= BEHIND_TITLE * _page_sums(blocks, words))
    before_title: NDArray[np.bool_] = before & np.repeat(enough, sizes)
    return before_title


def _best_of_pages(blocks: Scored) -> NDArray[np.int64]:
    """Returns the best score of each page, 0 without blocks."""
    sizes = np.diff(blocks.pages)
    best = np.zeros(len(sizes), np.int64)
    starts = blocks.pages[:-1][sizes > 0]
    if len(starts):
        best[sizes > 0] = np.maximum.reduceat(blocks.scores, starts)
    return best


def links_of_tables(blocks: Scored, good: NDArray[np.bool_], best: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Returns whether blocks are the linked cells of tables whose other cells are main content.

    `best`: the best score of each page. What other rules would add is in studies/notes/content.md.
    """
    table = blocks.kinds == _TABLE
    linked: NDArray[np.bool_] = table & (blocks.link_density > MOST_LINKED)
    if not linked.any():
        return linked
    (firsts, lasts), (starts, ends) = _runs(table, blocks.pages), _runs(linked, blocks.pages)
    table_of = np.searchsorted(firsts, starts, side="right") - 1
    half = 2 * blocks.scores.astype(np.int64) >= np.repeat(best, np.diff(blocks.pages))
    kept = np.concatenate([[False], table & ~linked & good & half, [False]])
    is_first, is_last = starts == firsts[table_of], ends == lasts[table_of]
    between = (is_first | kept[starts]) & (is_last | kept[ends + 1]) & ~(is_first & is_last)
    low = np.concatenate([[0], np.cumsum(blocks.scores < LINKED_SCORE)])
    between &= (ends - starts <= LINKED_CELLS) & (low[starts] == low[ends])
    between &= (np.bincount(table_of[between], minlength=len(firsts)) >= LINKED_PLACES)[table_of]
    steps = np.zeros(len(good) + 1, np.int64)
    steps[starts[between]] += 1
    steps[ends[between]] -= 1
    inside: NDArray[np.bool_] = np.cumsum(steps[:-1]) > 0
    return inside


def _runs(which: NDArray[np.bool_], pages: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Returns the first places of the longest runs of chosen blocks of a page, and the places behind them."""
    border = np.zeros(len(which) + 1, np.bool_)
    border[pages] = True
    before, after = (np.concatenate(parts) for parts in (([False], which), (which, [False])))
    return np.flatnonzero(after & (~before | border)), np.flatnonzero(before & (~after | border))


def _page_sums(blocks: Scored, values: NDArray[np.int64] | NDArray[np.bool_]) -> NDArray[np.int64]:
    """Returns the sum of the values of each page's blocks."""
    sums: NDArray[np.int64] = np.diff(np.concatenate([[0], np.cumsum(values)])[blocks.pages])
    return sums


ALGORITHMS = (
    Registration(
        name="content",
        make=Content,
        description="Keeps blocks that a learned model scores as main content, of the kinds asked for; any language.",
        source="own",
        parameters=ContentSettings(),
    ),
)
