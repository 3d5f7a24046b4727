"""The descriptions of the built-in languages."""

import pytest

from corpusprep import languages
from corpusprep.errors import LanguageError
from corpusprep.languages import descriptions
from corpusprep.languages.descriptions import describe, find


def test_every_language_with_word_frequencies_is_built_in():
    """The codes are those of wordfreq's lists."""
    import wordfreq

    assert languages.known() == sorted(wordfreq.available_languages("small"))


@pytest.mark.parametrize(
    ("alias", "code"),
    [("no", "nb"), ("iw", "he"), ("hr", "sh"), ("sr", "sh"), ("bs", "sh"), ("tl", "fil"), ("EN", "en")],
)
def test_other_codes_mean_the_language(alias, code):
    """Old codes, codes of variants, capitals."""
    assert describe(alias).code == code


def test_rivals_are_other_built_in_languages():
    """Three to eight each, never the language itself."""
    for code in languages.known():
        rivals = describe(code).rivals
        assert 3 <= len(rivals) <= 8, code
        assert len(set(rivals)) == len(rivals), code
        assert set(rivals) <= set(languages.known()) - {code}, code


def test_thresholds_are_set():
    """No language takes everything or nothing."""
    assert all(0.2 < describe(code).threshold < 0.7 for code in languages.known())


def test_abbreviations_end_in_a_full_stop_and_clitics_have_an_apostrophe():
    """What a tokeniser relies on."""
    for description in map(describe, languages.known()):
        assert all(word.endswith(".") for word in description.abbreviations), description.code
        assert all(clitic.endswith("'") for clitic in description.clitic_prefixes), description.code
        assert all("'" in clitic[:2] for clitic in description.clitic_suffixes), description.code


def test_an_unknown_language_lists_the_known_ones_and_says_how_to_make_it():
    """In one line."""
    with pytest.raises(LanguageError) as caught:
        describe("tlh")
    message = str(caught.value)
    assert "'tlh'" in message
    assert ", ".join(languages.known()) in message
    assert "corpusprep language make tlh --text FILE" in message
    assert "\n" not in message
    assert find("tlh") is None


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("name: [", "not a language description"),
        ("- a", "not a mapping"),
        ("name: X", "threshold"),
        ("name: X\nthreshold: 0.3\nencoding: [koi8-r]", "unknown key encoding"),
        ("name: X\nthreshold: 0.3\nencodings: [latin1]", "latin1 is not a WHATWG name"),
        ("name: X\nthreshold: 0.3\naliases: [no]", "quote it"),
    ],
)
def test_a_description_that_cannot_be_used_is_named(tmp_path, monkeypatch, text, complaint):
    """The message says which file and why."""
    (tmp_path / "xx.yaml").write_text(text, encoding="utf-8")
    monkeypatch.setattr(descriptions, "folder", lambda: tmp_path)
    with pytest.raises(LanguageError, match=complaint) as caught:
        descriptions._read.__wrapped__("xx")
    assert "xx.yaml" in str(caught.value)
