"""Runs a tokeniser of a package or a user's own: a function from a text to its tokens; finds the white space itself."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from corpusprep.errors import OwnCodeError
from corpusprep.io import own_code
from corpusprep.io.plugins import Kind
from corpusprep.text.sentences import Sentences
from corpusprep.text.tokenizer import WORD_END, Token, vertical_lines, without_surrogates

#: Functions that installed packages register; the built-in tokeniser needs no name.
TOKENIZERS = Kind("corpusprep.tokenizers", "tokeniser", {}, own="my_module:my_function")
_SHOWN = 40  # characters of a text that errors show


class OwnTokenizer:
    """A user's own tokeniser.

    The function gets the text of a block and returns its tokens: texts without white space, in order, which give the
    text back when its white space is removed. In Thai, Lao, Khmer and Burmese, zero-width spaces (U+200B) show where
    the page ends words; tokens are taken without them.
    """

    def __init__(self, tokenise: Callable[[str], Iterable[str]], name: str, sentences: Sentences | None = None) -> None:
        """The tokeniser of a function; `name` is how errors name it; `sentences` marks the sentences in verticals."""
        self._tokenise = tokenise
        self._name = name
        self._sentences = sentences

    @classmethod
    def load(cls, name: str, folder: Path, sentences: Sentences | None = None) -> "OwnTokenizer":
        """Returns the tokeniser of a name: of an installed package, or `module:function` of a file in `folder`.

        Raises:
            ConfigError: the name is unknown, its package fails, or it is no function.
        """
        tokenise = TOKENIZERS.load(name, folder)
        if not callable(tokenise):
            raise OwnCodeError(f"{name}: it is neither a class nor a function")
        return cls(tokenise, name, sentences)

    def tokenize(self, text: str) -> list[Token]:
        """Returns the tokens of `text`, each with whether it is glued to the token before it.

        Raises:
            OwnCodeError: the function fails, or what it returns are not the tokens of the text.
        """
        text = without_surrogates(text)
        try:
            said: Any = self._tokenise(text)
            values = None if isinstance(said, (str, bytes)) else list(said)
        except Exception as error:
            raise OwnCodeError(f"{self._name} failed: {own_code.described(error)}") from None
        if values is None:
            raise OwnCodeError(f"{self._name} gave {type(said).__name__}, not a list of tokens")
        if values and WORD_END.search(text):
            bare = [token.replace("\u200b", "") if isinstance(token, str) else token for token in values]
            values = [token for token, given in zip(bare, values, strict=True) if token or not given]
            text = text.replace("\u200b", "")
        return list(self._aligned(text, values))

    def vertical(
        self, texts: Sequence[str], headings: Sequence[bool], numbers: Sequence[int] | None = None
    ) -> tuple[bytes, list[int]]:
        """Returns the blocks of a document as vertical lines, and the number of tokens of each block.

        Raises:
            OwnCodeError: as `tokenize`.
        """
        return vertical_lines(map(self.tokenize, texts), headings, numbers, self._sentences)

    def _aligned(self, text: str, values: Sequence[Any]) -> Iterator[Token]:
        """Finds each token in the text, one after the other."""
        place = 0
        for number, token in enumerate(values):
            if not isinstance(token, str) or not token or any(map(str.isspace, token)):
                raise OwnCodeError(
                    f"{self._name} gave the token {token!r}; a token is a text of at least one character, without "
                    "white space"
                )
            start = _after_space(text, place)
            if not text.startswith(token, start):
                raise OwnCodeError(
                    f"{self._name} gave the token {token!r} where the text has {text[start : start + _SHOWN]!r}; the "
                    "tokens must give the text back"
                )
            glued = number > 0 and start == place
            place = start + len(token)
            yield Token(token, glued)
        if rest := text[_after_space(text, place) :]:
            raise OwnCodeError(
                f"{self._name} left out the end of a text, {rest[:_SHOWN]!r}; the tokens must give the text back"
            )


def _after_space(text: str, place: int) -> int:
    """Returns the place of the first character from `place` on that is not white space."""
    while place < len(text) and text[place].isspace():
        place += 1
    return place
