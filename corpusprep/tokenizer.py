"""Tokenising text by one language's rules (Pomikálek 2011, 3.6: words, punctuation, URLs, e-mail …).

The rules stand in native/include/corpusprep/tokenizer.hpp; this module prepares what a language adds to them
and hands text over.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from corpusprep._native.tokens import NativeTokenizer, unicode_class
from corpusprep.errors import LanguageError

APOSTROPHES = "'\N{RIGHT SINGLE QUOTATION MARK}"
HYPHENS = "-\N{HYPHEN}\N{NON-BREAKING HYPHEN}"
LONGEST_RULE = 64  # bytes of UTF-8, of an abbreviation or clitic
_LETTER, _NUMBER = 1, 3


class Token(NamedTuple):
    """A token, and whether no white space stood between it and the token before it."""

    text: str
    glued: bool


class Tokenizer:
    """The tokeniser of one language. May be used from several threads at once.

    Args:
        abbreviations: with their full stop (`etc.`, `z.B.`), as they stand inside a sentence; one with
            white space (`z. B.`) counts as its parts.
        clitics: those that end in an apostrophe or hyphen (`l'`) are cut off the beginning of a word, the
            others (`n't`, `'s`, `-li`) off its end.

    Abbreviations match as given and with a first capital; clitics also in capitals, with either apostrophe.

    Raises:
        LanguageError: a rule that cannot be one, by name.
    """

    def __init__(self, abbreviations: Iterable[str] = (), clitics: Iterable[str] = ()) -> None:
        prefixes: set[str] = set()
        suffixes: set[str] = set()
        for clitic in clitics:
            (prefixes if clitic.endswith(tuple(APOSTROPHES + HYPHENS)) else suffixes).update(_clitic(clitic))
        self._native = NativeTokenizer(
            sorted(form.encode() for rule in abbreviations for form in _abbreviation(rule)),
            sorted(form.encode() for form in prefixes),
            sorted(form.encode() for form in suffixes),
        )

    def tokenize(self, text: str) -> list[Token]:
        """The tokens of `text`; joined, with a space before each that is not glued, they give it back.

        White space comes back as single spaces; a lone surrogate, which is no character, as U+FFFD.

        >>> [token.text for token in Tokenizer(["etc."], ["n't"]).tokenize("Don't see www.example.com, etc.")]
        ['Do', "n't", 'see', 'www.example.com', ',', 'etc.']
        """
        data = without_surrogates(text).encode()
        return [Token(data[begin:end].decode(), glued) for begin, end, glued in self._native.spans(data)]

    def vertical(self, texts: Sequence[str], headings: Sequence[bool]) -> tuple[bytes, list[int]]:
        """The blocks of a document as vertical lines, and the number of tokens of each block.

        The lines are `<p heading="0|1">`, the tokens with `<g/>` where they are glued, and `</p>`.

        Raises:
            ValueError: not as many texts as heading flags.
        """
        try:
            return self._native.vertical(texts, headings)
        except UnicodeEncodeError:
            return self._native.vertical([without_surrogates(text) for text in texts], headings)


def without_surrogates(text: str) -> str:
    """`text` with each lone surrogate as U+FFFD, and each pair as the character it stands for."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def _first_capital(rule: str) -> str:
    return rule[:1].upper() + rule[1:]


def _abbreviation(rule: str) -> Iterator[str]:
    """The forms of an abbreviation, or of each of its parts."""
    parts = rule.split()
    for part in parts:
        if not part.endswith(".") or unicode_class(ord(part[0])) not in (_LETTER, _NUMBER):
            raise LanguageError(
                f"abbreviation {rule!r}: must start with a letter or digit and end with a full stop"
            )
    yield from _short_enough(
        f"abbreviation {rule!r}", {form for p in parts for form in (p, _first_capital(p))}
    )


def _clitic(rule: str) -> Iterator[str]:
    """The forms of a clitic."""
    joints = APOSTROPHES + HYPHENS
    letters = [unicode_class(ord(character)) == _LETTER for character in rule]
    starts_well = rule != "" and (letters[0] or rule[0] in joints)
    if not (starts_well and any(letters) and any(c in joints for c in rule) and rule.split() == [rule]):
        raise LanguageError(
            f"clitic {rule!r}: must be letters with an apostrophe or hyphen, like n't, 's or l'"
        )
    straight, curly = APOSTROPHES[0], APOSTROPHES[1]
    forms = {form.replace(curly, straight) for form in (rule, _first_capital(rule), rule.upper())}
    yield from _short_enough(f"clitic {rule!r}", forms | {form.replace(straight, curly) for form in forms})


def _short_enough(name: str, forms: Iterable[str]) -> Iterator[str]:
    for form in forms:
        if len(form.encode()) > LONGEST_RULE:
            raise LanguageError(f"{name}: longer than {LONGEST_RULE} bytes")
        yield form
