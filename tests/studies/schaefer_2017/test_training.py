"""Training of texrex's perceptron."""

from pathlib import Path

import numpy as np
import pytest
from support.gold_folders import train as run

from corpusprep.cleaners.registry import algorithm
from corpusprep.errors import ConfigError
from corpusprep.extraction.library import extract
from studies.schaefer_2017.perceptrons import read_model
from studies.schaefer_2017.training import train
from studies.schaefer_2017.vectors import NAME

pytest.importorskip("sklearn")

TEXT = "The ferry to island {0} was late on this morning, and nobody on the pier knew why it had not come. " * 3


def page(number: int) -> str:
    """A page with a menu, two paragraphs and a footer."""
    menu = "".join(f"<li><a href=/{item}>Section {item}</a></li>" for item in range(6))
    text = TEXT.format(number)
    return (
        f"<html><body><ul>{menu}</ul><p>{text}</p><p>{text.upper()}</p><div>© {number} all rights</div></body></html>"
    )


def gold_folder(folder: Path, pages: int) -> Path:
    """A folder with pages and their gold texts, each page of another host."""
    for name in ("html", "gold"):
        (folder / name).mkdir(parents=True)
    for number in range(pages):
        (folder / "html" / f"site{number}.example.html").write_text(page(number), encoding="utf-8")
        text = TEXT.format(number)
        (folder / "gold" / f"site{number}.example.txt").write_text(f"{text}\n{text.upper()}", encoding="utf-8")
    return folder


def test_trained_model_keeps_the_text_of_such_pages(tmp_path: Path) -> None:
    """A model of a user's pages is used by its path; training twice gives the same bytes."""
    gold = gold_folder(tmp_path / "gold", 40)
    for name in ("a", "b"):
        train([str(gold)], None, tmp_path / f"{name}.model", lambda _: None)
    model = read_model(tmp_path / "a.model")
    assert model.card["scores"]["correct"] > 0.95
    assert model.card["sets"][0]["pages"] == 40
    again = read_model(tmp_path / "b.model")
    assert np.array_equal(model.hidden_weights, again.hidden_weights)
    kept = [block.label for block in extract(page(99), algorithm="texrex", model=str(tmp_path / "a.model"))]
    assert kept == ["bad"] * 6 + ["good"] * 2 + ["bad"]
    assert algorithm("texrex", model=str(tmp_path / "a.model")).cuts_alone


def test_too_few_pages_are_refused(tmp_path: Path) -> None:
    """The message says how many pages there are, and how many are needed."""
    gold = gold_folder(tmp_path / "gold", 5)
    with pytest.raises(ConfigError, match=r"too small to train on: 5 usable pages of 5 hosts; at least 40 pages of 10"):
        train([str(gold)], None, tmp_path / "x.model", lambda _: None)


def test_vectors_of_an_unknown_language_are_refused(tmp_path: Path) -> None:
    """The vectors have four languages, and need the folder of the data."""
    with pytest.raises(ConfigError, match="has the languages en, fr, de, sv"):
        train([f"{NAME}:pl"], tmp_path, tmp_path / "x.model", lambda _: None)
    with pytest.raises(ConfigError, match="--data is not given"):
        train([NAME], None, tmp_path / "x.model", lambda _: None)


def test_command_trains_on_vectors(tmp_path: Path) -> None:
    """`corpusprep studies texrex train` writes a model of a language from its vectors."""
    draw = np.random.default_rng(0)
    rows = []
    for number in range(200):
        values = draw.random(37) * 0.5
        values[0] += 0.5 * (number % 2)
        rows += [" ".join(f"{value:.6f}" for value in values), str(1 - number % 2)]
    (tmp_path / NAME).mkdir()
    (tmp_path / NAME / "boilerplate.de.dat").write_text("\n".join(["200 37 1", *rows]), encoding="ascii")
    output = tmp_path / "x.model"
    done = run("texrex", "--gold", f"{NAME}:de", "--data", tmp_path, "--output", output)
    assert done.exit_code == 0, done.output
    model = read_model(output)
    assert model.language == "de"
    assert model.card["scores"]["correct"] > 0.9
