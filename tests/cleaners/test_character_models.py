"""Model files of characters."""

import hashlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from support.plain_characters import small_character_model
from support.small_models import small_model

from corpusprep.cleaners import block_models
from corpusprep.cleaners.ncleaner.character_models import is_plain_boilerplate, read_model, write_model
from corpusprep.errors import ModelError


def test_a_model_is_read_as_it_was_written(tmp_path: Path) -> None:
    """The same model gives the same bytes; all of it comes back."""
    path, again = tmp_path / "a.model", tmp_path / "b.model"
    write_model(path, small_character_model("cs", lexical=False))
    found = read_model(path)
    write_model(again, found)
    assert again.read_bytes() == path.read_bytes()
    assert (found.language, found.lexical, found.card["name"]) == ("cs", False, "small")
    assert found.thresholds == {"precision": 900, "balanced": 500, "recall": 200}


def altered(data: bytes, old: bytes, new: bytes) -> bytes:
    """The file with other bytes, and the digest that fits them."""
    assert old in data
    content = data[:-32].replace(old, new, 1)
    return content + hashlib.sha256(content).digest()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (b"block model 1", b"block model 9", "version 9"),
        (b"corpusprep block", b"somebody's block", "not a model"),
        (b'"algorithm": "ncleaner"', b'"algorithm": "victor"', "a model of the algorithm victor, not of ncleaner"),
        (b'["pairs", [12, 12]]', b'["pairs", [12, 19]]', "unusable model"),
        (b'["weights", [0]]', b'["weights", [-1]]', "unusable model"),
        (b'["trigrams", [0]]', b'["birdsong", [0]]', "unusable model"),
        (b'"recall": 200', b'"recall": 2000', "a threshold is out of range"),
        (b'"recall": 200', b'"memory": 200', "unusable model"),
        (b'"language": ""', b'"language_": ""', "unusable model"),
    ],
)
def test_what_cannot_be_used_is_named(tmp_path: Path, old: bytes, new: bytes, message: str) -> None:
    """A wrong version, algorithm, shape, name or number; the digest fits."""
    path = tmp_path / "a.model"
    write_model(path, small_character_model())
    path.write_bytes(altered(path.read_bytes(), old, new))
    with pytest.raises(ModelError, match=message):
        read_model(path)


def test_a_model_of_content_and_a_damaged_one_are_refused(tmp_path: Path) -> None:
    """By name; each byte counts."""
    path = tmp_path / "content.model"
    block_models.write_model(path, small_model())
    with pytest.raises(ModelError, match="a model of the algorithm content, not of ncleaner"):
        read_model(path)
    write_model(path, small_character_model())
    path.write_bytes(path.read_bytes()[:-40] + bytes(40))
    with pytest.raises(ModelError, match="damaged model; train it again: corpusprep train ncleaner"):
        read_model(path)
    with pytest.raises(ModelError, match="cannot read the model"):
        read_model(tmp_path / "none.model")


@pytest.mark.parametrize(
    "changes",
    [
        {"thresholds": {"balanced": 500}},
        {"borders": np.arange(1000, 0, -1).astype(np.int32)},
        {"borders": np.zeros(999, np.int32)},
        {"pairs": np.zeros((12, 11), np.int16)},
    ],
)
def test_a_model_that_does_not_fit_together_is_not_written(tmp_path: Path, changes: dict[str, object]) -> None:
    """No file is left."""
    with pytest.raises(ValueError, match=r"thresholds are|do not ascend|not square"):
        write_model(tmp_path / "a.model", replace(small_character_model(), **changes))
    assert not list(tmp_path.iterdir())


def test_fields_and_segments_without_letters_are_plain_boilerplate() -> None:
    """Two bars, or no letter."""
    removed = is_plain_boilerplate(np.array([0, 1, 2, 0], np.uint32), np.array([9, 9, 9, 0], np.uint32))
    assert removed.tolist() == [False, False, True, True]


def test_scores_count_the_borders_that_a_sum_reaches() -> None:
    """One half where both models are alike; more e's, more clean; removed segments have score 0."""
    parts = [text.encode() for text in ("xx", "eee", "CCC", "e" * 100, "e|e|e", "12")]
    scores = small_character_model().scores(b"".join(parts), np.cumsum([0, *map(len, parts)], dtype=np.int64))
    assert scores.tolist() == [500, 953, 47, 1000, 0, 0]
