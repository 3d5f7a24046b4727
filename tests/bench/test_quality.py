"""`bench quality`: tables of cleaners, written into a page."""

from pathlib import Path

import pytest
from quality import breakdowns, page
from running import CommandError

from corpusprep.gold.scores import Counts
from studies.evaluation.measuring import Measured, SetFacts
from studies.evaluation.results import Results

BETTER, WORSE = [Counts(8, 0, 2), Counts(9, 1, 0)], [Counts(5, 5, 5), Counts(4, 0, 4)]


def results() -> Results:
    """Two sets: one that `content` has learned from, one that it has not seen."""
    names = [name for name, _ in page.MEASURED]
    seen = {("content", "words"): BETTER, ("content, comments", "words"): BETTER, ("justext", "words"): WORSE}
    learned = {("content, cross-validated", "words"): BETTER, ("justext", "words"): WORSE}
    of_sets = {"cleanportaleval": seen, "daniel": learned}
    extractors = {name: Measured(of_sets.get(name, {})) for name in names}
    facts = {name: SetFacts(name, name.title(), 2, {}, "", present=True) for name in names}
    return Results(facts, {}, None, {}, extractors, {"justext": "3.0.2"})


def test_tables_stand_where_the_page_has_a_place_for_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The text around them stays; a second run changes nothing."""
    monkeypatch.setattr(Results, "read", lambda folder: results())
    for table in ("cleaners_table", "published_table"):
        monkeypatch.setattr(page, table, lambda results: "| a |")
    monkeypatch.setattr(page, "_broken_down", lambda results, breakdown: f"| {breakdown.gold_set} |")
    monkeypatch.setattr(page, "MEASURED", [("cleanportaleval", "words"), ("daniel", "words")])
    evaluation, content = tmp_path / "evaluation.md", tmp_path / "content.md"
    evaluation.write_text("<!-- published -->\n<!-- end -->\nBefore\n<!-- cleaners -->\nold\n<!-- end -->\nAfter\n")
    places = ("extractors", "main content", "kinds", "languages", "emptied")
    content.write_text("Above\n" + "".join(f"<!-- {place} -->\n<!-- end -->\n" for place in places) + "Below\n")
    for _ in range(2):
        page.main("bench quality", ["--pages", str(tmp_path)])
        table = "\n\n| a |\n\n<!-- end -->\n"
        assert evaluation.read_text() == f"<!-- published -->{table}Before\n<!-- cleaners -->{table}After\n"
        lines = content.read_text().splitlines()
        assert [line for line in lines if line and not line.startswith(("|", "<"))] == [
            "Above",
            "* **Extractors:** justext 3.0.2.",
            "Below",
        ]
        assert [line for line in lines if line in ("| wcxb |", "| daniel |", "| canola-test |")] == [
            "| wcxb |",
            "| daniel |",
            "| canola-test |",
        ]
        rows = [line.split(" | ") for line in lines if line.startswith(("| Clean", "| Dan"))]
        assert [(row[0], row[2], row[3][:5], row[5]) for row in rows] == [
            ("| Cleanportaleval words", "content", "91.89", "justext 56.25 / 58.33"),
            ("| Cleanportaleval words", "content, comments", "91.89", "justext 56.25 / 58.33"),
            ("| Daniel words", "content, cross-validated", "91.89", "justext 56.25 / 58.33"),
        ]
        assert all(row[6].startswith("+35.6") for row in rows)


def test_a_page_without_a_place_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the name of the table."""
    monkeypatch.setattr(Results, "read", lambda folder: results())
    for table in ("cleaners_table", "published_table", "main_content_table"):
        monkeypatch.setattr(page, table, lambda results: "| a |")
    path = tmp_path / "evaluation.md"
    path.write_text("Text\n")
    with pytest.raises(CommandError, match="no place for the table published"):
        page.main("bench quality", ["--pages", str(tmp_path)])
    assert path.read_text() == "Text\n"


def test_a_set_is_broken_down(monkeypatch: pytest.MonkeyPatch) -> None:
    """F1 over all words of a part and over its pages; models first, then public extractors, without their variants."""
    facts = [{"kind": "a", "gold_words": "9"}, {"kind": "b", "gold_words": "0"}]
    monkeypatch.setattr(breakdowns, "_facts", lambda name: facts)
    parts = {"all": lambda page: True, "text": lambda page: page["gold_words"] != "0"}
    peers = {("justext", "words"): WORSE, ("justext, comments", "words"): BETTER, ("content", "words"): BETTER}
    measured = Results({}, {"daniel": Measured({})}, None, {}, {"daniel": Measured(peers)}, {"justext": "3.0.2"})
    table = list(breakdowns.rows(measured, breakdowns.Breakdown("daniel", parts, 3)))
    assert table == [
        ["cleaner", "all (2)", "text (1)"],
        ["content", "91.9 / 91.8", "88.9 / 88.9"],
        ["justext", "56.3 / 58.3", "50.0 / 50.0"],
    ]
    facts.pop()
    with pytest.raises(ValueError, match="daniel: content has 2 pages, the table beside the model 1"):
        list(breakdowns.rows(measured, breakdowns.Breakdown("daniel", parts, 3)))
