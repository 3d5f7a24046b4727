"""Scores against several annotators."""

import numpy as np
import pytest

from corpusprep.research.evaluation import votes
from corpusprep.research.evaluation.text_nodes import TextNode

TABLE = (
    "# submitted : 3\n# tokens\tmerged\t1\t2\t3\n"
    "2\tkrdwrd-tag-3-70\tkrdwrd-tag-3\tkrdwrd-tag-3\tkrdwrd-tag-1\n"
    "1\tkrdwrd-tag-1-70\tkrdwrd-tag-1\tkrdwrd-tag-2\tkrdwrd-tag-1\n"
)
NODES = [TextNode("two words", "krdwrd-tag-3-70", False, False), TextNode("one", "krdwrd-tag-1-70", False, False)]
SIZES = np.array([9, 3])


def test_votes_belong_to_nodes_of_the_same_classes() -> None:
    """The merged classes of the table must be those of the page's nodes, one by one."""
    found = votes.read(TABLE, NODES)
    assert found is not None
    assert found.good.tolist() == [[True, True, False], [False, False, False]]
    assert found.bad.tolist() == [[False, False, True], [True, False, True]]
    assert votes.read(TABLE, NODES[::-1]) is None
    assert votes.read(TABLE, NODES[:1]) is None
    assert votes.read("", []) is None
    assert votes.read("1\tkrdwrd-tag-3-70\tkrdwrd-tag-3\n2\tkrdwrd-tag-1-70\n", NODES) is None


def test_a_node_counts_as_far_as_annotators_agree() -> None:
    """Two of three keep the first node of 9 characters; nobody keeps the second one, and one is undecided."""
    found = votes.read(TABLE, NODES)
    assert found is not None
    assert votes.against(np.array([True, True]), found, SIZES).tolist() == pytest.approx([6.0, 3.0 + 2.0, 0.0])
    assert votes.against(np.array([False, False]), found, SIZES).tolist() == pytest.approx([0.0, 0.0, 6.0])


def test_annotators_are_scored_against_the_others() -> None:
    """The first agrees with one of two others, as does the second; the third keeps nothing."""
    found = votes.read(TABLE, NODES)
    assert found is not None
    assert votes.among(found, SIZES).tolist() == pytest.approx([3.0, 3.0, 3.0])
    alone = votes.Votes(found.good[:, :1], found.bad[:, :1])
    assert votes.among(alone, SIZES).tolist() == [0.0, 0.0, 0.0]
