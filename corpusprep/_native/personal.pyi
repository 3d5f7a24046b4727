"""Personal data in texts (native/personal/finder.hpp)."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

class PersonalFinder:
    """Finds e-mail addresses, telephone numbers, IP addresses, IBANs, cards and identity numbers. For one thread."""

    def __init__(
        self,
        calling_codes: Mapping[str, tuple[int, int]],
        iban_lengths: Mapping[str, int],
        phones: Sequence[tuple[str, int, int, str, Sequence[str]]],
        identities: Sequence[Sequence[tuple[str, str]]],
        phone_words: Iterable[str],
        other_words: Iterable[str],
        version_words: Iterable[str],
        ip_words: Iterable[str],
    ) -> None:
        """Takes the rules, as corpusprep.personal.rules has them.

        Raises:
            ValueError: there are more than 64 countries, or a word or a pattern is empty.
        """

    def find(self, texts: Iterable[str], countries: int = 0) -> NDArray[np.uint32]:
        """Returns a row per place: number of the text, number of the kind, start, end (code points); shape (n, 4).

        Args:
            texts: each with an order of places of its own.
            countries: a bit per country whose telephone and identity numbers are looked for.

        Raises:
            ValueError: a text has 4 Gi characters or more.
        """
