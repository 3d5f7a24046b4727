"""The tables of the language kit."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpusprep.errors import ArchiveError
from corpusprep.language_tables import TABLES, encodings
from corpusprep.language_tables.boilerplate import common_characters
from corpusprep.language_tables.identification import joined


def plain_common(one: str, other: str) -> int:
    """The oracle: the textbook table of the longest common subsequence."""
    row = [0] * (len(other) + 1)
    for left in one:
        above = row
        row = [0]
        for place, right in enumerate(other):
            row.append(above[place] + 1 if left == right else max(row[place], above[place + 1]))
    return row[-1]


@given(st.text("abč的", max_size=30), st.text("abč的", max_size=30))
def test_common_characters_are_the_longest_common_subsequence(one: str, other: str) -> None:
    """Of any two texts."""
    assert common_characters(one, other) == plain_common(one, other)


def test_lines_are_joined_to_a_length() -> None:
    """What is left over at the end is dropped."""
    assert joined(["abc", "de", "f", "gh"], 5) == ["abc de"]
    assert joined(["abc", "de"], 1) == ["abc", "de"]


@pytest.mark.parametrize("name", TABLES)
def test_missing_data_is_named(tmp_path, name: str) -> None:
    """By the archive that is missing."""
    with pytest.raises(ArchiveError, match=r"\.tar\.xz: cannot be unpacked"):
        list(TABLES[name][1](tmp_path))


def test_a_page_says_what_its_encoding_lacks_by_references() -> None:
    """Greek in windows-1252 is ASCII; a question mark stays one."""
    assert encodings._written("a? ω €", "windows-1252") == b"a? &#969; \x80"


def test_an_answer_is_right_that_gives_the_text() -> None:
    """A superset is, and another encoding is not; an unknown one is wrong."""
    data = "žluť".encode("iso-8859-2")
    assert encodings._is_right("été".encode("latin-1"), "cp1252", "iso-8859-1")
    assert not encodings._is_right(data, "windows-1250", "iso-8859-2")
    assert not encodings._is_right(data, "nonsense", "iso-8859-2")
    assert not encodings._is_right(data, None, "iso-8859-2")


def test_pieces_are_of_the_text() -> None:
    """Without markup, of the length asked for, and not ASCII."""
    words = random.Random(1).choices(["žluť", "kůň", "dům"], k=200)
    data = f"<p class=x>{' '.join(words)}</p>".encode("iso-8859-2")
    pieces = encodings._pieces(data, "iso-8859-2", 50)
    assert [len(piece) for piece in pieces] == [50] * 5
    assert not any(b"<" in piece for piece in pieces)
