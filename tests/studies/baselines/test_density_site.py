"""Baisa's method for multiple files against a recursive reading of it, over trees."""

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st
from lxml import etree
from support.plain_pages import MARKUP, REMOVED, page, pages

from studies.baselines.density import Density
from studies.baselines.density_site import DensitySite, SiteParameters, _remove_shared
from studies.baselines.pieces import page_pieces, structure_of
from studies.evaluation.decisions import decide


def items(node: etree._Element) -> list[etree._Element | str]:
    """The visible children: elements, and texts that are not blank."""
    found: list[etree._Element | str] = []
    run = node.text or ""
    for child in node:
        if child.tag not in REMOVED:
            found += [run, child]
            run = ""
        run += child.tail or ""
    return [item if not isinstance(item, str) else " ".join(item.split()) for item in [*found, run] if not blank(item)]


def blank(item: etree._Element | str) -> bool:
    """Whether an item is white space."""
    return isinstance(item, str) and not item.strip()


def kind(item: etree._Element | str) -> str:
    """What an item is."""
    return "text" if isinstance(item, str) else str(item.tag)


def strings(item: etree._Element | str) -> list[str]:
    """All texts of an item."""
    return [item] if isinstance(item, str) else [text for inner in items(item) for text in strings(inner)]


def own_texts(reference: etree._Element, node: etree._Element) -> list[str]:
    """The texts that remain, in document order."""
    ref_list, doc_list = items(reference), items(node)
    if list(map(kind, ref_list)) == list(map(kind, doc_list)):
        pairs = zip(ref_list, doc_list, strict=True)
        return [text for a, b in pairs if not isinstance(a, str) and not isinstance(b, str) for text in own_texts(a, b)]
    kept: list[str] = []
    i = j = 0
    while i < len(doc_list):
        remaining = strings(doc_list[i])
        k = j
        while k < len(ref_list):
            common = set(strings(ref_list[k])) & set(remaining)
            if kind(doc_list[i]) == kind(ref_list[k]) and common:
                remaining = [text for text in remaining if text not in common]
                j = k + 1
                break
            k += 1
        kept += remaining
        i += 1
    return kept


@given(st.lists(MARKUP, min_size=2, max_size=5))
@example(["a", "a<h2><a>,"])
def test_what_remains_is_the_pages_own(markups: list[str]) -> None:
    """Every page of a site against the reference page, and that one against its neighbour in size."""
    together = pages(markups)
    assert together.structure is not None
    good = DensitySite().classify_pieces(together)
    bounds = page_pieces(together).tolist()
    roots = [page(markup)[1] for markup in markups]
    sizes = [len(page(markup)[0].text) for markup in markups]
    filled = sorted((n for n in range(len(markups)) if sizes[n]), key=lambda n: sizes[n])
    if len(filled) < 2:
        return
    middle = len(filled) // 2
    neighbour = filled[middle + 1] if middle + 1 < len(filled) else filled[middle - 1]
    texts = together.structure.texts(together.text)
    for n, root in enumerate(roots):
        kept = [texts[piece] for piece in range(bounds[n], bounds[n + 1]) if good[piece]]
        reference = roots[neighbour if n == filled[middle] else filled[middle]]
        assert root is not None
        assert reference is not None
        assert kept == (own_texts(reference, root) if sizes[n] else [])


@given(MARKUP)
def test_a_page_alone_is_cleaned_as_a_single_file(markup: str) -> None:
    """There is nothing to compare it with."""
    blocks, _ = page(markup)
    assert DensitySite().classify_pieces(blocks).tolist() == Density().classify_pieces(blocks).tolist()


def test_a_template_is_removed() -> None:
    """Pages of one template, with articles of different lengths: the articles are kept."""
    menu = "<div><ul><li>Home</li><li>News</li></ul></div>"
    site = [f"{menu}<div>{'<p>Text %d of its own.</p>' * n % ((n,) * n)}<p>Subscribe now</p></div>" for n in (2, 3, 4)]
    blocks = pages(site)
    good = DensitySite().classify(blocks).good
    kept = [text for text, wanted in zip(blocks.texts(), good, strict=True) if wanted]
    assert kept == [f"Text {n} of its own." for n in (2, 3, 4) for _ in range(n)]


