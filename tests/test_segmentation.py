"""Cutting pages into blocks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpusprep import html
from corpusprep.segmentation import BLOCK_TAGS, REMOVED_TAGS, SegmentedPage, clean, segment

STOP_WORDS = frozenset({"the", "The", "of"})


def page(text: str) -> SegmentedPage:
    """The page of this markup."""
    return segment(html.parse(text), STOP_WORDS)


def texts(text: str) -> list[str]:
    """The texts of its blocks."""
    return [block.text for block in page(text).blocks]


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


def test_white_space_and_controls_are_cleaned() -> None:
    """White space of every kind folds to one space; control characters and soft hyphens go."""
    assert texts("<p>a\t\n b\u00a0\u2003c\x01 re\u00adli\u00adable\ufeff</p>") == ["a b c reliable"]


def test_blocks_know_their_element() -> None:
    """A block is named after the innermost block-level element around its start."""
    assert [(block.text, block.tag) for block in page("<div>a<p>b</p>c<ul><li>d</ul></div>e").blocks] == [
        ("a", "div"), ("b", "p"), ("c", "div"), ("d", "li"), ("e", "body"),
    ]  # fmt: skip


def test_headings_are_flagged() -> None:
    """A block inside h1 … h6 is a heading, whatever stands between."""
    assert [block.heading for block in page("<h2><span>a</span></h2><p>b</p>").blocks] == [True, False]


def test_choices_of_a_form_are_flagged() -> None:
    """Blocks inside <select> are marked, the text around it is not."""
    blocks = page("<p>a <select><option>b<option>c</select> d</p>").blocks
    assert [(block.text, block.in_select) for block in blocks] == [
        ("a", False),
        ("b", True),
        ("c", True),
        ("d", False),
    ]


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
    (block,) = page(f"<p>{markup}</p>").blocks
    assert block.link_words == words


def test_stop_words_are_matched_as_they_stand() -> None:
    """Words are sequences of letters; all-capitals do not match (2.9.9)."""
    (block,) = page("<p>The end of THE 3rd state-of-the-art; (the) d'of</p>").blocks
    assert (block.stop_words, block.alphabetic_words) == (4, 9)


def test_letters_with_marks_are_one_word() -> None:
    """Combining marks belong to the word they stand in (Devanagari vowel signs, decomposed accents)."""
    (block,) = page("<p>हिन्दी भाषा cafe\u0301</p>").blocks
    assert block.alphabetic_words == 3


def test_title_is_not_a_block() -> None:
    """The title is kept beside the blocks."""
    assert page("<title> A &amp; B </title><p>text</p>") == SegmentedPage("A & B", page("<p>text</p>").blocks)


@pytest.mark.parametrize("text", ["", "   ", "<!-- only -->", "<html></html>", "<p></p><div> </div>"])
def test_pages_without_text_have_no_blocks(text: str) -> None:
    """Nothing in, nothing out."""
    assert page(text).blocks == []


def test_too_deep_a_page_is_named() -> None:
    """libxml2 drops what lies deeper than 2,048 elements, so the page is refused as a whole."""
    with pytest.raises(html.PageError) as error:
        html.parse("<div>" * 100_000)
    assert error.value.verdict == "too_deep"


@pytest.mark.parametrize(
    "text", ["a\0b", "\ud800 a", "<a " * 1000, "<p" + "x" * 100_000, "</p>" * 1000 + "a", "<![CDATA[a"]
)
def test_hostile_text_is_segmented(text: str) -> None:
    """NUL, lone surrogates and broken tags are no reason to fail."""
    assert all(block.text and block.words for block in page(text).blocks)


INLINE = "<a> </a> <b> </b> <br> the x y.".split()
BORDERS = "<p> </p> <div> </div> <select> </select> <option> <h1> </h1> <li>".split()
MARKUP = st.sampled_from([*INLINE, *BORDERS, " ", "\u00a0", "\u00ad", "<script>s</script>"])


def plain_blocks(root: object) -> list[tuple[str, int, int]]:
    """The oracle: (text, words, link words) by a recursive walk that keeps a flag for each character."""
    blocks: list[tuple[str, int, int]] = []
    characters: list[tuple[str, bool]] = []
    state = {"breaks": 0}

    def flush() -> None:
        words: list[list[bool]] = []
        text, inside = "", False
        for character, linked in characters:
            if character.isspace():
                inside = False
                continue
            if clean(character) == "":
                continue
            if not inside:
                words.append([])
                text += " " if text else ""
            inside = True
            text += character
            words[-1].append(linked)
        if words:
            blocks.append((text, len(words), sum(any(word) for word in words)))
        characters.clear()
        state["breaks"] = 0

    def add(text: str | None, linked: bool) -> None:
        if text:
            if not text.isspace():
                state["breaks"] = 0
            characters.extend((character, linked) for character in text)

    def walk(element: object, linked: bool) -> None:
        tag = element.tag  # type: ignore[attr-defined]
        linked_inside = linked or tag == "a"
        if tag not in REMOVED_TAGS:
            border = tag in BLOCK_TAGS or tag == "select"
            if border:
                flush()
            if tag == "br":
                state["breaks"] += 1
                if state["breaks"] == 2:
                    flush()
                else:
                    characters.append((" ", linked))
            add(element.text, linked_inside)  # type: ignore[attr-defined]
            for child in element:  # type: ignore[attr-defined]
                walk(child, linked_inside)
                add(child.tail, linked_inside)
            if border:
                flush()

    walk(root, False)
    flush()
    return blocks


@given(st.lists(MARKUP, max_size=40).map("".join))
def test_segmentation_is_a_plain_walk(markup: str) -> None:
    """Blocks, words and link words are those of a recursive reading of the rules."""
    root = html.parse(f"<body>{markup}</body>")
    found = [(block.text, block.words, block.link_words) for block in segment(root, STOP_WORDS).blocks]
    assert found == plain_blocks(root)
