"""texrex's vectors beside the blocks of gold pages."""

from pathlib import Path

import numpy as np
import pytest

from corpusprep.gold import sets
from corpusprep.io import tsv
from studies.schaefer_2017 import measuring
from studies.schaefer_2017 import training as texrex
from studies.schaefer_2017 import training_pages as texrex_pages
from studies.schaefer_2017.markup_blocks import ONE
from studies.schaefer_2017.perceptrons import FEATURES
from studies.schaefer_2017.vectors import LANGUAGES


def made(blocks: int, *, upside_down: bool = False) -> texrex.Blocks:
    """Blocks whose first feature alone decides whether they are main content."""
    rows = np.random.default_rng(blocks).integers(0, ONE, (blocks, len(FEATURES))).astype(np.int16)
    good = (rows[:, 0] > ONE // 2) != upside_down
    return texrex.Blocks(rows, good, np.arange(blocks) % texrex.FOLDS, {})


def test_each_is_judged_by_what_was_learned_from_the_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A model is right about pages like its own, and about vectors that agree; wrong where labels are reversed."""
    pytest.importorskip("sklearn")
    monkeypatch.setattr(sets, "read", lambda name, data: name)
    monkeypatch.setattr(texrex_pages, "of_pages", lambda found: made(600))
    monkeypatch.setattr(texrex_pages, "of_vectors", lambda data, code: made(200, upside_down=code == "de"))
    texrex_pages.measure(tmp_path, "canola-test", tmp_path / "gold.tsv")
    rows = tsv.read(tmp_path / "gold.tsv", measuring.GOLD_COLUMNS)
    pairs = [("vectors", "canola-test"), *(("canola-test", judged) for judged in ("canola-test", *LANGUAGES))]
    assert [(row["learned_from"], row["judged"]) for row in rows] == pairs
    right = {(row["learned_from"], row["judged"]): float(row["correct"]) for row in rows}
    assert right["canola-test", "canola-test"] > 0.9
    assert right["canola-test", "en"] > 0.9
    assert right["canola-test", "de"] < 0.1
    assert {int(row["blocks"]) for row in rows} == {600, 200}


def test_an_absent_set_gives_an_empty_table(tmp_path: Path) -> None:
    """`snakemake texrex` runs without the gold sets, too."""
    texrex_pages.measure(tmp_path, "l3s-gn1", tmp_path / "gold.tsv")
    assert tsv.read(tmp_path / "gold.tsv", measuring.GOLD_COLUMNS) == []
