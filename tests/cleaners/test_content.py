"""The learned algorithm, with a model made by hand."""

import itertools
import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from support import plain_content
from support.small_models import small_model

from corpusprep._native.context import find_main_content
from corpusprep.cleaners.block_models import write_model
from corpusprep.cleaners.content.cleaner import Content, ContentSettings, Scored
from corpusprep.cleaners.registry import algorithm
from corpusprep.commands.application import application
from corpusprep.errors import ConfigError, ModelError, StageFileError
from corpusprep.extraction.blocks import Block
from corpusprep.extraction.library import explain, extract
from corpusprep.pages import html
from corpusprep.pages.features import KINDS
from corpusprep.pages.segmentation import Segmenter

LONG = "The old man, who had a dog and a cat, went to the sea in May. "
PAGE = f"""<title>A very long story of the sea and the old man who went there in May</title>
<h1>A very long story of the sea and the old man who went there in May</h1>
<p>{LONG}</p>
<p><a href=x>{LONG}</a></p>
<div class=sidebar><p>{LONG} Twice.</p></div>
<p>Home</p>
<div id=comments><p>Well, {LONG}</p></div>
<pre>{LONG} code</pre>
<table><tr><td>one<td>two<tr><td>three<td>four four four four four four four four four four four</table>
"""


@pytest.fixture(name="model")
def _model(tmp_path: Path) -> str:
    path = tmp_path / "small.model"
    write_model(path, small_model())
    return str(path)


def kept(model: str, **settings: object) -> list[str]:
    """The kinds of the blocks that are kept, in order."""
    blocks = extract(PAGE, algorithm="content", model=model, **settings)
    return [str(block.kind) for block in blocks if block.label == "good"]


def test_blocks_have_scores_kinds_and_verdicts(model: str) -> None:
    """Long text is kept, links and what a class says are not; kinds that are left out have their own verdict."""
    blocks = extract(PAGE, algorithm="content", model=model)
    assert [(block.kind, block.score, block.verdict) for block in blocks] == [
        ("title", 0.953, "kind"),
        ("text", 0.953, "kept"),
        ("text", 0.269, "score"),
        ("text", 0.119, "score"),
        ("text", 0.047, "score"),
        ("comment", 0.953, "kind"),
        ("code", 0.953, "kept"),
        ("table", 0.047, "score"),
        ("table", 0.047, "score"),
        ("table", 0.047, "score"),
        ("table", 0.953, "kept"),
    ]
    assert all((block.label == "good") == (block.verdict == "kept") for block in blocks)


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, ["text", "code", "table"]),
        ({"keep_title": True}, ["title", "text", "code", "table"]),
        ({"keep_comments": True}, ["text", "comment", "code", "table"]),
        ({"keep_code": False, "keep_tables": False}, ["text"]),
        ({"threshold": 0.2}, ["text", "text", "code", "table"]),
        ({"threshold": "recall"}, ["text", "text", "code", "table"]),
        ({"threshold": "precision"}, ["text", "code", "table"]),
        ({"threshold": 1}, ["text", "code", "table"]),  # those with the page's best score
        ({"threshold": "0.1"}, ["text", "text", "text", "code", "table"]),
    ],
)
def test_settings_decide_what_is_kept(model: str, settings: dict[str, object], expected: list[str]) -> None:
    """Thresholds by name or number, and kinds."""
    assert kept(model, **settings) == expected


def test_a_title_is_kept_with_any_score_on_pages_with_main_content() -> None:
    """Pages do not depend on each other; a page without main content keeps nothing."""
    pages = [[100, 900, 20], [], [100, 200], [600, 30], [30]]
    scores = np.array([score for page in pages for score in page], np.uint16)
    bounds = np.cumsum([0, *map(len, pages)])
    kinds = np.full(len(scores), KINDS.index("text"), np.uint8)
    kinds[[first for first, end in itertools.pairwise(bounds) if first < end]] = KINDS.index("title")
    scored = Scored(bounds, scores, kinds, np.full(len(scores), 20), np.zeros(len(scores)))
    kept = {
        title: Content(ContentSettings(threshold=0.5, keep_title=title)).classify_scored(scored).good.tolist()
        for title in (False, True)
    }
    assert kept[False] == [False, True, False, False, False, False, False, False]
    assert kept[True] == [True, True, False, False, False, True, False, False]


