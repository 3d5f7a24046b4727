"""Compares the filters by quality with those of datatrove: decisions on documents of crawls, and CPU time, in one run.

    python bench filters [--data FOLDER] [--documents 20000] [--output PAGE]

The documents are the different texts that `content` and jusText find on pages of CRAWLS, and the pages as a whole,
evenly spaced, each in the language that its page or archive declares. datatrove cuts words with spaCy, as it does by
default. Ours measures all signals in one pass, and then decides; theirs share the words of a text. Their filters then
decide again with our words. Where decisions differ with theirs, but not with ours, the words are the cause. Writes the
page to --output, or prints it.
"""

import os
import re
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import date
from difflib import SequenceMatcher
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple
from unittest import mock

import polars as pl
import running
from speed import crawls

from corpusprep import languages
from corpusprep._native.quality import SIGNALS, QualitySignals
from corpusprep.extraction.library import extract_many
from corpusprep.quality.rules import Rule, decided, rules
from corpusprep.quality.signals import kernel_of
from corpusprep.tables.verdicts import KEPT
from peers.times import cpu_seconds

#: Archive -> the language of its pages; "": the one that a page declares, or English.
CRAWLS = {
    **dict.fromkeys(("en-cleaneval", "en-l3s-gn1", "news-english"), "en"),
    "news-polish": "pl",
    "news-greek": "el",
    "news-russian": "ru",
    **dict.fromkeys(("docs-0", "docs-1"), ""),
}
#: Language -> its code in datatrove, where spaCy cuts its words. Rules on words do not apply to Chinese and Japanese.
LANGUAGES = {
    **{"en": "eng", "de": "deu", "fr": "fra", "es": "spa", "it": "ita", "pl": "pol", "cs": "ces", "ru": "rus"},
    "el": "ell",
}
_DECLARED = re.compile(rb"""<html[^>]*\blang=["']?([a-z]{2})""", re.IGNORECASE)
#: Bytes of a page in which that is looked for.
_HEAD = 3000
_REPETITION = "repeated_paragraphs"  # the first threshold of Gopher's table A1
WIDTH = 120
#: The most pieces that are shown of those that are cut otherwise.
SHOWN_PIECES = 12


@dataclass(frozen=True)
class Document:
    """A text and its language."""

    text: str
    language: str


class Filter(NamedTuple):
    """A filter of theirs, and the rules of a preset that it stands for.

    Attributes:
        module: where its class is.
        keeps: text -> `kept`, or the reason.
    """

    title: str
    module: ModuleType
    keeps: Callable[[str], str]
    rules: list[Rule]


class Difference(NamedTuple):
    """A document about which decisions differ.

    Attributes:
        title: of the filter.
        their: their decision.
        our: our decision.
        value: of our signal, and its threshold; None if our rules keep the document.
        by_words: whether their filter decides as our rules do with our words.
        pieces: what is cut otherwise, as theirs and ours have it.
    """

    title: str
    language: str
    their: str
    our: str
    value: tuple[float, float] | None
    by_words: bool
    pieces: Counter[tuple[str, str]]


