"""Telling close languages apart by their words."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpusprep import languages
from corpusprep.languages.rivals import WORD_WEIGHT, RivalScorer
from corpusprep.languages.scoring import TrigramScorer
from corpusprep.languages.word_evidence import LEAST_RATIO, MOST_RATIO, MOST_WORDS, WordEvidence, shares_of

WORDS = ["a", "b", "c", "d", "e"]
SHARES = st.dictionaries(st.sampled_from(WORDS), st.floats(1e-6, 1), min_size=1)


def of(shares):
    """Words with their shares, as a model has them."""
    return shares_of(list(shares), np.array(list(shares.values())))


def plain(own, other, words):
    """The oracle: the mean logarithm of the ratio of two shares, without ratios that are too small."""
    least = max(min(own.values()), min(other.values()))
    total = 0.0
    for word in words:
        ratio = max(own.get(word, least), least) / max(other.get(word, least), least)
        if word in {**own, **other} and max(ratio, 1 / ratio) >= LEAST_RATIO:
            total += min(max(math.log(ratio), -math.log(MOST_RATIO)), math.log(MOST_RATIO))
    return total / len(words)


@given(SHARES, SHARES, st.lists(st.sampled_from([*WORDS, "x"]), min_size=1))
def test_evidence_is_the_mean_logarithm_of_the_ratio_of_shares(own, other, words):
    """Holds for any words; a word of neither language counts as 0."""
    ratios = [one / two for one in (*own.values(), *other.values()) for two in (*own.values(), *other.values())]
    if any(0.999 < ratio / LEAST_RATIO < 1.001 for ratio in ratios):
        return  # shares are rounded: the ratio may fall on either side of LEAST_RATIO
    found = WordEvidence(of(own), [of(other)]).of(", ".join(words))
    assert found == [pytest.approx(plain(own, other, words), abs=1e-2)]


def test_evidence_against_several_languages_is_that_against_each():
    """Evidence for one language is evidence against the other."""
    nb, nn, da = (languages.get(code).words for code in ("nb", "nn", "da"))
    text = "Jeg vet ikke hva de heter, men hun kom fra samme skole."
    both = WordEvidence(nb, [nn, da]).of(text)
    assert both == [WordEvidence(nb, [other]).of(text)[0] for other in (nn, da)]
    assert both == WordEvidence(nb, [nn, da]).of_words(TrigramScorer([]).measured(text)[1])
    assert both[0] > 0.5
    assert WordEvidence(nn, [nb]).of(text)[0] == pytest.approx(-both[0])


def test_a_text_without_known_words_gives_no_evidence():
    """Numbers, signs, words in neither list and empty lists give 0."""
    english, german = languages.get("en").words, languages.get("de").words
    assert WordEvidence(english, [german]).of("12 %, _") == [0.0]
    assert WordEvidence(english, [german]).of("qqqq") == [0.0]
    assert WordEvidence(of({}), [german]).of("und") == [0.0]
    assert WordEvidence(english, [of({})]).of("the") == [0.0]
    assert WordEvidence(english, []).of("the") == []


@given(st.lists(st.sampled_from(["jeg", "eg", "ikke", "ikkje", "noe", "noko", "xyz"]), min_size=1, max_size=80))
def test_a_text_surely_wins_if_no_rival_has_a_higher_score(words):
    """The same answer as that of the adjusted scores, but for those that are nearly equal."""
    nb, rivals = languages.get("nb"), [languages.get("nn"), languages.get("da")]
    judge = RivalScorer(nb, rivals)
    (score, *others), found = TrigramScorer([nb, *rivals]).measured(" ".join(words))
    own, *after = judge.adjust(found, score, others)
    expected = max(after) <= own
    assert judge.surely_wins(found, score, others) in {expected, expected and own - max(after) > 1e-5}


def test_words_are_folded_and_cut():
    """Words that fold to the same form are added up; words with other characters than letters are left out."""
    kept = of({"Straße": 0.1, "STRASSE": 0.2, "don't": 0.3, "x2": 0.1, "में": 0.1})
    assert kept.words == ("strasse",)
    assert kept.shares.tolist() == [pytest.approx(0.3 * 2**32, abs=2)]
    many = [chr(0x4E00 + number // 200) + chr(0x4E00 + number % 200) for number in range(MOST_WORDS + 10)]
    assert len(shares_of(many, np.full(len(many), 1e-5)).words) == MOST_WORDS


def test_a_rivals_score_is_adjusted_by_the_words():
    """The language's own score is that of its trigrams; all scores stay between 0 and 1."""
    malay, indonesian = languages.get("ms"), languages.get("id")
    text = "Kerajaan berkata bahawa wang itu boleh digunakan kerana iaitu."
    own, rival = RivalScorer(malay, [indonesian]).scores(text)
    plain_own, plain_rival = TrigramScorer([malay, indonesian]).scores(text)
    evidence = WordEvidence(malay.words, [indonesian.words]).of(text)[0]
    assert (own, rival) == (plain_own, pytest.approx(plain_rival - WORD_WEIGHT * evidence))
    assert rival < own
    assert RivalScorer(indonesian, [malay]).scores(text)[1] > RivalScorer(indonesian, [malay]).scores(text)[0]
    assert RivalScorer(indonesian, [languages.get("en")]).scores("bahwa sebagai")[1] == 0.0
    assert RivalScorer(malay, []).scores(text) == [own]
