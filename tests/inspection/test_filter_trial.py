"""Other thresholds of the filter on stored signals: as `recut` counts, as the report samples, and on the page."""

import html
import json
import re
import shlex
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import yaml
from click.testing import CliRunner
from support.made_results import FILTER, Results
from support.served import Served, served

from corpusprep.commands.recut import command as recut_command
from corpusprep.errors import StageFileError
from corpusprep.inspection import filter_trial
from corpusprep.inspection.browse import filters
from corpusprep.inspection.filter_trial import FilterTrial, section_in_use
from corpusprep.quality.effects import effects
from corpusprep.quality.rules import of_section
from corpusprep.quality.sampling import of_rules
from corpusprep.tables import schemas
from corpusprep.tables.reading import read_table
from corpusprep.tables.verdicts import KEPT

OTHERS: list[dict[str, float]] = [
    {},
    {"least.words": 30},
    {"least.words": 90, "most.repeated_lines": 1, "least.punctuated_lines": 1},
    {"blocks.least.words": 3},
    {"blocks.least.words": 40, "least.words": 0, "most.line_breaks": 0.02},
]


@pytest.fixture(scope="module")
def folder(results: Results) -> Path:
    """The corpus with signals."""
    return results.folder / "filtered"


@pytest.fixture(scope="module")
def server(results: Results) -> Iterator[Served]:
    """The pages."""
    with served(results.folder) as running:
        yield running


def test_the_rules_in_use_decide_as_the_corpus_has_it(folder: Path, results: Results) -> None:
    """Documents and words; a corpus without signals says how to get them."""
    assert section_in_use(folder) == FILTER
    trial = FilterTrial(folder, FILTER)
    assert trial.whole
    assert trial.now.any()
    assert trial.begun.kept.tolist() == trial.now.tolist()
    assert trial.begun.words[trial.now].tolist() == trial.words_now[trial.now].tolist()
    with pytest.raises(StageFileError, match="signals: true"):
        section_in_use(results.hostile.folder)


@pytest.mark.parametrize("moved", OTHERS)
def test_other_thresholds_count_as_recut_does(moved: dict[str, float], folder: Path) -> None:
    """In all, and by each rule, alone too."""
    trial, sliders = filters.begin(folder)
    section = filters.section_with(trial, moved)
    outcome = trial.outcome(section)
    expected = effects(folder, of_section(section))
    assert outcome.total == expected.kept
    assert (len(outcome.kept), trial.before) == expected.before
    for rule, refused, alone in zip(of_section(section), outcome.refused, outcome.alone, strict=True):
        documents, words, only = expected.of_rules[rule.text]
        if not rule.of_blocks:
            assert (*refused, alone.number) == (documents, words, only)
        assert alone.number <= refused.number
    own = [rule for rule in of_section(section) if rule.threshold is not None]
    assert [slider.name.split(".")[-1] for slider in sliders] == [rule.signals[0] for rule in own]


def test_a_move_alone_is_told_from_all_moves(folder: Path) -> None:
    """A slider says what it changes when the others stand as in the corpus."""
    trial, sliders = filters.begin(folder)
    moved = {"least.words": 0.0, "most.repeated_lines": 1.0}
    together = filters.notes(trial, sliders, moved, trial.outcome(filters.section_with(trial, moved)))
    names = [slider.name for slider in sliders]
    for name, value in moved.items():
        one = {name: value}
        own = filters.notes(trial, sliders, one, trial.outcome(filters.section_with(trial, one)))[names.index(name)]
        assert own.partition(" By this move alone: ")[2] == together[names.index(name)].partition("alone: ")[2] != ""
    assert sum("By this move" in note for note in together) == 2


def test_documents_at_a_threshold_are_those_of_the_report(folder: Path) -> None:
    """In the same order, with the same text; of a block rule, blocks on both sides, with their text."""
    trial, sliders = filters.begin(folder)
    reported = of_rules(sorted(folder.glob("filter_samples/*.parquet")))
    rules = trial.rules(trial.section)
    for slider in sliders:
        rule = rules[slider.place]
        both = filters.sides(trial, trial.section, slider, "/page")
        found = [[(one["title"], one["url"], one["text"], one["about"]) for one in side["documents"]] for side in both]
        if not rule.of_blocks:
            wanted = {side.refused: side.documents for side in reported.get(rule.text, [])}
            for refused, documents in zip((True, False), found, strict=True):
                assert documents == [
                    (title or "no title", url, text, f"{round(value or 0, 4):g}" + _others(others))
                    for title, url, value, others, text in wanted.get(refused, [])
                ]
        else:
            least = [float(about.partition(",")[0]) for _, _, _, about in found[1]]
            most = [float(about.partition(",")[0]) for _, _, _, about in found[0]]
            assert max(most) < slider.value <= min(least)
            assert most == sorted(most, reverse=True)
            assert least == sorted(least)
            assert all("#b" in one["page"] for side in both for one in side["documents"])


