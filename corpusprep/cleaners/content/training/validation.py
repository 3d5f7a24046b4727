"""Validates a way of training: cross-validation by group, and each set left out of training."""

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from corpusprep import languages
from corpusprep._native import pages as native
from corpusprep.cleaners.block_models import TOP_SCORE, score_borders
from corpusprep.cleaners.content.cleaner import Content, ContentSettings, Scored
from corpusprep.cleaners.content.training.boosting import SCORE_SCALE
from corpusprep.cleaners.content.training.examples import Examples, fold_of
from corpusprep.cleaners.content.training.fitting import Trainer
from corpusprep.errors import LanguageError
from corpusprep.gold.pages import GoldSet
from corpusprep.gold.scores import Counts
from corpusprep.gold.words import compare, snippets, words_of
from corpusprep.pages.features import feature_descriptions

#: Parts of the pages that are scored in turn, by a model of the other parts.
FOLDS = 3
#: Thresholds, per mille, that are measured, and those among which a model's own are chosen.
GRID, TRIED = range(50, 951, 50), range(200, 801, 50)
#: Name of a threshold -> the weight of recall against precision that it is best for.
BETAS = {"precision": 0.5, "balanced": 1.0, "recall": 2.0}
#: `balanced` of `content` is half of the page's best score, unless another threshold is better in the mean of the sets
#: and worse on none, each by more points than two trainings with different seeds differ by: in the mean, on a set.
HALF, MEANS_DIFFER, SEEDS_DIFFER = 500, 0.1, 0.2


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
    cross = without_hidden(examples, cross)
    names = np.array(families)
    if len(set(families)) < 2:
        return Validated(cross, None)
    left_out = np.zeros(len(examples), np.uint16)
    for family in dict.fromkeys(families):
        say(f"validating: without {family}")
        held_out = (names == family)[page_of]
        left_out[held_out] = per_mille(trainer.scores(trainer.train(names != family), held_out))
    return Validated(cross, without_hidden(examples, left_out))


def per_mille(sums: NDArray[np.int32]) -> NDArray[np.uint16]:
    """Returns the scores of sums of leaves, as the kernel computes them."""
    return np.searchsorted(score_borders(1 / SCORE_SCALE), sums, side="right").astype(np.uint16)


def without_hidden(examples: Examples, scores: NDArray[np.uint16]) -> NDArray[np.uint16]:
    """Returns the scores of all blocks as the kernel gives them: 0 for hidden ones where more is shown."""
    place = [feature.name for feature in feature_descriptions()].index("hidden")
    hidden = np.ascontiguousarray(examples.columns[place])
    sizes = np.array([len(text.encode()) for text in examples.texts], np.uint32)
    visible = [
        native.leave_out_hidden(scores[span], sizes[span], hidden[span])
        for span in itertools.starmap(slice, itertools.pairwise(examples.bounds.tolist()))
    ]
    return np.concatenate([np.zeros(0, np.uint16), *visible])


def decide(examples: Examples, scores: NDArray[np.uint16], threshold: int) -> NDArray[np.bool_]:
    """Returns whether `content` keeps each block at a threshold per mille, with its default policy."""
    scored = Scored(examples.bounds, scores, examples.kinds, examples.block_words, examples.link_density)
    good = Content(ContentSettings(threshold=threshold / TOP_SCORE)).classify_scored(scored).good
    return good & ~examples.repeated


def best_thresholds(quality: Mapping[int, Mapping[str, float]]) -> dict[str, int]:
    """Returns name -> threshold of the highest quality among TRIED; of equal ones, the lowest."""
    return {name: max(TRIED, key=lambda threshold: quality[threshold][name]) for name in BETAS}


