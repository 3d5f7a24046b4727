"""Sums of the weights of trigrams and words, compared with a plain look-up of each one."""

import re
import unicodedata

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpusprep._native.trigrams import FOLDED, NOT_FOLDED, NativeScorer, NativeWordKeys, NativeWordRatios, NativeWords
from corpusprep._native.unicode import unicode_class
from corpusprep.languages import trigrams

WORDS = (
    "the",
    "straße",
    "ὅς",
    "日本",
    "हिन्दी",
    "e\u0301t\u00e9",
    "Ǆ",
    "ﬁn",
    "İ",
    "각",
    "x\u0301",
    "pneumonoultramicro",
)
SHARES = np.full(len(WORDS), 1 / len(WORDS))
MODELS = [trigrams.model_of(WORDS[:count], SHARES[:count]) for count in (len(WORDS), 3, 0)]
LISTS = (["the", "strasse", "été", "日本", "x²", "y" * 300], [], ["fin", "the", "각", "y" * 256])
NUMBERED = {word: number for number, word in enumerate(dict.fromkeys(word for words in LISTS for word in words))}
WORD = re.compile(r"[^\W\d_]+")
#: By number of the word. The weight of "fin" is too large for the kernel's cache of words.
WORD_WEIGHTS = np.array(
    [[1, -7], [20, 300], [-5, 0], [2**18, -(2**18)], [3, 3], [1, 1], [2**24, 1], [9, 1], [4, 4]], np.int32
)


def scorer(models=MODELS, words=LISTS, word_weights=WORD_WEIGHTS, folded=None):
    """A kernel with these tables."""
    return NativeScorer(
        [model.keys for model in models],
        [model.weights for model in models],
        trigrams._folded() if folded is None else folded,
        NativeWords(["\n".join(one).encode() for one in words]),
        word_weights,
    )


SCORER = scorer()
LETTERS = "abcdefghijklmnopqrstuvwxyzæøåäö"


def plain_sums(text: str) -> tuple[int, list[int], int, list[int]]:
    """The oracle: the number of running trigrams and words, and the sums of their weights per model and column."""
    running = trigrams.trigrams(text)[0].tolist()
    weights = [dict(zip(model.keys.tolist(), model.weights.tolist(), strict=True)) for model in MODELS]
    words = WORD.findall(trigrams.reduce(text))
    # A word of more than 256 characters is never found.
    found = [NUMBERED[word] for word in words if word in NUMBERED and len(word) <= 256]
    return (
        len(running),
        [sum(known.get(trigram, 0) for trigram in running) for known in weights],
        len(words),
        WORD_WEIGHTS[found].sum(axis=0, dtype=np.int64).tolist(),
    )


def sums(text: str) -> tuple[int, list[int], int, list[int]] | None:
    """Returns the sums in the same way as `TextScorer`."""
    return SCORER.sums(text, False) or SCORER.sums(trigrams.reduce(text), True)


def keys_of(text: str, native: NativeScorer = SCORER) -> NativeWordKeys:
    """Returns the keys of a text's running words, in the same way as `TextScorer`."""
    keys = NativeWordKeys(b"")
    assert native.sums(text, False, keys) or native.sums(trigrams.reduce(text), True, keys)
    return keys


@given(st.one_of(st.text(max_size=60), st.lists(st.sampled_from((*WORDS, " ", "-", "T", "y" * 256, "y" * 257)))))
def test_words_of_a_text_have_the_sums_of_the_text(found: str | list[str]) -> None:
    """Weights of running words can be added up later, from their keys; a word of over 256 characters has no key."""
    text = " ".join(found)
    _, _, number, of_words = plain_sums(text)
    keys = keys_of(text)
    assert len(keys) == number - sum(len(word) > 256 for word in WORD.findall(trigrams.reduce(text)))
    words = NativeWords(["\n".join(one).encode() for one in LISTS])
    assert words.sums(keys, WORD_WEIGHTS) == of_words
    with pytest.raises(ValueError, match="rows of weights"):
        words.sums(keys, WORD_WEIGHTS[1:])


def test_words_that_are_cached_without_keys_get_theirs() -> None:
    """A scorer may be asked for keys at any time."""
    native = scorer(word_weights=np.zeros((len(NUMBERED), 0), np.int32))
    assert native.sums("the fin the", False) is not None
    words = NativeWords([b"the", b"fin"])
    weights = np.array([[1, 0], [0, 1]], np.int32)
    assert words.sums(keys_of("the fin the", native), weights) == [2, 1]
    assert native.sums("fin", False) is not None
    assert words.sums(keys_of("fin the", native), weights) == [1, 1]


@given(st.one_of(st.text(max_size=60), st.lists(st.sampled_from((*WORDS, " ", "-", "T", "\ud800"))).map("".join)))
def test_sums_are_those_of_one_after_another(text: str) -> None:
    """Exactly equal whole numbers, for texts of one, two and four bytes per character."""
    assert sums(text) == plain_sums(text)
    assert sums(text + "\N{GRINNING FACE}") == plain_sums(text + "\N{GRINNING FACE}")


def test_letters_are_those_that_models_are_made_of() -> None:
    """For every character of the Unicode version of the tables."""
    text = " ".join(chr(code) for code in range(0x110000) if unicode_class(code))
    assert sums(text) == plain_sums(text)


