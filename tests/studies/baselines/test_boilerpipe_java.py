"""boilerpipe's own program: segments, titles and articles on small pages."""

import pytest
from support.plain_pages import page

from corpusprep.pages import html
from corpusprep.pages.segmentation import Segmenter
from studies.baselines.boilerpipe_java import (
    JavaArticleExtractor,
    JavaDefaultExtractor,
    Segment,
    segments_of,
    titles_of,
)

LINE = "words of a line that is full " * 3  # 21 words, 87 characters


def texts(markup: str) -> list[str]:
    """The segments of a page."""
    return [segment.text for segment in segments_of(page(markup)[0])[0]]


def test_inline_elements_do_not_cut() -> None:
    """Bold text and links stay in their segment, and a word is not divided; a line break ends a segment."""
    assert texts("<p>one <b>two</b> <a>three</a>fo<i>ur</i><br>five</p>") == ["one two threefour", "five"]


def test_choices_of_forms_are_left_out() -> None:
    """The text of <option>, <object> and <noscript> is in no segment; other choices of an element are."""
    assert texts("<p>a<select><option>b</select>c</p><noscript>d</noscript><object>e</object>") == ["a", "c"]


def test_density_is_words_per_full_line() -> None:
    """A last line that is not full does not count; a short text is one line."""
    (segments,) = segments_of(page(f"<p>{LINE}</p><p>two words</p>")[0])
    assert [(segment.words, segment.lines) for segment in segments] == [(21, 1), (2, 1)]
    assert [segment.density for segment in segments] == [19.0, 2.0]


def test_a_title_is_found_without_the_name_of_the_site() -> None:
    """The whole title, its longest part, and what stands before the last dash."""
    found = titles_of("The Ferry Returns | Riverton Courier")
    assert {"the ferry returns | riverton courier", "the ferry returns"} <= found
    assert "rain - and more" in titles_of("Rain - and more - The Courier")
    assert titles_of("") == set()


def test_a_page_of_very_many_paragraphs_takes_linear_time() -> None:
    """All of them are fused into one segment."""
    segments = [Segment([number], [LINE * 4], number, number, 84, 0, 84, 4) for number in range(100_000)]
    last = Segment([100_000], ["end"], 100_000, 100_000, 1, 0, 1, 1)
    fused, _ = JavaDefaultExtractor().keep([*segments, last], "")
    assert (fused.pieces, fused.words) == (list(range(100_000)), 8_400_000)
    assert fused.text == "\n".join([LINE * 4] * 100_000)


def article(title: str, markup: str) -> list[bool]:
    """Which blocks of a page with a title are in its article."""
    segmenter = Segmenter((), structure=True)
    segmenter.add(html.parse(f"<title>{title}</title><body>{markup}</body>"))
    return JavaArticleExtractor().classify(segmenter.take()).good.tolist()


GAP = "<p><a>x</a></p>" * 3


@pytest.mark.parametrize(("title", "first"), [("The ferry returns", True), ("Another title", False)])
def test_text_between_title_and_article_belongs_to_it(title: str, *, first: bool) -> None:
    """A lead far from the article is kept if the page's title stands before it."""
    found = article(title, f"<h1>The ferry returns</h1><p>{LINE}</p>{GAP}<p>{LINE * 4}</p>")
    assert (found[0], found[1], found[-1]) == (first, first, True)


def test_an_article_ends_where_comments_begin() -> None:
    """After 60 words of dense text."""
    assert article("t", f"<p>{LINE * 4}</p><p>Comments (3)</p><p>{LINE * 9}</p>") == [True, False, False]
