"""Model files of learned cleaners."""

import itertools
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.small_models import NAMES, SCALE, forests, plain_sum, small_model

from corpusprep.cleaners.block_models import BlockModel, Trees, read_model, score_borders, write_model
from corpusprep.errors import ModelError
from corpusprep.pages.features import Tables


@settings(max_examples=40, deadline=None)
@given(forests(), st.integers(0, 600), st.integers(0, 2**32 - 1))
def test_scores_are_those_of_the_plain_trees(trees: Trees, blocks: int, seed: int) -> None:
    """Sums of leaves, and the number of borders that they reach, for any number of blocks."""
    columns = np.random.default_rng(seed).integers(0, 256, (len(NAMES), blocks)).astype(np.uint8)
    model = BlockModel("content", Tables.empty(), trees, {}, SCALE).native
    sums = [plain_sum(trees, columns[:, block].tolist()) for block in range(blocks)]
    assert model.sums(columns).tolist() == sums
    assert model.scores(columns).tolist() == [int((trees.borders <= total).sum()) for total in sums]


@pytest.mark.parametrize("blocks", [257, 300, 319, 320, 513])
def test_no_value_behind_the_last_one_is_read(blocks: int) -> None:
    """Trees read the last feature in a page of more blocks than are looked up together: a sanitizer sees the reads."""
    trees = Trees(
        depths=np.full(2, 6, np.uint8),
        features=np.full(12, len(NAMES) - 1, np.uint8),
        thresholds=np.arange(12, dtype=np.uint8),
        leaves=np.arange(-64, 64, dtype=np.int16),
        borders=score_borders(0.01),
        bias=0,
    )
    columns = np.zeros((len(NAMES), blocks), np.uint8)
    columns[-1] = np.arange(blocks) % 13
    model = BlockModel("content", Tables.empty(), trees, {}, SCALE).native
    sums = [plain_sum(trees, columns[:, block].tolist()) for block in range(blocks)]
    assert model.sums(columns).tolist() == sums
    assert model.scores(columns).tolist() == [int((trees.borders <= total).sum()) for total in sums]


@settings(max_examples=40, deadline=None)
@given(st.sampled_from([0, 1, 40, 3000, 10**6, 2**30]), st.sampled_from([1, 2, 30, 1000]), st.integers(0, 2**32 - 1))
def test_a_score_is_the_number_of_borders_that_a_sum_reaches(spread: int, different: int, seed: int) -> None:
    """However the borders lie: all equal, a few far apart, or close to each other; the sums are at them and around."""
    numbers = np.random.default_rng(seed)
    values = numbers.integers(-spread, spread + 1, different)
    borders = np.sort(numbers.choice(values, 1000)).astype(np.int32)
    none = small_model().trees
    trees = replace(none, depths=none.depths[:0], features=none.features[:0], thresholds=none.thresholds[:0])
    column = np.zeros((len(NAMES), 1), np.uint8)
    for total in {-(10**8), 10**8, *(int(one) + step for one in borders[::99] for step in (-1, 0, 1))}:
        if abs(total) > 10**8:  # no model has such a bias
            continue
        only_bias = replace(trees, leaves=none.leaves[:0], borders=borders, bias=total)
        model = BlockModel("content", Tables.empty(), only_bias, {}, SCALE).native
        assert model.scores(column).tolist() == [int((borders <= total).sum())]


@settings(max_examples=10, deadline=None)
@given(st.sampled_from([300, 666, 8000, 2**15]), st.integers(1, 70), st.integers(0, 2**32 - 1))
def test_sums_of_many_trees_of_six_levels_are_exact(largest: int, blocks: int, seed: int) -> None:
    """These trees are summed together in 16 bits, as long as the sums have room there, and 32 blocks at a time."""
    numbers = np.random.default_rng(seed)
    trees = Trees(
        depths=np.full(120, 6, np.uint8),
        features=numbers.integers(0, len(NAMES), 720).astype(np.uint8),
        thresholds=numbers.integers(0, 256, 720).astype(np.uint8),
        leaves=numbers.choice([-largest, largest - 1], 120 * 64, p=[0.9, 0.1]).astype(np.int16),
        borders=score_borders(0.01),
        bias=7,
    )
    columns = numbers.integers(0, 256, (len(NAMES), blocks)).astype(np.uint8)
    model = BlockModel("content", Tables.empty(), trees, {}, SCALE).native
    assert model.sums(columns).tolist() == [plain_sum(trees, columns[:, block].tolist()) for block in range(blocks)]


@settings(max_examples=25, deadline=None)
@given(forests(), st.integers(0, 2**32 - 1))
def test_contributions_add_up_to_the_score(trees: Trees, seed: int) -> None:
    """With the mean of each tree's leaves and the bias, the features' shares are the whole sum."""
    columns = np.random.default_rng(seed).integers(0, 256, (len(NAMES), 7)).astype(np.uint8)
    model = BlockModel("content", Tables.empty(), trees, {}, SCALE)
    starts = np.concatenate([[0], np.cumsum(2 ** trees.depths.astype(int))])
    means = sum(trees.leaves[a:b].mean() for a, b in itertools.pairwise(starts)) + trees.bias
    whole = (model.native.sums(columns) - means) * SCALE
    assert np.allclose(model.contributions(columns).sum(axis=0), whole)


