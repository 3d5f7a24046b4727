"""The script of a text, and text in no language."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import sentences
from support.plain_running_text import running_text as plain_running_text

from corpusprep._native.trigrams import running_text
from corpusprep.languages import scripts
from corpusprep.languages.scripts import is_in_no_language, script_of

TEXTS = {name: text for name, text in vars(sentences).items() if isinstance(text, str) and name.isupper()}
TABLE = "\n".join(f"{year}\t{year * 7 % 913:,}\t{year % 9}.{year % 97:02}" for year in range(1950, 1990))
NAMES = "\n".join("Anna Kowalska, Jan Nowak, Piotr Wiśniewski, Maria Wójcik".split(", ") * 6)


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("Здраво", "Cyrl"),
        ("Zdravo", "Latn"),
        ("日本語の文章です", "Jpan"),
        ("这是一个句子", "Hani"),
        ("이것은 문장이다. 漢字", "Kore"),
        ("ქართული ენა", "Geor"),
        ("ภาษาไทย", "Thai"),
        ("12 %", ""),
        ("", ""),
    ],
)
def test_scripts(text: str, script: str) -> None:
    """The script of most letters."""
    assert script_of(text) == script


@pytest.mark.parametrize("name", TEXTS)
def test_running_text_is_in_a_language(name: str) -> None:
    """In any script."""
    assert not is_in_no_language(TEXTS[name] * 3)


@pytest.mark.parametrize(
    "text",
    ["", "12 34", TABLE, NAMES, Path(scripts.__file__).with_name("trigrams.py").read_text(encoding="utf-8")[9000:]],
    ids=["nothing", "numbers", "table", "names", "code"],
)
def test_code_tables_and_names_are_in_no_language(text: str) -> None:
    """So are texts without letters."""
    assert is_in_no_language(text)


@given(st.text(st.characters(), max_size=300))
def test_any_text_gets_an_answer(text: str) -> None:
    """Also one with lone surrogates and control characters."""
    assert isinstance(is_in_no_language(text), bool)
    assert script_of(text) == "" or len(script_of(text)) == 4


@given(st.text(st.sampled_from("aZz9_ \n\t,;•/()[]{}.:)=éÉİ\u0301中ა\u00a0²"), max_size=60) | st.text(max_size=60))
def test_counts_are_those_of_one_character_after_the_other(text: str) -> None:
    """Also of a beginning, and past the end."""
    assert running_text(text, 100) == plain_running_text(text)
    assert running_text(text, 7) == plain_running_text(text[:7])


def test_signs_of_code_do_not_overlap() -> None:
    """White space does not part them."""
    assert [running_text(text, 100)[3] for text in ("f(x);", "f()[0].g", "a (b) c", "_(", "f ( ) ;")] == [2, 2, 1, 1, 2]
