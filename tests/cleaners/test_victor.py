"""Victor, with a model made by hand and with that of the package."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from support.small_models import small_model
from support.small_victor import small_victor

from corpusprep.cleaners import block_models
from corpusprep.cleaners.block_models import shipped_model
from corpusprep.cleaners.registry import algorithm
from corpusprep.cleaners.victor.cleaner import Victor, VictorSettings
from corpusprep.cleaners.victor.victor_models import write_model
from corpusprep.errors import ConfigError, ModelError, StageFileError
from corpusprep.extraction.library import extract
from corpusprep.pages import html
from corpusprep.pages.segmentation import Blocks, Segmenter

STORY = "The old man went to the sea in May, and he told his friends about it when he came back in the evening."
MENU = "<ul><li><a href=a>Home</a><li><a href=b>Contact us</a><li><a href=c>Login</a></ul>"
PAGE = f"{MENU}<p>{STORY}</p><p>It was late.</p><p>So: {STORY}</p><p><a href=x>{STORY}</a></p>"


@pytest.fixture(name="model")
def _model(tmp_path: Path) -> str:
    path = tmp_path / "small.model"
    write_model(path, small_victor())
    return str(path)


def blocks_of(model: str, *pages: str) -> Blocks:
    """The blocks of pages; "" is a page that cannot be parsed."""
    segmenter = Segmenter((), model=Victor(VictorSettings(model=model)).block_model)
    for page in pages:
        segmenter.add(html.parse(page) if page else None)
    return segmenter.take()


def test_blocks_have_the_score_that_follows_from_the_weights(model: str) -> None:
    """One block alone: e^3 to 1 for main content if it is long."""
    (block,) = extract(f"<p>{STORY}</p>", algorithm="victor", model=model)
    assert (block.score, block.verdict, block.kind) == (0.953, "kept", None)
    (block,) = extract("<p>It was late.</p>", algorithm="victor", model=model)
    assert (block.score, block.verdict) == (0.119, "score")


def test_the_sequence_decides(model: str) -> None:
    """A short block between two of main content has a higher score than one in a menu."""
    blocks = extract(PAGE, algorithm="victor", model=model)
    scores = {block.text: block.score for block in blocks if block.score is not None}
    assert scores["It was late."] > scores["Home"]
    assert [block.label for block in blocks] == ["bad"] * 3 + ["good", "bad", "good", "bad"]


def test_the_threshold_decides_what_is_kept(model: str) -> None:
    """Of the score."""
    for threshold, kept in ((0.0, 7), (0.5, 2), (1.0, 0)):
        found = extract(PAGE, algorithm="victor", model=model, threshold=threshold)
        assert sum(block.label == "good" for block in found) == kept


def test_the_model_of_the_package_keeps_a_story_without_its_menu() -> None:
    """In any language: none is needed."""
    parts = [f"{number}: {STORY * 3}" for number in range(4)]
    blocks = extract(f"<h1>The sea</h1>{MENU}<p>{'<p>'.join(parts)}</p>{MENU}", algorithm="victor")
    assert [block.text for block in blocks if block.words > 20 and block.label == "good"] == parts
    assert not [block.text for block in blocks if block.label == "good" and block.link_density == 1]


@pytest.mark.parametrize("page", ["", "<p> </p>", "<p>|", "<a>" * 3000, "<p>\ud800"])
def test_poor_pages_give_what_they_have(model: str, page: str) -> None:
    """No text, no letter, a lone surrogate: nothing fails and nothing is kept."""
    found = extract(page, algorithm="victor", model=model)
    assert found.verdict in ("no_text", "no_good_block", "parse_failed", "empty")


def test_scores_do_not_depend_on_other_pages(model: str) -> None:
    """Pages together have the scores that each has alone; a page without blocks has none."""

    def scores(*pages: str) -> list[int]:
        found = Victor(VictorSettings(model=model)).classify(blocks_of(model, *pages)).scores
        assert found is not None
        return found.tolist()

    other = f"<p>{STORY}<p>Home<p>\u65e5\u672c"
    assert scores(PAGE, other, "", PAGE) == scores(PAGE) + scores(other) + scores(PAGE)
    assert scores("") == []


def test_stored_scores_give_the_same_classes(model: str) -> None:
    """At any threshold; rows without scores are refused."""
    blocks = blocks_of(model, PAGE, f"<p>{STORY}")
    rows = pl.DataFrame({"score": Victor(VictorSettings(model=model)).classify(blocks).scores})
    for threshold in (0, 0.3, 0.5, 1):
        classifier = Victor(VictorSettings(threshold=threshold, model=model))
        assert np.array_equal(classifier.classify_stored(rows).verdicts, classifier.classify(blocks).verdicts)
        assert classifier.stored_thresholds.used == threshold * 1000
    with pytest.raises(StageFileError, match="its blocks have no scores"):
        classifier.classify_stored(pl.DataFrame({"score": [None, 3]}))


def test_a_model_that_is_no_model_of_victor_is_refused(tmp_path: Path) -> None:
    """By name of the algorithm, and settings by what is allowed."""
    path = tmp_path / "content.model"
    block_models.write_model(path, small_model())
    with pytest.raises(ModelError, match="a model of the algorithm content, not of victor"):
        extract(PAGE, algorithm="victor", model=str(path))
    with pytest.raises(ConfigError, match="threshold is 2; allowed: a number, at least 0, at most 1"):
        algorithm("victor", parameters={"threshold": 2})


def test_the_model_of_the_package_is_small_and_names_its_licences() -> None:
    """Under 3 MB; trained on sets with an open licence that is no copyleft."""
    assert shipped_model("victor").stat().st_size < 3_000_000
    sets = Victor().model.card["sets"]
    assert {one["name"] for one in sets} == {"wcxb", "chinese", "fundus", "fixtures"}
    assert {one["licence"] for one in sets} == {"CC BY 4.0", "MIT", "MIT, Apache-2.0"}
