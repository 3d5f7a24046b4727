"""Sums of trigram weights against a look-up of one trigram after another."""

import unicodedata

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpusprep import trigrams
from corpusprep._native.tokens import unicode_class
from corpusprep._native.trigrams import FOLDED, NOT_FOLDED, NativeScorer

WORDS = ("the", "straße", "ὅς", "日本", "हिन्दी", "e\u0301t\u00e9", "Ǆ", "ﬁn", "İ", "각", "x\u0301")
SHARES = np.full(len(WORDS), 1 / len(WORDS))
MODELS = [trigrams.model_of(WORDS[:count], SHARES[:count]) for count in (len(WORDS), 3, 0)]
SCORER = NativeScorer([model.keys for model in MODELS], [model.weights for model in MODELS], trigrams._folded())


def plain_sums(text: str) -> tuple[int, list[int]]:
    """The oracle: running trigrams, and for each model the weights of those it has."""
    running = trigrams.trigrams(text)[0].tolist()
    weights = [dict(zip(model.keys.tolist(), model.weights.tolist(), strict=True)) for model in MODELS]
    return len(running), [sum(known.get(trigram, 0) for trigram in running) for known in weights]


def sums(text: str) -> tuple[int, list[int]] | None:
    """As `TrigramScorer` asks for them."""
    return SCORER.sums(text, False) or SCORER.sums(trigrams.reduce(text), True)


@given(st.one_of(st.text(max_size=60), st.lists(st.sampled_from((*WORDS, " ", "-", "T", "\ud800"))).map("".join)))
def test_sums_are_those_of_one_after_another(text: str) -> None:
    """Whole numbers, equal to the last; texts of one, two and four bytes a character."""
    assert sums(text) == plain_sums(text)
    assert sums(text + "\N{GRINNING FACE}") == plain_sums(text + "\N{GRINNING FACE}")


def test_letters_are_those_that_models_are_made_of() -> None:
    """Every character that Unicode had when the tables were made."""
    text = " ".join(chr(code) for code in range(0x110000) if unicode_class(code))
    assert sums(text) == plain_sums(text)


def test_folding_is_of_characters_that_stand_for_themselves() -> None:
    """Beside any character of the table, what is in the folding is reduced as it is by itself."""
    known = [code for code in range(FOLDED) if trigrams._folded()[code] != NOT_FOLDED]
    text = "".join(map(chr, known))
    assert trigrams.reduce(text) == "".join(chr(trigrams._folded()[code]) for code in known)
    assert not any(unicodedata.combining(chr(code)) for code in known)


@pytest.mark.parametrize("folded", [0, FOLDED - 1])
def test_a_folding_of_another_size_is_refused(folded: int) -> None:
    """The kernel reads as many as it expects."""
    with pytest.raises(ValueError, match="code points"):
        NativeScorer([], [], np.zeros(folded, np.uint32))


def test_keys_without_weights_are_refused() -> None:
    """Each trigram has one."""
    with pytest.raises(ValueError, match="weights"):
        NativeScorer([np.ones(2, np.uint64)], [np.ones(1, np.uint32)], trigrams._folded())
