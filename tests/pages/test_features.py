"""Features of blocks."""

import time
import tracemalloc
import unicodedata

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from lxml import etree
from support.plain_features import PlainPage
from support.plain_names import block_words, fnv, word_hash
from support.small_models import small_model

from corpusprep._native import pages as native
from corpusprep.pages import html
from corpusprep.pages.features import KINDS, TYPES, Features, NameHashes, Tables, feature_descriptions
from corpusprep.pages.segmentation import Segmenter

NAMES = [one.name for one in feature_descriptions()]
TABLE_FEATURES = NAMES[-native.NAME_COLUMNS :]
SENTENCE = "The old man, who had a dog and a cat, went to the sea in May. "
PARTS = [
    *"a Bb CCC 12 3.5 the, (of) end. Why? note: „so“ … © | » @ //x 中文字，中。 ひらカナ ไทย Ёлка Ärger x-Y".split(),
    " ",
    " ",
    "\n",
    SENTENCE,
    SENTENCE,
    *"<p> </p> <div> </div> <ul><li> <li> </ul> <td> <tr> <h1> </h1> <h3> </h3> <br> <br> <b> </b> <span>".split(),
    *"</span> <pre> </pre> <main> </main> <article> </article> <footer> </footer> <select><option> </select>".split(),
    *"<table><tr><td> </table> <figcaption> </figcaption> <code> </code> <small> </small> <dl><dd> </dl>".split(),
    *"<script>x</script> <blockquote> </blockquote> <section> </section> <label> </label>".split(),
    "<a href=x>",
    "<a>",
    "<a name=x>",
    "<a class=c id=x>",
    "<a name=x href>",
    "</a>",
    '<div class="post mainContent a1b2" id=c9>',
    '<div class="comments">',
    '<li class="comment depth-1">',
    '<p style="display: none">',
    '<p style="color: red;\tDISPLAY :None !important">',
    '<div style="display: none; Display: block">',
    '<div style="x-display: none">',
    '<li style="visibility:hidden; display">',
    "<div hidden>",
    "<p aria-hidden=true>",
    '<div class="box hidden">',
    '<td class="hidden md:block">',
    '<li class="d-none\td-md-flex">',
    '<p id="hidden" class="invisible d-none">',
    '<span class="sr-only">',
    '<section class="NavFrame collapsed">',
    '<h3 class="mw-collapsed">',
    '<div role="navigation">',
    '<div role=article itemprop="articleBody">',
    '<section itemtype="http://schema.org/NewsArticle">',
    "<title>The sea in May</title>",
    '<meta property="og:title" content="a cat">',
    "<iframe>",
    "</iframe>",
    "<video>a Bb</video>",
]
HEADS = [
    "",
    "<title>The old man</title>",
    '<title>A dog</title><meta property="og:type" content="article">',
    '<title>News</title><meta property="og:title" content="The old man, who had"><meta name="og:title" content=x>',
]
MARKUP = st.tuples(st.sampled_from(HEADS), st.lists(st.sampled_from(PARTS), max_size=50).map("".join)).map(
    lambda parts: f"<html><head>{parts[0]}</head><body class=no-comments>{parts[1]}</body></html>"
)
WORDS = ["post", "main", "content", "article", "body", "comments"]
TABLES = Tables(
    names=np.array(sorted(fnv(word.encode()) for word in WORDS), np.uint32),
    name_weights=np.array([[40, -30], [-100, 7], [3, 90], [-5, -5], [127, 127], [-128, -128]], np.int8),
    words=np.array(sorted(word_hash(word) for word in ("the", "dog", "end")), np.uint32),
    word_weights=np.array([[9], [-20], [100]], np.int8),
)


def measured(*markups: str) -> Features:
    """The features of these pages, with hashes."""
    segmenter = Segmenter((), features=True, table_words=True)
    for markup in markups:
        segmenter.add(html.parse(markup))
    found = segmenter.take().features
    assert found is not None
    return found


