"""Cutting pages into blocks."""

import re
import time
import unicodedata
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.plain_segmentation import PlainSegmentation
from support.plain_shown import shown

from corpusprep.pages import html
from corpusprep.pages.segmentation import TAGS, Blocks, Segmenter, title_of

STOP_WORDS = frozenset({"the", "The", "of"})


def page(markup: str) -> Blocks:
    """The blocks of this markup."""
    segmenter = Segmenter(STOP_WORDS)
    segmenter.add(html.parse(markup))
    return segmenter.take()


def texts(markup: str) -> list[str]:
    """The texts of its blocks."""
    return page(markup).texts()


@pytest.mark.parametrize("tag", ["p", "div", "li", "td", "blockquote", "h3", "section", "article"])
def test_block_level_elements_separate(tag: str) -> None:
    """Text before, in and after a block-level element is three blocks."""
    assert texts(f"<div>one<{tag}>two</{tag}>three</div>")[0] == "one"
    assert "two" in texts(f"<table><tr>one<{tag}>two</{tag}>three</table>")


def test_inline_elements_do_not_separate() -> None:
    """Inline markup inside a word or sentence leaves it whole."""
    assert texts("<p>un<b>believ</b>able <i>things</i><span> happen</span></p>") == ["unbelievable things happen"]


def test_one_br_is_a_space_two_are_a_border() -> None:
    """A sequence of two or more <br> separates blocks, with white space or none between them."""
    assert texts("a<br>b<br><br>c<br> \n<br><br/>d") == ["a b", "c", "d"]


def test_text_between_two_br_keeps_the_block_whole() -> None:
    """Two <br> with text between them are two single ones."""
    assert texts("<p>a<br>b<br>c</p>") == ["a b c"]


def test_contents_of_scripts_and_styles_are_not_text() -> None:
    """The text after a removed element stays in its block."""
    assert texts("<p>a<script>x()</script> b<style>p{}</style> c<!-- d --> e</p>") == ["a b c e"]


def test_formulas_lose_their_source() -> None:
    """MathML's annotations, as in browsers."""
    formula = (
        "<math><semantics><mrow><mi>x</mi><mo>+</mo><mn>1</mn></mrow>"
        '<annotation encoding="application/x-tex">{\\displaystyle x+1}</annotation>'
        "<annotation-xml><cn>1</cn></annotation-xml></semantics></math>"
    )
    assert texts(f"<p>Let {formula} be odd.</p>") == ["Let x+1 be odd."]


def test_white_space_and_controls_are_cleaned() -> None:
    """White space of every kind folds to one space; control characters and soft hyphens go."""
    assert texts("<p>a\t\n b\u00a0\u2003c\x01 re\u00adli\u00adable\ufeff</p>") == ["a b c reliable"]


@pytest.mark.parametrize(
    ("markup", "found"),
    [
        ("<i>\ue001</i> Save \u200b \u200e file \ue0b2", ["Save file"]),
        ("pri&shy;vate\u200bly &zwnj;&lrm;\u2063\ufff9", ["privately"]),
        ("<p>\ue001</p><p>\u200b&zwj;</p><p>Text</p>", ["Text"]),
        ("Auf\u200clage a\u200db", ["Auflage ab"]),
        ("می&zwnj;<b>روم</b> خانه\u200c ها", ["می\u200cروم خانه ها"]),
        ("क्\u200dष अन्\u200cत बाংলা র\u200d্য ന്\u200d.", ["क्\u200dष अन्\u200cत बाংলা র\u200d্য ന്\u200d."]),
        (
            "👩\u200d💻 ❤\ufe0f\u200d🔥 👨\u200d text 1\ufe0f\u20e3 \ufe0fx",
            ["👩\u200d💻 ❤\ufe0f\u200d🔥 👨 text 1\ufe0f\u20e3 x"],
        ),
    ],
    ids=["icons", "format", "blocks", "latin", "persian", "indic", "emoji"],
)
def test_what_nobody_sees_is_not_text(markup: str, found: list[str]) -> None:
    """Icons, zero-width spaces and directional marks go; scripts and emoji that need joiners keep them."""
    assert texts(markup) == found


