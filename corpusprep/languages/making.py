"""Makes a language model from word frequencies or from a sample of text.

Sources: stop lists: Pomikálek 2011, 2.9.9; trigrams: 3.6; encodings: PRESEMT D3.1, 4.
"""

import dataclasses
import functools
from collections.abc import Callable, Iterable, Sequence
from functools import partial

import numpy as np
import numpy.typing as npt

from corpusprep.encoding import byte_trigrams
from corpusprep.encoding.charsets import encode, whatwg_name
from corpusprep.errors import LanguageError
from corpusprep.languages import kept, trigrams
from corpusprep.languages.calibration import calibrate
from corpusprep.languages.descriptions import Description, describe, find, known
from corpusprep.languages.frequencies import (
    Frequencies,
    characters_per_word,
    divider,
    is_stop_word,
    is_unspaced,
    of_language,
    of_texts,
    respeller,
    word_count,
)
from corpusprep.languages.model import LanguageModel, capitalised
from corpusprep.languages.tags import UNKNOWN
from corpusprep.languages.word_evidence import MOST_WORDS, WordShares, shares_of

#: Share of running words that a stop list covers. It is the share of the 319 most frequent English words (wordfreq
#: 3.1.1: 0.5639 of its tokens, of which 2 % are numbers); the thesis's list has 319 words. On the news pages of
#: `daniel-dev` in English, Polish, Greek and Russian (preset A), the mean F1 by characters is 76.5 at a coverage of
#: 0.45, 79.5 at 0.50, 81.7 at this value, 82.1 at 0.60, 81.9 at 0.65 and 82.1 at 0.70: it rises up to this value and
#: then stays level. Lists of 319 words for every language give 78.2.
STOP_LIST_COVERAGE = 0.5756
#: Fewest running words of a sample: in a smaller one, many words of a stop list occur once or never.
LEAST_WORDS = 5_000
#: Encodings that are tried for a language whose encodings are unknown, the most frequent on the Web first.
COMMON_ENCODINGS = (
    "windows-1252 windows-1251 windows-1250 windows-1256 windows-1254 windows-1253 windows-1255 windows-1257"
    " windows-874 windows-1258 iso-8859-2 koi8-u gbk shift_jis euc-kr big5 euc-jp"
).split()
MOST_ENCODINGS = 3
#: An encoding is tried if it can write at least this share of the running words.
LEAST_WRITTEN = 0.99


@functools.cache
def built_in(code: str) -> LanguageModel:
    """Returns the model of a built-in language, made from its word frequencies.

    One that is kept (kept.py) is read. Otherwise the stop list is made at once (0.4 s the first time, most of it for
    importing wordfreq), trigrams and encodings on first use.

    Args:
        code: one of `known()`, or an alias (`no` for nb, `hr` for sh, …).

    Raises:
        LanguageError: the language is unknown; the message lists the built-in ones and says how to make a model.
    """
    return kept.read(code) or make(code)


def word_shares(code: str) -> dict[str, float]:
    """Returns the share of each word of a language among its running words, as the package `wordfreq` has them.

    Words are in lower case, in every spelling of the language. A language without a list has none, and so has one that
    is written without spaces: its words do not stand apart in texts.

    Args:
        code: code, alias or name of the language.
    """
    description = find(code)
    if description is None or description.code == UNKNOWN or is_unspaced(frequencies := of_language(description.code)):
        return {}
    words, shares = _spelled(description, frequencies, len(frequencies.words))
    return dict(zip(reversed(words), reversed(shares.tolist()), strict=True))


def make(
    code: str,
    texts: Iterable[str] | None = None,
    *,
    name: str | None = None,
    origin: str = "text",
    encodings: Sequence[str] | None = None,
    rivals: Sequence[str] | None = None,
    threshold: float | None = None,
    coverage: float = STOP_LIST_COVERAGE,
) -> LanguageModel:
    """Makes a language model.

    If the code names a built-in language, its description (encodings, abbreviations, …) is used too. With a
    sample, the threshold and the rivals are set on paragraphs held out of the model, and the encodings of a language
    that is not built in are found from its letters.

    Args:
        code: code of the language; a built-in one needs no texts.
        texts: the sample, in pieces; None: the words of `wordfreq`.
        name: name of the language; default: the built-in language's name, or the code.
        origin: where the sample comes from; stored in the model.
        encodings: labels of the encodings in use on the language's Web besides utf-8.
        rivals: codes of built-in languages; a document that scores higher for one of them is rejected.
        threshold: the lowest score of a text that counts as this language, 0 to 1.
        coverage: the share of running words that the stop list covers.

    Raises:
        LanguageError: the language is not built in and no texts are given, the sample is too small or mixes
            languages, or an encoding or rival is unknown.
    """
    if texts is None:
        description = describe(code)
        if description.code == UNKNOWN:
            return blank(description.code, description.name)
        frequencies = running = of_language(description.code)
    else:
        description = find(code) or Description(code=code, name=code, threshold=0.0)
        sample = list(texts)
        frequencies = running = of_texts(sample, origin)
        if is_unspaced(frequencies):
            running = of_texts(sample, origin, divider(description.code))
        if (words := word_count(running)) < LEAST_WORDS:
            raise LanguageError(
                f"the sample for {code} is too small: it has {words:,} words; "
                f"give at least {LEAST_WORDS:,}, better 100,000 or more"
            )
        if encodings is None and not description.encodings:
            encodings = _writable(frequencies)
        if threshold is None or rivals is None:
            others = [built_in(other) for other in known() if other != description.code]
            calibrated = calibrate(sample, lambda part: _model(description, of_texts(part, origin)), others)
            if calibrated.foreign is not None:
                other, share = calibrated.foreign
                raise LanguageError(
                    f"the sample for {code} is in more than one language: {share:.0%} of its paragraphs are in "
                    f"{describe(other).name} ({other}), the others are not; give a sample in one language"
                )
            description = dataclasses.replace(description, threshold=calibrated.threshold, rivals=calibrated.rivals)
    if name is not None:
        description = dataclasses.replace(description, name=name)
    if encodings is not None:
        description = dataclasses.replace(description, encodings=tuple(map(_encoding, encodings)))
    if rivals is not None:
        description = dataclasses.replace(description, rivals=tuple(describe(rival).code for rival in rivals))
    if threshold is not None:
        description = dataclasses.replace(description, threshold=threshold)
    return _model(description, frequencies, running, coverage)


