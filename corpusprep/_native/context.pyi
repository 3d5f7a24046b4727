"""Classification by rules, by context and by scores (rules.hpp, context.hpp and main_content.hpp in native/pages/)."""

import numpy as np
from numpy.typing import NDArray

RULES: int  # how many values Rule has

def classify_context(classes: NDArray[np.uint8], offsets: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Returns 1 for good and 0 for bad blocks. Page p is classes[offsets[p]:offsets[p + 1]].

    Raises:
        ValueError: a value is no code, or the offsets do not ascend from 0 to the number of blocks.
    """

def decide(
    words: NDArray[np.float64],
    link_density: NDArray[np.float64],
    stopword_density: NDArray[np.float64],
    copyrighted: NDArray[np.uint8],
    in_select: NDArray[np.uint8],
    max_link_density: float,
    length_low: float,
    stopwords_low: float,
    length_high: float,
    stopwords_high: float,
) -> NDArray[np.uint8]:
    """Returns the rule that decides on each block without its context: the values of Rule.

    Raises:
        ValueError: the columns have different lengths.
    """

def classify_counted(
    words: NDArray[np.uint32],
    link_words: NDArray[np.uint32],
    alphabetic_words: NDArray[np.uint32],
    stop_words: NDArray[np.uint32],
    flags: NDArray[np.uint8],
    pages: NDArray[np.int64],
    classes_of_rules: NDArray[np.uint8],
    verdicts_of_rules: NDArray[np.uint8],
    max_link_density: float,
    length_low: float,
    stopwords_low: float,
    length_high: float,
    stopwords_high: float,
) -> tuple[NDArray[np.uint8], NDArray[np.bool_], NDArray[np.uint8]]:
    """Classifies blocks from columns of Blocks: by the rules, then by their context.

    Densities are shares of counts. The tables have a value per Rule: the context-free class, and the verdict on a block
    that does not become good.

    Returns:
        The context-free classes; whether each block is good; the verdicts, 0 for good blocks.

    Raises:
        ValueError: the columns or tables have wrong lengths, or `pages` does not ascend from 0 to the number of blocks.
    """

def find_main_content(
    scores: NDArray[np.uint16],
    kinds: NDArray[np.uint8],
    words: NDArray[np.uint32],
    link_density: NDArray[np.float64],
    pages: NDArray[np.int64],
    threshold: int,
    comments: bool,
    title: bool,
    tables: bool,
    code: bool,
) -> NDArray[np.uint8]:
    """Returns for each scored block: 0, it is main content; 1, its score is too low; 2, its kind is not wanted.

    Args:
        scores: per mille that each of n blocks is main content.
        kinds: indices into features.KINDS.
        words: of the blocks.
        link_density: of the blocks.
        pages: page p has the blocks from pages[p] to pages[p + 1].
        threshold: lowest score, per mille of the best score of the page.
        comments: whether readers' comments are kept; and so on.
        title: the block like the title of the page, with any score.
        tables: tables of data.
        code: preformatted text.

    Raises:
        ValueError: the columns have different lengths, the threshold is not between 0 and 1000, or the pages do not
            ascend from 0 to n.
    """
