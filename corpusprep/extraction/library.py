"""Extracts the blocks of pages, each with its class: the library's main functions."""

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np

from corpusprep import languages
from corpusprep.cleaners.content.cleaner import Content
from corpusprep.cleaners.interface import Cleaner
from corpusprep.cleaners.registry import algorithm as named_algorithm
from corpusprep.cleaners.registry import meant_by
from corpusprep.extraction.blocks import Block
from corpusprep.extraction.extracted import Extraction, page_rows
from corpusprep.extraction.extractors import Extractor, extractor
from corpusprep.extraction.inputs import NoPageError
from corpusprep.extraction.page_threads import extracted_in_order
from corpusprep.io import own_code
from corpusprep.pages.features import feature_descriptions

#: Blocks on this share of the pages of a site are templates (docs/how-to/templates.md).
SITE_SHARE = 0.3

__all__ = ["Block", "Extraction", "Reason", "explain", "extract", "extract_many", "extract_site"]


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


def extract(
    html: bytes | str,
    language: str | None = None,
    algorithm: str | Cleaner | None = None,
    preset: str | None = None,
    *,
    url: str = "",
    links: bool = False,
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
        url: the address of the page, for its metadata and its relative links.
        links: whether `markdown` has links.
        stop_words: a stop list instead of the language's, matched as it stands.
        parameters: parameters of the algorithm that differ from its preset or its defaults, such as `length_low=5`.

    Returns:
        A list of Block with the main content as `text` and `markdown`, the `metadata` of the page, and a `verdict` and
        a `reason`: they say why there is no good text, or no block at all.

    Raises:
        LanguageError: the language is unknown.
        ConfigError: the algorithm, the preset or a parameter is unknown, or has a wrong value; or the
            algorithm has no presets, and one is given.
        ModelError: the algorithm's model is missing, damaged, or of another language.
        OwnCodeError: your own cleaner is missing, fails, or does not keep its interface.
        TypeError: html, language or stop_words is of another type.

    The first call of a thread reads the models of the language and the algorithm; later calls use them again.

    >>> [block.label for block in extract("<a href=/>Home</a>")]
    ['bad']
    """
    algorithm = algorithm or _default(preset, stop_words, parameters)
    return extractor(language, algorithm, preset, stop_words, parameters, links=links).extract([html], url)[0]


def extract_many(
    pages: Iterable[bytes | str],
    language: str | None = None,
    algorithm: str | Cleaner | None = None,
    preset: str | None = None,
    *,
    threads: int | None = None,
    links: bool = False,
    stop_words: Collection[str] | None = None,
    **parameters: Any,
) -> Iterator[Extraction]:
    """Extracts many pages in threads; each page as `extract` alone would.

    Pages are parsed, cut and scored without the interpreter's lock. They are taken in groups of up to 32 pages or 1 MB;
    at most two groups per thread are held in memory, so `pages` may be an endless generator.

    Args:
        pages: the pages, each as `html` of `extract`.
        language: as in `extract`.
        algorithm: as in `extract`.
        preset: as in `extract`.
        threads: the number of threads; None: one per core that this process may use. Your own cleaner gets one.
        links: as in `extract`.
        stop_words: as in `extract`.
        parameters: as in `extract`.

    Returns:
        An iterator of one Extraction per page, in the order of the pages. A page that fails loses no other page: its
        Extraction is empty, has the verdict `error`, and the exception as `error`.

    Raises:
        LanguageError: the language is unknown.
        ConfigError: the algorithm, the preset or a parameter is unknown, or has a wrong value; or the
            algorithm has no presets, and one is given.
        ModelError: the algorithm's model is missing, damaged, or of another language.
        OwnCodeError: your own cleaner is missing.
        ValueError: threads is no whole number, or below 1.
        TypeError: pages is a single page, or language or stop_words is of another type; or, in its turn, a page is
            neither bytes nor text.

    >>> [page.verdict for page in extract_many(["<a href=/>Home</a>", b""])]
    ['no_good_block', 'empty']
    """
    _check_pages(pages)
    if threads is not None and not _is_count(threads):
        raise ValueError(f"threads is {threads!r}; allowed: a whole number, at least 1")
    algorithm = algorithm or _default(preset, stop_words, parameters)
    settings = (language, algorithm, preset, stop_words, parameters)
    first = extractor(*settings, links=links)  # whatever is wrong with the settings is said here
    if not isinstance(algorithm, str) or own_code.is_own(algorithm):
        return extracted_in_order(pages, lambda: first, 1)
    return extracted_in_order(pages, lambda: extractor(*settings, links=links), threads or _cores())


def extract_site(
    pages: Sequence[bytes | str],
    language: str | None = None,
    algorithm: str | Cleaner | None = None,
    preset: str | None = None,
    *,
    least_share: float | None = SITE_SHARE,
    stop_words: Collection[str] | None = None,
    **parameters: Any,
) -> list[Extraction]:
    """Returns the blocks of several pages of one site, in the order of the pages.

    Blocks that recur on pages with other titles are templates of the site, and bad, whatever the algorithm says of
    them. An algorithm that compares pages itself (density-site) decides alone.

    Args:
        pages: the pages.
        language: as in `extract`, and so are all arguments but `least_share`.
        algorithm: the name of an algorithm, or your own cleaner.
        preset: for jusText.
        least_share: the share of the pages from which a block is a template, above 0; None: none is.
        stop_words: a stop list instead of the language's.
        parameters: parameters of the algorithm.

    Returns:
        The blocks of each page, in the order of the pages.

    Raises:
        LanguageError: the language is unknown.
        ConfigError: the algorithm, the preset or a parameter is unknown, or has a wrong value; or the
            algorithm has no presets, and one is given.
        ModelError: the algorithm's model is missing, damaged, or of another language.
        OwnCodeError: your own cleaner is missing, fails, or does not keep its interface.
        ValueError: least_share is not between 0 and 1.
        TypeError: pages is a single page, or language or stop_words is of another type.
    """
    _check_pages(pages)
    if least_share is not None and not 0 < least_share <= 1:
        raise ValueError(f"least_share is {least_share!r}; allowed: above 0, up to 1, or None")
    site = extractor(language, algorithm or _default(preset, stop_words, parameters), preset, stop_words, parameters)
    return site.extract(pages, least_share=None if site.classifier.side_table else least_share)


def explain(
    html: bytes | str, language: str | None = None, *, count: int = 5, **parameters: Any
) -> list[tuple[Block, list[Reason]]]:
    """Returns the blocks of a page as `content` classifies them, each with the features that moved its score most.

    Args:
        html: as in `extract`.
        language: as in `extract`.
        count: most features per block.
        parameters: those of `content` that differ from its defaults.

    Raises:
        ConfigError: a parameter is unknown, or has a wrong value.
        ModelError: the model is missing, damaged, or made for something else.
        NoPageError: the input is no HTML page; the message says what it is.
    """
    classifier = named_algorithm("content", parameters=parameters)
    if not isinstance(classifier, Content):
        raise TypeError("content is another algorithm")
    model = None if language is None else languages.get(language)
    extractor = Extractor(classifier, model, features=True)
    blocks, refused, _ = extractor.segment([html])
    for verdict, reason in refused.values():
        raise NoPageError(verdict, reason)
    features = blocks.features
    if features is None or features.columns is None:
        raise ValueError("blocks were cut without features")
    moved = classifier.model.contributions(features.columns)
    if len(blocks) > 1:
        moved -= moved.mean(axis=1, keepdims=True)
    names = [feature.name for feature in feature_descriptions()]
    most = np.argsort(-np.abs(moved), axis=0, kind="stable")[:count]
    values, logits = (np.take_along_axis(table, most, axis=0).T.tolist() for table in (features.columns, moved))
    reasons = [
        [Reason(names[place], value, logit) for place, value, logit in zip(*block, strict=True) if logit]
        for block in zip(most.T.tolist(), values, logits, strict=True)
    ]
    ((rows, _, _),) = page_rows(blocks, extractor.classes_of(blocks))
    return list(zip(rows, reasons, strict=True))


def _check_pages(pages: Any) -> None:
    """Refuses a single page: it would be taken as a list of its letters."""
    if isinstance(pages, (str, bytes, bytearray, memoryview)):
        raise TypeError("pages is a single page; write a list of pages: [page]")


def _cores() -> int:
    """Returns the number of cores that this process may use; where the system does not say, of all cores."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _is_count(number: Any) -> bool:
    """Returns whether this is a whole number, of Python or numpy, and at least 1."""
    return isinstance(number, Integral) and int(number) >= 1


def _default(preset: str | None, stop_words: Collection[str] | None, parameters: Mapping[str, Any]) -> str:
    """Returns the algorithm if none is named: jusText where one of its settings is given."""
    return "justext" if preset is not None or stop_words is not None else meant_by(parameters)