@pytest.mark.parametrize(
    ("markup", "found"),
    [
        ("<p>e\u0301t&eacute; e&#769; e<b>\u0301</b>", "\u00e9t\u00e9 \u00e9 \u00e9"),
        ("e<i>\u0302<b>\u0323</b></i>e\u200b\u0301 \u0301x", "\u1ec7\u00e9 \u0301x"),
        ("\u212b \u1112\u1161<a>\u11ab</a> \u09c7<b>\u09be", "\u00c5 \ud55c \u09cb"),
        ("a" + "<b>\u0301</b>" * 3, "\u00e1\u0301\u0301"),
    ],
)
def test_text_is_composed(markup: str, found: str) -> None:
    """Within a text, across elements, and where something invisible stood between; structure follows."""
    assert texts(markup) == [found]
    segmenter = Segmenter([], structure=True, features=True)
    segmenter.add(html.parse(markup))
    blocks = segmenter.take()
    assert blocks.structure is not None
    ends = blocks.structure.piece_ends.tolist()
    assert "".join(blocks.text[start:end].decode() for start, end in pairwise([0, *ends])) == found


def test_a_setting_keeps_the_composition() -> None:
    """Of texts and titles, also of pages after those that were taken."""
    segmenter = Segmenter([])
    segmenter.keep_composition()
    for _ in range(2):
        root = html.parse("<title>e\u0301</title><p>e\u0301 e<b>&#769;")
        assert segmenter.add_page("", root) == "e\u0301"
        assert segmenter.take().texts() == ["e\u0301 e\u0301"]
    assert Segmenter([]).add_page("", root) == "\u00e9"


def test_stop_words_are_composed() -> None:
    """A list that is written in another way counts the same words."""
    segmenter = Segmenter(["e\u0301te\u0301"])
    segmenter.add(html.parse("<p>\u00e9t\u00e9 e\u0301te\u0301"))
    assert segmenter.take().stop_words.tolist() == [2]


def test_many_marks_in_elements_of_their_own_take_linear_time() -> None:
    """They are not composed again and again."""
    segmenter = Segmenter([])
    segmenter.add(html.parse("<p>a" + "<b>\u0323\u0301</b>" * 50_000))
    start = time.process_time()
    assert len(segmenter.take().text) > 200_000
    assert time.process_time() - start < 2


def test_ends_of_words_are_kept_apart() -> None:
    """Zero-width spaces between letters of Khmer, Thai, Lao and Burmese: not beside spaces, marks and other letters."""
    segmenter = Segmenter([])
    for markup in (
        "<p>\u1780\u1781\u200b\u1782<b>\u200b\u1783</b> \u200b\u1784\u200b "
        "a\u200b\u1781\u200b\u200b\u1782\u200b\u17b7<p>a",
        "<p>\u5b57\u200b\u5b57 \u0e01\u200b\u0e02",
    ):
        segmenter.add(html.parse(markup))
    blocks = segmenter.take()
    assert blocks.texts() == [
        "\u1780\u1781\u1782\u1783 \u1784 a\u1781\u1782\u17b7",
        "a",
        "\u5b57\u5b57 \u0e01\u0e02",
    ]
    assert blocks.breaks_of_blocks() == [[2, 3, 9], None, [4]]
    assert blocks.first(1).breaks_of_blocks() == [[2, 3, 9], None]
    assert segmenter.take().breaks_of_blocks() == []


def test_invisible_characters_are_counted() -> None:
    """Per page, and not those in scripts."""
    segmenter = Segmenter([])
    for markup in ("<p>a\u200bb\xad <b>\ue001</b></p><script>\ue001</script>\u200e", "<p>plain</p>", "<p>\u200c</p>"):
        segmenter.add(html.parse(markup))
    segmenter.add(None)
    blocks = segmenter.take()
    for found, expected in ((blocks, [4, 0, 1, 0]), (blocks.first(1), [4])):
        assert found.invisible is not None
        assert found.invisible.tolist() == expected


