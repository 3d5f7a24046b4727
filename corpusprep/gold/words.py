"""Scores by words: aligns a cleaned text with its gold text (Evert 2008, cleaneval.py 1.0; Pomikálek 2011, 2.9.6).

A line that begins with "URL" is dropped. Control characters become spaces. Characters that nobody sees are left out, as
they are of the text of blocks. The gold text's segment markers
(<p>, <h>, <l>) are stripped, as in the thesis (2.9.7). Then the white-space separated words of both texts are aligned
(alignment.py). Paired words are true positives, other words of the text false positives, other words of the gold text
false negatives. Evert's script also counts an empty "word" before leading and after trailing white space of a file;
here these do not count.
"""

import re
from collections.abc import Sequence

from corpusprep._native import unicode
from corpusprep.gold.alignment import matching_blocks
from corpusprep.gold.scores import Counts

_URL = re.compile(r"^\s*URL.*$", re.MULTILINE)
_MARKUP = re.compile(r"</?[a-z]+\s*/?>", re.IGNORECASE)
_CONTROL = re.compile("[\x00-\x1f]+")
_NOT_ASCII = re.compile("[^\x00-\x7f]+")


def words_of(text: str, *, ascii_only: bool = False, markup: bool = False, spaced: bool = True) -> list[str]:
    """Returns the words of a text that are compared.

    Args:
        text: a cleaned text or a gold text.
        ascii_only: remove non-ASCII characters after splitting the text (Evert's `-a`, which the thesis used).
        markup: the text is a gold text with markers, which are stripped.
        spaced: whether spaces separate words; if not, as in Chinese, every character is a word.
    """
    text = unicode.visible(_CONTROL.sub(" ", _URL.sub("", text)))
    if markup:
        text = _MARKUP.sub(" ", text)
    words = text.split() if spaced else list("".join(text.split()))
    if ascii_only and not text.isascii():
        words = _NOT_ASCII.sub("", " ".join(words)).split()
    return words


def compare(text: list[str], gold: list[str], *, popular: bool = False) -> Counts:
    """Counts words in both texts, only in the text and only in the gold text; `popular`: see matching_blocks."""
    common = int(matching_blocks(text, gold, popular=popular)[:, 2].sum())
    return Counts(common, len(text) - common, len(gold) - common)


def snippets(text: str, wanted: Sequence[str], unwanted: Sequence[str]) -> Counts:
    """Counts the wanted snippets in a text, the unwanted ones in it, and the wanted ones that are missing."""
    folded = "".join(text.split())
    hits, extra = (sum("".join(snippet.split()) in folded for snippet in side) for side in (wanted, unwanted))
    return Counts(hits, extra, len(wanted) - hits)
