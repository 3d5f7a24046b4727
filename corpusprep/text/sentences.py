"""Finds sentences by rules (native/text/sentences.hpp): marks, abbreviations, and the words that start sentences."""

from collections.abc import Iterable, Sequence

from corpusprep._native.tokens import NativeSentences
from corpusprep._native.unicode import upper


class Sentences:
    """The sentences of one language. Several threads may use it at the same time.

    Args:
        frequent_words: of the language, in small letters, such as its stop words. Behind an abbreviation, one with a
            capital starts a sentence.
    """

    def __init__(self, frequent_words: Iterable[str] = ()) -> None:
        starters = {upper(word[:1]) + word[1:] for word in frequent_words} - {*frequent_words}
        self.native = NativeSentences(sorted(word.encode() for word in starters))

    def starts(self, tokens: Sequence[str], glued: Sequence[bool]) -> list[int]:
        """Returns the places of the tokens that start a sentence.

        >>> Sentences(["it"]).starts(["Mr.", "A", "went", "by", "etc.", "It", "is", ".", "So"], [False] * 9)
        [0, 5, 8]
        """
        return self.native.starts(tokens, glued)
