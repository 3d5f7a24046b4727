"""texrex's blocks and features from the markup of pages."""

import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from support.plain_texrex import features

from corpusprep.pages.segmentation import TAGS, Blocks
from studies.schaefer_2017.markup_blocks import ONE, MarkupSegmenter
from studies.schaefer_2017.perceptrons import FEATURES

NAMES = list(FEATURES)
PARTS = [
    *"Ab CD éÈ ß 12 2011 ٣ © . ? ! , a.b #tag #1 x@y.de ä@b.c.info www.a.de http://b.c/d, ftp://".split(),
    *"&amp; &eacute &#65; &#x41; &#150; &nbsp; &notit; &; & < <3 > \" ' = / 中文 Ёлка \u00ad".split(),
    " ",
    "\n",
    "The end. It was 2015. ",
    *"<p> </p> <div> </div> <td> </td> <li> </li> <h2> </h2> <section> </section> <article> <blockquote> <P/>".split(),
    *"<b> </b> <br> <br/> </a> <form> </form> <code> </code> <title> </title> <svg> </svg> </body> <body>".split(),
    *"<!-- --> <!---> <![CDATA[ ]]> <script> </script> <STYLE> </STYLE> <abbr> <span\nx> <table><tr>".split(),
    "<script>if (a<b) '<p>'</script>",
    '<a href="x>y">',
    "<a href='",
    '<div class="',
    "<!doctype html>",
    "<?xml x?>",
]
HEADS = [
    "",
    "<html><body>",
    "<!DOCTYPE html><head><title>T &amp; t</title></head><body class=x>",
    '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN"><body>',
    '<!doctype html public "-//W3C//DTD XHTML 1.0 Strict//EN"><style>p{}</style><body>',
    "<head><script>'<body>'</script></head>",
]


def cut(*pages: str, keep_forms: bool = True) -> Blocks:
    """The blocks of pages."""
    segmenter = MarkupSegmenter((), keep_forms=keep_forms)
    for page in pages:
        segmenter.add(page)
    return segmenter.take()


def rows(page: str, keep_forms: bool = True) -> list[tuple[str, list[int]]]:
    """Text and features of each block of a page."""
    blocks = cut(page, keep_forms=keep_forms)
    assert blocks.markup is not None
    return list(zip(blocks.texts(), blocks.markup.tolist(), strict=True))


def measured(page: str, block: int = 0) -> dict[str, float]:
    """The features of a block by name."""
    return {name: value / ONE for name, value in zip(NAMES, rows(page)[block][1], strict=True)}


@given(st.sampled_from(HEADS), st.lists(st.sampled_from(PARTS), max_size=40).map("".join), st.booleans())
@example("<body>", "<p>a\u200db &#x200d;c</p>", True)
@example("<body>", "<p>one<p>&nbsp;<p>two<p>three<p>&#173;<p>four", True)
@example("", """<a href="x>y"><a href='<p>""", False)
@settings(deadline=None)
def test_kernel_is_its_twin(head: str, body: str, keep_forms: bool) -> None:
    """The kernel gives the blocks and features of its plain twin."""
    assert rows(head + body, keep_forms) == features(head + body, keep_forms)


def test_blocks_end_at_the_tags_of_the_paper() -> None:
    """Blocks end at start and end tags of the paper's elements, not at others; their tag is the start tag before."""
    blocks = cut("<body>a<p>b<b>c</b></p>d<table><tr><td>e<dl><dt>f<h2>g</h2>")
    assert blocks.texts() == ["a", "bc", "d", "ef", "g"]
    assert [TAGS[tag] for tag in blocks.tags] == ["body", "p", "body", "td", "h2"]
    assert blocks.heading.tolist() == [False] * 4 + [True]


def test_links_and_words_are_counted_as_in_other_blocks() -> None:
    """Words in links count, also if a link is not closed before the next."""
    blocks = cut("<p>one <a href=x>two three<p>four</a> five<a href=y>six")
    assert blocks.texts() == ["one two three", "four fivesix"]
    assert blocks.words.tolist() == [3, 2]
    assert blocks.link_words.tolist() == [2, 2]


def test_left_out_elements() -> None:
    """Scripts, code and, if asked for, forms are no text; what stands behind the body is not either."""
    page = "<body>a<script>x</script>b<code>y</code><form>c<p>d</form>e</body>f"
    assert cut(page).texts() == ["abc", "de"]
    assert cut(page, keep_forms=False).texts() == ["abe"]


@pytest.mark.parametrize("page", ["<p>text", "<head></head><p>text", "text", "<body><body><p>text"])
def test_pages_without_a_body_tag_or_with_two(page: str) -> None:
    """A page without a body tag, or with two, has its text."""
    assert cut(page).texts() == ["text"]


def test_quotation_mark_that_is_never_closed() -> None:
    """The tag ends at the next >: the rest of the page is not lost."""
    assert cut('<body><a href="x>link</a><p>text').texts() == ["link", "text"]


def test_features_of_a_paragraph() -> None:
    """Counts, shares and places are those of table 1 and of the sources."""
    page = "<!DOCTYPE html><html><body><div></div><p>Ab 2011. See <a href='u'>www.a.de</a> © me@b.de!</p></body></html>"
    found = measured(page)
    length = len("Ab 2011. See www.a.de © me@b.de!")
    assert found["Length"] == pytest.approx(length / 1000, abs=1e-4)
    assert (found["PageProp"], found["PercText"], found["PercDiv"]) == (1, 0, 1)
    raw = len("Ab 2011. See <a href='u'>www.a.de</a> © me@b.de!</p")
    assert found["MarkupProp"] == pytest.approx((raw - length) / raw, abs=1e-4)
    dense = length - 5
    for name in ("EmailProp", "UriProp", "YearProp", "AnchorProp"):
        assert found[name] == pytest.approx(1 / dense, abs=1e-4), name
    assert found["SentCount"] == pytest.approx(0.2, abs=1e-4)
    assert (found["Copy"], found["EndsPunct"], found["SentBogus"]) == (1, 1, 0)
    assert (found["DtHtml5"], found["ContP"], found["ContClose"]) == (1, 1, 0)
    # div, /div, p, a, /a and /p; four empty blocks: they end at body, div, /div and p.
    assert found["OpenProp"] == pytest.approx(3 / 6, abs=1e-4)
    assert found["SkippedDivs"] == pytest.approx(4 / 20, abs=1e-4)


def test_title_is_that_of_the_page() -> None:
    """The title has its references replaced and white space folded."""
    assert MarkupSegmenter(()).add("<title> A &amp;\n B</title><p>x") == "A & B"
    assert MarkupSegmenter(()).add("<title>open<p>x") == "open"


def test_half_characters_are_replaced() -> None:
    """A lone surrogate cannot be UTF-8; it becomes a question mark, and the page is read."""
    assert cut("<p>a\ud800b").texts() == ["a?b"]


@pytest.mark.parametrize(
    "part",
    [
        "<",
        "<a",
        "<!--",
        "<p>",
        "<title>",
        "</",
        "<a href='",
        '"',
        "&",
        "&#",
        "@a.",
        "www.",
        "a://",
        "#",
        "<script>",
        "<form>",
        "&lt;b",
        "20",
        "<p>&nbsp;",
        "x@",
    ],
)
def test_hostile_pages_take_linear_time(part: str) -> None:
    """A megabyte of what makes careless readers slow takes under a second of processor time."""
    page = "<body><p>" + part * (1_000_000 // len(part))
    start = time.process_time()
    cut(page)
    assert time.process_time() - start < 2
