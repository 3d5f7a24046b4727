"""Valid intervals, compared with a plain implementation of 3.2.6."""

from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.token_documents import copying, documents_of, random_texts

from corpusprep.reuse.documents import Documents
from corpusprep.reuse.intervals import ValidIntervals

Chunk = tuple[str, ...]
Interval = list[tuple[int, Chunk]]


def plain(one: list[str], other: list[str], n: int, least: int, gap: int) -> set[tuple[int, ...]]:
    """The passages of a pair: cuts at wide gaps, keeps what the other side has, and repeats until nothing is cut."""

    def chunks(text: list[str]) -> Interval:
        return [(i, tuple(text[i : i + n])) for i in range(len(text) - n + 1)]

    def within(chunks: Interval, others: Interval) -> Interval:
        kinds = {chunk for _, chunk in others}
        return [(place, chunk) for place, chunk in chunks if chunk in kinds]

    def cut(chunks: Interval) -> list[Interval]:
        parts = [chunks[:1]]
        for (before, _), following in pairwise(chunks):
            if following[0] - (before + n) > gap:
                parts.append([])
            parts[-1].append(following)
        return parts

    def search(mine: Interval, theirs: Interval) -> set[tuple[int, ...]]:
        mine, theirs = within(mine, theirs), within(theirs, mine)
        kinds = len({chunk for _, chunk in mine})
        if kinds < least:
            return set()
        if len(cut(mine)) > 1 or len(cut(theirs)) > 1:
            return {found for a in cut(mine) for b in cut(theirs) for found in search(a, b)}
        return {(mine[0][0], mine[-1][0] + n, theirs[0][0], theirs[-1][0] + n, kinds)}

    return search(chunks(one), chunks(other))


def passages(documents: Documents, comparator: ValidIntervals) -> dict[tuple[int, int], list[tuple[int, ...]]]:
    """The passages of each pair: begin and end in the first, begin and end in the second, number of chunks."""
    by_pair: dict[tuple[int, int], list[tuple[int, ...]]] = {}
    for row in comparator.find(documents).rows:
        assert row.passages is not None
        for first, second, *rest in zip(*(column.tolist() for column in row.passages), strict=True):
            by_pair.setdefault((first, second), []).append(tuple(rest))
    return by_pair


@settings(max_examples=50)
@given(copying(), st.integers(1, 3), st.integers(1, 5), st.integers(0, 6))
def test_passages_are_those_of_the_definition(texts: list[list[str]], n: int, least: int, gap: int) -> None:
    """For all pairs of documents, each once."""
    found = passages(documents_of(texts), ValidIntervals(n, least, gap))
    for i, j in combinations(range(len(texts)), 2):
        own = found.get((i, j), [])
        assert len(own) == len(set(own))
        assert set(own) == plain(texts[i], texts[j], n, least, gap)


@pytest.mark.parametrize(("between", "parts"), [(50, 1), (51, 2)])
def test_gaps_of_fifty_tokens_are_bridged(between: int, parts: int) -> None:
    """The offsets of a copied passage with the widest allowed gap."""
    source, other = random_texts(2, 300, seed=3)
    text = other[:40] + source[100:130] + other[40 : 40 + between] + source[130:160] + other[200:220]
    found = passages(documents_of([source, text]), ValidIntervals())
    end = 70 + between + 30
    one = [(100, 160, 40, end, 52)]
    two = [(100, 130, 40, 70, 26), (130, 160, 70 + between, end, 26)]
    assert found == {(0, 1): one if parts == 1 else two}


def test_twenty_chunks_make_a_passage() -> None:
    """24 common words are 20 chunks, 23 words are 19."""
    source, other = random_texts(2, 100, seed=4)
    texts = [source, [*source[:24], *other], [*source[:23], *other[::-1]]]
    assert list(passages(documents_of(texts), ValidIntervals())) == [(0, 1)]


def test_offsets_count_all_tokens() -> None:
    """Punctuation between the words does not count in chunks, but does in offsets."""
    source = random_texts(1, 40, seed=5)[0]
    dotted = [token for word in source for token in (word, ",")]
    documents = documents_of([source, [".", *dotted]]).without_punctuation()
    assert passages(documents, ValidIntervals()) == {(0, 1): [(0, 40, 1, 80, 36)]}


def test_scores_are_covered_shares() -> None:
    """The score is the larger covered share of the two; find() keeps scores from the threshold on."""
    source, other = random_texts(2, 100, seed=6)
    documents = documents_of([source, source[:50] + other[:50], source[:30]])
    found = ValidIntervals().find(documents)
    assert found.scores() == {(0, 1): 0.5, (0, 2): 1.0, (1, 2): 1.0}
    assert ValidIntervals().find(documents, 0.6).scores() == {(0, 2): 1.0, (1, 2): 1.0}
    some = ValidIntervals().between(documents, np.array([True, True, False]))
    assert some.scores() == {(0, 2): 1.0, (1, 2): 1.0}


def test_repetitive_text_ends() -> None:
    """A repeated chunk counts once; repeated sentences give one interval, not one per pair of occurrences."""
    one, sentence = ["a"] * 20_000, random_texts(1, 30, seed=8)[0] * 500
    documents = documents_of([one, one, sentence, sentence[:-40]])
    assert passages(documents, ValidIntervals()) == {(2, 3): [(0, 15_000, 0, 14_960, 30)]}
