"""Compares our sketches with datasketch's MinHash and MinHashLSH, on the same n-grams."""

from itertools import combinations

import numpy as np
import pytest
from support.token_documents import documents_of, random_texts

from studies.pomikalek_2011.chapter_3.acceptance import Scheme, probability
from studies.pomikalek_2011.chapter_3.comparators.resemblance import Resemblance
from studies.pomikalek_2011.chapter_3.comparators.sketches import MinwiseSketches
from studies.pomikalek_2011.chapter_3.comparators.super_shingles import SuperShingles

datasketch = pytest.importorskip("datasketch", reason="datasketch is not installed")
N = 5


def texts() -> list[list[str]]:
    """60 documents of 300 words; every second one shares 50 to 295 of them with its predecessor."""
    drawn = random_texts(60, 300, seed=11)
    for number in range(1, 60, 2):
        shared = 50 + 5 * (number - 1)
        drawn[number][:shared] = drawn[number - 1][:shared]
    return [text[:300] for text in drawn]


def their_sketches(permutations: int) -> list["datasketch.MinHash"]:
    """MinHash of each document, made from the keys of its n-grams."""
    ngrams, _ = documents_of(texts()).ngrams(N)
    rows = [ngrams.keys[a:b] for a, b in zip(ngrams.offsets, ngrams.offsets[1:], strict=False)]
    sketches = []
    for row in rows:
        sketch = datasketch.MinHash(num_perm=permutations, seed=5)
        sketch.update_batch([key.tobytes() for key in row])
        sketches.append(sketch)
    return sketches


def test_estimates_are_as_good_as_theirs() -> None:
    """The mean error of 128 minima is at most a quarter above that of MinHash, and within the bound of theory."""
    documents = documents_of(texts())
    exact = Resemblance(N).find(documents, 0.0).scores()
    assert len(exact) >= 30
    ours = MinwiseSketches(N, permutations=128).find(documents, 0.0).scores()
    theirs = their_sketches(128)
    truth = np.array(list(exact.values()))
    our_error = np.abs(np.array([ours.get(pair, 0.0) for pair in exact]) - truth)
    their_error = np.abs(np.array([theirs[i].jaccard(theirs[j]) for i, j in exact]) - truth)
    assert our_error.mean() <= 1.25 * their_error.mean()
    assert our_error.max() <= 4 * np.sqrt(0.25 / 128)


def test_bands_find_the_pairs_of_super_shingles() -> None:
    """MinHashLSH with b bands of r rows accepts the pairs that agree in one of k = b super-shingles of s = r."""
    bands, rows = 16, 8
    documents = documents_of(texts())
    exact = Resemblance(N).find(documents, 0.0).scores()
    ours = set(SuperShingles(N, groups=bands, group_size=rows, agreeing=1).find(documents).scores())
    index = datasketch.MinHashLSH(num_perm=bands * rows, params=(bands, rows))
    sketches = their_sketches(bands * rows)
    for number, sketch in enumerate(sketches):
        index.insert(number, sketch)
    theirs = {(i, j) for i, j in combinations(range(60), 2) if j in index.query(sketches[i])}
    chance = {pair: probability(resemblance, Scheme(bands, rows, 1)) for pair, resemblance in exact.items()}
    sure = {pair for pair, likely in chance.items() if likely > 0.9999}
    possible = {pair for pair, likely in chance.items() if likely > 0.0001}
    assert len(sure) >= 5
    assert sure <= ours <= possible
    assert sure <= theirs <= possible
    assert abs(len(ours) - sum(chance.values())) <= 4 * np.sqrt(sum(p * (1 - p) for p in chance.values()))
