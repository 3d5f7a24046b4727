"""Extracts pages with settings that are prepared once: an algorithm, its model, a segmenter."""

import os
import threading
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import Any

from corpusprep import languages
from corpusprep.cleaners import model_files
from corpusprep.cleaners.fixed import TEMPLATE, with_bad, without_repeated
from corpusprep.cleaners.interface import Algorithm, Classes, Cleaner
from corpusprep.cleaners.registry import algorithm as named_algorithm
from corpusprep.cleaners.registry import check_preset
from corpusprep.encoding import charsets, detection
from corpusprep.extraction import inputs
from corpusprep.extraction.extracted import Extraction, PageHead, page_rows
from corpusprep.extraction.site_blocks import shares_of_site
from corpusprep.io import own_code
from corpusprep.pages import html as html_parser
from corpusprep.pages.metadata import marks_of
from corpusprep.pages.segmentation import Blocks, PageSegmenter
from corpusprep.tables.verdicts import PAGE_REASONS

#: Extractors that a thread keeps: of the settings that it used last. One has up to a few megabytes of models.
MOST_KEPT = 8

#: Verdict on a page that gives no blocks, and its reason.
Refusal = tuple[str, str]


class Extractor:
    """Extracts pages with one algorithm and one language. For one thread at a time."""

    def __init__(
        self,
        classifier: Algorithm,
        model: languages.LanguageModel | None = None,
        stop_words: Collection[str] | None = None,
        *,
        features: bool = False,
        links: bool = False,
    ) -> None:
        """An extractor that is ready for pages.

        Args:
            classifier: the algorithm.
            model: the language; None for algorithms that need none.
            stop_words: a stop list in place of the language's.
            features: whether Blocks.features has its columns.
            links: whether Markdown has links. Trees then keep addresses, and pages take longer.

        Raises:
            ModelError: the algorithm's model is damaged, or of another language.
        """
        if model is not None:
            classifier.check_language(model.code)
        self.classifier = classifier
        self._language = model
        listed = () if model is None else model.stop_words
        self._stop_words = listed if stop_words is None else stop_words
        self._characters_per_word = 0.0 if model is None else model.characters_per_word
        self._features, self._links = features, links
        self._idle: PageSegmenter | None = self._segmenter()

    def extract(
        self, pages: Sequence[bytes | str], url: str = "", *, least_share: float | None = None
    ) -> list[Extraction]:
        """Returns the blocks of each page, in the order of the pages.

        Args:
            pages: of any sites, or of one if `least_share` is given.
            url: the address of the pages, if it is known.
            least_share: blocks on this share of the pages are templates of the site, and bad; None: they may be good.

        Raises:
            OwnCodeError: a user's own cleaner fails, or does not keep its interface.
        """
        blocks, refused, heads = self.segment(pages, url)
        firsts = blocks.pages.tolist()
        classes = self.classes_of(blocks)
        if least_share is not None:
            recurs = shares_of_site([head.title for head in heads], blocks) >= least_share
            classes = with_bad(classes, recurs, TEMPLATE)
        return [
            Extraction(rows, *refused[n], heads[n].title)
            if n in refused
            else Extraction.of_page(rows, good, heading, heads[n], blocks.outline, firsts[n])
            for n, (rows, good, heading) in enumerate(page_rows(blocks, classes))
        ]

    def classes_of(self, blocks: Blocks) -> Classes:
        """Returns the classes of blocks; text that a page has twice is good once."""
        return without_repeated(self.classifier.classify(blocks), blocks)

    def segment(self, pages: Sequence[bytes | str], url: str = "") -> tuple[Blocks, dict[int, Refusal], list[PageHead]]:
        """Returns the blocks of the pages, the pages by number that gave none, and what each says beside its blocks."""
        # After an error, the segmenter has some of the pages: it is not used again.
        segmenter, self._idle = self._idle or self._segmenter(), None
        refused: dict[int, Refusal] = {}
        heads: list[PageHead] = []
        for number, page in enumerate(pages):
            try:
                markup = self._markup(page)
                root = html_parser.parse(markup, lean=not self._links) if segmenter.reads_trees else None
                heads.append(PageHead(segmenter.add_page(markup, root), marks_of(root), url))
            except inputs.NoPageError as error:
                refused[number] = error.verdict, str(error)
            except html_parser.PageError as error:
                refused[number] = error.verdict, f"{PAGE_REASONS[error.verdict]}: {error}"
            if number in refused:
                heads.append(PageHead())
                segmenter.skip()
        blocks = segmenter.take()
        self._idle = segmenter
        return blocks, refused, heads

    def _segmenter(self) -> PageSegmenter:
        """Returns a segmenter for what the algorithm needs."""
        return self.classifier.segmenter(
            self._stop_words, self._characters_per_word, features=self._features, outline=True
        )

    def _markup(self, page: bytes | str) -> str | bytes:
        """Returns the markup of a page as text, or as bytes of valid UTF-8.

        Raises:
            NoPageError: it is no HTML page.
        """
        check_type(page)
        if isinstance(page, str):
            inputs.check(page[: inputs.FIRST_BYTES].encode("utf-8", "replace"), "utf-8")
            return str(page).replace("\0", "")
        page = bytes(page)  # as the kernels take it, if it is of a subclass
        if self._language is None:
            encoding = detection.detect_any(page)
        else:
            declared = _Declared(page)
            settled, share = detection.settle(page, self._language.encoding_names, declared)
            encoding = (settled or detection.closest(page, self._language.encodings, share, declared))[0]
        inputs.check(page, encoding)
        return charsets.decode_utf8(page, encoding)[0]


