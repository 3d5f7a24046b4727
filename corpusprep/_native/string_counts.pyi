"""Counts of the strings between spaces (native/statistics/string_counts.hpp)."""

from collections.abc import Sequence
from os import PathLike
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

class Column(Protocol):
    """A column of text, such as a series of polars; null counts as empty text."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...

class StringCounts:
    """Counts how often each string between spaces (U+0020) occurs in sets of texts.

    A string of `spaced` characters counts as the words inside it, between white space: in lower case, without the
    characters at both ends that are no letters, marks or numbers. A word does not count if it has no letter or more
    than `longest` characters. Of runs of Han and Hiragana all pairs of characters count in place of words, or the only
    character. Any other string that is not empty is odd: it counts unchanged, apart from the words; so does one of more
    than 4,096 bytes with white space, Han or Hiragana.
    """

    def __init__(self, most_bytes: int, longest: int, sets: int) -> None:
        """Starts without counts. `add` stops when they take `most_bytes` of memory, or up to twice as much.

        Raises:
            ValueError: `longest` is above 65,536, or `sets` is not 1 to 256.
        """

    @staticmethod
    def spaced(character: int) -> bool:
        """Returns whether a string with this character (a code point) may be no odd one.

        It is in a script with spaces between words, or Han or Hiragana, and assigned in Unicode 14; its lower case is
        one character, whatever is beside it. No character from U+FFF0 on is spaced.
        """

    def add(self, texts: Column, sets: NDArray[np.uint8], text: int = 0, place: int = 0) -> tuple[int, int]:
        """Counts the strings of texts, each for its set, from byte `place` of a text on.

        Returns:
            Where it stopped: after the last text (their number, 0), or, with its memory full, before a space in a text
            or after a text (the next one, 0). Then `take_odd` and `take` must be called next.

        Raises:
            ValueError: the texts are not text, the sets do not fit them, or the place is not in them.
        """

    def add_words(self, words: Column, counts: NDArray[np.int64]) -> None:
        """Adds words as they are, with their counts in each set: shape (words, sets).

        Raises:
            ValueError: a word is empty or has more than 65,536 bytes, or the shape does not fit.
            OverflowError: a count, or the sum of counts of a word, is below 0 or above 4,294,967,295.
        """

    def take_odd(self) -> tuple[bytes, NDArray[np.int64], NDArray[np.int64]]:
        """Takes the odd strings, in any order, as `take` does the words."""

    def take(self, most: int | None = None) -> tuple[bytes, NDArray[np.int64], NDArray[np.int64]]:
        """Takes the next words in the order of their bytes: up to `most`, or all. After the last it starts again.

        Nothing may be added before the last word was taken.

        Returns:
            The n different words one after another, n + 1 offsets, and counts of shape (sets, n): word i is
            text[offsets[i]:offsets[i + 1]] and occurs counts[s, i] times in set s.

        Raises:
            ValueError: there are odd strings.
        """

    def write_run(self, path: str | PathLike[str]) -> None:
        """Writes the words as a run, and starts again without counts.

        Raises:
            ValueError: there are odd strings, or some words were taken, but not all.
            OSError: the file cannot be written.
        """

def merge_word_runs(paths: Sequence[str | PathLike[str]], sets: int, output: str | PathLike[str]) -> None:
    """Merges runs of StringCounts into one. Each takes 64 kB and an open file."""

class WordRuns:
    """Adds up the words of runs."""

    def __init__(self, paths: Sequence[str | PathLike[str]], sets: int) -> None:
        """Takes 64 kB and an open file per run.

        Raises:
            StageFileError: a run is damaged, or its words have other than `sets` counts; also while reading.
        """

    def read(self, most: int) -> tuple[bytes, NDArray[np.int64], NDArray[np.int64]]:
        """Returns the next `most` words with the sums of their counts, as `take` does; at the end fewer, then none."""
