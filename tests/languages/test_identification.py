"""Identifying the language of a text and the encoding of a page."""

import pytest
from support import sentences

import corpusprep
from corpusprep.errors import LanguageError


def test_all_languages_are_ranked():
    """Every built-in language once, the best first."""
    found = corpusprep.identify(sentences.CZECH)
    assert [code for code, _ in found[:2]] == ["cs", "sk"]
    assert sorted(code for code, _ in found) == corpusprep.languages.known()
    assert [score for _, score in found] == sorted((score for _, score in found), reverse=True)


def test_a_choice_of_languages_is_ranked(tmp_path):
    """Languages are given by code, alias or model file; the result has the languages' own codes."""
    path = tmp_path / "el.model"
    corpusprep.languages.save(corpusprep.languages.get("el"), path)
    found = corpusprep.identify(sentences.GREEK, ["no", str(path)])
    assert [code for code, _ in found] == ["el", "nb"]


def test_a_text_without_letters_is_in_no_language():
    """All scores are 0, sorted by code."""
    assert corpusprep.identify("12 % !", ["sv", "de"]) == [("de", 0.0), ("sv", 0.0)]


def test_an_encoding_is_detected_for_a_language():
    """The language decides among the encodings."""
    data = sentences.CZECH.encode("iso-8859-2")
    assert corpusprep.detect_encoding(data, "cs")[0] == "iso-8859-2"
    assert corpusprep.detect_encoding("Καλημέρα".encode("windows-1253"), "el")[0] == "windows-1253"


def test_an_unknown_language_is_named():
    """Both functions name it."""
    with pytest.raises(LanguageError, match="'xx'"):
        corpusprep.identify("text", ["xx"])
    with pytest.raises(LanguageError, match="'xx'"):
        corpusprep.detect_encoding(b"", "xx")
