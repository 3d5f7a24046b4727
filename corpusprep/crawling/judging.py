"""Judges pages while they are fetched: how much new text in a language each one brings.

The workflow has the same kernels: encoding, boilerplate (jusText, as in SpiderLing), language. Text that has been
seen counts once: digits and punctuation are not looked at, so the pages of an endless calendar are one.
"""

import re
from collections.abc import Collection
from hashlib import blake2b

from corpusprep import languages
from corpusprep.extraction.library import extract
from corpusprep.languages.filtering import Judge
from corpusprep.languages.identifiers import METHODS
from corpusprep.tables.verdicts import KEPT

ALGORITHM = "justext"
#: Bytes of the digests of texts: of a hundred million texts, one pair in a thousand million would be taken for equal.
DIGEST_BYTES = 8
_NO_LETTERS = re.compile(r"[\W\d_]+")


class PageJudge:
    """Tells the clean bytes of pages. It remembers a digest of each text.

    Attributes:
        seen: digests of the texts that have been counted.
    """

    def __init__(self, language: str, algorithm: str = ALGORITHM, seen: Collection[int] = ()) -> None:
        """Makes a judge.

        Args:
            language: a built-in language's code, or the path of a model.
            algorithm: of boilerplate removal.
            seen: digests of texts that have been counted before.

        Raises:
            LanguageError: the language is unknown.
        """
        self._language, self._algorithm = language, algorithm
        model = languages.get(language)
        self._judge = Judge(model, [languages.get(rival) for rival in model.rivals], model.threshold, METHODS[0])
        self.seen = set(seen)

    def clean_bytes(self, page: bytes) -> int:
        """Returns the bytes, in UTF-8, of a page's good text: 0 if it is in another language, or has been seen."""
        text = "\n".join(
            block.text for block in extract(page, self._language, self._algorithm) if block.label == "good"
        )
        if not text or self._judge(text).verdict != KEPT:
            return 0
        letters = _NO_LETTERS.sub("", text.lower()).encode()
        digest = int.from_bytes(blake2b(letters, digest_size=DIGEST_BYTES).digest(), "big")
        if digest in self.seen:
            return 0
        self.seen.add(digest)
        return len(text.encode())
