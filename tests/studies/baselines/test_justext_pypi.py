"""The rules of jusText's Python package against a plain reading of them."""

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from support.plain_pages import MARKUP, pages

from corpusprep.pages.segmentation import Blocks
from studies.baselines.justext_pypi import JusTextPypi, PypiThresholds

LIMITS = PypiThresholds(length_low=6, length_high=16, stopwords_low=0.1, stopwords_high=0.3, max_heading_distance=12)


def plain_context_free(blocks: Blocks, i: int, linked: int) -> str:
    """One block without its context."""
    text = blocks.texts()[i]
    density = blocks.stop_words[i] / max(blocks.alphabetic_words[i], 1)
    if linked / len(text) > LIMITS.max_link_density or "©" in text or blocks.in_select[i]:
        return "bad"
    if len(text) < LIMITS.length_low:
        return "bad" if linked else "short"
    if density >= LIMITS.stopwords_high:
        return "good" if len(text) > LIMITS.length_high else "near-good"
    return "near-good" if density >= LIMITS.stopwords_low else "bad"


def neighbour(classes: list[str], i: int, step: int, *, ignore_near_good: bool) -> str:
    """The next class that is not short."""
    i += step
    while 0 <= i < len(classes):
        if classes[i] in {"good", "bad"} or (classes[i] == "near-good" and not ignore_near_good):
            return classes[i]
        i += step
    return "bad"


def good_below(classes: list[str], lengths: list[int], i: int) -> bool:
    """Whether a good block follows within the distance."""
    distance = 0
    for label, length in zip(classes[i + 1 :], lengths[i + 1 :], strict=True):
        if distance > LIMITS.max_heading_distance:
            return False
        if label == "good":
            return True
        distance += length
    return False


def plain_revision(context_free: list[str], headings: list[bool], lengths: list[int]) -> list[str]:
    """The passes, each over the classes that the one before left."""
    classes = list(context_free)
    for i, label in enumerate(classes):
        if headings[i] and label == "short" and good_below(classes, lengths, i):
            classes[i] = "near-good"
    decided = list(classes)
    for i, label in enumerate(classes):
        if label != "short":
            continue
        before, after = (neighbour(classes, i, step, ignore_near_good=True) for step in (-1, 1))
        nearer_before, nearer_after = (neighbour(classes, i, step, ignore_near_good=False) for step in (-1, 1))
        if before == after:
            decided[i] = before
        elif (before == "bad" and nearer_before == "near-good") or (after == "bad" and nearer_after == "near-good"):
            decided[i] = "good"
        else:
            decided[i] = "bad"
    classes = decided
    for i, label in enumerate(classes):
        if label == "near-good":
            around = {neighbour(classes, i, step, ignore_near_good=True) for step in (-1, 1)}
            classes[i] = "bad" if around == {"bad"} else "good"
    for i, label in enumerate(classes):
        if headings[i] and label == "bad" and context_free[i] != "bad" and good_below(classes, lengths, i):
            classes[i] = "good"
    return classes


@given(st.lists(MARKUP, max_size=3))
def test_classes_are_the_packages(markups: list[str]) -> None:
    """All passes, on several pages at once."""
    blocks = pages(markups)
    structure = blocks.structure
    assert structure is not None
    characters = np.where(structure.linked, structure.characters(blocks.text), 0)
    bounds = structure.block_pieces.tolist()
    linked = [int(characters[a:b].sum()) for a, b in itertools.pairwise(bounds)]
    lengths = [len(text) for text in blocks.texts()]
    expected: list[str] = []
    for first, end in zip(blocks.pages, blocks.pages[1:], strict=False):
        classes = [plain_context_free(blocks, i, linked[i]) for i in range(first, end)]
        expected += plain_revision(classes, blocks.heading[first:end].tolist(), lengths[first:end])
    classes = JusTextPypi(LIMITS).classify(blocks)
    assert ["good" if good else "bad" for good in classes.good] == expected
    assert ((classes.verdicts == 0) == classes.good).all()
