"""Systems that are trained for the tables."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from support.plain_characters import small_character_model

from corpusprep.cleaners.ncleaner.character_models import write_model
from corpusprep.gold.pages import GoldPage, GoldSet
from studies.evaluation import measuring, trained_systems

TEXT = "The ferry number {0} is back on the river, and it was full of people who had waited since the morning."


@pytest.mark.parametrize(("gold_set", "kept"), [("cleaneval-dev", True), ("cleaneval-final", False)])
def test_pages_that_a_model_has_seen_are_cleaned_by_models_of_other_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, gold_set: str, kept: bool
) -> None:
    """The file keeps nothing. On the set that it is for, models of two thirds of the pages keep the story."""
    pages = [GoldPage(str(n), f"<p>{TEXT.format(n)}</p><p>MENU {n}</p>", gold={"": TEXT.format(n)}) for n in range(30)]
    found = GoldSet(gold_set, "Small", pages)
    monkeypatch.setattr("corpusprep.gold.sets.read", lambda name, data: found)
    model = small_character_model()
    write_model(tmp_path / "ncleaner-cleaneval.model", replace(model, pairs=np.full_like(model.pairs, -100)))
    trained_systems.measure_set(tmp_path, gold_set, tmp_path, tmp_path)
    counts = measuring.read(tmp_path / f"{gold_set}.tsv").of("NCLEANER", "words")
    assert counts is not None
    assert [count.true_positives for count in counts] == [21 * kept] * 30
    assert not any(count.false_positives for count in counts)
