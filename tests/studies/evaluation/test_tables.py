"""Tables and page of an evaluation, made by the commands of the workflow."""

import csv
from pathlib import Path

import pytest
from click.testing import CliRunner
from support.plain_characters import small_character_model
from support.small_victor import small_victor

from corpusprep.cleaners.block_models import read_model, shipped_model
from corpusprep.cleaners.ncleaner.character_models import write_model
from corpusprep.cleaners.victor import victor_models
from corpusprep.gold.data import CAUSE_SETS, SETS
from studies.commands.evaluation import command

PAGE = "<p>The house by the river was old and it had been empty for years, but the garden was still full of roses.</p>"
GOLD = "URL: http://a.example/\n\n<p>The house by the river was old and it had been empty.</p>\n"


@pytest.fixture(scope="module")
def evaluation(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results for a folder of data with two pages of CleanEval and nothing else."""
    folder = tmp_path_factory.mktemp("evaluation")
    for number in ("60", "61"):
        for part, end, text in (("html", "html", PAGE), ("gold", "txt", GOLD)):
            path = folder / "data" / "cleaneval" / "final" / part / f"{number}.{end}"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    measured, out = str(folder / "measured"), str(folder / "out")
    data = ["--data", str(folder / "data")]
    write_model(folder / "ncleaner-cleaneval.model", small_character_model())
    victor_models.write_model(folder / "victor-canola.model", small_victor())
    for name in SETS:
        run(["measure", *data, "--set", name, "--output", measured])
        run(["extractors", *data, "--set", name, "--output", f"{measured}/extractors"])
        run(["speed", *data, "--set", name, "--output", f"{measured}/speed"])
        run(["trained", *data, "--set", name, "--models", str(folder), "--output", f"{measured}/trained"])
    for name in CAUSE_SETS:
        run(["causes", *data, "--set", name, "--output", f"{measured}/causes_{name}.json"])
    run(["canola", *data, "--output", f"{measured}/canola.json"])
    run(["times", *data, "--output", f"{measured}/times.json"])
    run(["tables", "--measured", measured, "--output", out])
    return folder


def run(arguments: list[str]) -> None:
    """Runs a command, which must succeed."""
    result = CliRunner().invoke(command, arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.output


def rows(folder: Path, table: str) -> dict[tuple[str, str], dict[str, str]]:
    """The rows of a table by row and score."""
    with (folder / "out" / f"table_{table}.tsv").open(encoding="utf-8", newline="") as file:
        return {(row["row"], row["score"]): row for row in csv.DictReader(file, delimiter="\t")}


def test_each_row_has_the_published_value_ours_and_the_difference(evaluation: Path) -> None:
    """The baseline keeps 22 words of which 11 are gold: precision 50 against the thesis's 88.55."""
    row = rows(evaluation, "2_8")["baseline", "P"]
    assert (row["published"], row["ours"], row["difference"]) == ("88.55", "50.00", "-38.55")


def test_the_scores_of_the_competition(evaluation: Path) -> None:
    """Text Only and Text and Markup, and their mean."""
    found = rows(evaluation, "2_5_competition")
    assert found["BTE", "Text Only"]["published"] == "85.41"
    only, marked, mean = (float(found["BTE", name]["ours"]) for name in ("Text Only", "Text and Markup", "mean"))
    assert 0 < min(only, marked) <= max(only, marked) <= 100
    assert abs(mean - (only + marked) / 2) < 0.01


def test_algorithms_that_are_not_here_keep_their_published_rows(evaluation: Path) -> None:
    """Victor has no score of ours where its models are not."""
    row = rows(evaluation, "2_8")["Victor CleanEval", "F1"]
    assert (row["published"], row["ours"], row["difference"]) == ("94.41", "", "")


def test_a_system_whose_model_was_trained_for_the_tables_has_its_row(evaluation: Path) -> None:
    """Beside the published number of the same name."""
    for system, published in (("NCLEANER", "93.96"), ("Victor Canola", "91.84")):
        row = rows(evaluation, "2_8")[system, "F1"]
        assert row["published"] == published
        assert row["ours"]


def test_our_defaultextractor_is_beside_the_lxml_one(evaluation: Path) -> None:
    """The published rows of two programs with that name are separate."""
    found = rows(evaluation, "2_8")
    assert found["DefaultExtractor", "F1"]["published"] == "93.46"
    assert found["DefaultExtractor", "F1"]["ours"]
    assert found["DefaultExtractor, Java", "F1"]["published"] == "90.90"
    assert found["DefaultExtractor, Java", "F1"]["ours"]


def test_a_stop_list_of_functional_words_has_its_own_rows(evaluation: Path) -> None:
    """With the thesis's list jusText stands beside the same published number, and explains a part."""
    found = rows(evaluation, "2_8")
    assert found["jusText A, functional words", "F1"]["published"] == found["jusText A", "F1"]["published"] == "92.16"
    assert found["jusText A, functional words", "F1"]["ours"]
    causes = rows(evaluation, "2_8_causes")
    assert causes["jusText A", "functional words: F1"]["published"] == "92.16"
    assert causes["baseline", "<select> removed: F1"]["ours"] == found["baseline", "F1"]["ours"]


def test_times_stand_beside_those_of_another_machine(evaluation: Path) -> None:
    """Without data the published seconds remain, and the page says whose they are."""
    row = rows(evaluation, "baisa_3_4")["TagSoup", "gold standard: seconds"]
    assert (row["published"], row["ours"]) == ("21.6", "")
    assert "another machine" in (evaluation / "out" / "report.html").read_text(encoding="utf-8")


def test_bars_of_appendix_b_stand_above_the_tables_of_words(evaluation: Path) -> None:
    """A figure per set, also where only published numbers are known."""
    page = (evaluation / "out" / "report.html").read_text(encoding="utf-8")
    assert page.count("Appendix B, ") == 3


def test_an_absent_set_is_skipped_and_the_page_says_so(evaluation: Path) -> None:
    """Without L3S-GN1, its table has the published values only."""
    assert rows(evaluation, "2_9")["jusText A", "F1"]["ours"] == ""
    assert "L3S-GN1: the data is missing" in (evaluation / "out" / "report.html").read_text(encoding="utf-8")


def test_the_page_needs_nothing_else(evaluation: Path) -> None:
    """A single file without scripts and without addresses to load."""
    page = (evaluation / "out" / "report.html").read_text(encoding="utf-8")
    assert "<script" not in page
    assert 'src="' not in page


def test_every_cleaner_is_beside_the_others(evaluation: Path) -> None:
    """Each registered algorithm and model has its F1 and its speed in one table, with a figure above it."""
    found = rows(evaluation, "cleaners")
    for title in ("content", "content-permissive", "baseline", "jusText A"):
        assert found[title, "CleanEval"]["ours"] == found[title, "mean of sets"]["ours"]
        assert found[title, "CleanEval"]["interval_low"]
        assert int(found[title, "pages per second"]["ours"]) > 0
    page = (evaluation / "out" / "report.html").read_text(encoding="utf-8")
    assert "quality against speed" in page


def test_f1_by_threshold_is_that_of_the_models(evaluation: Path) -> None:
    """The row of a model is what its card says; `balanced` is close to the best."""
    model = read_model(shipped_model("content"), "content")
    found = {
        score: row["ours"] for (name, score), row in rows(evaluation, "content_thresholds").items() if name == "content"
    }
    assert found == model.card["f1_by_threshold"]
    balanced = float(found[f"{model.thresholds['balanced'] / 1000:g}"])
    assert balanced > max(float(value) for value in found.values()) - 0.3
