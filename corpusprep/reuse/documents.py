"""Documents as sequences of word ids, and their n-grams: the input of every comparator."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpusprep._native.ngrams import word_key
from corpusprep._native.unicode import PUNCTUATION, SYMBOL, unicode_class
from corpusprep.reuse.hashing import Keys, ngram_keys


class _ByDocument:
    """Items of documents, one document after the other: document d has the items offsets[d] to offsets[d + 1]."""

    __slots__ = ()
    offsets: NDArray[np.int64]

    def __len__(self) -> int:
        """Returns the number of documents."""
        return len(self.offsets) - 1

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Items of each document."""
        return np.diff(self.offsets)

    @property
    def owners(self) -> NDArray[np.int64]:
        """The document of each item."""
        return np.repeat(np.arange(len(self)), self.sizes)


@dataclass(slots=True, frozen=True, eq=False)
class Features(_ByDocument):
    """Keys by documents: document d has keys[offsets[d]:offsets[d + 1]].

    Attributes:
        keys: uint64, shape (features,).
        offsets: int64, shape (documents + 1,), from 0 to the number of features.
    """

    keys: Keys
    offsets: NDArray[np.int64]

    def keep(self, mask: NDArray[np.bool_]) -> "Features":
        """Returns the features where `mask`, of shape (features,), is set."""
        return Features(self.keys[mask], counted_offsets(mask, self.offsets))


@dataclass(slots=True, frozen=True, eq=False)
class Documents(_ByDocument):
    """Documents in the corpus's order, with the tokens of one after the tokens of the other.

    Attributes:
        names: name of each document.
        words: uint32, shape (tokens,): the word of each token, an index into `lexicon`.
        offsets: int64, shape (documents + 1,): the tokens of document d are words[offsets[d]:offsets[d + 1]].
        places: int64, shape (tokens,): position of each token in its whole document, from 0, before any was left out.
        lines: int64, shape (tokens,): the line of each token in its document, ascending; a block of a corpus is a line.
        lexicon: the words, by id.
        word_keys: uint64, shape (words,): hash.hpp's word_key of each word.
    """

    names: tuple[str, ...]
    words: NDArray[np.uint32]
    offsets: NDArray[np.int64]
    places: NDArray[np.int64]
    lines: NDArray[np.int64]
    lexicon: tuple[str, ...]
    word_keys: Keys

    @property
    def keys(self) -> Features:
        """hash.hpp's word_key of each token."""
        return Features(self.word_keys[self.words], self.offsets)

    @classmethod
    def from_tokens(
        cls, documents: Iterable[tuple[str, Iterable[str]]], lines: Iterable[Sequence[int]] | None = None
    ) -> "Documents":
        """Returns documents of (name, tokens). Words get ids in the order of their first occurrence (3.4.2).

        Args:
            documents: in the order of the corpus.
            lines: of each document, the line of each token; None: every document is one line.

        >>> Documents.from_tokens([("one", ["to", "be"]), ("two", ["be"])]).words.tolist()
        [0, 1, 1]
        """
        ids: dict[str, int] = {}
        names: list[str] = []
        parts: list[NDArray[np.uint32]] = []
        for name, tokens in documents:
            names.append(name)
            parts.append(np.array([ids.setdefault(token, len(ids)) for token in tokens], np.uint32))
        sizes = np.array([len(part) for part in parts], np.int64)
        offsets = offsets_of(sizes)
        words = np.concatenate([np.empty(0, np.uint32), *parts])
        places = np.arange(len(words)) - np.repeat(offsets[:-1], sizes)
        numbers = np.zeros(len(words), np.int64)
        if lines is not None:
            numbers = np.concatenate([numbers[:0], *(np.asarray(line, np.int64) for line in lines)])
        keys = np.array([word_key(word.encode("utf-8", "surrogatepass")) for word in ids], np.uint64)
        return cls(tuple(names), words, offsets, places, numbers, tuple(ids), keys)

    def keep(self, mask: NDArray[np.bool_]) -> "Documents":
        """Returns the documents with the tokens where `mask`, of shape (tokens,), is set; all documents stay."""
        offsets = counted_offsets(mask, self.offsets)
        kept = self.words[mask], offsets, self.places[mask], self.lines[mask]
        return Documents(self.names, *kept, self.lexicon, self.word_keys)

    def keep_words(self, counts: Callable[[str], bool]) -> "Documents":
        """Returns the documents with the tokens whose word `counts`."""
        chosen = np.fromiter((counts(word) for word in self.lexicon), np.bool_, len(self.lexicon))
        return self.keep(chosen[self.words])

    def without_punctuation(self) -> "Documents":
        """Returns the documents without the tokens that start with punctuation or a symbol (3.6.2)."""
        return self.keep_words(lambda word: unicode_class(ord(word[0])) not in (PUNCTUATION, SYMBOL))

    def ngrams(self, n: int) -> tuple[Features, NDArray[np.int64]]:
        """Returns all n-grams in order, and the token where each starts.

        N-grams never cross documents; a document of fewer than n tokens has none.

        Returns:
            The keys; indices into `words`, shape (n-grams,).
        """
        starts = np.arange(max(len(self.words) - n + 1, 0))
        inside = starts + n <= np.repeat(self.offsets[1:], self.sizes)[: len(starts)]
        keys = ngram_keys(self.word_keys[self.words], n)[inside]
        return Features(keys, offsets_of(np.maximum(self.sizes - n + 1, 0))), starts[inside]


def offsets_of(sizes: NDArray[Any]) -> NDArray[np.int64]:
    """Returns where consecutive items of these sizes begin, and where the last ends."""
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


def ranges(starts: NDArray[np.int64], lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """Returns the numbers start, start + 1, … of each range, one range after the other."""
    before = np.cumsum(lengths) - lengths
    return np.asarray(np.arange(lengths.sum()) + np.repeat(starts - before, lengths), np.int64)


def counted_offsets(mask: NDArray[np.bool_], offsets: NDArray[np.int64]) -> NDArray[np.int64]:
    """Returns the offsets of the items where `mask` is set."""
    return offsets_of(mask)[offsets]


def as_sets(features: Features) -> Features:
    """Returns the distinct features of each document, ascending."""
    owners = features.owners
    order = np.lexsort((features.keys, owners))
    keys = features.keys[order]
    first = np.ones(len(keys), np.bool_)
    first[1:] = (keys[1:] != keys[:-1]) | (owners[1:] != owners[:-1])
    return Features(keys, features.offsets).keep(first)
