"""Blind audits: the sample, the sheets, the numbers."""

import csv
import io
import itertools
import random
import shutil
from collections import Counter
from pathlib import Path

import lxml.html
import pytest
from click.testing import CliRunner
from support import corpus_fixture as fixture
from support.made_results import Results

from corpusprep.commands.audit import command
from corpusprep.errors import ConfigError
from corpusprep.inspection.audit import sampling, scoring, sheets
from corpusprep.inspection.audit.agreement import agreement
from corpusprep.inspection.audit.sheets import Key, Stratum, Unit
from corpusprep.io.sheets import SheetError, cell, read
from corpusprep.report import audit, page
from corpusprep.tables.verdicts import KEPT


@pytest.fixture(scope="module")
def corpus(results: Results) -> fixture.FakeCorpus:
    """A made-up corpus full of hostile text, with statistics."""
    return results.hostile


@pytest.fixture(scope="module")
def sampled(corpus: fixture.FakeCorpus) -> tuple[list[Unit], list[Stratum]]:
    """A sample of it."""
    return sampling.draw(corpus.folder, 60, 20)


def fate_of(block: fixture.Block, record: fixture.Record) -> str:
    """The stage that removed a block, counted without the package; empty if none did."""
    if block.boilerplate != KEPT:
        return "boilerplate"
    if record.language != KEPT or block.foreign:
        return "language"
    if record.document != KEPT:
        return "documents"
    return "" if block.last == KEPT else "blocks"


def test_strata_are_the_whole_crawl(corpus: fixture.FakeCorpus, sampled: tuple[list[Unit], list[Stratum]]) -> None:
    """Sizes by stage equal a recount, in blocks and in words; each unit is of its stratum."""
    units, strata = sampled
    counted: Counter[str] = Counter()
    words: Counter[str] = Counter()
    for record in corpus.pages:
        for block in record.blocks:
            counted[fate_of(block, record)] += 1
            words[fate_of(block, record)] += block.words
    found, found_words = Counter(), Counter()
    for one in strata:
        if one.unit == "block":
            found[one.stage] += one.units
            found_words[one.stage] += one.words
    assert found == counted
    assert found_words == words
    assert sum(one.units for one in strata if one.unit == "document") == sum(bool(page.blocks) for page in corpus.pages)
    assert Counter(unit.unit for unit in units) == {"block": 60, "document": 20}
    for unit in units:
        record = corpus.batches[unit.batch][unit.record]
        if unit.unit == "block":
            block = record.blocks[int(unit.block)]
            assert unit.stage == fate_of(block, record)
            assert unit.text == block.text[: sampling.TEXT]
            assert unit.words == block.words


def test_the_sample_does_not_depend_on_batches(corpus: fixture.FakeCorpus, tmp_path: Path) -> None:
    """The same records in batches of other names give the same sheet; another seed gives another one."""
    names = list(corpus.batches)
    swapped = fixture.write(
        tmp_path, {name: corpus.batches[other] for name, other in zip(names, names[::-1], strict=True)}
    )
    shutil.copytree(corpus.folder / "statistics", tmp_path / "statistics")  # the thresholds in use
    drawn = [
        sorted((unit.id, unit.text, unit.stratum) for unit in sampling.draw(folder, 40, 10, seed)[0])
        for folder, seed in ((corpus.folder, 1), (swapped.folder, 1), (corpus.folder, 2))
    ]
    assert len(drawn[0]) == 50
    assert drawn[0] == drawn[1]
    assert drawn[0] != drawn[2]


def test_nothing_in_the_sheet_tells_the_verdict(sampled: tuple[list[Unit], list[Stratum]], tmp_path: Path) -> None:
    """No column of the sheet is of the key but the id; the order of rows does not follow the strata."""
    sheets.write(tmp_path / "sheet.tsv", *sampled)
    header = (tmp_path / "sheet.tsv").read_text(encoding="utf-8").partition("\n")[0].split("\t")
    assert set(header) & set(sheets.KEY_COLUMNS) == {"id", "unit"}
    key = sheets.read_key(tmp_path / "sheet.key.tsv")
    rows = [row["id"] for _, row in read(tmp_path / "sheet.tsv", ["id"])]
    assert rows == sorted(key.units)
    kept = [not key.units[name].stage for name in rows]
    changes = sum(one != other for one, other in itertools.pairwise(kept))
    assert changes > 0.3 * len(rows) * 2 * (sum(kept) / len(kept)) * (1 - sum(kept) / len(kept))


