"""Scores against several annotators."""

from pathlib import Path

import numpy as np
import pytest

from corpusprep.gold.pages import GoldPage, GoldSet
from corpusprep.gold.text_nodes import TextNode
from studies.evaluation import votes

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


def test_systems_are_scored_on_pages_whose_votes_are_known(tmp_path: Path) -> None:
    """The baseline keeps both nodes; a page without a table is left out and counted."""
    folder = tmp_path / "canola" / "stats"
    folder.mkdir(parents=True)
    (folder / "1.stats").write_text(TABLE, encoding="utf-8")
    pages = [GoldPage(name, "<p>two words</p><p>one</p>", nodes=NODES) for name in ("1", "2")]
    found = votes.measure(tmp_path, GoldSet("canola-test", "Canola", pages))
    assert (found["pages"], found["left_out"], found["annotators"]) == (1, 1, 3.0)
    baseline = found["systems"]["baseline"]
    assert baseline["nodes"][:2] == pytest.approx([100 * 6 / 11, 100.0])
    assert baseline["words"][:2] == pytest.approx([100 * 4 / 9, 100.0])
    assert baseline["merged"][:2] == pytest.approx([75.0, 100.0])
    assert votes.measure(tmp_path, GoldSet("canola-test", "Canola", pages[1:]))["systems"] == {}
