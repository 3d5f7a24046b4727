"""All cleaners beside each other."""

import pytest

from corpusprep.cleaners.registry import registrations
from corpusprep.gold.data import TRAINED_ON
from corpusprep.gold.pages import GoldPage
from corpusprep.gold.scores import Counts, mean_interval
from studies.evaluation import cleaners, figures, peers, speed
from studies.evaluation.cleaners import MEAN, SPEED, CleanerRow
from studies.evaluation.configurations import Configuration, trained_on
from studies.evaluation.configurations import cleaners as systems
from studies.evaluation.figures import Dot
from studies.evaluation.measuring import Measured
from studies.evaluation.speed import Timed

GOOD, POOR = [Counts(9, 1, 1)] * 4, [Counts(5, 5, 5)] * 4


def test_whatever_is_registered_is_measured() -> None:
    """A new algorithm is in the table because it is registered; models are named after their files."""
    found = systems()
    assert {one.algorithm for one in found} == {one.name for one in registrations()}
    assert set(TRAINED_ON) < {one.title for one in found}
    assert trained_on(Configuration("BTE", "bte")) == ()


def test_scores_on_pages_that_a_model_has_seen_do_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cross-validated counts stand for them; without these, the score is marked and the set is in nobody's mean."""
    titles = {"content": ("wcxb", "chinese"), "BTE": ()}
    monkeypatch.setattr(cleaners, "cleaners", lambda: [Configuration(title, "x") for title in titles])
    monkeypatch.setattr(cleaners, "trained_on", lambda one: titles[one.title])
    measured = {name: Measured({("BTE", "words"): POOR}) for name in ("wcxb", "chinese", "cleaneval-final")}
    extractors = {
        "wcxb": Measured({("content, cross-validated", "words"): GOOD}),
        "chinese": Measured({("content", "words"): GOOD}),
        "cleaneval-final": Measured({("content", "words"): GOOD}),
    }
    found = cleaners.rows(measured, extractors, {"wcxb": {"BTE": Timed(4, 8_000_000)}})
    assert [(row.title, row.family, row.seen) for row in found] == [
        ("content", cleaners.LEARNED, {"chinese"}),
        ("BTE", cleaners.RULES, frozenset()),
    ]
    assert cleaners.common(found) == ["wcxb", "cleaneval-final"]
    table = cleaners.table(found, {"wcxb": "WCXB", "chinese": "Chinese", "cleaneval-final": "CleanEval"}, [])
    cells = {(number.row, number.score): number.ours for number in table.numbers}
    assert table.columns == [MEAN, SPEED, "WCXB", "Chinese", "CleanEval"]
    assert (cells["content", MEAN], cells["content", "Chinese"]) == ("90.00", "90.00 †")
    assert (cells["BTE", MEAN], cells["BTE", SPEED]) == ("50.00", "0")
    assert cleaners.dots(found) == [Dot("BTE", 0.5, 50.0, cleaners.RULES)]


def test_a_system_without_all_sets_has_no_mean() -> None:
    """A site algorithm is not compared over fewer sets than the others."""
    row = CleanerRow("density, sites", cleaners.RULES, {"l3s-gn1": GOOD}, frozenset(), 10.0)
    assert cleaners.mean(row, ["l3s-gn1", "wcxb"]) is None
    assert cleaners.mean(row, ["l3s-gn1"]) == 90.0
    assert mean_interval([GOOD, POOR]) == (70.0, 70.0)


def test_times_are_of_all_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each system cleans each page of the sample; site algorithms only where a site has several pages."""
    monkeypatch.setattr(speed, "PAGES", 3)
    monkeypatch.setattr(peers, "PEERS", ())
    pages = [GoldPage(f"p{number}", f"<p>The ferry {number}", f"h{number}.example") for number in range(7)]
    found = speed.measure(pages)
    assert {"content", "jusText A"} < found.keys()
    assert "density, sites" not in found
    assert {timed.pages for timed in found.values()} == {3}
    assert Timed(3, 1_500_000).pages_per_second == 2.0
    assert speed.measure([]) == {}


def test_names_in_the_figure_do_not_cover_each_other() -> None:
    """Thirty systems of nearly the same speed and score: all are named, and the same numbers give the same bytes."""
    dots = [Dot(f"system {number}", 100.0 + number, 90 + number / 50, "rules") for number in range(30)]
    drawn = figures.quality_against_speed([*dots, Dot("far", 5.0, 60.0, "learned")], "F1")
    assert all(f">{dot.title}<" in drawn for dot in dots)
    assert drawn == figures.quality_against_speed([*dots, Dot("far", 5.0, 60.0, "learned")], "F1")