def test_blocks_know_their_element() -> None:
    """A block is named after the innermost block-level element around its start."""
    blocks = page("<div>a<p>b</p>c<ul><li>d</ul></div>e")
    assert [TAGS[tag] for tag in blocks.tags] == ["div", "p", "div", "li", "body"]


def test_headings_are_flagged() -> None:
    """A block inside h1 … h6 is a heading, whatever stands between."""
    assert page("<h2><span>a</span></h2><p>b</p>").heading.tolist() == [True, False]


def test_choices_of_a_form_are_flagged() -> None:
    """Blocks inside <select> are marked, the text around it is not."""
    blocks = page("<p>a <select><option>b<option>c</select> d</p>")
    assert blocks.texts() == ["a", "b", "c", "d"]
    assert blocks.in_select.tolist() == [False, True, True, False]


def test_copyright_is_flagged() -> None:
    """Written out or as an entity."""
    assert page("<p>a</p><p>© b</p><p>c &copy;</p>").copyright.tolist() == [False, True, True]


@pytest.mark.parametrize(
    ("markup", "words"),
    [
        ("a b c", 0),
        ("<a>a b c</a>", 3),
        ("a <a>b</a> c", 1),
        ("(<a>b</a>), c", 1),
        ("x<a>y</a>z<a>q</a> w", 1),
        ("<a>a</a><a>b</a>", 1),
        ("<a>a </a><a>b</a>", 2),
        ("<a><b>a</b> <i>b</i></a> c", 2),
        ("<a> </a>a", 0),
    ],
)
def test_link_words(markup: str, words: int) -> None:
    """A word with a character inside <a> is a link word, and counts once."""
    assert page(f"<p>{markup}</p>").link_words.tolist() == [words]


def test_stop_words_are_matched_as_they_stand() -> None:
    """Words are sequences of letters; all-capitals do not match (2.9.9)."""
    blocks = page("<p>The end of THE 3rd state-of-the-art; (the) d'of</p>")
    assert (blocks.stop_words.tolist(), blocks.alphabetic_words.tolist()) == ([4], [9])


def test_letters_with_marks_are_one_word() -> None:
    """Combining marks belong to the word that contains them (Devanagari vowel signs, decomposed accents)."""
    assert page("<p>हिन्दी भाषा cafe\u0301</p>").alphabetic_words.tolist() == [3]


@pytest.mark.parametrize(
    ("markup", "found"),
    [
        ("<title>t</title><main>a<p>b</p></main>", ["a", "b"]),
        ("<head><mbox>a<body>b<p>c", ["ab", "c"]),
        ("<head><meta><mbox>a</mbox></head><body>b", ["a", "b"]),
        ("<head><noscript>n</noscript><object>o</object><style>s</style></head><body>b", ["b"]),
        ("<title>t</title><nav><title>a</title></nav><p>b", ["b"]),
    ],
)
def test_what_strayed_into_head_is_text(markup: str, found: list[str]) -> None:
    """The parser leaves in <head> what it does not know to belong to <body>; only metadata is left out there."""
    assert texts(markup) == found


@pytest.mark.parametrize("title", ["<title>t", "<TITLE lang=en>t &amp; u\n"])
def test_a_title_that_does_not_end_takes_no_text(title: str) -> None:
    """It ends at the next tag, not with the page."""
    root = html.parse(f"<html><head>{title}<meta name=x></head><body><p>one<title>two</title></body></html>")
    assert (title_of(root)[0], texts(f"{title}<body>one")) == ("t", ["one"])


@given(
    st.lists(
        st.sampled_from("<title> </title> <p> </p> <svg> </svg> <b> a b&amp;c <!--d--> \n".split(" ")), max_size=20
    )
)
def test_the_title_is_the_first_title_s_text(parts: list[str]) -> None:
    """As lxml finds it."""
    root = html.parse("".join(parts))
    element = root.find(".//title") if root is not None else None
    expected = "".join(map(str, element.itertext())) if element is not None else ""
    assert title_of(root) == " ".join(expected.split())


