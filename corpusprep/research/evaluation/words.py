"""Scores by words: a cleaned text aligned with its gold text (Evert 2008, cleaneval.py 1.0; Pomikálek 2011, 2.9.6).

A line that begins with "URL" is dropped, control characters become spaces, the gold text's segment markers
(<p>, <h>, <l>) are stripped as the thesis stripped them (2.9.7), and the white-space separated words of both
texts are aligned (alignment.py). Words that the alignment pairs are true positives, the other words of the
text false positives, the other words of the gold text false negatives. Evert's script also counts the
empty "word" before white space at the start of a file and after that at its end; here they are no words.
"""

import re

from corpusprep.research.evaluation.alignment import matching_blocks
from corpusprep.research.evaluation.scores import Counts

_URL = re.compile(r"^\s*URL.*$", re.MULTILINE)
_MARKUP = re.compile(r"</?[a-z]+\s*/?>", re.IGNORECASE)
_CONTROL = re.compile("[\x00-\x1f]+")
_NOT_ASCII = re.compile("[^\x00-\x7f]+")


def words_of(text: str, *, ascii_only: bool = False, markup: bool = False, spaced: bool = True) -> list[str]:
    """The words of a text that are compared.

    Args:
        text: a cleaned text or a gold text.
        ascii_only: leave out all other characters, after the text is split (Evert's `-a`, with which the
            thesis scored).
        markup: the text is a gold text with markers, which are stripped.
        spaced: whether words are parted by spaces; if not, as in Chinese, every character is a word.
    """
    text = _CONTROL.sub(" ", _URL.sub("", text))
    if markup:
        text = _MARKUP.sub(" ", text)
    words = text.split() if spaced else list("".join(text.split()))
    if ascii_only:
        words = [word for word in (_NOT_ASCII.sub("", word) for word in words) if word]
    return words


def compare(text: list[str], gold: list[str], *, popular: bool = False) -> Counts:
    """Words in common, only in the text and only in the gold text; `popular` as in matching_blocks."""
    common = int(matching_blocks(text, gold, popular=popular)[:, 2].sum())
    return Counts(common, len(text) - common, len(gold) - common)