def blank(code: str, name: str | None = None, origin: str = "no text") -> LanguageModel:
    """Returns the model of a language of which there is no text: without stop words, trigrams and encodings."""
    return _model(Description(code=code, name=name or code), Frequencies((), np.zeros(0), origin))


def _model(
    description: Description,
    frequencies: Frequencies,
    running: Frequencies | None = None,
    coverage: float = STOP_LIST_COVERAGE,
) -> LanguageModel:
    """Makes a model; `running`, if given, replaces `frequencies` for the stop list and the word length."""
    running = running or frequencies
    return LanguageModel(
        code=description.code,
        name=description.name,
        origin=running.origin,
        stop_list=_stop_list(description, running, coverage),
        threshold=description.threshold,
        rivals=description.rivals,
        abbreviations=description.abbreviations,
        clitic_prefixes=description.clitic_prefixes,
        clitic_suffixes=description.clitic_suffixes,
        whole_words=description.whole_words,
        joints=description.joints,
        apart=description.apart,
        capitals=description.capitals,
        characters_per_word=characters_per_word(running),
        encoding_names=byte_trigrams.candidates(description.encodings),
        trigram_source=partial(_trigrams, description, frequencies),
        encoding_source=partial(_encodings, description, frequencies),
        word_source=partial(_words, description, frequencies),
    )


def _stop_list(description: Description, frequencies: Frequencies, coverage: float) -> tuple[str, ...]:
    """Returns the most frequent words that together cover the share `coverage` of running words, in every spelling."""
    spellings = _speller(description)
    stop_list: dict[str, None] = {}
    covered = 0.0
    for word, share in zip(frequencies.words, frequencies.shares.tolist(), strict=True):
        if covered >= coverage:
            break
        if is_stop_word(word):
            covered += share
            stop_list.update(dict.fromkeys(spellings(word)))
    return tuple(stop_list)


def _speller(description: Description) -> Callable[[str], list[str]]:
    """Returns a function that gives a word in every spelling of the language, the usual one first."""
    respellers = [respeller(letters) for letters in description.spellings]
    respelled = description.respelled

    def spellings(word: str) -> list[str]:
        usual = respelled.get(word) or _final_sigma(word)
        forms = [usual, *(respell(usual) for respell in respellers)]
        return list(dict.fromkeys([*forms, word] if word in respelled else forms))

    return spellings


def _final_sigma(word: str) -> str:
    """Restores the final form of Greek sigma, which the case folding of frequency lists removes."""
    return word[:-1] + "ς" if len(word) > 1 and word.endswith("σ") else word


def _trigrams(description: Description, frequencies: Frequencies) -> tuple[trigrams.TrigramModel, ...]:
    """Makes a trigram model per spelling of the language."""
    words = frequencies.words
    written = [words, *(list(map(respeller(letters), words)) for letters in description.spellings)]
    return tuple(trigrams.model_of(spelling, frequencies.shares) for spelling in written)


def _encodings(description: Description, frequencies: Frequencies) -> byte_trigrams.EncodingModel:
    """Makes the encoding model from the most frequent words in every spelling."""
    words, shares = _spelled(description, frequencies, byte_trigrams.TEXT_WORDS)
    capital = partial(capitalised, capitals=description.capitals)
    return byte_trigrams.model_of(words, shares, description.encodings, capital)


def _words(description: Description, frequencies: Frequencies) -> WordShares:
    """Returns the words of the model, in every spelling, with their shares."""
    return shares_of(*_spelled(description, frequencies, MOST_WORDS))


def _spelled(
    description: Description, frequencies: Frequencies, most: int
) -> tuple[list[str], npt.NDArray[np.float64]]:
    """Returns the `most` most frequent words in every spelling; each spelling has the share of its word."""
    spellings = _speller(description)
    shares = frequencies.shares[:most].tolist()
    forms = [(form, share) for word, share in zip(frequencies.words, shares, strict=False) for form in spellings(word)]
    return [form for form, _ in forms], np.array([share for _, share in forms], np.float64)


def _writable(frequencies: Frequencies) -> list[str]:
    """Returns the common encodings that can write the language, MOST_ENCODINGS at most."""
    words = list(zip(frequencies.words, frequencies.shares.tolist(), strict=True))[: byte_trigrams.TEXT_WORDS]
    letters = sorted(set("".join(word for word, _ in words)))
    total = sum(share for _, share in words)
    encodings = []
    for name in COMMON_ENCODINGS:
        # Four bytes are GB18030's, which can write everything: gbk, as browsers write it, has none of them.
        missing = {letter for letter in letters if encode(letter, name) == b"?" or len(encode(letter, name)) > 3}
        if sum(share for word, share in words if missing.isdisjoint(word)) >= LEAST_WRITTEN * total:
            encodings.append(name)
    return encodings[:MOST_ENCODINGS]


def _encoding(label: str) -> str:
    name = whatwg_name(label)
    if name is None or name == "replacement" or name.startswith("utf-16"):
        raise LanguageError(f"encoding {label}: not the WHATWG label of an encoding that can be detected")
    return name
