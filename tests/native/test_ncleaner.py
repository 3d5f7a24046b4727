"""Sums of the weights of character trigrams, compared with a plain look-up of each one."""

import itertools
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.plain_characters import CHARACTERS, character_models, plain_segment, small_character_model, symbol_of

from corpusprep._native.ncleaner import CharacterModel, Symbols
from corpusprep.cleaners.ncleaner.character_models import CharacterModel as Model

TEXTS = st.lists(st.text(CHARACTERS, max_size=30), max_size=6)


def encoded(texts: list[str]) -> tuple[bytes, np.ndarray]:
    """Texts as the kernel takes them."""
    parts = [text.encode() for text in texts]
    return b"".join(parts), np.cumsum([0, *map(len, parts)], dtype=np.int64)


@settings(max_examples=60, deadline=None)
@given(character_models(), TEXTS)
def test_sums_are_those_of_plain_look_ups(model: Model, texts: list[str]) -> None:
    """Of listed trigrams, and of others by their last two symbols and their context; bars and letters."""
    sums, bars, letters = model.native.measure(*encoded(texts))
    found = list(zip(sums.tolist(), bars.tolist(), letters.tolist(), strict=True))
    assert found == [plain_segment(model, text) for text in texts]


@settings(max_examples=60, deadline=None)
@given(character_models(), TEXTS)
def test_symbols_are_those_of_the_characters_or_their_classes(model: Model, texts: list[str]) -> None:
    """Of all segments, one after another, with the bounds of each."""
    symbols, offsets = Symbols(model.characters, model.symbols, model.classes).encode(*encoded(texts))
    found = [symbols[start:end].tolist() for start, end in itertools.pairwise(offsets.tolist())]
    assert found == [[symbol_of(model, character) for character in text] for text in texts]


def test_bytes_that_are_not_utf_8_count_as_replaced_characters() -> None:
    """A segment that ends within a character is not read beyond its end."""
    model = small_character_model()
    text = "e\u20ac".encode()
    whole = model.native.measure(b"e\xef\xbf\xbd\xef\xbf\xbd", np.array([0, 7], np.int64))
    cut = model.native.measure(text, np.array([0, 3], np.int64))
    assert [values.tolist() for values in cut] == [values.tolist() for values in whole]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"symbols": np.array([11], np.uint8)}, "characters do not ascend, or lack symbols"),
        ({"characters": np.array([101, 67], np.uint32)}, "characters do not ascend"),
        ({"characters": np.array([67, 0x110000], np.uint32)}, "no code point"),
        ({"symbols": np.array([0, 10], np.uint8)}, "symbol of the ends"),
        ({"symbols": np.array([12, 10], np.uint8)}, "too few or too many symbols"),
        ({"classes": np.zeros(9, np.uint8)}, "symbol of the ends"),
        ({"classes": np.ones(8, np.uint8)}, "8 classes of characters"),
        ({"pairs": np.zeros((12, 11), np.int16)}, "not square"),
        ({"pairs": np.zeros((257, 257), np.int16)}, "too few or too many symbols"),
        ({"contexts": np.zeros((11, 11), np.int16)}, "do not fit the symbols"),
        ({"trigrams": np.array([1], np.uint32)}, "do not fit the symbols"),
        ({"trigrams": np.array([1, 1], np.uint32), "weights": np.zeros(2, np.int16)}, "trigrams do not ascend"),
        ({"trigrams": np.array([12**3], np.uint32), "weights": np.zeros(1, np.int16)}, "symbol that does not exist"),
        ({"trigrams": np.array([2**32 - 1], np.uint32), "weights": np.zeros(1, np.int16)}, "does not exist"),
    ],
)
def test_arrays_that_do_not_fit_together_are_refused(changes: dict[str, np.ndarray], message: str) -> None:
    """What a damaged or made-up model file may hold never reaches the kernel's tables."""
    model = small_character_model()
    names = ("characters", "symbols", "classes", "pairs", "contexts", "trigrams", "weights")
    with pytest.raises(ValueError, match=message):
        CharacterModel(*({name: getattr(model, name) for name in names} | changes).values())


@pytest.mark.parametrize("offsets", [[0, 4], [2, 1], [-1, 2], []])
def test_offsets_outside_of_the_text_are_refused(offsets: list[int]) -> None:
    """By both functions that take them."""
    model = small_character_model()
    for function in (model.native.measure, Symbols(model.characters, model.symbols, model.classes).encode):
        with pytest.raises(ValueError, match="do not ascend within the text"):
            function(b"abc", np.array(offsets, np.int64))


def test_a_long_segment_takes_linear_time() -> None:
    """Eight million characters, without a blank, in one segment: a sum beyond 32 bits."""
    model = small_character_model()
    text = b"e" * 8_000_000 + b"|" * 300_000
    started = time.process_time()
    sums, bars, letters = model.native.measure(text * 4, np.array([0, 4 * len(text)], np.int64))
    assert time.process_time() - started < 5
    assert (sums.tolist(), bars.tolist(), letters.tolist()) == ([3_200_000_000], [1_200_000], [32_000_000])