def main(prog: str, arguments: Sequence[str]) -> None:
    """Measures, and writes or prints the page."""
    parser = running.parser(prog, __doc__)
    running.add_data(parser)
    parser.add_argument("--documents", type=int, default=20_000, help="about that many documents, at least 1")
    parser.add_argument("--output", type=Path, help="the page to write: docs/measurements/quality-filters.md")
    options = parser.parse_args(arguments)
    if options.documents < 1:
        raise running.CommandError("--documents must be at least 1")
    load = os.getloadavg()[0]
    archives = running.crawl_archives(options.data, list(CRAWLS))
    of_archives = zip(archives, CRAWLS.values(), strict=True)
    every = list(dict.fromkeys(text for archive, language in of_archives for text in texts(archive, language)))
    chosen = every[:: max(1, len(every) // options.documents)]
    lines = list(page(chosen, load, f"python bench filters --documents {options.documents}"))
    if options.output is None:
        print("\n".join(lines))
    else:
        options.output.write_text("\n".join(lines) + "\n", encoding="utf-8")


def texts(archive: Path, language: str) -> Iterator[Document]:
    """Yields the texts of an archive's pages, a line per block: by two algorithms, and all blocks."""
    by_language: dict[str, list[bytes]] = {}
    for page_of_archive in crawls.read(archive).pages:
        declared = _DECLARED.search(page_of_archive.body[:_HEAD])
        code = language or (declared[1].decode().lower() if declared else "en")
        if code in LANGUAGES:
            by_language.setdefault(code, []).append(page_of_archive.body)
    for code, bodies in by_language.items():
        for algorithm, stop_list in (("content", None), ("justext", code)):
            for blocks in extract_many(bodies, stop_list, algorithm, threads=1):
                if text := "\n".join(block.text for block in blocks if block.label == "good"):
                    yield Document(text, code)
                if stop_list and (text := "\n".join(block.text for block in blocks)):
                    yield Document(text, code)


def filters(language: str) -> list[Filter]:
    """Returns the filters of datatrove, with their defaults, but for the language and its stop words."""
    from datatrove.data import Document as Theirs
    from datatrove.pipeline.filters import c4_filters, fineweb_quality_filter
    from datatrove.pipeline.filters import gopher_quality_filter as quality
    from datatrove.pipeline.filters import gopher_repetition_filter as repetition

    def of(title: str, module: ModuleType, our_rules: list[Rule], **options: Any) -> Filter:
        made = getattr(module, title)(language=LANGUAGES[language], **options)

        def keeps(text: str) -> str:
            verdict = made.filter(Theirs(text=text, id=""))
            return KEPT if verdict is True else str(verdict[1])

        return Filter(title, module, keeps, our_rules)

    def preset(name: str) -> list[Rule]:
        return [rule for rule in rules([name], {}, {}, "") if not rule.of_blocks]

    gopher = preset("gopher")
    border = next(number for number, rule in enumerate(gopher) if rule.verdict == _REPETITION)
    stop_words = {} if language == "en" else {"stop_words": list(languages.get(language).stop_list[:8])}
    return [
        of("GopherQualityFilter", quality, gopher[:border], **stop_words),
        of("GopherRepetitionFilter", repetition, gopher[border:]),
        of("FineWebQualityFilter", fineweb_quality_filter, preset("fineweb")),
        of("C4QualityFilter", c4_filters, preset("c4")),
    ]


class Measured(NamedTuple):
    """What was decided on the documents of a language.

    Attributes:
        documents: their number.
        characters: of all.
        our_seconds: of CPU time.
        their_seconds: of CPU time.
        decisions: by filter, then by document: theirs, theirs with our words, ours.
        differences: between theirs and ours.
    """

    documents: int
    characters: int
    our_seconds: float
    their_seconds: float
    decisions: dict[str, list[tuple[str, str, str]]]
    differences: list[Difference]

    def equal(self, title: str, side: int) -> int:
        """Returns how often ours keep what theirs keep with their words (side 0) or with our words (1)."""
        return sum((of_document[side] == KEPT) == (of_document[2] == KEPT) for of_document in self.decisions[title])


def measure(language: str, documents: Sequence[str]) -> Measured:
    """Decides on the documents of a language with both."""
    compared = filters(language)
    for each in compared:
        each.keeps("Loads the models of words before the clock runs. " * 20)
    kernel = kernel_of(languages.get(language))
    kernel.measure(documents[:1])

    def ours() -> tuple[pl.DataFrame, list[list[str]]]:
        table = pl.DataFrame(kernel.measure(documents), dict.fromkeys(SIGNALS, pl.Float64), orient="row")
        return table, [decided(table, each.rules)["verdict"].to_list() for each in compared]

    our_seconds, (table, verdicts) = cpu_seconds(ours)
    # Text by text through all filters, as in a pipeline: they share the words of a text.
    their_seconds, decisions = cpu_seconds(lambda: [[each.keeps(text) for each in compared] for text in documents])
    with _our_words(kernel, language):
        again = [[each.keeps(text) for each in compared] for text in documents]
    by_filter = {
        each.title: list(zip(their, their_again, our, strict=True))
        for each, their, their_again, our in zip(
            compared, zip(*decisions, strict=True), zip(*again, strict=True), verdicts, strict=True
        )
    }
    differences = [
        difference(each, language, text, of_document, table.row(number, named=True), kernel)
        for each in compared
        for number, (text, of_document) in enumerate(zip(documents, by_filter[each.title], strict=True))
        if (of_document[0] == KEPT) != (of_document[2] == KEPT)
    ]
    return Measured(len(documents), sum(map(len, documents)), our_seconds, their_seconds, by_filter, differences)


@contextmanager
def _our_words(kernel: QualitySignals, language: str) -> Iterator[None]:
    """Gives their filters our words; their sentences are those that spaCy makes of our words."""
    from datatrove.pipeline.filters import c4_filters, fineweb_quality_filter
    from datatrove.pipeline.filters import gopher_quality_filter as quality
    from datatrove.pipeline.filters import gopher_repetition_filter as repetition
    from datatrove.utils.word_tokenizers import load_word_tokenizer
    from spacy.tokens import Doc

    spacy = load_word_tokenizer(LANGUAGES[language]).tokenizer
    words = lru_cache(1)(kernel.words)

    def sentences(line: str, _language: str) -> list[Any]:
        with spacy.memory_zone():
            return [None for _ in spacy.get_pipe("sentencizer")(Doc(spacy.vocab, kernel.words(line))).sents]

    with ExitStack() as stack:
        for module in (quality, repetition, fineweb_quality_filter):
            stack.enter_context(mock.patch.object(module, "split_into_words", lambda text, _language: words(text)))
        stack.enter_context(mock.patch.object(c4_filters, "split_into_sentences", sentences))
        yield


def difference(
    compared: Filter,
    language: str,
    text: str,
    of_document: tuple[str, str, str],
    signals: dict[str, float],
    kernel: QualitySignals,
) -> Difference:
    """Returns why decisions on a document differ, and what of it is cut otherwise."""
    from datatrove.utils.text import split_into_words

    their, again, our = of_document
    value = None
    if our != KEPT:
        rule = next(rule for rule in compared.rules if rule.verdict == our)
        value = signals[our], float(rule.threshold or 0.0)
    theirs, ours = split_into_words(text, LANGUAGES[language]), kernel.words(text)
    matcher = SequenceMatcher(None, theirs, ours, autojunk=False)
    pieces = Counter(
        (" ".join(theirs[a:b]), " ".join(ours[c:d])) for tag, a, b, c, d in matcher.get_opcodes() if tag != "equal"
    )
    return Difference(compared.title, language, their, our, value, (again == KEPT) == (our == KEPT), pieces)


def page(documents: Sequence[Document], load: float, command: str) -> Iterator[str]:
    """Yields the lines of the page."""
    by_language = {code: [document.text for document in documents if document.language == code] for code in LANGUAGES}
    measured = {code: measure(code, those) for code, those in by_language.items() if those}
    ours = sum(part.our_seconds for part in measured.values())
    theirs = sum(part.their_seconds for part in measured.values())
    characters = sum(part.characters for part in measured.values())
    versions = ", ".join(f"{name} {version(name)}" for name in ("corpusprep", "datatrove", "spacy", "polars"))
    yield "# Filters by quality, beside datatrove's"
    yield ""
    yield from textwrap.wrap(" ".join(_ABOUT.split()), WIDTH)
    yield from ["", f"    {command}", ""]
    yield from textwrap.wrap(
        f"{date.today()}. {len(documents):,} documents in {len(measured)} languages, {characters:,} characters."
        f" {os.cpu_count()} CPUs, load average {load:.1f} at the start. {versions}. All signals and decisions of ours:"
        f" {ours:.2f} s of CPU time. Theirs: {theirs:.1f} s, {theirs / ours:.0f} times as much.",
        WIDTH,
    )
    yield ""
    yield from _decisions(list(measured.values()))
    yield ""
    yield from _by_language(measured)
    yield ""
    yield from _causes([found for part in measured.values() for found in part.differences])


def _decisions(measured: Sequence[Measured]) -> Iterator[str]:
    """Yields the table of decisions by filter."""
    yield "| filter | they keep | we keep | equal decisions | same first rule | % equal | % equal, same words |"
    yield "|---|---:|---:|---:|---:|---:|---:|"
    for title in measured[0].decisions:
        pairs = [(one, other) for part in measured for one, _, other in part.decisions[title]]
        equal, same_words = (sum(part.equal(title, side) for part in measured) for side in (0, 1))
        names = {
            reason: Counter(other for one, other in pairs if one == reason).most_common(1)[0][0]
            for reason in {one for one, _ in pairs}
        }
        kept = (sum(decision == KEPT for decision in side) for side in zip(*pairs, strict=True))
        same = sum(names[one] == other for one, other in pairs)
        numbers = " | ".join(f"{number:,}" for number in (*kept, equal, same))
        shares = " | ".join(f"{100 * number / len(pairs):.2f}" for number in (equal, same_words))
        yield f"| `{title}` | {numbers} | {shares} |"


def _by_language(measured: dict[str, Measured]) -> Iterator[str]:
    """Yields the table of languages: decisions of all filters."""
    yield (
        "| language | documents | decisions | % equal | % equal, same words | our CPU s | their CPU s | times as much |"
    )
    yield "|---|---:|---:|---:|---:|---:|---:|---:|"
    for code, part in measured.items():
        number = sum(map(len, part.decisions.values()))
        shares = (100 * sum(part.equal(title, side) for title in part.decisions) / number for side in (0, 1))
        equal, same_words = (f"{share:.2f}" for share in shares)
        seconds = f"{part.our_seconds:.2f} | {part.their_seconds:.1f} | {part.their_seconds / part.our_seconds:.0f}"
        yield f"| {languages.get(code).name} | {part.documents:,} | {number:,} | {equal} | {same_words} | {seconds} |"


def _causes(differences: Sequence[Difference]) -> Iterator[str]:
    """Yields the table of differences, and what is cut otherwise."""
    if not differences:
        yield "There are no differences."
        return
    yield "Differences. *By words*: their filter decides as our rules do when it has our words."
    yield ""
    yield "| filter | language | their reason | our rule | documents | by words | our values | threshold |"
    yield "|---|---|---|---|---:|---:|---|---:|"
    groups: dict[tuple[str, str, str, str], list[Difference]] = {}
    for one in differences:
        groups.setdefault((one.title, one.language, one.their, one.our), []).append(one)
    for (title, language, their, our), those in sorted(groups.items(), key=lambda item: (-len(item[1]), item[0])):
        values = [one.value for one in those if one.value]
        least, most = (f"{limit(value for value, _ in values):.4g}" if values else "" for limit in (min, max))
        shown = least if least == most else f"{least} to {most}"
        threshold = f"{values[0][1]:g}" if values else ""
        by_words = sum(one.by_words for one in those)
        yield f"| `{title}` | {language} | {their} | {our} | {len(those)} | {by_words} | {shown} | {threshold} |"
    kinds: Counter[str] = Counter()
    pieces: Counter[tuple[str, str]] = Counter()
    for one in differences:
        if one.by_words:
            kinds.update({kind_of(*piece) for piece in one.pieces})
            pieces.update(one.pieces.keys())
    if kinds:
        yield ""
        yield "What is cut otherwise in these documents:"
        yield ""
        yield "| what | documents |"
        yield "|---|---:|"
        for kind, number in kinds.most_common():
            yield f"| {kind} | {number} |"
        yield ""
        examples = (f"{_code(theirs)} ({_code(ours)})" for (theirs, ours), _ in pieces.most_common(SHOWN_PIECES))
        yield from textwrap.wrap(
            f"Most frequent, as theirs and (ours): {', '.join(examples)}.", WIDTH, break_on_hyphens=False
        )
    yield ""
    yield from textwrap.wrap(" ".join(_REMARKS.split()), WIDTH)


def _code(text: str) -> str:
    shown = text if len(text) <= 30 else f"{text[:30]}…"
    return f"`{shown.replace('|', '¦').replace('`', 'ˋ')}`"


def kind_of(theirs: str, ours: str) -> str:
    """Returns what a piece is like that is cut otherwise.

    >>> kind_of("l' eau", "l'eau"), kind_of("):", ") :"), kind_of("Sept.", "Sept .")
    ('words with an apostrophe', 'smileys and other marks that stay together', 'abbreviations')
    """
    joined = theirs.replace(" ", "")
    if not any(map(str.isalnum, joined)):
        return "smileys and other marks that stay together" if joined.isascii() else "marks beyond ASCII"
    if re.search(r"\w['’]\w|\w['’]$", joined):
        return "words with an apostrophe"
    if re.search(r"[^\W\d]\.$", theirs) or re.search(r"[^\W\d]\.$", ours):
        return "abbreviations"
    if re.search(r"\d", joined):
        return "numbers, units and what has digits"
    return "words with marks within" if re.search(r"[^\w\s]", joined) else "other pieces"


_ABOUT = """The decisions of the presets `gopher`, `fineweb` and `c4` on documents of crawls, beside those of the
filters of datatrove with their defaults, for the language of each document, with words as spaCy cuts them; in other
languages than English both have the same eight stop words. With the *same words*, their filters have ours. `python
bench filters` writes this page."""
_REMARKS = """Their filters stop at the first rule that a document breaks; ours measure all signals, and store them.
`C4QualityFilter` also takes lines out of documents, and so does the preset, by rules on blocks; they are not compared
here. Chinese and Japanese are left out: rules on
words do not apply to scripts without spaces."""
