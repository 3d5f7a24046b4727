"""Runs extractors that are publicly used on gold pages, for the same counts as our own algorithms.

Each runs with its defaults, except: main content only, no readers' comments (trafilatura is also measured with them),
and jusText's stop list of the page's language. html-to-markdown converts whole pages without navigation and forms.
"""

import importlib.metadata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from corpusprep.gold.pages import GoldPage
from corpusprep.gold.scores import Counts
from studies.evaluation.measuring import Scorer
from studies.evaluation.peer_programs import PROGRAMS

#: Language -> jusText's stop list.
_STOP_LISTS = {
    "ar": "Arabic",
    "cs": "Czech",
    "da": "Danish",
    "de": "German",
    "el": "Greek",
    "en": "English",
    "es": "Spanish",
    "fi": "Finnish",
    "fr": "French",
    "hi": "Hindi",
    "is": "Icelandic",
    "it": "Italian",
    "ko": "Korean",
    "nb": "Norwegian_Bokmal",
    "pl": "Polish",
    "pt": "Portuguese",
    "ru": "Russian",
    "sv": "Swedish",
    "sw": "Swahili",
    "tr": "Turkish",
}


@dataclass(slots=True, frozen=True)
class Peer:
    """An extractor.

    Attributes:
        title: its name in tables.
        package: its name on PyPI.
        load: imports it; returns page and language -> text of the main content.
    """

    title: str
    package: str
    load: Callable[[], Callable[[str, str], str]]

    def version(self) -> str | None:
        """Returns the installed version; None if it is not installed."""
        try:
            return importlib.metadata.version(self.package)
        except importlib.metadata.PackageNotFoundError:
            return None


def _trafilatura(*, comments: bool) -> Callable[[str, str], str]:
    import trafilatura

    return lambda page, _: trafilatura.extract(page, include_comments=comments) or ""


def _resiliparse() -> Callable[[str, str], str]:
    from resiliparse.extract.html2text import extract_plain_text

    return lambda page, _: str(extract_plain_text(page, main_content=True, comments=False))


def _boilerpy3() -> Callable[[str, str], str]:
    from boilerpy3.extractors import ArticleExtractor

    extractor = ArticleExtractor(raise_on_failure=False)
    return lambda page, _: str(extractor.get_content(page))


def _justext() -> Callable[[str, str], str]:
    import justext

    lists = justext.get_stoplists()

    def text(page: str, language: str) -> str:
        name = _STOP_LISTS.get(language, "")
        if name in lists:
            paragraphs = justext.justext(page, justext.get_stoplist(name))
        else:  # its documented way without a stop list
            paragraphs = justext.justext(page, frozenset(), stopwords_low=0, stopwords_high=0)
        return "\n".join(part.text for part in paragraphs if not part.is_boilerplate)

    return text


def _readability() -> Callable[[str, str], str]:
    from lxml.html import document_fromstring
    from readability import Document

    def text(page: str, _: str) -> str:
        summary = Document(page).summary()
        return "\n".join(str(part) for part in document_fromstring(summary).itertext())

    return text


def _turbohtml() -> Callable[[str, str], str]:
    import turbohtml

    return lambda page, _: str(turbohtml.parse(page).main_text())


def _html_to_markdown() -> Callable[[str, str], str]:
    import html_to_markdown as library

    # It converts whole pages; this is the most that it can leave out.
    preprocessing = library.PreprocessingOptions(enabled=True, preset="aggressive")
    options = library.ConversionOptions(preprocessing=preprocessing, output_format="plain", extract_metadata=False)
    return lambda page, _: str(library.convert(page, options).content or "")


PEERS = (
    Peer("trafilatura", "trafilatura", lambda: _trafilatura(comments=False)),
    Peer("trafilatura, comments", "trafilatura", lambda: _trafilatura(comments=True)),
    Peer("resiliparse", "resiliparse", _resiliparse),
    Peer("boilerpy3", "boilerpy3", _boilerpy3),
    Peer("justext 3", "justext", _justext),
    Peer("readability-lxml", "readability-lxml", _readability),
    Peer("turbohtml", "turbohtml", _turbohtml),
    Peer("html-to-markdown", "html-to-markdown", _html_to_markdown),
)


def texts(peer: Peer, pages: Iterable[GoldPage]) -> list[str]:
    """Returns the text that an extractor finds in each page; empty for a page on which it fails."""
    return run(peer.load(), pages)


def run(extract: Callable[[str, str], str], pages: Iterable[GoldPage]) -> list[str]:
    """Returns the same for an extractor that is loaded already."""
    kept = []
    for page in pages:
        try:
            kept.append(extract(page.html, page.language))
        except Exception:  # whatever another's program raises, its result is no text
            kept.append("")
    return kept


def measure(pages: list[GoldPage], scorer: Scorer) -> Iterator[tuple[str, str, list[Counts]]]:
    """Yields peer, measure and counts per page, for the installed ones."""
    for peer in PEERS:
        if peer.version() is not None:
            for name, counts in scorer.counts(texts(peer, pages)):
                yield peer.title, name, counts
    for program in PROGRAMS:
        if program.version() is not None:
            for name, counts in scorer.counts(program.texts([page.html for page in pages])):
                yield program.title, name, counts
