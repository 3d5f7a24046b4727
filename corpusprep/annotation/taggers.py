"""Taggers: annotators that read whole sentences. Adapters of installed packages.

The tokens are those of the corpus, whatever a package would make of the text: spaCy and UDPipe are given them; the
others divide the sentence themselves, and each token gets the analyses of the parts that lie in it.
"""

import importlib
import warnings
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from corpusprep.errors import ConfigError
from corpusprep.text.word_dividers import jieba_tokenizer

#: Letters of the lempos attribute of Sketch Engine, by universal part of speech; `x` for the others.
_LEMPOS = {
    **{"NOUN": "n", "PROPN": "n", "VERB": "v", "AUX": "v", "ADJ": "j", "ADV": "a", "PRON": "d", "ADP": "i"},
    **{"CCONJ": "c", "SCONJ": "c", "NUM": "m"},
}
#: Stands between the analyses of the parts of one token.
JOINED = "+"


class Sentence(NamedTuple):
    """A sentence of a vertical.

    Attributes:
        words: its tokens.
        spaces: whether white space follows each.
    """

    words: tuple[str, ...]
    spaces: tuple[bool, ...]

    @property
    def text(self) -> str:
        """The text of the sentence, with one space for white space."""
        return "".join(word + " " * space for word, space in zip(self.words, self.spaces, strict=True))


#: Returns the values of the columns of each token of each sentence of a document.
Tag = Callable[[Sequence[Sentence]], Iterable[Sequence[tuple[str, ...]]]]


@dataclass(frozen=True, slots=True)
class Tagger:
    """An annotator that reads sentences.

    Attributes:
        columns: names of the columns that it adds.
        description: what they are.
        packages: that it imports.
        wheels: names of the packages that have them, for pip.
        knows: whether it knows a language, by its code.
        make: makes it for a language, with the model that the setting `model` names.
        model: what the setting `model` names; empty if the tagger brings its models.
    """

    columns: tuple[str, ...]
    description: str
    packages: tuple[str, ...]
    wheels: tuple[str, ...]
    knows: Callable[[str], bool]
    make: Callable[[str, str], Tag]
    model: str = ""


class Part(NamedTuple):
    """A part of a text with its analysis: where it starts and ends (characters), and the values of the columns."""

    start: int
    end: int
    values: tuple[str, ...]


def of_tokens(sentence: Sentence, parts: Sequence[Part], columns: int) -> list[tuple[str, ...]]:
    """Returns the values of each token of a sentence from the parts of its text.

    A token has the values of the parts that start in it, joined by `+`. If none does, it has those of the part that it
    lies in; without any, none.

    Args:
        sentence: its tokens.
        parts: in the order of their starts, without overlaps; morphemes of one syllable may start at one place.
        columns: number of values per part.
    """
    starts = [part.start for part in parts]
    found, place = [], 0
    for word, space in zip(sentence.words, sentence.spaces, strict=True):
        first, last = bisect_left(starts, place), bisect_left(starts, place + len(word))
        inside = parts[first:last] or [part for part in parts[max(first - 1, 0) : first] if part.end > place]
        values = zip(*(part.values for part in inside), strict=True) if inside else [()] * columns
        found.append(tuple(JOINED.join(filter(None, column)) for column in values))
        place += len(word) + space
    return found


def parts_of(text: str, words: Iterable[tuple[str, tuple[str, ...]]]) -> Iterator[Part]:
    """Yields words with their values as parts of the text that they are found in, in order."""
    place = 0
    for word, values in words:
        start = text.find(word, place)
        if word and start >= 0:
            place = start + len(word)
            yield Part(start, place, values)


def _universal(lemma: str, tag: str, upos: str) -> tuple[str, ...]:
    """Returns the columns of taggers with universal parts of speech."""
    return lemma, tag or upos, upos, f"{lemma}-{_LEMPOS.get(upos, 'x')}" if lemma else ""


_UNIVERSAL = ("lemma", "tag", "upos", "lempos")


def _spacy(code: str, model: str) -> Tag:
    """Makes a pipeline of spaCy (Montani and Honnibal 2017 ff.), without what makes no columns.

    Raises:
        ConfigError: there is no such pipeline, or it is of another language.
    """
    spacy: Any = importlib.import_module("spacy")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of versions that differ a little
            pipeline = spacy.load(model, exclude=["parser", "ner", "entity_ruler", "senter", "sentencizer"])
    except (OSError, ValueError) as error:
        raise ConfigError(f"model is {model!r}, which spaCy cannot load: {' '.join(str(error).split())}") from None
    if code and pipeline.lang not in (code.partition("-")[0], "xx"):
        raise ConfigError(f"model is {model!r}, a pipeline of {pipeline.lang}, and the documents are in {code}")
    document: Any = importlib.import_module("spacy.tokens").Doc

    def tag(sentences: Sequence[Sentence]) -> Iterator[list[tuple[str, ...]]]:
        made = (document(pipeline.vocab, words=one.words, spaces=one.spaces) for one in sentences)
        for tagged in pipeline.pipe(made):
            yield [_universal(token.lemma_, token.tag_, token.pos_) for token in tagged]

    return tag


