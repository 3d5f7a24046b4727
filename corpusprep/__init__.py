"""corpusprep: from a web crawl to a clean, de-duplicated text corpus.

What this module exports is the public interface: extracting text from single pages, identifying languages and
encodings, the types of a user's own cleaner, and the errors. Everything else may change without notice.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from corpusprep.cleaners.interface import Cleaner, Page, PageBlock
    from corpusprep.errors import ConfigError, CorpusprepError, LanguageError, ModelError, OwnCodeError
    from corpusprep.extraction.blocks import Block
    from corpusprep.extraction.extracted import Extraction
    from corpusprep.extraction.library import extract, extract_many, extract_site
    from corpusprep.languages.identification import detect_encoding, identify, identify_many
    from corpusprep.pages.metadata import Metadata

__all__ = [
    "Block",
    "Cleaner",
    "ConfigError",
    "CorpusprepError",
    "Extraction",
    "LanguageError",
    "Metadata",
    "ModelError",
    "OwnCodeError",
    "Page",
    "PageBlock",
    "__version__",
    "detect_encoding",
    "extract",
    "extract_many",
    "extract_site",
    "identify",
    "identify_many",
]
__version__ = "0.2.0"
_MODULES = {
    "Block": "corpusprep.extraction.blocks",
    "Cleaner": "corpusprep.cleaners.interface",
    "ConfigError": "corpusprep.errors",
    "CorpusprepError": "corpusprep.errors",
    "Extraction": "corpusprep.extraction.extracted",
    "LanguageError": "corpusprep.errors",
    "Metadata": "corpusprep.pages.metadata",
    "ModelError": "corpusprep.errors",
    "OwnCodeError": "corpusprep.errors",
    "Page": "corpusprep.cleaners.interface",
    "PageBlock": "corpusprep.cleaners.interface",
    "detect_encoding": "corpusprep.languages.identification",
    "extract": "corpusprep.extraction.library",
    "extract_many": "corpusprep.extraction.library",
    "extract_site": "corpusprep.extraction.library",
    "identify": "corpusprep.languages.identification",
    "identify_many": "corpusprep.languages.identification",
}


def __getattr__(name: str) -> Any:
    """Returns an export, and imports its module: most jobs of a workflow need none."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_MODULES[name]), name)
