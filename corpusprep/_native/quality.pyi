"""Signals of a document's quality (native/quality/)."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

#: How words of a language with hyphens are cut: two or more cut; one between letters, too; also behind a digit.
HYPHENS: tuple[str, ...]
#: The names of the signals, in the order of the columns of `QualitySignals.measure`.
SIGNALS: tuple[str, ...]
#: The number of features of a text; each is below it.
FEATURES: int

def text_features(text: str) -> NDArray[np.uint32]:
    """Returns the features of a text: of each word or mark, then of it and the one before it.

    Raises:
        ValueError: it has 4 GiB or more of UTF-8.
    """

def feature_sums(texts: Iterable[str], weights: NDArray[np.int16]) -> NDArray[np.int64]:
    """Returns the sum of the weights of each text's features, and their number; shape (texts, 2).

    Raises:
        ValueError: there are not FEATURES weights, or a text has 4 GiB or more of UTF-8.
    """

class QualitySignals:
    """Measures documents as filters for language models do. For one thread."""

    def __init__(
        self,
        exceptions: Iterable[Sequence[str]] = (),
        stop_words: Iterable[str] = (),
        hyphens: str = "between_letters",
        elision: bool = False,
        ordinals: bool = False,
    ) -> None:
        """Takes the words that are cut as they say, each as its parts, and the stop words that are looked for.

        Args:
            exceptions: words, each as its parts.
            stop_words: as they are written.
            hyphens: one of HYPHENS.
            elision: whether an apostrophe ends a word before a letter.
            ordinals: whether a full stop stays with the number before it.

        Raises:
            ValueError: an exception has no part, or an empty one, or `hyphens` is unknown.
        """

    def measure(self, texts: Iterable[str]) -> NDArray[np.float64]:
        """Returns the signals of each text, whose lines end with a line feed; shape (texts, len(SIGNALS)).

        Raises:
            ValueError: a text has 4 GiB or more of UTF-8.
        """

    def words(self, text: str) -> list[str]:
        """Returns the words of a text, as the signals count them."""

class LetterModel:
    """Measures what words cost under a model of letters. For one thread."""

    def __init__(self, words: bytes, shares: NDArray[np.uint32]) -> None:
        """Takes words, case folded and separated by line feeds, and the share of each in 1 / 2^32.

        Raises:
            ValueError: there are not as many.
        """

    def measure(self, texts: Iterable[str]) -> NDArray[np.int64]:
        """Returns the cost of each text in 1 / 65,536, and its letters with ends of words; shape (texts, 2).

        A cost is a negative natural logarithm of a probability.

        Raises:
            ValueError: a text has 4 GiB or more of UTF-8.
        """

class ListedPhrases:
    """Counts the words of texts that are in a list of words and phrases."""

    def __init__(self, phrases: Iterable[str]) -> None:
        """Takes the words and phrases, in any case of letters."""

    def measure(self, texts: Iterable[str]) -> NDArray[np.int64]:
        """Returns the words of each text that are in phrases of the list, and all its words; shape (texts, 2).

        Raises:
            ValueError: a text has 4 GiB or more of UTF-8.
        """
