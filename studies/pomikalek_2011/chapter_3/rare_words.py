"""Counts the words of table 1.1 of the thesis in a corpus: some expressions are found only in very large ones."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from corpusprep.inspection.concordance import HitCounts, search
from corpusprep.io.progress import track
from studies.pomikalek_2011.chapter_3 import measured

#: The words and expressions.
EXPRESSIONS = ("nascent", "effort", "unbridled", "hedonism", "nascent effort", "unbridled hedonism")


@dataclass(slots=True, frozen=True)
class Occurring:
    """How often an expression occurs, in small letters or capitals."""

    expression: str
    hits: int
    tokens: int  # of the corpus


def write(corpus_dir: Path, output: Path) -> None:
    """Writes the table of Occurring.

    Raises:
        StageFileError: a file of the corpus is missing or damaged.
    """
    measured.write(output, Occurring, track(occurring(corpus_dir), "experiments words", len(EXPRESSIONS)))


def occurring(corpus_dir: Path) -> Iterator[Occurring]:
    """Yields how often each expression occurs in a corpus."""
    for expression in EXPRESSIONS:
        counts = HitCounts()
        for _ in search(corpus_dir, expression, limit=1, counts=counts, threads=1):
            pass
        yield Occurring(expression, counts.hits, counts.tokens)
