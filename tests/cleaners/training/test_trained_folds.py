"""Systems whose models are trained for the tables."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from support.small_victor import small_victor

from corpusprep.cleaners.content.training.examples import fold_of
from corpusprep.cleaners.victor.victor_models import VictorModel, write_model
from corpusprep.gold.pages import GoldPage, GoldSet
from corpusprep.gold.text_nodes import TextNode
from studies.evaluation import trained_systems
from studies.evaluation.trained import TRAINED, Trained, can_train

STORY = "The old man went to the sea in May and told his friends about it when he came back"
SYSTEM = Trained("Victor", "victor", "own", ("own",), "--two-classes")


def page(name: str) -> GoldPage:
    """A page of a host of its own: one block of main content, one of boilerplate."""
    nodes = [
        TextNode(text, f"krdwrd-tag-{label}-100", nested=False, in_select=False)
        for text, label in ((STORY, "3"), ("Home", "1"))
    ]
    return GoldPage(name, f"<p>{STORY}</p><p>Home</p>", name, {"": STORY}, nodes)


def saved(path: Path, model: VictorModel) -> Path:
    """The file of a model."""
    write_model(path, model)
    return path


def test_a_page_is_cleaned_by_the_model_that_has_not_seen_its_fold(tmp_path: Path) -> None:
    """With one model per fold, by host; words and text nodes are counted per page, in the order of the set."""
    pages = [page(f"{number:02}") for number in range(12)]
    gold_set = GoldSet("own", "", pages)
    nothing = replace(small_victor(), weights=np.zeros((6, 2), np.int32) - np.array([0, 4096], np.int32))
    models = [saved(tmp_path / "0", small_victor()), saved(tmp_path / "1", nothing)]
    found = trained_systems.measure(gold_set, SYSTEM, models)
    folds = [fold_of(one.name, 2) for one in pages]
    assert 0 < sum(folds) < 12
    words, characters = len(STORY.split()), len(STORY)
    for fold, row, nodes in zip(
        folds, found.counts["Victor", "words"], found.counts["Victor", "nodes_100"], strict=True
    ):
        assert tuple(row) == ((0, 0, words) if fold else (words, 0, 0))
        assert tuple(nodes) == ((0, 0, characters) if fold else (characters, 0, 0))


def test_a_system_is_trained_where_its_data_and_its_library_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither is looked for further; the command has the algorithm, its options and the sets."""
    system = next(one for one in TRAINED if one.title == "Victor CleanEval2")
    assert system.command() == "victor --two-classes --gold cleaneval-victor"
    assert not can_train(system, tmp_path)
    (tmp_path / "cleaneval").mkdir()
    assert can_train(system, tmp_path)
    monkeypatch.setattr("studies.evaluation.trained.find_spec", lambda _: None)
    assert not can_train(system, tmp_path)


def test_without_models_the_table_is_empty(tmp_path: Path) -> None:
    """An absent set and absent models give a table without rows."""
    trained_systems.measure_set(tmp_path, "canola-test", tmp_path, tmp_path)
    assert len((tmp_path / "canola-test.tsv").read_text().splitlines()) == 1