def test_comments_are_kept_where_they_are_the_content(model: str) -> None:
    """A page of comments alone is not emptied; an article, a fifth of the text or 500 words, is cleaned of them."""
    comments = [f"<p>{LONG} {number}" for number in range(300)]
    few, many = (f"<div class=comments>{''.join(comments[:count])}</div>" for count in (9, 300))
    forum, blog = f"<h1>Help</h1>{few}", f"<p>{LONG * 4}{few}"
    article, question = f"<p>{LONG * 40}{many}", f"<p>{LONG * 2}{many}"
    for page, expected in ((forum, 9), (blog, 1), (article, 1), (question, 301)):
        blocks = extract(page, algorithm="content", model=model)
        assert sum(block.label == "good" for block in blocks) == expected


@pytest.mark.parametrize(
    ("threshold", "expected"),
    [
        (0.6, [[900, 540], [650, 400], [250], []]),
        (1.0, [[900], [650], [250], []]),
        (0.1, [[900, 540, 539], [650, 400, 389], [250, 150], [240, 100]]),
    ],
)
def test_a_threshold_is_a_share_of_the_best_score_of_the_page(threshold: float, expected: list[list[int]]) -> None:
    """Pages do not depend on each other; a page whose best score is low may have no main content."""
    pages = [[900, 540, 539, 9], [], [650, 400, 389, 9], [250, 150], [240, 100]]
    scores = np.array([score for page in pages for score in page], np.uint16)
    bounds = np.cumsum([0, *map(len, pages)])
    words = np.full(len(scores), 20)
    for first, end in ((0, len(pages)), (2, 5)):
        span = slice(bounds[first], bounds[end])
        part = Scored(
            bounds[first : end + 1] - bounds[first], scores[span], words[span] * 0, words[span], words[span] * 0.0
        )
        good = Content(ContentSettings(threshold=threshold)).classify_scored(part).good
        kept = [scores[span][a:b][good[a:b]].tolist() for a, b in itertools.pairwise(part.pages)]
        assert kept == [expected[0], [], *expected[1:]][first:end]


@pytest.mark.parametrize(
    ("threshold", "expected"),
    [
        (0.5, [[900, 449, 200], [900], [900], [], [450, 200]]),
        (0.8, [[900, 449], [900], [900], [], [450]]),
        (1.0, [[900, 449], [900], [900], [], [450]]),
        (0.3, [[900, 449, 200], [900, 449], [900, 449], [], [450, 200]]),
        (0.1, [[900, 449, 200, 199], [900, 449, 199], [900, 449, 199], [240, 239], [450, 200]]),
    ],
)
def test_low_scores_are_kept_where_nearly_all_is_text(threshold: float, expected: list[list[int]]) -> None:
    """Where nine tenths of the words have a score of 0.4 of the threshold and of 0.2; not where all scores are low."""
    pages = [
        [(900, 50), (449, 40), (200, 1), (199, 9)],
        [(900, 50), (449, 30), (199, 20)],
        [(900, 1), (449, 898), (199, 101)],
        [(240, 10), (239, 10)],
        [(450, 8), (200, 1), (0, 1)],
    ]
    scores, words = (np.array([block[part] for page in pages for block in page]) for part in (0, 1))
    bounds = np.cumsum([0, *map(len, pages)])
    part = Scored(bounds, scores.astype(np.uint16), words * 0, words, words * 0.0)
    good = Content(ContentSettings(threshold=threshold)).classify_scored(part).good
    assert [scores[a:b][good[a:b]].tolist() for a, b in itertools.pairwise(bounds)] == expected


def test_low_scores_of_links_are_left_out_everywhere() -> None:
    """A small page with a menu is no page that is nearly all text."""
    scores, words = np.array([900, 460, 449, 300], np.uint16), np.array([90, 10, 10, 10])
    part = Scored(np.array([0, 4]), scores, words * 0, words, np.array([0.0, 1.0, 0.51, 0.5]))
    good = Content(ContentSettings(threshold=0.5)).classify_scored(part).good
    assert scores[good].tolist() == [900, 460, 300]


