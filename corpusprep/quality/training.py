"""Trains a classifier of quality on good and bad documents, and measures it on hosts that it has not seen.

Logistic regression by stochastic gradient descent, with a rate per feature (Duchi, Hazan and Singer 2011, AdaGrad).
Documents come in the order of their digests, sums are those of whole numbers, and all else are single operations of
IEEE 754: the same documents give the same model, in any order and on any machine.
"""

import hashlib
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpusprep import __version__
from corpusprep._native.quality import FEATURES
from corpusprep.errors import ConfigError
from corpusprep.io import tsv
from corpusprep.io.files import replacing
from corpusprep.quality.classifier import SCALE, WEIGHT_SCALE, QualityModel, score, write_model
from corpusprep.quality.examples import Example, read_examples

#: Fewest documents, and fewest hosts, of each folder.
LEAST_DOCUMENTS, LEAST_HOSTS = 20, 5
#: Parts of the hosts that are scored in turn, by a model of the other parts.
FOLDS = 5
#: Thresholds of the card.
SHOWN = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
#: Fewest hosts that have a feature with a weight: names and set phrases of one host say nothing of others.
_HOSTS = 3
#: Rounds over the documents, and rates of features and of the bias: chosen by hosts on gold texts of WCXB, articles
#: against other pages.
_ROUNDS, _RATE, _BIAS_RATE = 10, 3.0, 0.05
#: Weights have this unit while a model learns: sums are exact.
_UNIT = 1 << 16
_LARGEST = 2**15 - 1


def train(good: Path, bad: Path, output: Path, say: Callable[[str], None]) -> QualityModel:
    """Trains on two folders; writes the model, `<name>.card.md` and `<name>.documents.tsv` beside it.

    The table has one row per document: its score by a model that has not seen its host.

    Args:
        good: the folder, or file, of good documents.
        bad: that of bad ones.
        output: the file of the model.
        say: is told what is being done.

    Raises:
        ArchiveError: a file cannot be read, or has no texts.
        ConfigError: there are too few documents or hosts.
    """
    examples, repeated, both = read_examples(good, bad)
    good_ones = [example for example in examples if example.good]
    bad_ones = [example for example in examples if not example.good]
    for folder, side in ((good, good_ones), (bad, bad_ones)):
        hosts = len({example.host for example in side})
        if len(side) < LEAST_DOCUMENTS or hosts < LEAST_HOSTS:
            raise ConfigError(
                f"{folder}: too small to train on: {len(side)} documents of {hosts} hosts; at least {LEAST_DOCUMENTS}"
                f" documents of {LEAST_HOSTS} hosts are needed"
            )
    say(f"{len(good_ones):,} good and {len(bad_ones):,} bad documents")
    if repeated or both:
        say(f"left out: {repeated:,} repeated texts, {both:,} texts that are good and bad")
    folds = np.array([_fold(example.host) for example in examples])
    scores = np.zeros(len(examples))
    for fold in range(FOLDS):
        held_out = np.flatnonzero(folds == fold)
        rest = [examples[place] for place in np.flatnonzero(folds != fold).tolist()]
        if not len(held_out) or len({example.good for example in rest}) < 2:
            continue
        say(f"validating: fold {fold + 1} of {FOLDS}")
        model = fit(rest)
        scores[held_out] = [score_of(model, examples[place]) for place in held_out.tolist()]
    say("training")
    model = fit(examples)
    card = _card(output.stem, examples, scores)
    model = QualityModel(model.weights, model.bias, card)
    write_model(output, model)
    with replacing(output.with_suffix(".card.md")) as temporary:
        temporary.write_text(card_text(card), encoding="utf-8")
    rows = sorted(zip(examples, scores.tolist(), strict=True), key=lambda row: (row[1], row[0].digest))
    tsv.write(
        output.with_suffix(".documents.tsv"),
        ("score", "label", "host", "name"),
        ((f"{of:.4f}", "good" if example.good else "bad", example.host, example.name) for example, of in rows),
    )
    return model


def _fold(host: str) -> int:
    return int(hashlib.sha256(host.encode()).hexdigest(), 16) % FOLDS


