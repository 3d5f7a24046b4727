"""Sheets: blocks of pages that people label."""

import csv
from pathlib import Path

import pytest
from click.testing import Result
from support.gold_folders import TEXT, page, sheet_folder, train

from corpusprep.cleaners.content.training import examples
from corpusprep.cleaners.content.training.labels import UNKNOWN
from corpusprep.cleaners.content.training.train import read_gold
from corpusprep.cleaners.content.training.validation import counts
from corpusprep.errors import ConfigError
from corpusprep.extraction.library import extract
from corpusprep.gold import sheets
from corpusprep.gold.folders import read_folder
from corpusprep.gold.pages import GoldError
from studies.schaefer_2017 import training as texrex

BLOCKS = ["Home", "=1+1 is what the ferry says", 'The "old" ferry is back on the river', "'Tis late", "Copyright"]
PAGE = "".join(f"<p>{text}</p>" for text in BLOCKS)


def run(*arguments: str) -> Result:
    """Runs `corpusprep train sheet`."""
    return train("sheet", *arguments)


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    """Pages, and a sheet without labels."""
    (tmp_path / "html").mkdir()
    for name in ("a_1", "a_2", "b_1"):
        (tmp_path / "html" / f"{name}.html").write_text(PAGE)
    result = run(str(tmp_path), "--output", str(tmp_path / "sheet.tsv"))
    assert result.exit_code == 0, result.output
    return tmp_path


def fill(sheet: Path, labels: list[str], output: Path | None = None, *, excel: bool = False) -> None:
    """Writes labels for the blocks of page a_1, as a person or a spreadsheet program does."""
    with sheet.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t"))
    for row, label in zip([row for row in rows if row[0] == "a_1"], labels, strict=True):
        row[2] = label
    with (output or sheet).open("w", encoding="utf-8-sig" if excel else "utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", quoting=csv.QUOTE_ALL if excel else csv.QUOTE_MINIMAL)
        writer.writerows(rows)


@pytest.mark.parametrize("excel", [False, True])
def test_labelled_blocks_are_examples(folder: Path, excel: bool) -> None:
    """Blocks that nobody judged are unknown and count as neither found nor wrong; other pages are left out."""
    fill(folder / "sheet.tsv", ["bad", "Good ", "good", "good", ""], excel=excel)
    gold_set = read_folder(folder)
    assert [(page.name, page.site) for page in gold_set.pages] == [("a_1", "a")]
    found = examples.read([gold_set])
    assert found.texts == BLOCKS
    assert found.labels.tolist() == [0.0, 1.0, 1.0, 1.0, UNKNOWN]
    assert found.words.tolist() == [1, 7, 8, 2, 0]
    assert (found.pages[0].gold_words, found.pages[0].left_out) == (17, "")
    everything = list(counts(found, found.words >= 0, {"tmp": gold_set, gold_set.name: gold_set}))
    assert [(name, one.false_positives, one.false_negatives) for name, one in everything] == [("words", 1, 0)]


def test_the_label_of_several_annotators_is_their_mean(folder: Path) -> None:
    """Each has a sheet."""
    fill(folder / "sheet.tsv", ["bad", "good", "good", "good", "bad"], folder / "second.tsv")
    fill(folder / "sheet.tsv", ["bad", "bad", "good", "", "bad"])
    labels = read_folder(folder).pages[0].labels
    assert labels is not None
    assert [label for label, _ in labels.values()] == [0.0, 0.5, 1.0, 1.0, 0.0]


def test_texts_that_a_spreadsheet_would_run_are_marked(folder: Path) -> None:
    """A formula has an apostrophe before it, and so has a text that begins with one."""
    texts = [line.split("\t")[3] for line in (folder / "sheet.tsv").read_text().splitlines()[1:6]]
    assert texts[1] == "'=1+1 is what the ferry says"
    assert texts[3] == "''Tis late"


def test_names_of_pages_are_no_formulas(tmp_path: Path) -> None:
    """They are read as they are."""
    (tmp_path / "html").mkdir()
    (tmp_path / "html" / "=1+1.html").write_text("<p>The text of the page.", encoding="utf-8")
    sheets.write(tmp_path, tmp_path / "sheet.tsv", None)
    content = (tmp_path / "sheet.tsv").read_bytes()
    assert content.splitlines()[1].startswith(b"'=1+1\t0\t")
    assert list(sheets.read({"sheet.tsv": content.replace(b"\t0\t", b"\t0\tgood")})) == ["=1+1"]