@pytest.mark.parametrize(
    ("markup", "found"),
    [
        ("<body><p>a</body></html><p>b</p> c", ["a", "b", "c"]),
        ("<body><div>a</body></html>b<p>c", ["ab", "c"]),
        ("<body>a</body>\n</html>\n<!-- x --><html><head></head><body class=k>b</body></html> c", ["a b c"]),
        ("<body><table><tr><td>a</body></html>b<td>c</table>d", ["ab", "c", "d"]),
        ("<head><title>t</title></html><p>a", ["a"]),
        ("<html a=b/></a><p>a</p>b<html/>c", ["a", "bc"]),
        ("<html lang='en'/><head/><title>t</title><body class=k /><p>a</p>b<BODY\n/>c", ["a", "bc"]),
        ("<!-- --!></body></html><p>a</body ><p>b</HTML\n><p>c", ["a", "b", "c"]),
    ],
)
def test_text_behind_the_end_of_the_page_is_text(markup: str, found: list[str]) -> None:
    """A page has one tree: what follows </body> or </html> stands where it would be without these tags."""
    assert texts(markup) == found


LONG = "The ferry is back on the river this week, and it is full of people who want to cross to the market. " * 4


@pytest.mark.parametrize(
    ("markup", "found", "unseen"),
    [
        ('<ul><li><span aria-hidden="true">•</span> The boat</ul>', ["The boat"], ["•"]),
        ('<p>Home<i aria-hidden="true">/</i>Docs', ["Home Docs"], ["/"]),
        ('<p>x<i aria-hidden="true"></i>of<i hidden> </i>it', ["xof it"], []),
        ('<p>a <span style="display:none">7003</span>1,234 b', ["a 1,234 b"], ["7003"]),
        ("<p>The film <video>No video.</video> shows", ["The film shows"], ["No video."]),
        ('<p>Let <b>x<i aria-hidden="true">x</i></b>. So', ["Let x. So"], ["x"]),
        ("<p>a<textarea><b>x</b></textarea>b<xmp>c</xmp><xmp><p>d</xmp>", ["a", "b", "c"], ["<b>x</b>", "<p>d"]),
        ("<p>a<iframe>b</iframe><object><p>c</object><p>d", ["a", "d"], ["b", "c"]),
        ("<frameset><noframes><body>" + LONG, [], ["<body>" + LONG.strip()]),
        ("<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby>字", ["漢字"], ["(", "かん", ")"]),
        ("<h2>Boats<a href=#x>¶</a></h2>", ["Boats"], ["¶"]),
        ("<h2>Boats</h2><span class=mw-editsection>[<a>edit</a>]</span>", ["Boats"], ["[edit]"]),
        ("<h2><a href=#x>C</a></h2><p><a href=#x>¶</a>", ["C", "¶"], []),
        ("<noscript>You need JavaScript.</noscript><p>a", ["a"], ["You need JavaScript."]),
        (f"<noscript>{LONG}</noscript><p>a", [LONG.strip(), "a"], []),
        (f"<noscript>{LONG}</noscript><p>{LONG}", [LONG.strip()], [LONG.strip()]),
        (f"<div hidden>{LONG}</div><p>a", [LONG.strip(), "a"], []),
        (f"<div hidden>{LONG}</div><p>{LONG}", [LONG.strip()], [LONG.strip()]),
        ("<div hidden>a<p>b<i>c</i></div><p>d", ["d"], ["a", "bc"]),
    ],
)
def test_text_that_is_not_shown_is_apart(markup: str, found: list[str], unseen: list[str]) -> None:
    """Whatever hides it, and wherever it stands, unless the page has hardly any other text."""
    blocks = page(markup)
    assert blocks.hidden is not None
    assert (blocks.texts(), blocks.hidden.blocks.texts()) == (found, unseen)


