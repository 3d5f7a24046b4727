"""Extracts the blocks of single pages, each with its class: the library's main function."""

import itertools
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from corpusprep import languages
from corpusprep.encoding import charsets, detection
from corpusprep.errors import CorpusprepError
from corpusprep.pages import html as html_parser
from corpusprep.pages import inputs
from corpusprep.pages.algorithms.content import Content
from corpusprep.pages.algorithms.interface import LABELS, VERDICTS, Algorithm, Classes, Cleaner
from corpusprep.pages.algorithms.justext import Thresholds
from corpusprep.pages.algorithms.registry import algorithm as named_algorithm
from corpusprep.pages.block_models import TOP_SCORE
from corpusprep.pages.features import KINDS, feature_descriptions
from corpusprep.pages.markup_blocks import MarkupSegmenter
from corpusprep.pages.segmentation import TAGS, Blocks, Segmenter, title_of
from corpusprep.tables.verdicts import KEPT, PAGE_REASONS

#: The algorithm of `extract` if nothing else is asked for.
DEFAULT = "content"
#: Parameters that ask for jusText.
THRESHOLDS = frozenset(field.name for field in fields(Thresholds))

#: Verdict on a page that gives no blocks, and its reason.
Refusal = tuple[str, str]


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
        score: probability that it is main content, 0 to 1, by a learned algorithm; None for others.
        kind: text, heading, title, list, table, code, caption or comment, by `content`; None for others.
        tag: the innermost block-level element around its start: `p`, `li`, `td`, …
    """

    text: str
    label: str
    context_free_label: str
    words: int
    link_density: float
    stopword_density: float
    heading: bool
    verdict: str
    score: float | None = None
    kind: str | None = None
    tag: str = "body"


@dataclass(slots=True, frozen=True)
class Reason:
    """A feature that moved the score of a block (corpusprep.pages.features).

    Attributes:
        feature: its name.
        value: of the block, 0 to 255.
        logits: how far it moved the score, compared with the mean of the page's blocks: above 0 towards main content,
            below 0 towards boilerplate.
    """

    feature: str
    value: int
    logits: float


class Extraction(list[Block]):
    """The blocks of a page, in order: a list that knows what came of the page.

    Attributes:
        verdict: `kept` if a block is good. Otherwise why none is: `no_good_block`, `no_text` or `parse_failed`
            (corpusprep.tables.verdicts.PAGE_REASONS); or for an input that is no HTML page, without blocks, `empty`,
            `content_type` or `not_text` (RECORD_REASONS).
        reason: the same in words; for an input that is no HTML page, what it is and what to do. Empty if the verdict
            is `kept`.
        title: its first heading, or else its <title>; empty if it has neither (Baisa 2009, appendix: getMainHeadline).

    >>> page = extract("<p>Home</p>")
    >>> len(page), page.verdict, page.reason
    (1, 'no_good_block', 'blocks of text, but no good one')
    """

    def __init__(self, blocks: Iterable[Block], verdict: str, reason: str = "", title: str = "") -> None:
        super().__init__(blocks)
        self.verdict = verdict
        self.reason = reason
        self.title = next((block.text for block in self if block.heading), title)


def extract(
    html: bytes | str,
    language: str | None = None,
    algorithm: str | Cleaner | None = None,
    preset: str | None = None,
    *,
    stop_words: Collection[str] | None = None,
    **parameters: Any,
) -> Extraction:
    """Returns the textual blocks of an HTML page, in order, classified as good or bad.

    Args:
        html: the page; bytes are decoded by what is detected in them for the language.
        language: a built-in language's code, or the path of a model that `corpusprep language make` wrote. `content`
            needs none; other algorithms take None as English.
        algorithm: the name of a boilerplate algorithm; your own cleaner as `module:Class`, the module installed or
            in the current folder; or an instance of your own cleaner. None: `content`, or jusText if a preset, a stop
            list or a threshold of jusText is given.
        preset: for jusText, A (its default), B, C or D of the thesis.
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
    if algorithm is None:
        rules = preset is not None or stop_words is not None or not THRESHOLDS.isdisjoint(parameters)
        algorithm = "justext" if rules else DEFAULT
    return extract_site([html], language, algorithm, preset or "A", stop_words=stop_words, **parameters)[0]


