"""Models of fastText that name languages (Joulin et al. 2016), by path: lid.176.ftz, lid.176.bin, GlotLID."""

import importlib
from functools import cache
from pathlib import Path
from typing import Any

from corpusprep.errors import ConfigError, MissingPackageError
from corpusprep.startup import install

_PREFIX = "__label__"
#: Languages that are compared.
RANKED = 5
#: Characters that are looked at.
LOOKED_AT = 20_000
#: Labels of models with the codes of Wikipedias.
_WIKIPEDIA = {"als": "gsw", "bh": "bho", "eml": "egl", "nah": "nci"}


class FastTextModel:
    """Names the language of texts by a model of fastText; scores are its probabilities."""

    def __init__(self, path: Path) -> None:
        """Loads a model.

        Raises:
            MissingPackageError: the library is not installed.
            ConfigError: the file is missing, or no model.
        """
        self._model = _loaded(path)
        labels = [label.removeprefix(_PREFIX) for label in self._model.predict("a", k=1_000_000, threshold=-1.0)[0]]
        self._codes = _WIKIPEDIA if "als" in labels and "de" in labels else {}
        self.languages = tuple(self._codes.get(label, label) for label in labels)

    def ranked(self, text: str) -> list[tuple[str, float]]:
        """Returns code and probability of the most probable languages, the best first."""
        line = " ".join(text[:LOOKED_AT].encode("utf-8", "replace").decode().replace("\0", " ").split())
        if not any(map(str.isalpha, line)):
            return []
        labels, probabilities = self._model.predict(line, k=RANKED, threshold=0.0)
        names = [label.removeprefix(_PREFIX) for label in labels]
        return [
            (self._codes.get(name, name), min(1.0, max(0.0, float(probability))))  # rounding gives 1.00001
            for name, probability in zip(names, probabilities, strict=True)
        ]


@cache
def _loaded(path: Path) -> Any:
    try:
        library = importlib.import_module("fasttext")
    except ImportError:
        raise MissingPackageError(f"models of fastText need fasttext-predict: {install('languages')}") from None
    if not path.is_file():
        raise ConfigError(f"there is no such file: {path}")
    try:
        return library.load_model(str(path))
    except (ValueError, RuntimeError, MemoryError) as error:
        raise ConfigError(f"{path}: not a model of fastText ({error})") from None
