"""`bench near-duplicates`: the kernel on pairs, judged pairs, and the page."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from peers import near_duplicates
from peers.near_duplicates import Method, judged_rows, resemblance

from corpusprep.gold.scores import Counts
from corpusprep.reuse.documents import Documents
from studies.pomikalek_2011.chapter_3.judgements import JudgedSet

pytestmark = pytest.mark.usefixtures("fresh_process")

NGRAMS = st.frozensets(st.sampled_from("abcdefgh"), max_size=6)


@settings(max_examples=50, deadline=None)
@given(NGRAMS, NGRAMS)
def test_the_kernel_compares_two_documents(first: frozenset[str], second: frozenset[str]) -> None:
    """What both have, of what any of them has."""
    expected = Fraction(len(first & second), max(1, len(first | second)))
    assert resemblance(first, second) == float(expected)


def test_judged_pairs_are_counted() -> None:
    """Against the judgements, and against the exact comparison."""
    words = "a b c d e f g h i j k l".split()
    texts = [("one", words), ("copy", words), ("other", words[::-1])]
    pairs = np.array([[0, 1], [0, 2]])
    judged = JudgedSet(
        "made", Documents.from_tokens(texts), *pairs.T, np.array([True, True]), {"all": np.ones(2, np.bool_)}, ""
    )
    compared = [
        Method("exact", lambda first, second, share: resemblance(first, second) >= share),
        Method("everything", lambda *_: True),
    ]
    rows = list(judged_rows(judged, compared))
    assert len(rows) == 2 * len(near_duplicates.N) * len(near_duplicates.SHARES)
    for title, _, _, counts, others in rows:
        assert (counts, others) == ((Counts(1, 0, 1), 0) if title == "exact" else (Counts(2, 0, 0), 1))


def test_the_page_has_the_tools(tmp_path: Path) -> None:
    """On few made documents; without judged pairs, their section is left out."""
    page = tmp_path / "page.md"
    near_duplicates.main("bench", ["--data", str(tmp_path), "--words", "0", "--rounds", "1", "--output", str(page)])
    text = page.read_text(encoding="utf-8")
    [row] = [line.split("|") for line in text.splitlines() if line.startswith("| corpusprep, clusters")]
    assert float(row[9]) == 100  # whole pages
    assert "## Judged pairs" not in text
