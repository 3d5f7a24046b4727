"""Keeps what a page does not share with a reference page of its site: Baisa's multiple files (Baisa 2009, 2.4).

The reference page is the one in the middle of a site's pages by size; for itself it is the page after it (or before
it, if it is the last). A site of one page is cleaned as a single file (density.py). If no reference pages are given,
all pages are of one site, and size is the bytes of their text.
"""

import bisect
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from corpusprep.cleaners.interface import ALONE, Registration, SidePages, SideTable, parameter
from corpusprep.pages.segmentation import Blocks
from corpusprep.pages.structure import Structure
from studies.baselines.choice_of_pages import reference_pages
from studies.baselines.density import Density, DensityParameters, targets
from studies.baselines.pieces import PieceAlgorithm, page_pieces, structure_of

if TYPE_CHECKING:
    import polars as pl

#: Words that two texts must begin or end with alike; a single word such as `The` says nothing.
LEAST_WORDS = 2
#: Which part of a text is shared.
WHOLE, FIRST, LAST = "whole", "first", "last"

_TEXT = -1  # the kind of a text node, beside the hashes of elements' names

#: A child of an element: its kind, its element (-1 for text), its pieces from first to end.
Child = tuple[int, int, int, int]
#: A part of a text: WHOLE, FIRST or LAST, and its words.
Part = tuple[str, str]


@dataclass(slots=True, frozen=True)
class SiteParameters:
    """The modes of Baisa's program."""

    from_target: bool = parameter(False, "Compare the target nodes of two pages, not the whole pages (-f).")
    prune: bool = parameter(
        False, "Clean a page as a single file if the children of its <body> differ in number or kind (-p)."
    )
    common_parts: bool = parameter(
        False, "Also remove the words, two or more, that a text begins or ends with like the reference page's text."
    )
    least_density: float = parameter(
        0.0, "Of pages that are cleaned as single files: see the algorithm density (-r: 10).", minimum=0
    )


def _opened(encoding: "pl.DataFrame", tables: Sequence[Path]) -> SidePages:
    """Opens the reference pages of the hosts of a batch."""
    from studies.baselines.reference_pages import References  # with polars, which single pages do without

    return References(encoding, tables)


class DensitySite(PieceAlgorithm):
    """Keeps the text below the places where a page's tree differs from the reference page's.

    The two trees are followed from their roots while the children of two elements are the same in number and kind
    (elements, and text nodes that are not blank). Where they differ, children of the page and of the reference
    of the same kind that share a text are matched in order (algorithm 2) and what they share is removed: whole
    pieces of text, and with `common_parts` also the words that two pieces begin or end with alike (findCommonParts).
    What is left there is kept; everything else belongs to the site's template.
    """

    side_table = SideTable("references", _opened)

    def __init__(self, parameters: SiteParameters | None = None) -> None:
        self.parameters = parameters or SiteParameters()

    def classify_pieces(self, blocks: Blocks, references: NDArray[np.int64] | None = None) -> NDArray[np.bool_]:
        """Returns whether each piece belongs to its page alone, shape (pieces,).

        With `common_parts`, a piece belongs to its page if that removes at most half of its words.

        Args:
            blocks: of pages and of their reference pages.
            references: shape (pages,): the number of each page's reference page. A page with ALONE, or with a
                reference page without text, is cleaned as a single file. None: all pages are of one site.
        """
        good, removed = self.classify_parts(blocks, references)
        own: NDArray[np.bool_] = good & (2 * removed.sum(axis=1) <= structure_of(blocks).words)
        return own

    def classify_parts(
        self, blocks: Blocks, references: NDArray[np.int64] | None = None
    ) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
        """Returns whether each piece has a part that belongs to its page alone, and the words that do not.

        Arguments: see `classify_pieces`.

        Returns:
            Shape (pieces,); int64, shape (pieces, 2): the words at the beginning and at the end of each piece that it
            shares with a text of the reference page; 0 without `common_parts`.
        """
        against = _one_site(blocks) if references is None else references
        structure = structure_of(blocks)
        removed = np.zeros((len(structure), 2), np.int64)
        single = Density(DensityParameters(self.parameters.least_density))
        good = single.classify_pieces(blocks)
        starts = structure.page_elements[:-1].tolist()
        if self.parameters.from_target:
            starts = [
                first if target is None else target for first, (target, _) in zip(starts, targets(blocks), strict=True)
            ]
        texts = structure.texts(blocks.text)
        bounds = page_pieces(blocks)
        empty = np.diff(bounds) == 0
        for page in np.flatnonzero((against != ALONE) & ~empty).tolist():
            other = int(against[page])
            differs = self.parameters.prune and _kinds(structure, other) != _kinds(structure, page)
            if not empty[other] and not differs:
                good[bounds[page] : bounds[page + 1]] = False
                parts = removed if self.parameters.common_parts else None
                _keep_own(structure, texts, (starts[other], starts[page]), good, parts)
        return good, removed


def _kinds(structure: Structure, page: int) -> list[int]:
    """Returns the kinds of the children of a page's last element below the root: its <body>."""
    children = _children(structure, int(structure.page_elements[page]))
    bodies = [element for _, element, _, _ in children if element >= 0]
    return [child[0] for child in _children(structure, bodies[-1])] if bodies else []


