"""Identifiers that name the language of a text among all that they know, without the project's own models.

An identifier is a class with `ranked(text)`, which returns (code, score) of the most probable languages, the best
first, and `languages`, the codes of all that it knows. It may have `least_margin(code)`: how much higher the score of
a language must be than the second language's for the answer to count.
"""

import functools
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from corpusprep.errors import ConfigError, OwnCodeError
from corpusprep.io import own_code
from corpusprep.languages import tags
from corpusprep.languages.identifiers import IDENTIFIERS, identifier, is_model_file
from corpusprep.languages.scripts import is_in_no_language, script_of
from corpusprep.languages.tags import Tag


class NamingIdentifier(Protocol):
    """Names the language of texts."""

    @property
    def languages(self) -> Sequence[str]:
        """The codes of all languages that it knows: of BCP 47 or ISO 639-3."""

    def ranked(self, text: str) -> Sequence[tuple[str, float]]:
        """Returns code and score, 0 to 1, of the most probable languages of a text, the best first."""


class Named(NamedTuple):
    """The language of a text.

    Attributes:
        tag: the most probable language, with its script where it has several; None: in no language.
        score: of this language, 0 to 1.
        second: code of the second language, if there is one.
        second_score: its score.
        sure: whether the score is so much higher than the second language's that the answer counts.
    """

    tag: Tag | None
    score: float
    second: str | None
    second_score: float | None
    sure: bool

    @property
    def code(self) -> str:
        """The code of the language: `zxx` for text in no language, `und` where the answer does not count."""
        return tags.NO_LANGUAGE if self.tag is None else str(self.tag) if self.sure else tags.UNKNOWN


class Namer:
    """Names the language of texts by an identifier, with codes of BCP 47."""

    def __init__(self, method: str, code: Path | str = ".", margin: float | None = None) -> None:
        """Makes a namer.

        Args:
            method: a name of IDENTIFIERS, or the path of a model of fastText.
            code: the folder of a user's own identifier.
            margin: how much higher the score must be than the second language's; None: as the identifier says.

        Raises:
            ConfigError: there is no such identifier, or it does not name languages.
            OwnCodeError: an identifier of another package or a user's own cannot be made.
        """
        self._method, self._margin = method, margin
        made = _class_of(method, code)
        try:
            self._identifier = made()
            self.known = frozenset(
                known.language for label in self._identifier.languages if (known := tags.of_label(label))
            )
        except ConfigError:
            raise
        except Exception as error:
            raise OwnCodeError(f"{method}: making it failed: {own_code.described(error)}") from None

    def __call__(self, text: str) -> Named:
        """Names the language of a text.

        Raises:
            OwnCodeError: an identifier of another package or a user's own fails, or gives no scores.
        """
        ranked = self.ranked(text)
        if not ranked or is_in_no_language(text):
            return Named(None, ranked[0][1] if ranked else 0.0, None, None, sure=True)
        (tag, score), *others = ranked
        second, second_score = (str(others[0][0]), others[0][1]) if others else (None, None)
        margin = score - (second_score or 0.0)
        return Named(tag, score, second, second_score, sure=margin >= self.least_margin(tag.language))

    def ranked(self, text: str) -> list[tuple[Tag, float]]:
        """Returns the most probable languages of a text, each once, with its score; the best first."""
        script = script_of(text)
        best: dict[Tag, float] = {}
        for label, score in self._checked(text):
            if (known := tags.of_label(label)) is not None:
                best.setdefault(tags.with_script(known.language, script), score)
        return list(best.items())

    def least_margin(self, language: str) -> float:
        """Returns how much higher the score of a language must be than the second one's."""
        if self._margin is not None:
            return self._margin
        least = getattr(self._identifier, "least_margin", None)
        return float(least(language)) if least else 0.0

    def _checked(self, text: str) -> list[tuple[str, float]]:
        try:
            ranked = [(str(label), float(score)) for label, score in self._identifier.ranked(text)]
        except Exception as error:
            raise OwnCodeError(f"{self._method}: ranked failed: {own_code.described(error)}") from None
        if not all(0 <= score <= 1 for _, score in ranked):
            raise OwnCodeError(f"{self._method}: ranked gave {ranked}; allowed: codes with numbers from 0 to 1")
        return ranked


def names_languages(method: str, code: Path | str = ".") -> bool:
    """Returns whether an identifier names languages, without the project's own models.

    Raises:
        ConfigError: there is no such identifier.
    """
    return is_model_file(method) or hasattr(identifier(method, code), "ranked")


def known_codes(method: str, code: Path | str = ".") -> list[str]:
    """Returns the codes of all languages that an identifier knows, sorted; of built-in languages, theirs.

    Raises:
        ConfigError: there is no such identifier, or it does not name languages.
        OwnCodeError: an identifier of another package or a user's own cannot be made.
    """
    from corpusprep.languages.descriptions import find  # with a parser of YAML, which naming does without

    labels = None if is_model_file(method) else getattr(_class_of(method, code), "known_languages", None)
    if labels is None:
        known = Namer(method, code).known
    else:
        known = frozenset(found.language for label in labels() if (found := tags.of_label(label)))
    described = {language: find(language) for language in known}
    return sorted({found.code if found else name for name, found in described.items()})


def check(wanted: Tag, method: str, code: Path | str = ".") -> None:
    """Checks that an identifier knows a language, if that can be told without loading its models.

    Raises:
        ConfigError: the identifier is missing or does not know the language.
    """
    if is_model_file(method):
        if not Path(method).is_file():
            raise ConfigError(f"there is no such file: {method}")
        return
    labels = getattr(_class_of(method, code), "known_languages", None)
    if labels is None:
        return
    known = {known.language for label in labels() if (known := tags.of_label(label))}
    if not tags.asked_of(wanted, known):
        raise ConfigError(f"{method} does not know the language {wanted.language}")


def _class_of(method: str, code: Path | str) -> Any:
    """Returns what makes an identifier that names languages."""
    if is_model_file(method):
        from corpusprep.languages.fasttext_models import FastTextModel

        return functools.partial(FastTextModel, Path(method))
    made = identifier(method, code)
    if not hasattr(made, "ranked"):
        raise ConfigError(
            f"{method} scores texts by models of the corpus language and its rivals; to name languages, use one of"
            f" {', '.join(name for name in IDENTIFIERS.built_in if names_languages(name))}, or the path of a model of"
            " fastText"
        )
    return made
