"""Word frequencies of a language: from its list, from the package `wordfreq`, or counted in a text."""

import functools
import importlib
import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from corpusprep._native.unicode import LETTER, MARK, lower, nfc, unicode_class
from corpusprep.errors import LanguageError
from corpusprep.languages.descriptions import has_list, list_of

#: wordfreq's list of words with at least one use per million. Its longer lists identify the language of a paragraph
#: no better, and take ten times as long to read.
WORDFREQ_LIST = "small"

#: Mean length of a word, in characters, for samples that are split into characters, not words: the mean of Chinese and
#: Japanese in wordfreq (1.61, 1.68), and of Thai as segmented by ICU.
IDEOGRAPHIC_LENGTH, SYLLABIC_LENGTH = 1.6, 3.9

# Letters and marks of scripts that are written without spaces (native/text/unicode.hpp): Han,
# kana and bopomofo; Thai, Lao, Burmese and Khmer.
_IDEOGRAPHIC = (
    "\u3005-\u3007\u3031-\u3035\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u312f\u31a0-\u31bf\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
_SYLLABIC = "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u0edc-\u0edf\u1000-\u103f\u1050-\u108f\u1780-\u17d3"
_IDEOGRAPH = re.compile(f"[{_IDEOGRAPHIC}]")
#: All these characters, as the inside of a character class of a regular expression.
UNSPACED = _IDEOGRAPHIC + _SYLLABIC
_UNSPACED = re.compile(f"[{UNSPACED}]+")


class _WordCharacters(dict[int, str]):
    """A table for str.translate: replaces every character that is not part of a word by a space."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        self[code] = char if char in "-'" or unicode_class(code) in (LETTER, MARK) else " "
        return self[code]


_WORD_CHARACTERS = _WordCharacters()


@dataclass(frozen=True, slots=True, eq=False)
class Frequencies:
    """Words of a language.

    Attributes:
        words: in lower case, the most frequent first; ties by code point.
        shares: share of each word among the running words, float64; the sum is below 1 where rare words are missing.
        origin: where the frequencies come from.
        running: number of running words counted; 0 if unknown.
    """

    words: tuple[str, ...]
    shares: npt.NDArray[np.float64]
    origin: str
    running: int = 0


def of_language(code: str) -> Frequencies:
    """Returns the word frequencies of a built-in language: of its list in config/languages/words, or of `wordfreq`.

    Raises:
        LanguageError: there are none, or the list cannot be used.
    """
    return of_list(list_of(code)) if has_list(code) else of_wordfreq(code)


def of_list(path: Path) -> Frequencies:
    """Reads a word list: a line on its sources, which begins with the number of running words, then a word per line.

    Each word has its uses per million running words. studies.languages.word_lists writes such files.

    Raises:
        LanguageError: the file cannot be used.
    """
    try:
        first, *lines = path.read_text(encoding="utf-8").splitlines()
        running, _, sources = first.removeprefix("# ").partition(" words: ")
        shares = {word: int(uses) / 1e6 for word, _, uses in (line.partition("\t") for line in lines)}
        return _frequencies(shares, sources, int(running))
    except (OSError, ValueError) as error:
        raise LanguageError(f"{path}: not a word list ({error})") from None


@functools.lru_cache(maxsize=4)
def of_wordfreq(code: str) -> Frequencies:
    """Returns the word frequencies that the package `wordfreq` has for a language.

    Raises:
        LanguageError: it has none.
    """
    import wordfreq  # takes 0.25 s; most commands do not need it

    # For a language that it does not have, wordfreq would return a similar one.
    if code not in wordfreq.available_languages(WORDFREQ_LIST):
        raise LanguageError(
            f"no word frequencies are installed for {code}; make a model from a text in the language: "
            f"corpusprep language make {code} --text FILE --output {code}.model"
        )
    shares = wordfreq.get_frequency_dict(code, WORDFREQ_LIST)
    words = {word: share for word, share in shares.items() if has_letter(word)}
    # Tokens without a letter (numbers, in wordfreq's digit classes) are not words.
    running = 1.0 - sum(share for word, share in shares.items() if word not in words)
    return _frequencies({word: share / running for word, share in words.items()}, _wordfreq_origin())


def _wordfreq_origin() -> str:
    return f"wordfreq {metadata.version('wordfreq')}, {WORDFREQ_LIST} list"


def respeller(letters: Mapping[str, str]) -> Callable[[str], str]:
    """Returns a function that replaces letters in a word, the longest first (`dž` before `d`)."""
    if all(len(letter) == 1 for letter in letters):
        table = str.maketrans(dict(letters))
        return lambda word: word.translate(table)
    pattern = re.compile("|".join(map(re.escape, sorted(letters, key=lambda sequence: (-len(sequence), sequence)))))
    return lambda word: pattern.sub(lambda match: letters[match[0]], word)


def of_texts(texts: Iterable[str], origin: str, divide: Callable[[str], list[str]] | None = None) -> Frequencies:
    """Counts the words of texts; `divide` splits a text into running words (default: words_of)."""
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update((divide or words_of)(text))
    total = counts.total()
    shares = {word: count / total for word, count in counts.items()}
    return _frequencies(shares, f"{origin}, {total:,} words", total)


def words_of(text: str) -> list[str]:
    """Returns the running words of a text in lower case: letters and marks, with inner hyphens and apostrophes.

    Han and kana are written without spaces: each character counts as a word. For Thai, Lao, Burmese and Khmer, a word
    is the text between two spaces.
    """
    return _pieces(_IDEOGRAPH.sub(r" \g<0> ", _lower(text)))


def divider(code: str) -> Callable[[str], list[str]]:
    """Returns a function that splits a text into running words, for a language written without spaces.

    Words come from ICU's dictionaries if PyICU is installed; otherwise each character is a word.
    """
    try:
        icu: Any = importlib.import_module("icu")
    except ImportError:
        return lambda text: _pieces(_UNSPACED.sub(lambda run: f" {' '.join(run[0])} ", _lower(text)))
    breaker = icu.BreakIterator.createWordInstance(icu.Locale(code))

    def words(run: re.Match[str]) -> str:
        text = icu.UnicodeString(run[0])  # the breaker's positions count its UTF-16 units
        breaker.setText(text)
        borders = [0, *breaker]
        return f" {' '.join(str(text[start:end]) for start, end in itertools.pairwise(borders))} "

    return lambda text: _pieces(_UNSPACED.sub(words, _lower(text)))


def characters_per_word(frequencies: Frequencies) -> float:
    """Returns the mean length of a running word, if most words are in a script without spaces; otherwise 0.

    If no word has two letters, because the text was split into characters, returns the usual length for the script.
    """
    of_script = [_UNSPACED.fullmatch(word) is not None for word in frequencies.words]
    shares = frequencies.shares[of_script]
    if not shares.sum() > frequencies.shares.sum() / 2:
        return 0.0
    words = list(itertools.compress(frequencies.words, of_script))
    lengths = np.array([len(word) for word in words])
    if lengths.max() > 1:
        return round(float(lengths @ shares / shares.sum()), 3)
    ideographs = np.array([_IDEOGRAPH.match(word) is not None for word in words])
    return IDEOGRAPHIC_LENGTH if shares[ideographs].sum() > shares.sum() / 2 else SYLLABIC_LENGTH


def word_count(frequencies: Frequencies) -> int:
    """Returns the number of running words; an estimate if a text without spaces was split into characters."""
    of_script = [word for word in frequencies.words if _UNSPACED.fullmatch(word)]
    if not is_unspaced(frequencies) or any(len(word) > 1 for word in of_script):
        return frequencies.running
    return round(frequencies.running / characters_per_word(frequencies))


def is_unspaced(frequencies: Frequencies) -> bool:
    """Returns whether most running words are in a script that is written without spaces."""
    return characters_per_word(frequencies) > 0


def _lower(text: str) -> str:
    return lower(nfc(text)).replace("’", "'")


def _pieces(text: str) -> list[str]:
    pieces = text.translate(_WORD_CHARACTERS).split()
    return [word for piece in pieces if (word := piece.strip("-'"))]


def is_stop_word(word: str) -> bool:
    """Returns whether a word can be a stop word: letters with their marks, and hyphens between them."""
    return (
        all(char == "-" or unicode_class(ord(char)) in (LETTER, MARK) for char in word)
        and has_letter(word[:1])
        and not word.endswith("-")
    )


def has_letter(word: str) -> bool:
    """Returns whether the word contains a letter."""
    return any(unicode_class(ord(char)) == LETTER for char in word)


def _frequencies(shares: dict[str, float], origin: str, running: int = 0) -> Frequencies:
    ordered = sorted(shares.items(), key=lambda item: (-item[1], item[0]))
    values = np.array([share for _, share in ordered], np.float64)
    return Frequencies(tuple(word for word, _ in ordered), values, origin, running)
