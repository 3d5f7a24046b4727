"""Detects the encoding of a page that is in one of several languages: encoding and language are decided together.

Most pages need no language: they are UTF-8, UTF-16, or have a byte order mark. Of the others, a part is decoded in each
encoding that is in use in any of the languages. The language whose character trigrams fit the text in one of its
encodings best is the one that decides: the encoding is the one that a corpus of this language alone would detect
(corpusprep.encoding.detection).
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from corpusprep.encoding.charsets import decode
from corpusprep.encoding.detection import KnownEncodings, closest, settle
from corpusprep.encoding.text_bytes import text_bytes

#: Where no language has any evidence, and the page declares nothing.
_USUAL = "windows-1252"


@dataclass(frozen=True)
class Candidates:
    """The languages that a page may be in.

    Attributes:
        models: the languages.
        scores: returns the similarity of a text to each of them, 0 to 1.
    """

    models: Sequence[KnownEncodings]
    scores: Callable[[str], Sequence[float]]

    def detect(self, data: bytes, declared: Iterable[str | None] = ()) -> tuple[str, float]:
        """Detects the encoding of a page; arguments and result are as for detection.detect."""
        names = [name for name in declared if name is not None]
        settled, share = settle(data, self._in_use, names)
        if settled:
            return settled
        sample = text_bytes(data)
        fits = {name: self._fits(sample, name) for name in self._in_use}
        best = [
            max(fits[name][place] for name in {"utf-8", *model.encoding_names})
            for place, model in enumerate(self.models)
        ]
        if not max(best):
            return names[0] if names else _USUAL, 0.0
        # Of equal languages, the first.
        return closest(data, self.models[best.index(max(best))].encodings, share, names)

    @cached_property
    def _in_use(self) -> list[str]:
        """The encodings of all languages."""
        return sorted({"utf-8", *(name for model in self.models for name in model.encoding_names)})

    def _fits(self, sample: bytes, encoding: str) -> list[float]:
        """Returns how well the text, decoded in an encoding, fits each language."""
        text, undecodable = decode(sample, encoding)
        valid = 1.0 - undecodable / max(1, len(text))
        return [score * valid for score in self.scores(text)]
