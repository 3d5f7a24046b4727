"""Finds the words that are typical of a corpus, against its language ("Simple maths for keywords", Kilgarriff 2009)."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from corpusprep._native.unicode import lower, nfc
from corpusprep.io.tsv import Row
from corpusprep.statistics.frequent_words import WORDS
from corpusprep.statistics.keywords import ADDED

#: Words that the report has.
MOST = 40
#: Fewest occurrences of a word.
LEAST_COUNT = 3
#: The words of the language must be this share of the running words at least. Otherwise the words of the two are
#: divided in different ways (Korean), or the text is in another language.
LEAST_COVERED = 0.5
_PARTS = re.compile(r"[\W_]+")


@dataclass(frozen=True)
class TypicalWord:
    """A word that is more frequent in the corpus than in its language.

    Attributes:
        word: the word.
        count: its occurrences in the corpus.
        per_million: its frequency in the corpus.
        in_language: its frequency in the language, per million; 0 of a word that the list of the language lacks.
        score: (per_million + ADDED) / (in_language + ADDED).
    """

    word: str
    count: int
    per_million: float
    in_language: float
    score: float


def typical_words(frequent: Sequence[Row], shares: Mapping[str, float]) -> list[TypicalWord]:
    """Returns the most typical words of a corpus, the first one first; none if it cannot be compared.

    Words outside of `frequent` are rarer than its last one. A word is left out if one of them could have its score.

    Args:
        frequent: the rows of the table frequent_words of the corpus.
        shares: share of each word among the running words of the language (languages.making.word_shares).
    """
    words = []
    covered = whole = 0.0
    for row in frequent:
        here, there = float(row["per_million"]), 1e6 * _share(row["word"], shares)
        whole += here
        covered += here if there else 0.0
        score = (here + ADDED) / (there + ADDED)
        if int(row["count"]) >= LEAST_COUNT and score > 1:
            words.append(TypicalWord(row["word"], int(row["count"]), here, there, score))
    if covered < LEAST_COVERED * whole:
        return []
    rarest = float(frequent[-1]["per_million"]) if len(frequent) == WORDS else 0.0
    sure = [word for word in words if word.score > 1 + rarest / ADDED]
    return sorted(sure, key=lambda word: (-word.score, word.word))[:MOST]


def _share(word: str, shares: Mapping[str, float]) -> float:
    """Returns the share of a word in its language; of one that the list lacks, the share of its rarest part."""
    form = lower(nfc(word)).replace("’", "'")
    parts = [form] if form in shares else list(filter(None, _PARTS.split(form)))
    return min((shares.get(part, 0.0) for part in parts), default=math.inf)