def _others(number: int) -> str:
    return f", {number} other rule{'' if number == 1 else 's'}" if number else ""


def test_a_large_corpus_is_sampled_by_whole_batches(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is counted is bounded, and the page says so."""
    monkeypatch.setattr(filter_trial, "MOST_DOCUMENTS", 1)
    trial, _ = filters.begin(folder)
    first = min(folder.glob("quality/*.parquet"))
    assert not trial.whole
    kept = read_table(first, schemas.QUALITY, ["verdict"])["verdict"] == KEPT
    assert trial.now.tolist() == kept.to_list()


def test_sliders_reach_the_threshold_and_the_values(folder: Path) -> None:
    """A slider has the threshold between its ends; steps are round, and whole for counts."""
    trial, sliders = filters.begin(folder)
    rules = trial.rules(trial.section)
    for slider in sliders:
        assert slider.least <= slider.value <= slider.most
        assert re.fullmatch(r"[125](e-0\d|0*)|0\.0*[125]", f"{slider.step:g}")
        values = pl.Series(trial.values(rules[slider.place])).drop_nans()
        assert slider.whole == ((values == values.round()).all() and slider.value == round(slider.value))
        assert not slider.whole or slider.step >= 1


def test_settings_and_command_give_what_the_page_counts(folder: Path, tmp_path: Path) -> None:
    """The section is YAML, and the command's output says the same numbers."""
    trial, _ = filters.begin(folder)
    section = filters.section_with(trial, {"least.words": 30, "most.repeated_lines": 0.5, "blocks.least.words": 5})
    wanted: dict[str, Any] = deepcopy(FILTER)
    wanted["least"] |= {"words": 30}
    wanted["most"] |= {"repeated_lines": 0.5}
    wanted["blocks"]["least"] = {"words": 5}
    assert yaml.safe_load(filters.config_of(section)) == {"filter": wanted}
    arguments = shlex.split(filters.recut_of(section, folder, written=False).replace("\\\n", " "))[2:]
    answer = CliRunner().invoke(recut_command, arguments, catch_exceptions=False)
    documents, words = trial.outcome(section).total
    assert f"{documents:,} of {len(trial.now):,} documents stay, {words:,} of {trial.before:,} words" in answer.output
    assert section_in_use(folder) == FILTER
    written = [*arguments, "--output", str(tmp_path / "other")]
    CliRunner().invoke(recut_command, written, catch_exceptions=False)
    assert section_in_use(tmp_path / "other") == section


def test_the_server_counts_for_the_script(server: Served) -> None:
    """Numbers, settings and, on request, documents; wrong values give a message; the page has what the script gets."""
    answer = json.loads(server.ask("/c/filtered/filter/count?least.words=30").text)
    assert "least: {words: 30" in answer["config"]
    assert "recut" in answer["recut"]
    assert "sides" not in answer
    page = server.ask("/c/filtered/filter?least.words=30&near=most.repeated_lines").text
    assert html.escape(answer["summary"]) in page
    assert all(html.escape(note) in page for note in answer["notes"])
    assert "not (characters &gt; 600 or digits &gt; 1)" in page
    assert "<img src=x" not in page
    begun = json.loads(server.ask("/c/filtered/filter/count?preset=gopher&pages=1").text)
    assert begun["config"] == "filter: {preset: [gopher]}"
    assert [side["refused"] for side in begun["sides"]] == [True, False]
    for wrong, message in (
        ("least.words=x", "least.words is 'x'; write a number"),
        (f"least.words={'9' * 400}", "write a number"),
        ("least.words=nan", "write a number"),
        ("preset=nothing", "is unknown"),
    ):
        refused = server.ask(f"/c/filtered/filter/count?{wrong}")
        assert refused.status == 400
        assert message in json.loads(refused.text)["error"]
    assert server.ask("/c/filtered/filter?preset=nothing").status == 400
    assert "signals: true" in server.ask("/c/hostile/filter").text
