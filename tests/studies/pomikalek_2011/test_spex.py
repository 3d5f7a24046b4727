"""SPEX and lengths of n-grams, compared with plain Python."""

from collections import Counter
from itertools import accumulate, pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from support.experiment_corpora import ngram_counts
from support.token_documents import documents_of

from studies.pomikalek_2011.chapter_3 import lengths, spex
from studies.pomikalek_2011.chapter_3.corpus import TokenCorpus

TEXTS = st.lists(st.lists(st.sampled_from("abcde"), max_size=12), max_size=6)


@given(TEXTS)
def test_iterations_count_what_table_3_1_counts(texts: list[list[str]]) -> None:
    """Every column equals that from the counts of all n-grams of each length."""
    before: Counter[tuple[str, ...]] = Counter()
    for found in spex.iterations(documents_of(texts), 5):
        n = found.counts.n
        counts = ngram_counts(texts, n)
        unique = [gram for gram, count in counts.items() if count == 1]
        pruned = [gram for gram in unique if n > 1 and min(before[gram[1:]], before[gram[:-1]]) < 2]
        types = sum(count > 1 for count in counts.values())
        stored = types + len(unique) - len(pruned) + sum(count > 1 for count in before.values())
        instances = sum(count for count in counts.values() if count > 1)
        assert found.counts == spex.SpexCounts(n, len(unique), len(pruned), types, instances, stored)
        before = counts


@given(TEXTS, st.data())
def test_recurring_ngrams_are_divided_by_their_hosts(texts: list[list[str]], data: st.DataObject) -> None:
    """Cross-domain: on pages of several hosts; single-domain: several times, on pages of one host."""
    hosts = data.draw(st.lists(st.integers(1, 3), min_size=len(texts), max_size=len(texts)))
    documents = documents_of(texts)
    sizes = np.array([len(text) for text in texts], np.uint32)
    offsets = np.arange(len(texts) + 1)
    corpus = TokenCorpus(
        documents, np.array(hosts, np.int64), sizes, offsets, tuple(("b", n) for n in range(len(texts)))
    )
    for row in lengths.recurring(corpus, documents, "all", 2, 4):
        of_hosts: dict[tuple[str, ...], set[int]] = {}
        for text, host in zip(texts, hosts, strict=True):
            for gram in ngram_counts([text], row.n):
                of_hosts.setdefault(gram, set()).add(host)
        counts = ngram_counts(texts, row.n)
        crosses = [len(of_hosts[gram]) > 1 for gram, count in counts.items() if count > 1]
        assert (row.cross_domain, row.single_domain) == (sum(crosses), len(crosses) - sum(crosses))


def test_the_thesis_formula_of_stored_ngrams() -> None:
    """M_n = T_n + (N_n unique - N_n pruned) + T_(n-1), for a text of which half is repeated."""
    text = [f"w{i % 40}" for i in accumulate([1] * 60)]
    rows = [found.counts for found in spex.iterations(documents_of([text, text[:30]]), 10)]
    for before, row in pairwise(rows):
        assert row.stored == row.types + row.unique - row.pruned + before.types
