"""Pairs of similar documents before and after de-duplication, compared with plain Python."""

from itertools import combinations, pairwise

import numpy as np
from support.token_documents import documents_of, random_texts, shingles

from studies.pomikalek_2011.chapter_3.corpus import TokenCorpus
from studies.pomikalek_2011.chapter_3.removal import duplicate_instances
from studies.pomikalek_2011.chapter_3.resembling import curves, without_near_identical


def corpus_of(texts: list[list[str]]) -> TokenCorpus:
    """Documents of one block each."""
    sizes = np.array([len(text) for text in texts], np.uint32)
    hosts = np.zeros(len(texts), np.int64)
    batches = tuple(("b", number) for number in range(len(texts)))
    return TokenCorpus(documents_of(texts), hosts, sizes, np.arange(len(texts) + 1), batches)


def copies() -> list[list[str]]:
    """Three documents; copies of the first with more and more words changed; the second with commas between words."""
    sources = random_texts(3, 200, seed=5)
    changed = [[*sources[0][:kept], *random_texts(1, 200 - kept, seed=kept)[0]] for kept in (198, 120, 60)]
    return [*sources, *changed, [token for word in sources[1] for token in (word, ",")]]


def test_curves_count_pairs_above_each_resemblance() -> None:
    """Punctuation does not count; the second curve counts what is left after de-duplication."""
    texts = copies()
    corpus = corpus_of(texts)
    kept = np.repeat([True, True, True, True, False, True, True], corpus.documents.sizes)
    rows = list(curves(corpus, kept))
    for name, numbers in (("before", range(7)), ("after", (0, 1, 2, 3, 5, 6))):
        sets = [shingles([token for token in texts[number] if token != ","], 10) for number in numbers]
        values = [len(one & other) / len(one | other) for one, other in combinations(sets, 2)]
        own = [row for row in rows if row.text == name]
        assert [row.pairs for row in own] == [sum(value > row.threshold for value in values if value) for row in own]
        assert {row.highest for row in own} == {max(values)}
        assert all(before.pairs >= after.pairs for before, after in pairwise(own))


def test_the_first_of_near_identical_documents_is_kept() -> None:
    """The copy with 198 equal words and the one with commas are removed."""
    texts = copies()
    corpus = corpus_of(texts)
    left = without_near_identical(corpus)
    expected = documents_of([texts[0], texts[1], texts[2], texts[4], texts[5]])
    assert (left.documents, left.tokens) == (5, len(expected.words))
    assert left.duplicate_10grams == duplicate_instances(expected) > 0
