"""The encoding of pages in one of several languages."""

import pytest

from corpusprep import languages
from corpusprep.encoding import charsets
from corpusprep.encoding.detection import detect
from corpusprep.languages.known_languages import KnownLanguages

CZECH = "<p>Příliš žluťoučký kůň úpěl ďábelské ódy, řekl starosta města, když přišel na náměstí.</p>"
ENGLISH = "<p>The mayor said “no” when people in the town asked whether the café would be open again.</p>"


@pytest.fixture(scope="module")
def known() -> KnownLanguages:
    """Czech and English."""
    return KnownLanguages([languages.get(code) for code in ("en", "cs")])


@pytest.mark.parametrize(
    ("text", "encoding", "code"),
    [
        (CZECH, "utf-8", "cs"),
        (CZECH, "windows-1250", "cs"),
        (CZECH, "iso-8859-2", "cs"),
        (CZECH, "utf-16le", "cs"),
        (ENGLISH, "windows-1252", "en"),
        (ENGLISH, "utf-8", "en"),
    ],
)
def test_it_is_that_of_the_language_alone(known: KnownLanguages, text: str, encoding: str, code: str) -> None:
    """Name and score are those that the right language gives, whatever else is possible."""
    data = charsets.encode(20 * text, encoding)
    found = known.encodings.detect(data)
    assert found[0] == encoding
    assert found == detect(data, languages.get(code))


def test_scripts_do_not_decide(known: KnownLanguages) -> None:
    """A page with much more script than text has the encoding of its text."""
    script = b"<script>for (the in that) { this.was(not_a.text); }</script>" * 500
    assert known.encodings.detect(script + CZECH.encode("iso-8859-2"))[0] == "iso-8859-2"


@pytest.mark.parametrize(("declared", "expected"), [((), "windows-1252"), ((None, "koi8-r"), "koi8-r")])
def test_without_evidence_the_declaration_decides(
    known: KnownLanguages, declared: tuple[str | None, ...], expected: str
) -> None:
    """Bytes that are no letters in any of the encodings say nothing; browsers take windows-1252 then."""
    assert known.encodings.detect(b"<p>\xa7 \xb0 \xa7</p>", declared) == (expected, 0.0)


def test_many_open_tags_take_linear_time(known: KnownLanguages) -> None:
    """A page of a million brackets is looked at once."""
    assert known.encodings.detect(b"<" * 1_000_000 + b"\xe9")[1] == 0.0