def measured_tree(root: etree._Element | None) -> Features:
    """The features of a page that has been parsed."""
    segmenter = Segmenter((), features=True)
    segmenter.add(root)
    found = segmenter.take().features
    assert found is not None
    return found


def with_tables(found: Features) -> np.ndarray:  # type: ignore[type-arg]
    """All columns, with those that need tables."""
    assert found.columns is not None
    assert found.hashes is not None
    columns = found.columns.copy()
    columns[-native.NAME_COLUMNS :] = found.hashes.columns(TABLES)
    return columns


@settings(max_examples=150, deadline=None)
@given(MARKUP)
@example(f"<body><div class=post><p>{SENTENCE * 2}</p><p>{SENTENCE}</p></div><div class=comments><p>{SENTENCE}</div>")
@example("<body><p>x <a><b>y</b></a>z<a> </a><a>w</a></p><table><tr><td>a<td>b<tr><td>c<td>d</table>")
@example("<body><ul><li><p>a<li><div><p>b</ul><h1>A B</h1>")
@example("<body>a<iframe></iframe>a<b hidden></b>a<video hidden></video>a")
def test_features_are_those_of_the_definitions(markup: str) -> None:
    """Each feature and kind of each block is the plain one."""
    root = html.parse(markup)
    found = measured(markup)
    plain = PlainPage(root) if root is not None else None
    expected = list(plain.columns(TABLES)) if plain is not None and plain.blocks else []
    columns = with_tables(found)
    for number, values in enumerate(expected):
        own = dict(zip(NAMES, columns[:, number].tolist(), strict=True))
        assert {name: (own[name], value) for name, value in values.items() if own[name] != value} == {}
        assert values.keys() == own.keys()
    assert columns.shape == (len(NAMES), len(expected))
    if plain is not None:
        assert [KINDS[kind] for kind in found.kinds] == [plain.kind(number) for number in range(len(expected))]
        assert [TYPES[code] for code in found.types] == [
            plain.type(number, values, expected[number + 1 : number + 2]) for number, values in enumerate(expected)
        ]


RUNS = st.lists(
    st.tuples(
        st.sampled_from(["a", "B", "7", ".", ",", "/", "//", "@", '"', " ", "é", "Ж", "中", "<b>", "</b>"]),
        st.integers(1, 70),
    ),
    max_size=12,
).map(lambda runs: "".join(part * (count if len(part) == 1 else 1) for part, count in runs))


@settings(max_examples=150, deadline=None)
@given(st.lists(st.one_of(RUNS, st.text("aB7., /|é", max_size=140)), max_size=4).map("<a href=x>".join))
@example("a" * 63 + "B C" + "D" * 64 + " " + "E" * 127 + "/" + "/" * 64)
@example("x <b>/</b>/ AB<a>C</a>D 1A .Ab ..A A. é" + "." * 64 + "Q")
def test_long_runs_are_counted_as_their_characters(text: str) -> None:
    """Words and runs of characters that are longer than those that are counted together, with links and bold text."""
    test_features_are_those_of_the_definitions.hypothesis.inner_test(f"<body><p>x<p>{text}")  # type: ignore[attr-defined]


OF_ALL_COUNTS = set("word_length first_character all_capitals digits punctuation unspaced copyright".split())
OF_ALL_COUNTS |= set("separators address quotes".split())


