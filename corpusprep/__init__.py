"""corpusprep: from a web crawl to a clean, de-duplicated text corpus."""

from corpusprep.extraction import Block, extract
from corpusprep.identification import detect_encoding, identify

__all__ = ["Block", "__version__", "detect_encoding", "extract", "identify"]
__version__ = "0.1.0"
