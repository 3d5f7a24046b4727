"""Words that are typical of a corpus, against those of its language."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpusprep.io.tsv import Row
from corpusprep.languages.making import word_shares
from corpusprep.report.typical_words import MOST, typical_words

LANGUAGE = {"the": 0.06, "river": 0.00005, "e": 0.0001, "mail": 0.00002, "don't": 0.001}


def rows(counts: dict[str, int], running: int) -> list[Row]:
    """The rows of the table frequent_words, the most frequent word first."""
    ordered = sorted(counts.items(), key=lambda item: -item[1])
    return [{"word": word, "count": str(n), "per_million": f"{1e6 * n / running:.1f}"} for word, n in ordered]


def test_scores_are_simple_maths() -> None:
    """(Frequency per million + 100) / (frequency per million in the language + 100); rare words are no evidence."""
    words = typical_words(rows({"the": 60_000, "river": 950, "bog": 400, "fen": 2}, 1_000_000), LANGUAGE)
    assert [(word.word, word.count) for word in words] == [("river", 950), ("bog", 400)]
    assert [word.score for word in words] == pytest.approx([(950 + 100) / (50 + 100), (400 + 100) / 100])


def test_words_are_looked_up_as_the_list_has_them() -> None:
    """Apostrophes are those of the list; a compound is as frequent as its rarest part."""
    counts = {"the": 60_000, "don’t": 1_500, "e-mail": 200, "e-boat": 200}
    scores = {word.word: word.in_language for word in typical_words(rows(counts, 1_000_000), LANGUAGE)}
    assert scores == pytest.approx({"don’t": 1000.0, "e-mail": 20.0, "e-boat": 0.0})


def test_another_language_has_no_typical_words() -> None:
    """If most of the running words are not in the list, it is not the list of this text."""
    assert typical_words(rows({"der": 60_000, "und": 50_000, "the": 900}, 1_000_000), LANGUAGE) == []
    assert typical_words(rows({"der": 60_000}, 1_000_000), {}) == []
    assert typical_words([], LANGUAGE) == []


@given(st.lists(st.integers(1, 3_000), min_size=20, max_size=60), st.integers(5, 60))
def test_no_word_outside_of_the_table_could_be_listed(counts: list[int], kept: int) -> None:
    """With a shorter table, the words are those of the whole one, or the first of them."""
    words = {"the": 500_000} | {f"w{number}": count for number, count in enumerate(counts)}
    whole = rows(words, 1_000_000)
    everything = [word.word for word in typical_words(whole, LANGUAGE)]
    monkeypatch = pytest.MonkeyPatch()
    with monkeypatch.context() as context:
        context.setattr("corpusprep.report.typical_words.WORDS", min(kept, len(whole)))
        some = [word.word for word in typical_words(whole[:kept], LANGUAGE)]
    assert some == everything[: len(some)]
    assert len(some) <= MOST


def test_lists_of_languages() -> None:
    """By code, alias or name; in every spelling; none where words do not stand apart or there is no list."""
    assert word_shares("en") == word_shares("English")
    assert word_shares("en")["the"] == pytest.approx(0.0548, abs=1e-3)
    serbian = word_shares("sr")
    assert serbian["je"] == serbian["је"] > 0.04
    for without in ("ja", "war", "qxx", "und", "models/my.model"):
        assert word_shares(without) == {}
