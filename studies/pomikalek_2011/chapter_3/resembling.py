"""Counts pairs of documents by resemblance, and measures what is left without near-identical documents.

Pomikálek 2011, 3.6.2 (figure 3.6) and 3.6.4 ("rsmbl. de-dupl", and the resemblances after de-duplication). Resemblance
is exact, on 10-grams of tokens without punctuation, for all pairs of documents that share one.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corpusprep.io.progress import track
from studies.pomikalek_2011.chapter_3 import measured
from studies.pomikalek_2011.chapter_3.comparators.resemblance import Resemblance, pairs_above
from studies.pomikalek_2011.chapter_3.corpus import TokenCorpus
from studies.pomikalek_2011.chapter_3.removal import duplicate_instances, removed_tokens

#: Resemblances of the curve.
STEPS = tuple(step / 100 for step in range(100))
#: Pairs above it are near-duplicates in table 3.4.
NEAR_IDENTICAL = 0.9


@dataclass(slots=True, frozen=True)
class Above:
    """Pairs of documents whose resemblance is greater than the threshold."""

    text: str  # before or after block de-duplication
    threshold: float
    pairs: int
    highest: float  # resemblance of any pair of this text


@dataclass(slots=True, frozen=True)
class Remaining:
    """Counts of what is left of a corpus."""

    documents: int
    tokens: int
    duplicate_10grams: int


def write(corpus_dir: Path, memory: int, output: Path, clusters: Path) -> None:
    """Writes the tables of Above, before and after block de-duplication, and of Remaining.

    Args:
        corpus_dir: the folder of the corpus's stage files.
        memory: bytes that the process may use.
        output: the table of pairs above each resemblance.
        clusters: the table of what is left without near-identical documents.

    Raises:
        StageFileError: a stage file is missing or damaged.
        ResourceError: the corpus is too large for `memory`.
    """
    corpus = TokenCorpus.of_folder(corpus_dir, memory)
    kept = corpus.kept_by_blocks(corpus_dir)
    rows = [*track(curves(corpus, kept), "experiments resemblance: steps")]
    measured.write(clusters, Remaining, [without_near_identical(corpus)])
    measured.write(output, Above, rows)


def curves(corpus: TokenCorpus, kept: NDArray[np.bool_]) -> Iterator[Above]:
    """Yields the curve of figure 3.6, before and after de-duplication.

    Args:
        corpus: before block de-duplication.
        kept: bool, shape (tokens,): the tokens that block de-duplication keeps.
    """
    texts = {"before": corpus.documents, "after": corpus.documents.keep(kept)}
    for name, documents in texts.items():
        counts, highest = pairs_above(documents.without_punctuation(), STEPS)
        for threshold, pairs in zip(STEPS, counts.tolist(), strict=True):
            yield Above(name, threshold, pairs, highest)


def without_near_identical(corpus: TokenCorpus) -> Remaining:
    """Returns what is left if only the first document of each cluster with resemblance > NEAR_IDENTICAL is kept."""
    documents = corpus.documents
    above = float(np.nextafter(NEAR_IDENTICAL, 1))
    pairs = Resemblance().find(documents.without_punctuation(), above)
    kept = documents.keep(~removed_tokens(pairs, documents)[0])
    return Remaining(int(np.count_nonzero(kept.sizes)), len(kept.words), duplicate_instances(kept))
