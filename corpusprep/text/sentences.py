"""Finds sentences by rules (native/text/sentences.hpp): marks, abbreviations, and the words that start sentences."""

from collections.abc import Iterable, Sequence

from corpusprep._native.tokens import NativeSentences
from corpusprep._native.unicode import lower, upper

#: Languages that write ordinal numbers with a full stop (5. května, IV. Béla): their codes, also of users' models.
WITH_ORDINALS = frozenset(
    "bar bs csb cs cnr da de dsb et eu fi fo gsw hr hsb hu is ksh lb lv nb nds nn no pl rue sh sk sl sr szl tr".split()
)


class Sentences:
    """The sentences of one language. Several threads may use it at the same time.

    Args:
        frequent_words: of the language, in small letters, such as its stop words. Behind an abbreviation, one with a
            capital starts a sentence.
        code: of the language.
    """

    def __init__(self, frequent_words: Iterable[str] = (), code: str = "") -> None:
        starters = {upper(word[:1]) + word[1:] for word in frequent_words} - {*frequent_words}
        self.native = NativeSentences(sorted(word.encode() for word in starters), has_ordinals(code))

    def starts(self, tokens: Sequence[str], glued: Sequence[bool]) -> list[int]:
        """Returns the places of the tokens that start a sentence.

        >>> Sentences(["it"]).starts(["Mr.", "A", "went", "by", "etc.", "It", "is", ".", "So"], [False] * 9)
        [0, 5, 8]
        """
        return self.native.starts(tokens, glued)


def has_ordinals(code: str) -> bool:
    """Returns whether a language writes ordinal numbers with a full stop.

    >>> has_ordinals("cs"), has_ordinals("de-AT"), has_ordinals("en")
    (True, True, False)
    """
    return lower(code.replace("_", "-").partition("-")[0]) in WITH_ORDINALS
