"""The tables and the page of the block classifiers, from small made data; the published numbers on the real data."""

from pathlib import Path

import numpy as np
import pytest

from corpusprep.errors import CorpusprepError, StageFileError
from corpusprep.io import tsv
from studies.comparison import Table
from studies.schaefer_2017 import measuring, report
from studies.schaefer_2017.classifiers import CLASSIFIERS, file_name
from studies.schaefer_2017.perceptrons import FEATURES
from studies.schaefer_2017.results import Results
from studies.schaefer_2017.vectors import LANGUAGES
from studies.study import of_package


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Vectors of 60 blocks per language; length and markup decide."""
    folder = tmp_path_factory.mktemp("data")
    (folder / "texrex-blocks").mkdir()
    for seed, language in enumerate(LANGUAGES):
        features = np.random.default_rng(seed).random((60, len(FEATURES)))
        labels = features[:, 0] + features[:, 5] > 0.8
        lines = [f"60 {len(FEATURES)} 1"]
        for row, label in zip(features, labels, strict=True):
            lines += [" ".join(f"{number:.4f}" for number in row), str(int(label))]
        (folder / f"texrex-blocks/boilerplate.{language}.dat").write_text("\n".join(lines), encoding="ascii")
    return folder


@pytest.fixture(scope="module")
def measured(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of measurements: sizes, curves and one classifier are measured, the rest is made."""
    folder = tmp_path_factory.mktemp("measured")
    measuring.measure_sizes(data, folder / "sizes.tsv")
    for language in LANGUAGES:
        measuring.measure_curve(data, language, folder / f"curve_{language}.tsv")
        merits = [(name, f"{0.01 * number:.6f}") for number, name in enumerate(FEATURES)]
        tsv.write(folder / f"merits_{language}.tsv", measuring.MERIT_COLUMNS, merits)
        for name in CLASSIFIERS:
            path = folder / f"classifier_{language}_{file_name(name)}.tsv"
            if name == "LR":
                measuring.measure_classifier(data, language, "lr", path)
            else:
                gain = 0.05 if name == "RF" else 0.0
                rows = [(name, fold, f"{0.9 + gain + 0.001 * (fold % 2):.6f}", "0.01") for fold in range(10)]
                tsv.write(path, measuring.CLASSIFIER_COLUMNS, rows)
    transfer = [
        (learned, judged, f"{threshold:.2f}", "0.9", f"{1 - threshold:.6f}", "0.8", "0.7")
        for learned in (*LANGUAGES, "germanic", "all")
        for judged in LANGUAGES
        if learned != judged
        for threshold in (0.0, 0.5, 1.0)
    ]
    tsv.write(folder / "transfer.tsv", measuring.TRANSFER_COLUMNS, transfer)
    for name in measuring.GOLD_SETS:
        judged = [(measuring.VECTORS, name, "0.8"), (name, name, "0.9"), (name, "de", "0.7")]
        gold = [(learned, of, "100", "0.6", "0.8", "0.7", "0.75", right) for learned, of, right in judged]
        tsv.write(folder / f"gold_{name}.tsv", measuring.GOLD_COLUMNS, gold if name == "l3s-gn1" else ())
    return folder


def tables(results: Results) -> list[Table]:
    """All tables of the paper."""
    exhibits = [made for study in of_package("studies.schaefer_2017") if study.make for made in study.make(results)]
    return sorted((table for table in exhibits if isinstance(table, Table)), key=lambda table: table.name)


def test_tables_stand_beside_the_published_ones(measured: Path, tmp_path: Path) -> None:
    """Each table and the page are written; sizes and differences are those of the data."""
    report.write(measured, tmp_path)
    made = {table.name: table for table in tables(Results(measured))}
    assert list(made) == ["2", "3", "4", "5", "6", "gold", "transfer"]
    for name in made:
        assert (tmp_path / f"table_{name}.tsv").is_file()
    sizes = {(number.row, number.score): number for number in made["2"].numbers}
    blocks = int(sizes["German", "boilerplate"].ours) + int(sizes["German", "content"].ours)
    assert blocks == 60
    assert sizes["German", "boilerplate"].published == "7912"
    assert any("better than MLP" in note and "German RF" in note for note in made["5"].notes)
    assert [number.ours for number in made["gold"].numbers if number.row == "L3S-GN1 on German"][-1] == "0.700"
    assert made["gold"].notes[0].startswith("L3S-GN1: 60.0% of the blocks are boilerplate")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 3
    assert "SkippedDivs" in page


def test_reduction_of_error(measured: Path) -> None:
    """PRE is what is right beyond the baseline, as a share of what the baseline has wrong."""
    results = Results(measured)
    row = next(row for row in results.curves["fr"] if row["threshold"] == "0.50")
    baseline = results.baseline("fr")
    found = {(n.row, n.score): n.ours for n in next(t for t in tables(results) if t.name == "4").numbers}
    assert float(found["French", "PRE"]) == pytest.approx((float(row["correct"]) - baseline) / (1 - baseline), abs=1e-3)


def test_models_of_other_languages(data: Path, tmp_path: Path) -> None:
    """Every model judges every language that it has not learned from alone, and those of several judge all."""
    measuring.measure_transfer(data, tmp_path / "transfer.tsv")
    rows = tsv.read(tmp_path / "transfer.tsv", measuring.TRANSFER_COLUMNS)
    pairs = {(row["learned_from"], row["judged"]) for row in rows}
    assert len(pairs) == 4 * 3 + 2 * 4
    assert len(rows) == 101 * len(pairs)
    assert not any(learned == judged for learned, judged in pairs)


def test_merits(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Features that decide have a larger merit than one that does not."""
    monkeypatch.setattr(measuring, "FEATURES", list(FEATURES)[:6])
    measuring.measure_merits(data, "de", tmp_path / "merits.tsv")
    merits = {row["feature"]: float(row["merit"]) for row in tsv.read(tmp_path / "merits.tsv")}
    assert list(merits) == list(FEATURES)[:6]
    assert min(merits["Length"], merits["MarkupProp"]) > merits["PageProp"]


def test_mistakes_are_named(data: Path, measured: Path, tmp_path: Path) -> None:
    """An unknown classifier, and a missing table."""
    with pytest.raises(CorpusprepError, match="no classifier svm; there are: mlp, lr"):
        measuring.measure_classifier(data, "de", "svm", tmp_path / "x.tsv")
    with pytest.raises(StageFileError, match=r"curve_en\.tsv"):
        report.write(tmp_path, tmp_path)


@pytest.mark.data
@pytest.mark.slow
def test_published_numbers(evaluation_data: Path, tmp_path: Path) -> None:
    """German: the perceptron at 0.5 and two classifiers are within a point of the published scores."""
    measuring.measure_curve(evaluation_data, "de", tmp_path / "curve.tsv")
    row = next(row for row in tsv.read(tmp_path / "curve.tsv") if row["threshold"] == "0.50")
    assert float(row["precision"]) == pytest.approx(0.963, abs=0.01)
    assert float(row["recall"]) == pytest.approx(0.977, abs=0.01)
    assert float(row["correct"]) == pytest.approx(0.952, abs=0.01)
    for name, published in (("lr", 0.90), ("nb", 0.84), ("ibk", 0.95)):
        measuring.measure_classifier(evaluation_data, "de", name, tmp_path / "classifier.tsv")
        scores = [float(row["f1"]) for row in tsv.read(tmp_path / "classifier.tsv")]
        assert np.mean(scores) == pytest.approx(published, abs=0.012)
