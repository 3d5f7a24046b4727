"""Measures what explains differences from the published numbers: systems run again with one thing changed."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from lxml import etree

from corpusprep import languages
from corpusprep.cleaners.interface import Algorithm
from corpusprep.gold import json_files, sets
from corpusprep.gold.pages import Files, GoldPage, GoldSet
from corpusprep.gold.scores import Counts, macro, micro
from corpusprep.gold.words import compare, words_of
from corpusprep.pages import html as html_parser
from corpusprep.pages.segmentation import TAGS, Blocks, Segmenter
from studies.baselines.boilerpipe_java import INLINE
from studies.evaluation import stop_lists
from studies.evaluation.configurations import CONFIGURATIONS, Configuration
from studies.evaluation.decisions import Spans, decide, marked, marker_of_blocks
from studies.evaluation.node_scores import RELIABILITIES, Nodes
from studies.evaluation.targets import ChosenChild, best_elements

#: Block-level elements of the thesis (2.7.1, footnote 15).
FOOTNOTE_15 = frozenset(
    "body blockquote caption center col colgroup dd div dl dt fieldset form legend optgroup option p pre table td "
    "textarea tfoot th thead tr ul li h1 h2 h3 h4 h5 h6".split()
)
FUNCTIONAL = "functional words"
_L3S_LABEL = "x-nc-sel"
_BODY_END = re.compile(r"</body\s*>", re.IGNORECASE)


def _all(_: Configuration) -> bool:
    return True


def with_stop_words(configuration: Configuration) -> bool:
    """Returns whether a system reads the stop list."""
    return configuration.algorithm.startswith("justext") or configuration.algorithm == "token-stopword-filter"


def _java(configuration: Configuration) -> bool:
    return configuration.algorithm.startswith("boilerpipe-java")


def _of(*titles: str) -> Callable[[Configuration], bool]:
    return lambda configuration: configuration.title in titles


@dataclass(slots=True, frozen=True)
class Change:
    """One change of how a gold set is measured.

    Attributes:
        name: in tables.
        sets: gold sets that it is measured on.
        systems: whether a system is measured.
        prepare: changes the tree of a page before it is segmented.
        functional: the stop list has functional words, not the most frequent ones.
        annotated: systems read the annotated pages, with the annotating elements removed.
        popular: words are aligned with difflib's heuristic for popular words.
        markers: the segment markers of gold texts and of cleaned texts count as words.
        edges: the beginning and the end of a text count as a word, as in Evert's script.
        source: changes a page before it is parsed.
        algorithm: makes the algorithm that is measured instead of the system's own.
        best_element: the page's element with the highest F1 is kept, whatever the system does.
        with_output: the means are of the pages of which text is kept.
    """

    name: str
    sets: tuple[str, ...]
    systems: Callable[[Configuration], bool] = _all
    prepare: Callable[[etree._Element], None] | None = None
    functional: bool = False
    annotated: bool = False
    popular: bool = False
    markers: bool = False
    edges: bool = False
    source: Callable[[str], str] | None = None
    algorithm: Callable[[], Algorithm] | None = None
    best_element: bool = False
    with_output: bool = False


def remove_select(root: etree._Element) -> None:
    """Removes <select> with its contents; the text around it then stands together (2.9)."""
    for element in list(root.iter("select")):
        _remove(element)


def remove_title(root: etree._Element) -> None:
    """Removes the title of the page, which boilerpipe's ArticleExtractor looks for in the text."""
    for element in list(root.iter("title")):
        _remove(element)


def remove_links(root: etree._Element) -> None:
    """Removes links with their text."""
    for element in list(root.iter("a")):
        if element.get("href") is not None:
            _remove(element)


def cut_at_inline_elements(root: etree._Element) -> None:
    """Gives inline elements another name, so that boilerpipe's program cuts at them as at any other element."""
    for element in root.iter(*(tag for tag in INLINE if tag != "a")):
        element.tag = "ins"


def end_with_body(markup: str) -> str:
    """Removes what comes after the first `</body>`."""
    return markup[: match.end()] if (match := _BODY_END.search(markup)) else markup


def keep_blocks_of_the_thesis(root: etree._Element) -> None:
    """Makes <span> of block-level elements that are not in footnote 15."""
    for element in root.iter(*(tag for tag in TAGS if tag not in FOOTNOTE_15)):
        element.tag = "span"