def balanced_threshold(by_set: Mapping[int, Mapping[str, Sequence[float]]]) -> int:
    """Returns the threshold `balanced` of `content`, of what quality_by_set found.

    The mean of the sets hardly changes from 0.5 to 0.6; single sets gain or lose up to 2 points.
    """
    usual = by_set[HALF]["balanced"]
    harmless = [
        threshold
        for threshold in TRIED
        if all(
            value >= before - SEEDS_DIFFER for value, before in zip(by_set[threshold]["balanced"], usual, strict=True)
        )
    ]
    means = {threshold: float(np.mean(by_set[threshold]["balanced"] or 0)) for threshold in harmless}
    best = max(harmless, key=lambda threshold: (means[threshold], -abs(threshold - HALF)))
    return best if means[best] > means[HALF] + MEANS_DIFFER else HALF


def quality_by_threshold(
    examples: Examples,
    scores: NDArray[np.uint16],
    families: Sequence[str],
    kept_at: Callable[[Examples, NDArray[np.uint16], int], NDArray[np.bool_]] = decide,
) -> dict[int, dict[str, float]]:
    """Returns, for each threshold of GRID, F by the names of BETAS in percent: the mean of quality_by_set."""
    return means_of_sets(quality_by_set(examples, scores, families, kept_at))


def means_of_sets(by_set: Mapping[int, Mapping[str, Sequence[float]]]) -> dict[int, dict[str, float]]:
    """Returns the means over the sets of what quality_by_set found; 0 without sets."""
    return {
        threshold: {name: float(np.mean(values or 0)) for name, values in scores.items()}
        for threshold, scores in by_set.items()
    }


def quality_by_set(
    examples: Examples,
    scores: NDArray[np.uint16],
    families: Sequence[str],
    kept_at: Callable[[Examples, NDArray[np.uint16], int], NDArray[np.bool_]] = decide,
) -> dict[int, dict[str, list[float]]]:
    """Returns, for each threshold of GRID and each name of BETAS, F in percent of each set with gold texts.

    F of a set is the mean of that over all its words and that over its pages: a set of long pages counts as much as a
    set of many. `kept_at`: whether the algorithm keeps each block at a threshold per mille.
    """
    gold = np.array([page.gold_words for page in examples.pages], np.float64)
    usable = (gold > 0) & ~np.array([page.made for page in examples.pages])
    names = np.array(families)
    means: dict[int, dict[str, list[float]]] = {}
    for threshold in GRID:
        kept = kept_at(examples, scores, threshold)
        true = _by_page(np.where(kept, examples.found, 0), examples.bounds)
        length = _by_page(np.where(kept, examples.words, 0), examples.bounds)
        rows = np.stack([true, length - true, np.maximum(gold - true, 0)], axis=1)
        by_set = [rows[usable & (names == family)] for family in dict.fromkeys(families)]
        means[threshold] = {
            name: [
                float(np.mean([_f(set_rows.sum(axis=0), beta), _f(set_rows, beta).mean()]))
                for set_rows in by_set
                if len(set_rows)
            ]
            for name, beta in BETAS.items()
        }
    return means


def counts(examples: Examples, kept: NDArray[np.bool_], sets: Mapping[str, GoldSet]) -> Iterator[tuple[str, Counts]]:
    """Yields, per page of the sets, its measure (the first of `evaluation`) and the counts of what is kept."""
    bounds = examples.bounds.tolist()
    english = {name: {page.language for page in pages_of_set.pages} == {"en"} for name, pages_of_set in sets.items()}
    for number, page in enumerate(examples.pages):
        if page.made:
            continue
        chosen: Sequence[int] = range(bounds[number], bounds[number + 1])
        if page.data.labels is not None:
            chosen = [bounds[number] + block for block in page.data.labels]
        text = "\n".join(examples.texts[block] for block in chosen if kept[block])
        gold_set = sets[page.gold_set]
        if any(pages_of_set.wanted for pages_of_set in gold_set.pages):
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
    sums_by_page: NDArray[np.float64] = np.diff(sums[bounds]).astype(np.float64)
    return sums_by_page


def _f(rows: NDArray[np.float64], beta: float) -> NDArray[np.float64]:
    weight = beta * beta
    hits, extra, missed = rows[..., 0], rows[..., 1], rows[..., 2]
    divisor = np.maximum((1 + weight) * hits + weight * missed + extra, 1e-9)
    values: NDArray[np.float64] = 100 * (1 + weight) * hits / divisor
    return values