def test_folded_characters_do_not_depend_on_their_neighbours() -> None:
    """A character in the folding table is reduced in the same way next to any other character of the table."""
    known = [code for code in range(FOLDED) if trigrams._folded()[code] != NOT_FOLDED]
    known += [*range(0x4E00, 0xA000), *range(0xAC00, 0xD7A4)]
    text = "".join(map(chr, known))
    beyond = text[-(0xA000 - 0x4E00 + 0xD7A4 - 0xAC00) :]
    assert (
        trigrams.reduce(text) == "".join(chr(trigrams._folded()[ord(char)]) for char in text[: -len(beyond)]) + beyond
    )
    assert SCORER.sums(text, False) is not None
    assert SCORER.sums("\uf900", False) is SCORER.sums("각\u11a8", False) is None
    assert not any(unicodedata.combining(chr(code)) for code in known)


@settings(deadline=None, max_examples=50)
@given(st.lists(st.text("aXé\u0301 ²1字-\u2028ж", max_size=30), min_size=1, max_size=3), st.integers(1, 6000))
def test_long_texts_are_summed_as_wholes(parts: list[str], length: int) -> None:
    """Words across the end of a piece that is folded at once, words longer than a piece, texts of several pieces."""
    text = "".join(f"{part * (length // max(1, len(part)))} the" for part in parts)
    assert sums(text) == plain_sums(text)


def test_cached_words_have_their_own_sums() -> None:
    """More different words than the cache holds, again and again in another order."""
    words = [f"{first}{second}{third}" for first in "abcdefghij" for second in LETTERS for third in LETTERS]
    for text in (" ".join(words), " ".join(reversed(words)), " ".join(words[::7]) + " the x² straße THE"):
        assert sums(text) == plain_sums(text)


def test_words_are_numbered_in_the_order_in_which_they_come() -> None:
    """Each word has one number in all lists; words that are too long to be found have a number in each list."""
    words = NativeWords([b"to\nbe", b"", b"be\nor", b"z" * 300, b"z" * 300])
    assert len(words) == 5
    assert [np.frombuffer(words.numbers(place), np.uint32).tolist() for place in range(5)] == [
        [0, 1],
        [],
        [1, 2],
        [3],
        [4],
    ]
    with pytest.raises(IndexError, match="5 lists"):
        words.numbers(5)


SHARES_OF_WORDS = st.dictionaries(st.sampled_from([*WORDS, "z" * 300]), st.integers(1, 100))


def plain_unequal(own: dict[str, int], other: dict[str, int], ratio: float) -> dict[str, tuple[int, int]]:
    """The oracle: the shares of each word, at least the larger of the least shares, where they are unequal enough."""
    if not own or not other:
        return {}
    least = max(min(own.values()), min(other.values()))
    shares = {word: (max(own.get(word, 0), least), max(other.get(word, 0), least)) for word in {**own, **other}}
    return {word: (one, two) for word, (one, two) in shares.items() if max(one, two) >= ratio * min(one, two)}


def listed(shares: dict[str, int]) -> tuple[NativeWordKeys, np.ndarray]:
    """Words with their shares, as the kernel takes them."""
    return NativeWordKeys("\n".join(shares).encode()), np.array([*shares.values()], np.uint32)


@given(SHARES_OF_WORDS, SHARES_OF_WORDS, st.sampled_from([1.0, 2.5, 4.0]))
def test_unequal_words_are_those_of_a_look_at_each(own: dict[str, int], other: dict[str, int], ratio: float) -> None:
    """Of both lists, each once; words that are too long to be found are left out."""
    keys, ones, others = NativeWordRatios(*listed(own)).unequal(*listed(other), ratio)
    expected = {word: pair for word, pair in plain_unequal(own, other, ratio).items() if len(word) <= 256}
    assert len(keys) == len(expected)
    numbers = NativeWords.of_keys([NativeWordKeys("\n".join(expected).encode()), keys])
    assert len(numbers) == len(expected)
    pairs = list(expected.values())
    found = zip(np.frombuffer(ones, np.uint32).tolist(), np.frombuffer(others, np.uint32).tolist(), strict=True)
    places = np.frombuffer(numbers.numbers(1), np.uint32).tolist()
    assert dict(zip(places, found, strict=True)) == dict(enumerate(pairs))


def test_shares_of_other_words_are_refused() -> None:
    """There is one share per word."""
    with pytest.raises(ValueError, match="2 words, but 1 shares"):
        NativeWordRatios(NativeWordKeys(b"a\nb"), np.array([1], np.uint32))


def test_weights_of_other_words_are_refused() -> None:
    """There is one row per word."""
    with pytest.raises(ValueError, match="words"):
        scorer(word_weights=WORD_WEIGHTS[:-1])


@pytest.mark.parametrize("folded", [0, FOLDED - 1])
def test_a_folding_of_another_size_is_refused(folded: int) -> None:
    """The kernel reads a table of fixed size."""
    with pytest.raises(ValueError, match="code points"):
        scorer(folded=np.zeros(folded, np.uint32))


def test_keys_without_weights_are_refused() -> None:
    """Each trigram has a weight."""
    with pytest.raises(ValueError, match="weights"):
        scorer([trigrams.TrigramModel(np.ones(2, np.uint64), np.ones(1, np.uint32))])
