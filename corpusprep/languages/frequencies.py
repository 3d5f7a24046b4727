"""Words of a language and how often each is used: from `wordfreq`, or counted in a text."""

import functools
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import metadata

import numpy as np
import numpy.typing as npt

from corpusprep.errors import LanguageError

#: wordfreq's list of words with at least one use in a million; its longer lists choose the language
#: of a paragraph no better, and take ten times as long to read.
WORDFREQ_LIST = "small"

_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U000323af]")


class _WordCharacters(dict[int, str]):
    """A table for str.translate: every character that is not part of a word becomes a space."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        self[code] = char if char in "-'" or unicodedata.category(char)[0] in "LM" else " "
        return self[code]


_WORD_CHARACTERS = _WordCharacters()


@dataclass(frozen=True, slots=True, eq=False)
class Frequencies:
    """Words of a language.

    Attributes:
        words: in lower case, the most frequent first, ties in the order of their code points.
        shares: of each among running words, float64; their sum may stay under 1, by rare words.
        origin: where they come from.
        running: how many running words were counted; 0 where that is not known.
    """

    words: tuple[str, ...]
    shares: npt.NDArray[np.float64]
    origin: str
    running: int = 0


@functools.lru_cache(maxsize=4)
def of_wordfreq(code: str) -> Frequencies:
    """The words that the `wordfreq` package ships for a language.

    Raises:
        LanguageError: it ships none.
    """
    import wordfreq  # a quarter of a second; most commands do without

    # Asked for a language that it lacks, wordfreq gives a similar one.
    if code not in wordfreq.available_languages(WORDFREQ_LIST):
        raise LanguageError(
            f"no word frequencies are installed for {code}; give a text in the language: "
            f"corpusprep language make {code} --text FILE --output {code}.model"
        )
    shares = wordfreq.get_frequency_dict(code, WORDFREQ_LIST)
    words = {word: share for word, share in shares.items() if has_letter(word)}
    # Tokens without a letter (numbers, in wordfreq's digit classes) are not words.
    running = 1.0 - sum(share for word, share in shares.items() if word not in words)
    origin = f"wordfreq {metadata.version('wordfreq')}, {WORDFREQ_LIST} list"
    return _frequencies({word: share / running for word, share in words.items()}, origin)


def of_texts(texts: Iterable[str], origin: str) -> Frequencies:
    """The words of texts, counted."""
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(words_of(text))
    total = counts.total()
    shares = {word: count / total for word, count in counts.items()}
    return _frequencies(shares, f"{origin}, {total:,} words", total)


def words_of(text: str) -> list[str]:
    """The running words of a text in lower case: letters and marks, with inner hyphens and apostrophes.

    Han and kana are written without spaces: each character counts as a word.
    """
    text = unicodedata.normalize("NFC", text).lower().replace("’", "'")
    pieces = _UNSPACED.sub(r" \g<0> ", text).translate(_WORD_CHARACTERS).split()
    return [word for piece in pieces if (word := piece.strip("-'"))]


def is_stop_word(word: str) -> bool:
    """Whether a word is a sequence of letters (with their marks), perhaps with hyphens between them."""
    return (
        all(char == "-" or unicodedata.category(char)[0] in "LM" for char in word)
        and has_letter(word[:1])
        and not word.endswith("-")
    )


def has_letter(word: str) -> bool:
    """Whether there is a letter in the word."""
    return any(char.isalpha() for char in word)


def _frequencies(shares: dict[str, float], origin: str, running: int = 0) -> Frequencies:
    ordered = sorted(shares.items(), key=lambda item: (-item[1], item[0]))
    values = np.array([share for _, share in ordered], np.float64)
    return Frequencies(tuple(word for word, _ in ordered), values, origin, running)
