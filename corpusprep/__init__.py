"""corpusprep: from a web crawl to a clean, de-duplicated text corpus.

What this module exports is the public interface: extracting text from single pages, identifying languages and
encodings, and the types of a user's own cleaner. Everything else may change without notice.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from corpusprep.errors import CorpusprepError
    from corpusprep.languages.identification import detect_encoding, identify
    from corpusprep.pages.algorithms.interface import Cleaner, Page, PageBlock
    from corpusprep.pages.extraction import Block, Extraction, extract, extract_many, extract_site

__all__ = [
    "Block",
    "Cleaner",
    "CorpusprepError",
    "Extraction",
    "Page",
    "PageBlock",
    "__version__",
    "detect_encoding",
    "extract",
    "extract_many",
    "extract_site",
    "identify",
]
__version__ = "0.1.0"
_MODULES = {
    "Block": "corpusprep.pages.extraction",
    "Cleaner": "corpusprep.pages.algorithms.interface",
    "CorpusprepError": "corpusprep.errors",
    "Extraction": "corpusprep.pages.extraction",
    "Page": "corpusprep.pages.algorithms.interface",
    "PageBlock": "corpusprep.pages.algorithms.interface",
    "detect_encoding": "corpusprep.languages.identification",
    "extract": "corpusprep.pages.extraction",
    "extract_many": "corpusprep.pages.extraction",
    "extract_site": "corpusprep.pages.extraction",
    "identify": "corpusprep.languages.identification",
}


def __getattr__(name: str) -> Any:
    """Returns an export, and imports its module: most jobs of a workflow need none."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_MODULES[name]), name)
