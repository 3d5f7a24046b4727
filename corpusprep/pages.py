"""A page from its bytes or text to classified blocks: decode, parse, segment, classify."""

from collections.abc import Collection
from dataclasses import dataclass

from corpusprep import html
from corpusprep.algorithms.interface import Algorithm, Classes
from corpusprep.segmentation import SegmentedPage, segment
from corpusprep.verdicts import KEPT


@dataclass(slots=True, frozen=True)
class ClassifiedPage:
    """A segmented page with its blocks' classes and the page's own verdict (kept, or of verdicts.PAGE_REASONS)."""

    page: SegmentedPage
    classes: Classes
    verdict: str


def classify_page(text: str, stop_words: Collection[str], algorithm: Algorithm) -> ClassifiedPage:
    """Segments and classifies a page. Never raises for what a page holds: it earns a verdict."""
    try:
        page = segment(html.parse(text), stop_words)
    except html.PageError as error:
        return ClassifiedPage(SegmentedPage("", []), Classes([], [], []), error.verdict)
    classes = algorithm.classify(page.blocks)
    if not page.blocks:
        verdict = "no_text"
    elif "good" not in classes.final:
        verdict = "no_good_block"
    else:
        verdict = KEPT
    return ClassifiedPage(page, classes, verdict)
