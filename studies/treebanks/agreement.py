"""Compares the tokens and sentences of the project with treebanks: F1 of spans (as in CoNLL 2018)."""

import importlib
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from corpusprep import languages
from corpusprep.io import tsv
from corpusprep.text.sentences import Sentences
from corpusprep.text.tokenizer import Tokenizer
from studies.treebanks.reading import Sentence, Span, read

COLUMNS = (
    "language",
    "treebank",
    "tokens",
    "f1_tokens",
    "f1_tokens_without_conventions",
    "sentences",
    "f1_sentences",
    "f1_sentences_icu",
)
#: Where conventions of treebanks differ, as places in the text at which the tokens of both sides are divided before
#: they are compared: a match's start, and its end.
CONVENTIONS = {
    "hyphens": r"[-\u2010\u2011\u2013/]",  # of compounds (Coca-Cola) and ranges (1904-1905)
    "runs": r"[.!?,](?=[.!?,])",  # of one mark (!!!)
    "numbers": r"(?<=\d)(?=[^\W\d_])|(?<=[^\W\d_])(?=\d)|[²³]",  # and letters (20h30, km²)
    "references": r"&|(?<=&)#?\w+;?",  # of characters, in treebanks whose text has them (&amp;)
}
#: The same of single languages.
OWN_CONVENTIONS = {"pl": {"abbreviations": r"(?<=\w)\.", "clitics": r"(?<=\w)(?=(?:by)?(?:m|ś|śmy|ście)\b)"}}


@dataclass(slots=True)
class UnitCounts:
    """Spans of a treebank, of the project, and of both."""

    expected: int = 0
    found: int = 0
    both: int = 0

    def add(self, expected: Iterable[Span], found: Iterable[Span]) -> None:
        """Counts the spans of one text."""
        wanted, own = set(expected), set(found)
        self.expected += len(wanted)
        self.found += len(own)
        self.both += len(wanted & own)

    @property
    def f1(self) -> float:
        """F1 in per cent; 0 without spans."""
        return 200 * self.both / max(1, self.expected + self.found)


@dataclass(slots=True)
class Agreement:
    """How well the project agrees with a treebank."""

    tokens: UnitCounts = field(default_factory=UnitCounts)
    alike: UnitCounts = field(default_factory=UnitCounts)  # tokens, without conventions
    sentences: UnitCounts = field(default_factory=UnitCounts)
    icu: UnitCounts | None = None  # sentences of ICU; None without PyICU


def measure(code: str, path: Path) -> Agreement:
    """Returns the agreement with a treebank of a built-in language.

    Sentences are compared in running text: the sentences of a paragraph, or of the file if it marks none, are joined by
    spaces.

    Raises:
        LanguageError: there is no such language.
        StageFileError: the file is no treebank.
    """
    language = languages.get(code)
    tokenizer = Tokenizer(language.abbreviations, language.clitic_prefixes, language.clitic_suffixes)
    rules = Sentences(language.stop_list)
    conventions = re.compile("|".join((CONVENTIONS | OWN_CONVENTIONS.get(code, {})).values()))
    icu = _icu(code)
    agreement = Agreement(icu=None if icu is None else UnitCounts())
    for paragraph in _paragraphs(read(path)):
        for sentence in paragraph:
            own = _tokens(tokenizer, sentence.text)
            agreement.tokens.add(sentence.tokens, own)
            cuts = sorted({place for match in conventions.finditer(sentence.text) for place in match.span()})
            agreement.alike.add(_divided(sentence.tokens, cuts), _divided(own, cuts))
        text = " ".join(sentence.text for sentence in paragraph)
        starts, place = [], 0
        for sentence in paragraph:
            starts.append(place)
            place += len(sentence.text) + 1
        expected = list(pairwise([*starts, place]))
        spans = _tokens(tokenizer, text)
        glued = [start > 0 and text[start - 1] != " " for start, _ in spans]
        places = [spans[number][0] for number in rules.starts([text[slice(*span)] for span in spans], glued)]
        agreement.sentences.add(expected, pairwise([*places, place]))
        if icu is not None and agreement.icu is not None:
            agreement.icu.add(expected, pairwise([*icu(text), place]))
    return agreement


def write(treebanks: Sequence[tuple[str, Path]], output: Path) -> list[tuple[str, ...]]:
    """Writes the table of agreement (COLUMNS), and returns its rows.

    Args:
        treebanks: code of the language, and the file.
        output: the table.

    Raises:
        LanguageError: there is no such language.
        StageFileError: a file is no treebank.
    """
    rows: list[tuple[str, ...]] = []
    for code, path in treebanks:
        agreement = measure(code, path)
        rows.append(
            (
                code,
                path.stem,
                str(agreement.tokens.expected),
                f"{agreement.tokens.f1:.2f}",
                f"{agreement.alike.f1:.2f}",
                str(agreement.sentences.expected),
                f"{agreement.sentences.f1:.2f}",
                "" if agreement.icu is None else f"{agreement.icu.f1:.2f}",
            )
        )
    tsv.write(output, COLUMNS, rows)
    return rows


def _paragraphs(sentences: Iterable[Sentence]) -> Iterator[list[Sentence]]:
    waiting: list[Sentence] = []
    for sentence in sentences:
        if waiting and sentence.begins_paragraph:
            yield waiting
            waiting = []
        waiting.append(sentence)
    if waiting:
        yield waiting


def _tokens(tokenizer: Tokenizer, text: str) -> list[Span]:
    """Returns the places of the project's tokens in a text with single spaces."""
    spans, place = [], 0
    for token in tokenizer.tokenize(text):
        place += not token.glued and place > 0
        spans.append((place, place + len(token.text)))
        place += len(token.text)
    return spans


def _divided(spans: Iterable[Span], cuts: Sequence[int]) -> Iterator[Span]:
    """Yields spans, divided at places."""
    for start, end in spans:
        inner = cuts[bisect_left(cuts, start + 1) : bisect_left(cuts, end)]
        yield from pairwise([start, *inner, end])


def _icu(code: str) -> Callable[[str], list[int]] | None:
    """Returns what finds the starts of ICU's sentences in a text; None without PyICU."""
    try:
        icu: Any = importlib.import_module("icu")
    except ImportError:
        return None
    breaker = icu.BreakIterator.createSentenceInstance(icu.Locale(code))

    def starts(text: str) -> list[int]:
        places, unit = {}, 0  # ICU counts UTF-16 units
        for place, character in enumerate(text):
            places[unit] = place
            unit += 1 + (character > "\uffff")
        breaker.setText(icu.UnicodeString(text))
        return [0, *(places[border] for border in breaker if 0 < border < unit)]

    return starts
