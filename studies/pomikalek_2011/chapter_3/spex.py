"""SPEX: finds all n-grams that occur twice or more, extending them word by word (Bernstein and Zobel 2004).

"A scalable system for identifying co-derivative documents"; Pomikálek 2011, 3.4.1. An n-gram can be a duplicate only
if both of its (n-1)-grams are; others are pruned. The rest are counted. So each iteration stores its duplicate n-grams,
the unique ones that could not be pruned, and the duplicate (n-1)-grams.

An n-gram is named by the pair of the numbers of its two (n-1)-grams. No hash is used, so the result is exact. N-grams
never cross documents.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corpusprep.dedup.all_ngrams import DuplicateCounts
from corpusprep.errors import StageFileError
from corpusprep.io.progress import track
from corpusprep.reuse.documents import Documents
from studies.pomikalek_2011.chapter_3 import measured
from studies.pomikalek_2011.chapter_3.corpus import TokenCorpus


@dataclass(slots=True, frozen=True)
class SpexCounts:
    """The counts of an iteration: a row of table 3.1.

    Attributes:
        n: words in an n-gram.
        unique: n-grams that occur once.
        pruned: unique n-grams that the previous iteration excluded.
        types: distinct duplicate n-grams.
        instances: occurrences of duplicate n-grams.
        stored: n-grams in memory: duplicates, unique ones that are not pruned, duplicates of the previous iteration.
    """

    n: int
    unique: int
    pruned: int
    types: int
    instances: int
    stored: int


@dataclass(slots=True, frozen=True, eq=False)
class Iteration:
    """The duplicate n-grams of an iteration.

    Attributes:
        counts: counts of its n-grams.
        starts: int64, shape (instances,): the tokens where duplicate n-grams start, ascending.
        names: int64, shape (instances,): the number of each n-gram, 0 to types - 1.
    """

    counts: SpexCounts
    starts: NDArray[np.int64]
    names: NDArray[np.int64]


#: Words in the n-grams that the workflow counts and SPEX must find too.
LONGEST = 10


def write(corpus_dir: Path, memory: int, output: Path) -> None:
    """Writes a row of Counts per iteration on all tokens of a corpus.

    Args:
        corpus_dir: the folder of the corpus's stage files.
        memory: bytes that the process may use.
        output: the table.

    Raises:
        StageFileError: a stage file is missing or damaged, or SPEX and the statistics find different n-grams.
        ResourceError: the corpus is too large for `memory`.
    """
    documents = TokenCorpus.of_folder(corpus_dir, memory).documents
    counts = []
    for iteration in track(iterations(documents, LONGEST), "experiments spex: iterations", LONGEST):
        counts.append(iteration.counts)
    path = corpus_dir / "ngrams" / "before" / "duplicates.tsv"
    stored = DuplicateCounts.read(path)
    if (stored.types, stored.instances) != (iteration.counts.types, iteration.counts.instances):
        raise StageFileError(
            f"{path}: the statistics found {stored.types} duplicate n-grams with {stored.instances} instances, SPEX "
            f"found {iteration.counts.types} with {iteration.counts.instances}; run both again, for the files may be "
            "of different runs"
        )
    measured.write(output, SpexCounts, counts)


def iterations(documents: Documents, longest: int) -> Iterator[Iteration]:
    """Yields the iterations for n = 1 to `longest`; needs about 60 bytes per token that occurs twice."""
    ends = np.repeat(documents.offsets[1:], documents.sizes)
    starts = np.arange(len(documents.words))
    iteration, types = _iteration(1, documents.words.astype(np.int64), starts, 0, 0), 0
    yield iteration
    for n in range(2, longest + 1):
        ngrams = int(np.maximum(documents.sizes - n + 1, 0).sum())
        types = iteration.counts.types
        both = np.flatnonzero(np.diff(iteration.starts) == 1)
        both = both[iteration.starts[both] + n <= ends[iteration.starts[both]]]
        pairs = iteration.names[both] * types + iteration.names[both + 1]
        iteration = _iteration(n, pairs, iteration.starts[both], ngrams - len(both), types)
        yield iteration


def _iteration(
    n: int, names: NDArray[np.int64], starts: NDArray[np.int64], pruned: int, types_before: int
) -> Iteration:
    """Counts the n-grams that were not pruned."""
    distinct, places, counts = np.unique(names, return_inverse=True, return_counts=True)
    several = counts > 1
    types = int(np.count_nonzero(several))
    kept = several[places]
    instances = int(np.count_nonzero(kept))
    counted = SpexCounts(n, pruned + len(distinct) - types, pruned, types, instances, len(distinct) + types_before)
    return Iteration(counted, starts[kept], (np.cumsum(several) - 1)[places[kept]])
