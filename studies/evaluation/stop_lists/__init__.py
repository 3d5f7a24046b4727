"""Lists of functional words by language: the thesis's for English (2.9.9), and others with their sources."""

from importlib import resources

from corpusprep import languages
from corpusprep.languages.model import capitalised


def functional(code: str) -> list[str] | None:
    """Returns a language's functional words, in lower case, ascending; None if there is no list.

    Chinese and Greek have none: no list with the words as they are written was found.
    """
    path = resources.files(__name__).joinpath(f"{code}.txt")
    if not path.is_file():
        return None
    lines = path.read_text(encoding="utf-8").splitlines()
    return sorted({word for line in lines if not line.startswith("#") for word in line.split()})


def forms(code: str, words: list[str]) -> frozenset[str]:
    """Returns the forms of stop words that are matched: in lower case and with a first capital (2.9.9)."""
    capitals = languages.get(code).capitals
    return frozenset(form for word in words for form in (word, capitalised(word, capitals)))
