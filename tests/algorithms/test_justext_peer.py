"""Blocks beside the paragraphs of justext 3, on real pages, with the same tags, tree, stop list and thresholds.

justext counts characters where algorithm 2.2 counts words, looks words up with the punctuation on them, and
drops white space that stands alone between inline elements, so that words run together. Texts are therefore
compared without white space, and classes with its lengths taken in words. What is left, measured on every
fiftieth page: of 3,165 texts, 8 differ, where <br> and <br> have an inline element between them without text,
a border here and none there; of the same texts, 44 have another class, for the link density is of
characters there, and a stop word with a comma is none.
"""

import copy
from collections import Counter
from collections.abc import Callable
from difflib import SequenceMatcher
from pathlib import Path

import pytest
from justext import core
from justext.paragraph import Paragraph
from lxml import etree

from corpusprep import html, languages
from corpusprep.algorithms.interface import LABELS
from corpusprep.algorithms.justext import PRESETS, JusText
from corpusprep.segmentation import TAGS, Segmenter

pytestmark = pytest.mark.data
REMOVED = ("head", "script", "style", "svg", "template")
Rows = list[tuple[str, str]]


def squeezed(text: str) -> str:
    """Without white space, and without the characters that are no text here."""
    return "".join(
        c for c in text if not c.isspace() and (c >= " " and not "\x7f" <= c < "\xa0") and c not in "\xad\ufeff"
    )


def ours(root: etree._Element) -> Rows:
    """Text and context-free class of each block."""
    segmenter = Segmenter(languages.get("en").stop_words)
    segmenter.add(root)
    blocks = segmenter.take()
    labels = (LABELS[label] for label in JusText().classify(blocks).context_free.tolist())
    return [(squeezed(text), label) for text, label in zip(blocks.texts(), labels, strict=True)]


def theirs(root: etree._Element) -> Rows:
    """The same of each paragraph."""
    root = copy.deepcopy(root)
    etree.strip_elements(root, *REMOVED, with_tail=False)
    paragraphs = core.ParagraphMaker.make_paragraphs(root)
    limits = PRESETS["A"]
    core.classify_paragraphs(
        paragraphs,
        frozenset(languages.get("en").stop_list),
        limits.length_low,
        limits.length_high,
        limits.stopwords_low,
        limits.stopwords_high,
        limits.max_link_density,
    )
    names = {"neargood": "near-good"}
    return [(squeezed(p.text), names.get(p.cf_class, p.cf_class)) for p in paragraphs]


@pytest.fixture
def same_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes justext cut at our tags and measure lengths in words."""
    monkeypatch.setattr(core, "PARAGRAPH_TAGS", frozenset(TAGS) | {"select"})
    monkeypatch.setattr(Paragraph, "__len__", lambda paragraph: paragraph.words_count)
    monkeypatch.setattr(
        Paragraph,
        "links_density",
        lambda paragraph: paragraph.chars_count_in_links / max(1, len(paragraph.text)),
    )


@pytest.mark.usefixtures("same_rules")
@pytest.mark.parametrize("name", ["cleaneval", "canola"])
@pytest.mark.parametrize("step", [50, pytest.param(5, marks=pytest.mark.slow)])
def test_paragraphs_are_those_of_justext(unpacked: Callable[[str], Path], name: str, step: int) -> None:
    """99 of 100 texts are the same, and 95 of 100 of these have the same class."""
    found: Counter[str] = Counter()
    for path in sorted(unpacked(name).rglob("*.html"))[::step]:
        root = html.parse(path.read_bytes().decode("utf-8", "replace"))
        if root is None:
            continue
        blocks, paragraphs = ours(root), [row for row in theirs(root) if row[0]]
        matcher = SequenceMatcher(None, [text for text, _ in blocks], [text for text, _ in paragraphs], autojunk=False)
        found["all"] += max(len(blocks), len(paragraphs))
        for first, second, size in matcher.get_matching_blocks():
            found["same text"] += size
            pairs = zip(blocks[first : first + size], paragraphs[second : second + size], strict=True)
            found["same class"] += sum(block == paragraph for block, paragraph in pairs)
    assert found["same text"] >= 0.99 * found["all"]
    assert found["same class"] >= 0.95 * found["same text"]
