"""Tokens of scripts that are written without spaces, as ICU's dictionaries divide them (PyICU, an extra).

Without it each character of Han, kana, Thai, Lao, Khmer and Burmese is a token. Here those that ICU takes for one
word are joined again: all other tokens are the tokeniser's, and so is what stands together without white space.
"""

import importlib
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from corpusprep.errors import LanguageError
from corpusprep.languages.frequencies import UNSPACED
from corpusprep.text.tokenizer import Token, Tokenizer, vertical_lines

#: A character of such a script with the marks behind it, as the tokeniser gives it.
_CHARACTER = re.compile(f"[{UNSPACED}]+")


class WordBreakingTokenizer(Tokenizer):
    """A tokeniser that gives words of scripts without spaces, by ICU's word breaker for a language.

    Args:
        code: of the language.
        abbreviations, clitic_prefixes, clitic_suffixes: as of Tokenizer.

    Raises:
        LanguageError: PyICU is not installed.
    """

    def __init__(
        self,
        code: str,
        abbreviations: Iterable[str] = (),
        clitic_prefixes: Iterable[str] = (),
        clitic_suffixes: Iterable[str] = (),
    ) -> None:
        super().__init__(abbreviations, clitic_prefixes, clitic_suffixes)
        try:
            icu: Any = importlib.import_module("icu")
        except ImportError:
            raise LanguageError(
                "words by ICU need PyICU; install corpusprep[icu], or set tokens.unspaced: characters"
            ) from None
        self._text = icu.UnicodeString
        self._breaker = icu.BreakIterator.createWordInstance(icu.Locale(code))

    def tokenize(self, text: str) -> list[Token]:
        """The tokens of `text`, as of Tokenizer, characters joined to words."""
        tokens: list[Token] = []
        run: list[Token] = []
        for token in super().tokenize(text):
            of_script = _CHARACTER.fullmatch(token.text) is not None
            if run and not (of_script and token.glued):
                tokens += self._words(run)
                run = []
            if of_script:
                run.append(token)
            else:
                tokens.append(token)
        return [*tokens, *self._words(run)] if run else tokens

    def vertical(self, texts: Sequence[str], headings: Sequence[bool]) -> tuple[bytes, list[int]]:
        """The blocks of a document as vertical lines, and the number of tokens of each block, as of Tokenizer."""
        return vertical_lines(map(self.tokenize, texts), headings)

    def _words(self, run: list[Token]) -> Iterator[Token]:
        """Joins the characters of a run to words; a border inside a character and its marks is none."""
        text = self._text("".join(token.text for token in run))  # whose positions, and the breaker's, are of UTF-16
        self._breaker.setText(text)
        borders = set(self._breaker)
        word, glued, place = "", run[0].glued, 0
        for token in run:
            word += token.text
            place += len(token.text.encode("utf-16-le")) // 2
            if place in borders:
                yield Token(word, glued)
                word, glued = "", True
        if word:
            yield Token(word, glued)
