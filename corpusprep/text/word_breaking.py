"""Tokenises scripts that are written without spaces into words, by ICU or another package (text.word_dividers).

Without it, each character of Han, kana, Thai, Lao, Khmer and Burmese is a token. This module joins the characters
that form a word. All other tokens, and `glued`, come from the tokeniser.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

from corpusprep.languages.frequencies import UNSPACED
from corpusprep.text.sentences import Sentences
from corpusprep.text.tokenizer import WORD_END, Token, Tokenizer, vertical_lines
from corpusprep.text.word_dividers import Divide

#: A token of such a script: a character with the marks after it.
_CHARACTER = re.compile(f"[{UNSPACED}]+")


class WordBreakingTokenizer(Tokenizer):
    """A tokeniser that splits scripts without spaces into words.

    Args:
        divide: divides runs of characters into words.
        abbreviations, clitic_prefixes, clitic_suffixes, sentences, words, joints: as for Tokenizer.
        apart: as well, but full stops stay with abbreviations, for sentences are found by these tokens.
    """

    def __init__(
        self,
        divide: Divide,
        abbreviations: Iterable[str] = (),
        clitic_prefixes: Iterable[str] = (),
        clitic_suffixes: Iterable[str] = (),
        sentences: Sentences | None = None,
        *,
        words: Iterable[str] = (),
        joints: Iterable[str] = (),
        apart: Iterable[str] = (),
    ) -> None:
        rules = abbreviations, clitic_prefixes, clitic_suffixes, sentences
        apart = [mark for mark in apart if mark != "."]
        super().__init__(*rules, words=words, joints=joints, apart=apart)
        self._divide = divide

    def tokenize(self, text: str) -> list[Token]:
        """Splits `text` into tokens as Tokenizer does, with characters joined to words.

        Words end at zero-width spaces between characters of Thai, Lao, Burmese and Khmer.
        """
        first, *others = [self._tokens(part) for part in WORD_END.split(text)]
        return [*first, *(Token(token.text, token.glued or not n) for part in others for n, token in enumerate(part))]

    def _tokens(self, text: str) -> list[Token]:
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

    def vertical(
        self, texts: Sequence[str], headings: Sequence[bool], numbers: Sequence[int] | None = None
    ) -> tuple[bytes, list[int]]:
        """Returns the blocks of a document as vertical lines, and the number of tokens of each block."""
        return vertical_lines(map(self.tokenize, texts), headings, numbers, self._sentences)

    def _words(self, run: list[Token]) -> Iterator[Token]:
        """Joins the characters of a run to words; ignores borders between a character and its marks."""
        borders = set(accumulate(map(len, self._divide("".join(token.text for token in run)))))
        word, glued, place = "", run[0].glued, 0
        for token in run:
            word += token.text
            place += len(token.text)
            if place in borders:
                yield Token(word, glued)
                word, glued = "", True
        if word:
            yield Token(word, glued)
