"""A language model: everything that the stages need to know about a language; and its file.

The file has four parts: a line with the format and its version; a line of JSON with the values, and the names, types
and shapes of the arrays; the arrays, little-endian; the SHA-256 of everything before it. The same model gives the same
bytes.
"""

import hashlib
import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpusprep._native.unicode import title
from corpusprep.errors import LanguageError
from corpusprep.io import named_files
from corpusprep.io.files import replacing

if TYPE_CHECKING:
    from corpusprep.encoding.byte_trigrams import EncodingModel
    from corpusprep.languages.trigrams import TrigramModel
    from corpusprep.languages.word_evidence import WordShares

#: Version of the file format and of the meaning of its numbers.
VERSION = 3
_MAGIC = b"corpusprep language model "
_DIGEST_BYTES = 32
_TYPES = {"uint8": "<u1", "uint32": "<u4", "uint64": "<u8"}
_TEXTS = ("code", "name", "origin")
_LISTS = ("stop_list", "rivals", "abbreviations", "clitic_prefixes", "clitic_suffixes")
_NEWER_LISTS = ("whole_words", "joints", "apart")  # absent from older files


@dataclass(frozen=True)
class LanguageModel:
    """A language: stop list, trigrams, encodings, threshold, rivals, and the rules of its tokeniser.

    Attributes:
        code: ISO 639-1 code, or the 639-3 code of a language without one.
        name: in English.
        origin: what the model was made from.
        stop_list: the most frequent words, in lower case, the most frequent first.
        threshold: the lowest trigram score of a text that counts as this language, 0 to 1.
        rivals: codes of the closest built-in languages.
        abbreviations: words that end in a full stop which does not end a sentence.
        clitic_prefixes, clitic_suffixes: parts of words that are tokens, with their apostrophe: `l'`, `'s`.
        whole_words: words with marks that are one token: `po'`.
        joints: marks that join the parts of a word, with letters that must follow: `:`, `*in`.
        apart: marks that are tokens of their own: `-` in compounds, `.` behind abbreviations.
        capitals: letters whose capital is not Unicode's default -> that capital.
        characters_per_word: mean length of a running word of a language written without spaces; otherwise 0.
        encoding_names: names of the encodings of its Web, as in `encodings` (which need not be loaded for them).
        version: version of the model.
    """

    code: str
    name: str
    origin: str
    stop_list: tuple[str, ...]
    threshold: float
    rivals: tuple[str, ...] = ()
    abbreviations: tuple[str, ...] = ()
    clitic_prefixes: tuple[str, ...] = ()
    clitic_suffixes: tuple[str, ...] = ()
    whole_words: tuple[str, ...] = ()
    joints: tuple[str, ...] = ()
    apart: tuple[str, ...] = ()
    capitals: Mapping[str, str] = field(default_factory=dict)
    characters_per_word: float = 0.0
    encoding_names: tuple[str, ...] = ()
    version: int = VERSION
    trigram_source: Callable[[], "tuple[TrigramModel, ...]"] = field(kw_only=True, repr=False, compare=False)
    encoding_source: Callable[[], "EncodingModel"] = field(kw_only=True, repr=False, compare=False)
    word_source: Callable[[], "WordShares"] = field(kw_only=True, repr=False, compare=False)

    @cached_property
    def stop_words(self) -> frozenset[str]:
        """The stop words as they are matched: in lower case and with a first capital (2.9.9)."""
        return frozenset(form for word in self.stop_list for form in (word, capitalised(word, self.capitals)))

    @cached_property
    def clitics(self) -> tuple[str, ...]:
        """The clitics: first the prefixes, which end in an apostrophe, then the suffixes, which do not."""
        return self.clitic_prefixes + self.clitic_suffixes

    @cached_property
    def trigrams(self) -> "tuple[TrigramModel, ...]":
        """The trigrams of the language, one model per spelling; computed on first use."""
        return self.trigram_source()

    @cached_property
    def encodings(self) -> "EncodingModel":
        """The byte trigrams of the language's encodings; computed on first use."""
        return self.encoding_source()

    @cached_property
    def words(self) -> "WordShares":
        """The most frequent words, which distinguish the language from its rivals; computed on first use."""
        return self.word_source()


def capitalised(word: str, capitals: Mapping[str, str]) -> str:
    """Returns the word with a first capital: its title case, if that is one letter ('ǆ' gives 'ǅ')."""
    first = capitals.get(word[:1]) or title(word[:1])
    return first + word[1:] if len(first) == 1 else word


def save(model: LanguageModel, path: Path) -> None:
    """Writes the model to a file; the file has a temporary name until it is complete."""
    import numpy as np

    arrays: dict[str, np.ndarray[Any, Any]] = {}
    for number, spelling in enumerate(model.trigrams):
        arrays[f"trigrams/{number}/keys"] = spelling.keys
        arrays[f"trigrams/{number}/weights"] = spelling.weights
    arrays["encodings/keys"] = model.encodings.keys
    arrays["encodings/weights"] = model.encodings.weights
    arrays["words/text"] = np.frombuffer(model.words.text, np.uint8)
    arrays["words/shares"] = model.words.shares
    header = {
        **{key: getattr(model, key) for key in (*_TEXTS, *_LISTS, *_NEWER_LISTS)},
        "threshold": model.threshold,
        "characters_per_word": model.characters_per_word,
        "capitals": dict(model.capitals),
        "encodings": model.encodings.names,
        "arrays": [[name, str(array.dtype), array.shape] for name, array in arrays.items()],
    }
    content = b"".join(
        [
            _MAGIC + b"%d\n" % model.version,
            json.dumps(header, ensure_ascii=False, sort_keys=True).encode() + b"\n",
            *(array.astype(_TYPES[str(array.dtype)]).tobytes() for array in arrays.values()),
        ]
    )
    with replacing(path) as temporary:
        temporary.write_bytes(content + hashlib.sha256(content).digest())