@pytest.mark.parametrize(
    "text", ["=cmd|' /C calc'!A0", "+1", "-2", "@SUM(A1)", "'=1", "＝1", "\t=1", " =1", "\r=1", "\x00=1"]
)
def test_no_cell_is_a_formula(text: str) -> None:
    """A spreadsheet runs no block of a page, however it begins."""
    assert cell(text)[0] in "'\ufffd"
    assert "\t" not in cell(text)


def saved(rows: list[list[str]], form: str) -> bytes:
    """A sheet as programs save it."""
    out = io.StringIO()
    separator = {"semicolon": ";", "comma": ","}.get(form, "\t")
    quoting = csv.QUOTE_ALL if form == "quoted" else csv.QUOTE_MINIMAL
    end = "\n" if form in ("plain", "mac") else "\r\n"
    if form == "google":  # no quotation marks of its own
        text = "\r\n".join("\t".join(row) for row in rows)
    else:
        extra = ["", ""] if form == "trailing" else []
        csv.writer(out, delimiter=separator, quoting=quoting, lineterminator=end).writerows(row + extra for row in rows)
        text = out.getvalue()
    if form == "trailing":
        text += "\t\t\t\t\r\n\r\n"
    if form == "sep":
        text = "sep=\t\r\n" + text
    if form == "mac":
        text = text.replace("\n", "\r")
    return text.encode({"utf16": "utf-16", "bom": "utf-8-sig", "semicolon": "utf-8-sig"}.get(form, "utf-8"))


FORMS = ["plain", "bom", "crlf", "quoted", "semicolon", "comma", "trailing", "utf16", "google", "sep", "mac"]


@pytest.mark.parametrize("form", FORMS)
def test_what_spreadsheets_save_is_read(form: str, sampled: tuple[list[Unit], list[Stratum]], tmp_path: Path) -> None:
    """Every form gives the same judgements."""
    path = tmp_path / "sheet.tsv"
    sheets.write(path, *sampled)
    key = sheets.read_key(tmp_path / "sheet.key.tsv")
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t"))
    wanted = {}
    for number, row in enumerate(rows[1:]):
        row[2] = ["good", "Bad ", "", "?"][number % 4]
        if number % 4 < 2:
            wanted[row[0]] = ["good", "bad"][number % 4]
    path.write_bytes(saved(rows, form))
    assert sheets.read_judgements(path, key) == wanted


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "line 1: no column id"),
        (b"id\tunit\tnote\n", "line 1: no column judgement"),
        (b"id\tjudgement\nu1\tgood\nu2\tgod\n", "line 3: the judgement 'god'"),
        (b"id\tjudgement\nu1\tgood\n\nu1\tbad\n", "line 4: the id u1 stands in line 2"),
        (b"id\tjudgement\nu1\tgood\nxyz\tbad\n", "line 3: the key has no id 'xyz'"),
        (b"id\tjudgement\nu1\tgood\nu2\tbad\tsurplus\n", "line 3: 3 cells"),
        (b'id;judgement\nu1;good\n"u2;bad\n', "line 3: quotation marks"),
        (b"id;judgement\nu1;" + b"x" * 200_000, "damaged, or a cell has more than 131,072 characters"),
        (b"id\tjudgement\nu1\tgood\nu2\tb\xe9d\n", "line 3: not UTF-8"),
        (b"id\tjudgement\tjudgement\nu1\tgood\tbad\n", "line 1: two columns are named judgement"),
        (b"PK\x03\x04rest", "a workbook"),
        (b"id\tjudgement\nu1\tgood\x00\n", "line 2: not a text file"),
    ],
)
def test_a_damaged_sheet_gives_one_line(content: bytes, problem: str, tmp_path: Path) -> None:
    """The message names the file and the line."""
    path = tmp_path / "anna.tsv"
    path.write_bytes(content)
    units = {name: Unit(name, "block", "kept", "", KEPT, 1, "b", 0, "0", "") for name in ("u1", "u2")}
    with pytest.raises(SheetError, match=r"anna\.tsv") as error:
        sheets.read_judgements(path, Key(units, {}))
    assert problem in str(error.value)
    assert "\n" not in str(error.value)