@pytest.mark.parametrize(
    ("title", "threshold", "expected"),
    [
        (3, 0.5, [800, 1000]),
        (None, 0.5, [800, 799, 1000]),
        (5, 0.5, [800, 799, 1000]),  # nothing is after it
        (1, 0.5, [800, 1000]),
        (3, 0.3, [800, 799, 480, 1000]),
        (3, 0.8, [1000]),
        (None, 0.8, [800, 1000]),
    ],
)
def test_what_stands_before_the_title_needs_more(title: int | None, threshold: float, expected: list[int]) -> None:
    """If three tenths of the main content are after it; on other pages it needs what all blocks need."""
    scores, words = np.array([800, 799, 480, 0, 1000, 0], np.uint16), np.array([20, 20, 20, 1, 18, 40])
    kinds = np.full(6, KINDS.index("text"), np.uint8)
    if title is not None:
        kinds[title] = KINDS.index("title")
    part = Scored(np.array([0, 0, 6]), scores, kinds, words, np.zeros(6))
    assert scores[Content(ContentSettings(threshold=threshold)).classify_scored(part).good].tolist() == expected


@given(
    st.lists(st.tuples(st.integers(0, 1000), st.integers(0, 300), st.booleans()), max_size=30),
    st.lists(st.integers(0, 1000), min_size=2, max_size=2),
)
def test_a_higher_threshold_keeps_no_more(page: list[tuple[int, int, bool]], thresholds: list[int]) -> None:
    """Whatever the scores, words and titles of a page."""
    scores, words, titles = (np.array([block[part] for block in page], np.int64) for part in (0, 1, 2))
    kinds = np.where(titles, KINDS.index("title"), KINDS.index("text")).astype(np.uint8)
    part = Scored(np.array([0, len(page)]), scores.astype(np.uint16), kinds, words, words * 0.0)
    low, high = (
        Content(ContentSettings(threshold=one / 1000)).classify_scored(part).good for one in sorted(thresholds)
    )
    assert not (high & ~low).any()


def test_no_language_is_needed(model: str) -> None:
    """Bytes are decoded by what they are or declare; text without spaces is counted by characters."""
    chinese = "这是一个很长的句子,它告诉我们一个老人和他的狗的故事。" * 3
    for data in (chinese.encode(), b"<meta charset=gbk>" + chinese.encode("gbk")):
        found = extract(data, algorithm="content", model=model)
        assert [(block.text, block.label) for block in found] == [(chinese, "good")]


@pytest.mark.parametrize("page", ["", "<p> </p>", "<p>x", "<a>" * 3000, "<p><a href=x>Home</a>" * 3])
def test_poor_pages_give_what_they_have(model: str, page: str) -> None:
    """No text, one word, links alone: nothing fails and nothing is kept."""
    assert not [block for block in extract(page, algorithm="content", model=model) if block.label == "good"]


@pytest.mark.parametrize("threshold", ["best", "1.5", -0.1, "nan", ""])
def test_a_wrong_threshold_is_named(threshold: object) -> None:
    """With what is allowed."""
    with pytest.raises(ConfigError, match=r"threshold is .*; allowed: precision, .* a number, at least 0, at most 1"):
        algorithm("content", parameters={"threshold": threshold})


def test_a_model_of_another_algorithm_is_refused(tmp_path: Path) -> None:
    """By name."""
    path = tmp_path / "victor.model"
    write_model(path, small_model("victor"))
    with pytest.raises(ModelError, match="a model of the algorithm victor, not of content"):
        extract(PAGE, algorithm="content", model=str(path))