def test_pages_are_drawn_by_their_names(folder: Path) -> None:
    """The same pages give the same sheet."""
    first, second = folder / "first.tsv", folder / "again.tsv"
    for output in (first, second):
        assert "2 pages" in run(str(folder), "--output", str(output), "--pages", "2").stderr
    assert first.read_bytes() == second.read_bytes()
    assert len({line.split("\t")[0] for line in first.read_text().splitlines()[1:]}) == 2


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"page\tblock\ttext\n", r"x\.tsv, line 1: no column label; a sheet has the columns page, block, label, text"),
        (
            b"page\tblock\tlabel\ttext\na_1\t0\tyes\tHome\n",
            "line 2: 'yes' for block '0'; labels are good, bad or empty",
        ),
        (b"page\tblock\tlabel\ttext\na_1\tx\tbad\tHome\n", "line 2: 'bad' for block 'x'"),
        (b"page\tblock\tlabel\ttext\na_1\t0\tgood\n", "line 2: block 0 of a_1 has no text"),
        (b"page\n\xff\xfe", "x.tsv, line 2: not UTF-8"),
    ],
)
def test_a_damaged_sheet_is_named_with_its_line(content: bytes, message: str) -> None:
    """What is wrong, and where."""
    with pytest.raises(GoldError, match=message):
        sheets.read({"x.tsv": content})


def test_a_sheet_of_another_page_is_refused(folder: Path) -> None:
    """The text of a labelled block must be that of the page."""
    fill(folder / "sheet.tsv", ["bad", "good", "good", "good", "bad"])
    (folder / "html" / "a_1.html").write_text(PAGE.replace("Home", "Start"))
    with pytest.raises(
        GoldError, match=rf"^gold set {folder.name}, page a_1: block 0 is not 'Home', as the sheet says;"
    ):
        examples.read([read_folder(folder)])


def test_an_error_in_a_sheet_names_the_folder(folder: Path) -> None:
    """There may be several folders of gold pages, each with a sheet of the same name."""
    fill(folder / "sheet.tsv", ["bad", "good", "x", "good", "bad"])
    with pytest.raises(GoldError, match=rf"^{folder}/sheet\.tsv, line 4: 'x' for block '2'"):
        read_folder(folder)


def test_labels_of_pages_that_are_not_there_are_counted(folder: Path) -> None:
    """A spreadsheet turns the page 0001 into 1: training says how many pages are left out, and names the first."""
    fill(folder / "sheet.tsv", ["bad", "good", "good", "good", "bad"])
    sheet = (folder / "sheet.tsv").read_text()
    (folder / "second.tsv").write_text(sheet.replace("a_1", "1"))
    said: list[str] = []
    assert [page.name for page in read_gold(str(folder), None, said.append).pages] == ["a_1"]
    assert said == [
        f"{folder}: 1 labelled pages of sheets that html/ does not have, left out; the first is '1'",
        f"{folder}: 2 pages without a gold text, left out",
    ]
    (folder / "sheet.tsv").unlink()
    with pytest.raises(ConfigError, match=rf"{folder}: html/ has no page of its sheets; the first one is '1'\."):
        read_folder(folder)


def test_a_folder_without_pages_is_named(tmp_path: Path) -> None:
    """The error says where pages are expected."""
    result = run(str(tmp_path), "--output", str(tmp_path / "sheet.tsv"))
    assert "no pages in" in str(result.exception)


@pytest.mark.parametrize(
    ("algorithm", "options"),
    [
        pytest.param("content", [], marks=pytest.mark.slow),
        ("victor", []),
        pytest.param("victor", ["--plain-pages"], marks=pytest.mark.slow),
        ("ncleaner", []),
        pytest.param("texrex", [], marks=pytest.mark.slow),
    ],
)
def test_every_trainer_learns_from_sheets(tmp_path: Path, algorithm: str, options: list[str]) -> None:
    """The blocks called good are kept on another page."""
    gold, model = sheet_folder(tmp_path / "own", 48), tmp_path / "x.model"
    result = train(algorithm, "--gold", gold, "--output", model, *options)
    assert result.exit_code == 0, result.output
    found = extract(page(99), algorithm=algorithm, model=str(model), threshold=0.5)
    story = [TEXT.format(99), f"Then: {TEXT.format(99)}"]
    assert [block.text for block in found if block.label == "good"] == story


def test_blocks_of_markup_that_nobody_judged_do_not_teach_texrex(tmp_path: Path) -> None:
    """Its blocks are others than those of the sheet: they are found by their words."""
    found = texrex.of_pages(read_folder(sheet_folder(tmp_path / "own", 40)))
    assert found.about["blocks"] == len(found) == 40 * 4 + 20
    assert found.about["main_content"] == 40 * 2
