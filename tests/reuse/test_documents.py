"""Documents, their hashes, and shared hashes, compared with plain Python."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.token_documents import copying, documents_of, shingles

from corpusprep._native import ngrams as native
from corpusprep.reuse import hashing, postings
from corpusprep.reuse.comparator import FoundPairs, PairScore, Passages
from corpusprep.reuse.documents import Documents, as_sets
from studies.pomikalek_2011.chapter_3.removal import Clusters, duplicate_instances, removed_tokens

WORDS = st.sampled_from(["a", "the", "naïve", "слово", "字", "\U0001f600", "eight888", "extraordinarily", "\ufffd"])


def found(pairs: list[tuple[int, int]], passages: Passages | None = None) -> FoundPairs:
    """Pairs in the form of a comparator's result."""
    others: dict[int, set[int]] = {}
    for first, second in sorted(pairs):
        others.setdefault(first, set()).add(second)
    rows = [
        PairScore(first, np.array(sorted(seconds)), np.ones(len(seconds)), passages)
        for first, seconds in others.items()
    ]
    return FoundPairs(iter(rows), 0)


@given(st.lists(WORDS, max_size=12), st.integers(1, 5))
def test_keys_are_those_of_the_kernels(words: list[str], n: int) -> None:
    """N-grams have the same keys as in the stage `ngrams`."""
    documents = documents_of([words])
    keys, starts = documents.ngrams(n)
    data = [word.encode() for word in words]
    assert keys.keys.tolist() == [native.ngram_key(data[i : i + n]) for i in range(len(words) - n + 1)]
    assert starts.tolist() == list(range(max(len(words) - n + 1, 0)))
    if len(words) >= n:
        row = documents.keys.keys[np.newaxis, :n]
        assert hashing.fold(row).tolist() == [native.ngram_key(data[:n])]


def test_long_texts_are_hashed_in_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The size of the chunks does not change the hashes."""
    keys = hashing.mix64(np.arange(100, dtype=np.uint64))
    whole = hashing.ngram_keys(keys, 7)
    monkeypatch.setattr(hashing, "CHUNK", 3)
    assert np.array_equal(hashing.ngram_keys(keys, 7), whole)


@settings(max_examples=50)
@given(copying(), st.integers(1, 4))
def test_ngrams_stay_within_their_document(texts: list[list[str]], n: int) -> None:
    """The n-grams of each document are those of the document alone, with the places where they start."""
    documents = documents_of(texts)
    ngrams, starts = documents.ngrams(n)
    assert len(ngrams) == len(texts)
    for number, text in enumerate(texts):
        own = slice(ngrams.offsets[number], ngrams.offsets[number + 1])
        assert ngrams.keys[own].tolist() == documents_of([text]).ngrams(n)[0].keys.tolist()
        assert starts[own].tolist() == [documents.offsets[number] + i for i in range(max(len(text) - n + 1, 0))]


def test_left_out_tokens_leave_their_places() -> None:
    """Punctuation is left out; the other tokens keep their place."""
    documents = Documents.from_tokens([("a", ["“", "Yes", ",", "5", "%"]), ("b", []), ("c", [".", "no"])])
    words = documents.without_punctuation()
    assert [documents.lexicon[word] for word in words.words] == ["Yes", "5", "no"]
    assert words.offsets.tolist() == [0, 2, 2, 3]
    assert words.places.tolist() == [1, 3, 1]


@settings(max_examples=50)
@given(copying(), st.integers(1, 4), st.sampled_from([1, 5, 1 << 20]))
def test_sharing_counts_shared_ngrams(texts: list[list[str]], n: int, together: int) -> None:
    """Holds for all pairs, however many are processed at once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(postings, "ENTRIES_AT_ONCE", together)
        rows = list(postings.sharing(as_sets(documents_of(texts).ngrams(n)[0])))
    counted = {
        (row.document, other): count
        for row in rows
        for other, count in zip(row.others.tolist(), row.shared.tolist(), strict=True)
    }
    sets = [shingles(text, n) for text in texts]
    wanted = {(i, j): len(sets[i] & sets[j]) for i, j in combinations(range(len(texts)), 2)}
    assert counted == {pair: count for pair, count in wanted.items() if count}


@given(st.integers(1, 12), st.data())
def test_clusters_are_transitive(size: int, data: st.DataObject) -> None:
    """Two documents are in the same cluster if a chain of pairs connects them; the first document stays."""
    number = st.integers(0, size - 1)
    pairs = [(min(p), max(p)) for p in data.draw(st.lists(st.tuples(number, number), max_size=12)) if p[0] != p[1]]
    members = [{i} for i in range(size)]
    clusters = Clusters(size)
    for one, other in pairs:
        clusters.unite(one, np.array([other]))
        joined = members[one] | members[other]
        for member in joined:
            members[member] = joined
        assert clusters.firsts().tolist() == [min(group) for group in members]
    removed, count = removed_tokens(found(pairs), documents_of([["word"]] * size))
    assert removed.tolist() == [min(members[i]) != i for i in range(size)]
    assert count == len(set(pairs))


def test_removed_are_later_documents_or_their_passages() -> None:
    """A pair without passages loses its later document; a pair with passages loses only these."""
    documents = documents_of([list("abc"), list("xabcy"), list("z")])
    assert removed_tokens(found([(0, 1)]), documents)[0].tolist() == [False] * 3 + [True] * 5 + [False]
    one = np.array([1])
    passages = Passages(one * 0, one, one * 0, one * 3, one, one * 4, one * 3)
    gone, _ = removed_tokens(found([(0, 1)], passages), documents)
    assert gone.tolist() == [False] * 3 + [False, True, True, True, False] + [False]
    assert [documents.lexicon[word] for word in documents.keep(~gone).words] == list("abcxyz")


@settings(max_examples=50)
@given(copying(), st.integers(1, 4))
def test_duplicate_instances_are_counted_each_time(texts: list[list[str]], n: int) -> None:
    """They are counted as often as they occur, in the same document or in others."""
    counts = Counter(tuple(text[i : i + n]) for text in texts for i in range(len(text) - n + 1))
    assert duplicate_instances(documents_of(texts), n) == sum(count for count in counts.values() if count > 1)
