"""Extracts the blocks of single pages, each with its class: the library's main function."""

import itertools
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from lxml import etree

from corpusprep import languages
from corpusprep.encoding import charsets, detection
from corpusprep.pages import html as html_parser
from corpusprep.pages import inputs
from corpusprep.pages.algorithms.interface import LABELS, VERDICTS, Cleaner
from corpusprep.pages.algorithms.registry import algorithm as named_algorithm
from corpusprep.pages.segmentation import Segmenter
from corpusprep.tables.verdicts import KEPT, PAGE_REASONS


@dataclass(slots=True, frozen=True)
class Block:
    """A textual block of a page (Pomikálek 2011, 2.7).

    Attributes:
        text: the text, white space folded to single spaces.
        label: `good` (main content) or `bad` (boilerplate).
        context_free_label: the class before the context was looked at: good, near-good, short or bad.
        words: white-space separated words.
        link_density: share of the words inside links, 0 to 1.
        stopword_density: share of stop words among the alphabetic words, 0 to 1.
        heading: whether the block is in h1 … h6.
        verdict: `kept`, or the reason why it is bad (corpusprep.tables.verdicts.BLOCK_REASONS).
    """

    text: str
    label: str
    context_free_label: str
    words: int
    link_density: float
    stopword_density: float
    heading: bool
    verdict: str


class Extraction(list[Block]):
    """The blocks of a page, in order: a list that knows what came of the page.

    Attributes:
        verdict: `kept` if a block is good. Otherwise why none is: `no_good_block`, `no_text` or `parse_failed`
            (corpusprep.tables.verdicts.PAGE_REASONS); or for an input that is no HTML page, without blocks, `empty`,
            `content_type` or `not_text` (RECORD_REASONS).
        reason: the same in words; for an input that is no HTML page, what it is and what to do. Empty if the verdict
            is `kept`.

    >>> page = extract("<p>Home</p>")
    >>> len(page), page.verdict, page.reason
    (1, 'no_good_block', 'blocks of text, but no good one')
    """

    def __init__(self, blocks: Iterable[Block], verdict: str, reason: str = "") -> None:
        super().__init__(blocks)
        self.verdict = verdict
        self.reason = reason


def extract(
    html: bytes | str,
    language: str = "en",
    algorithm: str | Cleaner = "justext",
    preset: str = "A",
    *,
    stop_words: Collection[str] | None = None,
    **parameters: Any,
) -> Extraction:
    """Returns the textual blocks of an HTML page, in order, classified as good or bad.

    Args:
        html: the page; bytes are decoded by what is detected in them for the language.
        language: a built-in language's code, or the path of a model that `corpusprep language make` wrote.
        algorithm: the name of a boilerplate algorithm; your own cleaner as `module:Class`, the module installed or
            in the current folder; or an instance of your own cleaner.
        preset: for jusText, A (the default), B, C or D of the thesis.
        stop_words: a stop list instead of the language's, matched as it stands.
        parameters: parameters of the algorithm that differ from its preset or its defaults, such as `length_low=5`.

    Returns:
        A list of Block that has a `verdict` and a `reason`: they say why there is no good text, or no block at all.

    Raises:
        LanguageError: the language is unknown.
        ConfigError: the algorithm, the preset or a parameter is unknown, or has a wrong value.
        OwnCodeError: your own cleaner is missing, fails, or does not keep its interface.

    >>> [block.label for block in extract("<p>Home</p>")]
    ['bad']
    """
    return extract_site([html], language, algorithm, preset, stop_words=stop_words, **parameters)[0]


def extract_site(
    pages: Sequence[bytes | str],
    language: str = "en",
    algorithm: str | Cleaner = "density-site",
    preset: str = "A",
    *,
    stop_words: Collection[str] | None = None,
    **parameters: Any,
) -> list[Extraction]:
    """Classifies the blocks of several pages of one site. Some algorithms, such as density-site, compare the pages.

    Arguments are those of `extract`.

    Returns:
        The blocks of each page, in the order of the pages.

    Raises:
        LanguageError: the language is unknown.
        ConfigError: the algorithm, the preset or a parameter is unknown, or has a wrong value.
        OwnCodeError: your own cleaner is missing, fails, or does not keep its interface.
    """
    classifier = named_algorithm(algorithm, preset, parameters=parameters)
    model = languages.get(language)
    segmenter = Segmenter(
        model.stop_words if stop_words is None else stop_words,
        model.characters_per_word,
        structure=classifier.needs_structure,
    )
    refused: dict[int, tuple[str, str]] = {}  # number of the page -> verdict and reason
    for number, page in enumerate(pages):
        root = None
        try:
            root = _parse(page, model)
        except inputs.NoPageError as error:
            refused[number] = error.verdict, str(error)
        except html_parser.PageError as error:
            refused[number] = error.verdict, f"{PAGE_REASONS[error.verdict]}: {error}"
        segmenter.add(root)
    blocks = segmenter.take()
    classes = classifier.classify(blocks)
    rows = [
        Block(
            text=text,
            label="good" if good else "bad",
            context_free_label=LABELS[label],
            words=words,
            link_density=link_density,
            stopword_density=stopword_density,
            heading=heading,
            verdict=VERDICTS[verdict],
        )
        for text, good, label, words, link_density, stopword_density, heading, verdict in zip(
            blocks.texts(),
            classes.good.tolist(),
            classes.context_free.tolist(),
            blocks.words.tolist(),
            blocks.link_density.tolist(),
            blocks.stopword_density.tolist(),
            blocks.heading.tolist(),
            classes.verdicts.tolist(),
            strict=True,
        )
    ]
    found = [rows[first:end] for first, end in itertools.pairwise(blocks.pages.tolist())]
    return [Extraction(page, *refused.get(number, _verdict(page))) for number, page in enumerate(found)]


def _parse(page: bytes | str, model: languages.LanguageModel) -> etree._Element | None:
    """Returns the tree of a page.

    Raises:
        NoPageError: it is no HTML page.
        PageError: the parser cannot take it.
    """
    if isinstance(page, str):
        inputs.check(page[: inputs.FIRST_BYTES].encode("utf-8", "replace"), "utf-8")
        return html_parser.parse(page)
    encoding, _ = detection.detect(page, model, [charsets.declared_meta(page)])
    inputs.check(page, encoding)
    return html_parser.parse(charsets.decode(page, encoding)[0])


def _verdict(blocks: Sequence[Block]) -> tuple[str, str]:
    """Returns the verdict on a page that was parsed, and its reason."""
    if any(block.label == "good" for block in blocks):
        return KEPT, ""
    verdict = "no_good_block" if blocks else "no_text"
    return verdict, PAGE_REASONS[verdict]
