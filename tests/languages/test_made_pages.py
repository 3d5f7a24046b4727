"""Pages made of given words in the markup of other pages."""

import re

import pytest

from corpusprep import errors
from studies.presemt_2012.made_pages import Markup, made, markups, sound

PAGE = """<!DOCTYPE html><title>Old title here</title><style>p > a { margin: 1em }</style>
<!-- a <b>comment</b> --><ul><li><a href="/a?b=1">Home</a></li></ul><p class="x">Some old words.</p>"""


def test_each_place_takes_as_many_words_as_it_had():
    """The markup does not change; the last place takes the rest."""
    page = Markup(PAGE).around("one two three four five six seven eight nine ten")
    assert "<title>\none two three\n</title>" in page
    assert "<style>p > a { margin: 1em }</style>" in page
    assert '<a href="/a?b=1">\nfour\n</a>' in page
    assert '<p class="x">\nfive six seven eight nine ten\n</p>' in page
    assert not re.search("Old|Home|Some", page)


def test_sentences_that_were_decoded_wrongly_are_left_out() -> None:
    """windows-1252 that was read as iso-8859-1 has C1 characters; seven of them made a table wrong by 25 points."""
    assert sound(["«Hei»", "\x93Hei\x94", "Hei \ufffd", "a\tb", "\x1f", "gâ€™Omuzungu"]) == ["«Hei»", "a\tb"]


def test_too_few_words_leave_places_empty():
    """No word of the old page is left."""
    page = Markup(PAGE).around("one two")
    assert "<title>\none two\n</title>" in page
    assert '<p class="x">\n</p>' in page


def test_pages_take_one_markup_after_the_other(tmp_path):
    """Every page has the same number of sentences; an incomplete page is left out; pages without text are not used."""
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "first.html").write_text("<h1>x</h1>", encoding="utf-8")
    (tmp_path / "second.html").write_text("<p>x</p>", encoding="utf-8")
    (tmp_path / "third.html").write_text("<hr>", encoding="utf-8")
    pages = list(made(["a b", "c", "d", "e", "f", "g", "h"], 2, markups(tmp_path)))
    assert pages == ["<h1>\na b c\n</h1>", "<p>\nd e\n</p>", "<h1>\nf g\n</h1>"]


def test_a_folder_without_pages_is_named(tmp_path):
    """The message says what was searched for."""
    with pytest.raises(errors.ArchiveError, match=r"no pages \(\*\.html\)"):
        markups(tmp_path)
