"""Annotators by name. Built in are simplemma (lemmas of some 50 languages) and pymorphy3 (Russian and Ukrainian).

They are run as a user's command is: `python -m corpusprep.annotation.built_in simplemma < in.vert > out.vert`. The
language is stated by each document (`<doc lang="…">`). Those of installed packages (entry points of the group
`corpusprep.annotators`) and a user's own are run in the same way.
"""

import importlib
import importlib.util
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from corpusprep.errors import ConfigError, CorpusprepError
from corpusprep.io import own_code
from corpusprep.io.plugins import Kind
from corpusprep.text.tokenizer import escape_token
from corpusprep.text.vertical import attributes, unescape

#: Distinct tokens whose annotation is kept: most tokens of a text are frequent words.
KEPT_TOKENS = 1 << 17
#: simplemma's codes of languages that have others here.
_SIMPLEMMA = {"fil": "tl", "sh": "hbs", "sr": "hbs", "hr": "hbs", "bs": "hbs", "no": "nb"}
#: Packages of pymorphy3's dictionaries, by language. pymorphy3 itself brings the Russian one.
_PYMORPHY = {"ru": "pymorphy3-dicts-ru", "uk": "pymorphy3-dicts-uk"}

#: Returns the values of the columns of a token.
Annotate = Callable[[str], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Annotator:
    """An annotator.

    Attributes:
        columns: names of the columns that it adds.
        description: what they are.
        packages: that it needs.
        knows: whether there is a dictionary of a language; raises ConfigError if it must be installed first.
        make: makes it for a language, by its code.
    """

    columns: tuple[str, ...]
    description: str
    packages: tuple[str, ...]
    knows: Callable[[str], bool]
    make: Callable[[str], Annotate]


def _knows_simplemma(code: str) -> bool:
    factory = importlib.import_module("simplemma.strategies.dictionaries.dictionary_factory")
    return _SIMPLEMMA.get(code, code) in factory.SUPPORTED_LANGUAGES


def _simplemma(code: str) -> Annotate:
    lemmatizer = importlib.import_module("simplemma").Lemmatizer()
    known = _SIMPLEMMA.get(code, code)

    def lemma(token: str) -> tuple[str, ...]:
        return (lemmatizer.lemmatize(token, lang=known) if any(map(str.isalpha, token)) else token,)

    return lemma


def _knows_pymorphy(code: str) -> bool:
    """Returns whether there is a dictionary of a language.

    Raises:
        ConfigError: there is one, but it is not installed.
    """
    package = _PYMORPHY.get(code)
    if package and importlib.util.find_spec(package.replace("-", "_")) is None:
        raise ConfigError(
            f"pymorphy3 needs a dictionary of the language {code}: {sys.executable} -m pip install {package}"
        )
    return package is not None


def _pymorphy(code: str) -> Annotate:
    analyzer = importlib.import_module("pymorphy3").MorphAnalyzer(lang=code)

    def analysis(token: str) -> tuple[str, ...]:
        parsed = analyzer.parse(token)[0]
        return parsed.normal_form, str(parsed.tag).replace(" ", ",")

    return analysis


SIMPLEMMA = Annotator(
    ("lemma",), "lemmas by dictionaries and rules, without context", ("simplemma",), _knows_simplemma, _simplemma
)
PYMORPHY3 = Annotator(
    ("lemma", "tag"),
    "lemma and tag (OpenCorpora) of the most frequent analysis of Russian and Ukrainian words, without context",
    ("pymorphy3",),
    _knows_pymorphy,
    _pymorphy,
)
KIND = Kind(
    group="corpusprep.annotators",
    noun="annotator",
    built_in={
        "pymorphy3": "corpusprep.annotation.built_in:PYMORPHY3",
        "simplemma": "corpusprep.annotation.built_in:SIMPLEMMA",
    },
    own="my_module:MY_ANNOTATOR",
)


def load(name: str, code: Path | str = ".") -> Annotator:
    """Returns the annotator of a name; one of a user's own is looked for in the folder `code`.

    Raises:
        ConfigError: the name is unknown, its package fails, or it is no annotator.
    """
    loaded = KIND.load(name, code)
    found = loaded() if isinstance(loaded, type) else loaded
    wanted = [key for key in Annotator.__slots__ if not hasattr(found, key)]
    if wanted:
        raise ConfigError(f"{name}: it is no annotator, for it has no {wanted[0]}")
    annotator: Annotator = found
    return annotator


def command(name: str, code: Path | str = ".") -> tuple[str, ...]:
    """Returns the words of the command that runs an annotator."""
    where = (str(Path(code).absolute()),) if own_code.is_own(name) else ()
    return (sys.executable, "-m", "corpusprep.annotation.built_in", name, *where)


def annotated(lines: Iterable[bytes], annotator: Annotator) -> Iterator[bytes]:
    """Yields the lines of a vertical with the annotator's columns.

    Raises:
        ConfigError: the annotator does not know the language of a document.
    """

    @cache
    def of_language(code: str) -> Callable[[bytes], bytes]:
        if not annotator.knows(code):
            raise ConfigError(f"no dictionary of the language {code!r}")
        columns = annotator.make(code)

        @lru_cache(KEPT_TOKENS)
        def line_of(line: bytes) -> bytes:
            token = unescape(line[:-1].decode())
            values = ("".join(value.split()) or "-" for value in columns(token))
            return b"\t".join([line[:-1], *(escape_token(value).encode() for value in values)]) + b"\n"

        return line_of

    line_of: Callable[[bytes], bytes] | None = None
    for line in lines:
        if line.startswith(b"<doc "):
            line_of = of_language(attributes(line.decode()).get("lang", ""))
        if line.startswith(b"<"):
            yield line
        elif line_of is None:
            raise ConfigError("a token before the first <doc>")
        else:
            yield line_of(line)


def main() -> None:
    """Annotates the standard input by the annotator that the first argument names, in the folder that another names."""
    try:
        if len(sys.argv) not in (2, 3):
            raise ConfigError(f"give the name of an annotator: {', '.join(KIND.names())}")
        sys.stdout.buffer.writelines(annotated(sys.stdin.buffer, load(*sys.argv[1:])))
        sys.stdout.buffer.flush()
    except CorpusprepError as error:
        sys.exit(f"{error}")


if __name__ == "__main__":
    main()
