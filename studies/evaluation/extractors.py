"""Measures the models of `content`, and public extractors in the same run, on a gold set.

On a set that a model was trained on, its scores are from models that have not seen the page: by cross-validation,
and with the whole set left out. They are in the table that training wrote beside the model.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from corpusprep.cleaners.block_models import shipped_model
from corpusprep.cleaners.content.cleaner import Content, ContentSettings
from corpusprep.gold import json_files, sets
from corpusprep.gold.data import ALSO_TRAINED, TRAINED_ON
from corpusprep.gold.page_scores import PAGE_COLUMNS
from corpusprep.gold.pages import GoldPage, GoldSet
from corpusprep.gold.scores import Counts
from corpusprep.io import tsv
from studies.evaluation import measuring, peers
from studies.evaluation.decisions import Spans, decided, marked_texts, segment_for
from studies.evaluation.measuring import Measured, Scorer
from studies.evaluation.peer_programs import PROGRAMS

#: What is added to a model's name -> its settings. CleanEval and L3S-GN1 count readers' comments and titles as content,
#: and many of CleanEval's pages are no articles: `all text` is for such pages.
VARIANTS: dict[str, dict[str, Any]] = {
    "": {},
    ", recall": {"threshold": "recall"},
    ", comments": {"keep_comments": True},
    ", comments and title": {"keep_comments": True, "keep_title": True},
    ", all text": {"threshold": "recall", "keep_comments": True, "keep_title": True},
}


def measure_set(data: Path, name: str, output: Path) -> None:
    """Measures the shipped models and the installed peers; writes `<name>.tsv` (counts) and `<name>.json` (versions).

    The file of versions maps each peer to its version, or to null if it is not installed.

    Args:
        data: the folder of the gold sets.
        name: of the set.
        output: the folder to write to.

    Raises:
        ConfigError: there is no set of that name.
        GoldError: its files are damaged.
        ModelError: a model is damaged or was made for other features.
        StageFileError: the table of pages beside a model is missing or does not fit the set.
    """
    gold_set = sets.read(name, data) or GoldSet(name, sets.title(name), [])
    measured = of_models(gold_set)
    measured.counts.update(
        measuring.by_language(gold_set, lambda pages, _, scorer: peers.measure(pages, scorer)).counts
    )
    measuring.write(output / f"{name}.tsv", gold_set, measured)
    json_files.write(output / f"{name}.json", {peer.title: peer.version() for peer in (*peers.PEERS, *PROGRAMS)})


def of_models(gold_set: GoldSet, measures: Collection[str] | None = None) -> Measured:
    """Returns the counts of the shipped models, by these measures or all, on each page by a model that has not seen it.

    Raises:
        ModelError: a model is damaged or was made for other features.
        StageFileError: the table of pages beside a model is missing.
    """
    measured = measuring.by_language(gold_set, _of_language, measures)
    for model, trained_on in {**TRAINED_ON, **{model: names for model, (_, names) in ALSO_TRAINED.items()}}.items():
        if gold_set.pages and gold_set.name in trained_on:
            pages = shipped_model(model).with_suffix(".pages.tsv")
            measured.counts.update(validated(pages, model, gold_set).counts)
    return measured


def validated(path: Path, model: str, gold_set: GoldSet) -> Measured:
    """Returns what a table of pages says about a set, for systems named `<model>, <protocol>`."""
    counts: dict[tuple[str, str], dict[str, Counts]] = {}
    for row in tsv.read(path, PAGE_COLUMNS):
        if row["set"] == gold_set.name:
            system = counts.setdefault((f"{model}, {row['protocol']}", row["measure"]), {})
            system[row["page"]] = Counts(*(int(row[field]) for field in Counts._fields))
    names = [page.name for page in gold_set.pages]
    return Measured({key: [rows.get(name, Counts(0, 0, 0)) for name in names] for key, rows in counts.items()})


def texts(
    model: str, pages: list[GoldPage], variants: Sequence[Mapping[str, Any]] = ({},), *, markers: bool = False
) -> list[dict[str, list[str]]]:
    """Returns what a model keeps of each page, for each variant of its settings: text, and text with markers.

    Args:
        model: the path of its file.
        pages: in one language.
        variants: settings.
        markers: whether there are texts with markers, too (decisions.marked_texts); those without are `words`.
    """
    blocks = segment_for(Content(ContentSettings(model=model)), pages, ())
    spans = Spans.of_blocks(blocks)
    kept = [decided(Content(ContentSettings(model=model, **settings)), blocks) for settings in variants]
    return [
        {
            "words": [spans.page_text(number, good) for number in range(len(pages))],
            **(marked_texts(blocks, spans, good) if markers else {}),
        }
        for good in kept
    ]


def _of_language(pages: list[GoldPage], _code: str, scorer: Scorer) -> Iterator[tuple[str, str, list[Counts]]]:
    """Yields model, measure and counts per page, of pages in one language, for models not trained on their set."""
    for model, trained_on in TRAINED_ON.items():
        if scorer.gold_set in trained_on:
            continue
        kept_texts = texts(str(shipped_model(model)), pages, list(VARIANTS.values()), markers=scorer.has_markers)
        for variant, kept in zip(VARIANTS, kept_texts, strict=True):
            for name, counts in scorer.counts(kept.pop("words")):
                yield f"{model}{variant}", name, counts
            for name, marked in kept.items():
                yield f"{model}{variant}", name, scorer.of_marked(marked)
