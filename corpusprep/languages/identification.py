"""Identifies the language of a text and the encoding of a page: functions of the public library."""

import functools
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from corpusprep.encoding import charsets, detection
from corpusprep.encoding.unknown_language import Candidates
from corpusprep.errors import LanguageError
from corpusprep.languages import get, kept, known, spec_of
from corpusprep.languages.evidence import UNIT, evidence_of
from corpusprep.languages.model import LanguageModel
from corpusprep.languages.naming import Named
from corpusprep.languages.scoring import TrigramScorer
from corpusprep.languages.scripts import is_in_no_language
from corpusprep.languages.tags import NO_LANGUAGE, Tag

#: A language is scored below a more probable one by this times the difference of their evidence per word.
EVIDENCE_WEIGHT = 0.1


class Identified(NamedTuple):
    """The language of a text.

    Attributes:
        language: its code; `zxx` for a text in no language: code, a table of numbers or a list of names; None: a
            language without a model.
        nearest: the most probable of the languages with a model; None for a text without their letters.
        score: similarity of the text's trigrams to `nearest`, 0 to 1.
    """

    language: str | None
    nearest: str | None
    score: float


class Identifier:
    """Identifies the language of texts among the languages of some models, in one pass over a text.

    The most probable language is that with the highest evidence (evidence.py). The text is in this language if its
    trigram score also reaches the language's threshold. So a text in a language without a model is in none of them,
    unless a close relative has one. Code, tables of numbers and lists of names are in no language (`zxx`).
    """

    def __init__(self, models: Sequence[LanguageModel]) -> None:
        """Makes an identifier; models without a threshold attract texts, which are then in no language."""
        self._models = tuple(models)
        self._scorer = TrigramScorer(models, evidence_of(models))
        self._codes = [model.code for model in models]
        self._places = np.argsort(np.argsort(np.array(self._codes, object), kind="stable"))  # by code

    def __call__(self, text: str) -> Identified:
        """Identifies the language of a text."""
        scores, evidence = self._measured(text)
        no_language = NO_LANGUAGE if is_in_no_language(text) else None
        if not scores.any():
            return Identified(no_language, None, 0.0)
        place = int(np.lexsort((-scores, -evidence))[0])
        model, score = self._models[place], float(scores[place])
        reached = model.threshold > 0 and score >= model.threshold
        return Identified(no_language or (model.code if reached else None), model.code, score)

    def named(self, text: str) -> Named:
        """Names the language of a text: in none if it is code, a table or a list, and not sure without a model."""
        if not self._models or is_in_no_language(text):
            return Named(None, 0.0, None, None, sure=True)
        (code, score), *others = self.ranked(text)
        second, second_score = others[0] if others else (None, None)
        return Named(Tag(code), score, second, second_score, sure=self(text).language is not None)

    @property
    def encodings(self) -> Candidates:
        """What detects the encoding of a page in any of these languages."""
        return Candidates(self._models, self._scorer.scores)

    def characters_per_word(self, code: str | None) -> float:
        """Returns the mean length of a word of a language that is written without spaces; 0 for all others."""
        return next((model.characters_per_word for model in self._models if model.code == code), 0.0)

    def ranked(self, text: str) -> list[tuple[str, float]]:
        """Returns the code and a score of each language, the most probable first; equal scores by code.

        The first score comes from the trigrams. The others are lower, by the difference in evidence.
        """
        scores, evidence = self._measured(text)
        if not len(scores):
            return []
        most = evidence.max()
        top = scores[evidence == most].max()
        lowered = np.minimum(top, np.maximum(0.0, top - EVIDENCE_WEIGHT * (most - evidence)))
        order = np.lexsort((self._places, -evidence, -lowered))
        codes = self._codes
        return list(zip([codes[place] for place in order.tolist()], lowered[order].tolist(), strict=True))

    def first(self, text: str) -> tuple[str, float]:
        """Returns the first of `ranked`, in less time. There is a language at least."""
        scores, evidence = self._measured(text)
        best = np.flatnonzero(evidence == evidence.max())
        return self._codes[best[np.argmin(self._places[best])]], float(scores[best].max())

    def _measured(self, text: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Returns the trigram score and the mean evidence of the text's words, by language."""
        sums = self._scorer.sums(text)
        most = (sums.words or 1) * UNIT
        return np.array(self._scorer.mean(sums), np.float64), np.array(sums.of_words, np.float64) / most


@functools.lru_cache(maxsize=1)
def identifier() -> Identifier:
    """Returns the identifier of all built-in languages; half a minute if their models are not kept."""
    return Identifier([kept.keep(get(code)) for code in known()])


def identify(text: str, languages: Sequence[str] | None = None) -> list[tuple[str, float]]:
    """Ranks languages by the evidence of a text's words and trigrams for each.

    Args:
        text: the text; with about 100 characters or more, the first language is nearly always right.
        languages: the languages to choose from: codes, aliases or paths of model files; None: all built-in ones.
            The first call makes their models, in 0.3 s per language.

    Returns:
        (code, score) of each language, the best first; scores from 0 to 1, equal scores by code. The first score is
        the similarity of the text's trigrams: the text counts as this language from the score `threshold` of its model
        on. The others are lower, by the difference in evidence. If the text is in no language (code, a table of
        numbers, a list of names), `zxx` stands before them, with the score of the first.

    Raises:
        LanguageError: a language is unknown, or a model file cannot be used.
        TypeError: text is no text; or languages is a single text, or a language is no text and no path.

    >>> identify("Zítra ráno půjdeme na houby do lesa.", ["cs", "sk", "pl"])[0][0]
    'cs'
    """
    ranked = _chosen(languages).ranked(_text(text))
    if is_in_no_language(text):
        ranked.insert(0, (NO_LANGUAGE, max((score for _, score in ranked), default=0.0)))
    return ranked


def identify_many(texts: Iterable[str], languages: Sequence[str] | None = None) -> Iterator[tuple[str, float]]:
    """Yields for each text the best language and its score: the first of what `identify` returns, in less time.

    Args:
        texts: the texts; they are read one by one.
        languages: as for `identify`, one at least.

    Yields:
        (code, score), in the order of the texts.

    Raises:
        LanguageError: a language is unknown, a model file cannot be used, or there is no language.
        TypeError: one of the texts is no text; languages as for `identify`.

    >>> [code for code, _ in identify_many(["Půjdeme na houby do lesa.", "Ideme do lesa na huby."], ["cs", "sk"])]
    ['cs', 'sk']
    """
    chosen = _chosen(languages)
    if languages is not None and not languages:
        raise LanguageError("languages is empty; write one code at least")
    return map(functools.partial(_first, chosen), texts)


def _first(chosen: Identifier, text: str) -> tuple[str, float]:
    code, score = chosen.first(_text(text))
    return NO_LANGUAGE if is_in_no_language(text) else code, score


def _chosen(languages: Sequence[str] | None) -> Identifier:
    """Returns the identifier of the languages that a caller names."""
    if isinstance(languages, str):
        raise TypeError(f"languages is {languages!r}; write a list of codes: [{languages!r}]")
    return _identifier(tuple(known() if languages is None else map(spec_of, languages)))


def _text(text: object) -> str:
    """Returns a text that a caller gives."""
    if not isinstance(text, str):
        raise TypeError(f"text is str, not {type(text).__name__}")
    return text


def detect_encoding(data: bytes, language: str) -> tuple[str, float]:
    """Detects the encoding of a page or text in a known language.

    Args:
        data: the bytes. What they declare (in a `meta` element) counts where they show nothing else.
        language: code of a built-in language, or path of a model file.

    Returns:
        The encoding's WHATWG name, and a score from 0 to 1 (detection.detect).

    Raises:
        LanguageError: the language is unknown, or the model file cannot be used.
        TypeError: data is not bytes, or language is no text and no path.

    >>> detect_encoding("Příliš žluťoučký kůň".encode("iso-8859-2"), "cs")[0]
    'iso-8859-2'
    """
    if not isinstance(data, bytes):
        raise TypeError(f"data is bytes, not {type(data).__name__}")
    data = bytes(data)  # as the kernels take it, if it is of a subclass
    return detection.detect(data, get(spec_of(language)), [charsets.declared_meta(data)])


@functools.lru_cache(maxsize=4)
def _identifier(specs: tuple[str, ...]) -> Identifier:
    models = [get(spec) for spec in specs]
    return Identifier(list({model.code: model for model in reversed(models)}.values())[::-1])
