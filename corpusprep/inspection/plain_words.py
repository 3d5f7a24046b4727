"""Says what a plain word of a query finds: a token in any case, or the tokens that a corpus divides the word into."""

import re
from functools import cache

from corpusprep.text.tokenizer import APART, APOSTROPHES, Tokenizer

#: Apostrophes of a word that it may be divided at: the first ones.
MOST_APOSTROPHES = 3
_APOSTROPHE = f"[{''.join(APOSTROPHES)}]"


def expression(word: str) -> str:
    """Returns the regular expression of a word, in small letters or capitals, with any apostrophe."""
    return "(?i)" + "".join(_APOSTROPHE if sign in APOSTROPHES else re.escape(sign) for sign in word)


def divisions(word: str) -> list[list[str]]:
    """Returns how a word may be divided into several tokens: by the rules of all languages, and at an apostrophe.

    Which of them a corpus has depends on its language (`it's`, `do` `n't`, `l'` `homme`), and whether the words of
    scripts without spaces were divided.

    >>> divisions("tea"), divisions("don't")
    ([], [['don', "'t"], ["don'", 't'], ['do', "n't"]])
    >>> divisions("日本"), divisions("tea,")
    ([['日', '本']], [['tea', ',']])
    """
    tokens = [token.text for token in _tokenizer().tokenize(word)]
    ways = [tokens] if len(tokens) > 1 else []
    places = [place for place, sign in enumerate(word) if sign in APOSTROPHES]
    for place in places[:MOST_APOSTROPHES]:
        ways += [[word[:end], word[end:]] for end in (place, place + 1, place - 1) if 0 < end < len(word)]
    return [way for number, way in enumerate(ways) if way not in ways[:number]]


@cache
def _tokenizer() -> Tokenizer:
    return Tokenizer(apart=APART)