def check_type(page: Any) -> None:
    """Refuses what is no page.

    Raises:
        TypeError: it is neither bytes nor text.
    """
    if not isinstance(page, (bytes, str)):
        raise TypeError(f"a page is bytes or str, not {type(page).__name__}")


def extractor(
    language: str | os.PathLike[str] | None,
    algorithm: str | Cleaner,
    preset: str | None,
    stop_words: Collection[str] | None,
    parameters: Mapping[str, Any],
    *,
    links: bool = False,
) -> Extractor:
    """Returns an extractor for these settings; arguments as in extract. No preset: the first, if any.

    The calling thread keeps it for its next call, except for a user's own cleaner, which may remember pages.

    Raises:
        LanguageError: the language is unknown.
        ConfigError: the algorithm, the preset or a parameter is unknown, or has a wrong value; or the
            algorithm has no presets, and one is given.
        ModelError: the algorithm's model is missing, damaged, or of another language.
        OwnCodeError: the user's cleaner is missing, cannot be made, or has no method classify.
        TypeError: the language is no text and no path, or the stop list is no list of words.
    """
    if language is not None:
        language = languages.spec_of(language)
    if preset is not None:
        check_preset(algorithm, preset)
    if stop_words is not None and not _are_words(stop_words):
        raise TypeError(f"stop_words is {stop_words!r:.100}; allowed: a list or set of words")
    key = _key(language, algorithm, preset, stop_words, parameters)
    key = None if key is None else (links, *key)
    kept = _kept.extractors.pop(key, None) if key is not None else None
    if kept is None:
        classifier = named_algorithm(algorithm, preset, parameters=parameters)
        model = None if language is None and not classifier.needs_language else languages.get(language or "en")
        kept = Extractor(classifier, model, stop_words, links=links)
    if key is not None:
        _kept.extractors[key] = kept
        if len(_kept.extractors) > MOST_KEPT:
            del _kept.extractors[next(iter(_kept.extractors))]
    return kept


def _are_words(words: Any) -> bool:
    """Returns whether a stop list is one; a text would be a list of its letters."""
    return isinstance(words, Collection) and not isinstance(words, str) and all(isinstance(word, str) for word in words)


class _Declared(Sequence[str]):
    """The encoding that a page declares, if any. It is searched when it is asked for: few pages need it."""

    def __init__(self, page: bytes) -> None:
        self._page = page

    @cached_property
    def _names(self) -> list[str]:
        name = charsets.declared_meta(self._page) or charsets.declared_meta(self._page, late=True)
        return [] if name is None else [name]

    def __len__(self) -> int:
        """The number of encodings: 0 or 1."""
        return len(self._names)

    def __getitem__(self, number: Any) -> Any:
        """The encoding."""
        return self._names[number]


class _Kept(threading.local):
    """The extractors of a thread by their settings, the one used last at the end."""

    def __init__(self) -> None:
        self.extractors: dict[Any, Extractor] = {}


_kept = _Kept()


def _key(
    language: str | None,
    algorithm: str | Cleaner,
    preset: str | None,
    stop_words: Collection[str] | None,
    parameters: Mapping[str, Any],
) -> Any:
    """Returns what an extractor depends on, files with their times and sizes; None if it must not be kept."""
    if not isinstance(algorithm, str) or own_code.is_own(algorithm):
        return None
    models = (language if language and languages.is_path(language) else None, parameters.get("model"))
    key = (
        language,
        algorithm,
        preset,
        None if stop_words is None else frozenset(stop_words),
        # 5 and 5.0 are equal, but a parameter may allow only one of them.
        *((name, type(value), value) for name, value in sorted(parameters.items())),
        *(_state(name) for name in models if isinstance(name, str) and name),
    )
    try:
        hash(key)
    except TypeError:
        return None
    return key


def _state(name: str) -> tuple[str, int, int] | None:
    """Returns path, time and size of a model file; None if there is none."""
    path = model_files.path_of(name).absolute()
    try:
        status = path.stat()
    except OSError:
        return None
    return str(path), status.st_mtime_ns, status.st_size
