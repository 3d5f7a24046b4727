"""Models of Victor: the kernel against plain Python, against python-crfsuite, and their files."""

import itertools
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pycrfsuite
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import plain_chain
from support.small_models import small_model
from support.small_victor import NAMES, chains, small_victor

from corpusprep._native import victor as native
from corpusprep.cleaners import block_models
from corpusprep.cleaners.victor.victor_models import (
    OTHER,
    PLACES,
    UNITS,
    VictorModel,
    columns_of,
    log_add,
    read_model,
    write_model,
)
from corpusprep.errors import ModelError
from corpusprep.pages import html
from corpusprep.pages.segmentation import Segmenter


def columns_for(blocks: int, seed: int) -> np.ndarray:
    """Any features."""
    return np.random.default_rng(seed).integers(0, 256, (len(NAMES), blocks)).astype(np.uint8)


@settings(max_examples=60, deadline=None)
@given(chains(), st.lists(st.integers(0, 9), max_size=4), st.integers(0, 2**32 - 1))
def test_labels_and_scores_are_those_of_plain_python(model: VictorModel, sizes: list[int], seed: int) -> None:
    """For pages of any size, also without blocks; no page depends on another."""
    columns = columns_for(sum(sizes), seed)
    bounds = np.cumsum([0, *sizes], dtype=np.int64)
    labels, scores = model.native.decode(columns, bounds)
    for first, end in itertools.pairwise(bounds.tolist()):
        if end > first:
            page = columns[:, first:end]
            assert labels[first:end].tolist() == plain_chain.best(model, page)
            assert scores[first:end].tolist() == plain_chain.scores(model, page)


@settings(max_examples=25, deadline=None)
@given(chains(), st.integers(1, 5), st.integers(0, 2**32 - 1))
def test_the_best_sequence_and_the_scores_are_right(model: VictorModel, blocks: int, seed: int) -> None:
    """Against all sequences of labels: the highest sum, and the share of those with main content at a block."""
    model = replace(model, weights=model.weights % UNITS, transitions=model.transitions % UNITS)
    columns = columns_for(blocks, seed)
    states = np.array(plain_chain.states(model, columns))
    sequences = list(itertools.product(range(len(model.labels)), repeat=blocks))
    sums = np.array(
        [
            sum(states[place, label] for place, label in enumerate(one))
            + sum(int(model.transitions[pair]) for pair in itertools.pairwise(one))
            for one in sequences
        ]
    )
    labels, scores = model.native.decode(columns, np.array([0, blocks]))
    assert sums[sequences.index(tuple(labels.tolist()))] == sums.max()
    weights = np.exp((sums - sums.max()) / UNITS)
    good = np.array([[model.labels[label] != OTHER for label in one] for one in sequences])
    shares = (weights[:, None] * good).sum(axis=0) / weights.sum()
    assert np.abs(scores / 1000 - shares).max() < 0.002


def test_scores_are_the_marginals_of_crfsuite(tmp_path: Path) -> None:
    """A field that python-crfsuite has trained has the same labels and probabilities in the kernel."""
    numbers = np.random.default_rng(5)
    columns = numbers.integers(0, 3, (len(NAMES), 400)).astype(np.uint8)
    labels = ["content" if one else OTHER for one in np.convolve(columns[0] == 2, [1, 1, 1], "same") > 1]
    items = [[f"a{row}c{columns[row, block]}" for row in range(3)] for block in range(400)]
    trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
    trainer.set_params({"c2": 0.1, "feature.possible_transitions": True})
    for start in range(0, 300, 20):
        trainer.append(items[start : start + 20], labels[start : start + 20])
    trainer.train(str(tmp_path / "crf"))
    tagger = pycrfsuite.Tagger()
    tagger.open(str(tmp_path / "crf"))
    info = tagger.info()
    names = (OTHER, "content")
    weights = np.zeros((3, 4, 2), np.int32)
    for (attribute, label), value in info.state_features.items():
        weights[int(attribute[1]), int(attribute[3]), names.index(label)] = round(value * UNITS)
    between = np.array([[round(info.transitions[a, b] * UNITS) for b in names] for a in names], np.int32)
    borders = tuple(np.array([0, 1], np.uint8) for _ in range(3))
    model = VictorModel(
        names, np.arange(3, dtype=np.uint16), np.zeros(3, np.int8), borders, weights.reshape(12, 2), between
    )
    found, scores = model.native.decode(np.ascontiguousarray(columns[:, 300:]), np.array([0, 100]))
    tagger.set(items[300:])
    assert [names[one] for one in found] == tagger.tag()
    marginals = np.array([tagger.marginal("content", place) for place in range(100)])
    assert np.abs(scores / 1000 - marginals).max() < 0.002
    assert marginals.std() > 0.2
    tagger.close()


