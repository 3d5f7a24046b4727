"""corpusprep: from a web crawl to a clean, de-duplicated text corpus."""

__version__ = "0.1.0"