#: The changes, in the order of their columns.
CHANGES = (
    Change(
        FUNCTIONAL,
        ("canola-test", "cleaneval-final", "l3s-gn1", "daniel", "cleanportaleval"),
        with_stop_words,
        functional=True,
    ),
    Change("<select> removed", ("canola-test", "cleaneval-final", "l3s-gn1", "daniel"), prepare=remove_select),
    Change(
        "block tags of footnote 15",
        ("canola-test", "cleaneval-final", "l3s-gn1", "daniel"),
        prepare=keep_blocks_of_the_thesis,
    ),
    Change("annotated pages", ("l3s-gn1",), annotated=True),
    Change("annotated pages, functional words", ("l3s-gn1",), with_stop_words, functional=True, annotated=True),
    Change("popular words", ("cleaneval-final",), popular=True),
    Change("inline elements cut", ("canola-test", "cleaneval-final", "l3s-gn1"), _java, prepare=cut_at_inline_elements),
    Change(
        "without <title>",
        ("canola-test", "cleaneval-final", "l3s-gn1"),
        _of("ArticleExtractor, Java"),
        prepare=remove_title,
    ),
    Change("text after </body> left out", ("cleaneval-final",), _java, source=end_with_body),
    Change(
        "Evert’s script",
        ("cleaneval-dev",),
        _of("BTE", "density", "density, sparse omitted"),
        popular=True,
        markers=True,
        edges=True,
    ),
    Change("means of pages with text", ("cleaneval-dev",), _of("density, sparse omitted"), with_output=True),
    Change("without links", ("cleaneval-dev", "cleaneval-final"), _of("density"), prepare=remove_links),
    Change(
        "density by all elements",
        ("cleaneval-dev",),
        _of("density"),
        algorithm=lambda: ChosenChild(by_elements=True),
    ),
    Change("largest child", ("cleaneval-dev",), _of("density"), algorithm=ChosenChild),
    Change("largest child, 40 %", ("cleaneval-dev",), _of("density"), algorithm=lambda: ChosenChild(0.4)),
    Change("largest child, 30 %", ("cleaneval-dev",), _of("density"), algorithm=lambda: ChosenChild(0.3)),
    Change(
        "largest child, without links, Evert’s script",
        ("cleaneval-dev",),
        _of("density"),
        prepare=remove_links,
        popular=True,
        markers=True,
        edges=True,
        algorithm=ChosenChild,
    ),
    Change("best element", ("cleaneval-dev",), _of("density"), best_element=True),
)


def write(data: Path, name: str, output: Path) -> None:
    """Writes the rows of `measure` as JSON.

    Raises:
        ConfigError: there is no set of that name.
        GoldError: its files are damaged.
    """
    json_files.write(output, list(measure(data, name)))


def measure(data: Path, name: str) -> Iterator[tuple[str, str, str, str, list[float], list[float]]]:
    """Yields change, language, system, measure; P, R, F1 and F0.5 of all pages, and their means over pages.

    The change "" is none: the scores by language. A set that is absent gives nothing.
    """
    gold_set = sets.read(name, data)
    if gold_set is None:
        return
    codes = sorted({page.language for page in gold_set.pages})
    unchanged = (Change("", (name,)),) if len(codes) > 1 else ()
    for code in codes:
        pages = [page for page in gold_set.pages if page.language == code]
        for change in (*unchanged, *(change_of_set for change_of_set in CHANGES if name in change_of_set.sets)):
            if not change.functional or stop_lists.functional(code) is not None:
                for system, measured, scores, means in _scores(data, gold_set, pages, code, change, codes == ["en"]):
                    yield change.name, code, system, measured, scores, means


