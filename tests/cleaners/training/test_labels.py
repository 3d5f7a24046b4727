"""Labels of blocks."""

import numpy as np

from corpusprep.cleaners.content.training import labels
from corpusprep.cleaners.content.training.labels import UNKNOWN


def test_a_label_is_the_share_of_words_in_the_gold_text() -> None:
    """Case and punctuation do not count; a menu that repeats a gold word outside the alignment is no content."""
    blocks = [labels.words_of(text) for text in ("Home | Ferries", "“The ferry is back.”", "", "Read more")]
    assert labels.shares(blocks, labels.words_of("The ferry is back")).tolist() == [0.0, 1.0, 0.0, 0.0]


def test_scripts_without_spaces_are_labelled_by_characters() -> None:
    """Half of a Chinese block in the gold text gives 0.5."""
    assert labels.shares([labels.words_of("渡轮回来")], labels.words_of("渡轮")).tolist() == [0.5]


def test_snippets_label_the_blocks_that_contain_them() -> None:
    """A block with a wanted snippet is good, with an unwanted one bad; others, and those with both, are unknown."""
    blocks = [labels.words_of(text) for text in ("a long good text", "a bad menu", "nothing", "good text bad menu")]
    found = labels.by_snippets(blocks, [["good", "text"]], [["bad", "menu"]])
    assert np.array_equal(found, np.array([1, 0, UNKNOWN, UNKNOWN], np.float32))


def test_a_snippet_matches_whole_words() -> None:
    """`art` is not in `party`."""
    assert labels.by_snippets([["party"]], [["art"]], []).tolist() == [UNKNOWN]
