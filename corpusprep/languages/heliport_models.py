"""The identifier heliport: HeLI-OTS with 220 languages (Jauhiainen et al. 2022), of the extra `languages`.

It is licensed under GPL-3: nothing else imports it. Its models take 5 s to load and 0.9 GB.
"""

import importlib
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from corpusprep.errors import ConfigError, MissingPackageError
from corpusprep.startup import install

#: The score of a text without any known word or n-gram, which is a negative decimal logarithm of probability.
WORST = 7.0
#: Languages that are compared.
RANKED = 5
#: Bytes of UTF-8 that are looked at: their language is the text's, and one page takes 1 ms at most.
LOOKED_AT = 20_000


class Heliport:
    """Names the language of texts by words and n-grams; a score is 1 - (mean negative logarithm) / 7."""

    def __init__(self) -> None:
        self.languages = self.known_languages()
        self._identifier: Any = _loaded()

    @staticmethod
    def known_languages() -> tuple[str, ...]:
        """Returns the codes of ISO 639-3 that it knows, without loading its models.

        Raises:
            MissingPackageError: it is not installed.
        """
        return tuple(label for label in _margins() if len(label) == 3 and label not in ("und", "zxx"))

    def ranked(self, text: str) -> list[tuple[str, float]]:
        """Returns code and score of the most probable languages, the best first; none for a text without letters."""
        # What is no character becomes a question mark; a NUL would end the text.
        plain = text[:LOOKED_AT].encode("utf-8", "replace").decode().replace("\0", " ")
        found: dict[str, float] = {}
        for label, score in self._identifier.identify_topk_with_score(plain, RANKED):
            if label[:3] not in ("und", "zxx"):
                found.setdefault(label[:3], min(1.0, max(0.0, 1 - score / WORST)))  # hbshrv, msaind: of hbs, msa
        return list(found.items())

    def least_margin(self, language: str) -> float:
        """Returns the margin below which heliport itself gives no language (set on its own evaluation data)."""
        return _margins_by_code().get(language, 0.0)


@cache
def _margins() -> dict[str, float]:
    found = find_spec("heliport")
    if found is None or not found.origin:
        raise MissingPackageError(f"heliport is not installed: {install('languages')}")
    lines = Path(found.origin).with_name("confidenceThresholds").read_text(encoding="utf-8").splitlines()
    return {label: float(margin) / WORST for label, margin in (line.split("\t") for line in lines if "\t" in line)}


@cache
def _margins_by_code() -> dict[str, float]:
    from corpusprep.languages.tags import of_label

    return {tag.language: margin for label, margin in _margins().items() if (tag := of_label(label))}


@cache
def _loaded() -> Any:
    try:
        return importlib.import_module("heliport").Identifier()
    except ImportError as error:
        raise ConfigError(f"heliport cannot be loaded ({error}): {install('languages')}") from None
