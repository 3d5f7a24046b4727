"""Words and their frequencies."""

import sys

import pytest

from corpusprep.errors import LanguageError
from corpusprep.languages.frequencies import (
    characters_per_word,
    derived,
    divider,
    is_stop_word,
    of_texts,
    of_wordfreq,
    words_of,
)


def test_counts_words_in_lower_case():
    """Ties go by code point, shares are of the running words."""
    found = of_texts(["The cat, the DOG.", "The end"], "sample")
    assert found.words == ("the", "cat", "dog", "end")
    assert found.shares.tolist() == pytest.approx([3 / 6, 1 / 6, 1 / 6, 1 / 6])
    assert (found.running, found.origin) == (6, "sample, 6 words")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Česko-slovenský film: 7× „don’t“!", ["česko-slovenský", "film", "don't"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("日本の花", ["日", "本", "の", "花"]),
        ("한국어 책", ["한국어", "책"]),
        ("-- ' a-b- 'c' 12 x2y", ["a-b", "c", "x", "y"]),
        ("", []),
    ],
)
def test_words_are_letters_and_marks(text, words):
    """With inner hyphens and apostrophes; Han and kana a character each."""
    assert words_of(text) == words


@pytest.mark.parametrize("word", ["the", "e-mail", "में", "это"])
def test_stop_words_are_letters(word):
    """Hyphens allowed (Pomikálek 2011, 2.7)."""
    assert is_stop_word(word)


@pytest.mark.parametrize("word", ["", "don't", "00", "a1", "-", "-a", "a-", "♥", "\u0301"])
def test_other_tokens_are_no_stop_words(word):
    """Numbers, signs, and words with characters other than letters."""
    assert not is_stop_word(word)


def test_shares_of_wordfreq_are_of_words():
    """Numbers are left out of the list and of the total."""
    english = of_wordfreq("en")
    assert not any(word.isdigit() for word in english.words)
    assert 0.95 < english.shares.sum() < 1
    assert english.origin.startswith("wordfreq ")


def test_a_language_without_frequencies_says_what_to_do():
    """A description without words needs a text."""
    with pytest.raises(LanguageError, match="--text"):
        of_wordfreq("eo")


def test_words_without_spaces_have_a_mean_length():
    """The mean is over wordfreq's words; languages with spaces, including Korean, have none."""
    assert [characters_per_word(of_wordfreq(code)) for code in ("en", "ko")] == [0.0, 0.0]
    assert characters_per_word(of_wordfreq("zh")) == pytest.approx(1.6, abs=0.05)
    assert characters_per_word(of_wordfreq("ja")) == pytest.approx(1.7, abs=0.05)


def test_undivided_characters_are_words_of_the_usual_length(monkeypatch):
    """Without a word breaker, each character is a word; words of other scripts are not split."""
    monkeypatch.setitem(sys.modules, "icu", None)
    divided = divider("zh")("我们的iPhone。")
    assert divided == ["我", "们", "的", "iphone"]
    assert characters_per_word(of_texts(["我们的iPhone"], "sample", divider("zh"))) == 1.6


def test_a_neighbours_words_are_derived():
    """Words are replaced first, then endings, the longest first, then letters; of two forms, each gets half."""
    changes = {
        "words": {"ikke": "ikkje", "og": "og au"},
        "endings": {"ene": "ane", "e": "e a"},
        "letters": {"hv": "kv"},
    }
    found, source = derived({"nb": changes}), of_wordfreq("nb")
    shares, own = dict(zip(found.words, found.shares, strict=True)), dict(zip(source.words, source.shares, strict=True))
    assert shares["ikkje"] == pytest.approx(own["ikke"] + own["ikkje"] / 2)
    assert shares["og"] == pytest.approx(own["og"] / 2)
    assert "ikke" not in shares
    assert shares["dagane"] == pytest.approx(own["dagene"] + own.get("dagane", 0))
    assert shares["kva"] == pytest.approx(own["hva"] + own.get("kva", 0))
    assert found.shares.sum() == pytest.approx(source.shares.sum())
    assert found.origin.startswith("derived from nb, wordfreq")


def test_a_neighbour_of_two_languages_is_their_mean():
    """Galician is derived from Spanish and Portuguese."""
    found = derived({"es": {}, "pt": {}})
    shares = dict(zip(found.words, found.shares, strict=True))
    spanish, portuguese = (dict(zip(*(of_wordfreq(c).words, of_wordfreq(c).shares), strict=True)) for c in ("es", "pt"))
    assert shares["que"] == pytest.approx((spanish["que"] + portuguese["que"]) / 2)
