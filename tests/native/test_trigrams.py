"""Sums of the weights of trigrams and words, compared with a plain look-up of each one."""

import math
import re
import unicodedata

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpusprep._native.trigrams import (
    FOLDED,
    NOT_FOLDED,
    NativeScorer,
    NativeWordComparison,
    NativeWordKeys,
    NativeWordRatios,
    NativeWords,
)
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


def numbers_of(keys: NativeWordKeys, *lists: list[str]) -> list[int]:
    """Returns the numbers of running words, given by their keys; those of words in no list are the highest."""
    numbered = NativeWords.of_keys([*(NativeWordKeys("\n".join(words).encode()) for words in lists if words), keys])
    return np.frombuffer(numbered.numbers(sum(map(bool, lists))), np.uint32).tolist()


@given(st.one_of(st.text(max_size=60), st.lists(st.sampled_from((*WORDS, " ", "-", "T", "y" * 256, "y" * 257)))))
def test_words_of_a_text_have_the_sums_of_the_text(found: str | list[str]) -> None:
    """Weights of running words can be added up later, from their keys; a word of over 256 characters has no key."""
    text = " ".join(found)
    _, _, number, of_words = plain_sums(text)
    keys = keys_of(text)
    assert len(keys) == number - sum(len(word) > 256 for word in WORD.findall(trigrams.reduce(text)))
    found = [place for place in numbers_of(keys, *LISTS) if place < len(NUMBERED)]
    assert WORD_WEIGHTS[found].sum(axis=0, dtype=np.int64).tolist() == of_words


def test_words_that_are_cached_without_keys_get_theirs() -> None:
    """A scorer may be asked for keys at any time."""
    native = scorer(word_weights=np.zeros((len(NUMBERED), 0), np.int32))
    assert native.sums("the fin the", False) is not None
    assert numbers_of(keys_of("the fin the", native), ["the", "fin"]) == [0, 1, 0]
    assert native.sums("fin", False) is not None
    assert numbers_of(keys_of("fin the", native), ["the", "fin"]) == [1, 0]


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


#: Evidence of 1, as a whole number.
UNIT = 1 << 16


def plain_evidence(own: dict[str, int], other: dict[str, int], least_ratio: float, most_ratio: float) -> dict[str, int]:
    """The oracle: the logarithm of the ratio of the shares of each word, where they are unequal enough."""
    if not own or not other:
        return {}
    least = max(min(own.values()), min(other.values()))
    shares = {word: (max(own.get(word, 0), least), max(other.get(word, 0), least)) for word in {**own, **other}}
    limit = math.log(most_ratio)
    return {
        word: round(min(max(math.log(one / two), -limit), limit) * UNIT)
        for word, (one, two) in shares.items()
        if max(one, two) >= least_ratio * min(one, two)
    }


def listed(shares: dict[str, int]) -> tuple[NativeWordKeys, np.ndarray]:
    """Words with their shares, as the kernel takes them."""
    return NativeWordKeys("\n".join(shares).encode()), np.array([*shares.values()], np.uint32)


RATIOS = st.sampled_from([(1.5, 55.0), (2.5, 10.0), (4.0, 55.0)])


@given(SHARES_OF_WORDS, SHARES_OF_WORDS, RATIOS)
def test_unequal_words_are_those_of_a_look_at_each(
    own: dict[str, int], other: dict[str, int], ratios: tuple[float, float]
) -> None:
    """Of both lists, each once; words that are too long to be found are left out."""
    keys, evidence = NativeWordRatios(*listed(own)).unequal(NativeWordRatios(*listed(other)), *ratios, UNIT)
    expected = {word: one for word, one in plain_evidence(own, other, *ratios).items() if len(word) <= 256}
    found = zip(numbers_of(keys, list(expected)), np.frombuffer(evidence, np.int32).tolist(), strict=True)
    assert dict(found) == dict(enumerate(expected.values()))


@given(SHARES_OF_WORDS, st.lists(SHARES_OF_WORDS, max_size=3), RATIOS, st.lists(st.sampled_from([*WORDS, "none"])))
def test_compared_words_have_the_evidence_of_a_look_at_each(
    own: dict[str, int], others: list[dict[str, int]], ratios: tuple[float, float], running: list[str]
) -> None:
    """Sums against each of the others, the same when words come again."""
    comparison = NativeWordComparison(
        NativeWordRatios(*listed(own)), [NativeWordRatios(*listed(other)) for other in others], *ratios, UNIT
    )
    keys = NativeWordKeys("\n".join(running).encode())
    expected = [
        sum(evidence.get(word, 0) for word in running)
        for evidence in (plain_evidence(own, other, *ratios) for other in others)
    ]
    assert comparison.sums(keys) == comparison.sums(keys) == expected
    for over in (-1, 0, 1):
        floors = [one + over for one in expected]
        assert comparison.reach(keys, floors) == (over <= 0 or not others)
    mixed = [one + (place == 1) - 10**6 * (place == 0) for place, one in enumerate(expected)]
    assert comparison.reach(keys, mixed) == (len(others) < 2)
    with pytest.raises(ValueError, match="floors for"):
        comparison.reach(keys, [*expected, 0])


def test_words_that_share_a_place_are_compared_each() -> None:
    """More different words than the kernel keeps."""
    words = [f"{first}{second}{third}" for first in LETTERS for second in LETTERS for third in LETTERS]
    other = NativeWordRatios(NativeWordKeys(b"zzzz"), np.array([1], np.uint32))
    shares = np.array([8] * len(words) + [1], np.uint32)
    own = NativeWordRatios(NativeWordKeys("\n".join([*words, "zzzz"]).encode()), shares)
    expected = 2 * len(words) * round(1000 * math.log(8))
    assert NativeWordComparison(own, [other], 2, 55, 1000).sums(
        NativeWordKeys("\n".join([*words, *reversed(words)]).encode())
    ) == [expected]
    keys = NativeWordKeys("\n".join(words).encode())
    assert NativeWordComparison(own, [other], 2, 55, 1000).reach(keys, [expected // 2])
    assert not NativeWordComparison(own, [other], 2, 55, 1000).reach(keys, [expected // 2 + 1])


@pytest.mark.parametrize("scale", [(1.0, 55.0, UNIT), (4.0, 2.0, UNIT), (4.0, 55.0, 0.0), (4.0, 55.0, 2.0**31)])
def test_a_scale_that_fits_no_evidence_is_refused(scale: tuple[float, float, float]) -> None:
    """Ratios are above 1 and ascending; the largest evidence has 31 bits."""
    words = NativeWordRatios(NativeWordKeys(b"a"), np.array([1], np.uint32))
    with pytest.raises(ValueError, match="not a scale of evidence"):
        words.unequal(words, *scale)
    with pytest.raises(ValueError, match="not a scale of evidence"):
        NativeWordComparison(words, [words], *scale)


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
