"""The kernel that clusters near-duplicates, compared with comparing each document with all that stay."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support import block_corpora as corpora
from support.block_strategies import documents, splits
from support.plain_clusters import clusters

from corpusprep._native import blocks as kernel

SHARES = st.sampled_from([Fraction(1, 10), Fraction(3, 10), Fraction(1, 2), Fraction(8, 10), Fraction(1)])


def decided(
    sets: list[tuple[frozenset[int], int]], share: float, counters: int, most: int
) -> tuple[list[tuple[int, float]], int]:
    """Returns what the kernel decides about documents (n-grams, others that no document has), and its passes."""
    work = kernel.ClusterPass(share, counters, most, most)
    for ngrams, _ in sets:
        work.count(np.array(sorted(ngrams), np.uint64))
    left, results, passes = list(range(len(sets))), {}, 0
    while left:
        leaders, shares = work.decide(
            np.array(left, np.uint64),
            np.array([len(sets[number][0]) + sets[number][1] for number in left], np.uint32),
            np.array([len(sets[number][0]) for number in left], np.uint32),
            np.array([key for number in left for key in sorted(sets[number][0])], np.uint64),
        )
        waiting = []
        for number, leader, resemblance in zip(left, leaders.tolist(), shares.tolist(), strict=True):
            if leader == kernel.UNDECIDED:
                waiting.append(number)
            else:
                results[number] = (leader, resemblance)
        assert len(waiting) < len(left)
        left, passes = waiting, passes + 1
        work.restart()
    return [results[number] for number in range(len(sets))], passes


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.tuples(st.frozensets(st.integers(0, 11), min_size=1, max_size=9), st.integers(0, 3)), max_size=14),
    SHARES,
    st.sampled_from([1, 3, 64]),
    st.sampled_from([9, 14, 1000]),
)
def test_clusters_are_those_of_comparing_all(
    sets: list[tuple[frozenset[int], int]], share: Fraction, counters: int, most: int
) -> None:
    """For any documents, and an index of any size: what does not fit waits for another pass."""
    sets = [(ngrams, others) for ngrams, others in sets if Fraction(len(ngrams), len(ngrams) + others) >= share]
    whole = [
        ngrams | frozenset(-100 * number - other - 1 for other in range(others))
        for number, (ngrams, others) in enumerate(sets)
    ]
    results, passes = decided(sets, float(share), counters, most)
    assert results == [(leader, float(resemblance)) for leader, resemblance in clusters(whole, share)]
    assert passes <= 1 or most < 1000


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(splits(), st.integers(1, 3), SHARES, st.integers(1, 60))
def test_candidates_are_the_documents_that_can_have_near_duplicates(
    split: tuple[list[corpora.Document], list[list[int]]], n: int, share: Fraction, piece: int
) -> None:
    """With their distinct n-grams, and those of these that occur twice or more in the corpus."""
    corpus, batches = split
    repeated = {corpora.ngram_key(gram) for gram in corpora.duplicate_ngrams(corpus, n)}
    numbers = {key: number for number, key in enumerate(sorted(repeated))}
    for batch in batches:
        table, found = kernel.ClusterCandidates(float(share)), {}
        for part in corpora.pieces(corpora.matched(corpus, batch, n), piece):
            table.feed(part)
            members, ranks, ngrams, sizes, keys = table.columns()
            parts = np.split(keys, np.cumsum(sizes)[:-1])
            for member, rank, number, some in zip(members, ranks, ngrams, parts, strict=False):
                assert rank == batch[member]
                found[rank] = (number, some.tolist())
        expected = {}
        for number in batch:
            grams = {corpora.ngram_key(gram) for gram in corpora.ngrams(corpus[number], n)}
            own = sorted(numbers[key] for key in grams & repeated)
            if corpus[number].kept and own and Fraction(len(own), len(grams)) >= share:
                expected[number] = (len(grams), own)
        assert found == expected


@settings(max_examples=60, deadline=None)
@given(documents(), st.integers(1, 3), st.sets(st.integers(0, 8)))
def test_near_duplicates_are_left_out_of_the_pass_on_blocks(
    corpus: list[corpora.Document], n: int, gone: set[int]
) -> None:
    """The others are decided about as if these were not there; the order is that of all documents."""
    bits = np.packbits([number in gone for number in range(9)], bitorder="little").tobytes()
    results = corpora.deduplicated(corpus, [list(range(len(corpus)))], n, Fraction(1, 2), {"near_duplicates": bits})
    order = [number for number in corpora.processing_order(corpus, n) if number not in gone]
    alone = corpora.sequential(corpus, n, Fraction(1, 2), order)
    for number, blocks in results.items():
        wanted = [(0, "near_duplicate")] * len(corpus[number].good) if number in gone else alone[number]
        assert blocks == wanted


def test_arrays_that_do_not_fit_are_refused() -> None:
    """And shares that are none."""
    for share in (0, 1.5):
        with pytest.raises(ValueError, match="share"):
            kernel.ClusterCandidates(share)
        with pytest.raises(ValueError, match="share"):
            kernel.ClusterPass(share, 1, 1, 1)
    work = kernel.ClusterPass(0.5, 1, 1, 1)
    one = np.ones(1, np.uint32)
    with pytest.raises(ValueError, match="fit"):
        work.decide(np.ones(1, np.uint64), one, one, np.empty(0, np.uint64))
    with pytest.raises(ValueError, match="n-gram"):
        work.decide(np.ones(1, np.uint64), one, 0 * one, np.empty(0, np.uint64))
