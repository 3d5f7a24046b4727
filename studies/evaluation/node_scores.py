"""Scores text nodes, weighted by their characters (Pomikálek 2011, 2.9.1), and measures fragments (2.9.10)."""

import itertools
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from corpusprep.gold.annotated_sets import BAD, GOOD, UNDECIDED, reliability
from corpusprep.gold.pages import GoldError, GoldPage
from corpusprep.gold.scores import Counts
from corpusprep.gold.text_nodes import spans_of_nodes
from studies.evaluation.decisions import Spans

_CLASSES = {BAD: 0, UNDECIDED: 1, GOOD: 2, "": 3}  # "": a tie

#: Least annotation reliabilities: 100, all annotators agree; 0, all nodes count.
RELIABILITIES = (100, 0)


class Nodes:
    """The text nodes of annotated pages. Text in <select> is left out, as in the thesis.

    Attributes:
        characters: int64, nodes.
        classes: uint8, nodes: values of CLASSES.
        reliabilities: int64, nodes: 0 to 100.
        pages: int64, nodes: the number of each node's page.
    """

    def __init__(self, pages: Sequence[GoldPage]) -> None:
        """Gathers the nodes of pages that have them."""
        self._pages = pages
        nodes = [
            (number, node.characters, *reliability(node))
            for number, page in enumerate(pages)
            for node in page.nodes or ()
            if not node.in_select
        ]
        self.pages = np.array([node[0] for node in nodes], np.int64)
        self.characters = np.array([node[1] for node in nodes], np.int64)
        self.classes = np.array([_CLASSES[node[2]] for node in nodes], np.uint8)
        self.reliabilities = np.array([node[3] for node in nodes], np.int64)

    def spans(self, spans: Spans) -> NDArray[np.int64]:
        """Returns the number of each node's span, counted over all pages.

        Raises:
            GoldError: the spans of a page and its nodes hold different text.
        """
        span_numbers = []
        for number, page in enumerate(self._pages):
            nodes = page.nodes or []
            numbers = spans_of_nodes(nodes, spans.text, spans.page_bounds(number))
            if numbers is None:
                raise GoldError(f"page {page.name}: its text nodes and its blocks hold different text")
            counted = np.array([not node.in_select for node in nodes], np.bool_)
            span_numbers.append(numbers[counted] + spans.pages[number])
        return np.concatenate([np.zeros(0, np.int64), *span_numbers])

    def counts(self, good: NDArray[np.bool_], least: int) -> list[Counts]:
        """Returns, per page, the characters that are true positives, false positives and false negatives.

        Args:
            good: shape (nodes,): whether each node is classified as main content.
            least: least annotation reliability of nodes that count; undecided nodes and ties never count.
        """
        counted = (self.reliabilities >= least) & (self.reliabilities > 0)
        content, boilerplate = counted & (self.classes == 2), counted & (self.classes == 0)
        columns = [
            np.bincount(self.pages, np.where(cases, self.characters, 0), len(self._pages)).astype(np.int64).tolist()
            for cases in (good & content, good & boilerplate, ~good & content)
        ]
        return [Counts(*row) for row in zip(*columns, strict=True)]

    def mixed(self, spans: NDArray[np.int64], least: int) -> int:
        """Returns how many spans have both good and bad nodes of this least annotation reliability (2.9.4).

        Args:
            spans: shape (nodes,): the number of each node's span.
            least: as for `counts`.
        """
        counted = (self.reliabilities >= least) & (self.reliabilities > 0)
        return len(np.intersect1d(spans[counted & (self.classes == 2)], spans[counted & (self.classes == 0)]))

    def perfect(self) -> NDArray[np.bool_]:
        """Returns what a perfect cleaning keeps: all nodes except those annotated as bad."""
        return np.not_equal(self.classes, 0)

    def fragments(self, good: NDArray[np.bool_]) -> list[list[int]]:
        """Returns the lengths, in characters, of each page's fragments: sequences of good text nodes."""
        lengths: list[list[int]] = [[] for _ in self._pages]
        rows = zip(self.pages.tolist(), good.tolist(), self.characters.tolist(), strict=True)
        for (page, kept), run in itertools.groupby(rows, key=lambda row: row[:2]):
            if kept:
                lengths[page].append(sum(characters for _, _, characters in run))
        return lengths

    def volumes(self) -> list[tuple[str, int, int, int]]:
        """Returns the rows of table 2.2: annotation, least reliability, number of nodes, their characters."""
        rows = []
        for least in RELIABILITIES:
            counted = (self.reliabilities >= least) & (self.reliabilities > 0)
            for title, code in (("good", 2), ("bad", 0), ("undecided", 1)):
                chosen = counted & (self.classes == code)
                rows.append((title, least, int(chosen.sum()), int(self.characters[chosen].sum())))
        return rows
