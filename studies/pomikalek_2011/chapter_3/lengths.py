"""Counts n-grams that recur within one domain and across domains, by length (Pomikálek 2011, 3.6.3, table 3.3).

N-grams that recur only within one domain are probably copied; those that recur across domains are natural.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from corpusprep import languages
from corpusprep.io.progress import track
from corpusprep.reuse.documents import Documents
from studies.pomikalek_2011.chapter_3 import measured
from studies.pomikalek_2011.chapter_3.corpus import TokenCorpus, selected
from studies.pomikalek_2011.chapter_3.spex import iterations

#: The kinds of tokens that n-grams are made of, in the order of the table.
KINDS = ("all", "no punctuation", "no punctuation, no stop words")


@dataclass(slots=True, frozen=True)
class Recurring:
    """Distinct n-grams that occur twice or more; a domain is a host."""

    tokens: str  # one of KINDS
    n: int
    cross_domain: int
    single_domain: int


def write(corpus_dir: Path, model: str, memory: int, output: Path) -> None:
    """Writes the table of Recurring for each of KINDS.

    Args:
        corpus_dir: the folder of the corpus's stage files.
        model: the corpus language: a .model file or a built-in language's code.
        memory: bytes that the process may use.
        output: the table.

    Raises:
        StageFileError: a stage file is missing or damaged.
        ResourceError: the corpus is too large for `memory`.
    """
    stop_words = sorted(languages.get(model).stop_words)  # before the corpus: making a model needs memory
    corpus = TokenCorpus.of_folder(corpus_dir, memory)
    rows: list[Recurring] = []
    kinds = ((True, ()), (False, ()), (False, stop_words))
    for name, (punctuation, left_out) in track(zip(KINDS, kinds, strict=True), "experiments lengths", len(KINDS)):
        rows += recurring(corpus, selected(corpus.documents, punctuation=punctuation, stop_words=left_out), name)
    measured.write(output, Recurring, rows)


def recurring(
    corpus: TokenCorpus, chosen: Documents, name: str, shortest: int = 3, longest: int = 12
) -> Iterator[Recurring]:
    """Counts the recurring n-grams of each length.

    Args:
        corpus: for the hosts of its documents.
        chosen: its documents with only the tokens that n-grams are made of.
        name: the kind of these tokens.
        shortest: the first n.
        longest: the last n.
    """
    hosts = np.repeat(corpus.hosts, chosen.sizes)
    for iteration in iterations(chosen, longest):
        if iteration.counts.n < shortest:
            continue
        own = hosts[iteration.starts]
        any_host = np.empty(iteration.counts.types, np.int64)
        any_host[iteration.names] = own  # the host of any of its instances
        crosses = np.zeros(iteration.counts.types, np.bool_)
        crosses[iteration.names[own != any_host[iteration.names]]] = True
        cross = int(np.count_nonzero(crosses))
        yield Recurring(name, iteration.counts.n, cross, iteration.counts.types - cross)
