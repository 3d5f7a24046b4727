"""Trains a model of the algorithm `content`: reads gold sets, validates, trains, writes the model and its pages."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from corpusprep import __version__
from corpusprep._native import pages as native
from corpusprep.cleaners.block_models import TOP_SCORE, write_model
from corpusprep.cleaners.content.training import examples as reading
from corpusprep.cleaners.content.training.examples import Examples, TrainingPage
from corpusprep.cleaners.content.training.fitting import Trainer, TrainingPlan
from corpusprep.cleaners.content.training.models import block_model
from corpusprep.cleaners.content.training.validation import (
    Validated,
    balanced_threshold,
    best_thresholds,
    counts,
    decide,
    means_of_sets,
    quality_by_set,
    validate,
)
from corpusprep.errors import ConfigError
from corpusprep.gold import sets
from corpusprep.gold.data import LICENCES, STORED
from corpusprep.gold.folders import read_folder, with_name
from corpusprep.gold.page_scores import CROSS, LEFT_OUT, PAGE_COLUMNS
from corpusprep.gold.pages import GoldSet
from corpusprep.gold.scores import Counts, intervals, macro, micro
from corpusprep.io import tsv

#: Fewest pages and fewest groups of pages (hosts) that a model is trained on.
LEAST_PAGES, LEAST_GROUPS = 40, 10
#: A card names languages with fewer training pages, and sets with a lower F1, as what the model is weak at.
FEW_PAGES, WEAK_F1 = 20, 88.0
#: What a card calls the language, or the kind, of pages whose gold does not state it.
NOT_SAID = "not said"


def train(gold: Sequence[str], data: Path | None, output: Path, plan: TrainingPlan, say: Callable[[str], None]) -> None:
    """Trains on gold sets; writes the model, and beside it `<name>.pages.tsv`.

    The table has one row per page and protocol: the counts of what a model that has not seen the page keeps.

    Args:
        gold: names of known sets, read from `data`, or folders with `html/`, and `gold/` or sheets.
        data: the folder of the known sets.
        output: the file of the model; its name is the name of the model.
        plan: how it is trained.
        say: is told what is being done.

    Raises:
        ConfigError: a set is unknown or absent, two have one name, or there are too few pages.
        GoldError: the files of a set are damaged.
    """
    gold_sets = read_gold_sets(gold, data, say)
    examples = reading.read(list(gold_sets.values()), members=plan.members)
    usable = [page for page in examples.own_pages if not page.left_out]
    groups = len({page.group for page in usable})
    if len(usable) < LEAST_PAGES or groups < LEAST_GROUPS:
        raise ConfigError(
            f"too small to train on: {len(usable)} usable pages of {groups} hosts; at least {LEAST_PAGES} pages of "
            f"{LEAST_GROUPS} hosts are needed"
        )
    families = [family(page.gold_set) for page in examples.pages]
    trainer = Trainer(examples, plan, native.NAME_COLUMNS)
    say(f"{len(usable):,} pages of {groups:,} hosts, {len(examples):,} blocks")
    validated = validate(trainer, families, say)
    # Pages to come are of kinds that no set has: what sets left out say of thresholds counts more.
    chosen_by = validated.cross if validated.left_out is None else validated.left_out
    by_set = quality_by_set(examples, chosen_by, families)
    quality = means_of_sets(by_set)
    thresholds = best_thresholds(quality) | {"balanced": balanced_threshold(by_set)}
    rows = _score(examples, validated, thresholds["balanced"], gold_sets)
    say("training")
    parts = trainer.train(np.ones(len(examples.pages), np.bool_))
    card = card_of(output.stem, examples, gold_sets, rows)
    card["f1_by_threshold"] = {
        f"{threshold / TOP_SCORE:g}": f"{scores_there['balanced']:.2f}" for threshold, scores_there in quality.items()
    }
    write_model(output, block_model(parts, thresholds, card))
    write_pages(output.with_suffix(".pages.tsv"), examples, rows)


def family(gold_set: str) -> str:
    """Returns what is left out together with a set: both halves of Canola."""
    return gold_set.removesuffix("-dev").removesuffix("-test")


Rows = Mapping[str, list[tuple[str, Counts]]]


def read_gold_sets(
    gold: Sequence[str], data: Path | None, say: Callable[[str], None], language: str = ""
) -> dict[str, GoldSet]:
    """Returns name -> set, for known sets and folders; arguments are as for read_gold.

    Raises:
        ConfigError: a set is absent, a folder has no pages with gold, or two sets have one name.
        GoldError: files of a set are damaged.
    """
    return {gold_set.name: gold_set for gold_set in (read_gold(name, data, say, language) for name in distinct(gold))}


def distinct(gold: Sequence[str]) -> list[str]:
    """Returns sets and folders, without those that are given again.

    Raises:
        ConfigError: two of them have one name.
    """
    names: dict[str, str] = {}
    for gold_name in gold:
        name = gold_name if gold_name in STORED else with_name(Path(gold_name)).name
        before = names.setdefault(name, gold_name)
        if before != gold_name and not (gold_name not in STORED and before not in STORED and _same(before, gold_name)):
            raise ConfigError(f"two gold sets are named {name}: {before} and {gold_name}; rename one folder")
    return list(names.values())


def _same(first: str, other: str) -> bool:
    return Path(first).resolve() == Path(other).resolve()


def read_gold(name: str, data: Path | None, say: Callable[[str], None], language: str = "") -> GoldSet:
    """Returns a known set, read from `data`, or the pages of a folder, whose special cases are said.

    `language` is as in read_folder.

    Raises:
        ConfigError: the set is absent, or the folder has no pages with gold.
        GoldError: its files are damaged.
    """
    if name not in STORED:
        gold_set = read_folder(Path(name), language)
        for case, count in gold_set.cases.items():
            if count:
                say(f"{name}: {count:,} {case}")
        return gold_set
    known = sets.read(name, data) if data is not None else None
    if known is None:
        raise ConfigError(f"gold set {name}: not found in {data or 'the folder --data, which is not given'}")
    return known


def _score(examples: Examples, validated: Validated, threshold: int, gold_sets: Mapping[str, GoldSet]) -> Rows:
    """Returns protocol -> measure and counts of each page."""
    scores = {CROSS: validated.cross, LEFT_OUT: validated.left_out}
    return {
        protocol: list(counts(examples, decide(examples, protocol_scores, threshold), gold_sets))
        for protocol, protocol_scores in scores.items()
        if protocol_scores is not None
    }


def card_of(name: str, examples: Examples, gold_sets: Mapping[str, GoldSet], rows: Rows) -> dict[str, Any]:
    """Returns what a model says about itself."""
    used = [page for page in examples.own_pages if not page.left_out]
    scores = [
        {"set": gold_set, "protocol": protocol, **_summary(examples, gold_set, rows[protocol])}
        for gold_set in gold_sets
        for protocol in rows
    ]
    return {
        "name": name,
        "made_by": f"corpusprep {__version__}",
        "sets": [
            {
                "name": gold_set.name,
                "title": gold_set.title,
                "licence": LICENCES.get(gold_set.name, "your own"),
                "data": gold_set.data,
                "pages": sum(page.gold_set == gold_set.name for page in used),
                "left_out": dict(
                    sorted(
                        Counter(
                            page.left_out for page in examples.pages if page.gold_set == gold_set.name and page.left_out
                        ).items()
                    )
                ),
            }
            for gold_set in gold_sets.values()
        ],
        "made_pages": sum(page.made for page in examples.pages),
        "languages": _numbers(page.language or NOT_SAID for page in used),
        "kinds": _numbers(page.kind or NOT_SAID for page in used),
        "scores": scores,
        "weak_at": _weak_at(scores, used),
    }


def _weak_at(scores: Sequence[Mapping[str, Any]], used: Sequence[TrainingPage]) -> list[str]:
    """Returns what a model has seen too little of, or was bad at in validation."""
    weak_sets = []
    languages = Counter(page.language for page in used if page.language)
    few = sorted(language for language, count in languages.items() if count < FEW_PAGES)
    if few:
        weak_sets.append(
            f"languages with under {FEW_PAGES} training pages: {', '.join(few)}, and all that are not named"
        )
    kinds = Counter(page.kind for page in used if page.kind)
    articles = kinds["article"] / max(1, kinds.total())
    if kinds and articles > 0.5:
        weak_sets.append(f"pages that are no articles: {articles:.0%} of the training pages of known kind are articles")
    weak = [score for score in scores if score["f1"] < WEAK_F1]
    return weak_sets + [
        f"pages like those of {score['set']}: F1 {score['f1']:.2f} ({score['protocol']})" for score in weak
    ]


def _numbers(values: Any) -> dict[str, int]:
    return dict(sorted(Counter(values).items(), key=lambda item: (-item[1], item[0])))


def _summary(examples: Examples, gold_set: str, rows: list[tuple[str, Counts]]) -> dict[str, Any]:
    """Returns measure, F1 of all words with its interval, and the mean over pages, in hundredths of points."""
    own = [row for page, row in zip(examples.own_pages, rows, strict=True) if page.gold_set == gold_set]
    values = [row for _, row in own]
    (low, high), _ = intervals(values)
    return {
        "measure": own[0][0],
        "f1": round(micro(values).f1, 2),
        "interval": [round(low, 2), round(high, 2)],
        "mean": round(macro(values).f1, 2),
    }


def write_pages(path: Path, examples: Examples, rows: Rows) -> None:
    """Writes one row per page and protocol."""
    tsv.write(
        path,
        PAGE_COLUMNS,
        (
            (
                page.gold_set,
                page.name,
                page.group,
                page.language,
                page.kind,
                page.gold_words,
                page.left_out,
                measure,
                protocol,
                *values,
            )
            for protocol, page_rows in rows.items()
            for page, (measure, values) in zip(examples.own_pages, page_rows, strict=True)
        ),
    )