def _udpipe(model: str) -> Tag:
    """Makes a model of UDPipe 1 (Straka and Straková 2017).

    Raises:
        ConfigError: there is no such model.
    """
    udpipe: Any = importlib.import_module("ufal.udpipe")
    loaded = udpipe.Model.load(model) if Path(model).is_file() else None
    if loaded is None:
        raise ConfigError(f"model is {model!r}, which is no model of UDPipe")

    def tag(sentences: Sequence[Sentence]) -> Iterator[list[tuple[str, ...]]]:
        for sentence in sentences:
            made = udpipe.Sentence()
            for word, space in zip(sentence.words, sentence.spaces, strict=True):
                made.addWord(word).setSpaceAfter(space)
            if not loaded.tag(made, loaded.DEFAULT):
                raise ConfigError(f"model is {model!r}, which tags nothing")
            yield [_universal(word.lemma, word.xpostag, word.upostag) for word in list(made.words)[1:]]

    return tag


def _fugashi() -> Tag:
    """Makes MeCab (Kudo et al. 2004) with UniDic, by fugashi (McCann 2020)."""
    tagger: Any = importlib.import_module("fugashi").Tagger()

    def values(word: Any) -> tuple[str, ...]:
        feature = word.feature
        classes = (feature.pos1, feature.pos2, feature.pos3, feature.pos4)
        return feature.lemma or word.surface, "-".join(part for part in classes if part and part != "*")

    return _dividing(lambda text: parts_of(text, ((word.surface, values(word)) for word in tagger(text))), 2)


def _kiwi() -> Tag:
    """Makes Kiwi (Lee 2024): morphemes of Korean, with the tags of the Sejong corpus."""
    kiwi: Any = importlib.import_module("kiwipiepy").Kiwi(num_workers=1)
    return _dividing(
        lambda text: (
            Part(part.start, part.start + part.len, (part.form, str(part.tag))) for part in kiwi.tokenize(text)
        ),
        2,
    )


def _jieba() -> Tag:
    """Makes the tagger of jieba (Sun 2013)."""
    tokenizer = jieba_tokenizer()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tagger = importlib.import_module("jieba.posseg").POSTokenizer(tokenizer)
    return _dividing(lambda text: parts_of(text, ((pair.word, (pair.flag,)) for pair in tagger.cut(text))), 1)


def _dividing(parts: Callable[[str], Iterable[Part]], columns: int) -> Tag:
    """Returns the tagger that divides sentences itself."""

    def tag(sentences: Sequence[Sentence]) -> Iterator[list[tuple[str, ...]]]:
        for sentence in sentences:
            yield of_tokens(sentence, list(parts(sentence.text)), columns)

    return tag


def _pythainlp() -> Tag:
    """Makes the tagger of PyThaiNLP (Phatthiyaphaibun et al. 2023), trained on the treebank Thai PUD."""
    pos_tag: Any = importlib.import_module("pythainlp.tag").pos_tag

    def tag(sentences: Sequence[Sentence]) -> Iterator[list[tuple[str, ...]]]:
        for sentence in sentences:
            yield [(upos,) for _, upos in pos_tag(list(sentence.words), engine="perceptron", corpus="pud")]

    return tag


def _only(*codes: str) -> Callable[[str], bool]:
    return lambda code: code.partition("-")[0] in codes


SPACY = Tagger(
    _UNIVERSAL,
    "lemma, tag, universal part of speech and lempos, by a pipeline of spaCy",
    ("spacy",),
    ("spacy",),
    lambda code: True,
    _spacy,
    "the name or the folder of a pipeline, such as en_core_web_sm",
)
UDPIPE = Tagger(
    _UNIVERSAL,
    "lemma, tag, universal part of speech and lempos, by a model of UDPipe 1",
    ("ufal.udpipe",),
    ("ufal.udpipe",),
    lambda code: True,
    lambda code, model: _udpipe(model),
    "a file, such as czech-pdt-ud-2.5-191206.udpipe",
)
FUGASHI = Tagger(
    ("lemma", "tag"),
    "lemma and part of speech of Japanese, by MeCab and UniDic",
    ("fugashi", "unidic_lite"),
    ("fugashi", "unidic-lite"),
    _only("ja"),
    lambda code, model: _fugashi(),
)
KIWI = Tagger(
    ("morphemes", "tag"),
    "morphemes of Korean and their tags, such as 가+었+다 and VV+EP+EF, by Kiwi",
    ("kiwipiepy",),
    ("kiwipiepy",),
    _only("ko"),
    lambda code, model: _kiwi(),
)
JIEBA = Tagger(
    ("tag",),
    "part of speech of Chinese words, by jieba",
    ("jieba",),
    ("jieba",),
    _only("zh"),
    lambda code, model: _jieba(),
)
PYTHAINLP = Tagger(
    ("upos",),
    "universal part of speech of Thai words, by PyThaiNLP",
    ("pythainlp",),
    ("pythainlp",),
    _only("th"),
    lambda code, model: _pythainlp(),
)