@settings(max_examples=150, deadline=None)
@given(st.one_of(MARKUP, RUNS.map("<body><p>x<p>{}".format)), st.sets(st.sampled_from(NAMES[: -native.NAME_COLUMNS])))
@example(f"<body><p>AB 12 {SENTENCE * 4}</p><p>é <a>x</a></p>", set(NAMES[: -native.NAME_COLUMNS]) - OF_ALL_COUNTS)
@example("<body><p>x<p>12 <a>3 B</a> C", {"capitalised", "words_per_link"})
@example("<body><p>x<p>12 <a>3 B</a> C", OF_ALL_COUNTS)
def test_features_that_are_asked_for_alone_are_the_same(markup: str, names: set[str]) -> None:
    """What is counted for other features only is left out, and no other value with it."""
    places = sorted(map(NAMES.index, names))
    segmenter = native.Segmenter((), 0.0, features=True, wanted=places)
    segmenter.add(html.parse(markup))
    columns = segmenter.take()[10][0]
    expected = measured(markup).columns
    assert expected is not None
    assert columns.tolist() == expected[places].tolist()


VISIBLE = st.characters(max_codepoint=0x4FF, categories=("L", "M", "N", "P", "S", "Zs"), exclude_characters="\u034f")


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.one_of(RUNS, st.text("aZ7 .é中Ж", max_size=90), st.text(VISIBLE, max_size=40)), max_size=3).map("".join)
)
@example("word word\u2014Word naïve NAÏVE 1234567 12345678 a12345678 abcdefghi")
@example("x " * 20 + "a" * 63 + "B " + "C" * 64 + " " + "d" * 63 + " " + "E" * 65)
@example("x" * 30 + " " + "y" * 40 + "é" + "z" * 70)
@example("\u0340 e\u0301")
@example("中" + "a" * 63 + "文字 x\u0301y 中")
def test_words_have_the_hashes_of_the_definition(text: str) -> None:
    """The hashes of words and groups of words of a block, wherever in it the words begin."""
    text = text.replace("<", "").replace("&", "")
    root = html.parse(f"<body><p>{text}")
    found = measured(f"<body><p>{text}").hashes
    assert found is not None
    blocks = PlainPage(root).blocks if root is not None else []
    composed = [unicodedata.normalize("NFC", block.string) for block in blocks]
    expected = [
        block_words(string) if block.words <= native.SHORT_BLOCK else []
        for block, string in zip(blocks, composed, strict=True)
    ]
    assert [
        sorted(found.words[first:end].tolist())
        for first, end in zip(found.word_offsets[:-1], found.word_offsets[1:], strict=True)
    ] == [sorted(one) for one in expected]


@pytest.mark.parametrize(
    ("start", "linked"),
    [
        ("<a href=x>", True),
        ("<a>", True),  # of a script
        ("<a class=c onclick=x>", True),
        ("<a name=x>", False),
        ("<A NAME=''>", False),
        ("<a id=x>", False),
        ("<a id=x href=y>", True),
        ("<a href='y'id=x>", True),
        ("<a name=x\thref>", True),
        ("<a name=x><a href=y>", True),
        ("<a href=y><b><a name=x>", True),  # the outer one is
    ],
)
def test_places_to_link_to_are_no_links(start: str, linked: bool) -> None:
    """Old pages leave them open: then all the text behind them is inside."""
    markup = f"<body>{start}<p>{SENTENCE}<p>{SENTENCE}"
    found = [html.parse(markup, lean=lean) for lean in (False, True)]
    columns = [measured_tree(root).columns for root in found]
    assert columns[0] is not None
    assert columns[1] is not None
    np.testing.assert_array_equal(columns[0], columns[1])
    assert columns[0][NAMES.index("link_density")].tolist() == [255 * linked] * 2


