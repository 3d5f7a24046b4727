"""Pages that servers send in parts."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpusprep.pages import html
from corpusprep.pages.segmentation import Segmenter
from corpusprep.pages.streamed import put_together


def texts(markup: str) -> list[str]:
    """The texts of the blocks of a page."""
    segmenter = Segmenter(())
    segmenter.add(html.parse(markup))
    return segmenter.take().texts()


GAP = '<!--$?--><template id="B:0"></template><p>Loading...</p><!--/$-->'
PART = '<div hidden id="S:0"><div><p>b</p></div></div><script>$RC("B:0","S:0")</script>'
INNER = '<div hidden id="S:1"><p>c</p></div><script>$RS("S:1","P:1")</script>'
INSIDE = PART.replace("<p>b", '<template id="P:1"></template><p>b') + INNER


@pytest.mark.parametrize(
    ("markup", "found"),
    [
        (f"<main><p>a</p>{GAP}<p>d</p></main>{PART}", ["a", "b", "d"]),
        (f"<p>a</p>{GAP}<p>d</p>{INSIDE}", ["a", "c", "b", "d"]),
        (f"<p>a</p>{GAP.replace('<p>L', '<!--$--><i>x</i><!--/$--><p>L')}<p>d</p>{PART}", ["a", "b", "d"]),
        (f"<p>a</p>{GAP}<p>d</p>", ["a", "Loading...", "d"]),
        (f"<p>a</p>{PART}", ["a"]),
        (f"<p>a</p>{GAP}{PART.replace('$RC', '$X')}", ["a", "Loading..."]),
        (f"<p>a</p>{GAP.replace('B:0', 'x-B:0')}{PART.replace('B:0', 'x-B:0').replace('S:0', 'x-S:0')}", ["a", "b"]),
    ],
)
def test_parts_are_read_where_they_stand(markup: str, found: list[str]) -> None:
    """In the gap that the script names, in place of what was shown there; also one inside another."""
    assert texts(markup) == found


PIECES = [GAP, PART, INNER, "<div>", "</div>", "<!--/$-->", "<!--$-->", '<template id="P:1"></template>', "x", "$RC("]


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_other_markup_stays(markup: str) -> None:
    """Nothing comes into being that was not there, and pages without parts stay as they are."""
    page = markup.encode()
    made = put_together(page)
    assert len(made) <= len(page)
    if b"$R" not in page:
        assert made == page


@pytest.mark.parametrize("unit", [GAP, PART, INNER, '<div hidden id="S:0">', "<!--$?-->" + GAP[9:40], "$RC("])
def test_time_is_linear(unit: str) -> None:
    """Also for pages that are made of gaps or parts alone."""
    page = (PART + unit * 20_000).encode()
    start = time.process_time()
    put_together(page)
    assert time.process_time() - start < 5