def extract_site(
    pages: Sequence[bytes | str],
    language: str | None = None,
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
    titles: list[str] = []
    blocks, refused = _segment(pages, language, classifier, stop_words, titles)
    rows = _rows(blocks, classifier.classify(blocks))
    found = [rows[first:end] for first, end in itertools.pairwise(blocks.pages.tolist())]
    return [Extraction(page, *refused.get(n, _verdict(page)), titles[n]) for n, page in enumerate(found)]


def explain(
    html: bytes | str, language: str | None = None, *, count: int = 5, **parameters: Any
) -> list[tuple[Block, list[Reason]]]:
    """Returns the blocks of a page as `content` classifies them, each with the features that moved its score most.

    Args:
        html: as of `extract`.
        language: as of `extract`.
        count: most features per block.
        parameters: those of `content` that differ from its defaults.

    Raises:
        ConfigError: a parameter is unknown, or has a wrong value.
        ModelError: the model is missing, damaged, or made for something else.
        CorpusprepError: the input is no HTML page; the message says what it is.
    """
    classifier = named_algorithm("content", parameters=parameters)
    if not isinstance(classifier, Content):
        raise TypeError("content is another algorithm")
    blocks, refused = _segment([html], language, classifier, None, [], features=True)
    for _, reason in refused.values():
        raise CorpusprepError(reason)
    features = blocks.features
    if features is None or features.columns is None:
        raise ValueError("blocks were cut without features")
    moved = classifier.model.contributions(features.columns)
    if len(blocks) > 1:
        moved -= moved.mean(axis=1, keepdims=True)
    names = [one.name for one in feature_descriptions()]
    reasons = []
    for number in range(len(blocks)):
        most = np.argsort(-np.abs(moved[:, number]), kind="stable")[:count]
        reasons.append(
            [
                Reason(names[place], int(features.columns[place, number]), float(moved[place, number]))
                for place in most.tolist()
                if moved[place, number]
            ]
        )
    return list(zip(_rows(blocks, classifier.classify(blocks)), reasons, strict=True))


def _segment(
    pages: Sequence[bytes | str],
    language: str | None,
    classifier: Algorithm,
    stop_words: Collection[str] | None,
    titles: list[str],
    *,
    features: bool = False,
) -> tuple[Blocks, dict[int, Refusal]]:
    """Returns the blocks of the pages with what the algorithm needs, and the pages by number that gave none.

    Adds the <title> of each page to `titles`.
    """
    model = None if language is None and not classifier.needs_language else languages.get(language or "en")
    if model is not None:
        classifier.check_language(model.code)
    listed: Collection[str] = model.stop_words if model is not None else ()
    if stop_words is not None:
        listed = stop_words
    characters_per_word = model.characters_per_word if model is not None else 0.0
    refused: dict[int, Refusal] = {}
    if classifier.markup_forms is not None:
        cutter = MarkupSegmenter(listed, characters_per_word, keep_forms=classifier.markup_forms)
        for number, page in enumerate(pages):
            try:
                titles.append(cutter.add(_text(page, model)))
            except inputs.NoPageError as error:
                refused[number] = error.verdict, str(error)
                cutter.skip()
                titles.append("")
        return cutter.take(), refused
    segmenter = Segmenter(
        listed,
        characters_per_word,
        structure=classifier.needs_structure,
        features=features,
        model=classifier.block_model,
    )
    for number, page in enumerate(pages):
        root = None
        try:
            root = html_parser.parse(_text(page, model))
        except inputs.NoPageError as error:
            refused[number] = error.verdict, str(error)
        except html_parser.PageError as error:
            refused[number] = error.verdict, f"{PAGE_REASONS[error.verdict]}: {error}"
        segmenter.add(root)
        titles.append(title_of(root))
    return segmenter.take(), refused


def _text(page: bytes | str, model: languages.LanguageModel | None) -> str:
    """Returns the markup of a page.

    Raises:
        NoPageError: it is no HTML page.
    """
    if isinstance(page, str):
        inputs.check(page[: inputs.FIRST_BYTES].encode("utf-8", "replace"), "utf-8")
        return page
    if model is None:
        encoding = detection.detect_any(page)
    else:
        encoding = detection.detect(page, model, [charsets.declared_meta(page)])[0]
    inputs.check(page, encoding)
    return charsets.decode(page, encoding)[0]


def _verdict(blocks: Sequence[Block]) -> tuple[str, str]:
    """Returns the verdict on a page that was parsed, and its reason."""
    if any(block.label == "good" for block in blocks):
        return KEPT, ""
    verdict = "no_good_block" if blocks else "no_text"
    return verdict, PAGE_REASONS[verdict]


def _rows(blocks: Blocks, classes: Classes) -> list[Block]:
    """Returns the blocks of all pages with their classes."""
    scores: list[float | None] = [None] * len(blocks)
    kinds: list[str | None] = [None] * len(blocks)
    per_mille = classes.scores_of(blocks)
    if per_mille is not None:
        scores = [score / TOP_SCORE for score in per_mille.tolist()]
        if blocks.features is not None and classes.scores is None:
            kinds = [KINDS[kind] for kind in blocks.features.kinds.tolist()]
    return [
        Block(
            text=text,
            label="good" if good else "bad",
            context_free_label=LABELS[label],
            words=words,
            link_density=link_density,
            stopword_density=stopword_density,
            heading=heading,
            verdict=VERDICTS[verdict],
            score=score,
            kind=kind,
            tag=TAGS[tag],
        )
        for text, good, label, words, link_density, stopword_density, heading, verdict, score, kind, tag in zip(
            blocks.texts(),
            classes.good.tolist(),
            classes.context_free.tolist(),
            blocks.words.tolist(),
            blocks.link_density.tolist(),
            blocks.stopword_density.tolist(),
            blocks.heading.tolist(),
            classes.verdicts.tolist(),
            scores,
            kinds,
            blocks.tags.tolist(),
            strict=True,
        )
    ]