def _scores(
    data: Path, gold_set: GoldSet, pages: list[GoldPage], code: str, change: Change, ascii_only: bool
) -> Iterator[tuple[str, str, list[float], list[float]]]:
    """Yields system, measure, scores and means over pages, of pages in one language."""
    if change.annotated:
        pages = _annotated(data, pages)
    blocks = _segment(pages, code, change)
    if change.prepare is remove_select:
        pages = [
            replace(page, nodes=page.nodes and [node for node in page.nodes if not node.in_select]) for page in pages
        ]
    spaced, markup = languages.get(code).characters_per_word == 0, gold_set.markup and not change.markers

    def words(text: str, *, gold: bool = False) -> list[str]:
        if change.markers:
            text = marked(text)
        countedd = words_of(text, ascii_only=ascii_only, markup=markup and gold, spaced=spaced)
        return ["", *countedd, ""] if change.edges else countedd

    golds = {
        f"words_{name}" if name else "words": [words(page.gold[name], gold=True) for page in pages]
        for name in pages[0].gold
    }

    def compared(page: int, text: str) -> Counts:
        return compare(words(text), golds["words"][page], popular=change.popular)

    markers = marker_of_blocks(blocks) if change.markers else None
    nodes = Nodes(pages) if all(page.nodes is not None for page in pages) else None
    for configuration in CONFIGURATIONS:
        algorithm = (change.algorithm or configuration.make)()
        if algorithm.side_table is not None or algorithm.block_model is not None or not change.systems(configuration):
            continue
        spans, good = decide(algorithm, blocks)
        if change.best_element:
            spans, good = Spans.of_pieces(blocks), best_elements(blocks, compared)
        texts = [spans.page_text(page, good, markers) for page in range(len(pages))]
        kept = [words(text) for text in texts]
        counted = {
            measured: [compare(*pair, popular=change.popular) for pair in zip(kept, gold, strict=True)]
            for measured, gold in golds.items()
        }
        if change.with_output:
            counted = {
                measured: [of_page for of_page, text in zip(counts, texts, strict=True) if text]
                for measured, counts in counted.items()
            }
        if nodes is not None:
            chosen = good[nodes.spans(spans)]
            counted |= {f"nodes_{least}": nodes.counts(chosen, least) for least in RELIABILITIES}
        for measured, counts in counted.items():
            yield configuration.title, measured, list(micro(counts)), list(macro(counts))


def _segment(pages: Sequence[GoldPage], code: str, change: Change) -> Blocks:
    """Returns the blocks of pages in one language."""
    model = languages.get(code)
    words = stop_lists.functional(code) if change.functional else None
    stop_words = model.stop_words if words is None else stop_lists.forms(code, words)
    segmenter = Segmenter(stop_words, model.characters_per_word, structure=True)
    for page in pages:
        try:
            html = change.source(page.html) if change.source else page.html
            root = html_parser.parse(html, lean=change.prepare is None)
        except html_parser.PageError:
            root = None
        if root is not None and change.prepare is not None:
            change.prepare(root)
        segmenter.keeps_hidden = segmenter.keeps_readings = page.nodes is not None
        segmenter.add(root)
    return segmenter.take()


def _annotated(data: Path, pages: Sequence[GoldPage]) -> list[GoldPage]:
    """Returns L3S-GN1's pages as they were annotated, without the annotating elements."""
    files = Files(data, "l3s-gn1")
    annotated = files.stems("l3s-gn1/annotated")
    copies = []
    for page in pages:
        html = files.read(annotated[page.name]).decode("utf-8", "replace")
        root = html_parser.parse(html, lean=False)
        if root is not None:
            for element in list(root.iter("span")):
                if (element.get("class") or "").startswith(_L3S_LABEL):
                    _unwrap(element)
            remove_select(root)
            html = etree.tostring(root, encoding="unicode", method="html")
        copies.append(replace(page, html=html))
    return copies


def _remove(element: etree._Element) -> None:
    """Removes an element with its contents, not the text after it."""
    parent = element.getparent()
    if parent is not None:
        _append_text(parent, element.getprevious(), element.tail)
        parent.remove(element)


def _unwrap(element: etree._Element) -> None:
    """Puts the contents of an element in its place."""
    parent = element.getparent()
    if parent is None:
        return
    place = parent.index(element)
    children = list(element)
    _append_text(parent, element.getprevious(), element.text)
    for number, child in enumerate(children):
        parent.insert(place + number, child)
    _append_text(parent, children[-1] if children else element.getprevious(), element.tail)
    element.tail = None
    parent.remove(element)


def _append_text(parent: etree._Element, previous: etree._Element | None, text: str | None) -> None:
    """Adds text behind a child, or at the beginning of its parent."""
    if text and previous is not None:
        previous.tail = (previous.tail or "") + text
    elif text:
        parent.text = (parent.text or "") + text
