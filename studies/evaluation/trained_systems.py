"""Measures the systems whose models are trained for the tables (evaluation.trained) on a gold set.

On the pages that a model was trained on, its scores are from models of other pages: a third of the hosts is scored
in turn by a model of the rest.
"""

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from corpusprep.cleaners.content.training.examples import fold_of
from corpusprep.cleaners.content.training.validation import FOLDS
from corpusprep.cleaners.ncleaner import character_models
from corpusprep.cleaners.ncleaner import training as ncleaner
from corpusprep.cleaners.registry import algorithm
from corpusprep.cleaners.victor import training as victor
from corpusprep.cleaners.victor import victor_models
from corpusprep.gold import sets
from corpusprep.gold.pages import GoldPage, GoldSet
from corpusprep.gold.scores import Counts
from studies.evaluation import measuring
from studies.evaluation.decisions import Spans, decided, marked_texts, segment_for
from studies.evaluation.measuring import Measured, Scorer
from studies.evaluation.node_scores import RELIABILITIES, Nodes
from studies.evaluation.trained import SAME_PAGES, TRAINED, Trained


def measure_set(data: Path, name: str, models: Path, output: Path) -> None:
    """Measures the systems whose models are there; writes `<name>.tsv`, as measuring.measure_set does.

    Args:
        data: the folder of the gold sets.
        name: of the set.
        models: the folder of the models: `<model>.model`.
        output: the folder to write to.

    Raises:
        ConfigError: there is no set of that name.
        GoldError: its files are damaged.
        ModelError: a model is damaged or was made for other features.
    """
    gold_set = sets.read(name, data) or GoldSet(name, sets.title(name), [])
    counted: dict[tuple[str, str], list[Counts]] = {}
    for system in TRAINED:
        path = models / f"{system.model}.model"
        if not path.exists() or not gold_set.pages:
            continue
        if {name, SAME_PAGES.get(name, name)}.isdisjoint(system.gold):
            counted.update(measure(gold_set, system, [path]).counts)
        elif len(system.gold) == 1:
            with tempfile.TemporaryDirectory() as folder:
                counted.update(measure(gold_set, system, _fold_models(system, data, Path(folder))).counts)
    measuring.write(output / f"{name}.tsv", gold_set, Measured(counted))


def measure(gold_set: GoldSet, system: Trained, models: Sequence[Path]) -> Measured:
    """Returns the counts of a system; with n models, a page is cleaned by the one that has not seen its fold."""

    def run(pages: list[GoldPage], _code: str, scorer: Scorer) -> Iterator[tuple[str, str, list[Counts]]]:
        folds = [fold_of(page.site or page.name, len(models)) for page in pages]
        for name, counts in _of_language(pages, system, models, folds, scorer):
            yield system.title, name, counts

    return measuring.by_language(gold_set, run)


def _of_language(
    pages: list[GoldPage], system: Trained, models: Sequence[Path], folds: Sequence[int], scorer: Scorer
) -> Iterator[tuple[str, list[Counts]]]:
    """Yields measure and counts per page, of pages in one language."""
    texts = [""] * len(pages)
    marked: dict[str, list[str]] = {}
    has_nodes = all(page.nodes is not None for page in pages)
    nodes: dict[int, list[list[Counts]]] = {least: [[] for _ in pages] for least in RELIABILITIES}
    for fold, path in enumerate(models):
        places = [place for place, own in enumerate(folds) if own == fold]
        chosen = [pages[place] for place in places]
        classifier = algorithm(system.algorithm, parameters={"model": str(path), "threshold": system.threshold})
        blocks = segment_for(classifier, chosen, ())
        spans = Spans.of_blocks(blocks)
        good = decided(classifier, blocks)
        for number, place in enumerate(places):
            texts[place] = spans.page_text(number, good)
        for name, own_texts in marked_texts(blocks, spans, good).items() if scorer.has_markers else ():
            for place, text in zip(places, own_texts, strict=True):
                marked.setdefault(name, [""] * len(pages))[place] = text
        if has_nodes:
            own = Nodes(chosen)
            kept = good[own.spans(spans)]
            for least, rows in nodes.items():
                for place, counts in zip(places, own.counts(kept, least), strict=True):
                    rows[place] = [counts]
    yield from scorer.counts(texts)
    for name, own_texts in marked.items():
        yield name, scorer.of_marked(own_texts)
    if has_nodes:
        for least, rows in nodes.items():
            yield f"nodes_{least}", [row[0] for row in rows]


def _fold_models(system: Trained, data: Path, folder: Path) -> list[Path]:
    """Trains a model per fold, of the pages of the other folds, and returns their files."""
    gold_sets = [gold_set for name in system.gold if (gold_set := sets.read(name, data)) is not None]
    paths = [folder / f"{fold}.model" for fold in range(FOLDS)]
    if system.algorithm == "ncleaner":
        plan = ncleaner.NcleanerPlan(lexical=not system.options)
        for path, characters in zip(paths, ncleaner.fold_models(gold_sets, plan), strict=True):
            character_models.write_model(path, characters)
    else:
        for path, field in zip(
            paths, victor.fold_models(gold_sets, victor.VictorPlan(kinds=not system.options)), strict=True
        ):
            victor_models.write_model(path, field)
    return paths
