"""Words and their frequencies."""

import sys

import pytest

from corpusprep.errors import LanguageError
from corpusprep.languages.frequencies import (
    characters_per_word,
    divider,
    is_stop_word,
    of_language,
    of_list,
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


def test_a_word_list_has_its_sources_and_shares():
    """The first line says how many words were counted in what; the other lines have uses per million."""
    estonian = of_language("et")
    assert estonian.running > 50_000
    assert "libreoffice-l10n-et" in estonian.origin
    assert estonian.words[:2] == ("ja", "on")
    assert 0.01 < estonian.shares[0] < 0.1
    assert 0.5 < estonian.shares.sum() <= 1.0


@pytest.mark.parametrize("text", ["", "ja\t5\n", "# 5 words: x\nja\tmany\n", "# many words: x\nja\t5\n"])
def test_a_damaged_word_list_is_named(tmp_path, text):
    """The message has the path."""
    path = tmp_path / "et.tsv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(LanguageError, match=r"et\.tsv: not a word list"):
        of_list(path)
