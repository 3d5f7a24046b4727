"""Resemblance, sketches and samples, compared with plain sets."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.plain_hashes import mix64
from support.token_documents import copying, documents_of, random_texts, shingles

from corpusprep.reuse import hashing
from corpusprep.reuse.comparator import Comparator
from corpusprep.reuse.documents import Documents
from studies.pomikalek_2011.chapter_3.comparators import sketches
from studies.pomikalek_2011.chapter_3.comparators.resemblance import Containment, Resemblance, pairs_above
from studies.pomikalek_2011.chapter_3.comparators.sampling import LowestHashes, ModularSampling
from studies.pomikalek_2011.chapter_3.comparators.sketches import MinwiseSketches, SmallestSketches
from studies.pomikalek_2011.chapter_3.comparators.super_shingles import SuperShingles

N = 3
#: Values of hashing.seeds(2, 1997), and the minimum of the sentence below.
SEEDS = [13500191516536069107, 8309914247152428158]
MINIMUM = 248912781770933854


def key_sets(documents: Documents, n: int = N) -> list[set[int]]:
    """The keys of each document's distinct n-grams."""
    ngrams, _ = documents.ngrams(n)
    return [set(ngrams.keys[a:b].tolist()) for a, b in zip(ngrams.offsets, ngrams.offsets[1:], strict=False)]


def rounded(scores: dict[tuple[int, int], float]) -> dict[tuple[int, int], float]:
    """Scores rounded to 9 decimals."""
    return {pair: round(score, 9) for pair, score in scores.items()}


@settings(max_examples=50)
@given(copying())
def test_resemblance_is_that_of_the_sets(texts: list[list[str]]) -> None:
    """All pairs that share an n-gram, with resemblance and containment."""
    sets = [shingles(text, N) for text in texts]
    pairs = [(i, j) for i, j in combinations(range(len(texts)), 2) if sets[i] & sets[j]]
    exact = {(i, j): len(sets[i] & sets[j]) / len(sets[i] | sets[j]) for i, j in pairs}
    contained = {(i, j): len(sets[i] & sets[j]) / min(len(sets[i]), len(sets[j])) for i, j in pairs}
    documents = documents_of(texts)
    assert rounded(Resemblance(N).find(documents, 0.0).scores()) == rounded(exact)
    assert rounded(Containment(N).find(documents, 0.0).scores()) == rounded(contained)
    above = {pair: score for pair, score in exact.items() if score >= 0.5}
    assert rounded(Resemblance(N).find(documents, 0.5).scores()) == rounded(above)
    counts, highest = pairs_above(documents, [0.9, 0.0, 0.5], N)
    assert counts.tolist() == [sum(score > limit for score in exact.values()) for limit in (0.9, 0.0, 0.5)]
    assert highest == pytest.approx(max(exact.values(), default=0.0))


@settings(max_examples=50)
@given(copying(), st.sampled_from([1, 10, 1 << 16]))
def test_sketches_hold_the_lowest_of_each_permutation(texts: list[list[str]], chunk: int) -> None:
    """The score is the share of places in which they agree."""
    documents = documents_of(texts)
    comparator = MinwiseSketches(N, permutations=5)
    permutations = hashing.seeds(5, sketches.SEED)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sketches, "CHUNK", chunk)
        found = sketches.minima(documents.ngrams(N)[0], permutations)
    plain = [[min((mix64(k ^ p) for k in keys), default=2**64 - 1) for p in permutations.tolist()]
             for keys in key_sets(documents)]  # fmt: skip
    assert found.tolist() == plain
    filled = [i for i, keys in enumerate(key_sets(documents)) if keys]
    wanted = {
        (i, j): sum(a == b for a, b in zip(plain[i], plain[j], strict=True)) / 5 for i, j in combinations(filled, 2)
    }
    assert comparator.find(documents, 0.0).scores() == {pair: score for pair, score in wanted.items() if score}


