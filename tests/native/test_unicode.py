"""The kernels' Unicode tables equal Python's tables of the same version, and no other tables are used."""

import ast
import sys
import unicodedata
from collections.abc import Callable, Iterator
from itertools import compress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.plain_text import seen

import corpusprep
from corpusprep._native import unicode
from corpusprep._native.trigrams import is_word
from corpusprep.languages.frequencies import Frequencies, is_stop_word, of_texts, words_of
from corpusprep.languages.trigrams import model_of

VERSION = "14.0.0"
same_version = pytest.mark.skipif(
    unicodedata.unidata_version != VERSION, reason=f"Python's tables are not of Unicode {VERSION}"
)
CHARACTERS = [chr(code) for code in range(sys.maxunicode + 1)]
CLASSES = {"L": 1, "M": 2, "N": 3, "P": 4, "S": 5, "Z": 6, "C": 7}
CHANGES: dict[str, tuple[Callable[[str], str], Callable[[str], str]]] = {
    "nfc": (unicode.nfc, lambda text: unicodedata.normalize("NFC", text)),
    "nfd": (unicode.nfd, lambda text: unicodedata.normalize("NFD", text)),
    "lower": (unicode.lower, str.lower),
    "upper": (unicode.upper, str.upper),
    "casefold": (unicode.casefold, str.casefold),
}
#: Characters that change next to others: marks, parts of syllables, sigmas, letters with marks as one or two.
CONTEXTUAL = (
    "aA\u0301\u0308\u0323\u0327\u0345\u0300ΣσςİiıßǆǅἈ\u1fb3각ᄀ\u1161\u11a8\ud55c'.-\u00ad "
    "\u0f71\u0f72\u093c\u0958Å\u212b"
)
ANY = st.one_of(st.sampled_from(CONTEXTUAL), st.characters(), st.integers(0x300, 0x36F).map(chr))
TEXTS = st.text(ANY, max_size=30)
#: Methods whose result depends on Python's version of Unicode, and the files that apply them to ASCII only.
DEPENDENT = {
    *("lower", "upper", "casefold", "title", "capitalize", "swapcase"),
    *("isalpha", "isalnum", "islower", "isupper", "istitle", "isdigit", "isdecimal", "isnumeric", "isidentifier"),
}
ASCII_ONLY = {
    ("charsets.py", "lower"), ("descriptions.py", "lower"), ("tags.py", "lower"), ("tags.py", "title"),
    *(("metadata.py", name) for name in ("lower", "title", "upper")),
}  # fmt: skip


def expected_class(character: str) -> int:
    """The class of a character, from Python's tables."""
    category = unicodedata.category(character)
    if character.isspace() or category[0] == "Z":
        return unicode.SPACE
    return {"Cf": unicode.FORMAT, "Cn": unicode.UNASSIGNED}.get(category, CLASSES[category[0]])


@same_version
def test_classes_are_those_of_python() -> None:
    """For all code points."""
    classes = unicode.unicode_classes()
    assert list(classes) == [expected_class(character) for character in CHARACTERS]
    assert all(unicode.unicode_class(code) == classes[code] for code in range(0, len(CHARACTERS), 97))
    assert unicode.unicode_class(0x110000) == unicode.UNASSIGNED


@same_version
@pytest.mark.parametrize("name", CHANGES)
def test_each_character_changes_as_in_python(name: str) -> None:
    """For all code points, each alone."""
    native, python = CHANGES[name]
    assert [character for character in CHARACTERS if native(character) != python(character)] == []


@same_version
def test_title_case_is_that_of_python() -> None:
    """For all code points, each alone."""
    assert [character for character in CHARACTERS if unicode.title(character) != character.title()] == []
    assert unicode.title("") == ""


@same_version
@pytest.mark.parametrize("name", CHANGES)
@given(text=TEXTS)
def test_texts_change_as_in_python(name: str, text: str) -> None:
    """For characters next to any others."""
    native, python = CHANGES[name]
    assert native(text) == python(text)


@same_version
def test_words_are_of_letters_and_numbers_that_are_no_digits() -> None:
    """Word characters of Python's regular expressions, without digits and the underscore."""
    known = [chr(code) for code, kind in enumerate(unicode.unicode_classes()) if kind != unicode.UNASSIGNED]
    expected = [character.isalnum() and not character.isdecimal() for character in known]
    assert [is_word(character) for character in known] == expected
    assert is_word("straße") is True
    assert is_word("") is is_word("a b") is False


def sources() -> Iterator[tuple[Path, ast.Module]]:
    """Yields the modules of the package."""
    for path in sorted(Path(corpusprep.__file__).parent.rglob("*.py")):
        yield path, ast.parse(path.read_text(encoding="utf-8"))


def test_no_module_uses_the_tables_of_python() -> None:
    """No module imports unicodedata; modules that decide about words call no method of str that depends on it."""
    deciding = 0
    for path, tree in sources():
        imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
        origins = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        assert "unicodedata" not in imported | origins, path
        if "corpusprep._native.unicode" not in origins and "languages" not in path.parts:
            continue
        deciding += 1
        called = {node.func.attr for node in ast.walk(tree) if isinstance(node, ast.Call)
                  and isinstance(node.func, ast.Attribute)}  # fmt: skip
        assert {name for name in called & DEPENDENT if (path.name, name) not in ASCII_ONLY} == set(), path
    assert deciding > 5


def test_models_do_not_depend_on_the_tables_of_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """The words and trigrams of a language are the same if unicodedata cannot be called."""
    text = "E\u0301cole ΟΔΟΣ ǅep Straße 字 x² ÅNGSTRO\u0308M"

    def made() -> tuple[list[str], Frequencies, list[int]]:
        found = of_texts([text], "a text")
        return words_of(text), found, model_of(found.words, found.shares).keys.tolist()

    words, before, keys = made()
    assert words == ["école", "οδος", "ǆep", "straße", "字", "x", "ångström"]
    assert is_stop_word("école")

    def refuse(*_: object) -> str:
        raise AssertionError("Python's tables were asked")

    with monkeypatch.context() as patched:  # pytest itself asks for the widths of characters
        for name in ("category", "normalize", "combining", "decomposition"):
            patched.setattr(unicodedata, name, refuse)
        again = made()
    assert (again[0], again[2]) == (words, keys)
    assert again[1].words == before.words
    assert np.array_equal(again[1].shares, before.shares)


#: Characters of each kind that the rules about visible text distinguish.
KINDS = (
    "aé1+日ن\u064eم\u0cb0क्ർ"
    "\u200c\u200d\u200b\u202e\ue001\ufe0f\U000e0100\U0001f469\u2764\u00ad\u2800\ufdd0\U000e0067\n \x07\u0600"
)


@given(st.text(st.sampled_from(KINDS) | st.characters(max_codepoint=0x58F), max_size=12))
def test_visible_text_is_the_plain_one(text: str) -> None:
    """Compared with the plain-Python twin; nothing more goes when it is done again."""
    visible = unicode.visible(text)
    assert visible == "".join(compress(text, seen(text)))
    assert unicode.visible(visible) == visible
