"""Annotators by name: those that look at each word alone, simplemma and pymorphy3, and the taggers of taggers.py.

They are run as a user's command is: `python -m corpusprep.annotation.built_in simplemma < in.vert > out.vert`. The
language is stated by each document (`<doc lang="…">`). Those of installed packages (entry points of the group
`corpusprep.annotators`) and a user's own are run in the same way.
"""

import importlib
import importlib.util
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from corpusprep.annotation.taggers import Sentence, Tag, Tagger
from corpusprep.errors import ConfigError, CorpusprepError
from corpusprep.io import own_code
from corpusprep.io.plugins import Kind
from corpusprep.text.tokenizer import escape_token
from corpusprep.text.vertical import DOCUMENT_END, GLUE, attributes, unescape

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
    """An annotator that looks at each word alone.

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
        "fugashi": "corpusprep.annotation.taggers:FUGASHI",
        "jieba": "corpusprep.annotation.taggers:JIEBA",
        "kiwi": "corpusprep.annotation.taggers:KIWI",
        "pymorphy3": "corpusprep.annotation.built_in:PYMORPHY3",
        "pythainlp": "corpusprep.annotation.taggers:PYTHAINLP",
        "simplemma": "corpusprep.annotation.built_in:SIMPLEMMA",
        "spacy": "corpusprep.annotation.taggers:SPACY",
        "udpipe": "corpusprep.annotation.taggers:UDPIPE",
    },
    own="my_module:MY_ANNOTATOR",
)


def load(name: str, code: Path | str = ".") -> Annotator | Tagger:
    """Returns the annotator of a name; one of a user's own is looked for in the folder `code`.

    Raises:
        ConfigError: the name is unknown, its package fails, or it is no annotator.
    """
    loaded = KIND.load(name, code)
    found = loaded() if isinstance(loaded, type) else loaded
    wanted = [key for key in Annotator.__slots__ if not hasattr(found, key)]
    if wanted:
        raise ConfigError(f"{name}: it is no annotator, for it has no {wanted[0]}")
    annotator: Annotator | Tagger = found
    return annotator


def command(name: str, code: Path | str = ".", model: str = "") -> tuple[str, ...]:
    """Returns the words of the command that runs an annotator."""
    folder = str(Path(code).absolute()) if own_code.is_own(name) else "."
    return (sys.executable, "-m", "corpusprep.annotation.built_in", name, folder, model)


def annotated(lines: Iterable[bytes], annotator: Annotator | Tagger, model: str = "") -> Iterator[bytes]:
    """Yields the lines of a vertical with the annotator's columns.

    Raises:
        ConfigError: the annotator does not know the language of a document, or cannot read the model.
    """
    if isinstance(annotator, Tagger):
        return _tagged(lines, annotator, model)
    return _looked_up(lines, annotator)


def _looked_up(lines: Iterable[bytes], annotator: Annotator) -> Iterator[bytes]:
    """Yields the lines with the columns of an annotator that looks at each word alone."""

    @cache
    def of_language(code: str) -> Callable[[bytes], bytes]:
        if not annotator.knows(code):
            raise ConfigError(f"no dictionary of the language {code!r}")
        columns = annotator.make(code)

        @lru_cache(KEPT_TOKENS)
        def line_of(line: bytes) -> bytes:
            token = unescape(line[:-1].decode())
            return _with_columns(line, columns(token))

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


def _tagged(lines: Iterable[bytes], tagger: Tagger, model: str) -> Iterator[bytes]:
    """Yields the lines with the columns of a tagger, which gets the sentences of one document at a time."""

    @cache
    def of_language(code: str) -> Tag:
        if not tagger.knows(code):
            raise ConfigError(f"it does not know the language {code!r}")
        return tagger.make(code, model)

    tag: Tag | None = None
    document: list[bytes] = []
    for line in lines:
        if line.startswith(b"<doc "):
            tag = of_language(attributes(line.decode()).get("lang", ""))
        document.append(line)
        if line == DOCUMENT_END:
            if tag is None:
                raise ConfigError("a token before the first <doc>")
            yield from _tagged_document(document, tag)
            document = []
    yield from document


def _tagged_document(lines: Sequence[bytes], tag: Tag) -> Iterator[bytes]:
    """Yields the lines of a document with the columns of a tagger."""
    sentences = list(_sentences(lines))
    values = (value for tagged in tag(sentences) for value in tagged)
    for line in lines:
        yield line if line.startswith(b"<") else _with_columns(line, next(values))


def _sentences(lines: Iterable[bytes]) -> Iterator[Sentence]:
    """Yields the sentences of a document: what is between structures that are not the mark of missing white space."""
    words: list[str] = []
    spaces: list[bool] = []
    for line in lines:
        if line == GLUE:
            if spaces:
                spaces[-1] = False
        elif line.startswith(b"<"):
            if words:
                yield Sentence(tuple(words), tuple(spaces))
            words, spaces = [], []
        else:
            words.append(unescape(line[:-1].decode()))
            spaces.append(True)
    if words:
        yield Sentence(tuple(words), tuple(spaces))


def _with_columns(line: bytes, values: Iterable[str]) -> bytes:
    """Returns the line of a token with further columns; an empty value is a hyphen."""
    joined = ("".join(value.split()) or "-" for value in values)
    return b"\t".join([line[:-1], *(escape_token(value).encode() for value in joined)]) + b"\n"


def main() -> None:
    """Annotates the standard input; the arguments are the annotator's name, the folder of a user's own, and a model."""
    try:
        if not 2 <= len(sys.argv) <= 4:
            raise ConfigError(f"give the name of an annotator: {', '.join(KIND.names())}")
        name, folder, model = (*sys.argv[1:], *(".", "")[len(sys.argv) - 2 :])
        sys.stdout.buffer.writelines(annotated(sys.stdin.buffer, load(name, folder), model))
        sys.stdout.buffer.flush()
    except CorpusprepError as error:
        sys.exit(f"{error}")


if __name__ == "__main__":
    main()
