"""The language identifiers by name: built in, of installed packages, and of users. The schema reads them."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpusprep.errors import OwnCodeError
from corpusprep.io.plugins import Kind

if TYPE_CHECKING:
    from corpusprep.languages.model import LanguageModel

#: How documents are scored: by the mean weight of their trigrams (scoring.py), or by the cosine (similarity.py).
METHODS = ("trigrams", "trigram-similarity")
#: What names the language of documents if the corpus language has no model.
NAMING = "heliport"
#: What it takes in memory.
NAMING_MEGABYTES = 1_000
#: Ends of the names of models of fastText, which may be given by path.
MODEL_FILES = (".ftz", ".bin")
#: Classes that score a text for a language and its rivals: made from their models, with a method `scores`. Or classes
#: that name the language of a text among all that they know, with a method `ranked` (naming.py).
IDENTIFIERS = Kind(
    group="corpusprep.identifiers",
    noun="language identifier",
    built_in={
        "trigrams": "corpusprep.languages.rivals:RivalScorer",
        "trigram-similarity": "corpusprep.languages.similarity:SimilarityScorer",
        "heliport": "corpusprep.languages.heliport_models:Heliport",
    },
    own="my_module:MyIdentifier",
    files=MODEL_FILES,
)


def is_model_file(method: str) -> bool:
    """Returns whether an identifier is given as the path of a model of fastText."""
    return method.endswith(MODEL_FILES)


def megabytes(method: str) -> int:
    """Returns the megabytes that an identifier takes beside what every job does."""
    if is_model_file(method):
        return Path(method).stat().st_size * 2 // 1_000_000 if Path(method).is_file() else 0
    return NAMING_MEGABYTES if method == NAMING else 0


def default_threshold(method: str, model: "LanguageModel", code: Path = Path()) -> float:
    """Returns the lowest score that is kept where the settings name none: the identifier's `threshold`, or the model's.

    Raises:
        ConfigError: there is no such identifier.
    """
    made = identifier(method, code) if not is_model_file(method) else None
    if is_model_file(method) or hasattr(made, "ranked"):
        return float(getattr(made, "threshold", 0.0))
    return float(getattr(made, "threshold", model.threshold))


def identifier(method: str, code: Path | str = ".") -> Any:
    """Returns the class of an identifier.

    Raises:
        ConfigError: there is no such identifier, or it is no class.
    """
    made = IDENTIFIERS.load(method, code)
    if not callable(made):
        raise OwnCodeError(f"{method}: it is neither a class nor a function")
    return made
