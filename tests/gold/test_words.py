"""Scores by words, on small texts, and against difflib on the gold sets."""

from collections.abc import Callable
from difflib import SequenceMatcher
from pathlib import Path

import pytest

from corpusprep.gold.scores import Counts
from corpusprep.gold.words import compare, words_of


def test_gold_lines_with_the_url_and_segment_markers_are_no_words() -> None:
    """Evert drops lines that begin with URL; the thesis removes <p>, <h> and <l>."""
    gold = " URL: http://a.example/\n\n<h>A title\n<p>Of\x07two <l>words.\n"
    assert words_of(gold, markup=True) == ["A", "title", "Of", "two", "words."]


def test_markers_glued_to_words_part_them() -> None:
    """`end.<p>Next` is two words."""
    assert words_of("end.<p>Next", markup=True) == ["end.", "Next"]


def test_only_ascii_is_left_after_splitting() -> None:
    """`-a` removes characters and the words that consist of them, but joins no words."""
    assert words_of("caf\u00e9 \u2013 na\u00efve\u00a0x", ascii_only=True) == ["caf", "nave", "x"]


def test_text_without_spaces_is_compared_by_characters() -> None:
    """In Chinese every character is a word."""
    assert words_of("山 水\n画", spaced=False) == ["山", "水", "画"]


def test_compare_counts_common_extra_and_missed_words() -> None:
    """Words in common, other words of the text, other words of the gold text."""
    assert compare("menu a b c d footer".split(), "title a b d e".split()) == Counts(3, 3, 2)


@pytest.mark.data
@pytest.mark.parametrize("step", [7, pytest.param(1, marks=pytest.mark.slow)])
def test_counts_on_cleaneval_are_difflibs(unpacked: Callable[[str], Path], step: int) -> None:
    """The native alignment pairs as many words as difflib on real pages and their gold texts."""
    folder = unpacked("cleaneval") / "final"
    differing = []
    for path in sorted((folder / "gold").iterdir())[::step]:
        gold = words_of(path.read_text(encoding="latin-1"), markup=True)
        page = (folder / "html" / f"{path.stem}.html").read_text(encoding="latin-1")
        text = [word for word in words_of(page, markup=True) if "=" not in word][:4000]
        common = sum(block.size for block in SequenceMatcher(None, text, gold, autojunk=False).get_matching_blocks())
        if compare(text, gold).true_positives != common:
            differing.append(path.name)
    assert not differing
