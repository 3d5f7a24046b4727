"""Tokenises text by the rules of one language (Pomikálek 2011, 3.6: words, punctuation, URLs, e-mail …).

The rules common to all languages are native code (native/text/tokenizer.hpp). This module adds a language's own:
abbreviations and clitics.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from corpusprep._native.tokens import NativeTokenizer
from corpusprep._native.unicode import LETTER, NUMBER, nfc, unicode_class, upper
from corpusprep.errors import LanguageError
from corpusprep.text.sentences import Sentences

#: The apostrophe, and what is written in its place.
APOSTROPHES = ("'", "\N{RIGHT SINGLE QUOTATION MARK}", "\N{ACUTE ACCENT}", "`", "\N{LEFT SINGLE QUOTATION MARK}")
JOINTS = frozenset({*APOSTROPHES, "-", "\N{HYPHEN}", "\N{NON-BREAKING HYPHEN}"})
#: Among the abbreviations: ordinal numbers end in a full stop, before any letter or before small ones.
ORDINALS = {"0.": "any", "0. a": "small"}
#: Behind an abbreviation: it counts before numbers alone (`No. 0`).
_NUMBER = " 0"
#: Marks that a language can have apart: hyphens of compounds, full stops of abbreviations.
APART = ("-", ".")
#: A zero-width space that ends a word: between two characters of Thai, Lao, Burmese or Khmer.
_UNSEEN = "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\ua9e0-\ua9ff\uaa60-\uaa7f]"
WORD_END = re.compile(f"(?<={_UNSEEN})\u200b(?={_UNSEEN})")
LONGEST_RULE = 64  # bytes of UTF-8, of an abbreviation or clitic


#: Tokens are escaped as text of XML is (native/text/vertical.hpp).
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})


class Token(NamedTuple):
    """A token, and whether there is no white space between it and the previous token (`glued`)."""

    text: str
    glued: bool


class Tokenizer:
    """The tokeniser of one language. Several threads may use it at the same time.

    Args:
        abbreviations: with their full stop (`etc.`, `z.B.`), as written inside a sentence; an abbreviation with white
            space (`z. B.`) counts as its parts. `No. 0` is one before a number alone. `0.` stands for ordinal numbers:
            `5.` is one token before white space and a letter; with `0. a`, the letter must be small (ORDINALS).
        clitic_prefixes: split off the beginning of words: `l'`, `dell'`.
        clitic_suffixes: split off the end of words: `n't`, `'s`, `-li`.
        sentences: marks the sentences in verticals; without it, they are not marked.
        words: that are one token, although they have marks (`po'`, `C++`) or no white space around them.
        joints: marks that join the parts of a word, and letters that must follow: `:` (`EU:n`), `*in` (`Bürger*innen`).
        apart: marks that are tokens of their own: `-` in compounds (`Tel` `-` `Aviv`), `.` behind an abbreviation.

    Abbreviations and words match as given and with a first capital; clitics also in capitals. Words and clitics match
    with each of the characters that are written for an apostrophe.

    Raises:
        LanguageError: a rule is invalid; the message names it.
    """

    def __init__(
        self,
        abbreviations: Iterable[str] = (),
        clitic_prefixes: Iterable[str] = (),
        clitic_suffixes: Iterable[str] = (),
        sentences: Sentences | None = None,
        *,
        words: Iterable[str] = (),
        joints: Iterable[str] = (),
        apart: Iterable[str] = (),
    ) -> None:
        self._sentences = sentences
        rules = list(map(nfc, abbreviations))
        ordinals = next((kind for rule, kind in ORDINALS.items() if rule in rules), "")
        rules = [rule for rule in rules if rule not in ORDINALS]
        numbered = [rule.removesuffix(_NUMBER) for rule in rules if rule.endswith(_NUMBER)]
        self._native = NativeTokenizer(
            _encoded(form for rule in rules if not rule.endswith(_NUMBER) for form in _abbreviation(rule)),
            _encoded(form for rule in map(nfc, clitic_prefixes) for form in _clitic(rule, "prefix")),
            _encoded(form for rule in map(nfc, clitic_suffixes) for form in _clitic(rule, "suffix")),
            _encoded(form for rule in numbered for form in _abbreviation(rule)),
            _encoded(form for rule in map(nfc, words) for form in _word(rule)),
            _encoded(map(_joint, joints)),
            ordinals,
            list(map(_apart, apart)),
        )

    def tokenize(self, text: str) -> list[Token]:
        """Splits `text` into tokens; joining them, with a space before each token that is not glued, restores it.

        White space is restored as single spaces; a lone surrogate, which is no character, as U+FFFD.

        >>> [token.text for token in Tokenizer(["etc."], [], ["n't"]).tokenize("Don't see www.example.com, etc.")]
        ['Do', "n't", 'see', 'www.example.com', ',', 'etc.']
        """
        data = without_surrogates(text).encode()
        return [Token(data[begin:end].decode(), glued) for begin, end, glued in self._native.spans(data)]

    def vertical(
        self, texts: Sequence[str], headings: Sequence[bool], numbers: Sequence[int] | None = None
    ) -> tuple[bytes, list[int]]:
        """Returns the blocks of a document as vertical lines, and the number of tokens of each block.

        The lines of a block are `<p heading="0|1" block="NUMBER">`, its tokens, escaped, with `<g/>` before each glued
        one, and `</p>`. Sentences, if they are marked, stand between `<s>` and `</s>`. `numbers` are the numbers of the
        blocks in their page, by default 0, 1, 2 …

        Raises:
            ValueError: the numbers of texts, heading flags and block numbers differ.
        """
        if numbers is None:
            numbers = range(len(texts))
        sentences = None if self._sentences is None else self._sentences.native
        try:
            return self._native.vertical(texts, headings, numbers, sentences)
        except UnicodeEncodeError:
            return self._native.vertical([without_surrogates(text) for text in texts], headings, numbers, sentences)


def vertical_lines(
    blocks: Iterable[Sequence[Token]],
    headings: Sequence[bool],
    numbers: Sequence[int] | None = None,
    sentences: Sentences | None = None,
) -> tuple[bytes, list[int]]:
    """Returns the blocks of a document as vertical lines, and the number of tokens of each block.

    Args:
        blocks: the tokens of each block.
        headings: whether each block is a heading.
        numbers: the number of each block in its page; by default 0, 1, 2 …
        sentences: marks the sentences.
    """
    lines: list[str] = []
    counts: list[int] = []
    if numbers is None:
        numbers = range(len(headings))
    for tokens, heading, number in zip(blocks, headings, numbers, strict=True):
        lines.append(f'<p heading="{heading:d}" block="{number}">\n')
        starts: set[int] = set()
        if sentences is not None and tokens:
            starts.update(sentences.starts([token.text for token in tokens], [token.glued for token in tokens]))
        for place, token in enumerate(tokens):
            if place in starts:
                lines.append("</s>\n<s>\n" if place else "<s>\n")
            if token.glued:
                lines.append("<g/>\n")
            lines.append(escape_token(token.text) + "\n")
        lines.append("</s>\n</p>\n" if starts else "</p>\n")
        counts.append(len(tokens))
    return "".join(lines).encode(), counts


def escape_token(token: str) -> str:
    """Returns a token as a vertical has it: `&amp;`, `&lt;` and `&gt;` for `&`, `<` and `>`."""
    return token.translate(_ESCAPES)


def without_surrogates(text: str) -> str:
    """Replaces each lone surrogate by U+FFFD, and each surrogate pair by the character that it encodes."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def _first_capital(rule: str) -> str:
    return upper(rule[:1]) + rule[1:]


