"""Scores texts by trigrams and words (native/languages/)."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

#: Number of code points, from 0, in a folding; its value for those that need the full algorithms of Unicode.
FOLDED: int
NOT_FOLDED: int

def is_word(text: str) -> bool:
    """Returns whether a text is one word: not empty, only letters and numbers that are not decimal digits."""

def running_text(text: str, most: int) -> tuple[int, int, int, int, int, int, int]:
    """Returns the counts of the first `most` characters of a text (native/languages/running_text.hpp).

    Returns:
        Characters but white space; letters; marks; signs of code; words; capitalised words; pieces with a letter.
    """

class NativeWordKeys:
    """The keys of a list of words, in UTF-8 with a line feed between words; or of the running words of a text."""

    def __init__(self, words: bytes) -> None: ...
    def __len__(self) -> int: ...

class NativeWordRatios:
    """The words of a language with their shares, each once, to be compared with those of other languages."""

    def __init__(self, keys: NativeWordKeys, shares: NDArray[np.uint32]) -> None: ...
    def unequal(
        self, other: NativeWordRatios, least_ratio: float, most_ratio: float, unit: float
    ) -> tuple[NativeWordKeys, bytes]:
        """Returns the words that are evidence for this language against the other, or for the other.

        A share is at least the larger one of the two languages' least shares, also that of a word which is missing.

        Args:
            other: the words of the other language.
            least_ratio: words whose shares are nearer to each other are no evidence; above 1.
            most_ratio: larger ratios count as this one.
            unit: stands for an evidence of 1.

        Returns:
            The keys of the words, and the logarithm of the ratio of their shares, int32, in units.

        Raises:
            ValueError: the ratios are not above 1 and ascending, or the largest evidence has over 31 bits.
        """

class NativeWordComparison:
    """Adds up the evidence of words for a language against others; finds that of a word when it comes."""

    def __init__(
        self,
        own: NativeWordRatios,
        others: Sequence[NativeWordRatios],
        least_ratio: float,
        most_ratio: float,
        unit: float,
    ) -> None:
        """Compares a language with others; ratios, unit and errors as for NativeWordRatios.unequal."""

    def sums(self, words: NativeWordKeys) -> list[int]:
        """Returns the sum of the evidence of running words against each of the other languages, in units."""

    def reach(self, words: NativeWordKeys, floors: Sequence[int]) -> bool:
        """Returns whether each of these sums is at least its floor, up to 2^62; often the first words tell.

        Raises:
            ValueError: there is not one floor for each of the other languages.
        """

class NativeWords:
    """The words of several lists, numbered from 0. Each list is UTF-8 with a line feed between words."""

    def __init__(self, lists: Sequence[bytes]) -> None: ...
    @staticmethod
    def of_keys(lists: Sequence[NativeWordKeys]) -> NativeWords:
        """Returns what NativeWords does for the lists with these keys."""

    def __len__(self) -> int: ...
    def numbers(self, place: int) -> bytes:
        """Returns the numbers of the words of a list, in its order, 32 bits each."""

class NativeListedWords:
    """Several lists of words, each in UTF-8 with a line feed between words; matched as they stand."""

    def __init__(self, lists: Sequence[bytes]) -> None: ...
    def counts(self, text: bytes) -> list[int]:
        """Returns for each list the running words of a text (UTF-8) that it has.

        A word is a longest sequence of letters, and of numbers that are no decimal digits.
        """

    def of_pages(
        self,
        text: bytes,
        offsets: NDArray[np.int64],
        pages: NDArray[np.int64],
        preferred: NDArray[np.uint8],
        most_bytes: int,
        least_characters: int,
    ) -> tuple[bytes, bytes]:
        """Counts the words of each page's sample.

        That is its preferred blocks, with a line feed between blocks, up to `most_bytes`; all of its blocks, if these
        have fewer characters than `least_characters`.

        Args:
            text: of all blocks (UTF-8).
            offsets: of each block in the text, and where the last one ends.
            pages: the first block of each page, and the number of blocks.
            preferred: by block, 0 or 1.
            most_bytes: of a sample; a character that is cut at its end is left out.
            least_characters: see above.

        Returns:
            The counts, 32 bits each, pages x lists; and by page a byte: 1 if the sample has a character of a script
            that may be written without spaces.

        Raises:
            ValueError: offsets or pages are not ascending or out of range, or there is not one mark per block.
        """

class NativeEvidence:
    """Evidence of words for several languages (languages.evidence), in whole numbers from -2^22 to 0."""

    def __init__(
        self,
        languages: Sequence[int],
        keys: Sequence[NDArray[np.uint64]],
        logs: Sequence[NDArray[np.int32]],
        words: NativeWords,
        word_logs: Sequence[NDArray[np.int32]],
        lowest: NDArray[np.int32],
        trigram_floor: int,
        trigram_lowest: int,
        word_floor: int,
    ) -> None:
        """Makes the tables.

        Args:
            languages: the language of each spelling.
            keys: the trigrams of each spelling.
            logs: the logarithms of their shares.
            words: a list per language.
            word_logs: the logarithm of the share of each word, by language.
            lowest: shape (2, languages): the lowest evidence of a word in another script, and in Latin letters.
            trigram_floor: the logarithm for a trigram that a language does not have.
            trigram_lowest: the lowest evidence of a trigram.
            word_floor: the logarithm for a word that a language does not have.
        """

class NativeScorer:
    """Scores by trigrams of several models (languages.trigrams.TrigramModel) and by words.

    Words have rows of weights, or evidence for several languages.
    """

    def __init__(
        self,
        keys: Sequence[NDArray[np.uint64]],
        weights: Sequence[NDArray[np.uint32]],
        folded: NDArray[np.uint32],
        words: NativeWords,
        word_weights: NDArray[np.int32],
        evidence: NativeEvidence | None = None,
    ) -> None: ...
    def sums(
        self, text: str, reduced: bool, words: NativeWordKeys | None = None
    ) -> tuple[int, list[int], int, list[int]] | None:
        """Returns running trigrams, the sum of each model, running words, the sum of each column.

        Adds the keys of the running words to `words`, but for words of over 256 characters. Returns None, and adds
        nothing, if the text must be reduced first.
        """
