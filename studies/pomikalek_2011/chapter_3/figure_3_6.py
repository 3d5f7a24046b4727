"""Draws figure 3.6, pairs of documents above each resemblance, and makes a table of it."""

from collections.abc import Iterator
from itertools import product

from corpusprep.io.tsv import ratio
from studies.comparison import Drawing, Number, Table
from studies.pomikalek_2011.chapter_3 import figures
from studies.pomikalek_2011.chapter_3.results import Results
from studies.study import Study

#: Resemblances of the table.
_RESEMBLANCES = (0.0, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9)
#: Numbers in the text, after de-duplication: pairs above 0.05, and the highest resemblance.
_PUBLISHED_PAIRS, _PUBLISHED_HIGHEST = {("after", 0.05): "15"}, {"after": "0.09"}
_TEXTS = ("before", "after")


def make(results: Results) -> Iterator[Table | Drawing]:
    """Yields the figure and the table."""
    points = {
        f"{text} de-duplication": [(row.threshold, row.pairs) for row in results.resemblance if row.text == text]
        for text in _TEXTS
    }
    yield Drawing(
        figures.resemblance(points),
        "Figure 3.6: pairs of documents with a resemblance greater than each value.",
        "3_6",
        ("resemblance_above", "pairs_before", "pairs_after"),
        tuple(
            (f"{step:.2f}", *(results.pairs(text, step) for text in _TEXTS))
            for step in sorted({row.threshold for row in results.resemblance})
        ),
    )
    yield _table(results)


def _table(results: Results) -> Table:
    numbers = [
        Number(
            f"pairs above {step:g}",
            f"{text} de-duplication",
            _PUBLISHED_PAIRS.get((text, step), ""),
            str(results.pairs(text, step)),
        )
        for step, text in product(_RESEMBLANCES, _TEXTS)
    ]
    numbers += [
        Number("highest", f"{text} de-duplication", _PUBLISHED_HIGHEST.get(text, ""), f"{results.highest(text):.2f}")
        for text in _TEXTS
    ]
    about = (
        "Pairs of documents whose exact resemblance is greater than each value, before and after block de-duplication "
        "with the corpus’s own settings. Resemblance is computed on 10-grams of tokens without punctuation."
    )
    notes = [
        "The thesis shows the curve before de-duplication only as a figure. It says that there are about ten times as "
        "many pairs above 0.5 as above 0.9. "
        f"Here there are {ratio(results.pairs('before', 0.5), results.pairs('before', 0.9), 1)} times as many.",
        "Some resemblance is left after de-duplication, for two reasons. Copies with fewer counted tokens than an "
        "n-gram are not found (ten tokens that are neither stop words nor punctuation span about twenty tokens). And "
        "blocks stay if n-grams cover less of them than the threshold. In a document of a few dozen words this is a "
        "large share.",
    ]
    return Table("resemblance", "Resemblance of documents", about, numbers, notes)


STUDY = Study("Figure 3.6", "Resemblance of documents", "3.6.2", make, needs=("a corpus",))
