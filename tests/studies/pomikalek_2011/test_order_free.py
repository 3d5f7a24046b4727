"""The results of the experiments do not depend on how archives are cut into batches."""

from pathlib import Path

import pytest
from support.block_corpora import STOP_WORDS
from support.block_stage import crawl
from support.experiment_corpora import read, write

from studies.pomikalek_2011.chapter_3 import leftovers, lengths, resembling, spex
from studies.pomikalek_2011.chapter_3.comparators.registry import comparators
from studies.pomikalek_2011.chapter_3.corpus import selected

DOCUMENTS = crawl(50, seed=3)
CUTS = ([[*range(50)]], [[*range(49, 24, -1)], [], [*range(25)]], [[number] for number in range(49, -1, -1)])


def results(folder: Path, batches: list[list[int]]) -> list[object]:
    """All results except memory and time. The grid has a separate test."""
    corpus = read(folder, write(folder, DOCUMENTS, batches))
    chosen = selected(corpus.documents, punctuation=False, stop_words=STOP_WORDS)
    kept = corpus.documents.places < 12
    found = [*spex.iterations(corpus.documents, 10)]
    rows = leftovers.measure(corpus.documents, comparators())
    return [
        [iteration.counts for iteration in found],
        [*lengths.recurring(corpus, chosen, "some")],
        [*resembling.curves(corpus, kept)],
        resembling.without_near_identical(corpus),
        [row._replace(peak=None, seconds=None) for row in rows],
    ]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> list[object]:
    """The results with one batch."""
    return results(tmp_path_factory.mktemp("whole"), CUTS[0])


@pytest.mark.parametrize("batches", CUTS[1:])
def test_batches_change_nothing(whole: list[object], tmp_path: Path, batches: list[list[int]]) -> None:
    """Two batches in reverse order with an empty one between; one batch per page."""
    assert results(tmp_path, batches) == whole
