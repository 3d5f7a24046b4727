"""Pugh and Henzinger's lists, compared with plain lists."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.token_documents import copying, documents_of

from studies.pomikalek_2011.chapter_3.comparators.lists import WordLists


def common_lists(texts: list[list[str]], chosen: list[set[str]]) -> dict[tuple[int, int], float]:
    """The share of lists that two texts have in common. `chosen` is the words of each list; empty lists are ignored."""
    lists = [[tuple(word for word in text if word in words) for words in chosen] for text in texts]
    return {
        (i, j): share
        for i, j in itertools.combinations(range(len(texts)), 2)
        if (share := sum(a == b != () for a, b in zip(lists[i], lists[j], strict=True)) / len(chosen))
    }


@settings(max_examples=50)
@given(copying(), st.sampled_from([None, 0.0, 0.3, 1.0]), st.integers(1, 6))
def test_lists_agree_where_their_words_do(texts: list[list[str]], probability: float | None, lists: int) -> None:
    """In the same order; a word goes into the same lists in all documents."""
    documents = documents_of(texts)
    comparator = WordLists(lists, probability)
    chosen = [
        {
            word
            for word, takes in zip(documents.lexicon, comparator.chosen(documents.word_keys, i), strict=True)
            if takes
        }
        for i in range(lists)
    ]
    if probability is None:
        assert sorted(word for words in chosen for word in words) == sorted(documents.lexicon)
    assert comparator.find(documents, 0.0).scores() == common_lists(texts, chosen)


def test_a_changed_word_changes_one_list() -> None:
    """3.2.3: a changed word changes only the list that contains it."""
    sentence = "eat to live but do not live to eat".split()
    comparator = WordLists(3)
    changed = [word if word != "not" else "never" for word in sentence]
    moved = [*sentence[1:], sentence[0]]
    scores = comparator.find(documents_of([sentence, changed, moved]), 0.0).scores()
    assert scores[0, 1] in {1 / 3, 2 / 3}
    assert scores.get((0, 2), 0.0) < 1


def test_with_a_probability_lists_take_that_share_of_words() -> None:
    """Each list takes a different selection."""
    words = [f"w{number}" for number in range(4000)]
    documents = documents_of([words])
    comparator = WordLists(4, 0.2)
    chosen = [comparator.chosen(documents.word_keys, number) for number in range(4)]
    assert all(0.17 < takes.mean() < 0.23 for takes in chosen)
    assert 0.03 < (chosen[0] & chosen[1]).mean() < 0.05


def test_adaptive_lists_take_fewer_words_of_long_documents() -> None:
    """Half of the words for each doubling of the length: so many changed words are forgiven in a longer document."""
    words = [f"w{number}" for number in range(8000)]
    documents = documents_of([words[:1000], words[:2000], words])
    comparator = WordLists(1, 0.4, full=1000)
    taken = np.add.reduceat(comparator._taken(documents, 0), documents.offsets[:-1])
    assert (taken / documents.sizes).tolist() == pytest.approx([0.4, 0.2, 0.05], rel=0.1)


def test_short_documents_have_plain_lists() -> None:
    """Up to the full length nothing changes."""
    texts = [["to", "be", "or", "not", "to", "be"], ["to", "be", "or", "not"]]
    plain = WordLists(4, 0.5).find(documents_of(texts), 0.0).scores()
    assert WordLists(4, 0.5, full=6).find(documents_of(texts), 0.0).scores() == plain
