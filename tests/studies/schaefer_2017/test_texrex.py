"""The algorithm texrex, with the models of the package."""

from pathlib import Path

import polars as pl
import pytest

from corpusprep.cleaners.registry import algorithm
from corpusprep.errors import ModelError, StageFileError
from corpusprep.extraction.library import extract

SENTENCE = "The ferry to the islands was late again this morning, and nobody on the pier knew why it had not come. "
PAGE = (
    "<!DOCTYPE html><html><head><title>Ferry</title></head><body><div><ul>"
    + "".join(f"<li><a href=/{number}>Section {number}</a></li>" for number in range(12))
    + "</ul></div><div>"
    + "".join(f"<p>{SENTENCE * 4}It was boat {number}.</p>" for number in range(6))
    + "</div><div><ul>"
    + "".join(f"<li><a href=/{number}>More {number}</a></li>" for number in range(12))
    + "</ul><p>© 2012 The Paper</p></div></body></html>"
)


@pytest.mark.parametrize("model", ["", "en", "de"])
def test_article_and_menu(model: str) -> None:
    """Nearly all paragraphs of an article are kept, and nearly all of menus is not; each block has a score."""
    blocks = extract(PAGE, algorithm="texrex", model=model)
    kept = [block.text.startswith("The ferry") for block in blocks if block.label == "good"]
    assert len(blocks) == 31
    assert sum(kept) >= 5
    assert kept.count(False) <= 2
    assert [block.score is not None and block.score >= 0.5 for block in blocks] == [
        block.label == "good" for block in blocks
    ]
    assert {block.verdict for block in blocks} == {"kept", "score"}
    assert {block.kind for block in blocks} == {None}


def test_threshold_decides_stored_scores() -> None:
    """A corpus is recut by its scores alone; one without scores is refused."""
    rows = pl.DataFrame({"record": [0, 0, 1], "score": pl.Series([900, 400, 500], dtype=pl.UInt16)})
    assert algorithm("texrex").classify_stored(rows).good.tolist() == [True, False, True]
    assert algorithm("texrex", threshold=0.3).classify_stored(rows).good.tolist() == [True, True, True]
    with pytest.raises(StageFileError, match="no scores"):
        algorithm("texrex").classify_stored(rows.with_columns(score=pl.lit(None, pl.UInt16)))


def test_forms_are_left_out_if_asked_for() -> None:
    """A page that is one form has text, unless forms are left out as by texrex."""
    page = PAGE.replace("<body>", "<body><form>").replace("</body>", "</form></body>")
    assert len(extract(page, algorithm="texrex")) > 20
    assert extract(page, algorithm="texrex", keep_forms=False).verdict == "no_text"


def test_model_of_another_language_is_refused() -> None:
    """The model of German is not for pages that are said to be English."""
    with pytest.raises(ModelError, match="the model de is of the language de, not of en"):
        extract(PAGE, "en", algorithm="texrex", model="de")


def test_missing_model_is_named(tmp_path: Path) -> None:
    """A model file that does not exist gives one line with its path."""
    with pytest.raises(ModelError, match="cannot read the model"):
        extract(PAGE, algorithm="texrex", model=str(tmp_path / "x.model"))


def test_empty_page() -> None:
    """A page without a block gets a verdict, and no score."""
    assert extract("<html><body></body></html>", algorithm="texrex").verdict == "no_text"
