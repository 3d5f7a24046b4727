"""Outlines of blocks: their places and spans are those of a plain walk up the tree."""

import itertools
import unicodedata
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from support.plain_markdown import places_of, preformatted, spans_of

from corpusprep.pages import html
from corpusprep.pages.outline import CODE, LINK, Outline, Place
from corpusprep.pages.segmentation import Blocks, Segmenter

_BLOCKS = ("div", "p", "ul", "ol", "li", "blockquote", "pre", "table", "tr", "td", "th", "h2", "h5", "menu")
_INLINE = ("a", "code", "b", "span", "tt")


def outlined(page: str) -> tuple[Blocks, Outline]:
    """Returns the blocks of a page with their outline."""
    segmenter = Segmenter((), outline=True)
    segmenter.add(html.parse(page, lean=False))
    blocks = segmenter.take()
    assert blocks.outline is not None
    assert len(blocks.outline.places) == len(blocks)
    return blocks, blocks.outline


class _Word(NamedTuple):
    place: tuple[int, ...]  # level, quotes, lists, ordinal, and whether it is in item, pre, table, row, cell
    linked: frozenset[str]  # targets
    code: bool


def _plain(root: etree._Element) -> dict[str, _Word]:
    """Returns what each word of a page is in, by a walk up from each text."""
    words = {}
    for element in root.iter():
        for text, inner in ((element.text, element), (element.tail, element.getparent())):
            around = [] if inner is None else [inner, *inner.iterancestors()]
            for word in (text or "").split():
                words[word] = _word(around)
    return words


def _word(around: list[etree._Element]) -> _Word:
    names = [element.tag for element in around]
    lists = [element for element in around if element.tag in ("ul", "ol", "menu")]
    item = _inside(names, "li", {"ul", "ol", "menu"})
    place = (
        next((int(name[1]) for name in names if len(name) == 2 and name[0] == "h" and name[1].isdigit()), 0),
        names.count("blockquote"),
        len(lists),
        _ordinal(around[names.index("li")]) if item else 0,
        item,
        "pre" in names,
        "table" in names,
        _inside(names, "tr", {"table"}),
        min((names.index(name) for name in ("td", "th") if _inside(names, name, {"tr", "table"})), default=-1) >= 0,
    )
    targets = frozenset(e.get("href") or "" for e in around if e.tag == "a" and e.get("href"))
    return _Word(place, targets, any(name in ("code", "tt", "kbd", "samp") for name in names))


def _inside(names: list[str], name: str, borders: set[str]) -> bool:
    """Returns whether the innermost element of that name is inside the innermost of the borders."""
    before = itertools.takewhile(lambda other: other not in borders, names)
    return name in list(before)


def _ordinal(item: etree._Element) -> int:
    """Returns the number of an item of an <ol>: of the items of the same list before it, in document order."""
    parent = next((e for e in item.iterancestors() if e.tag in ("ul", "ol", "menu")), None)
    if parent is None or parent.tag != "ol":
        return 0
    own = [
        e for e in parent.iter("li") if next(a for a in e.iterancestors() if a.tag in ("ul", "ol", "menu")) is parent
    ]
    return own.index(item) + int(parent.get("start") or 1)


@st.composite
def _pages(draw: st.DrawFn) -> str:
    numbers = itertools.count()

    def part(depth: int) -> str:
        kind = draw(st.sampled_from(("text", "block", "inline", "break") if depth < 6 else ("text",)))
        if kind == "text":
            return draw(st.sampled_from((" ", "", "\n"))) + f"w{next(numbers)}" + draw(st.sampled_from((" ", "")))
        if kind == "break":
            return "<br>"
        name = draw(st.sampled_from(_BLOCKS if kind == "block" else _INLINE))
        attributes = ""
        if name == "a" and draw(st.booleans()):
            attributes = f' href="/t{next(numbers)}"'
        if name == "ol" and draw(st.booleans()):
            attributes = ' start="7"'
        inside = "".join(part(depth + 1) for _ in range(draw(st.integers(0, 3))))
        return f"<{name}{attributes}>{inside}</{name}>"

    return "<body>" + "".join(part(0) for _ in range(draw(st.integers(1, 6))))


