"""NCLEANER, with a model made by hand and with those of the package."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from support.plain_characters import small_character_model

from corpusprep.cleaners.ncleaner.character_models import write_model
from corpusprep.cleaners.ncleaner.cleaner import NCleaner, NCleanerSettings
from corpusprep.cleaners.registry import algorithm
from corpusprep.errors import ConfigError, ModelError, StageFileError
from corpusprep.extraction.library import extract
from corpusprep.pages import html
from corpusprep.pages.segmentation import Segmenter

STORY = "The old man went to the sea in May, and he told his friends about it when he came back in the evening."
MENU = "<ul><li>Home<li>Contact us<li>Login</ul>"
PAGE = (
    f"{MENU}<p>eeee</p><p>eee CCC</p><p>CCCC</p><p>eee | eee | eee</p><p>1234</p>"
    "<select><option>eeee</select><p>eeC</p>"
)


@pytest.fixture(name="model")
def _model(tmp_path: Path) -> str:
    path = tmp_path / "small.model"
    write_model(path, small_character_model())
    return str(path)


def blocks_of(*pages: str):
    """The blocks of pages."""
    segmenter = Segmenter(())
    for page in pages:
        segmenter.add(html.parse(page) if page else None)
    return segmenter.take()


def test_blocks_have_scores_and_verdicts(model: str) -> None:
    """What is easily recognised has score 0; the others are kept from the threshold on. There are no kinds."""
    found = extract(PAGE, algorithm="ncleaner", model=model)
    assert [(block.text, block.score, block.verdict) for block in found][3:] == [
        ("eeee", 0.982, "kept"),
        ("eee CCC", 0.5, "kept"),
        ("CCCC", 0.018, "score"),
        ("eee | eee | eee", 0.0, "score"),
        ("1234", 0.0, "score"),
        ("eeee", 0.0, "score"),
        ("eeC", 0.731, "kept"),
    ]
    assert {block.kind for block in found} == {None}


@pytest.mark.parametrize(
    ("threshold", "kept"),
    [
        ("balanced", ["eeee", "eee CCC", "eeC"]),
        ("precision", ["eeee"]),
        (0.6, ["eeee", "eeC"]),
        ("0.6", ["eeee", "eeC"]),
    ],
)
def test_thresholds_decide_what_is_kept(model: str, threshold: object, kept: list[str]) -> None:
    """By name or number."""
    page = PAGE.replace(MENU, "")
    found = extract(page, algorithm="ncleaner", model=model, threshold=threshold)
    assert [block.text for block in found if block.label == "good"] == kept


@pytest.mark.parametrize("settings", [{}, {"lexical": False}])
def test_the_models_of_the_package_keep_a_story_without_its_menu(settings: dict[str, object]) -> None:
    """With letters, and with classes of letters."""
    found = extract(f"{MENU}<p>{STORY}</p><p>So: {STORY}</p><p>Copyright 2020</p>", algorithm="ncleaner", **settings)
    assert [block.text for block in found if block.label == "good"] == [STORY, f"So: {STORY}"]


def test_a_model_of_another_language_is_refused(tmp_path: Path) -> None:
    """By name, with what to do; a model of classes is for all languages."""
    with pytest.raises(ModelError, match=r"ncleaner.model: a model of the language en, not of cs; .*lexical: false"):
        extract(f"<p>{STORY}</p>", "cs", "ncleaner")
    assert extract(f"<p>{STORY}</p>", "cs", "ncleaner", lexical=False)
    path = tmp_path / "cs.model"
    write_model(path, small_character_model("cs"))
    with pytest.raises(ModelError, match="a model of the language cs, not of en"):
        extract("<p>eee</p>", algorithm="ncleaner", model=str(path))
    assert extract("<p>eee</p>", "cs", "ncleaner", model=str(path))[0].label == "good"


@pytest.mark.parametrize("page", ["", "<p> </p>", "<p>|", "<a>" * 3000, "<p>\ud800"])
def test_poor_pages_give_what_they_have(model: str, page: str) -> None:
    """No text, no letter, a lone surrogate: nothing fails and nothing is kept."""
    found = extract(page, algorithm="ncleaner", model=model)
    assert found.verdict in ("no_text", "no_good_block", "parse_failed", "empty")


def test_scores_do_not_depend_on_other_pages(model: str) -> None:
    """Pages together have the scores that each has alone."""
    classifier = NCleaner(NCleanerSettings(model=model))

    def scores(*pages: str) -> list[int]:
        found = classifier.classify(blocks_of(*pages)).scores
        assert found is not None
        return found.tolist()

    other = f"<p>{STORY}<p>Home<p>\u65e5\u672c"
    assert scores(PAGE, other, "", PAGE) == scores(PAGE) + scores(other) + scores(PAGE)
    assert scores("") == []


def test_stored_scores_give_the_same_classes(model: str) -> None:
    """At any threshold; rows without scores are refused."""
    blocks = blocks_of(PAGE, f"<p>{STORY}")
    scores = NCleaner(NCleanerSettings(model=model)).classify(blocks).scores
    rows = pl.DataFrame({"score": scores})
    for threshold in (0, 0.4, "precision", 0.732, 1):
        classifier = NCleaner(NCleanerSettings(threshold=threshold, model=model))
        assert np.array_equal(classifier.classify_stored(rows).verdicts, classifier.classify(blocks).verdicts)
    with pytest.raises(StageFileError, match="its blocks have no scores"):
        classifier.classify_stored(pl.DataFrame({"score": [None, 3]}))


def test_wrong_settings_are_named() -> None:
    """With what is allowed."""
    with pytest.raises(ConfigError, match=r"threshold is 'best'; allowed: precision, balanced, recall"):
        algorithm("ncleaner", parameters={"threshold": "best"})
    with pytest.raises(ConfigError, match="lexical is 1; allowed: true or false"):
        algorithm("ncleaner", parameters={"lexical": 1})
