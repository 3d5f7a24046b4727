"""Changes that explain differences, on small pages."""

from pathlib import Path

import pytest
from lxml import etree

from corpusprep.gold.pages import GoldPage, GoldSet
from corpusprep.pages import html
from corpusprep.pages.segmentation import Segmenter
from studies.baselines.boilerpipe_java import segments_of
from studies.evaluation import causes, stop_lists


def changed(markup: str, change: object) -> str:
    """The text of a page after a change of its tree."""
    root = html.parse(markup, lean=False)
    assert root is not None
    assert callable(change)
    change(root)
    return "".join(root.itertext())


def test_select_is_removed_and_the_text_around_it_stays() -> None:
    """Text before, between and after two lists of choices."""
    markup = "<p>one <select><option>a</select>two <b>x</b><select><option>b</select>three</p>"
    assert changed(markup, causes.remove_select) == "one two xthree"


def test_links_are_removed_but_not_anchors() -> None:
    """An <a> without an address is no link."""
    assert changed('<p>a<a href="/">link</a>b<a name="x">c</a></p>', causes.remove_links) == "abc"


def test_pages_are_changed_before_they_are_segmented() -> None:
    """The change sees all attributes of the page."""
    page = GoldPage("1", '<p>a<a href="/">link</a>b<a name="x">c</a></p>', "", {})
    blocks = causes._segment([page], "en", causes.Change("without links", (), prepare=causes.remove_links))
    assert blocks.text == b"abc"


def test_annotating_elements_are_replaced_by_their_contents() -> None:
    """Elements and text of an unwrapped element keep their order."""
    root = etree.fromstring("<p>a<span>b<i>c</i>d<b>e</b>f</span>g<span/>h</p>")
    for element in list(root.iter("span")):
        causes._unwrap(element)
    assert etree.tostring(root) == b"<p>ab<i>c</i>d<b>e</b>fgh</p>"


def test_the_list_of_the_thesis_has_its_words() -> None:
    """319 entries, of which two are twice there; matched in lower case and with a first capital."""
    words = stop_lists.functional("en")
    assert words is not None
    assert len(words) == 317
    assert {"the", "The", "whereupon"} <= stop_lists.forms("en", words)
    assert "THE" not in stop_lists.forms("en", words)


@pytest.mark.parametrize("code", ["pl", "ru"])
def test_other_lists_have_words_without_comments(code: str) -> None:
    """A list holds words of its language only."""
    words = stop_lists.functional(code)
    assert words is not None
    assert all(word.isalpha() and word == word.lower() for word in words)
    assert stop_lists.functional("zh") is None


def test_renamed_inline_elements_cut_segments() -> None:
    """The text stays; boilerpipe's program then ends a segment at <b>, but not at links."""
    markup = "<p>one <b>two</b> <a href=x>three</a> four</p>"
    root = html.parse(markup)
    assert root is not None
    causes.cut_at_inline_elements(root)
    segmenter = Segmenter((), structure=True)
    segmenter.add(root)
    blocks = segmenter.take()
    assert blocks.texts() == ["one two three four"]
    assert [segment.text for segment in segments_of(blocks)[0]] == ["one", "two", "three four"]


def test_a_page_ends_at_its_first_end_of_body() -> None:
    """Whatever case and space the tag has; a page without the tag is whole."""
    assert causes.end_with_body("<body>a</BODY >b</body>") == "<body>a</BODY >"
    assert causes.end_with_body("<p>a") == "<p>a"


def test_markers_and_edges_count_as_words() -> None:
    """As in Evert's script: of `<h>Title <p>One two` and the gold text, a marker differs and both edges agree."""
    page = GoldPage("1", "<h1>Title</h1><p>One two</p>", "1", {"": "<p>Title\n<p>One two"})
    gold_set = GoldSet("set", "Set", [page], markup=True)
    plain, letter = (
        next(
            scores
            for system, _, scores, _ in causes._scores(Path(), gold_set, [page], "en", change, ascii_only=True)
            if system == "baseline"
        )
        for change in (causes.Change("", ()), causes.Change("", (), markers=True, edges=True))
    )
    assert plain[:2] == [100.0, 100.0]
    assert letter[:2] == pytest.approx([100 * 6 / 7, 100 * 6 / 7])


def test_the_title_is_removed_and_nothing_else() -> None:
    """The text of the page stays."""
    assert changed("<title>t</title><p>a<svg><title>s</title></svg>b</p>", causes.remove_title) == "ab"