@pytest.mark.parametrize(
    ("mode", "found"), [("shadowrootmode=open", ["a", "b", "c"]), ("shadowrootmode=x", ["b", "c"]), ("", ["b", "c"])]
)
def test_shadow_trees_are_text(mode: str, found: list[str]) -> None:
    """Those that the page declares; other templates are shown by no one."""
    assert texts(f"<div><template {mode} title=t><p>a</p><slot></slot></template><p>b</p></div>c") == found


def test_hidden_text_and_readings_can_stay() -> None:
    """By two settings."""
    root = html.parse("<p>a<i hidden>b</i> <ruby>漢<rt>c</rt></ruby>")
    found = []
    for hidden, readings in ((False, False), (True, False), (False, True), (True, True)):
        segmenter = Segmenter(())
        segmenter.keeps_hidden, segmenter.keeps_readings = hidden, readings
        segmenter.add(root)
        found += segmenter.take().texts()
    assert found == ["a 漢", "ab 漢", "a 漢c", "ab 漢c"]


def test_hidden_text_knows_its_place() -> None:
    """Per page: the blocks before it, over pages that are left out and pages that are walked twice."""
    segmenter = Segmenter(())
    for markup in ("<p>a<p>b<i hidden>c</i> d<p>e", f"<div hidden>{LONG}</div><p>a", "<p hidden>f"):
        segmenter.add(html.parse(markup))
        segmenter.skip()
    blocks = segmenter.take()
    assert blocks.hidden is not None
    assert blocks.texts() == ["a", "b d", "e", LONG.strip(), "a"]
    assert (blocks.hidden.blocks.texts(), blocks.hidden.before.tolist()) == (["c", "f"], [1, 0])
    assert blocks.hidden.blocks.pages.tolist() == [0, 1, 1, 1, 1, 2, 2]
    assert blocks.first(3).hidden.blocks.texts() == ["c"]  # type: ignore[union-attr]


@pytest.mark.parametrize("tag", ["img", "input", "button", "svg", "video"])
def test_boxes_in_a_line_separate_words(tag: str) -> None:
    """And <wbr> does not."""
    assert texts(f"<p>one<{tag}></{tag}>two<wbr>three") == ["one twothree"]


def test_title_is_not_a_block() -> None:
    """The title is kept beside the blocks."""
    root = html.parse("<title> A &amp;\n B </title><p>text</p>")
    assert (title_of(root), texts("<title>A</title><p>text</p>")) == ("A & B", ["text"])


def test_pages_stay_apart() -> None:
    """Elements and blocks that one page leaves open end with it."""
    segmenter = Segmenter(STOP_WORDS)
    for markup in ("<h1><a>one", "", "two<p>three", "<br>four"):
        segmenter.add(html.parse(markup))
    blocks = segmenter.take()
    assert blocks.pages.tolist() == [0, 1, 1, 3, 4]
    assert (blocks.heading.tolist(), blocks.link_words.tolist()) == ([True, False, False, False], [1, 0, 0, 0])
    assert segmenter.take().pages.tolist() == [0]


@pytest.mark.parametrize("markup", ["", "   ", "<!-- only -->", "<html></html>", "<p></p><div> </div>"])
def test_pages_without_text_have_no_blocks(markup: str) -> None:
    """Nothing in, nothing out."""
    assert len(page(markup)) == 0


@pytest.mark.parametrize(
    "markup", ["a\0b", "\ud800 a", "<a " * 1000, "<p" + "x" * 100_000, "</p>" * 1000 + "a", "<![CDATA[a", "<a>" * 9999]
)
def test_hostile_text_is_segmented(markup: str) -> None:
    """NUL, lone surrogates and broken tags are no reason to fail."""
    assert all(page(markup).words)


CHINESE_STOP_WORDS = frozenset({"的", "我们", "我", "在这里", "OK"})
CHINESE_LENGTH = 1.6


