"""Measures which documents of a corpus the verdicts on blocks could be decided for without waiting for others.

    python bench independence results/news [--model en] [--n 10]

A document without duplicate n-grams is decided at once. Documents that share duplicate n-grams, directly or by way of
others, are a group: what is decided on one may change what is decided on the next. Groups do not wait for each other.
Counts come from the verticals of `tokens`, without exact duplicates; all tokens are in memory.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import running
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from corpusprep import languages
from corpusprep.io.files import zstd_chunks
from corpusprep.tables import schemas
from corpusprep.tables.batch_files import BatchFiles
from corpusprep.tables.reading import read_table

_BASE = np.uint64(0xD1342543DE82EF95)


def counted_tokens(folder: Path, model: str) -> tuple[np.ndarray, np.ndarray]:
    """Returns the number of the word, and of the document, of each token that counts."""
    stop_words = {word.lower() for word in languages.get(model).stop_words}
    numbers: dict[str, int] = {}
    words: list[int] = []
    documents: list[int] = []
    document = -1
    for batch in running.batches_of(folder):
        files = BatchFiles.of(folder, batch)
        kept = (read_table(files.documents, schemas.DOCUMENTS, ["verdict"])["verdict"] == "kept").to_list()
        place = -1
        for line in b"".join(zstd_chunks(files.vertical)).decode().split("\n"):
            if line.startswith("<"):
                if line.startswith("<doc "):
                    place, document = place + 1, document + 1
                continue
            token = line.partition("\t")[0]
            if kept[place] and token and token[0].isalnum() and token.lower() not in stop_words:
                words.append(numbers.setdefault(token, len(numbers)))
                documents.append(document)
    return np.array(words, np.uint64), np.array(documents)


def groups(words: np.ndarray, documents: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Returns the tokens of each document, and its group: -1 for one without duplicate n-grams."""
    mixed = (words + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    keys = np.zeros(max(0, len(words) - n + 1), np.uint64)
    for offset in range(n):
        keys = keys * _BASE + mixed[offset : offset + len(keys)]
    inside = documents[: len(keys)] == documents[n - 1 :]
    keys, owners = keys[inside], documents[: len(keys)][inside]
    _, numbers, counts = np.unique(keys, return_inverse=True, return_counts=True)
    repeated = counts[numbers] > 1
    total = int(documents.max()) + 1
    edges = coo_array(
        (np.ones(int(repeated.sum()), np.uint8), (owners[repeated], total + numbers[repeated])),
        shape=(total + len(counts), total + len(counts)),
    )
    group = connected_components(edges, directed=False)[1][:total]
    has = np.zeros(total, bool)
    has[owners[repeated]] = True
    return np.bincount(documents, minlength=total), np.where(has, group, -1)


def main(prog: str, arguments: Sequence[str]) -> None:
    """Prints the shares."""
    parser = running.parser(prog, __doc__)
    parser.add_argument("folder", type=Path, help="folder of a corpus")
    parser.add_argument("--model", default="en", help="code or model of its language (default en)")
    parser.add_argument("--n", type=int, default=10, help="words of an n-gram (default 10)")
    options = parser.parse_args(arguments)
    tokens, group = groups(*counted_tokens(options.folder, options.model), options.n)
    read = tokens > 0
    tokens, group = tokens[read], group[read]
    alone = group < 0
    _, numbers, sizes = np.unique(group[~alone], return_inverse=True, return_counts=True)
    of_groups = np.bincount(numbers, weights=tokens[~alone])
    print(f"{len(tokens):,} documents, {int(tokens.sum()):,} tokens that count")
    print(
        f"without duplicate n-grams: {100 * alone.mean():.1f} % of documents, {share(tokens[alone], tokens)} of tokens"
    )
    largest = 100 * sizes.max(initial=0) / len(tokens), 100 * of_groups.max(initial=0) / tokens.sum()
    print(f"{len(sizes):,} groups; the largest: {largest[0]:.1f} % of documents, {largest[1]:.1f} % of tokens")


def share(part: np.ndarray, whole: np.ndarray) -> str:
    """Returns a share in percent."""
    return f"{100 * part.sum() / whole.sum():.1f} %"
