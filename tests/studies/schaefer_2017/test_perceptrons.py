"""Models of texrex: files, and the perceptron in whole numbers."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpusprep._native import texrex as native
from corpusprep.cleaners.block_models import shipped_model
from corpusprep.errors import ModelError
from studies.schaefer_2017.cleaner import MODELS, Texrex, TexrexSettings
from studies.schaefer_2017.markup_blocks import ONE
from studies.schaefer_2017.perceptrons import FEATURES, PerceptronModel, read_model, write_model


def small(seed: int = 0, units: int = 4, size: float = 2.0) -> PerceptronModel:
    """A model with drawn weights."""
    draw = np.random.default_rng(seed)
    return PerceptronModel.of_weights(
        draw.normal(0, size, (units, len(FEATURES))),
        draw.normal(0, size, units),
        draw.normal(0, size, units),
        float(draw.normal(0, size)),
        {"name": "small"},
        "de",
    )


def plain_scores(model: PerceptronModel, rows: list[list[int]]) -> list[int]:
    """The scores, computed with Python's whole numbers."""
    found = []
    half = native.ACTIVATIONS // 2
    for row in rows:
        output = int(model.output_bias[0])
        for weights, bias, out in zip(
            model.hidden_weights.tolist(), model.hidden_biases.tolist(), model.output_weights.tolist(), strict=True
        ):
            total = bias + sum(weight * value for weight, value in zip(weights, row, strict=True))
            place = min(max(total >> native.ACTIVATION_BITS, -half), half - 1) + half
            output += out * int(model.activation[place])
        found.append(sum(border <= output for border in model.borders.tolist()))
    return found


@given(
    st.integers(0, 5),
    st.sampled_from([0.1, 3.0, 1000.0, 1e9]),
    st.lists(st.lists(st.integers(-32767, 32767), min_size=37, max_size=37), max_size=4),
)
@settings(deadline=None, max_examples=50)
def test_kernel_is_its_twin(seed: int, size: float, rows: list[list[int]]) -> None:
    """The kernel adds as Python does, for weights of every size."""
    model = small(seed, size=size)
    values = np.array(rows, np.int16).reshape(-1, len(FEATURES))
    assert model.native.scores(values).tolist() == plain_scores(model, rows)


def test_rounding_stays_close_to_the_perceptron() -> None:
    """Scores of whole numbers differ from those of floating-point numbers by a few per mille at most."""
    draw = np.random.default_rng(1)
    hidden, biases, output = draw.normal(0, 1, (18, 37)), draw.normal(0, 1, 18), draw.normal(0, 1, 18)
    model = PerceptronModel.of_weights(hidden, biases, output, 0.3, {})
    rows = draw.integers(0, ONE, (200, 37)).astype(np.int16)
    exact = 1 / (1 + np.exp(-(np.tanh(rows / ONE @ hidden.T + biases) @ output + 0.3)))
    assert np.abs(model.native.scores(rows) / native.STEPS - exact).max() < 0.005


def test_file_gives_the_model_back(tmp_path: Path) -> None:
    """What is written is read; the same model gives the same bytes."""
    write_model(tmp_path / "a.model", small())
    write_model(tmp_path / "b.model", small())
    assert (tmp_path / "a.model").read_bytes() == (tmp_path / "b.model").read_bytes()
    model = read_model(tmp_path / "a.model")
    rows = np.random.default_rng(2).integers(0, ONE, (20, 37)).astype(np.int16)
    assert model.native.scores(rows).tolist() == small().native.scores(rows).tolist()
    assert (model.language, model.card["name"]) == ("de", "small")


def test_models_that_do_not_fit_are_refused_by_name(tmp_path: Path) -> None:
    """A model of another algorithm, version or feature set, and a damaged one, each give one line that says so."""
    with pytest.raises(ModelError, match="a model of the algorithm content, not of texrex"):
        read_model(shipped_model("content"))
    path = tmp_path / "x.model"
    write_model(path, small())
    whole = path.read_bytes()
    path.write_bytes(whole.replace(b"model 1\n", b"model 9\n"))
    with pytest.raises(ModelError, match="model of version 9"):
        read_model(path)
    path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    with pytest.raises(ModelError, match="damaged model"):
        read_model(path)
    with pytest.raises(ModelError, match="cannot read the model"):
        read_model(tmp_path / "missing.model")


def test_model_of_other_features_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A model whose features are measured in another way names the first of them."""
    path = tmp_path / "x.model"
    with monkeypatch.context() as changed:
        changed.setitem(FEATURES, "PunctProp", "something else")  # type: ignore[arg-type]
        write_model(path, small())
    with pytest.raises(ModelError, match="another feature PunctProp"):
        read_model(path)


@pytest.mark.parametrize("name", ["", *MODELS])
def test_shipped_models(name: str) -> None:
    """Each model of the package is read, is small, and says what it was trained on."""
    algorithm = Texrex(TexrexSettings(model=name))
    sets = algorithm.model.card["sets"]
    assert {one["licence"] for one in sets} == {"BSD-2-Clause"}
    assert algorithm.model.language == name
    assert algorithm.model.card["scores"]["correct"] > algorithm.model.card["scores"]["baseline"] + 0.05
