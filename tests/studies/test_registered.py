"""The contract of every table and figure of every source."""

import re
from pathlib import Path
from typing import Any

import pytest
from support.running import REPOSITORY

from studies import page, published
from studies.comparison import Drawing, Table
from studies.study import Part, Study, parts

PARTS = parts()
STUDIES = [(part, study) for part in PARTS for study in part.studies]


def named(value: object) -> str | None:
    """The title of a parameter."""
    return value.heading if isinstance(value, Study) else value.title if isinstance(value, Part) else None


def test_all_sources_are_on_the_page() -> None:
    """The thesis first; every source has its reference, its target and studies."""
    shown = [part for part in PARTS if part.place]
    names = [part.title.partition(":")[0] for part in shown]
    assert names == [
        "Pomikálek 2011, chapter 2",
        "Pomikálek 2011, chapter 3",
        "Baisa 2009",
        "PRESEMT 2012",
        "Schäfer 2017",
        "Suchomel 2015",
    ]
    assert [part.place for part in shown] == list(range(1, len(shown) + 1))
    assert all(part.reference and part.studies for part in shown)


def test_targets_are_rules() -> None:
    """What the page tells to run is there."""
    rules = "".join(path.read_text(encoding="utf-8") for path in (REPOSITORY / "studies/rules").glob("*.smk"))
    assert {part.target for part in PARTS} <= set(re.findall(r"^rule (\w+):", rules, re.MULTILINE))


@pytest.mark.parametrize(("part", "study"), STUDIES, ids=named)
def test_a_study_says_where_it_comes_from(part: Part[Any], study: Study[Any]) -> None:
    """Its number and section; its published numbers can be read; it is made, or says why not."""
    assert study.title
    assert bool(study.number) == bool(study.section)
    assert bool(study.make) != bool(study.missing)
    for number in study.published:
        assert published.table(number)


def test_the_thesis_has_each_number_once() -> None:
    """Tables 2.1 to 2.11 and 3.1 to 3.9, figures 2.1 to 2.9 and 3.1 to 3.6, made or named as missing."""
    numbers = [study.number for part, study in STUDIES if part.place in (1, 2)]
    assert len(set(numbers)) == len(numbers)
    wanted = {f"Table {chapter}.{n}" for chapter, last in ((2, 11), (3, 9)) for n in range(1, last + 1)}
    wanted |= {f"Figure {chapter}.{n}" for chapter, last in ((2, 9), (3, 6)) for n in range(1, last + 1)}
    assert wanted <= set(numbers)


def test_every_published_table_is_of_a_study() -> None:
    """No file of published numbers is left over."""
    stored = {path.stem.removeprefix("table_") for path in (REPOSITORY / "studies/published").glob("*.csv")}
    assert stored <= {number.replace(".", "_") for _, study in STUDIES for number in study.published}


@pytest.mark.parametrize("part", PARTS, ids=named)
def test_without_measurements_each_study_says_what_is_missing(part: Part[Any], tmp_path: Path) -> None:
    """Nothing fails: what needs no measurement is made, the rest has a reason, and published numbers are shown."""
    for shown in page.show(part, tmp_path):
        assert shown.exhibits or shown.reason
        assert bool(shown.published) == bool(shown.study.published and not shown.exhibits)
        if shown.study.make and shown.reason:
            assert f"snakemake {part.target}" in shown.reason


def test_the_page_of_no_measurements_names_all(tmp_path: Path) -> None:
    """Every study has its place, and the page needs no other file."""
    (tmp_path / "studies").mkdir()
    missing = page.write_all(tmp_path, tmp_path / "studies" / "index.html")
    assert 30 < missing < len(STUDIES)
    text = (tmp_path / "studies" / "index.html").read_text(encoding="utf-8")
    assert "<script" not in text
    assert 'src="' not in text
    for part, study in STUDIES:
        if part.place:
            assert study.number in text
    assert "jusText A" in text  # table 2.7 needs no measurement


def test_figures_of_several_corpora_share_no_identifiers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A second corpus stands folded below the first; identifiers are unique on the page, and what is equal is once."""
    from markupsafe import Markup

    def make(corpus: str) -> list[Table | Drawing]:
        return [Drawing(Markup(f'<svg><g id="left-a"/><use href="#left-a"/>{corpus}</svg>'), "A figure.")]

    study = Study("Figure 1", "A figure", "1", make)
    same = Study("Figure 2", "The same figure", "1", lambda _: make("all"))
    part = Part(1, "A source", "A reference", "target", lambda _: {"a": "aa", "b": "bb"}, (study, same))
    monkeypatch.setattr(page, "parts", lambda: [part])
    page.write_all(tmp_path, tmp_path / "index.html")
    text = (tmp_path / "index.html").read_text(encoding="utf-8")
    identifiers = re.findall(r'\bid="([^"]*)"', text)
    assert len(set(identifiers)) == len(identifiers)
    drawn = {"part-1-1-1-left-a", "part-1-1-2-left-a", "part-1-2-1-left-a"}
    assert drawn == set(re.findall(r'href="#(\S*left-a)"', text))
    assert drawn < set(identifiers)
    assert text.count("<svg") == 3
    assert "The same for the corpus <bdi>b</bdi>" in text
