"""The languages that the pages of a crawl may be in, from a folder of models; tells which one a text is closest to."""

import re
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from corpusprep import languages
from corpusprep._native.trigrams import NativeListedWords
from corpusprep.encoding.unknown_language import Candidates
from corpusprep.errors import LanguageError
from corpusprep.languages.model import LanguageModel
from corpusprep.languages.scoring import TrigramScorer
from corpusprep.languages.word_evidence import TextWords

#: Languages with at least this share of the most stop words are near: Danish and Norwegian, Czech and Slovak.
NEARLY = 0.7
#: With fewer stop words, a page has no running text, and trigrams decide.
FEW = 5
# A character of a script that may be written without spaces: from Thai on, but for Latin, Greek and punctuation. Only
# in a page that has one can the trigrams of such a language be closest.
_UNSPACED = re.compile("[\u0e00-\u1dff\u2e80-\ufaff\U00020000-\U000323af]")


class PageTexts(NamedTuple):
    """The text of pages that tells their language: some of their blocks, from the beginning.

    Attributes:
        text: of all blocks, in UTF-8.
        offsets: where each block begins in the text, and where the last one ends; int64.
        pages: the first block of each page, and the number of blocks; int64.
        preferred: whether a block is taken first; uint8, 0 or 1.
        most_bytes: how much of a page is taken.
        least_characters: all blocks of a page are taken if the preferred ones have fewer.
    """

    text: bytes
    offsets: npt.NDArray[np.int64]
    pages: npt.NDArray[np.int64]
    preferred: npt.NDArray[np.uint8]
    most_bytes: int
    least_characters: int


class KnownLanguages:
    """Languages by code, in the order of their codes.

    Attributes:
        models: code -> model.
        places: code -> its place among them.
    """

    def __init__(self, models: Sequence[LanguageModel]) -> None:
        self.models = {model.code: model for model in sorted(models, key=lambda model: model.code)}
        self._codes = list(self.models)
        self.places = {code: place for place, code in enumerate(self._codes)}

    @classmethod
    def read(cls, folder: Path) -> "KnownLanguages":
        """Reads the models (*.model) of a folder.

        Raises:
            LanguageError: there is none, or a file cannot be used.
        """
        paths = sorted(folder.glob("*.model"))
        if not paths:
            raise LanguageError(f"{folder}: no language models (*.model) here")
        return cls([languages.get(path) for path in paths])

    def get(self, code: str) -> LanguageModel:
        """Returns the model of a language: one of these, or a built-in one.

        Raises:
            LanguageError: the language is unknown.
        """
        return self.models.get(code) or languages.get(code)

    def scores(self, text: str) -> list[float]:
        """Returns the similarity of a text to each language, 0 to 1; all 0 for a text without letters."""
        return self._scorer.scores(text)

    def measured(self, text: str) -> tuple[list[float], TextWords]:
        """Returns what `scores` does, and the words of the text."""
        return self._scorer.measured(text)

    def closest(self, text: str) -> str | None:
        """Returns the code of the language whose running text a page has; None for a page without letters.

        The language whose stop words are most of the words: a page may have more code, names and addresses than text,
        and these look like any language, but hardly have stop words. Where several languages have nearly as many
        (NEARLY), and in scripts without spaces, the similarity of the trigrams decides.
        """
        counts = self._stop_lists.counts(text.encode("utf-8", "replace"))
        place = -1 if _UNSPACED.search(text) else int(self._by_words(np.array([counts], np.uint32))[0])
        return self._codes[place] if place >= 0 else self._closest(text, counts)

    def closest_of_pages(self, pages: PageTexts, text_of: Callable[[int], str]) -> list[str | None]:
        """Returns what `closest` does for the text of each page; None for a page without text.

        Args:
            pages: the blocks of the pages, and which part of them is the text of a page.
            text_of: returns the text of a page, for those where the stop words do not decide.
        """
        counted, unspaced = self._stop_lists.of_pages(*pages)
        counts = np.frombuffer(counted, np.uint32).reshape(len(unspaced), len(self.models))
        places = np.where(np.frombuffer(unspaced, np.bool_), -1, self._by_words(counts)).tolist()
        return [
            self._codes[place] if place >= 0 else self._closest(text_of(page), counts[page].tolist())
            for page, place in enumerate(places)
        ]

    def _by_words(self, counts: npt.NDArray[np.uint32]) -> npt.NDArray[np.intp]:
        """Returns the place of the language that the stop words of each text tell, -1 if they do not.

        Args:
            counts: of the stop words of each language, shape (texts, languages). Scripts have spaces between words.
        """
        most = counts.max(axis=1, initial=0)
        near = np.count_nonzero(counts >= NEARLY * most[:, None], axis=1)
        places = counts.argmax(axis=1) if counts.shape[1] else np.zeros(len(counts), np.intp)
        return np.where((most >= FEW) & (near == 1), places, -1)

    def _closest(self, text: str, counts: Sequence[int]) -> str | None:
        """Returns the language of a text where its trigrams have a say."""
        by_code = dict(zip(self._codes, counts, strict=True))
        most = max(counts, default=0)
        near = sorted(code for code, number in by_code.items() if number >= NEARLY * most)
        scores = dict(zip(self.models, self.scores(text), strict=True))
        best = min(scores, key=lambda code: (-scores[code], code))
        if most >= FEW and not self.models[best].characters_per_word:
            best = min(near, key=lambda code: (-scores[code], code))
        return best if scores[best] else None

    @cached_property
    def _stop_lists(self) -> NativeListedWords:
        """Counts the stop words of each language; letters of the alphabet are left out: they are names in code."""
        lists = ([word for word in model.stop_words if len(word) > 1 or not word.isascii()] for model in self._all)
        return NativeListedWords(["\n".join(sorted(words)).encode() for words in lists])

    @property
    def _all(self) -> list[LanguageModel]:
        return list(self.models.values())

    @property
    def encodings(self) -> Candidates:
        """What detects the encoding of a page in any of these languages."""
        return Candidates(self._all, self.scores)

    @cached_property
    def _scorer(self) -> TrigramScorer:
        return TrigramScorer(self._all)
