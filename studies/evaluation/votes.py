"""Scores against each of several annotators, not against their majority (what Pomikálek 2011, 2.10, asks for).

Canola's folder `stats` has the vote of every annotator on every text node. A system is scored against each annotator
of a page; the counts of a page are the means of these. So a node on which the annotators disagree counts as far as they
agree with the system. There are two scorers: by characters of text nodes (2.9.1), and by words, as Evert's cleaneval.py
with a gold text per annotator (2.9.6). An undecided vote counts neither for nor against a node; gold texts lack it.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpusprep import languages
from corpusprep.gold.annotated_sets import BAD, GOOD
from corpusprep.gold.pages import Files, GoldPage, GoldSet
from corpusprep.gold.scores import scores
from corpusprep.gold.text_nodes import TextNode
from corpusprep.gold.words import compare, words_of
from studies.evaluation.configurations import CONFIGURATIONS
from studies.evaluation.decisions import decide, segment
from studies.evaluation.node_scores import Nodes

#: The row of the annotators themselves, each scored against the others of the page.
ANNOTATORS = "one annotator against the others"
_PREFIX = "krdwrd-tag-"


@dataclass(slots=True, frozen=True)
class Votes:
    """The votes on the nodes of a page, of the annotators who voted on it.

    Attributes:
        good: bool, shape (nodes, annotators).
        bad: the same.
    """

    good: NDArray[np.bool_]
    bad: NDArray[np.bool_]


def read(table: str, nodes: Sequence[TextNode]) -> Votes | None:
    """Returns the votes in a table of `stats`; None if its rows are not the nodes of the page, in their order.

    A row has the words of a node, its merged class with the annotation reliability, and a class per annotator.
    """
    rows = [line.split("\t") for line in table.splitlines() if line and not line.startswith("#")]
    if [row[1] if len(row) > 2 else "" for row in rows] != [node.label for node in nodes] or not rows:
        return None
    if len({len(row) for row in rows}) > 1:
        return None
    votes = np.array([[vote.removeprefix(_PREFIX) for vote in row[2:]] for row in rows])
    return Votes(votes == GOOD, votes == BAD)


def measure(data: Path, test: GoldSet) -> dict[str, Any]:
    """Returns the scores of the systems of published tables against all annotators, as JSON.

    `pages`: pages whose votes belong to their nodes; `left_out`: other pages; `annotators`: their mean number per page;
    `systems`: title -> P, R, F1 and F0.5 by `nodes` and `words`, and by `merged` nodes of these pages.
    """
    files = Files(data, "canola")
    tables = files.stems("canola/stats")
    pages: list[GoldPage] = []
    several: list[Votes] = []
    for page in test.pages:
        nodes = page.nodes or []
        table = files.read(tables[page.name]).decode("utf-8", "replace") if page.name in tables else ""
        votes = read(table, nodes)
        if votes is not None:
            counted = np.array([not node.in_select for node in nodes], np.bool_)
            pages.append(page)
            several.append(Votes(votes.good[counted], votes.bad[counted]))
    systems = _systems(pages, several) if pages else {}
    annotators = float(np.mean([votes.good.shape[1] for votes in several])) if several else 0.0
    return {
        "pages": len(pages),
        "left_out": len(test.pages) - len(pages),
        "annotators": annotators,
        "systems": systems,
    }


def _systems(pages: list[GoldPage], several: list[Votes]) -> dict[str, dict[str, list[float]]]:
    """Returns the scores of each system, and of the annotators."""
    nodes = Nodes(pages)
    bounds = np.searchsorted(nodes.pages, np.arange(len(pages) + 1))
    characters = [nodes.characters[first:end] for first, end in itertools.pairwise(bounds)]
    golds = [_golds(page, votes) for page, votes in zip(pages, several, strict=True)]
    blocks = segment(pages, languages.get("en").stop_words)
    scores_of: dict[str, dict[str, list[float]]] = {}
    for configuration in CONFIGURATIONS:
        if not configuration.published:
            continue
        spans, good = decide(configuration.make(), blocks)
        chosen = good[nodes.spans(spans)]
        by_nodes, by_words = np.zeros(3), np.zeros(3)
        for number, votes in enumerate(several):
            by_nodes += against(chosen[bounds[number] : bounds[number + 1]], votes, characters[number])
            words = words_of(spans.page_text(number, good), ascii_only=True)
            by_words += np.mean([compare(words, gold) for gold in golds[number]], axis=0)
        merged = np.sum(nodes.counts(chosen, 0), axis=0)
        counts = {"nodes": by_nodes, "words": by_words, "merged": merged}
        scores_of[configuration.title] = {name: list(scores(each.tolist())) for name, each in counts.items()}
    each = sum((among(votes, sizes) for votes, sizes in zip(several, characters, strict=True)), np.zeros(3))
    return scores_of | {ANNOTATORS: {"nodes": list(scores(each.tolist()))}}


def against(chosen: NDArray[np.bool_], votes: Votes, characters: NDArray[np.int64]) -> NDArray[np.float64]:
    """Returns true positives, false positives and false negatives in characters, the means over the annotators.

    Args:
        chosen: shape (nodes,): whether a system keeps each node of a page.
        votes: on these nodes.
        characters: shape (nodes,).
    """
    kept = chosen[:, np.newaxis]
    cases = (kept & votes.good, kept & votes.bad, ~kept & votes.good)
    return np.array([characters @ case.mean(axis=1) for case in cases])


def among(votes: Votes, characters: NDArray[np.int64]) -> NDArray[np.float64]:
    """Returns the same for annotators: each is scored against the others; the means. Zeros if there is only one."""
    number = votes.good.shape[1]
    if number < 2:
        return np.zeros(3)
    agreements = [
        against(
            votes.good[:, annotator],
            Votes(np.delete(votes.good, annotator, 1), np.delete(votes.bad, annotator, 1)),
            characters,
        )
        for annotator in range(number)
    ]
    return np.asarray(np.mean(agreements, axis=0), np.float64)


def _golds(page: GoldPage, votes: Votes) -> list[list[str]]:
    """Returns the words that each annotator keeps of a page."""
    nodes = [node for node in page.nodes or () if not node.in_select]
    return [
        words_of("\n".join(node.text for node, kept in zip(nodes, own, strict=True) if kept), ascii_only=True)
        for own in votes.good.T.tolist()
    ]
