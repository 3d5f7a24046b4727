"""Says which blocks no threshold decides: templates, repeated and hidden text, and texts that are kept as they are.

Templates of sites and text that a page has twice are bad and paragraphs of such texts good, whatever the algorithm says
of them. They are in the context of other blocks as any block is. Hidden text is bad, and the algorithm does not see it.
"""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from corpusprep.cleaners.interface import LABELS, VERDICTS, Algorithm, Classes
from corpusprep.pages.segmentation import Blocks
from corpusprep.tables.verdicts import HIDDEN, KEPT

if TYPE_CHECKING:
    import polars as pl

#: In the table of blocks, in place of an element: a paragraph of a text that others have extracted, kept as it is.
TEXT_TAG = "text"
#: The verdict on a block that recurs on many pages of its host.
TEMPLATE = "template"
#: The verdict on text that a page has a second time.
REPEATED = "repeated"
#: Columns of the table of blocks that say it.
COLUMNS = ("tag", "verdict")
#: Verdicts of rules that come before all thresholds (Pomikálek 2011, 2.7.1), and before what is said here: then other
#: thresholds give the neighbours of a block the same classes from stored scores as from the page.
_FIRST = [VERDICTS.index(verdict) for verdict in ("copyright", "select")]


def always_good(rows: "pl.DataFrame") -> NDArray[np.bool_]:
    """Returns whether blocks are good at any threshold, from rows with COLUMNS."""
    return (rows["tag"] == TEXT_TAG).fill_null(value=False).to_numpy()


def always_bad(rows: "pl.DataFrame") -> NDArray[np.bool_]:
    """Returns whether blocks are bad at any threshold, from rows with COLUMNS."""
    return rows["verdict"].is_in([TEMPLATE, REPEATED]).fill_null(value=False).to_numpy()


def is_shown(rows: "pl.DataFrame") -> "pl.Series":
    """Returns whether blocks are shown and the algorithm sees them, from rows with COLUMNS."""
    return (rows["verdict"] != HIDDEN).fill_null(value=True)


def with_good(classes: Classes, good: NDArray[np.bool_]) -> Classes:
    """Returns the classes, with some blocks made good."""
    context_free = np.where(good, LABELS.index("good"), classes.context_free).astype(np.uint8)
    verdicts = np.where(good, VERDICTS.index(KEPT), classes.verdicts).astype(np.uint8)
    return Classes(context_free, classes.good | good, verdicts, classes.scores)


def with_bad(classes: Classes, bad: NDArray[np.bool_], verdict: str) -> Classes:
    """Returns the classes, with some blocks made bad, with this verdict: those that no earlier rule has made so."""
    bad = bad & ~np.isin(classes.verdicts, _FIRST)
    context_free = np.where(bad, LABELS.index("bad"), classes.context_free).astype(np.uint8)
    verdicts = np.where(bad, VERDICTS.index(verdict), classes.verdicts).astype(np.uint8)
    return Classes(context_free, classes.good & ~bad, verdicts, classes.scores)


def without_repeated(classes: Classes, blocks: Blocks) -> Classes:
    """Returns the classes of the blocks, with text that a page has twice made bad."""
    repeated = blocks.repeated()
    return classes if repeated is None else with_bad(classes, repeated, REPEATED)


def classify_stored(classifier: Algorithm, rows: "pl.DataFrame") -> Classes:
    """Classifies the blocks of pages again from their rows, but not those that no threshold decides.

    Args:
        classifier: the algorithm, with its thresholds.
        rows: with its stored_columns and COLUMNS, whole pages in the order of the table.

    Raises:
        StageFileError: the rows were not classified by this algorithm.
    """
    shown = is_shown(rows)
    if not shown.all():
        return _with_hidden(classify_stored(classifier, rows.filter(shown)), shown.to_numpy())
    classes = classifier.classify_stored(rows)
    for verdict in (TEMPLATE, REPEATED):
        classes = with_bad(classes, (rows["verdict"] == verdict).fill_null(value=False).to_numpy(), verdict)
    return with_good(classes, always_good(rows))


def _with_hidden(classes: Classes, shown: NDArray[np.bool_]) -> Classes:
    """Returns the classes of shown and hidden blocks in the order of the page; `shown` has one value per block."""
    bad = np.full(len(shown), LABELS.index("bad"), np.uint8)
    good = np.zeros(len(shown), np.bool_)
    verdicts = np.full(len(shown), VERDICTS.index(HIDDEN), np.uint8)
    scores = None if classes.scores is None else np.zeros(len(shown), np.uint16)
    for whole, own in ((bad, classes.context_free), (good, classes.good), (verdicts, classes.verdicts)):
        whole[shown] = own
    if scores is not None and classes.scores is not None:
        scores[shown] = classes.scores
    return Classes(bad, good, verdicts, scores)
