"""Similarity by character trigrams, against a plain-Python twin."""

import unicodedata
from collections import Counter
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import sentences

from corpusprep import languages
from corpusprep._native.trigrams import NativeWords
from corpusprep.languages import trigrams
from corpusprep.languages.scoring import TrigramScorer

WORDS = ("the", "and", "of", "cat", "hat", "straße", "ὅς", "don't", "日本", "ไทย", "हिन्दी", "e\u0301t\u00e9")
SHARES = np.array([0.3, 0.2, 0.15, 0.1, 0.05, 0.05, 0.04, 0.04, 0.03, 0.02, 0.01, 0.01])


def is_syllabic(char):
    """Returns whether a script is written without spaces, or with one character per syllable."""
    return any(first <= ord(char) <= last for first, last in trigrams._SYLLABIC)


def plain_trigrams(text):
    """The trigrams of a text as strings of three characters."""
    found = []
    for char in unicodedata.normalize("NFC", text).casefold():
        letter = unicodedata.category(char)[0] in "LM"
        found.append("" if not letter else f" {char} " if is_syllabic(char) else char)
    words = "".join(char or " " for char in found).split()
    return [f" {word} "[i : i + 3] for word in words for i in range(len(word))]


def plain_model(words, shares):
    """Returns trigram -> weight."""
    counts = Counter()
    for word, share in zip(words, shares, strict=True):
        for trigram in plain_trigrams(word):
            counts[trigram] += share
    total = sum(counts.values())
    return {trigram: min(1.0, (count / total / 0.02) ** 0.25) for trigram, count in counts.items()}


def plain_score(text, model):
    """Returns the mean weight over the running trigrams."""
    found = plain_trigrams(text)
    return sum(model.get(trigram, 0.0) for trigram in found) / len(found) if found else 0.0


def language(*spellings):
    """A stand-in for a language model."""
    return SimpleNamespace(trigrams=spellings)


HALF = language(trigrams.model_of(WORDS[::2], SHARES[::2]))
WHOLE = language(trigrams.model_of(WORDS, SHARES))


@given(
    st.one_of(
        st.text(max_size=80), st.lists(st.sampled_from((*WORDS, "HAT", "x", "42", "-")), max_size=20).map(" ".join)
    )
)
def test_scores_are_those_of_the_plain_twin(text):
    """Scores of all models in one pass are those of each model alone in plain Python."""
    expected = [plain_score(text, plain_model(WORDS[::2], SHARES[::2])), plain_score(text, plain_model(WORDS, SHARES))]
    assert TrigramScorer([HALF, WHOLE]).scores(text) == pytest.approx(expected, abs=2e-6)


def test_characters_that_need_no_full_algorithm_are_the_same_after_it():
    """Every code point above the kernel's table, after a letter and before a mark: known ones fold to themselves."""
    native = trigrams.TextScorer(HALF.trigrams, NativeWords([]), np.zeros((0, 0), np.int32))._native
    known = []
    for code in (*range(trigrams.FOLDED, 0x40000), *range(0xE0000, 0xE0200), 0x10FFFF):
        if native.sums(chr(code), False) is None:
            continue
        known.append(code)
        for text in (f"e{chr(code)}", f"{chr(code)}\u0301", f"{chr(code)}\u0338"):
            assert trigrams.reduce(text) == text, hex(code)
        assert native.sums(f"a{chr(code)}b", False) == native.sums(f"a{chr(code)}b", True), hex(code)
    assert {0x4E00, 0xD7A3, 0xFE0F, 0xFF0C, 0x1F50E} <= set(known)
    assert not {0x1D15E, 0xFF21, 0x10400, 0xF900} & set(known)


def test_a_language_gets_the_score_of_its_best_spelling():
    """Two spellings count as one language."""
    both = language(*HALF.trigrams, *WHOLE.trigrams)
    scores = TrigramScorer([HALF, both, WHOLE]).scores("the cat and the hat")
    assert scores[1] == max(scores[0], scores[2])


@pytest.mark.parametrize("text", ["", "   \n", "1984 – 42!", "☃ ✓"])
def test_a_text_without_letters_scores_zero(text):
    """There is nothing to compare."""
    assert TrigramScorer([WHOLE]).scores(text) == [0.0]


def test_no_models_give_no_scores():
    """An empty list of languages is allowed."""
    assert TrigramScorer([]).scores("the cat") == []


def test_lone_surrogates_are_no_letters():
    """A text that is not valid Unicode is scored too."""
    assert TrigramScorer([WHOLE]).scores("the \ud800 cat") == TrigramScorer([WHOLE]).scores("the cat")


def test_pieces_add_up(monkeypatch):
    """A text split into pieces between words has the same score as the whole text."""
    text = "the cat \N{LATIN SMALL LIGATURE FI}n " * 50  # the ligature must be folded by Unicode's own rules
    whole = TrigramScorer([WHOLE]).scores(text)
    monkeypatch.setattr(trigrams, "PIECE_CHARACTERS", 16)
    assert TrigramScorer([WHOLE]).scores(text) == whole


def test_decomposed_letters_count_as_composed():
    """The same word in another normal form."""
    scorer = TrigramScorer([languages.get("vi")])
    text = "người Việt Nam nói tiếng Việt"
    assert scorer.scores(unicodedata.normalize("NFD", text)) == scorer.scores(text)


TEXTS = [
    ("cs", sentences.CZECH),
    ("sk", sentences.SLOVAK),
    ("pl", sentences.POLISH),
    ("de", sentences.GERMAN),
    ("el", sentences.GREEK),
    ("ru", sentences.RUSSIAN),
    ("da", sentences.DANISH),
    ("nb", sentences.NORWEGIAN),
    ("sv", sentences.SWEDISH),
    ("en", sentences.ENGLISH),
    ("ja", sentences.JAPANESE),
    ("zh", sentences.CHINESE),
    ("ko", sentences.KOREAN),
    ("sh", sentences.SERBIAN_CYRILLIC),
    ("fa", sentences.PERSIAN),
]


@pytest.mark.parametrize(("code", "text"), TEXTS, ids=[code for code, _ in TEXTS])
def test_a_language_scores_highest_on_its_own_text(code, text):
    """Four lines, and each line alone, score highest for their own language and reach its threshold."""
    own = languages.get(code)
    scorer = TrigramScorer([own, *map(languages.get, own.rivals)])
    for part in (text, *text.splitlines()):
        score, *others = scorer.scores(part)
        assert score > max(others)
        assert score >= own.threshold


def test_code_is_not_english():
    """A side effect of the filter that the thesis welcomes (3.6)."""
    script = "var a=document.getElementById('x1');if(!a){a=$(q).css({w:k+'px'}).bind(fn);}jQ.fx.tqz(xhr,idx,0);"
    english = languages.get("en")
    assert TrigramScorer([english]).scores(script)[0] < english.threshold
