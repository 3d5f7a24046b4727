"""Pieces of text and elements against a plain walk of the tree."""

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from support.plain_pages import MARKUP, STOP_WORDS, events, page, pages

from corpusprep.cleaners.registry import algorithm
from corpusprep.pages import html
from corpusprep.pages.segmentation import Segmenter


def joined(texts: list[str]) -> str:
    """Without any white space."""
    return "".join("".join(texts).split())


@given(MARKUP)
def test_pieces_are_the_text_nodes(markup: str) -> None:
    """Texts, words, links and the tags between them, of each run of text without a tag in between."""
    blocks, root = page(markup)
    structure = blocks.structure
    assert structure is not None
    expected: list[tuple[str, int, bool]] = []  # text, tags before it, linked
    tags = 0
    for event in events(root):
        if event.kind != "text":
            tags += 1
        else:
            expected.append((event.text, tags, event.linked))
            tags = 0
    assert [" ".join(text.split()) for text, _, _ in expected] == structure.texts(blocks.text)
    assert [tags for _, tags, _ in expected] == structure.markup.tolist()
    assert [linked for _, _, linked in expected] == structure.linked.tolist()
    assert [len(text.split()) for text, _, _ in expected] == (structure.words + structure.glued).tolist()
    assert structure.characters(blocks.text).tolist() == [len(text) for text in structure.texts(blocks.text)]


@given(MARKUP)
def test_pieces_make_up_the_blocks(markup: str) -> None:
    """A block's text is its pieces', and its words are those that begin in them."""
    blocks, _ = page(markup)
    structure = blocks.structure
    assert structure is not None
    ends = np.concatenate([[0], structure.piece_ends])[structure.block_pieces]
    assert ends.tolist() == blocks.offsets.tolist()
    bounds = structure.block_pieces.tolist()
    assert blocks.words.tolist() == [int(structure.words[a:b].sum()) for a, b in itertools.pairwise(bounds)]


@given(
    st.lists(st.sampled_from(["我们", "今天天气很好", "abc", " ", "<b>", "</b>", "<a>", "</a>", "<p>", "<br>"])).map(
        "".join
    )
)
def test_pieces_share_the_words_of_unspaced_blocks(markup: str) -> None:
    """Where words are written without spaces, the words of a block's pieces sum to its words as well."""
    segmenter = Segmenter(["我们"], 1.6, structure=True)
    segmenter.add(html.parse(f"<body>{markup}</body>"))
    blocks = segmenter.take()
    assert blocks.structure is not None
    totals = np.concatenate([[0], np.cumsum(blocks.structure.words)])[blocks.structure.block_pieces]
    assert np.diff(totals).tolist() == blocks.words.tolist()
    assert not blocks.structure.glued.any()
    for name in ("bte", "boilerpipe-default", "boilerpipe-canola", "boilerpipe-article", "density", "justext-pypi"):
        assert len(algorithm(name).classify(blocks).good) == len(blocks)


@given(st.lists(MARKUP, max_size=4))
def test_structure_costs_the_blocks_nothing(markups: list[str]) -> None:
    """Blocks are the same with and without their structure."""
    with_structure = pages(markups)
    segmenter = Segmenter(STOP_WORDS)
    for markup in markups:
        segmenter.add(html.parse(f"<body>{markup}</body>"))
    without = segmenter.take()
    assert without.structure is None
    assert with_structure.text == without.text
    for column in ("offsets", "pages", "tags", "flags", "words", "link_words", "alphabetic_words", "stop_words"):
        assert getattr(with_structure, column).tolist() == getattr(without, column).tolist()


@given(st.lists(MARKUP, max_size=3))
def test_elements_are_the_tree(markups: list[str]) -> None:
    """The subtree of each element has as many elements as the tree says, in each of several pages."""
    structure = pages(markups).structure
    assert structure is not None
    sizes: list[int] = []
    for markup in markups:
        root = html.parse(f"<body>{markup}</body>")
        for element in [] if root is None else root.iter():
            removed = [a.tag in {"script"} for a in (element, *element.iterancestors())]
            if not any(removed):
                sizes.append(sum(inner.tag != "script" for inner in element.iter()))
    assert (structure.element_ends - np.arange(len(sizes))).tolist() == sizes