@given(_pages())
def test_places_and_spans_are_those_of_a_walk_up_the_tree(page: str) -> None:
    """Of the first word of each block; spans of all words."""
    root = html.parse(page, lean=False)
    assert root is not None
    words = _plain(root)
    blocks, outline = outlined(page)
    for number, text in enumerate(blocks.texts()):
        (place,) = places_of(outline, number, number + 1)
        in_block = [word for word in words if word in text.replace(" ", "\n").split("\n") or word in text]
        first = min(in_block, key=text.find)
        got = (*place[:4], *map(bool, place[4:]))
        if text.split()[0] == first:
            assert got == words[first].place
        spans = spans_of(outline, 0, len(blocks)).get(number, [])
        for word in (word for word in text.split() if word in words):
            start = text.encode().find(word.encode())
            holding = [span for span in spans if span.start <= start and span.end >= start + len(word)]
            assert {span.target for span in holding if span.kind == LINK} == words[word].linked
            assert any(span.kind == CODE for span in holding) == words[word].code


@pytest.mark.parametrize(
    ("markup", "text", "linked"),
    [
        ("e<a href=/>&#769;x</a>", "éx", ["x"]),
        ("<a href=/>xe</a>&#769;", "xé", ["xé"]),
        ("e<a href=/>&#769;</a>", "é", []),
        ("x<a href=/>&#807;</a>&#776;", "ẍ\u0327", ["ẍ\u0327"]),
        ("<pre>e&#769;\nx", "é x", []),
    ],
)
def test_spans_follow_what_is_composed(markup: str, text: str, linked: list[str]) -> None:
    """A mark in another element changes the character before it; preformatted text is composed, too."""
    blocks, outline = outlined(markup)
    assert blocks.texts() == [text]
    assert [blocks.text[span.start : span.end].decode() for span in spans_of(outline, 0, 1).get(0, [])] == linked
    assert unicodedata.is_normalized("NFC", preformatted(outline, 0))


def test_preformatted_text_keeps_its_lines() -> None:
    """White space, line breaks of both kinds; not the white space between blocks."""
    blocks, outline = outlined("<pre>a\n  b<br>c</pre> \n <p>d</p><pre>\n\ne</pre>")
    assert [preformatted(outline, number) for number in range(len(blocks))] == ["a\n  b\nc", "", "\n\ne"]


def test_numbers_go_on_over_pages() -> None:
    """Items and cells of two pages differ."""
    segmenter = Segmenter((), outline=True)
    for _ in range(2):
        segmenter.add(html.parse("<ul><li>a</ul><table><tr><td>b</table>"))
    outline = segmenter.take().outline
    assert outline is not None
    assert [place[4] for place in outline.places.tolist()] == [1, 0, 2, 0]
    assert [place[8] for place in outline.places.tolist()] == [0, 1, 0, 2]


def test_elements_that_never_close_do_not_multiply_addresses() -> None:
    """One long address around thousands of blocks is stored once, and nested spans beyond a limit are left out."""
    address = "x" * 5000
    _, outline = outlined(f'<a href="{address}">' + "<div>a</div>" * 2000)
    assert len(outline.targets) == 5000
    deep = "".join(f"<code><i>{number} " for number in range(200)) + "<div>a</div>" * 200
    _, outline = outlined(deep)
    assert len(outline.span_blocks) <= 17 * 400


@pytest.mark.parametrize("start", ["-3", "abc", "99999999999", ""])
def test_a_list_with_a_wrong_start_begins_with_one(start: str) -> None:
    """As in browsers, but for negative numbers."""
    _, outline = outlined(f'<ol start="{start}"><li>a</ol>')
    (place,) = places_of(outline, 0, 1)
    assert place == Place(lists=1, ordinal=1, item=place.item)
