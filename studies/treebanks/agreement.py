"""Compares the tokens and sentences of the project with treebanks: F1 of spans (as in CoNLL 2018)."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from pathlib import Path

from corpusprep import languages
from corpusprep.io import tsv
from corpusprep.text.made_tokenizer import built_in_tokenizer
from corpusprep.text.sentences import Sentences
from corpusprep.text.tokenizer import Tokenizer
from studies.treebanks import peers
from studies.treebanks.reading import Sentence, Span, read

COLUMNS = (
    "language",
    "treebank",
    "tokens",
    "f1_tokens",
    "f1_tokens_without_conventions",
    "sentences",
    "f1_sentences",
    *(f"f1_tokens_{name}" for name in peers.TOKENIZERS),
    *(f"f1_tokens_without_conventions_{name}" for name in peers.TOKENIZERS),
    *(f"f1_sentences_{name}" for name in peers.SEGMENTERS),
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
OWN_CONVENTIONS = {"pl": {"clitics": r"(?<=\w)(?=(?:by)?(?:m|ś|śmy|ście)\b)"}}


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
    """How well the project, or a peer, agrees with a treebank."""

    tokens: UnitCounts = field(default_factory=UnitCounts)
    alike: UnitCounts = field(default_factory=UnitCounts)  # tokens, without conventions
    sentences: UnitCounts = field(default_factory=UnitCounts)


class Treebank:
    """A treebank of a built-in language.

    Sentences are compared in running text: the sentences of a paragraph, or of the file if it marks none, are joined by
    spaces.
    """

    def __init__(self, code: str, path: Path) -> None:
        """Reads a treebank.

        Raises:
            LanguageError: there is no such language.
            StageFileError: the file is no treebank.
        """
        self.language = languages.get(code)
        conventions = CONVENTIONS | OWN_CONVENTIONS.get(self.language.code, {})
        self._conventions = re.compile("|".join(conventions.values()))
        self._paragraphs = list(_paragraphs(read(path)))

    def compare_tokens(self, tokens: peers.Tokens, agreement: Agreement) -> None:
        """Counts tokens."""
        for sentence in (sentence for paragraph in self._paragraphs for sentence in paragraph):
            own = tokens(sentence.text)
            agreement.tokens.add(sentence.tokens, own)
            cuts = sorted({place for match in self._conventions.finditer(sentence.text) for place in match.span()})
            agreement.alike.add(_divided(sentence.tokens, cuts), _divided(own, cuts))

    def compare_sentences(self, starts: peers.Starts, agreement: Agreement) -> None:
        """Counts sentences."""
        for paragraph in self._paragraphs:
            text = " ".join(sentence.text for sentence in paragraph)
            borders = list(accumulate((len(sentence.text) + 1 for sentence in paragraph), initial=0))
            agreement.sentences.add(pairwise(borders), pairwise([*starts(text), borders[-1]]))


def measure(code: str, path: Path) -> Agreement:
    """Returns the agreement of the project with a treebank of a built-in language.

    Raises:
        LanguageError: there is no such language.
        StageFileError: the file is no treebank.
    """
    return _measure(Treebank(code, path))


def _measure(treebank: Treebank) -> Agreement:
    language = treebank.language
    tokenizer = built_in_tokenizer(language, Sentences(language.stop_list, language.code))

    def starts(text: str) -> list[int]:
        lines = tokenizer.vertical([text], [False])[0].decode().split("\n")
        begins = [before == "<s>" for before, line in pairwise(lines) if line and not re.match("</?[a-z]", line)]
        return [start for (start, _), begin in zip(_tokens(tokenizer, text), begins, strict=True) if begin]

    agreement = Agreement()
    treebank.compare_tokens(lambda text: _tokens(tokenizer, text), agreement)
    treebank.compare_sentences(starts, agreement)
    return agreement


def write(treebanks: Sequence[tuple[str, Path]], output: Path) -> list[tuple[str, ...]]:
    """Writes the table of agreement (COLUMNS), and returns its rows; the cells of absent peers are empty.

    Args:
        treebanks: code of the language, and the file.
        output: the table.

    Raises:
        LanguageError: there is no such language.
        StageFileError: a file is no treebank.
    """
    rows: list[tuple[str, ...]] = []
    for code, path in treebanks:
        treebank = Treebank(code, path)
        own = _measure(treebank)
        tokens, alike, sentences = {}, {}, {}
        for name, tokenizer in peers.TOKENIZERS.items():
            peer, found = tokenizer(code), Agreement()
            if peer is not None:
                treebank.compare_tokens(peer, found)
            tokens[name] = None if peer is None else found.tokens
            alike[name] = None if peer is None else found.alike
        for name, segmenter in peers.SEGMENTERS.items():
            starts, found = segmenter(code), Agreement()
            if starts is not None:
                treebank.compare_sentences(starts, found)
            sentences[name] = None if starts is None else found.sentences
        scores = [*tokens.values(), *alike.values(), *sentences.values()]
        rows.append(
            (
                code,
                path.stem,
                str(own.tokens.expected),
                f"{own.tokens.f1:.2f}",
                f"{own.alike.f1:.2f}",
                str(own.sentences.expected),
                f"{own.sentences.f1:.2f}",
                *("" if counts is None else f"{counts.f1:.2f}" for counts in scores),
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