def chinese(markup: str) -> Blocks:
    """The blocks of this markup, counted by characters."""
    segmenter = Segmenter(CHINESE_STOP_WORDS, CHINESE_LENGTH)
    segmenter.add(html.parse(markup))
    return segmenter.take()


@pytest.mark.parametrize(
    ("markup", "words", "link_words"),
    [
        ("我们的房子在这里。", 5, 0),
        ("我<a>们的房子</a>在这里", 5, 3),
        ("<a>我们，</a>iPhone 4S 在2012年1月", 2 + 5, 1),
        ("……", 1, 0),
        ("<a>«»</a>", 1, 0),
        ("<a>的</a>", 1, 1),
        ("约<a>3.5</a>万 don't、won't", 1 + 3, 1),
    ],
)
def test_without_spaces_length_is_in_characters(markup: str, words: int, link_words: int) -> None:
    """Characters by the mean length of a word, and words of other scripts and numbers as they are."""
    blocks = chinese(f"<p>{markup}</p>")
    assert (blocks.words.tolist(), blocks.link_words.tolist()) == ([words], [link_words])


def test_without_spaces_stop_words_are_sequences() -> None:
    """The longest match first, from left to right; densities are of characters; another script's word is a word."""
    blocks = chinese("<p>我们的房子，在这里</p><p>在这我</p><p>OK 好</p>")
    assert (blocks.stop_words.tolist(), blocks.alphabetic_words.tolist()) == ([6, 1, 2], [8, 3, 3])


@pytest.mark.parametrize("length", [-1.0, float("nan"), float("inf")])
def test_an_impossible_length_of_words_is_refused(length: float) -> None:
    """Before a page is looked at."""
    with pytest.raises(ValueError, match="characters_per_word"):
        Segmenter((), length)


def plain_counts(characters: list[tuple[str, bool]]) -> tuple[int, int, int, int]:
    """The oracle for scripts without spaces: words, link words, alphabetic and stop characters of a block's text."""
    kinds = "".join(
        "u" if re.match("[\u3400-\u9fff\u3041-\u3096\u0e01-\u0e3a]", char)
        else "o" if unicodedata.category(char)[0] in "LMN"
        else "a" if "!" <= char <= "~"
        else " "
        for char, _ in characters
    )  # fmt: skip
    text = "".join(char for char, _ in characters)
    linked = [link for _, link in characters]

    def amount(wanted: list[bool]) -> tuple[int, int]:
        unspaced = sum(kind == "u" and want for kind, want in zip(kinds, wanted, strict=True))
        others = 0
        for run in re.finditer("[oa]+", kinds):
            kept = [k for k in range(run.start(), run.end()) if kinds[k] == "o"]
            others += any(wanted[k] for k in kept)
        return unspaced, others

    unspaced, others = amount([True] * len(text))
    link_unspaced, link_others = amount(linked)
    words = max(1, int(unspaced / CHINESE_LENGTH + 0.5) + others)
    link_words = int(link_unspaced / CHINESE_LENGTH + 0.5) + link_others
    if link_unspaced or link_others:
        link_words = min(max(1, link_words), words)
    stop, position = 0, 0
    by_length = sorted(CHINESE_STOP_WORDS, key=len, reverse=True)
    while position < len(text):
        found = next((w for w in by_length if kinds[position] == "u" and text.startswith(w, position)), "")
        stop += len(found)
        position += max(1, len(found))
    letters = [run[0] for run in re.finditer(r"[^\W\d_\u3400-\u9fff\u3041-\u3096\u0e01-\u0e3a]+", text)]
    alphabetic = unspaced + int(len(letters) * CHINESE_LENGTH + 0.5)
    stop += int(sum(word in CHINESE_STOP_WORDS for word in letters) * CHINESE_LENGTH + 0.5)
    return words, link_words, alphabetic, stop


PIECES = ["我", "们", "在", "这", "里", "的", "房", "か", "ก", "a", "OK", "é", "7", ".", "-", "，", "·", " "]


