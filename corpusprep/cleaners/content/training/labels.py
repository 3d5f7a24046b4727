"""Labels blocks: the share of a block's words that the alignment of page and gold text finds in the gold text."""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from corpusprep.gold.alignment import matching_blocks

#: A word; scripts without spaces count by characters: Thai to Burmese, Khmer, kana, Han.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_WORD = re.compile(f"[{_UNSPACED}]|[^\\W_{_UNSPACED}]+")
_MARKUP = re.compile(r"</?[a-z]+\s*/?>", re.IGNORECASE)
_URL = re.compile(r"^\s*URL:.*$", re.MULTILINE)

#: The label of a block that the gold says nothing about.
UNKNOWN = -1.0


def words_of(text: str) -> list[str]:
    """Returns the lower-case words of a text without punctuation, for alignment; see _WORD."""
    return _WORD.findall(text.lower())


def gold_words(text: str, *, markup: bool) -> list[str]:
    """Returns the words of a gold text; `markup`: it has markers of segments and a line with the URL."""
    return words_of(_MARKUP.sub(" ", _URL.sub("", text)) if markup else text)


def aligned(blocks: Sequence[Sequence[str]], gold: Sequence[str]) -> NDArray[np.int64]:
    """Returns the number of each block's words that are aligned with the gold text.

    Args:
        blocks: the words of each block of a page.
        gold: the words of its gold text.

    >>> aligned([["home"], ["the", "ferry", "is", "back"]], ["the", "ferry", "was", "back"]).tolist()
    [0, 3]
    """
    lengths = np.array([len(words) for words in blocks], np.int64)
    running = np.zeros(int(lengths.sum()) + 1, np.int64)
    for start, _, length in matching_blocks([word for words in blocks for word in words], gold).tolist():
        running[start : start + length] = 1
    ends = np.cumsum(lengths)
    sums = np.concatenate([[0], np.cumsum(running[:-1])])
    counts: NDArray[np.int64] = sums[ends] - sums[ends - lengths]
    return counts


def shares(blocks: Sequence[Sequence[str]], gold: Sequence[str]) -> NDArray[np.float32]:
    """Returns the share of each block's words that are aligned with the gold text; 0 for a block without words."""
    lengths = np.array([len(words) for words in blocks], np.int64)
    share: NDArray[np.float32] = (aligned(blocks, gold) / np.maximum(lengths, 1)).astype(np.float32)
    return share


def by_snippets(
    blocks: Sequence[Sequence[str]], wanted: Sequence[Sequence[str]], unwanted: Sequence[Sequence[str]]
) -> NDArray[np.float32]:
    """Returns 1 for blocks with a wanted snippet, 0 for blocks with an unwanted one, UNKNOWN for others or both."""
    labels = np.full(len(blocks), UNKNOWN, np.float32)
    texts = [f" {' '.join(words)} " for words in blocks]
    good, bad = ([f" {' '.join(words)} " for words in snippets if words] for snippets in (wanted, unwanted))
    for number, text in enumerate(texts):
        has = any(snippet in text for snippet in good)
        lacks = any(snippet in text for snippet in bad)
        if has != lacks:
            labels[number] = float(has)
    return labels
