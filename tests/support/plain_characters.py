"""Character trigram models in plain Python: the twin of native/pages/ncleaner.hpp, and models made by hand."""

import numpy as np
from hypothesis import strategies as st

from corpusprep._native.unicode import LETTER, MARK, unicode_class
from corpusprep.cleaners.block_models import score_borders
from corpusprep.cleaners.ncleaner.character_models import CharacterModel

#: Characters of one to four bytes, of all classes, on both sides of the kernel's table of the first 2,048.
CHARACTERS = "ab |0.A\n\x07\xadéß\u07fe\u07ff\u0800\u0e01日€\u0301\ufffd\U0001f600\U0010ffff"


def symbol_of(model: CharacterModel, character: str) -> int:
    """The symbol of a character: its own, or that of its class."""
    own = dict(zip(model.characters.tolist(), model.symbols.tolist(), strict=True))
    return own.get(ord(character), int(model.classes[unicode_class(ord(character))]))


def plain_segment(model: CharacterModel, text: str) -> tuple[int, int, int]:
    """The sum of the weights of a text and its end, its vertical bars, and its letters and marks."""
    size = len(model.pairs)
    listed = dict(zip(model.trigrams.tolist(), model.weights.tolist(), strict=True))
    symbols = [0, 0, *(symbol_of(model, character) for character in text), 0]
    total = 0
    for first, second, third in zip(symbols, symbols[1:], symbols[2:], strict=False):
        key = (first * size + second) * size + third
        unlisted = int(model.pairs[second, third]) + int(model.contexts[first, second])
        if any((first * size + second) * size <= one < (first * size + second + 1) * size for one in listed):
            unlisted = max(-(2**15), min(2**15 - 1, unlisted))
        total += listed.get(key, unlisted)
    letters = sum(unicode_class(ord(character)) in (LETTER, MARK) for character in text)
    return total, text.count("|"), letters


@st.composite
def character_models(draw: st.DrawFn) -> CharacterModel:
    """Models with any weights over few or many symbols."""
    size = draw(st.sampled_from([2, 3, 11, 256]))
    numbers = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    own = sorted(draw(st.sets(st.sampled_from(CHARACTERS))))
    trigrams = draw(st.sets(st.integers(0, size**3 - 1), max_size=200))
    low, high = draw(st.sampled_from([(-300, 300), (-(2**15), 2**15)]))
    return CharacterModel(
        np.array([ord(character) for character in own], np.uint32),
        numbers.integers(1, size, len(own)).astype(np.uint8),
        numbers.integers(1, size, 9).astype(np.uint8),
        numbers.integers(low, high, (size, size)).astype(np.int16),
        numbers.integers(low, high, (size, size)).astype(np.int16),
        np.array(sorted(trigrams), np.uint32),
        numbers.integers(low, high, len(trigrams)).astype(np.int16),
        score_borders(0.01),
        {"precision": 900, "balanced": 500, "recall": 200},
    )


def small_character_model(language: str = "", *, lexical: bool = True) -> CharacterModel:
    """A model to which e is clean, C and capitals are dirty, and all else says nothing."""
    pairs = np.zeros((12, 12), np.int16)
    pairs[:, 10], pairs[:, 11] = 100, -100
    return CharacterModel(
        np.array([ord("C"), ord("e")], np.uint32),
        np.array([11, 10], np.uint8),
        np.arange(1, 10).astype(np.uint8),
        pairs,
        np.zeros((12, 12), np.int16),
        np.zeros(0, np.uint32),
        np.zeros(0, np.int16),
        score_borders(0.01),
        {"precision": 900, "balanced": 500, "recall": 200},
        lexical,
        language,
        {"name": "small", "sets": []},
    )
