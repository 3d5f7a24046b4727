"""Tokens and sentences of other programs, as places in a text; each only where it is installed."""

import importlib
import itertools
import re
import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from studies.treebanks.reading import Span, spans_of

#: A function from a text with single spaces to the spans of its tokens.
Tokens = Callable[[str], list[Span]]
#: A function from a text with single spaces to the places where its sentences start.
Starts = Callable[[str], list[int]]

#: Codes of languages that a program knows by another one.
_SPACY_CODES = {"fil": "tl", "sh": "hr"}
_ICU_CODES = {"sh": "hr"}


def icu_sentences(code: str) -> Starts | None:
    """Returns ICU's sentences; None without PyICU."""
    icu = _module("icu")
    if icu is None:
        return None
    breaker = icu.BreakIterator.createSentenceInstance(icu.Locale(_ICU_CODES.get(code, code)))
    return lambda text: [0, *(place for place in _borders(icu, breaker, text) if 0 < place < len(text))]


def syntok_sentences(_code: str) -> Starts | None:
    """Returns the sentences of syntok, which has the same rules for all languages; None without it."""
    segmenter = _module("syntok.segmenter")
    if segmenter is None:
        return None

    def starts(text: str) -> list[int]:
        sentences = itertools.chain.from_iterable(segmenter.process(text))
        return [sentence[0].offset for sentence in sentences]  # its tokens leave out some hyphens

    return starts


def pysbd_sentences(code: str) -> Starts | None:
    """Returns the sentences of pysbd; None without it, and in languages that it does not know."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its patterns have escapes that Python warns of
        pysbd, known = _module("pysbd"), _module("pysbd.languages")
        if pysbd is None or known is None or code not in known.LANGUAGE_CODES:
            return None
        segmenter = pysbd.Segmenter(language=code, clean=False)
    return lambda text: _starts(text, segmenter.segment(text))


def sentencex_sentences(code: str) -> Starts | None:
    """Returns the sentences of sentencex, which takes a neighbour for a language that it does not know; None
    without it.
    """
    sentencex = _module("sentencex")
    return None if sentencex is None else lambda text: _starts(text, sentencex.segment(code, text))


def icu_tokens(code: str) -> Tokens | None:
    """Returns ICU's words and marks; None without PyICU."""
    icu = _module("icu")
    if icu is None:
        return None
    breaker = icu.BreakIterator.createWordInstance(icu.Locale(_ICU_CODES.get(code, code)))

    def spans(text: str) -> list[Span]:
        borders = [0, *_borders(icu, breaker, text)]
        return [span for span in itertools.pairwise(borders) if not text[slice(*span)].isspace()]

    return spans


def spacy_tokens(code: str) -> Tokens | None:
    """Returns the tokens of spaCy's blank pipeline; None without spaCy, and in languages that it does not know."""
    spacy = _module("spacy")
    if spacy is None:
        return None
    try:
        pipeline = spacy.blank(_SPACY_CODES.get(code, code))
    except ImportError:  # also of a package that the language needs
        return None
    tokenizer = pipeline.tokenizer
    return lambda text: [(token.idx, token.idx + len(token)) for token in tokenizer(text) if not token.is_space]


def sacremoses_tokens(code: str) -> Tokens | None:
    """Returns the tokens of sacremoses; None without it. A text that it does not give back is divided at spaces."""
    module = _module("sacremoses")
    if module is None:
        return None
    tokenizer = module.MosesTokenizer(lang=code)

    def spans(text: str) -> list[Span]:
        found = spans_of(text, tokenizer.tokenize(text, escape=False))
        return [word.span() for word in re.finditer(r"\S+", text)] if found is None else found

    return spans


#: What the tables compare with: a name, and what makes the function of a language.
TOKENIZERS: dict[str, Callable[[str], Tokens | None]] = {
    "sacremoses": sacremoses_tokens,
    "spacy": spacy_tokens,
    "icu": icu_tokens,
}
SEGMENTERS: dict[str, Callable[[str], Starts | None]] = {
    "syntok": syntok_sentences,
    "pysbd": pysbd_sentences,
    "sentencex": sentencex_sentences,
    "icu": icu_sentences,
}


def _module(name: str) -> Any:
    """Returns a module; None where it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def _borders(icu: Any, breaker: Any, text: str) -> Iterator[int]:
    """Yields the borders that a breaker of ICU finds behind the start of a text."""
    places, unit = {}, 0  # ICU counts UTF-16 units
    for place, character in enumerate(text):
        places[unit] = place
        unit += 1 + (character > "\uffff")
    places[unit] = len(text)
    breaker.setText(icu.UnicodeString(text))
    for border in breaker:
        yield places[border]


def _starts(text: str, sentences: Iterable[str]) -> list[int]:
    """Returns where sentences start in their text, by the characters that are no white space."""
    marks = [place for place, character in enumerate(text) if not character.isspace()]
    sizes = [sum(not character.isspace() for character in sentence) for sentence in sentences]
    return [marks[place] for size, place in zip(sizes, itertools.accumulate(sizes, initial=0), strict=False) if size]
