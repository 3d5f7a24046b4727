"""Simhash and the look-up of near fingerprints, compared with plain Python and all pairs."""

from collections import Counter
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.token_documents import copying, documents_of

from corpusprep.reuse import hashing
from studies.pomikalek_2011.chapter_3.comparators import hamming, simhash
from studies.pomikalek_2011.chapter_3.comparators.simhash import Simhash


@st.composite
def fingerprints(draw: st.DrawFn, words: int = 1) -> np.ndarray:
    """Groups of fingerprints that differ in few bits."""
    number = st.integers(0, 2**64 - 1)
    bases = draw(st.lists(st.lists(number, min_size=words, max_size=words), min_size=1, max_size=3))
    rows = []
    for base in bases:
        for flips in draw(st.lists(st.lists(st.integers(0, 64 * words - 1), max_size=6), max_size=5)):
            row = list(base)
            for flip in flips:
                row[flip // 64] ^= 1 << (flip % 64)
            rows.append(row)
    return np.array(rows, np.uint64).reshape(-1, words)


def apart(one: np.ndarray, other: np.ndarray) -> int:
    """Returns the number of bits in which two fingerprints differ."""
    return sum((a ^ b).bit_count() for a, b in zip(one.tolist(), other.tolist(), strict=True))


@settings(max_examples=50)
@given(copying(), st.integers(1, 2))
def test_each_bit_is_the_sign_of_a_projection(texts: list[list[str]], n: int) -> None:
    """As defined in 3.2.2: sums over words or n-grams, weighted by their frequency."""
    ngrams, _ = documents_of(texts).ngrams(n)
    projections = hashing.seeds(2, simhash.SEED)
    wanted = []
    for begin, end in pairwise(ngrams.offsets.tolist()):
        counts = Counter(ngrams.keys[begin:end].tolist())
        row = []
        for projection in projections:
            vectors = {key: int(hashing.mix64(np.array([key], np.uint64) ^ projection)[0]) for key in counts}
            sums = [sum(m if vectors[k] >> bit & 1 else -m for k, m in counts.items()) for bit in range(64)]
            row.append(sum(1 << bit for bit in range(64) if sums[bit] >= 0))
        wanted.append(row)
    assert simhash.simhashes(ngrams, projections).tolist() == wanted


@given(fingerprints(), st.sampled_from([(0, (1,)), (1, (2,)), (3, (4, 4)), (3, (6,)), (2, (5, 3))]))
def test_tables_find_all_neighbours(rows: np.ndarray, scheme: tuple[int, tuple[int, ...]]) -> None:
    """All neighbours of every fingerprint, and no others."""
    distance, levels = scheme
    tables = hamming.Tables(rows, distance, hamming.table_probes(64, distance, levels))
    for row in rows:
        near = [place for place, other in enumerate(rows) if apart(row, other) <= distance]
        assert tables.query(row).tolist() == near


@given(fingerprints(words=3), st.integers(0, 12))
def test_blocks_find_all_pairs(rows: np.ndarray, distance: int) -> None:
    """For fingerprints of 192 bits: every pair, with its distance."""
    near = hamming.near(rows, distance, hamming.group_probes(192, distance))
    found = {(row, other): d for row, others, ds in near for other, d in zip(others.tolist(), ds.tolist(), strict=True)}
    every = {(i, j): apart(rows[i], rows[j]) for i, j in combinations(range(len(rows)), 2)}
    assert found == {pair: bits for pair, bits in every.items() if bits <= distance}


def test_the_tables_of_the_thesis() -> None:
    """16 tables, probed with 28 bits (3.2.2); for any 3 bits, one table is probed without them."""
    probes = hamming.table_probes(64, 3, (4, 4))
    assert [len(set(probe)) for probe in probes] == [28] * 16
    assert all(any(not {a, b, c} & set(probe) for probe in probes) for a, b, c in combinations(range(0, 64, 3), 3))
    with pytest.raises(ValueError, match="cannot find distances of 4"):
        hamming.table_probes(64, 4, (4, 4))


@settings(max_examples=50)
@given(copying(), st.sampled_from([0.5, 0.7, 61 / 64, 1.0]))
def test_both_look_ups_give_the_same_pairs(texts: list[list[str]], threshold: float) -> None:
    """With tables and with blocks: all pairs that agree in enough bits."""
    documents = documents_of(texts)
    rows = simhash.simhashes(documents.ngrams(1)[0], hashing.seeds(1, simhash.SEED))
    filled = [i for i, text in enumerate(texts) if text]
    wanted = {(i, j): 1 - apart(rows[i], rows[j]) / 64 for i, j in combinations(filled, 2)}
    wanted = {pair: score for pair, score in wanted.items() if score >= threshold}
    assert Simhash().find(documents, threshold).scores() == wanted
    assert Simhash(tables=()).find(documents, threshold).scores() == wanted


def test_a_threshold_of_nothing_is_refused() -> None:
    """It would return all pairs of a corpus."""
    with pytest.raises(ValueError, match="all pairs"):
        Simhash().find(documents_of([["a"]]), 0.0)
