"""The kernel that measures documents, compared with its plain twin (support/plain_quality.py)."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import plain_quality

from corpusprep._native.quality import (
    FEATURES,
    HYPHENS,
    SIGNALS,
    LetterModel,
    ListedPhrases,
    QualitySignals,
    feature_sums,
    text_features,
)
from corpusprep.quality.words import Splitting, exceptions_of, splitting_of

EXCEPTIONS = [("do", "n't"), ("Mr.",), ("e.g.",), (":)",), ("I", "'m"), ("10", "km")]
STOP_WORDS = ("the", "be", "und", "—")
#: What rules are about: marks, units, addresses, white space of several kinds, letters of several scripts.
PIECES = st.sampled_from(
    [
        *(
            "the",
            "The",
            "be",
            "don't",
            "Mr.",
            "e.g.",
            ":)",
            "I'm",
            "und",
            "ß",
            "Ünde",
            "İ",
            "ǅ",
            "Слово",
            "語",
            "คำ",
            "a\u0301",
        ),
        *(
            "www.example.org",
            "http://a-b.de:80/x?y#z",
            "me@mail.example.com",
            "10.1.2.3",
            "8.8.4.4",
            "file.Txt",
            "a_b.",
        ),
        *("5km", "12%", "30€", "US$", "C$5", "7°C.", "1990s", "3+", "5-6", "1*-2", "x--y", "and/or", "Smith's", "A.B."),
        *("lorem ipsum", "JavaScript", "Terms of Use", "[1]", "[edit]", "[citation needed]", "[12", "1,000", "3 likes"),
        *(".", "..", "...", "…", "……", "!", "?", "。", "؟", ",", "-", "—", "–", "~", "#", "•", "'", '"', "’", "(", ")"),
        *("{", "}", "°", "©", "☃", "+", "=", "%", "§", "/", ":", "@", "\\", "|", "1", "２", "²", "\u200b", "\x01"),
        *(" ", " ", " ", "\n", "\n", "\n\n", "\t", "\u00a0", "\u2028", "\r\n"),
    ]
)
LATIN = st.text(st.characters(max_codepoint=0x17F))
texts = st.one_of(st.lists(PIECES, max_size=40).map("".join), st.lists(PIECES, max_size=25).map(" ".join), LATIN)


SPLITTINGS = st.builds(Splitting, st.sampled_from(HYPHENS), st.booleans(), st.booleans())


@given(texts, SPLITTINGS)
def test_words_are_those_of_the_twin(text: str, splitting: Splitting) -> None:
    """Also with exceptions, and no character but white space is lost."""
    for exceptions in ((), EXCEPTIONS):
        found = QualitySignals(exceptions, (), *splitting).words(text)
        assert found == plain_quality.words(text, exceptions, splitting)
        assert "".join(found) == "".join(c for c in text if not plain_quality.space(c))


@given(st.lists(st.one_of(texts, st.lists(st.sampled_from("ab ."), max_size=80).map(" ".join)), max_size=4), SPLITTINGS)
def test_signals_are_those_of_the_twin(documents: list[str], splitting: Splitting) -> None:
    """Of one document after another: each is measured as if it were alone."""
    table = QualitySignals(EXCEPTIONS, STOP_WORDS, *splitting).measure(documents)
    assert table.shape == (len(documents), len(SIGNALS))
    for text, row in zip(documents, table.tolist(), strict=True):
        expected = plain_quality.signals(text, EXCEPTIONS, STOP_WORDS, splitting)
        assert dict(zip(SIGNALS, row, strict=True)) == pytest.approx(expected, rel=1e-12)


def test_words_of_english() -> None:
    """Contractions are cut, abbreviations and addresses stay whole, marks come off."""
    kernel = QualitySignals(exceptions_of("en"), (), *splitting_of("en"))
    text = (
        "I don't know Mr. Smith's well-known (U.S.) e-mail: foo@bar.com, http://example.com/a.html. It's 50% of 10km..."
    )
    assert " ".join(kernel.words(text)) == (
        "I do n't know Mr. Smith 's well - known ( U.S. ) e - mail : foo@bar.com , http://example.com/a.html . It 's"
        " 50 % of 10 km ..."
    )


def test_words_of_other_languages() -> None:
    """They differ in hyphens, elision and ordinals; smileys stay whole in all."""
    text = "l'eau ci-dessous, le 3. 12-mm (voir:) x--y :-)"
    expected = {
        "fr": "l' eau ci - dessous , le 3 . 12-mm ( voir : ) x -- y :-)",
        "de": "l'eau ci-dessous , le 3. 12-mm ( voir : ) x -- y :-)",
        "pl": "l'eau ci - dessous , le 3 . 12 - mm ( voir : ) x -- y :-)",
    }
    for code, words in expected.items():
        kernel = QualitySignals(exceptions_of(code), (), *splitting_of(code))
        assert " ".join(kernel.words(text)) == words
    with pytest.raises(ValueError, match="hyphens"):
        QualitySignals(hyphens="hyphens")


def test_a_long_word_and_many_equal_ones() -> None:
    """C4 leaves lines out that have a word of more than 1,000 characters; equal words are one sequence."""
    kernel = QualitySignals()
    values = dict(
        zip(SIGNALS, kernel.measure([f"{'x' * 1001} is a line.\nThis is a line.", "a " * 100_000])[0], strict=True)
    )
    assert values["sentences"] == 1
    row = dict(zip(SIGNALS, kernel.measure(["a " * 100_000])[0], strict=True))
    assert row["words"] == 100_000
    assert row["repeated_5grams"] == pytest.approx(0.5, abs=0.001)


def test_exceptions_are_checked() -> None:
    """An exception has parts that are not empty."""
    for wrong in ([()], [("a", "")]):
        with pytest.raises(ValueError, match="an exception has"):
            QualitySignals(wrong)


@given(st.lists(texts, max_size=3))
def test_features_are_those_of_the_twin(documents: list[str]) -> None:
    """Also their sums, which are those of whole numbers."""
    weights = (np.arange(FEATURES) * 7919 % 65536 - 32768).astype(np.int16)
    found = feature_sums(documents, weights)
    assert found.shape == (len(documents), 2)
    for text, row in zip(documents, found.tolist(), strict=True):
        numbers = plain_quality.features(text)
        assert text_features(text).tolist() == numbers
        assert row == [int(weights[numbers].astype(int).sum()), len(numbers)]


def test_features_are_of_words_without_case_and_number() -> None:
    """The same words in capitals, with other digits or spaces, have the same features; other words have others."""
    first = text_features("In 2024, 語の Straße\ne.g.")
    assert first.tolist() == text_features("IN  1999 ,語 の  straße\n E.G.").tolist()
    assert len(first) == 2 * len(["in", "0000", ",", "語", "の", "straße", "\n", "e", ".", "g", "."])
    assert first.tolist() != text_features("In 24, 語の Straße\ne.g.").tolist()
    with pytest.raises(ValueError, match="3 weights in place of"):
        feature_sums(["a"], np.zeros(3, np.int16))


WORDS = st.dictionaries(st.text("abcß語é", min_size=1, max_size=6), st.integers(1, 2**31), max_size=8)


@given(WORDS, st.lists(st.text("aAbBcCßé語x1 .\n\u00ad", max_size=30), max_size=3))
def test_letters_cost_what_the_twin_says(words: dict[str, int], documents: list[str]) -> None:
    """To the rounding of each letter's cost; also of words that were seen before, and without any word."""
    words = {word: share for word, share in words.items() if "ß" not in word}
    kernel = LetterModel("\n".join(words).encode(), np.array(list(words.values()), np.uint32))
    twin = plain_quality.PlainLetterModel(list(words), list(words.values()))
    found = kernel.measure(documents + documents)
    assert found[: len(documents)].tolist() == found[len(documents) :].tolist()
    for text, (cost, letters) in zip(documents, found[: len(documents)].tolist(), strict=True):
        expected, number = twin.cost(text)
        assert letters == number
        assert cost / 65536 == pytest.approx(expected, abs=6e-5 * (1 + number))


def test_letters_need_a_share_per_word() -> None:
    """Else the words are not those of the shares."""
    with pytest.raises(ValueError, match="not as many words as shares"):
        LetterModel(b"one\ntwo", np.array([1], np.uint32))


@given(
    st.lists(st.text("aAbB1٢ -'.語คำ", max_size=5), max_size=4),
    st.lists(st.text("aAbB1٢ -'.語คำ\n", max_size=30), max_size=3),
)
def test_listed_words_are_those_of_the_twin(phrases: list[str], documents: list[str]) -> None:
    """Phrases with marks and digits, in any case, the longest first."""
    found = ListedPhrases(phrases).measure(documents)
    assert found.tolist() == [plain_quality.listed(text, phrases) for text in documents]