def _one_site(blocks: Blocks) -> NDArray[np.int64]:
    """Returns the number of each page's reference page, or ALONE, for pages of one site."""
    sizes = np.diff(blocks.offsets[blocks.pages])
    pages = np.flatnonzero(sizes).tolist()
    against = np.full(len(sizes), ALONE)
    if len(pages) > 1:
        by_size = sorted(pages, key=lambda page: (int(sizes[page]), page))
        reference, other = reference_pages(by_size)
        against[pages] = reference
        against[reference] = other
    return against


def _keep_own(
    structure: Structure,
    texts: list[str],
    roots: tuple[int, int],
    good: NDArray[np.bool_],
    removed: NDArray[np.int64] | None,
) -> None:
    """Marks the pieces of a page's tree that are not the reference's; `roots`: of the reference and of the page."""
    pairs = [roots]
    while pairs:
        reference, element = pairs.pop()
        known, own = _children(structure, reference), _children(structure, element)
        if [child[0] for child in known] == [child[0] for child in own]:
            pairs += [(a[1], b[1]) for a, b in zip(known, own, strict=True) if b[1] >= 0]
        else:
            _remove_shared(texts, known, own, good, removed)


def _children(structure: Structure, element: int) -> list[Child]:
    """Returns the children of an element in order: elements, and the pieces between them."""
    children: list[Child] = []
    piece, end = int(structure.element_pieces[element]), int(structure.element_ends[element])
    child = element + 1
    while child < end:
        first, last = int(structure.element_pieces[child]), int(structure.element_piece_ends[child])
        children += [(_TEXT, -1, text, text + 1) for text in range(piece, first)]
        children.append((int(structure.element_names[child]), child, first, last))
        piece, child = last, int(structure.element_ends[child])
    return children + [(_TEXT, -1, text, text + 1) for text in range(piece, int(structure.element_piece_ends[element]))]


def _remove_shared(
    texts: list[str],
    known: list[Child],
    own: list[Child],
    good: NDArray[np.bool_],
    removed: NDArray[np.int64] | None = None,
) -> None:
    """Algorithm 2: keeps the pieces of `found` but those shared with the child of `known` that each is matched with.

    A child is matched with the first one after the last match that is of its kind and shares a part of text with it.
    Where each part occurs is looked up, so the time is linear but for a logarithm, however many children there are.

    Args:
        texts: of the pieces.
        known: children of the reference page.
        own: children of the page.
        good: of the pieces; written.
        removed: words at the beginning and at the end of pieces that are removed; written. None: only whole pieces are
            parts.
    """
    # Kind and part -> the children of `known` that contain it, ascending.
    places: dict[tuple[int, Part], list[int]] = {}
    for k, (kind, _, first, end) in enumerate(known):
        for text in texts[first:end]:
            for part in _parts(text, whole=removed is None):
                numbers = places.setdefault((kind, part), [])
                if not numbers or numbers[-1] != k:
                    numbers.append(k)
    start = 0
    for kind, _, first, end in own:
        good[first:end] = True
        parts = [part for text in texts[first:end] for part in _parts(text, whole=removed is None)]
        nearest = [_next(places.get((kind, part), ()), start) for part in parts]
        match = min((k for k in nearest if k is not None), default=None)
        if match is None:
            continue
        start = match + 1
        # Part -> the first text of the matched child that has it.
        shared: dict[Part, str] = {}
        for text in texts[slice(*known[match][2:])]:
            for part in _parts(text, whole=removed is None):
                shared.setdefault(part, text)
        for piece in range(first, end):
            if (WHOLE, texts[piece]) in shared:
                good[piece] = False
            elif removed is not None:
                removed[piece] = _common_words(texts[piece], shared)


def _parts(text: str, *, whole: bool) -> list[Part]:
    """Returns what another text may share with a text: the whole, and its first and last words if it has more."""
    words = [] if whole else text.split()
    ends = [(FIRST, " ".join(words[:LEAST_WORDS])), (LAST, " ".join(words[-LEAST_WORDS:]))]
    return [(WHOLE, text), *(ends if len(words) > LEAST_WORDS else [])]


def _common_words(text: str, shared: Mapping[Part, str]) -> tuple[int, int]:
    """Returns how many words a text begins with, and ends with, like the texts with the same first and last words."""
    words = text.split()
    counts = {FIRST: 0, LAST: 0}
    for side, part in _parts(text, whole=False)[1:]:
        if (side, part) in shared:
            step = 1 if side == FIRST else -1
            pairs = zip(words[::step], shared[side, part].split()[::step], strict=False)
            counts[side] = sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], pairs))
    return counts[FIRST], min(counts[LAST], len(words) - counts[FIRST])


def _next(numbers: Sequence[int], start: int) -> int | None:
    """Returns the first of ascending numbers that is `start` or more; None if there is none."""
    place = bisect.bisect_left(numbers, start)
    return numbers[place] if place < len(numbers) else None


ALGORITHMS = (
    Registration(
        name="density-site",
        make=DensitySite,
        description="Keeps what a page does not share with a reference page of its site.",
        source="Baisa 2009, 2.4",
        parameters=SiteParameters(),
        evaluated={"density, sites": ""},
    ),
)
