"""corpusprep: from a web crawl to a clean, de-duplicated text corpus."""

from corpusprep.extraction import Block, extract

__all__ = ["Block", "__version__", "extract"]
__version__ = "0.1.0"
