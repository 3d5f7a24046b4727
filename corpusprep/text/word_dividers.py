"""Divides scripts that are written without spaces into words: ICU's dictionaries, and packages for one language.

The setting `tokens.unspaced` names one. `words` stands for the best for the language, measured on treebanks.
"""

import importlib
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from corpusprep.errors import LanguageError
from corpusprep.startup import install

#: Returns the words of a text, in order; together they are the text.
Divide = Callable[[str], Iterable[str]]

#: The setting that stands for the best divider of each language.
BEST = "words"


@dataclass(frozen=True, slots=True)
class Divider:
    """A way to divide texts into words.

    Attributes:
        modules: what it imports.
        wheels: the packages that have them, for messages.
        extra: the extra of corpusprep that has them.
        languages: codes of the languages that it knows; without any, those that ICU has dictionaries of.
        make: makes it for a language, by its code.
    """

    modules: tuple[str, ...]
    wheels: str
    extra: str
    languages: tuple[str, ...]
    make: Callable[[str], Divide]


def _icu(code: str) -> Divide:
    icu: Any = importlib.import_module("icu")
    breaker = icu.BreakIterator.createWordInstance(icu.Locale(code))

    def divide(text: str) -> Iterable[str]:
        units = icu.UnicodeString(text)  # the breaker's positions count its UTF-16 units
        breaker.setText(units)
        start = 0
        for end in breaker:
            yield str(units[start:end])
            start = end

    return divide


def _jieba() -> Divide:
    cut: Divide = jieba_tokenizer().lcut
    return cut


def jieba_tokenizer() -> Any:
    """Returns a tokeniser of jieba, with its own dictionary and without its cache, a file that all users can write."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of patterns in its source
        jieba: Any = importlib.import_module("jieba")
    tokenizer = jieba.Tokenizer()
    tokenizer.FREQ, tokenizer.total = tokenizer.gen_pfdict(tokenizer.get_dict_file())
    tokenizer.initialized = True
    return tokenizer


def _fugashi() -> Divide:
    tagger = importlib.import_module("fugashi").Tagger()

    def divide(text: str) -> Iterable[str]:
        return [word.surface for word in tagger(text)]

    return divide


def _pythainlp() -> Divide:
    tokenize: Any = importlib.import_module("pythainlp.tokenize").word_tokenize

    def divide(text: str) -> Iterable[str]:
        words: list[str] = tokenize(text, engine="newmm")
        return words

    return divide


DIVIDERS = {
    "icu": Divider(("icu",), "PyICU", "icu", (), _icu),
    "jieba": Divider(("jieba",), "jieba", "words", ("zh",), lambda code: _jieba()),
    "fugashi": Divider(
        ("fugashi", "unidic_lite"), "fugashi and unidic-lite", "words", ("ja",), lambda code: _fugashi()
    ),
    "pythainlp": Divider(("pythainlp",), "pythainlp", "words", ("th",), lambda code: _pythainlp()),
}
#: What `words` stands for, by the measurement in docs/measurements/tokens.md; other languages have spaces.
_BEST = {"zh": "jieba", "ja": "fugashi", "th": "icu", "lo": "icu", "km": "icu", "my": "icu"}


def divider_of(name: str, code: str) -> Divider | None:
    """Returns the divider that a setting names, for a language; None if each character is a token.

    Args:
        name: `characters`, a key of DIVIDERS, or BEST.
        code: code of the language; empty if it is not known yet.

    Raises:
        LanguageError: it does not know the language, or what it imports is not installed.
    """
    divider = DIVIDERS.get(_BEST.get(_base(code), "") if name == BEST else name)
    if divider is None:
        return None
    if code and divider.languages and _base(code) not in divider.languages:
        raise LanguageError(
            f"{name} is for the language {divider.languages[0]}, and this one is {code}; set {BEST}, icu or characters"
        )
    if any(find_spec(module) is None for module in divider.modules):
        raise LanguageError(
            f"{name} needs {divider.wheels}{f' for the language {code}' if code else ''}"
            f" (characters needs nothing): {install(divider.extra)}"
        )
    return divider


def _base(code: str) -> str:
    return code.partition("-")[0]
