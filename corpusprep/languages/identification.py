"""Identifies the language of a text and the encoding of a page: functions of the public library."""

import functools
from collections.abc import Sequence

from corpusprep.encoding import charsets, detection
from corpusprep.languages import get, known
from corpusprep.languages.scoring import TrigramScorer


def identify(text: str, languages: Sequence[str] | None = None) -> list[tuple[str, float]]:
    """Ranks languages by the similarity of a text's character trigrams to each.

    Args:
        text: the text; with about 200 characters or more, the first language is nearly always right.
        languages: the languages to choose from: codes, aliases or paths of model files; None: all built-in ones.
            The first call makes their models, in 0.3 s per language.

    Returns:
        (code, score) of each language, the best first; scores from 0 to 1, equal scores by code. A text counts as
        a language from the score `threshold` of its model on.

    Raises:
        LanguageError: a language is unknown, or a model file cannot be used.

    >>> identify("Zítra ráno půjdeme na houby do lesa.", ["cs", "sk", "pl"])[0][0]
    'cs'
    """
    codes, scorer = _scorer(tuple(known() if languages is None else languages))
    return sorted(zip(codes, scorer.scores(text), strict=True), key=lambda pair: (-pair[1], pair[0]))


def detect_encoding(data: bytes, language: str) -> tuple[str, float]:
    """Detects the encoding of a page or text in a known language.

    Args:
        data: the bytes. What they declare (in a `meta` element) counts where they show nothing else.
        language: code of a built-in language, or path of a model file.

    Returns:
        The encoding's WHATWG name, and a score from 0 to 1 (detection.detect).

    Raises:
        LanguageError: the language is unknown, or the model file cannot be used.

    >>> detect_encoding("Příliš žluťoučký kůň".encode("iso-8859-2"), "cs")[0]
    'iso-8859-2'
    """
    return detection.detect(data, get(language), [charsets.declared_meta(data)])


@functools.lru_cache(maxsize=4)
def _scorer(specs: tuple[str, ...]) -> tuple[list[str], TrigramScorer]:
    models = [get(spec) for spec in specs]
    return [model.code for model in models], TrigramScorer(models)