@pytest.mark.parametrize("scale", [0.001, 0.02, 1.0])
def test_a_score_is_the_rounded_probability(scale: float) -> None:
    """In per mille, within a rounding error of one sum."""
    borders = score_borders(scale)
    assert (np.diff(borders) >= 0).all()
    for total in range(-600, 600, 7):
        score = int((borders <= total).sum())
        assert abs(score - 1000 / (1 + math.exp(-scale * total))) <= 0.5 + 1e-6


def test_a_model_is_read_as_it_was_written(tmp_path: Path) -> None:
    """The same model gives the same bytes; all of it comes back."""
    path, again = tmp_path / "a.model", tmp_path / "b.model"
    write_model(path, small_model())
    found = read_model(path, "content", "cs")
    write_model(again, found)
    assert again.read_bytes() == path.read_bytes()
    assert found.card["name"] == "small"
    assert found.thresholds == small_model().thresholds
    columns = np.random.default_rng(1).integers(0, 256, (len(NAMES), 50)).astype(np.uint8)
    assert np.array_equal(found.native.scores(columns), small_model().native.scores(columns))


def altered(data: bytes, old: bytes, new: bytes) -> bytes:
    """The file with other bytes in its header, and the digest that fits them."""
    import hashlib

    assert old in data
    content = data[:-32].replace(old, new, 1)
    return content + hashlib.sha256(content).digest()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (b"block model 1", b"block model 9", "version 9"),
        (b"corpusprep block", b"somebody's block", "not a model"),
        (b'"link_density", ', b'"link_redness", ', "the feature link_redness"),
        (b'"share of words in links"', b'"share of words in LINKS"', "the feature link_density"),
        (b'"algorithm": "content"', b'"algorithm": "victors"', "a model of the algorithm victors, not of content"),
        (b'"language": ""', b'"language": "de"', "a model of the language de, not of en"),
        (b'["depths", [4]]', b'["depths", [9]]', "does not fit into the file"),
        (b'["depths", [4]]', b'["depths", [3]]', "unusable"),
        (b'["depths", [4]]', b'["heights", [4]]', "unusable"),
        (b'"balanced": 500', b'"balanced": 5000', "out of range"),
        (b'"scale": 0.01', b'"scale": NaN', "out of range"),
        (b'{"algorithm"', b'["algorithm"', "unusable"),
    ],
)
def test_a_model_for_something_else_is_refused_by_name(tmp_path: Path, old: bytes, new: bytes, message: str) -> None:
    """The message says what it is for, and what was asked for."""
    path = tmp_path / "x.model"
    write_model(path, small_model())
    path.write_bytes(altered(path.read_bytes(), old, new))
    with pytest.raises(ModelError, match=message) as error:
        read_model(path, "content", "en")
    assert str(path) in str(error.value)
    assert "\n" not in str(error.value)


def test_a_missing_model_is_named(tmp_path: Path) -> None:
    """With its path."""
    with pytest.raises(ModelError, match=r"nowhere\.model: cannot read the model"):
        read_model(tmp_path / "nowhere.model", "content")


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_damaged_model_is_refused(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    """Any flipped byte, and any truncation."""
    path = tmp_path_factory.mktemp("models") / "x.model"
    write_model(path, small_model())
    good = bytearray(path.read_bytes())
    place = data.draw(st.integers(0, len(good) - 1))
    if data.draw(st.booleans()):
        good[place] ^= data.draw(st.integers(1, 255))
    else:
        del good[place:]
    path.write_bytes(good)
    with pytest.raises(ModelError):
        read_model(path, "content")


def broken(**changed: object) -> BlockModel:
    """The small model with other trees."""
    model = small_model()
    return replace(model, trees=replace(model.trees, **changed))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "model",
    [
        broken(depths=np.array([9], np.uint8)),
        broken(leaves=np.zeros(3, np.int16)),
        broken(features=np.array([0, 1, 2, 255], np.uint8)),
        broken(borders=np.zeros(7, np.int32)),
        broken(borders=score_borders(SCALE)[::-1].copy()),
        broken(bias=2**30),
        replace(small_model(), thresholds={"balanced": 500}),
    ],
    ids=["deep", "leaves", "feature", "few borders", "borders", "bias", "thresholds"],
)
def test_a_model_that_does_not_fit_together_is_not_written(tmp_path: Path, model: BlockModel) -> None:
    """Nor is anything left of it."""
    with pytest.raises((ValueError, IndexError)):
        write_model(tmp_path / "x.model", model)
    assert not (tmp_path / "x.model").exists()