class CountedText(str):
    """A text that counts how often texts are compared or looked up."""

    looks = 0

    def __hash__(self) -> int:
        CountedText.looks += 1
        return super().__hash__()

    def __eq__(self, other: object) -> bool:
        CountedText.looks += 1
        return super().__eq__(other)


def test_many_children_that_share_nothing_are_matched_in_linear_time() -> None:
    """Each text is looked up once, not in every child of the reference page."""
    looks = []
    for number in (200, 800):
        texts = [CountedText(f"text {i}") for i in range(2 * number)]
        known = [(7, i, i, i + 1) for i in range(number)]
        found = [(7, i, i, i + 1) for i in range(number, 2 * number)]
        CountedText.looks = 0
        good = np.zeros(2 * number, np.bool_)
        _remove_shared(texts, known, found, good)
        assert good.tolist() == [False] * number + [True] * number
        looks.append(CountedText.looks)
    assert looks[1] < 6 * looks[0]


def kept(parameters: SiteParameters, *markups: str) -> list[str]:
    """What is left of the first page, compared with the second one."""
    blocks = pages(list(markups))
    good = DensitySite(parameters).classify_pieces(blocks, np.array([1, 0]))
    texts = structure_of(blocks).texts(blocks.text)
    return [texts[piece] for piece in range(*page_pieces(blocks)[:2].tolist()) if good[piece]]


TEXT = "a long text of the page without any tags " * 4


def test_pruned_pages_are_cleaned_as_single_files() -> None:
    """With -p, a page whose <body> has other children than the reference's is cleaned by its density."""
    markups = f"<ul><li>menu</ul><div>{TEXT}</div>", "<p>menu</p><p>other</p><div>more</div>"
    assert kept(SiteParameters(), *markups) == ["menu", TEXT.strip()]
    assert kept(SiteParameters(prune=True), *markups) == [TEXT.strip()]
    assert kept(SiteParameters(prune=True, least_density=1e6), *markups) == []


def test_target_nodes_are_compared() -> None:
    """With -f, only what is in the page's own target node can be kept."""
    markups = (
        f"<ul><li>one</ul><div><p>{TEXT}</p><p>shared</p></div>",
        f"<div><p>{TEXT[::-1]}</p><p>shared</p><hr></div>",
    )
    assert "one" in kept(SiteParameters(), *markups)
    assert "one" not in kept(SiteParameters(from_target=True), *markups)


def test_common_beginnings_and_ends_of_texts_are_removed() -> None:
    """Of `posted by Jack F.` and `posted by anonymous` the name is left; a single word is no common part."""
    blocks = pages(
        [
            "<ul><li>posted by Jack F. of Leeds yesterday at noon<li>The rain<li>a b c d e f<li>same text here</ul>",
            "<ul><li>posted by anonymous at noon<li>The snow<li>a b c d x<li>same text here<li>more</ul>",
        ]
    )
    good, removed = DensitySite(SiteParameters(common_parts=True)).classify_parts(blocks, np.array([1, 0]))
    assert good[:4].tolist() == [True, True, True, False]
    assert removed[:3].tolist() == [[2, 2], [0, 0], [4, 0]]
    whole = DensitySite(SiteParameters(common_parts=True)).classify_pieces(blocks, np.array([1, 0]))
    assert whole[:3].tolist() == [True, True, False]
    spans, kept_spans = decide(DensitySite(SiteParameters(common_parts=True)), blocks, ["site", "site"])
    assert spans.page_text(0, kept_spans).split("\n") == ["", " Jack F. of Leeds yesterday", "The rain", " e f"]


@given(st.lists(st.lists(st.sampled_from(["a", "b", "c d", "é"]), min_size=1, max_size=4), min_size=2, max_size=4))
def test_parts_of_texts_stand_in_both_pages(site: list[list[str]]) -> None:
    """Removed words are at the same end of a text of the reference page, and never more than there are."""
    blocks = pages(["<ul>" + "".join(f"<li>{text} {text[::-1]} x</li>" for text in texts) + "</ul>" for texts in site])
    _, removed = DensitySite(SiteParameters(common_parts=True)).classify_parts(blocks)
    texts = [text.split() for text in structure_of(blocks).texts(blocks.text)]
    for words, (first, last) in zip(texts, removed.tolist(), strict=True):
        assert first + last <= len(words)
        assert not first or any(other[:first] == words[:first] for other in texts if other is not words)
        assert not last or any(other[-last:] == words[-last:] for other in texts if other is not words)
