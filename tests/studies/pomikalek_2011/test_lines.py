"""Hashes of lines against sets of joined lines."""

from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from corpusprep.reuse.documents import Documents
from corpusprep.reuse.reading import read_texts
from corpusprep.text.tokenizer import Tokenizer
from studies.pomikalek_2011.chapter_3.comparators.lines import LineHashes

#: Documents of lines of words; lines may be empty.
LINES = st.lists(st.lists(st.lists(st.sampled_from("abc"), max_size=3), max_size=6), min_size=1, max_size=5)


def of_lines(texts: list[list[list[str]]]) -> Documents:
    """Documents with the numbers of their lines."""
    return Documents.from_tokens(
        [(str(number), [word for line in text for word in line]) for number, text in enumerate(texts)],
        lines=[[place for place, line in enumerate(text) for _ in line] for text in texts],
    )


def chunks(text: list[list[str]], n: int) -> set[str]:
    """The distinct runs of n lines that have words, each joined."""
    filled = [line for line in text if line]
    return {" ".join(word for line in filled[i : i + n] for word in line) for i in range(0, len(filled), n)}


@given(LINES, st.sampled_from([1, 2, 4]))
def test_scores_are_resemblances_of_chunks_of_lines(texts: list[list[list[str]]], n: int) -> None:
    """Every pair that shares a chunk is found, with the share of chunks in common."""
    expected = {}
    for i, one in enumerate(texts):
        for j in range(i + 1, len(texts)):
            shared, either = chunks(one, n) & chunks(texts[j], n), chunks(one, n) | chunks(texts[j], n)
            if shared:
                expected[i, j] = len(shared) / len(either)
    assert LineHashes(n).find(of_lines(texts), 0.0).scores() == expected


def test_hashes_have_32_bits() -> None:
    """As in the paper: 4 bytes are counted for each."""
    comparator = LineHashes(2)
    features = comparator.features(of_lines([[["a"], ["b"], ["c"]]]))
    assert len(features.keys) == 2
    assert int(features.keys.max()) < 1 << 32
    assert comparator.stored(features) == 8


def test_tokens_that_are_left_out_leave_lines_as_they_are() -> None:
    """Punctuation alone on a line makes no line; other tokens keep their lines."""
    documents = of_lines([[["a", "."], ["."], ["b"]]]).without_punctuation()
    assert documents.lines.tolist() == [0, 2]
    assert LineHashes(1).features(documents).sizes.tolist() == [2]


def test_lines_of_plain_texts_are_read(tmp_path: Path) -> None:
    """Line breaks of the file count, also empty lines."""
    path = tmp_path / "text.txt"
    path.write_text("one two\n\nthree\n", encoding="utf-8")
    (text,) = read_texts(path, Tokenizer([], [], []))
    assert (text.tokens, text.lines) == (["one", "two", "three"], [0, 0, 2])
    assert np.all(np.diff(text.lines) >= 0)