def test_a_score_is_on_the_side_of_the_best_sequence() -> None:
    """From 500 on, exactly the blocks are content that are so in the most likely sequence; other scores stay."""
    # Short blocks: 0.6 for the two kinds of main content together, but 0.4 for the most likely label.
    weights = np.array([[0.3, 0, 0], [0, 2, 0], [0, 0, 0], [0, 0, 0], [3, 0, 0], [0, 0, 0]]) * UNITS
    model = replace(
        small_victor(),
        labels=(OTHER, "header", "list"),
        weights=weights.astype(np.int32),
        transitions=np.zeros((3, 3), np.int32),
    )
    sizes = np.random.default_rng(1).integers(1, 20, (60, 6)).tolist()
    pages = [
        html.parse("".join(f"<p>{'w ' * size}<a href=x>{'l ' * (size % 7)}</a>" for size in page)) for page in sizes
    ]
    found = []
    for features in (False, True):
        segmenter = Segmenter((), model=model, features=features)
        for root in pages:
            segmenter.add(root)
        blocks = segmenter.take()
        assert blocks.features is not None
        assert blocks.features.scores is not None
        found.append(blocks.features.scores)
    assert found[0].tolist() == found[1].tolist()
    assert blocks.features.columns is not None
    columns = columns_of(blocks, blocks.features.columns[list(PLACES)])
    labels, scores = model.native.decode(columns, blocks.pages)
    assert ((found[0] >= 500) == (labels > 0)).all()
    moved = found[0] != scores
    assert (np.abs(found[0].astype(int) - 500)[moved] <= 1).all()
    assert 0 < moved.sum() < len(moved) / 2


def test_log_add_ends_where_nothing_is_added() -> None:
    """Its first value is the logarithm of two; it descends to half a unit."""
    added = log_add()
    assert added[0] == round(UNITS * np.log(2))
    assert (np.diff(added) <= 0).all()
    assert added[-1] == 1


def test_a_model_is_read_as_it_was_written(tmp_path: Path) -> None:
    """The same model gives the same bytes; all of it comes back."""
    path, again = tmp_path / "a.model", tmp_path / "b.model"
    write_model(path, small_victor())
    found = read_model(path)
    write_model(again, found)
    assert again.read_bytes() == path.read_bytes()
    assert found.labels == small_victor().labels
    assert found.card == small_victor().card
    columns = columns_for(50, 3)
    for ours, theirs in zip(
        found.native.decode(columns, np.array([0, 50])),
        small_victor().native.decode(columns, np.array([0, 50])),
        strict=True,
    ):
        assert ours.tolist() == theirs.tolist()


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"transitions": np.zeros((2, 3), np.int32)}, "transitions"),
        ({"weights": np.zeros((5, 2), np.int32)}, "do not fit the attributes"),
        ({"weights": np.full((6, 2), 2**23, np.int32)}, "too large"),
        ({"borders": (np.array([10, 5], np.uint8), np.array([], np.uint8))}, "do not ascend"),
        ({"labels": (OTHER, OTHER)}, "labels are 2 to 16"),
        ({"offsets": np.zeros(3, np.int8)}, "attributes"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(changed: dict[str, Any], message: str, tmp_path: Path) -> None:
    """By the kernel, so that nothing is read beyond them."""
    with pytest.raises(ValueError, match=message):
        write_model(tmp_path / "x.model", replace(small_victor(), **changed))


def test_the_kernel_refuses_labels_that_are_neither_content_nor_not() -> None:
    """As no model file can hold one, it is built by hand."""
    empty = np.zeros(0, np.uint8)
    field = [np.zeros(0, np.uint16), np.zeros(0, np.int16), empty, empty, np.zeros(0, np.int32), np.zeros(9, np.int32)]
    with pytest.raises(ValueError, match=r"main content \(1\) or not \(0\)"):
        native.ChainModel(*field, np.array([0, 1, 192], np.uint8), log_add(), block_models.score_borders(1 / UNITS))


def test_a_model_of_something_else_is_refused_by_name(tmp_path: Path) -> None:
    """Another algorithm, other features, another version, a missing and a damaged file."""
    path = tmp_path / "x.model"
    block_models.write_model(path, small_model())
    with pytest.raises(ModelError, match="a model of the algorithm content, not of victor"):
        read_model(path)
    write_model(path, small_victor())
    with pytest.raises(ModelError, match="a model of the algorithm victor, not of content"):
        block_models.read_model(path, "content")
    good = path.read_bytes()
    path.write_bytes(good[:-1])
    with pytest.raises(ModelError, match="damaged model; train it again: corpusprep train victor"):
        read_model(path)
    path.write_bytes(good.replace(b"block model 1\n", b"block model 9\n"))
    with pytest.raises(ModelError, match="model of version 9"):
        read_model(path)
    with pytest.raises(ModelError, match="cannot read the model"):
        read_model(tmp_path / "absent.model")


def test_a_model_of_other_features_names_the_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A feature whose unit has changed is another feature."""
    from corpusprep.cleaners.victor import victor_models

    path = tmp_path / "x.model"
    described = victor_models.victor_features()
    with monkeypatch.context() as patch:
        changed = [replace(one, unit="another") if one.name == "words" else one for one in described]
        patch.setattr(victor_models, "victor_features", lambda: tuple(changed))
        write_model(path, small_victor())
    with pytest.raises(ModelError, match="reads the feature words, which this corpusprep does not measure"):
        read_model(path)
