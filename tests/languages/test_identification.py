"""Identifying the language of a text and the encoding of a page."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import sentences

import corpusprep
from corpusprep.errors import LanguageError
from corpusprep.languages.identification import Identifier


def test_all_languages_are_ranked():
    """Every built-in language once, the best first."""
    found = corpusprep.identify(sentences.CZECH)
    assert [code for code, _ in found[:2]] == ["cs", "sk"]
    assert sorted(code for code, _ in found) == corpusprep.languages.known()
    assert [score for _, score in found] == sorted((score for _, score in found), reverse=True)


def test_a_single_language_is_no_choice():
    """A text would be a list of its letters."""
    with pytest.raises(TypeError, match=r"^languages is 'en'; write a list of codes: \['en'\]$"):
        corpusprep.identify("text", "en")


def test_a_choice_of_languages_is_ranked(tmp_path):
    """Languages are given by code, alias or model file; the result has the languages' own codes."""
    path = tmp_path / "el.model"
    corpusprep.languages.save(corpusprep.languages.get("el"), path)
    found = corpusprep.identify(sentences.GREEK, ["no", str(path)])
    assert [code for code, _ in found] == ["el", "nb"]


def test_a_language_that_is_given_twice_is_ranked_once():
    """By whatever code: `no` is Bokmål."""
    assert [code for code, _ in corpusprep.identify("abc", ["en", "EN", "no", "nb"])] == ["en", "nb"]


@pytest.mark.parametrize("data", ["x", memoryview(b"x"), None])
def test_an_encoding_is_detected_in_bytes(data):
    """A text has none."""
    with pytest.raises(TypeError, match=f"^data is bytes, not {type(data).__name__}$"):
        corpusprep.detect_encoding(data, "en")


def test_a_language_is_a_code_or_a_path():
    """Other values are named, as `extract` does."""
    for function in (lambda: corpusprep.detect_encoding(b"x", None), lambda: corpusprep.identify("x", [None])):
        with pytest.raises(
            TypeError, match=r"^language is None; allowed: a code, such as 'en', or the path of a model"
        ):
            function()
    with pytest.raises(LanguageError, match=r"^language is ''; write a code"):
        corpusprep.identify("x", [""])


@pytest.mark.parametrize("languages", [None, ["cs", "sk", "pl"], ["sv", "el"], ["en"]])
def test_many_texts_have_the_first_language_each(languages):
    """Code and score are those that `identify` gives first, for text, code, tables and nothing."""
    texts = [sentences.CZECH, sentences.GREEK, "", "12 % !", "the", "for (int i = 0; i < n; ++i) { a[i] = b[i]; }" * 5]
    assert list(corpusprep.identify_many(texts, languages)) == [
        corpusprep.identify(text, languages)[0] for text in texts
    ]


@settings(max_examples=50)
@given(texts=st.lists(st.text(max_size=60), max_size=5))
def test_any_texts_have_the_first_language_each(texts):
    """Also of equal scores, the first by code."""
    found = list(corpusprep.identify_many(iter(texts), ["nb", "da", "ja"]))
    assert found == [corpusprep.identify(text, ["nb", "da", "ja"])[0] for text in texts]


def test_many_texts_need_a_language():
    """The mistake is told at once; texts are read when they are needed."""
    with pytest.raises(LanguageError, match=r"^languages is empty; write one code at least$"):
        corpusprep.identify_many([], [])
    with pytest.raises(TypeError, match=r"^text is str, not bytes$"):
        list(corpusprep.identify_many(["a", b"a"], ["en"]))


def test_a_text_without_letters_is_in_no_language():
    """All scores are 0, sorted by code, behind the code for no language."""
    assert corpusprep.identify("12 % !", ["sv", "de"]) == [("zxx", 0.0), ("de", 0.0), ("sv", 0.0)]


def test_code_and_tables_are_in_no_language():
    """Their words are those of English, or of none."""
    code = 'public class Greeting {\n  public static void main(String[] names) { System.out.println("Hello"); }\n}'
    table = "\n".join(f"2024-01-{day}\t{day * 37}.5 km\t{day * 3} %" for day in range(10, 30))
    identifier = Identifier([corpusprep.languages.get(code) for code in ("en", "sv")])
    for text in (code, table):
        (first, score), second, third = corpusprep.identify(text, ["en", "sv"])
        assert (first, score, {second[0], third[0]}) == ("zxx", second[1], {"en", "sv"})
        assert identifier(text).language == identifier.named(text).code == "zxx"


def test_short_texts_are_identified_by_their_words():
    """Trigrams alone take the Danish sentence for Bokmål, and the Indonesian one for Malay."""
    for text, code in (("Hvad skal vi lave i dag?", "da"), ("Hva skal vi gjøre i dag?", "nb")):
        assert corpusprep.identify(text, ["da", "nb", "sv"])[0][0] == code
    assert corpusprep.identify("Karena bahwa bisa saja", ["id", "ms"])[0][0] == "id"
    assert corpusprep.identify("Kerana bahawa boleh saja", ["id", "ms"])[0][0] == "ms"


def test_foreign_names_do_not_decide():
    """A Hebrew text with more English words than Hebrew ones is Hebrew."""
    assert corpusprep.identify("את האלבום Walk The Moon,", ["en", "he"])[0][0] == "he"


def test_a_text_in_a_language_without_a_model_is_in_none():
    """The nearest language is named, but its threshold is not reached."""
    identifier = Identifier([corpusprep.languages.get(code) for code in ("cs", "nb", "nn")])
    assert identifier(sentences.CZECH)[:2] == ("cs", "cs")
    swahili = "Watu wote wamezaliwa huru, hadhi na haki zao ni sawa. Wote wamejaliwa akili na dhamiri."
    assert identifier(swahili).language is None
    found = identifier("Eg veit ikkje kva dei har gjort, men det vart ikkje noko av turen vår.")
    assert (found.language, found.nearest) == ("nn", "nn")
    assert identifier("12 % !") == ("zxx", None, 0.0)


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
