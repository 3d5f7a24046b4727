"""Byte-trigram vectors of a language's text in each encoding in use on its Web (PRESEMT D3.1, 4: chared).

One text is converted to all encodings, and trigrams of bytes are counted in each. Trigrams with the same frequency in
all encodings are dropped, so only the differences are left. The text is made from the language's words: in lower case,
with a first capital, in capitals, and next to typographic marks, each in a share like that in running text.

ASCII characters other than letters count as spaces, in the model and in a page, so that markup and punctuation are
word boundaries. Trigrams of ASCII alone are left out, because all these encodings extend ASCII. The exception is
iso-2022-jp, which is recognised by its escape sequences and has no vector.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from corpusprep._native.charsets import ByteTrigrams
from corpusprep._native.unicode import upper
from corpusprep.encoding.charsets import encode

#: Number of words that the text is made of, the most frequent ones.
TEXT_WORDS = 10_000
#: Frequency of a word with a first capital, in capitals, and next to a mark, relative to its lower-case form.
FIRST_CAPITAL, CAPITALS, BESIDE_MARK = 0.15, 0.03, 0.003
#: Number of words, the most frequent ones, that also occur next to marks.
MARKED_WORDS = 2_000
MARKS = (
    "“{}”", "„{}“", "«{}»", "‘{}’", "{} –", "– {}", "{} —", "— {}",
    "{}…", "{}’", "• {}", "{} €", "© {}", "\u00a0{}",
)  # fmt: skip
#: Weights are stored as integers, so that sums are exact: this value means all words.
WEIGHT_UNIT = 1 << 32

_SPACE = 0x20
#: Seven-bit encodings have no vector: their column is zero.
SEVEN_BITS = frozenset({"iso-2022-jp"})


def _fold() -> npt.NDArray[np.uint8]:
    fold = np.full(256, _SPACE, np.uint8)
    for byte in (*range(0x41, 0x5B), *range(0x61, 0x7B), *range(0x80, 0x100)):
        fold[byte] = byte
    return fold


_FOLD = _fold()


@dataclass(frozen=True, slots=True, eq=False)
class EncodingModel:
    """The vectors of a language's encodings, over the trigrams in which they differ.

    Attributes:
        names: WHATWG names, first the language's encodings in order of use, then utf-8.
        keys: the trigrams, uint32, ascending, the first byte in the highest bits.
        weights: frequencies of the trigrams, uint32, shape (len(keys) + 1, len(names)), in units of 1 / WEIGHT_UNIT of
            the words; the last row is zero, for trigrams that are not in the model.
        alone: the only name besides utf-8; None if there are several or none.
    """

    names: tuple[str, ...]
    keys: npt.NDArray[np.uint32]
    weights: npt.NDArray[np.uint32]

    alone: str | None = field(init=False, repr=False)
    _native: ByteTrigrams = field(init=False, repr=False)

    def __post_init__(self) -> None:
        keys, weights = np.ascontiguousarray(self.keys), np.ascontiguousarray(self.weights)
        object.__setattr__(self, "_native", ByteTrigrams(keys, weights))
        others = [name for name in self.names if name != "utf-8"]
        object.__setattr__(self, "alone", others[0] if len(others) == 1 else None)

    def products(self, data: bytes, most: int) -> list[int]:
        """Returns each encoding's scalar product with the trigrams of `data`, in units of 1 / WEIGHT_UNIT.

        Args:
            data: the page; a space is assumed before the first byte and after the last.
            most: maximum number of trigrams outside ASCII, counted from the beginning.
        """
        return self._native.products(data, most)

    def any(self, data: bytes, most: int, name: str) -> bool:
        """Returns whether the encoding's product is above 0; mostly decided by a page's first bytes."""
        return self._native.any(data, most, self.names.index(name))


def candidates(encodings: Sequence[str]) -> tuple[str, ...]:
    """Returns the encodings to compare for a language with these encodings: each once, then utf-8."""
    return (*dict.fromkeys(name for name in encodings if name != "utf-8"), "utf-8")


def model_of(
    words: Sequence[str],
    shares: npt.NDArray[np.float64],
    encodings: Sequence[str],
    capital: Callable[[str], str],
) -> EncodingModel:
    """Makes the vectors of `encodings` and utf-8 for a language.

    Args:
        words: the words in all spellings, the most frequent first.
        shares: share of each among the running words.
        encodings: WHATWG names, in order of use.
        capital: returns a word with a first capital, as the language writes it.
    """
    names = candidates(encodings)
    forms = list(_forms(words[:TEXT_WORDS], shares.tolist(), capital))
    counted = {column: _count(forms, name) for column, name in enumerate(names) if name not in SEVEN_BITS}
    keys = np.unique(np.concatenate([trigrams for trigrams, _ in counted.values()]))
    weights = np.zeros((len(keys) + 1, len(names)), np.uint32)
    for column, (trigrams, frequencies) in counted.items():
        scaled = np.minimum(np.rint(frequencies * WEIGHT_UNIT), WEIGHT_UNIT - 1)
        weights[np.searchsorted(keys, trigrams), column] = scaled.astype(np.uint32)
    compared = weights[:-1, list(counted)]
    differ = (compared != compared[:, :1]).any(axis=1)
    return EncodingModel(names, keys[differ], weights[np.append(differ, True)])


def _forms(words: Sequence[str], shares: Sequence[float], capital: Callable[[str], str]) -> Iterator[tuple[str, float]]:
    """Yields the lines of the text, and the frequency of each."""
    for number, (word, share) in enumerate(zip(words, shares, strict=False)):
        yield word, share
        first = capital(word)
        if first != word:
            yield first, share * FIRST_CAPITAL
            yield upper(word), share * CAPITALS
        if number < MARKED_WORDS:
            for mark in MARKS:
                yield mark.format(word), share * BESIDE_MARK


def _count(forms: Sequence[tuple[str, float]], encoding: str) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.float64]]:
    """Counts the trigrams of the text in an encoding: returns trigrams, ascending, and their frequencies.

    A character missing from the encoding becomes a question mark, and trigrams with a question mark are not counted.
    The other trigrams of its line are the same in all encodings, and so are dropped. Leaving out the line would favour
    encodings with more characters; writing a space instead would favour encodings with fewer.
    """
    data = encode("\n".join(form for form, _ in forms), encoding)
    shares = np.array([share for _, share in forms])
    keys, places = _running(data)
    codes = np.frombuffer(b" " + data + b" ", np.uint8)
    line_ends = codes == ord("\n")
    missing = codes == ord("?")
    # A trigram belongs to the line of its middle byte; a line feed in the middle belongs to no word.
    counted = ~(line_ends[places + 1] | missing[places] | missing[places + 1] | missing[places + 2])
    keys, line_numbers = keys[counted], np.cumsum(line_ends)[places[counted] + 1]
    distinct, inverse = np.unique(keys, return_inverse=True)
    frequencies = np.bincount(inverse, shares[line_numbers], len(distinct))
    return distinct.astype(np.uint32), frequencies.astype(np.float64)


def _running(data: bytes) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.intp]]:
    """Returns the running trigrams with a byte outside ASCII, and the place of each one's middle byte.

    A space is assumed before the first byte and after the last.
    """
    codes = np.empty(len(data) + 2, np.uint32)
    codes[0] = codes[-1] = _SPACE
    codes[1:-1] = _FOLD[np.frombuffer(data, np.uint8)]
    high = codes >= 0x80
    places = np.flatnonzero(high[:-2] | high[1:-1] | high[2:])
    keys = codes[places] << 16 | codes[places + 1] << 8 | codes[places + 2]
    return keys.astype(np.uint32, copy=False), places
