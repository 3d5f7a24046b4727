"""`bench quality`: tables of cleaners, written into a page."""

from pathlib import Path

import pytest
from quality import page
from running import CommandError

from corpusprep.gold.scores import Counts
from studies.evaluation.measuring import Measured, SetFacts
from studies.evaluation.results import Results

BETTER, WORSE = [Counts(8, 0, 2), Counts(9, 1, 0)], [Counts(5, 5, 5), Counts(4, 0, 4)]


def results() -> Results:
    """Two sets: one that `content` has learned from, one that it has not seen."""
    names = [name for name, _ in page.MEASURED]
    seen = {("content", "words"): BETTER, ("content, recall", "words"): BETTER, ("justext", "words"): WORSE}
    learned = {("content, cross-validated", "words"): BETTER, ("justext", "words"): WORSE}
    of_sets = {"cleanportaleval": seen, "daniel": learned}
    extractors = {name: Measured(of_sets.get(name, {})) for name in names}
    facts = {name: SetFacts(name, name.title(), 2, {}, "", present=True) for name in names}
    return Results(facts, {}, None, {}, extractors, {"justext": "3.0.2"})


def test_tables_stand_where_the_page_has_a_place_for_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The text around them stays; a second run changes nothing."""
    monkeypatch.setattr(Results, "read", lambda folder: results())
    monkeypatch.setattr(page, "cleaners_table", lambda results: "| a |")
    monkeypatch.setattr(page, "MEASURED", [("cleanportaleval", "words"), ("daniel", "words")])
    evaluation, content = tmp_path / "evaluation.md", tmp_path / "content.md"
    evaluation.write_text("Before\n<!-- cleaners -->\nold\n<!-- end -->\nAfter\n")
    content.write_text("Above\n<!-- main content -->\n<!-- end -->\nBelow\n")
    for _ in range(2):
        page.main("bench quality", ["--pages", str(tmp_path)])
        assert evaluation.read_text() == "Before\n<!-- cleaners -->\n\n| a |\n\n<!-- end -->\nAfter\n"
        lines = content.read_text().splitlines()
        assert [line for line in lines if line and not line.startswith(("|", "<"))] == ["Above", "Below"]
        rows = [line.split(" | ") for line in lines if line.startswith(("| Clean", "| Dan"))]
        assert [(row[0], row[2], row[3][:5], row[5]) for row in rows] == [
            ("| Cleanportaleval words", "content", "91.89", "justext 56.25 / 58.33"),
            ("| Cleanportaleval words", "content, recall", "91.89", "justext 56.25 / 58.33"),
            ("| Daniel words", "content, cross-validated", "91.89", "justext 56.25 / 58.33"),
        ]
        assert all(row[6].startswith("+35.6") for row in rows)


def test_a_page_without_a_place_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the name of the table."""
    monkeypatch.setattr(Results, "read", lambda folder: results())
    for table in ("cleaners_table", "main_content_table"):
        monkeypatch.setattr(page, table, lambda results: "| a |")
    path = tmp_path / "evaluation.md"
    path.write_text("Text\n")
    with pytest.raises(CommandError, match="no place for the table cleaners"):
        page.main("bench quality", ["--pages", str(tmp_path)])
    assert path.read_text() == "Text\n"
