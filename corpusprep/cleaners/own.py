"""Runs a user's own cleaner (interface.Cleaner) as an algorithm: page by page, with its answers checked."""

import itertools
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpusprep.cleaners.context import classify_context
from corpusprep.cleaners.interface import LABELS, VERDICTS, Algorithm, Classes, Cleaner, Page, PageBlock
from corpusprep.errors import OwnCodeError
from corpusprep.io import own_code
from corpusprep.pages.segmentation import TAGS, Blocks

#: By context-free class: the verdict on a block that does not become good.
_REASONS = np.array([VERDICTS.index(name) for name in ("boilerplate", "short", "near_good", "boilerplate")], np.uint8)


class OwnCleaner(Algorithm):
    """A user's cleaner, as an algorithm."""

    def __init__(self, cleaner: Cleaner, name: str) -> None:
        """The algorithm of a cleaner; `name` is how errors name it.

        Raises:
            OwnCodeError: it has no method classify.
        """
        if not callable(getattr(cleaner, "classify", None)):
            raise OwnCodeError(f"{name}: it has no method classify(page)")
        self._cleaner = cleaner
        self._name = name

    @classmethod
    def load(cls, name: str, folder: Path, parameters: Mapping[str, Any]) -> "OwnCleaner":
        """Returns the algorithm of the class `module:Class`, made with these parameters.

        Raises:
            OwnCodeError: it cannot be loaded or made, or has no method classify.
        """
        made = own_code.load(name, folder)
        own_code.check_parameters(name, made, parameters)
        try:
            cleaner = made(**parameters)
        except Exception as error:
            raise OwnCodeError(f"{name}: making it failed: {own_code.described(error)}") from None
        return cls(cleaner, name)

    def classify(self, blocks: Blocks, references: NDArray[np.int64] | None = None) -> Classes:
        """Classifies all blocks, one page after the other.

        Raises:
            OwnCodeError: the cleaner fails, or does not give one class per block. Its `page` says on which page.
        """
        rows = page_blocks(blocks)
        context_free = np.zeros(len(rows), np.uint8)
        good = np.zeros(len(rows), np.bool_)
        for number, (first, end) in enumerate(itertools.pairwise(blocks.pages.tolist())):
            if first < end:
                values, final = self._classes(rows[first:end], number)
                context_free[first:end] = values
                kept = values == LABELS.index("good") if final else classify_context(values).astype(np.bool_)
                good[first:end] = kept
        return Classes(context_free, good, np.where(good, 0, _REASONS[context_free]).astype(np.uint8))

    def _classes(self, blocks: list[PageBlock], page: int) -> tuple[NDArray[np.uint8], bool]:
        """Returns the classes of a page's blocks (indices into LABELS), and whether they are booleans, so final."""
        try:
            answer: Any = self._cleaner.classify(Page(tuple(blocks)))
            values = None if isinstance(answer, str) else list(answer)
        except Exception as error:
            raise OwnCodeError(f"{self._name}: classify failed: {own_code.described(error)}", page) from None
        if values is None or len(values) != len(blocks):
            count = "a text" if values is None else f"{len(values)} classes"
            raise OwnCodeError(f"{self._name}: classify gave {count} for a page of {len(blocks)} blocks", page)
        if all(isinstance(value, (bool, np.bool_)) for value in values):
            return np.where(values, LABELS.index("good"), LABELS.index("bad")).astype(np.uint8), True
        for value in values:
            if not isinstance(value, str) or value not in LABELS:
                raise OwnCodeError(
                    f"{self._name}: classify gave {value!r}; allowed: True and False, or {', '.join(LABELS)}", page
                )
        return np.array([LABELS.index(value) for value in values], np.uint8), False


def page_blocks(blocks: Blocks) -> list[PageBlock]:
    """Returns the blocks of all pages as a cleaner gets them."""
    return [
        PageBlock(text, TAGS[tag], *measures)
        for text, tag, *measures in zip(
            blocks.texts(),
            blocks.tags.tolist(),
            blocks.heading.tolist(),
            blocks.words.tolist(),
            blocks.link_density.tolist(),
            blocks.stopword_density.tolist(),
            blocks.copyright.tolist(),
            blocks.in_select.tolist(),
            strict=True,
        )
    ]
