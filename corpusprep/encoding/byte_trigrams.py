"""Byte-trigram vectors of a language's text in each encoding in use on its Web (PRESEMT D3.1, 4: chared).

One text is converted to all the encodings, trigrams of bytes are counted in each, and those with the same
frequency in all of them are dropped: what is left is only where the encodings differ. The text is made
from the language's words: small, with a first capital, in capitals, and beside typographic marks, each
in a share such as running text has.

ASCII other than letters is a space here, in the model as in a page, so that markup and punctuation are
word boundaries. Trigrams of ASCII alone say nothing and are left out: all these encodings extend ASCII,
but for iso-2022-jp, which is told by its escape sequences and has no vector.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from corpusprep._native.charsets import ByteTrigrams
from corpusprep._native.unicode import upper
from corpusprep.encoding.charsets import encode

#: Words that the text is made of, the most frequent ones.
MOST_WORDS = 10_000
#: How often a word stands in another form, or beside a mark, for each time it stands by itself.
FIRST_CAPITAL, CAPITALS, BESIDE_MARK = 0.15, 0.03, 0.003
#: Words that are also put beside marks.
MARKED_WORDS = 2_000
MARKS = (
    "“{}”", "„{}“", "«{}»", "‘{}’", "{} –", "– {}", "{} —", "— {}",
    "{}…", "{}’", "• {}", "{} €", "© {}", "\u00a0{}",
)  # fmt: skip
#: Weights are whole numbers in units of this share of the words, so that sums are exact.
WEIGHT_UNIT = 1 << 32

_SPACE = 0x20
#: Encodings of seven bits, which have no vector: their column is zero.
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
        names: WHATWG names, the language's own in the order of their use, then utf-8.
        keys: the trigrams, uint32, ascending, the first byte highest.
        weights: their frequencies, uint32 of shape (len(keys) + 1, len(names)), in units of 1 / WEIGHT_UNIT
            of the words; the last row is zero, for trigrams that are not in the model.
        alone: the only name beside utf-8, or None if there are several or none.
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
        """Each encoding's scalar product with the trigrams of `data`, in units of 1 / WEIGHT_UNIT.

        Args:
            data: the page; a space is thought before the first byte and after the last.
            most: trigrams beyond ASCII that are looked at, at most, from the beginning.
        """
        return self._native.products(data, most)

    def any(self, data: bytes, most: int, name: str) -> bool:
        """Whether the encoding's product is more than 0, which is seen from a page's first bytes mostly."""
        return self._native.any(data, most, self.names.index(name))


def candidates(encodings: Sequence[str]) -> tuple[str, ...]:
    """The encodings that are compared, of a language that has these: each once, then utf-8."""
    return (*dict.fromkeys(name for name in encodings if name != "utf-8"), "utf-8")


def model_of(
    words: Sequence[str],
    shares: npt.NDArray[np.float64],
    encodings: Sequence[str],
    capital: Callable[[str], str],
) -> EncodingModel:
    """The vectors of `encodings` and utf-8 for a language.

    Args:
        words: its words in all its spellings, the most frequent first.
        shares: of each, among running words.
        encodings: WHATWG names, in the order of their use.
        capital: a word with a first capital, as the language writes it.
    """
    names = candidates(encodings)
    forms = list(_forms(words[:MOST_WORDS], shares.tolist(), capital))
    counted = {column: _count(forms, name) for column, name in enumerate(names) if name not in SEVEN_BITS}
    keys = np.unique(np.concatenate([found for found, _ in counted.values()]))
    weights = np.zeros((len(keys) + 1, len(names)), np.uint32)
    for column, (found, frequencies) in counted.items():
        scaled = np.minimum(np.rint(frequencies * WEIGHT_UNIT), WEIGHT_UNIT - 1)
        weights[np.searchsorted(keys, found), column] = scaled.astype(np.uint32)
    compared = weights[:-1, list(counted)]
    differ = (compared != compared[:, :1]).any(axis=1)
    return EncodingModel(names, keys[differ], weights[np.append(differ, True)])


def _forms(words: Sequence[str], shares: Sequence[float], capital: Callable[[str], str]) -> Iterator[tuple[str, float]]:
    """The lines of the text, and how often each stands in it."""
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
    """The trigrams of the text in an encoding, ascending, and their frequencies.

    A character that the encoding lacks becomes a question mark, and trigrams with one are not counted. The
    others of its line stay the same in all encodings, and so are dropped: leaving out the line would favour
    the encodings with more characters, a space in its place those with fewer.
    """
    data = encode("\n".join(form for form, _ in forms), encoding)
    shares = np.array([share for _, share in forms])
    keys, places = _running(data)
    codes = np.frombuffer(b" " + data + b" ", np.uint8)
    line_ends = codes == ord("\n")
    lacking = codes == ord("?")
    # The middle of a trigram tells its line; a line feed in the middle joins two lines, not two words.
    counted = ~(line_ends[places + 1] | lacking[places] | lacking[places + 1] | lacking[places + 2])
    keys, line_numbers = keys[counted], np.cumsum(line_ends)[places[counted] + 1]
    distinct, inverse = np.unique(keys, return_inverse=True)
    frequencies = np.bincount(inverse, shares[line_numbers], len(distinct))
    return distinct.astype(np.uint32), frequencies.astype(np.float64)


def _running(data: bytes) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.intp]]:
    """The running trigrams of bytes beyond ASCII, and the place of each one's middle.

    A space is thought before the first byte and after the last.
    """
    codes = np.empty(len(data) + 2, np.uint32)
    codes[0] = codes[-1] = _SPACE
    codes[1:-1] = _FOLD[np.frombuffer(data, np.uint8)]
    high = codes >= 0x80
    places = np.flatnonzero(high[:-2] | high[1:-1] | high[2:])
    keys = codes[places] << 16 | codes[places + 1] << 8 | codes[places + 2]
    return keys.astype(np.uint32, copy=False), places