@pytest.mark.parametrize(
    ("head", "body", "title"),
    [
        ("<title>A day at sea</title>", "<h2>Home</h2><h2>A day at sea</h2>", "A day at sea"),
        ("<title>News</title>", "<h2>Home</h2><h1>A day at sea</h1>", "A day at sea"),  # the first <h1>
        ("<title>News</title><meta property=og:title content='A day at sea'>", "<p>A day at sea</p>", "A day at sea"),
        (
            "<p>x</p><title>A day at sea</title>",
            "<p>Home<p>A day at sea",
            "A day at sea",
        ),  # the parser puts it into <body>
        ("<title>A day at sea</title>", "<p>Home<p>Another day</p>", None),
        ("<p>x</p><title>A day at sea</title>", "<p>Home", None),
    ],
)
def test_the_title_is_the_block_like_the_title_of_the_page(head: str, body: str, title: str | None) -> None:
    """In <head> or where the parser left it; what is in <title> itself is hidden and never the block like it."""
    segmenter = Segmenter((), features=True)
    segmenter.add(html.parse(f"<html><head>{head}</head><body>{body}"))
    blocks = segmenter.take()
    assert blocks.features is not None
    texts = blocks.texts()
    found = [text for text, kind in zip(texts, blocks.features.kinds, strict=True) if KINDS[kind] == "title"]
    assert found == ([] if title is None else [title])
    assert blocks.hidden is not None
    assert blocks.hidden.blocks.texts() == (["A day at sea"] if head.startswith("<p>") else [])


def modelled(*markups: str) -> np.ndarray:  # type: ignore[type-arg]
    """The columns of these pages, with those of the tables of a small model."""
    segmenter = Segmenter((), features=True, model=small_model().native)
    for markup in markups:
        segmenter.add(html.parse(markup))
    found = segmenter.take().features
    assert found is not None
    assert found.columns is not None
    return found.columns


MANY_NAMES = " ".join(f"{letter}name" for letter in "abcdefghijklmnopqrstuvw")
VALUES = st.sampled_from(
    [
        "",
        "content",
        "sidebar x1",
        "x1 sidebar",
        "hidden",
        "collapsed",
        "comments",
        MANY_NAMES,
        "content " * 200,
        "a12",
        "a13",
    ]
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.tuples(VALUES, VALUES), max_size=6), min_size=2, max_size=4))
def test_classes_that_were_seen_before_say_the_same(pages: list[list[tuple[str, str]]]) -> None:
    """What is kept of a class or an id from page to page changes no feature."""
    markups = [
        "<body>" + "".join(f'<div class="{name}" id="{own}"><p id="{name}">x y' for name, own in page) for page in pages
    ]
    alone = [modelled(markup) for markup in markups]
    assert np.array_equal(modelled(*markups, *markups), np.concatenate([*alone, *alone], axis=1))


def test_more_classes_than_are_kept_have_their_features() -> None:
    """Also after what was kept has been given up."""
    markup = "<body>" + "".join(f'<div class="content n{number} {"x" * 300}"><p>x y</div>' for number in range(900))
    columns = modelled(markup, markup)
    assert np.array_equal(columns[:, :900], columns[:, 900:])
    assert len(set(columns[NAMES.index("name_first")].tolist())) == 1


@settings(max_examples=30, deadline=None)
@given(st.lists(MARKUP, min_size=2, max_size=4))
def test_features_depend_on_their_page_alone(markups: list[str]) -> None:
    """Pages together, in any order, have the features that each has alone."""
    alone = {markup: with_tables(measured(markup)) for markup in markups}
    for order in (markups, markups[::-1]):
        assert np.array_equal(
            with_tables(measured(*order)), np.concatenate([alone[markup] for markup in order], axis=1)
        )


def near_and_far(found: NameHashes, block: int) -> tuple[list[int], list[int]]:
    """The hashes of names around a block: up to the third container, and farther out."""
    element, containers = int(found.leaves[block]), 0
    near_or_far: tuple[list[int], list[int]] = ([], [])
    while element >= 0:
        near_or_far[containers >= 3].extend(found.names[found.name_offsets[element] : found.name_offsets[element + 1]])
        containers += int(found.containers[element])
        element = int(found.parents[element])
    return near_or_far


