"""Marks of pages against plain Python; and pages that are made to be expensive."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import plain_metadata

from corpusprep._native.page_metadata import KINDS, page_marks
from corpusprep.pages import html
from corpusprep.pages.metadata import META_NAMES

_NAMES = st.sampled_from(["author", "og:title", "OG:Title ", "robots", "description", "date", "x" * 90, "né"])
_VALUES = st.sampled_from(["", " ", "a b", "ü" * 3, "é" * 3000, "2020-01-01", "\u00a0", "&amp;&quot;"])
_WORDS = st.sampled_from(
    ["author", "Author x", "byline", "p-author", "license", "canonical nofollow", "datePublished", "fn x", ""]
)
_META = st.builds(
    lambda kind, name, value: f'<meta {kind}="{name}" content="{value}">',
    st.sampled_from(["name", "property", "itemprop", "http-equiv"]),
    _NAMES,
    _VALUES,
)
_ELEMENT = st.builds(
    lambda tag, kind, word, more, value: f'<{tag} {kind}="{word}" {more}="{value}">',
    st.sampled_from(["a", "link", "span", "time", "p", "div", "html", "body"]),
    st.sampled_from(["rel", "class", "itemprop", "lang", "pubdate"]),
    _WORDS,
    st.sampled_from(["href", "datetime", "content", "lang"]),
    _VALUES,
)
_OTHER = st.sampled_from(
    [
        *("text ", "</span>", "</div>", "</p>", "<br>", "<svg>x</svg>", "x" * 150, "<script>x</script>", "<b>b</b>"),
        '<script type="application/ld+json">{}</script>',
        '<script type=" Application/LD+JSON; charset=utf-8">[1]</script>',
    ]
)


@given(st.lists(st.one_of(_META, _ELEMENT, _OTHER), max_size=30).map("".join))
def test_marks_are_those_of_the_plain_walk(markup: str) -> None:
    """Kinds, keys and values, in order."""
    root = html.parse(f"<body>{markup}")
    assert root is not None
    assert page_marks(root) == plain_metadata.marks(root)


def test_all_names_are_known() -> None:
    """The kernel takes each name of <meta> that is read."""
    for name in META_NAMES:
        root = html.parse(f'<meta name="{name.upper()}" content="x">')
        assert root is not None
        assert page_marks(root) == [("meta", name, "x")]
    assert len(KINDS) == 7


@pytest.mark.parametrize(
    ("markup", "most"),
    [
        ('<meta name="author" content="x">' * 1000, 200),
        ('<time datetime="2020">' * 1000, 24),
        ('<b class="author">x</b>' * 1000, 8),
        ('<script type="application/ld+json">' + "[" * 200_000 + "</script>" * 1, 1),
        ('<script type="application/ld+json">' + "[" * 300_000 + "</script>", 0),
        (('<script type="application/ld+json">' + "[" * 200_000 + "</script>") * 4, 2),
        ("<div>" * 5000 + '<meta name="author" content="x">', 1),
    ],
    ids=["meta", "time", "author", "long script", "too long script", "many scripts", "deep"],
)
def test_a_page_has_a_most(markup: str, most: int) -> None:
    """Of marks, of elements of a kind, of bytes of scripts; depth costs no stack."""
    root = html.parse(f"<body>{markup}")
    assert root is not None
    assert len(page_marks(root)) == most


def test_a_long_text_names_no_author() -> None:
    """Whatever characters it is made of; nor is it cut."""
    for character, longest in (("x", 200), ("ü", 100), ("日", 66), ("😀", 50)):
        for count, marks in ((longest, 1), (longest + 1, 0), (1000, 0)):
            root = html.parse(f'<body><b class="author">{character * count}</b>')
            assert root is not None
            assert len(page_marks(root)) == marks


@pytest.mark.parametrize("inside", ["x" * 100_000, "<br>" * 1_000_000], ids=["text", "elements"])
def test_nested_authors_take_linear_time(inside: str) -> None:
    """What is in an element is looked at up to a length, and up to a number of nodes, however deep it is nested."""
    root = html.parse("<body>" + '<div class="author">' * 2000 + inside)
    assert root is not None
    start = time.process_time()
    assert page_marks(root) == []
    assert time.process_time() - start < 1
