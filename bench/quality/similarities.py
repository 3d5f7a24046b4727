"""Word similarities by distribution: whether words that WordNet holds to be related have similar contexts.

Schäfer (2016, 5) evaluates boilerplate removal so: text that is no boilerplate is the better material for them.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
import running
from numpy.typing import NDArray

#: Debian's package wordnet-base.
WORDNET = Path("/usr/share/wordnet")
#: Nouns that are compared occur at least that often in each text; contexts are the most frequent words of all.
LEAST_OCCURRENCES, CONTEXTS, WINDOW = 20, 2_000, 3


class Nouns:
    """Nouns of WordNet by their first sense, the most frequent one, and the senses directly above it.

    Raises:
        CommandError: WordNet is not there.
    """

    def __init__(self, folder: Path = WORDNET) -> None:
        if not (folder / "data.noun").is_file():
            raise running.CommandError(f"{folder}: no WordNet; install Debian's wordnet-base")
        above: dict[str, set[str]] = {}
        for line in _lines(folder / "data.noun"):
            fields = line.partition(" | ")[0].split()
            pointers = fields[5 + 2 * int(fields[3], 16) :]
            above[fields[0]] = {
                place for sign, place in zip(pointers[::4], pointers[1::4], strict=False) if sign == "@"
            }
        self.senses: dict[str, str] = {}
        for line in _lines(folder / "index.noun"):
            fields = line.split()
            self.senses[fields[0]] = fields[-int(fields[2])]
        self.above = above

    def related(self, words: Sequence[str]) -> NDArray[np.bool_]:
        """Returns which pairs of words have one sense, or senses of which one is above the other, or below one."""
        near = [{self.senses[word], *self.above[self.senses[word]]} for word in words]
        columns = {sense: number for number, sense in enumerate(sorted(set().union(*near)))}
        table = np.zeros((len(words), len(columns)), np.float32)
        for row, senses in enumerate(near):
            table[row, [columns[sense] for sense in senses]] = 1
        return np.asarray(table @ table.T > 0)


def _lines(path: Path) -> Iterable[str]:
    """Yields the lines behind the licence, whose lines begin with a space."""
    with path.open(encoding="utf-8") as file:
        yield from (line for line in file if not line.startswith(" "))


def areas(
    texts: Mapping[str, Sequence[Iterable[Sequence[int]]]], words: Sequence[str], nouns: Nouns
) -> tuple[dict[str, list[float]], int, int]:
    """Compares the nouns of texts by the contexts that they have there.

    Args:
        texts: name -> texts, each as lines of numbers of words.
        words: the words, by their numbers.
        nouns: of WordNet.

    Returns:
        For each text, the area under the curve of hits and false alarms: the share of pairs of a related and an
        unrelated pair of nouns in which the related one is more similar, 0.5 by chance; the number of nouns; and that
        of related pairs.
    """
    made = {name: [[np.array(line, np.int64) for line in text] for text in drawn] for name, drawn in texts.items()}
    counts = [np.bincount(np.concatenate(text), minlength=len(words)) for drawn in made.values() for text in drawn]
    least = np.min(counts, axis=0)
    total = np.sum(counts, axis=0)
    frequent = np.flatnonzero(least >= LEAST_OCCURRENCES).tolist()
    targets = [n for n in frequent if len(words[n]) > 2 and words[n] in nouns.senses]
    contexts = np.sort(np.argsort(-total, kind="stable")[:CONTEXTS])
    related = nouns.related([words[number] for number in targets])
    pairs = np.triu_indices(len(targets), 1)
    same = related[pairs]
    found = {
        name: [_area(_similarities(text, targets, contexts, len(words))[pairs], same) for text in drawn]
        for name, drawn in made.items()
    }
    return found, len(targets), int(same.sum())


def _similarities(
    lines: Sequence[NDArray[np.int64]], targets: Sequence[int], contexts: NDArray[np.int64], words: int
) -> NDArray[np.float32]:
    """Returns the cosines of the targets' positive pointwise mutual information with words in a window around them."""
    rows, columns = np.full(words, -1), np.full(words, -1)
    rows[targets], columns[contexts] = np.arange(len(targets)), np.arange(len(contexts))
    # Lines are kept apart by words that are none.
    gap = np.full(WINDOW, -1)
    text = np.concatenate([part for line in lines for part in (line, gap)])
    row, column = np.where(text < 0, -1, rows[text]), np.where(text < 0, -1, columns[text])
    table = np.zeros(len(targets) * len(contexts))
    for distance in range(1, WINDOW + 1):
        for here, there in ((row[:-distance], column[distance:]), (row[distance:], column[:-distance])):
            both = (here >= 0) & (there >= 0)
            table += np.bincount(here[both] * len(contexts) + there[both], minlength=len(table))
    counted = table.reshape(len(targets), len(contexts))
    expected = counted.sum(1, keepdims=True) * counted.sum(0, keepdims=True) / counted.sum()
    with np.errstate(divide="ignore", invalid="ignore"):
        weights = np.nan_to_num(np.log(counted / expected), nan=0.0, neginf=0.0).clip(0).astype(np.float32)
    weights /= np.maximum(np.linalg.norm(weights, axis=1, keepdims=True), 1e-9)
    return np.asarray(weights @ weights.T)


def _area(scores: NDArray[np.float32], hits: NDArray[np.bool_]) -> float:
    """Returns the area under the curve, ties in half."""
    _, places, sizes = np.unique(scores, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(sizes) - (sizes - 1) / 2)[places]
    hit = int(hits.sum())
    return float((ranks[hits].sum() - hit * (hit + 1) / 2) / (hit * (len(hits) - hit)))