def fit(examples: Sequence[Example]) -> QualityModel:
    """Returns a model of documents, good and bad ones, which count as much as each other in all."""
    counted = _known(examples)
    share = sum(example.good for example in examples) / len(examples)
    rates = {True: 0.5 / share, False: 0.5 / (1 - share)}
    weights, squares, bias = np.zeros(FEATURES), np.full(FEATURES, 1e-12), 0.0
    rows = []
    for example in examples:
        known = counted[example.features]
        rows.append((example.features[known], example.counts[known], int(example.counts.sum()), example.good))
    for number in range(_ROUNDS):
        for features, counts, total, good in rows:
            whole = int((np.rint(weights[features] * _UNIT).astype(np.int64) * counts).sum())
            odds = max(-30.0, min(30.0, bias + whole / (_UNIT * total)))
            # Rounded: the last bit of an exponential depends on the machine.
            likely = round(_UNIT / (1 + math.exp(-odds))) / _UNIT
            error = (likely - good) * rates[good]
            bias -= _BIAS_RATE * error / math.sqrt(1 + number)
            slope = error * (counts / total)
            squares[features] += slope * slope
            weights[features] -= _RATE * slope / np.sqrt(squares[features])
    whole_weights = np.clip(np.rint(weights * WEIGHT_SCALE), -_LARGEST, _LARGEST).astype(np.int16)
    return QualityModel(whole_weights, round(bias * SCALE))


def _known(examples: Sequence[Example]) -> NDArray[np.bool_]:
    """Returns which features several hosts have."""
    hosts: dict[str, list[NDArray[np.uint32]]] = {}
    for example in examples:
        hosts.setdefault(example.host, []).append(example.features)
    number = np.zeros(FEATURES, np.int64)
    for features in hosts.values():
        number[np.unique(np.concatenate(features))] += 1
    return number >= _HOSTS


def score_of(model: QualityModel, example: Example) -> float:
    """Returns the score of a document, as QualityModel.scores does of its text."""
    whole = int((model.weights[example.features].astype(np.int64) * example.counts).sum())
    return score(model.bias + whole * SCALE // (WEIGHT_SCALE * max(1, int(example.counts.sum()))))


def _card(name: str, examples: Sequence[Example], scores: NDArray[np.float64]) -> dict[str, Any]:
    good = np.array([example.good for example in examples])
    digest = hashlib.sha256("".join(f"{example.digest}{example.good:d}" for example in examples).encode())
    return {
        "name": name,
        "made_by": f"corpusprep {__version__}",
        "data": digest.hexdigest(),
        **{
            side: {
                "documents": int(chosen.sum()),
                "hosts": len({example.host for example, taken in zip(examples, chosen, strict=True) if taken}),
            }
            for side, chosen in (("good", good), ("bad", ~good))
        },
        "area": round(area_under_curve(scores, good), 4),
        "thresholds": [
            {
                "threshold": threshold,
                "good_kept": round(float((scores[good] >= threshold).mean()), 4),
                "bad_kept": round(float((scores[~good] >= threshold).mean()), 4),
            }
            for threshold in SHOWN
        ],
    }


def area_under_curve(scores: NDArray[np.float64], good: NDArray[np.bool_]) -> float:
    """Returns how often a good document has a higher score than a bad one; an equal one counts half.

    >>> area_under_curve(np.array([0.1, 0.4, 0.4, 0.9]), np.array([False, False, True, True]))
    0.875
    """
    bad = np.sort(scores[~good])
    below = np.searchsorted(bad, scores[good], side="left")
    up_to = np.searchsorted(bad, scores[good], side="right")
    return float((below + up_to).sum() / (2 * len(bad) * int(good.sum())))


def card_text(card: dict[str, Any]) -> str:
    """Returns the card of a model as Markdown."""
    rows = "".join(
        f"| {row['threshold']:g} | {100 * row['good_kept']:.1f} % | {100 * row['bad_kept']:.1f} % |\n"
        for row in card["thresholds"]
    )
    sides = "".join(f"| {side} | {card[side]['documents']:,} | {card[side]['hosts']:,} |\n" for side in ("good", "bad"))
    return f"""# {card["name"]}

A classifier of documents, good against bad ones, made by {card["made_by"]}: a linear model over hashed words and
pairs of words. A score is from 0 (bad) to 1 (good). Good and bad documents count as much as each other in training,
however many there are.

| documents | number | hosts |
|---|---:|---:|
{sides}
## On hosts that it has not seen

Each document is scored by a model that has not seen its host ({FOLDS} parts of the hosts). A good document has a higher
score than a bad one in {100 * card["area"]:.1f} % of all pairs. Of the documents, these stay:

| model_score at least | good | bad |
|---:|---:|---:|
{rows}
## Limits

It knows documents like those that it was trained on: their languages, their kinds, their time. What the two folders
differ in, it learns, whether that is quality or not: look at `{card["name"]}.documents.tsv`, and at a sample of what it
removes. SHA-256 of the texts and their sides: `{card["data"]}`.
"""
