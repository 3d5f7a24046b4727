"""The task of the lecture on small made texts, and on the answers of Clough and Stevenson."""

from pathlib import Path

import pytest

from corpusprep.io import tsv
from studies.comparison import Table
from studies.lecture_reuse import detection, section_6
from studies.lecture_reuse.results import Results

SOURCE = " ".join(f"word{number}" for number in range(60))
OTHER = " ".join(f"other{number}" for number in range(60))


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    """Two articles; a copy, a copy of every other ten words, and an answer of its own."""
    (tmp_path / "splits").mkdir()
    words = SOURCE.split()
    heavy = " ".join(f"{' '.join(words[start : start + 10])} x{start}" for start in range(0, 60, 20))
    for name, text in {
        "orig_taska.txt": SOURCE,
        "orig_taskb.txt": OTHER,
        "copy.txt": SOURCE,
        "heavy.txt": heavy,
        "own.txt": " ".join(f"own{number}" for number in range(60)),
    }.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "splits/dev.txt").write_text("copy.txt,a,cut\nheavy.txt,a,heavy\nown.txt,b,non\n", encoding="utf-8")
    (tmp_path / "splits/heldout.txt").write_text("copy.txt,b,light\norig_taskb.txt,b,orig\n", encoding="utf-8")
    return tmp_path


def test_answers_are_counted_by_setting_part_and_kind(texts: Path) -> None:
    """A long passage is found by default, short ones with few chunks; another source than the true one is wrong."""
    rows = {tuple(row[:4]): row[4:] for row in detection.measure(*detection.read(texts))}
    assert rows[5, 20, "dev", "cut"] == (1, 1, 1)
    assert rows[5, 20, "dev", "heavy"] == (1, 0, 0)
    assert rows[3, 5, "dev", "heavy"] == (1, 1, 1)
    assert rows[3, 1, "dev", "non"] == (1, 0, 0)
    assert rows[5, 20, "heldout", "light"] == (1, 1, 0)


def test_the_table_has_the_default_and_what_was_chosen(texts: Path, tmp_path: Path) -> None:
    """Of settings with the highest F1, the one with the longest passages."""
    path = tmp_path / "lecture_reuse" / "detected.tsv"
    path.parent.mkdir()
    tsv.write(path, detection.COLUMNS, [(*row, "digest") for row in detection.measure(*detection.read(texts))])
    (table,) = section_6.make(Results(tmp_path))
    assert isinstance(table, Table)
    cells = {(number.row, number.score): number.ours for number in table.numbers}
    assert (cells["by default, dev", "P"], cells["by default, dev", "R"]) == ("1.00", "0.50")
    assert cells["chosen on dev, dev", "F1"] == "1.00"
    assert cells["chosen on dev, dev", "no reuse: detected"] == "0 of 1"
    assert cells["chosen on dev, dev", "heavy revisions"] == "1 of 1"


@pytest.mark.data
def test_most_sources_are_found(evaluation_data: Path, tmp_path: Path) -> None:
    """On the part that no setting was chosen on; no answer of its own is called taken by default."""
    detection.write(evaluation_data, tmp_path / "lecture_reuse/detected.tsv")
    (table,) = section_6.make(Results(tmp_path))
    cells = {(number.row, number.score): number.ours for number in table.numbers}
    assert float(cells["by default, heldout", "P"]) == 1.0
    assert float(cells["chosen on dev, heldout", "F1"]) >= 0.9