def test_scores_do_not_depend_on_other_pages(model: str) -> None:
    """Pages together have the classes that each has alone."""
    classifier = Content(ContentSettings(model=model))

    def classes(*pages: str) -> list[tuple[int, bool]]:
        segmenter = Segmenter((), model=classifier.block_model)
        for page in pages:
            segmenter.add(html.parse(page))
        blocks = segmenter.take()
        assert blocks.features is not None
        assert blocks.features.scores is not None
        good = classifier.classify(blocks).good
        return list(zip(blocks.features.scores.tolist(), good.tolist(), strict=True))

    other = f"<p>{LONG}<p>Home<div class=comments><p>{LONG * 7}</div>"
    assert classes(PAGE, other, PAGE) == classes(PAGE) + classes(other) + classes(PAGE)


HIDDEN = f"<div style='display:none'><p>{LONG} {LONG}</div>"


@pytest.mark.parametrize(
    ("page", "kept"),
    [
        (f"<p>{LONG} {LONG} {LONG}{HIDDEN}", 1),
        (f"<p>{LONG}{HIDDEN}", 2),
        (HIDDEN, 1),
    ],
)
def test_hidden_texts_have_no_score_where_more_is_shown(model: str, page: str, kept: int) -> None:
    """A hidden text stays on a page that shows less: scripts show it to readers."""
    assert sum(block.label == "good" for block in extract(page, algorithm="content", model=model)) == kept


def test_stored_scores_give_the_same_classes(model: str) -> None:
    """At any threshold; rows without scores are refused."""
    classifier = Content(ContentSettings(model=model))
    segmenter = Segmenter((), model=classifier.block_model)
    for page in (PAGE, "", f"<div class=comments><p>{LONG}", PAGE):
        segmenter.add(html.parse(page))
    blocks = segmenter.take()
    assert blocks.features is not None
    rows = pl.DataFrame(
        {
            "record": np.repeat(np.array([3, 4, 7, 9], np.uint32), np.diff(blocks.pages)),
            "words": blocks.words,
            "link_density": blocks.link_density,
            "score": blocks.features.scores,
            "kind": [KINDS[kind] for kind in blocks.features.kinds],
        }
    )
    for threshold in ("precision", 0.1, 0.0):
        other = Content(ContentSettings(threshold=threshold, keep_comments=threshold == 0.1, model=model))
        assert np.array_equal(other.classify_stored(rows).verdicts, other.classify(blocks).verdicts)
    assert len(Scored.of_rows(rows.head(0)).scores) == 0
    with pytest.raises(StageFileError, match="not made by a learned model"):
        classifier.classify_stored(rows.with_columns(score=None))


def test_reasons_are_the_features_that_moved_the_score(model: str) -> None:
    """The strongest first; names weigh by the class of an element."""
    explained = explain(PAGE, model=model, count=2)
    by_text = {block.text: reasons for block, reasons in explained}
    sidebar = by_text[f"{LONG}Twice. ".strip()]
    assert [one.feature for one in sidebar] == ["name_chain", "words"]
    assert sidebar[0].logits < 0 < sidebar[1].logits
    assert by_text["Home"][0].feature == "words"


@pytest.mark.parametrize("options", [("--algorithm", "bte"), ("--preset", "B")])
def test_only_content_is_explained(options: tuple[str, ...], tmp_path: Path) -> None:
    """What another algorithm was asked for is refused, not passed over."""
    (tmp_path / "page.html").write_text("<p>x")
    result = CliRunner().invoke(application, ["extract", "--explain", *options, str(tmp_path / "page.html")])
    assert result.exit_code != 0
    assert "--explain is for content alone: leave out --algorithm and --preset" in f"{result.output}{result.exception}"


