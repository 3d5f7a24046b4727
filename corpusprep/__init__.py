"""corpusprep: from a web crawl to a clean, de-duplicated text corpus."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from corpusprep.languages.identification import detect_encoding, identify
    from corpusprep.pages.extraction import Block, extract

__all__ = ["Block", "__version__", "detect_encoding", "extract", "identify"]
__version__ = "0.1.0"
_MODULES = {
    "Block": "corpusprep.pages.extraction",
    "detect_encoding": "corpusprep.languages.identification",
    "extract": "corpusprep.pages.extraction",
    "identify": "corpusprep.languages.identification",
}


def __getattr__(name: str) -> Any:
    """The library's front door, loaded when it is first asked for: most jobs of a workflow do without."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_MODULES[name]), name)