@settings(max_examples=50)
@given(copying(), st.integers(1, 4))
def test_super_shingles_agree_where_whole_groups_do(texts: list[list[str]], groups: int) -> None:
    """The score is the share of equal groups of the sketch."""
    documents = documents_of(texts)
    plain = sketches.minima(documents.ngrams(N)[0], hashing.seeds(groups * 2, sketches.SEED)).reshape(-1, groups, 2)
    filled = [i for i, keys in enumerate(key_sets(documents)) if keys]
    wanted = {(i, j): (plain[i] == plain[j]).all(axis=1).sum() / groups for i, j in combinations(filled, 2)}
    found = SuperShingles(N, groups=groups, group_size=2).find(documents, 0.0).scores()
    assert found == {pair: score for pair, score in wanted.items() if score}


@settings(max_examples=50)
@given(copying(), st.integers(1, 6), st.sampled_from([0.0, 0.3, 0.8]))
def test_smallest_sketches_estimate_by_the_lowest_of_the_union(
    texts: list[list[str]], size: int, threshold: float
) -> None:
    """Broder's |MIN_s(A u B) n MIN_s(A) n MIN_s(B)| / |MIN_s(A u B)|."""
    documents = documents_of(texts)
    permutation = int(hashing.seeds(1, sketches.SEED)[0])
    lowest = [sorted(mix64(key ^ permutation) for key in keys)[:size] for keys in key_sets(documents)]
    wanted = {}
    for i, j in combinations(range(len(texts)), 2):
        of_both = set(lowest[i]) & set(lowest[j])
        union = sorted({*lowest[i], *lowest[j]})[:size]
        if of_both and len(of_both & set(union)) / len(union) >= threshold:
            wanted[i, j] = len(of_both & set(union)) / len(union)
    assert SmallestSketches(N, size=size).find(documents, threshold).scores() == wanted


@settings(max_examples=50)
@given(copying(), st.integers(0, 3))
def test_modular_sampling_takes_hashes_with_low_zeros(texts: list[list[str]], bits: int) -> None:
    """The score is the resemblance of the two samples."""
    documents = documents_of(texts)
    sampled = [{key for key in keys if key % (1 << bits) == 0} for keys in key_sets(documents)]
    wanted = {
        (i, j): len(sampled[i] & sampled[j]) / len(sampled[i] | sampled[j])
        for i, j in combinations(range(len(texts)), 2)
        if sampled[i] & sampled[j]
    }
    assert ModularSampling(N, bits=bits).find(documents, 0.0).scores() == wanted


@settings(max_examples=50)
@given(copying(), st.integers(1, 6))
def test_lowest_hashes_are_compared_as_sets(texts: list[list[str]], size: int) -> None:
    """The score is the shared part of the longer fingerprint."""
    documents = documents_of(texts)
    lowest = [set(sorted(keys)[:size]) for keys in key_sets(documents)]
    wanted = {
        (i, j): len(lowest[i] & lowest[j]) / max(len(lowest[i]), len(lowest[j]))
        for i, j in combinations(range(len(texts)), 2)
        if lowest[i] & lowest[j]
    }
    assert LowestHashes(N, size=size).find(documents, 0.0).scores() == wanted


@pytest.mark.parametrize("comparator", [MinwiseSketches(N, 400), SmallestSketches(N, 400), ModularSampling(N, 1)])
def test_estimates_come_near_the_resemblance(comparator: Comparator) -> None:
    """With samples of 400 or more, within 0.1 of the resemblance (four standard deviations)."""
    base, *rest = random_texts(9, 900, seed=7)
    texts = [base, *(base[: 100 * i] + other[100 * i :] for i, other in enumerate(rest, start=1))]
    documents = documents_of(texts)
    exact = Resemblance(N).find(documents, 0.0).scores()
    estimated = comparator.find(documents, 0.0).scores()
    assert len(exact) >= 8
    for pair, resemblance in exact.items():
        assert estimated.get(pair, 0.0) == pytest.approx(resemblance, abs=0.1)


def test_fingerprints_do_not_depend_on_the_run() -> None:
    """Permutations and minima are the same on every machine and in every process."""
    assert hashing.seeds(2, 1997).tolist() == SEEDS
    documents = documents_of([["the", "singing", "sand", "of", "the", "third", "bay"]])
    assert sketches.minima(documents.ngrams(N)[0], hashing.seeds(1, 1997)).tolist() == [[MINIMUM]]
    assert np.asarray(hashing.mix64(np.array([1], np.uint64))).tolist() == [mix64(1)]