def krippendorff(text: str) -> list[list[str]]:
    """Reads a table of Krippendorff's: a line per observer, a column per unit, `.` for a missing value."""
    return [
        [value for value in column if value != "."] for column in zip(*map(str.split, text.splitlines()), strict=True)
    ]


@pytest.mark.parametrize(
    ("table", "alpha"),
    [
        ("0 1 0 0 0 0 0 0 1 0\n1 1 1 0 0 1 0 0 0 0", 0.095),
        ("a a b b d c c c e d d a\nb a b b b c c c e d d d", 0.692),
        (
            "1 2 3 3 2 1 4 1 2 . . .\n1 2 3 3 2 2 4 1 2 5 . 3\n. 3 3 3 2 3 4 2 2 5 1 .\n1 2 3 3 2 4 4 1 2 5 1 .",
            0.743,
        ),
    ],
    ids=["A: two observers, binary", "B: two observers, nominal", "C: four observers, missing values"],
)
def test_alpha_is_that_of_krippendorff(table: str, alpha: float) -> None:
    """The examples of Krippendorff (2011), sections A to C."""
    found = agreement(krippendorff(table)).alpha
    assert found is not None
    assert round(found, 3) == alpha


def test_alpha_without_a_choice_is_not_defined() -> None:
    """All judgements the same, or no unit with two: there is no alpha, and no error."""
    assert agreement([["good", "good"]]).alpha is None
    assert agreement([["good"], []]).observed is None


def made_key(
    strata: list[Stratum], sampled: int, dice: random.Random, good: dict[str, int]
) -> tuple[Key, dict[str, str]]:
    """A key, with a sample of each stratum, and the judgements if so many of its units are good."""
    units, judged = {}, {}
    for stratum in strata:
        for place in dice.sample(range(stratum.units), min(sampled, stratum.units)):
            name = f"{stratum.name} {place}"
            units[name] = Unit(name, "block", stratum.name, stratum.stage, KEPT, 1, "b", 0, "0", "")
            judged[name] = "good" if place < good[stratum.name] else "bad"
    return Key(units, {("block", one.name): one for one in strata}), judged


STRATA = [
    Stratum("block", "kept far", "", 400, 400),
    Stratum("block", "kept near", "", 100, 100),
    Stratum("block", "boilerplate near", "boilerplate", 80, 80),
    Stratum("block", "boilerplate far", "boilerplate", 900, 900),
    Stratum("block", "language", "language", 20, 20),
]
GOOD = {"kept far": 390, "kept near": 60, "boilerplate near": 30, "boilerplate far": 9, "language": 2}


def test_all_judged_gives_the_true_numbers() -> None:
    """With every unit judged, the estimates are exact and the intervals have no width."""
    key, judged = made_key(STRATA, 1000, random.Random(1), GOOD)
    [first, *_, last] = [one for one in scoring.evaluate(key, [judged]).scores if one.unit == "block"]
    assert (first.stage, last.stage) == ("boilerplate", "all")
    assert first.precision.value == pytest.approx(100 * 452 / 520)
    assert first.recall.value == pytest.approx(100 * 452 / 491)
    assert (first.recall.low, first.recall.high) == pytest.approx((first.recall.value,) * 2)
    assert last.recall.value == pytest.approx(100 * 450 / 491)
    assert last.precision.value == pytest.approx(100 * 450 / 500)


def test_unequal_blocks_count_as_a_sample_of_their_effective_size() -> None:
    """By words, 2 long and 14 short blocks say as much as 7 equal ones: 28² / (2 · 7² + 14 · 1²) = 7 (Kish 1965)."""
    for good, bad in (([4] * 4, [4] * 3), ([7, 7, 1, 1], [1] * 12)):
        sizes = [*good, *bad]
        units = {str(n): Unit(str(n), "block", "kept", "", KEPT, size, "b", 0, "0", "") for n, size in enumerate(sizes)}
        judged = {name: "good" if int(name) < len(good) else "bad" for name in units}
        key = Key(units, {("block", "kept"): Stratum("block", "kept", "", 1000, 4000)})
        [found] = [one.precision for one in scoring.evaluate(key, [judged]).scores if one.unit == "word"]
        # The ends are the percentiles of Beta(4.5, 3.5), in which the 28 words that were judged are known.
        assert (found.value, found.low, found.high) == pytest.approx((400 / 7, 23.7, 85.9), abs=1)


