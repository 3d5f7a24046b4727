"""Selections of n-grams by their rarest words, and Henzinger's combination."""

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st
from support.token_documents import copying, documents_of

from studies.pomikalek_2011.chapter_3.comparators.combined import FilteredSuperShingles
from studies.pomikalek_2011.chapter_3.comparators.sampling import RarestPrefixes
from studies.pomikalek_2011.chapter_3.comparators.simhash import Simhash
from studies.pomikalek_2011.chapter_3.comparators.super_shingles import SuperShingles


@settings(max_examples=50)
@given(copying(), st.integers(1, 3), st.integers(1, 6))
def test_ngrams_with_the_rarest_first_words_are_kept(texts: list[list[str]], n: int, size: int) -> None:
    """No n-gram that is left out begins with a rarer word than one that is kept."""
    documents = documents_of(texts)
    kept = RarestPrefixes(n, size).features(documents)
    ngrams, starts = documents.ngrams(n)
    counts = Counter(word for text in texts for word in text)
    first_words = [counts[documents.lexicon[word]] for word in documents.words[starts]]
    for document in range(len(texts)):
        chosen = set(kept.keys[kept.offsets[document] : kept.offsets[document + 1]].tolist())
        span = range(ngrams.offsets[document], ngrams.offsets[document + 1])
        all_keys = {int(ngrams.keys[place]): first_words[place] for place in span}
        assert len(chosen) == min(size, len(all_keys))
        inside = [count for key, count in all_keys.items() if key in chosen]
        outside = [count for key, count in all_keys.items() if key not in chosen]
        assert not outside or max(inside) <= min(outside)


@settings(max_examples=30)
@given(copying())
def test_the_combination_keeps_pairs_that_both_methods_find(texts: list[list[str]]) -> None:
    """The pairs of super-shingles whose simhashes differ in at most 29 of 384 bits."""
    documents = documents_of(texts)
    near = Simhash(bits=384, distance=29, tables=()).find(documents).scores()
    found = SuperShingles(n=2).find(documents).scores()
    expected = {pair: score for pair, score in found.items() if pair in near}
    assert FilteredSuperShingles(n=2).find(documents).scores() == expected