def load(path: Path) -> LanguageModel:
    """Reads a model file.

    Raises:
        LanguageError: the file is missing or damaged, of another version, or not a language model.
    """
    try:
        with named_files.open_file(path) as file:
            data = file.read(len(_MAGIC))
            data += file.read() if data == _MAGIC else b""
    except OSError as error:
        raise LanguageError(f"{path}: cannot read the language model ({error.strerror})") from None
    first, _, rest = data.partition(b"\n")
    if not first.startswith(_MAGIC):
        raise LanguageError(f"{path}: not a language model; make one with corpusprep language make")
    if first != _MAGIC + b"%d" % VERSION:
        version = first.removeprefix(_MAGIC).decode("ascii", "replace")[:20]
        raise LanguageError(
            f"{path}: language model of version {version}, but this corpusprep reads version {VERSION}; "
            f"make it again: {_command(path)}"
        )
    content, digest = data[:-_DIGEST_BYTES], data[-_DIGEST_BYTES:]
    if hashlib.sha256(content).digest() != digest:
        raise LanguageError(f"{path}: damaged language model; make it again: {_command(path)}")
    try:
        return _parse(rest[:-_DIGEST_BYTES])
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise LanguageError(f"{path}: unusable language model ({error}); make it again: {_command(path)}") from None


def _command(path: Path) -> str:
    """Returns the command that makes a model file again, with `--text` for a language that is not built in."""
    from corpusprep.languages.descriptions import find

    sample = "" if find(path.stem) else " --text FILE"
    return f"corpusprep language make {path.stem}{sample} --output {path}"


def _parse(content: bytes) -> LanguageModel:
    line, _, body = content.partition(b"\n")
    header = json.loads(line)
    stored = _Stored(body)
    for name, dtype, shape in header["arrays"]:
        stored.add(str(name), str(dtype), tuple(map(int, shape)))
    spellings = sum(name.startswith("trigrams/") and name.endswith("/keys") for name in stored.places)
    parts = [f"trigrams/{number}" for number in range(spellings)]
    needed = {f"{part}/{of}" for part in (*parts, "encodings") for of in ("keys", "weights")}
    needed |= {"words/text", "words/shares"}
    if missing := needed - stored.places.keys():
        raise ValueError(f"{min(missing)} is missing")
    values: dict[str, Any] = {key: str(header[key]) for key in _TEXTS}
    values |= {key: tuple(header[key]) for key in _LISTS}
    values |= {key: tuple(header.get(key, ())) for key in _NEWER_LISTS}
    values |= {key: float(header[key]) for key in ("threshold", "characters_per_word")}
    values["capitals"], values["encoding_names"] = header["capitals"], tuple(header["encodings"])
    return LanguageModel(
        **values,
        trigram_source=partial(stored.trigrams, spellings),
        encoding_source=partial(stored.encodings, values["encoding_names"]),
        word_source=stored.words,
    )


class _Stored:
    """The arrays of a model file, read on first use: most stages need none of them, and so no NumPy."""

    def __init__(self, body: bytes) -> None:
        self._body = body
        self._end = 0
        self.places: dict[str, tuple[str, tuple[int, ...], int]] = {}  # name -> type, shape, offset

    def add(self, name: str, dtype: str, shape: tuple[int, ...]) -> None:
        """Adds the next array in the file."""
        self.places[name] = (dtype, shape, self._end)
        self._end += math.prod(shape) * int(_TYPES[dtype][-1])
        if self._end > len(self._body) or min(shape, default=0) < 0:
            raise ValueError(f"{name} does not fit into the file")

    def array(self, name: str) -> Any:
        """Returns the array of that name."""
        import numpy as np

        dtype, shape, offset = self.places[name]
        array = np.frombuffer(self._body, _TYPES[dtype], math.prod(shape), offset).reshape(shape)
        return array.astype(dtype, copy=False)

    def trigrams(self, spellings: int) -> "tuple[TrigramModel, ...]":
        """Returns the trigrams of the language in each of its spellings."""
        from corpusprep.languages.trigrams import TrigramModel

        return tuple(
            TrigramModel(self.array(f"trigrams/{number}/keys"), self.array(f"trigrams/{number}/weights"))
            for number in range(spellings)
        )

    def encodings(self, names: tuple[str, ...]) -> "EncodingModel":
        """Returns the byte trigrams of the encodings with these names."""
        from corpusprep.encoding.byte_trigrams import EncodingModel

        return EncodingModel(names, self.array("encodings/keys"), self.array("encodings/weights"))

    def words(self) -> "WordShares":
        """Returns the words of the language with their shares."""
        from corpusprep.languages.word_evidence import WordShares

        return WordShares(self.array("words/text").tobytes(), self.array("words/shares"))
