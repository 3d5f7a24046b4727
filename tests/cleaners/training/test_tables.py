"""The fit of the tables of a model."""

import numpy as np
from numpy.typing import NDArray

from corpusprep.cleaners.content.training import feature_tables as tables
from corpusprep.cleaners.content.training import logistic
from corpusprep.cleaners.content.training.feature_tables import TableFitter
from corpusprep.pages.features import NameHashes, Tables


def test_logistic_regression_finds_the_weights() -> None:
    """One feature with 90 of 100 positive, one with 10: their weights are the log-odds, less what shrinks them."""
    rows, features = np.array([0, 1]), np.array([0, 1])
    found = logistic.fit(rows, features, 2, np.array([90.0, 10.0]), np.array([100.0, 100.0]), 1e-3)
    assert np.allclose(found, [np.log(9), -np.log(9), 0], atol=0.05)


def hashes(pages: int) -> NameHashes:
    """Pages of two blocks: main content is in element 7 with the word 3, a menu in element 9 with the word 5."""
    parents = np.tile([-1, 0, 0], pages) + np.repeat(np.arange(pages) * 3, 3) * np.tile([0, 1, 1], pages)
    name_offsets = np.concatenate([[0], np.cumsum(np.tile([0, 1, 1], pages))])
    leaves = np.sort(np.concatenate([np.arange(pages) * 3 + 1, np.arange(pages) * 3 + 2]))
    return NameHashes(
        parents.astype(np.int32),
        np.ones(3 * pages, np.uint8),
        name_offsets.astype(np.int64),
        np.tile([7, 9], pages).astype(np.uint32),
        leaves.astype(np.int32),
        np.arange(2 * pages + 1, dtype=np.int64),
        np.tile([3, 5], pages).astype(np.uint32),
    )


def fitted(hosts: NDArray[np.int64]) -> Tables:
    """Fits tables to a page per host: a block of main content and a menu each."""
    pages = len(hosts)
    good, words = np.tile([1.0, 0.0], pages).astype(np.float32), np.full(2 * pages, 10.0)
    fitter = TableFitter(hashes(pages), good, words, np.repeat(np.arange(pages), 2), hosts)
    return fitter.fit(np.ones(pages, np.bool_))


def test_names_and_words_get_weights_of_the_right_sign() -> None:
    """The name of the main content is positive; the menu's name and word are negative."""
    found = fitted(hosts=np.arange(12))
    assert found.names.tolist() == [7, 9]
    assert found.name_weights[0, 0] > 0 > found.name_weights[1, 0]
    assert found.words.tolist() == [3, 5]
    assert found.word_weights[0, 0] > 0 > found.word_weights[1, 0]


def test_a_name_of_few_hosts_is_left_out() -> None:
    """All pages are of one host: the tables are empty."""
    found = fitted(hosts=np.zeros(12, np.int64))
    assert len(found.names) == len(found.words) == 0


def test_chains_are_near_up_to_the_third_container() -> None:
    """Five containers in each other: the innermost three are near."""
    nested = NameHashes(
        np.arange(-1, 4, dtype=np.int32),
        np.ones(5, np.uint8),
        np.arange(6, dtype=np.int64),
        np.arange(5, dtype=np.uint32),
        np.array([4], np.int32),
        np.zeros(2, np.int64),
        np.zeros(0, np.uint32),
    )
    rows, elements, far = tables.chains(nested, np.array([4]))
    assert rows.tolist() == [0] * 5
    assert elements.tolist() == [4, 3, 2, 1, 0]
    assert far.tolist() == [False, False, False, True, True]
