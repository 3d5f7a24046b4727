"""The language identifiers by name: built in, of installed packages, and of users. The schema reads them."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpusprep.errors import OwnCodeError
from corpusprep.io.plugins import Kind

if TYPE_CHECKING:
    from corpusprep.languages.model import LanguageModel

#: How documents are scored: by the mean weight of their trigrams (scoring.py), or by the cosine (similarity.py).
METHODS = ("trigrams", "trigram-similarity")
#: Classes that score a text for a language and its rivals: made from their models, with a method `scores`.
IDENTIFIERS = Kind(
    group="corpusprep.identifiers",
    noun="language identifier",
    built_in={
        "trigrams": "corpusprep.languages.rivals:RivalScorer",
        "trigram-similarity": "corpusprep.languages.similarity:SimilarityScorer",
    },
    own="my_module:MyIdentifier",
)


def default_threshold(method: str, model: "LanguageModel", code: Path = Path()) -> float:
    """Returns the lowest score that is kept where the settings name none: the identifier's `threshold`, or the model's.

    Raises:
        ConfigError: there is no such identifier.
    """
    return float(getattr(identifier(method, code), "threshold", model.threshold))


def identifier(method: str, code: Path | str = ".") -> Any:
    """Returns the class of an identifier.

    Raises:
        ConfigError: there is no such identifier, or it is no class.
    """
    made = IDENTIFIERS.load(method, code)
    if not callable(made):
        raise OwnCodeError(f"{method}: it is neither a class nor a function")
    return made