@given(st.lists(st.tuples(st.sampled_from(PIECES), st.booleans()), max_size=40))
def test_counting_without_spaces_is_the_plain_one(pieces: list[tuple[str, bool]]) -> None:
    """Words, link words, and characters in stop words of any mixture of scripts."""
    markup = "".join(f"<a>{piece}</a>" if link else piece for piece, link in pieces)
    blocks = chinese(f"<p>{markup}</p>")
    characters = [(char, link) for piece, link in pieces for char in piece]
    if not "".join(char for char, _ in characters).strip():
        assert len(blocks) == 0
        return
    counts = (blocks.words, blocks.link_words, blocks.alphabetic_words, blocks.stop_words)
    assert tuple(column.tolist()[0] for column in counts) == plain_counts(characters)


def native_rows(blocks: Blocks) -> list[tuple[str, str, int, int, int, int]]:
    """Blocks as the oracle gives them."""
    counts = (blocks.words, blocks.link_words, blocks.alphabetic_words, blocks.stop_words)
    columns = (column.tolist() for column in counts)
    return list(zip(blocks.texts(), (TAGS[tag] for tag in blocks.tags), *columns, strict=True))


INLINE = "<a> </a> <b> </b> <br> the of-The x-- y. THE \u0915\u093f \u00e9 \u00bd".split()
BORDERS = "<p> </p> <div> </div> <select> </select> <option> <h1> </h1> <li> <table> <td>".split()
OTHERS = [" ", "\n", "\u00a0", "\u2003", "\u00ad", "\ufeff", "\x01", "\x85", "<script>s</script>", "<svg>v</svg>"]
OTHERS += ["<template>", "<template shadowrootmode=open>", "</template>", "<i hidden>", "</i>", "<i aria-hidden=true>"]
OTHERS += ["<img>", "<button>", "</button>", "<rt>", "</rt>", "<noscript>", "</noscript>", "w " * 60, "JavaScript "]
OTHERS += ["\u200b", "&zwj;", "&#8204;", "\u200e", "\ue001", "\u202e", "\ufe0f", "\U0001f469", "\u06cc"]
OTHERS += ["e\u0301", "\u0301", "\u0323", "&#770;", "\u1112\u1161", "\u11ab", "=\u0338", "\u09c7", "\u09be", "\u212b"]


@given(st.lists(st.sampled_from(INLINE + BORDERS + OTHERS), max_size=60).map("".join))
def test_segmentation_is_a_plain_walk(markup: str) -> None:
    """Texts, tags and counts are those of a recursive reading of the rules."""
    root = html.parse(f"<body>{markup}</body>")
    assert native_rows(page(f"<body>{markup}</body>")) == PlainSegmentation(shown(root), STOP_WORDS).blocks


HEADS = "<title>t</title> <noscript>n</noscript> <meta> <object>o</object> <mbox> </mbox> </head> <main>".split()


@given(st.lists(st.sampled_from(INLINE + BORDERS + HEADS), max_size=20).map("".join))
def test_segmentation_of_head_is_a_plain_walk(markup: str) -> None:
    """Pages that begin with <head> are cut by the same rules."""
    root = html.parse(f"<head>{markup}")
    assert native_rows(page(f"<head>{markup}")) == PlainSegmentation(shown(root), STOP_WORDS).blocks


@pytest.mark.data
@pytest.mark.parametrize("name", ["cleaneval", "canola"])
@pytest.mark.parametrize("step", [50, pytest.param(4, marks=pytest.mark.slow)])
def test_real_pages_are_a_plain_walk(unpacked: Callable[[str], Path], name: str, step: int) -> None:
    """Every fourth page of a gold set, or every fiftieth, decoded as they come."""
    files = sorted(unpacked(name).rglob("*.html"))[::step]
    assert files
    for path in files:
        text = path.read_bytes().decode("utf-8", "replace")
        assert native_rows(page(text)) == PlainSegmentation(shown(html.parse(text)), STOP_WORDS).blocks, path.name
