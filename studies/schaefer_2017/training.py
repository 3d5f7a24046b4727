"""Trains a model of the algorithm `texrex`: on its published feature vectors, on gold pages, or on both."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpusprep import __version__
from corpusprep.cleaners.content.training import labels
from corpusprep.cleaners.content.training.examples import fold_of
from corpusprep.cleaners.content.training.train import LEAST_GROUPS, LEAST_PAGES, distinct, read_gold
from corpusprep.errors import ConfigError
from corpusprep.gold.data import LICENCES
from corpusprep.gold.pages import GoldPage, GoldSet
from studies.schaefer_2017 import vectors
from studies.schaefer_2017.classifiers import perceptron
from studies.schaefer_2017.markup_blocks import ONE, MarkupSegmenter
from studies.schaefer_2017.perceptrons import FEATURES, PerceptronModel, write_model

#: Parts of the blocks that are scored in turn, by a model of the other parts (Schäfer 2016, 3.1).
FOLDS = 10
#: A block of a gold page is main content from this share of its words in the gold text on.
LEAST_SHARE = 0.5
VECTORS_LICENCE = "BSD-2-Clause"


@dataclass(slots=True, frozen=True)
class Blocks:
    """Blocks to learn from.

    Attributes:
        rows: int16, (blocks, 37), as Blocks.markup.
        good: bool, blocks: whether a block is main content.
        folds: int64, blocks: 0 to FOLDS - 1; blocks of a host are in one fold.
        about: what a model's card says of them.
    """

    rows: NDArray[np.int16]
    good: NDArray[np.bool_]
    folds: NDArray[np.int64]
    about: dict[str, Any]

    def __len__(self) -> int:
        return len(self.good)


def train(gold: Sequence[str], data: Path | None, output: Path, say: Callable[[str], None]) -> None:
    """Trains on all blocks, and writes the model. Its card has the scores of cross-validation.

    Args:
        gold: `texrex-blocks`, texrex's own vectors, or `texrex-blocks:de`, the vectors of a language; names of known
            gold sets, read from `data`; folders with `html/`, and `gold/` or sheets.
        data: the folder of the known sets.
        output: the file of the model; its name is the name of the model.
        say: is told what is being done.

    Raises:
        ConfigError: a set is unknown or absent, two have one name, or there are too few pages.
        GoldError: the files of a set are damaged.
        StageFileError: the vectors are missing or damaged.
    """
    import sklearn  # noqa: F401  (before pages are read: it may be missing)
    import threadpoolctl  # noqa: F401

    parts = [part for name in distinct(gold) for part in _read(name, data, say)]
    rows = np.concatenate([part.rows for part in parts])
    good = np.concatenate([part.good for part in parts])
    folds = np.concatenate([part.folds for part in parts])
    say(f"{len(good):,} blocks, {int(good.sum()):,} of them main content")
    called = np.zeros(len(good), np.bool_)
    for fold in range(FOLDS):
        judged = folds == fold
        if judged.any() and not judged.all():
            say(f"validating: fold {fold + 1} of {FOLDS}")
            model = fit(rows[~judged], good[~judged], {})
            called[judged] = model.native.scores(np.ascontiguousarray(rows[judged])) >= 500
    say("training")
    languages = {part.about["language"] for part in parts}
    card = {
        "name": output.stem,
        "made_by": f"corpusprep {__version__}",
        "sets": [part.about for part in parts],
        "scores": {"folds": FOLDS, **scores_of(~called, ~good)},
    }
    language = languages.pop() if len(languages) == 1 else ""
    write_model(output, fit(rows, good, card, language))


def fit(rows: NDArray[np.int16], good: NDArray[np.bool_], card: dict[str, Any], language: str = "") -> PerceptronModel:
    """Returns a perceptron that has learned from blocks; the same blocks give the same model on a machine."""
    from threadpoolctl import threadpool_limits

    classifier = perceptron(len(FEATURES))
    with threadpool_limits(1):  # sums depend on the number of threads
        classifier.fit(rows / ONE, good)
    hidden, output = classifier.coefs_
    return PerceptronModel.of_weights(
        hidden.T, classifier.intercepts_[0], output[:, 0], float(classifier.intercepts_[1][0]), card, language
    )


def of_vectors(data: Path, language: str) -> Blocks:
    """Returns texrex's own blocks of a language. Their pages are not known: folds are runs of blocks.

    Raises:
        StageFileError: the vectors are missing or damaged.
    """
    read_vectors = vectors.read(data, language)
    rows = np.clip(np.floor(read_vectors.features * ONE + 0.5), -32767, 32767).astype(np.int16)
    about = {
        "name": vectors.NAME,
        "language": language,
        "licence": VECTORS_LICENCE,
        "blocks": len(read_vectors),
        "main_content": int((~read_vectors.boilerplate).sum()),
    }
    return Blocks(rows, ~read_vectors.boilerplate, np.arange(len(read_vectors)) * FOLDS // len(read_vectors), about)


def of_pages(gold_set: GoldSet) -> Blocks:
    """Returns the blocks of a gold set's pages, as this package cuts and measures them.

    Raises:
        ConfigError: there are too few pages.
    """
    pages = [page for page in gold_set.pages if page.gold and not page.overlap]
    groups = len({page.site or page.name for page in pages})
    if len(pages) < LEAST_PAGES or groups < LEAST_GROUPS:
        raise ConfigError(
            f"gold set {gold_set.name}: too small to train on: {len(pages)} usable pages of {groups} hosts; at least "
            f"{LEAST_PAGES} pages of {LEAST_GROUPS} hosts are needed"
        )
    segmenter = MarkupSegmenter(())
    for page in pages:
        segmenter.add(page.html)
    blocks = segmenter.take()
    if blocks.markup is None:
        raise TypeError("blocks were cut without features")
    words = [labels.words_of(text) for text in blocks.texts()]
    bounds = blocks.pages.tolist()
    shares, judged = [], []
    for page, first, end in zip(pages, bounds, bounds[1:], strict=False):
        gold = labels.gold_words(next(iter(page.gold.values())), markup=gold_set.markup)
        shares.append(labels.shares(words[first:end], gold))
        judged.append(_judged(page, words[first:end]))
    taught = np.concatenate(judged)
    folds = np.repeat([fold_of(page.site or page.name, FOLDS) for page in pages], np.diff(blocks.pages))[taught]
    good = np.concatenate(shares)[taught] >= LEAST_SHARE
    codes = {page.language for page in pages}
    about = {
        "name": gold_set.name,
        "language": codes.pop() if len(codes) == 1 else "",
        "licence": LICENCES.get(gold_set.name, "your own"),
        "data": gold_set.data,
        "pages": len(pages),
        "blocks": len(good),
        "main_content": int(good.sum()),
    }
    return Blocks(blocks.markup[taught], good, folds, about)


def _judged(page: GoldPage, words: Sequence[Sequence[str]]) -> NDArray[np.bool_]:
    """Returns which blocks teach: all, or of a page with a sheet, those whose words are in blocks that were judged."""
    if page.labels is None:
        return np.ones(len(words), np.bool_)
    text = labels.words_of("\n".join(text for _, text in page.labels.values()))
    known: NDArray[np.bool_] = labels.shares(words, text) >= LEAST_SHARE
    return known


def _read(name: str, data: Path | None, say: Callable[[str], None]) -> list[Blocks]:
    source, _, language = name.partition(":")
    if source != vectors.NAME:
        return [of_pages(read_gold(name, data, say))]
    if data is None:
        raise ConfigError(f"gold set {name}: the folder --data is not given")
    if language and language not in vectors.LANGUAGES:
        raise ConfigError(f"gold set {name}: {source} has the languages {', '.join(vectors.LANGUAGES)}")
    return [of_vectors(data, code) for code in ([language] if language else vectors.LANGUAGES)]


def scores_of(called: NDArray[np.bool_], truth: NDArray[np.bool_]) -> dict[str, float]:
    """Returns the scores of what is called boilerplate, as the paper has them; `baseline` is its share."""
    hits = int((called & truth).sum())
    return {
        "precision": round(hits / max(1, int(called.sum())), 4),
        "recall": round(hits / max(1, int(truth.sum())), 4),
        "f1": round(2 * hits / max(1, int(called.sum()) + int(truth.sum())), 4),
        "correct": round(float((called == truth).mean()), 4),
        "baseline": round(float(truth.mean()), 4),
    }