def test_the_command_explains(model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As text and as JSON."""
    monkeypatch.setattr("corpusprep.cleaners.content.cleaner.shipped_model", lambda name: Path(model))
    page = tmp_path / "page.html"
    page.write_text(PAGE, encoding="utf-8")
    text = CliRunner().invoke(application, ["extract", "--explain", str(page)], catch_exceptions=False).output
    assert "0.269 bad  text    The old man" in text
    assert "score; moved most by: " in text
    shown = CliRunner().invoke(application, ["extract", "--explain", "--format", "json", str(page)]).output
    assert json.loads(shown)[0]["kind"] == "title"
    assert json.loads(shown)[2]["reasons"][0].keys() == {"feature", "value", "logits"}


def test_other_algorithms_have_no_score() -> None:
    """Nor a kind."""
    block = extract(f"<p>{LONG}", algorithm="justext")[0]
    assert isinstance(block, Block)
    assert (block.score, block.kind) == (None, None)


MOSTLY = st.sampled_from([0.0, 0.0, 0.3, 0.31, 0.5, 0.51, 1.0])
BLOCKS = st.builds(
    plain_content.Scored,
    st.integers(0, 1000) | st.sampled_from([199, 200, 249, 250, 299, 300, 500]),
    st.sampled_from(KINDS) | st.sampled_from(["table", "comment", "title", "text"]),
    st.integers(1, 40) | st.integers(1, 600),
    MOSTLY,
)
CELLS = st.builds(
    plain_content.Scored,
    st.sampled_from([299, 300, 300, 301, 500, 602]),
    st.sampled_from(["table"] * 9 + ["text"]),
    st.integers(1, 9),
    st.sampled_from([0.0, 0.8]),
)


@given(
    st.lists(st.lists(BLOCKS, max_size=12) | st.lists(CELLS, max_size=20), max_size=4),
    st.integers(0, 1000) | st.sampled_from([250, 500]),
    st.tuples(*[st.booleans()] * 4),
)
def test_blocks_are_kept_as_a_plain_reading_keeps_them(
    pages: list[list[plain_content.Scored]], threshold: int, kept: tuple[bool, bool, bool, bool]
) -> None:
    """Page by page, whatever the scores, kinds, words and links."""
    comments, title, tables, code = kept
    blocks = [block for page in pages for block in page]
    found = find_main_content(
        np.array([block.score for block in blocks], np.uint16),
        np.array([KINDS.index(block.kind) for block in blocks], np.uint8),
        np.array([block.words for block in blocks], np.uint32),
        np.array([block.link_density for block in blocks], np.float64),
        np.cumsum([0, *map(len, pages)]),
        threshold,
        *kept,
    )
    assert found.tolist() == [
        verdict
        for page in pages
        for verdict in plain_content.main_content(
            page, threshold, comments=comments, title=title, tables=tables, code=code
        )
    ]


def test_columns_of_different_lengths_are_refused() -> None:
    """So are pages that do not ascend, and thresholds that are none."""
    scores, kinds, words, linked = np.ones(2, np.uint16), np.zeros(2, np.uint8), np.ones(2, np.uint32), np.zeros(2)
    for columns, pages, threshold in (
        ((scores, kinds[:1], words, linked), [0, 2], 500),
        ((scores, kinds, words, linked), [0, 3], 500),
        ((scores, kinds, words, linked), [0, 2], 1001),
    ):
        with pytest.raises(ValueError, match=r"blocks have different lengths|must ascend|allowed: 0 to 1000"):
            find_main_content(*columns, np.array(pages), threshold, False, False, False, False)


def test_a_table_of_links_in_an_article_is_whole() -> None:
    """Titles and names with links, years without: all of them, or the table says nothing."""
    text = "<p>The studio was founded in a former bakery by three friends, and it has never made a loss.</p>"
    films = [("The Long Winter", 1987, "Ingrid Halvorsen"), ("A House by the River", 1991, "Peter Aldous")]
    films += [("Nobody Came Home", 1996, "Ingrid Halvorsen"), ("The Ferryman", 2007, "Tom Reyes")]
    rows = "".join(f"<tr><td><a href=/f>{film}</a><td>{year}<td><a href=/p>{by}</a></tr>" for film, year, by in films)
    table = f"<table class=wikitable><tr><th>Title<th>Year<th>Director</tr>{rows}</table>"
    menu = "<ul><li><a href=/>Home</a><li><a href=/news>News</a><li><a href=/shop>Shop</a></ul>"
    page = f"<div id=nav>{menu}</div><main><h1>Films</h1>{text * 3}{table}{text}</main><div id=footer>{menu}</div>"
    found = extract(page, algorithm="content").text
    assert [str(cell) in found for film in films for cell in film] == [True] * 12
    assert "Shop" not in found