@pytest.mark.slow
def test_intervals_hold_the_truth_19_times_in_20() -> None:
    """In 100 samples of 30 units per stratum, the interval misses the true precision and recall rarely."""
    missed = 0
    for seed in range(100):
        key, judged = made_key(STRATA, 30, random.Random(seed), GOOD)
        first = next(one for one in scoring.evaluate(key, [judged]).scores if one.unit == "block")
        missed += not first.precision.low <= 100 * 452 / 520 <= first.precision.high
        missed += not first.recall.low <= 100 * 452 / 491 <= first.recall.high
    assert missed <= 17


def test_command_line(corpus: fixture.FakeCorpus, tmp_path: Path) -> None:
    """A sheet is drawn, filled twice and scored; an existing sheet is not overwritten."""
    start = ["sample", str(corpus.folder), "--blocks", "40", "--documents", "10"]
    sheet = tmp_path / "sheet.tsv"
    done = CliRunner().invoke(command, [*start, "--output", str(sheet)], catch_exceptions=False)
    assert "sheet.key.tsv: the key" in done.output
    rows = list(read(sheet, ["id"]))
    for name, odd in (("anna", 7), ("ben", 5)):
        lines = [f"{row['id']};{'good' if number % odd else 'bad'}" for number, (_, row) in enumerate(rows)]
        (tmp_path / f"{name}.csv").write_text("id;judgement\n" + "\n".join(lines), encoding="utf-8")
    filled = [str(tmp_path / "anna.csv"), str(tmp_path / "ben.csv")]
    done = CliRunner().invoke(command, ["score", *filled], catch_exceptions=False)
    assert done.exit_code == 0
    assert "all stages" in done.output
    assert "agreement of 2 annotators (Krippendorff's alpha):" in done.output
    assert "on all units: " in done.output
    assert all(len(line) <= 80 for line in done.output.splitlines() if str(tmp_path) not in line)
    assert (tmp_path / "scores.tsv").read_text(encoding="utf-8").startswith("unit\tstage\tjudged\tprecision\t")
    with pytest.raises(ConfigError, match="exists already"):
        CliRunner().invoke(command, [*start, "--output", str(sheet)], catch_exceptions=False)


@pytest.mark.slow
def test_the_report_shows_an_audit(
    corpus: fixture.FakeCorpus, sampled: tuple[list[Unit], list[Stratum]], request: pytest.FixtureRequest
) -> None:
    """Without an audit there is no section; with one, it has its numbers, also in the report that is there already."""
    path = corpus.folder / "report.html"
    page.write(corpus.folder, 'a "name" & <b>', "en", boilerplate_kept=True)
    request.addfinalizer(path.unlink)
    without = path.read_text(encoding="utf-8")
    assert 'id="audit"' not in without
    assert page.rewrite(corpus.folder)
    assert path.read_text(encoding="utf-8") == without
    folder = corpus.folder / audit.FOLDER
    folder.mkdir()
    request.addfinalizer(lambda: shutil.rmtree(folder))
    sheets.write(folder / "sheet.tsv", *sampled)
    key = sheets.read_key(folder / "sheet.key.tsv")
    judged = {name: "good" if unit.stage != "boilerplate" else "bad" for name, unit in key.units.items()}
    found = scoring.evaluate(key, [judged, judged])
    assert scoring.publish(found, folder)
    html = path.read_text(encoding="utf-8")
    assert html == page.render(corpus.folder, 'a "name" & <b>', "en", boilerplate_kept=True)
    section = lxml.html.document_fromstring(html).get_element_by_id("audit")
    shown = [[cell.text_content() for cell in row] for row in section.iter("tr")]
    for row in (folder / "scores.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        of, stage, judged_units, precision, low, high, *_ = row.split("\t")
        name = "all stages" if stage == "all" else stage
        assert [name, f"{of}s", judged_units, f"{precision} ({low}–{high})"] in [cells[:4] for cells in shown]
    assert ["100.0 %", "1.000"] in [cells[3:] for cells in shown]
    path.write_text("a report of an earlier version", encoding="utf-8")
    assert not scoring.publish(found, folder)