def test_names_near_and_far_are_those_of_three_containers_and_of_the_rest() -> None:
    """Names of inline elements belong to the container around them; the third container is near, the fourth far."""
    found = measured("<body><div id=far><div id=third><div id=second><p id=first><b id=inline>x").hashes
    assert found is not None
    near, far = near_and_far(found, 0)
    hashes = {name: fnv(name.encode()) for name in ("far", "third", "second", "first", "inline")}
    assert {name for name, value in hashes.items() if value in near} == {"third", "second", "first", "inline"}
    assert {name for name, value in hashes.items() if value in far} == {"far"}


@pytest.mark.parametrize("markup", ["", "<p> </p>", "<title>only</title>", "<html></html>"])
def test_pages_without_text_have_no_features(markup: str) -> None:
    """Nothing in, nothing out."""
    found = measured(markup)
    assert with_tables(found).shape == (len(NAMES), 0)
    assert len(found.kinds) == 0


@pytest.mark.parametrize(
    "markup",
    [
        "<p>" + "x" * 3_000_000,
        "<p>" + "中" * 1_000_000,
        "<a>" + "<p>Home</a><a>" * 50_000,
        "<div class='" + "a b " * 200_000 + "'>text",
        "<div " + " ".join(f"a{number}=x" for number in range(300)) + ">text",
        "<p>x" + ", |" * 500_000,
        "<p>" + "© " * 100_000,
    ],
    ids=["one word", "one block", "links", "class", "attributes", "marks", "signs"],
)
def test_hostile_pages_have_bounded_features(markup: str) -> None:
    """Counts saturate; one block is still a page."""
    found = measured(f"<body>{markup}")
    columns = with_tables(found)
    assert columns.shape[1] == len(found.kinds) >= 1


def seconds(markup: str) -> float:
    """CPU seconds to measure a page that is parsed already; the best of three."""
    root = html.parse(markup)
    tries = []
    for _ in range(3):
        segmenter = Segmenter((), features=True)
        started = time.process_time()
        segmenter.add(root)
        tries.append(time.process_time() - started)
    return min(tries)


@pytest.mark.parametrize(
    "shape",
    [
        lambda count: "<p>a b" * count,
        lambda count: "<div>" * 1_000 + "<p><b>a</b>" * count,
        lambda count: "<span>" * 1_000 + "<i>a</i><br><br>" * count,
        lambda count: "<ul>" + "<li><a>x</a></li>" * count,
        lambda count: "".join(f"<p class=c{chr(97 + number % 26)}x{number}>a" for number in range(count)),
    ],
    ids=["flat", "deep", "inline", "list", "classes"],
)
def test_time_is_linear_in_the_number_of_blocks(shape) -> None:  # type: ignore[no-untyped-def]
    """Five times the blocks take less than fifteen times the time: quadratic time would be twenty-five times."""
    assert seconds(shape(20_000)) < 15 * max(seconds(shape(4_000)), 0.002)


def test_100_000_blocks_are_measured_within_a_bounded_memory() -> None:
    """Arrays of Python take one byte per feature and block, twice while they are joined."""
    tracemalloc.start()
    found = measured("<body>" + "<p>a <a>b</a>" * 100_000)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found.columns is not None
    assert found.columns.shape == (len(NAMES), 100_000)
    assert peak < 3 * found.columns.nbytes + 50_000_000


def test_features_are_named_once_and_described() -> None:
    """Each has a unit and a source."""
    described = feature_descriptions()
    assert len({one.name for one in described}) == len(described) <= 256
    assert all(one.unit and one.source for one in described)
    assert TABLE_FEATURES[0] == "name_chain"


def test_wrong_tables_are_refused() -> None:
    """Hashes must ascend, and weights have one row per hash."""
    found = measured("<p>a").hashes
    assert found is not None
    turned = Tables(TABLES.names[::-1].copy(), TABLES.name_weights, TABLES.words, TABLES.word_weights)
    short = Tables(TABLES.names, TABLES.name_weights[:1], TABLES.words, TABLES.word_weights)
    for tables, problem in ((turned, "ascend"), (short, "shapes")):
        with pytest.raises(ValueError, match=problem):
            found.columns(tables)