def _abbreviation(rule: str) -> Iterator[str]:
    """Yields the forms of an abbreviation, or of each of its parts."""
    parts = rule.split()
    for part in parts:
        if not part.endswith(".") or unicode_class(ord(part[0])) not in (LETTER, NUMBER):
            raise LanguageError(f"abbreviation {rule!r}: must start with a letter or digit and end with a full stop")
    yield from _short_enough(f"abbreviation {rule!r}", {form for p in parts for form in (p, _first_capital(p))})


def _word(rule: str) -> Iterator[str]:
    """Yields the forms of a word."""
    if rule.split() != [rule]:
        raise LanguageError(f"word {rule!r}: a token has no white space in it")
    yield from _short_enough(f"word {rule!r}", _with_apostrophes({rule, _first_capital(rule)}))


def _joint(rule: str) -> str:
    """Returns a joint if it can be one."""
    mark, letters = rule[:1], rule[1:]
    if not re.fullmatch(r"[!-/:-@\[-`{-~]", mark) or any(unicode_class(ord(char)) != LETTER for char in letters):
        raise LanguageError(f"joint {rule!r}: must be a mark of ASCII, and letters or none, like : or *in")
    return rule


def _apart(rule: str) -> str:
    """Returns a mark if it can be apart."""
    if rule not in APART:
        raise LanguageError(f"apart {rule!r}: must be one of {' '.join(APART)}")
    return rule


def _clitic(rule: str, place: str) -> Iterator[str]:
    """Yields the forms of a clitic."""
    letters = [unicode_class(ord(character)) == LETTER for character in rule]
    joined = [character in JOINTS for character in rule]
    possible = any(letters) and any(joined) and rule.split() == [rule]
    if not possible or not (letters[0] and joined[-1] if place == "prefix" else letters[0] or joined[0]):
        examples = "l' or d'" if place == "prefix" else "n't, 's or -li"
        raise LanguageError(f"clitic {place} {rule!r}: must be letters and an apostrophe or hyphen, like {examples}")
    forms = {rule, _first_capital(rule), upper(rule)}
    yield from _short_enough(f"clitic {place} {rule!r}", _with_apostrophes(forms))


def _with_apostrophes(forms: set[str]) -> set[str]:
    """Returns forms with each character that is written for an apostrophe."""
    for apostrophe in APOSTROPHES:
        forms = forms | {form.replace(apostrophe, other) for form in forms for other in APOSTROPHES}
    return forms


def _short_enough(name: str, forms: Iterable[str]) -> Iterator[str]:
    for form in forms:
        if len(form.encode()) > LONGEST_RULE:
            raise LanguageError(f"{name}: longer than {LONGEST_RULE} bytes")
        yield form


def _encoded(forms: Iterable[str]) -> list[bytes]:
    return sorted({form.encode() for form in forms})
