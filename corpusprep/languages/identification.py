"""The library's questions about a text or page: which language, which encoding."""

import functools
from collections.abc import Sequence

from corpusprep.encoding import detection
from corpusprep.languages import get, known
from corpusprep.languages.scoring import TrigramScorer


def identify(text: str, languages: Sequence[str] | None = None) -> list[tuple[str, float]]:
    """The languages that a text may be in, with the similarity of its character trigrams to each.

    Args:
        text: the text; from some 200 characters on, the first language is nearly always right.
        languages: those to choose from, by code or alias or as paths of model files; None: all that are built
            in. Asked for the first time, their models are made, in 0.3 s a language.

    Returns:
        (code, score) of each language, scores from 0 to 1, the best first; equal scores by code. A model's
        `threshold` says from which score on a text counts as its language.

    Raises:
        LanguageError: a language is unknown, or a model file cannot be used.

    >>> identify("Zítra ráno půjdeme na houby do lesa.", ["cs", "sk", "pl"])[0][0]
    'cs'
    """
    codes, scorer = _scorer(tuple(known() if languages is None else languages))
    return sorted(zip(codes, scorer.scores(text), strict=True), key=lambda pair: (-pair[1], pair[0]))


def detect_encoding(data: bytes, language: str) -> tuple[str, float]:
    """The encoding of a page or text in a known language.

    Args:
        data: the bytes.
        language: a built-in language's code, or the path of a model file.

    Returns:
        The encoding's WHATWG name, and a score from 0 to 1 (detection.detect).

    Raises:
        LanguageError: the language is unknown, or the model file cannot be used.

    >>> detect_encoding("Příliš žluťoučký kůň".encode("iso-8859-2"), "cs")[0]
    'iso-8859-2'
    """
    return detection.detect(data, get(language))


@functools.lru_cache(maxsize=4)
def _scorer(specs: tuple[str, ...]) -> tuple[list[str], TrigramScorer]:
    models = [get(spec) for spec in specs]
    return [model.code for model in models], TrigramScorer(models)
