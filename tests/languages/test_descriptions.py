"""The descriptions of the built-in languages."""

import re

import pytest

from corpusprep import languages
from corpusprep.errors import LanguageError
from corpusprep.io import tsv
from corpusprep.languages import descriptions
from corpusprep.languages.descriptions import describe, find
from corpusprep.text.tokenizer import ORDINALS


def test_every_language_with_word_frequencies_is_built_in():
    """The codes are those of wordfreq's lists and of ours, and none is in both; at least 100."""
    import wordfreq

    ours = [path.stem for path in (descriptions.folder() / "words").iterdir()]
    assert languages.known() == sorted([*wordfreq.available_languages("small"), *ours])
    assert len(languages.known()) >= 100


@pytest.mark.parametrize(
    ("alias", "code"),
    [
        *(("no", "nb"), ("nor", "nb"), ("nob", "nb"), ("nn", "nn"), ("nno", "nn"), ("iw", "he"), ("in", "id")),
        *(("sh", "sh"), ("hr", "sh"), ("sr", "sh"), ("bs", "sh"), ("srp", "sh"), ("tl", "fil"), ("EN", "en")),
        *(("ces", "cs"), ("cze", "cs"), ("deu", "de"), ("zho", "zh")),
    ],
)
def test_other_codes_mean_the_language(alias, code):
    """Old codes, codes of variants, those of ISO 639-2 and 639-3, capitals."""
    assert describe(alias).code == code


@pytest.mark.parametrize(
    "group",
    ["cs sk", "nb da sv", "nb nn", "sh sl", "es pt", "pt gl", "es ca", "ru uk bg mk", "id ms", "nl af", "tr az"],
)
def test_close_languages_are_rivals(group):
    """Each is a rival of the others."""
    codes = set(group.split())
    for code in codes:
        assert codes - {code} <= set(describe(code).rivals), code


def test_rivals_are_other_built_in_languages():
    """One to nine per language, never itself, always English."""
    for code in languages.known():
        rivals = describe(code).rivals
        assert 1 <= len(rivals) <= 9, code
        assert len(set(rivals)) == len(rivals), code
        assert set(rivals) <= {*languages.known()} - {code}, code
        assert code == "en" or "en" in rivals, code


def test_thresholds_are_set():
    """No language accepts everything or nothing."""
    assert all(0.1 < describe(code).threshold < 0.7 for code in languages.known())


def test_abbreviations_end_in_a_full_stop_and_clitics_have_a_joint():
    """The tokeniser relies on this."""
    for description in map(describe, languages.known()):
        stopped = (word.removesuffix(" 0") for word in description.abbreviations if word not in ORDINALS)
        assert all(word.endswith(".") for word in stopped), description.code
        assert all(clitic.endswith(("'", "-")) for clitic in description.clitic_prefixes), description.code
        assert all(re.search("['-]", clitic[:2]) for clitic in description.clitic_suffixes), description.code


def test_an_unknown_language_lists_the_known_ones_and_says_how_to_make_it():
    """The message is one line."""
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
        ("threshold: 0.3\nname: X", "unknown key threshold"),
        ("aliases: [x]", "name"),
        ("name: X\nencoding: [koi8-r]", "unknown key encoding"),
        ("name: X\nencodings: [latin1]", "latin1 is not the WHATWG name"),
        ("name: X\naliases: [no]", "put it in quotes"),
    ],
)
def test_a_description_that_cannot_be_used_is_named(tmp_path, monkeypatch, text, complaint):
    """The message says which file and why."""
    (tmp_path / "xx.yaml").write_text(text, encoding="utf-8")
    monkeypatch.setattr(descriptions, "folder", lambda: tmp_path)
    with pytest.raises(LanguageError, match=complaint) as caught:
        descriptions._read.__wrapped__("xx")
    assert "xx.yaml" in str(caught.value)


def test_every_code_means_one_language():
    """Every language has a code of three letters."""
    described = [describe(code) for code in languages.known()]
    codes = [code for one in described for code in (one.code, *one.aliases)]
    assert len(set(codes)) == len(codes)
    assert all(any(len(code) == 3 for code in (one.code, *one.aliases)) for one in described)


def test_a_model_has_to_be_made_again_for_another_format_or_description(monkeypatch):
    """The fingerprint changes with either; that of a language without a description depends on the format alone."""
    before = {code: languages.fingerprint(code) for code in ("cs", "no", "tlh")}
    assert before == {code: languages.fingerprint(code) for code in ("cs", "no", "tlh")}
    assert before["no"] == languages.fingerprint("nb") != before["cs"]
    monkeypatch.setattr(languages, "VERSION", languages.VERSION + 1)
    assert not set(before.values()) & {languages.fingerprint(code) for code in before}


def test_the_calibration_is_of_all_languages():
    """Each language has one row, all from one set of texts, with the precision reached."""
    table = tsv.read(descriptions.folder() / descriptions.CALIBRATION)
    assert [row["language"] for row in table] == languages.known()
    assert len({row["sha256"] for row in table}) == 1
    low = {row["language"] for row in table if row["precision"] and float(row["precision"]) < 99.5}
    assert low == {"es", "id", "ms", "nb", "nn"}  # no threshold that keeps 97 % of their texts reaches it


def test_a_calibration_that_cannot_be_used_is_named(tmp_path, monkeypatch):
    """The message names the file."""
    (tmp_path / descriptions.CALIBRATION).write_text("language\tthreshold\nen\t0.4\n", encoding="utf-8")
    monkeypatch.setattr(descriptions, "folder", lambda: tmp_path)
    with pytest.raises(LanguageError, match=r"calibration\.tsv: not a table of thresholds"):
        descriptions.calibrated.__wrapped__()
