"""Codes of languages."""

from importlib.util import find_spec

import pytest

from corpusprep import languages
from corpusprep.languages.tags import Tag, asked_of, of_label, tag, with_script


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("et", "et"),
        ("est", "et"),
        ("ekk", "et"),
        ("CES", "cs"),
        ("iw", "he"),
        ("cmn", "zh"),
        ("yue", "yue"),
        ("en-US", "en"),
        ("sr-Cyrl", "sr-Cyrl"),
        ("srp_cyrl", "sr-Cyrl"),
        ("uz-Latn", "uz-Latn"),
        ("zh-Hant", "zh-Hani"),
        ("hbs", "sh"),
        ("hr", "hr"),
        ("nn", "nn"),
        ("xx", None),
        ("README.md", None),
        ("", None),
    ],
)
def test_codes_are_understood(written: str, meant: str | None) -> None:
    """Codes of BCP 47 and ISO 639, with a script and without a region."""
    assert (None if tag(written) is None else str(tag(written))) == meant


@pytest.mark.skipif(find_spec("language_data") is None, reason="needs language_data (extra languages)")
def test_names_are_understood() -> None:
    """English names of languages without a model."""
    assert tag("Estonian") == Tag("et")
    assert tag("no such language") is None


def test_built_in_languages_are_found_by_other_codes_and_by_name() -> None:
    """ISO 639-3, a script, the name."""
    codes = {spec: languages.describe(spec).code for spec in ("ces", "sr-Cyrl", "Czech", "pt-BR", "any", "und")}
    assert codes == {"ces": "cs", "sr-Cyrl": "sh", "Czech": "cs", "pt-BR": "pt", "any": "und", "und": "und"}
    assert "und" not in languages.known()
    assert [languages.lacks_model(spec) for spec in ("cs", "ces", "est", "war", "frr", "any", "a.model", "xx")] == [
        *(False, False, False, True, True),
        *(False, False, False),
    ]


def test_labels_of_identifiers() -> None:
    """Codes of ISO 639-3, with a script as GlotLID has them; none for text in no language."""
    labels = ("est", "deu_Latn", "cmn_Hani", "hbs", "srp_Cyrl", "zxx", "und", "not a label")
    found = [None if (known := of_label(label)) is None else str(known) for label in labels]
    assert found == ["et", "de-Latn", "zh-Hani", "sh", "sr-Cyrl", None, None, None]


def test_an_identifier_is_asked_for_the_language_or_its_group() -> None:
    """Croatian where it is known apart, else Serbo-Croatian; and the other way round."""
    assert asked_of(Tag("hr"), {"hr", "sr", "sl"}) == {"hr"}
    assert asked_of(Tag("hr"), {"sh", "sl"}) == {"sh"}
    assert asked_of(Tag("sh"), {"hr", "sr", "sl"}) == {"hr", "sr"}
    assert asked_of(Tag("no"), {"nb", "nn", "da"}) == {"nb", "nn"}
    assert not asked_of(Tag("et"), {"fi"})


def test_scripts_are_named_where_they_matter() -> None:
    """Of languages with several scripts, and where it is not the usual one."""
    texts = [("sr", "Cyrl"), ("uz", "Latn"), ("ru", "Cyrl"), ("ru", "Latn"), ("ja", "Jpan"), ("zh", "Hani"), ("de", "")]
    assert [str(with_script(*text)) for text in texts] == ["sr-Cyrl", "uz-Latn", "ru", "ru-Latn", "ja", "zh", "de"]
