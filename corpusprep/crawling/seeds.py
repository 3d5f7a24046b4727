"""Makes queries for search engines from the words of a language or of a corpus.

Corpus Factory (Kilgarriff et al. 2010; Pomikálek 2011, 1.3.3): words of middle frequency, ranks 1,001 to 6,000, of five
letters or more, so that few are words of other languages, too. BootCaT (Baroni and Bernardini 2004; 1.3.2): random
tuples of words. For a special corpus, the words are its keywords compared with the language, or with another corpus.
"""

import itertools
import math
import random
import re
from collections.abc import Iterable, Iterator, Sequence
from html import unescape
from pathlib import Path

from corpusprep import languages
from corpusprep.archive import inputs
from corpusprep.errors import ConfigError, LanguageError
from corpusprep.languages import frequencies
from corpusprep.languages.frequencies import Frequencies

#: Ranks of the words, the first and the last, and their least letters.
FIRST_RANK, LAST_RANK, LEAST_LETTERS = 1001, 6000, 5
#: Where words are written without spaces, their letters are so many.
UNSPACED_LETTERS = 2
#: Words of a query (BootCaT: 3).
TUPLE = 3
#: Occurrences of a keyword, at least.
LEAST_COUNT = 3
#: Added to both frequencies per million, so that rare words do not win by chance (Kilgarriff 2009, simple maths).
SMOOTHING = 100.0
_TEXT_KINDS = frozenset({"json", "parquet", "vertical"})
_TAG = re.compile("<[^>]*>")
_TRIES = 50  # per query that is asked for


def middle_words(
    frequencies: Frequencies, first: int = FIRST_RANK, last: int = LAST_RANK, least_letters: int | None = None
) -> list[str]:
    """Returns the words of middle frequency that are long enough and have letters only.

    Args:
        frequencies: words of a language or text.
        first: rank of the first word, from 1.
        last: rank of the last word.
        least_letters: of a word; None: LEAST_LETTERS, or UNSPACED_LETTERS.
    """
    least = _least_letters(frequencies, least_letters)
    return [word for word in frequencies.words[first - 1 : last] if _is_word(word, least)]


def _least_letters(counted: Frequencies, least: int | None) -> int:
    if least is not None:
        return least
    return UNSPACED_LETTERS if frequencies.is_unspaced(counted) else LEAST_LETTERS


def _is_word(word: str, least: int) -> bool:
    return len(word) >= least and frequencies.is_stop_word(word) and "-" not in word


def keywords(special: Frequencies, general: Frequencies, count: int, least_letters: int | None = None) -> list[str]:
    """Returns the words of a special corpus whose frequency exceeds that in a general one most.

    The score is (f + SMOOTHING) / (g + SMOOTHING), with frequencies per million; ties by code point.
    """
    shares = dict(zip(general.words, general.shares.tolist(), strict=True))
    least = LEAST_COUNT / special.running if special.running else 0.0
    letters = _least_letters(special, least_letters)
    scored = [
        ((share * 1e6 + SMOOTHING) / (shares.get(word, 0.0) * 1e6 + SMOOTHING), word)
        for word, share in zip(special.words, special.shares.tolist(), strict=True)
        if share >= least and _is_word(word, letters)
    ]
    best = sorted(((-score, word) for score, word in scored if score > 1))
    return [word for _, word in best[:count]]


def queries(words: Sequence[str], count: int, size: int = TUPLE, seed: int = 0) -> list[tuple[str, ...]]:
    """Returns random tuples of different words, no two with the same words. The same arguments give the same tuples.

    Args:
        words: to choose from.
        count: of tuples; fewer if there are no more.
        size: words of a tuple.
        seed: another number gives other tuples.

    Raises:
        ConfigError: there are fewer words than a tuple has.
    """
    if len(words) < size:
        raise ConfigError(
            f"{len(words)} words for queries of {size}: give more text, other ranks (--first-rank, --last-rank) or"
            " shorter words (--letters)"
        )
    if math.comb(len(words), size) <= 2 * count:
        every = list(itertools.combinations(words, size))
        random.Random(seed).shuffle(every)
        return every[:count]
    chosen = random.Random(seed)
    chosen_queries: dict[frozenset[str], tuple[str, ...]] = {}
    for _ in range(_TRIES * count):
        if len(chosen_queries) == count:
            break
        query = tuple(chosen.sample(words, size))
        chosen_queries.setdefault(frozenset(query), query)
    return list(chosen_queries.values())


def of_language(language: str) -> Frequencies:
    """Returns the words of a built-in language.

    Raises:
        ConfigError: there are none: the language is a model or is not built in.
    """
    try:
        code = language if languages.is_path(language) else languages.describe(language).code
        return frequencies.of_language(code)
    except LanguageError:
        raise ConfigError(
            f"--language {language}: no list of its words comes with corpusprep; give text in it with --text"
        ) from None


def of_texts(paths: Iterable[Path]) -> Frequencies:
    """Returns the words of texts: files of plain text in UTF-8, JSON lines, Parquet files and verticals.

    Raises:
        ConfigError: a file cannot be read, or there is no word.
        ArchiveError: a table has no text.
    """
    named = list(paths)
    counted = frequencies.of_texts((text for path in named for text in _texts(path)), ", ".join(map(str, named)))
    if not counted.words:
        raise ConfigError(f"{', '.join(map(str, named))}: no word; give a text")
    return counted


def _texts(path: Path) -> Iterator[str]:
    if not path.is_file():
        raise ConfigError(f"{path}: no such file")
    if inputs.kind(path) in _TEXT_KINDS:
        for record in inputs.records(path):
            yield unescape(_TAG.sub(" ", record.body.decode("utf-8")))
        return
    try:
        yield path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise ConfigError(f"{path}, line {line}: not UTF-8; convert the file first (iconv -t utf-8)") from None
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from None


def quoted(query: Sequence[str], site: str | None = None) -> str:
    """Returns a tuple as a query: all its words must occur; `site`: in pages of this domain only."""
    words = [f'"{word}"' for word in query]
    return " ".join([*words, f"site:{site}"] if site else words)
