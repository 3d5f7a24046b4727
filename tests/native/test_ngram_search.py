"""The search for given n-grams, against plain Python."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpusprep._native.ngram_search import NgramSearch
from corpusprep._native.ngrams import ngram_key, word_key

WORDS = ["a", "b", "c", ".", "the", "&amp;", "word-of-nine"]
STOP_WORDS = {"the"}

blocks = st.lists(st.sampled_from(WORDS), max_size=8)
documents = st.lists(st.lists(blocks, max_size=4), max_size=4)


def vertical(found: list[list[list[str]]]) -> bytes:
    """The vertical of these documents: lists of blocks, which are lists of tokens."""
    parts = [["<doc>", *(line for block in one for line in ("<p>", *block, "</p>")), "</doc>"] for one in found]
    return "".join(line + "\n" for part in parts for line in part).encode()


def plain(found: list[list[list[str]]], n: int, wanted: list[int], *, punctuation: bool) -> list[tuple[int, ...]]:
    """Document, first and last block, and the place of the key, of each n-gram that is looked for."""
    rows = []
    for number, document in enumerate(found):
        tokens = [
            (block, token.replace("&amp;", "&"))
            for block, listed in enumerate(document)
            for token in listed
            if token not in STOP_WORDS and (punctuation or token not in (".", "&amp;"))
        ]
        for place in range(len(tokens) - n + 1):
            gram = tokens[place : place + n]
            key = ngram_key(token.encode() for _, token in gram)
            if key in wanted:
                rows.append((number, gram[0][0], gram[-1][0], wanted.index(key)))
    return rows


@given(documents, st.integers(1, 3), st.booleans(), st.integers(1, 40))
def test_finds_what_plain_python_finds(found: list[list[list[str]]], n: int, punctuation: bool, piece: int) -> None:
    """For any documents, split anywhere; every second n-gram over two words is looked for."""
    alphabet = [b"a", b"b", b"&", b"word-of-nine"]
    grams = [[alphabet[number // 4**place % 4] for place in range(n)] for number in range(4**n)][::2]
    wanted = [ngram_key(gram) for gram in grams]
    search = NgramSearch(n, wanted, punctuation, STOP_WORDS)
    text = vertical(found)
    rows = [row for start in range(0, len(text), piece) for row in search.feed(text[start : start + piece]).tolist()]
    assert [tuple(row) for row in rows] == plain(found, n, wanted, punctuation=punctuation)


def test_refuses_wrong_arguments() -> None:
    """As the interface says."""
    with pytest.raises(ValueError, match="n must be at least 1"):
        NgramSearch(0, [word_key(b"a")], True, [])
