"""The tables of chapter 3 with the published numbers, and their page."""

import csv
from pathlib import Path

import pytest
from click.testing import CliRunner

from corpusprep.dedup.all_ngrams import DuplicateCounts
from corpusprep.dedup.ngram_keys import NgramKeys
from corpusprep.io import times, tsv
from studies import published
from studies.commands.experiments import command
from studies.pomikalek_2011.chapter_3 import judgements, leftovers, measured, scaling
from studies.pomikalek_2011.chapter_3.grid import CHOICES, CHOSEN, NGRAMS, THRESHOLDS, Left
from studies.pomikalek_2011.chapter_3.lengths import KINDS, Recurring
from studies.pomikalek_2011.chapter_3.rare_words import EXPRESSIONS, Occurring
from studies.pomikalek_2011.chapter_3.resembling import STEPS, Above, Remaining
from studies.pomikalek_2011.chapter_3.set_memory import Stored
from studies.pomikalek_2011.chapter_3.spex import SpexCounts

NAME = 'A <script>"corpus"</script>'


def write(folder: Path, tokens: int, before: int, judy: bool) -> Path:
    """Writes the results of the experiments on a made-up corpus; returns its folder."""
    of = folder / "corpus" / "experiments" / "measured"
    measured.write(
        of / "spex.tsv", SpexCounts, [SpexCounts(n, 20 * n, 10 * n, n, 3 * n, 1000 + n) for n in range(1, 11)]
    )
    rows = [Recurring(kind, n, 100 * n, 7 * n) for kind in KINDS for n in range(3, 13)]
    measured.write(of / "lengths.tsv", Recurring, rows)
    measured.write(of / "words.tsv", Occurring, [Occurring(words, tokens // 100, tokens) for words in EXPRESSIONS])
    for n, stop, punctuation in NGRAMS:
        name = f"{'yes' if stop else 'no'}-{'yes' if punctuation else 'no'}-{n}.tsv"
        choices = list(CHOICES) if (n, stop, punctuation) == CHOSEN else [""]
        runs = [
            Left(n, stop, punctuation, at, n * tokens // 100, int(tokens * at), before // (2 + len(choice)), choice)
            for at in THRESHOLDS
            for choice in choices
        ]
        measured.write(of / "grid" / name, Left, runs)
    pairs = [
        Above(text, step, int(before * (1 - step)) // share, 0.99 / share)
        for text, share in (("before", 1), ("after", 9))
        for step in STEPS
    ]
    measured.write(of / "resemblance.tsv", Above, pairs)
    measured.write(of / "clusters.tsv", Remaining, [Remaining(3, tokens * 9 // 10, before * 8 // 10)])
    stored = [Stored("bitmap", 100_000, 0.125), Stored("sorted keys", 100_000, 8.0)]
    sizes = ((100_000, 19.5), (200_000, 9.5), (1_000_000, 9.0), (2_000_000, 18.25), (3_000_000, 17.0))
    stored += [Stored("Judy1, 60 bits", size, bytes_a_key) for size, bytes_a_key in sizes] if judy else []
    measured.write(folder / "set_memory.tsv", Stored, stored)
    for figure in (1, 2):
        cells = ("P_10,1,5", 10, 1, 5, "0.50", "0.6230", "0.6000")
        tsv.write(
            folder / f"figure_3_{figure}.tsv",
            ("scheme", "k", "s", "r", "resemblance", "probability", "simulated"),
            [cells],
        )
    tsv.write(folder / "figure_3_3.tsv", ("n", "p", "k", "probability"), [(4, "0.25", 1, "0.9961")])
    methods = [
        ("none", "", "", tokens, "100.0", before, "100.0", "", "", ""),
        ("simhash n=1 b=64", "0.9531", 7, tokens // 2, "50.0", before // 4, "25.0", 372096, "310", "0.8"),
        ("blocks", "", "", tokens // 4, "25.0", before // 8, "12.5", 8, "120", "5.0"),
    ]
    tsv.write(of / "comparators.tsv", leftovers.COLUMNS, methods)
    seconds = [("1", "2.5", "30")]
    for stage in ("ngrams", "blocks"):
        tsv.write(folder / "corpus" / "times" / stage / "all.tsv", times.COLUMNS, seconds)
    judged = [
        ("neardup-dev", "all", 116, 64, "simhash n=1 b=64", "0.9531", "87.50", "76.56", "81.67", "all"),
        ("neardup-dev", "core", 37, 25, "simhash n=1 b=64", "0.8906", "75.00", "96.00", "84.21", "core"),
        ("clough-stevenson", "all", 95, 57, "simhash n=1 b=64", "0.7", "70.00", "60.00", "64.62", "all"),
        ("clough-stevenson", "heldout", 40, 20, "simhash n=1 b=64", "0.8", "71.00", "61.00", "65.62", "dev"),
    ]
    tsv.write(folder / "judgements_best.tsv", judgements.BEST_COLUMNS, judged)
    ngrams, used = folder / "corpus" / "ngrams", before // 10
    NgramKeys.write(ngrams / "counted" / "duplicates.keys", 10, [1][:used], [used][:used], ngrams=9, tokens=tokens)
    (ngrams / "before").mkdir()
    DuplicateCounts(10, tokens, min(1, before), before).write(ngrams / "before" / "duplicates.tsv")
    return folder / "corpus"


def tables(folder: Path, tokens: int = 10_000, before: int = 1_000, judy: bool = True) -> str:
    """Runs the command; returns the page."""
    corpus = write(folder, tokens, before, judy)
    options = [str(corpus), "--name", NAME, "--common", str(folder)]
    options += ["--judgements", str(folder / "judgements_best.tsv")] if judy else []
    result = CliRunner().invoke(command, ["tables", *options, "--output", str(folder / "out")], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return (folder / "out" / "report.html").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a made-up corpus, with its tables and page."""
    folder = tmp_path_factory.mktemp("made")
    tables(folder)
    return folder


def rows(folder: Path, table: str) -> dict[tuple[str, str], tuple[str, str]]:
    """(row, column) -> published value, ours."""
    with (folder / "out" / f"{table}.tsv").open(encoding="utf-8", newline="") as file:
        return {
            (row["row"], row["score"]): (row["published"], row["ours"]) for row in csv.DictReader(file, delimiter="\t")
        }


@pytest.mark.parametrize(
    ("table", "row", "column", "published", "ours"),
    [
        ("table_3_1", "n = 3", "stored", "36249631", "1003"),
        ("table_3_1", "n = 10", "of these pruned", "92155864", "100"),
        ("table_3_3", "n = 5", "no punctuation: cross-domain", "76793", "500"),
        ("table_3_3", "n = 12", "no punctuation, no stop words: single-domain", "372319", "84"),
        ("table_3_4", "without stop words and punctuation, n = 10", "n-grams used", "346471", "1000"),
        ("table_3_4", "without stop words and punctuation, n = 10", "tokens left, %", "87.64", "50.00"),
        ("table_3_4", "resemblance > 0.9, whole documents", "duplicate 10-grams left, %", "95.34", "80.00"),
        ("table_3_5", "without stop words, n = 3", "tokens left", "7374281", "2500"),
        ("table_3_6", "all tokens, n = 7", "duplicate 10-grams left, %", "0.13", "50.00"),
        ("table_3_6", "no de-duplication", "tokens left", "11858518", "10000"),
        ("table_comparators", "simhash n=1 b=64, from 0.9531", "duplicate 10-grams left, %", "", "25.0"),
        ("table_comparators", "block de-duplication", "bytes stored", "", "8"),
        ("table_comparators", "block de-duplication", "CPU seconds", "", "5.0"),
        ("table_judgements", "simhash n=1 b=64", "neardup-dev: F1", "", "81.67"),
        ("table_judgements", "simhash n=1 b=64", "clough-stevenson: at", "", "0.8"),
        ("table_resemblance", "pairs above 0.05", "after de-duplication", "15", "105"),
    ],
)
def test_each_number_is_next_to_the_published_one(
    made: Path, table: str, row: str, column: str, published: str, ours: str
) -> None:
    """In the rows and columns of the thesis, next to the measured number."""
    assert rows(made, table)[row, column] == (published, ours)


def test_both_methods_are_beside_the_published_seconds(made: Path) -> None:
    """In each row of table 3.2; what is estimated says so. The thesis's method is the suffix sort."""
    shown = rows(made, "table_3_2")
    ours = scaling.table(scaling.read())
    for theirs in published.table("3.2"):
        sorting, hashing = (row for row in ours if row.million_words == int(theirs["million_words"]))
        row = f"{sorting.million_words:,} million words{', ours estimated' if sorting.estimated else ''}"
        assert shown[row, "seconds, suffix-sort"] == (theirs["seconds"], sorting.printed)
        assert shown[row, "seconds, hash"] == ("", hashing.printed)
        assert shown[row, "duplicate types"] == (theirs["duplicate_10gram_types"], str(sorting.types))
    page = (made / "out" / "report.html").read_text(encoding="utf-8")
    assert "Both leave out stop words and punctuation (footnote 5 of the thesis)" in page
    assert "9,292 million words, ours estimated" in page
    assert "This corpus, 0.0 million tokens: 1 duplicate 10-grams, in 2.5 CPU seconds" in page


def test_every_run_of_the_grid_has_its_row(made: Path) -> None:
    """60 runs in three tables, a row without de-duplication in each, and one for resemblance in the first."""
    counts = [len({row for row, _ in rows(made, f"table_3_{number}")}) for number in (4, 5, 6)]
    assert counts == [22, 21, 21]


def test_the_algorithm_as_written_is_a_row_beside_the_default(made: Path) -> None:
    """Both stand beside the published number, and the note says what both leave; other choices are not published."""
    grid, kind = rows(made, "table_3_4"), "without stop words and punctuation, n = 10"
    column = "duplicate 10-grams left, %"
    theirs, ours = grid[kind, column]
    assert (ours, theirs) == ("50.00", "4.91")
    assert grid[f"{kind}: as written", column] == (theirs, "8.30")
    assert grid[f"{kind}: documents, then blocks", column] == ("", "4.10")
    page = (made / "out" / "report.html").read_text(encoding="utf-8")
    assert "This leaves 8.30 % of the duplicate 10-grams and 50.00 % of the tokens; by default, 50.00 %" in page


def test_figures_are_also_written_as_tables(made: Path) -> None:
    """Figure 3.6 in a hundred steps; figure 3.4 with every size."""
    lines = (made / "out" / "figure_3_6.tsv").read_text().splitlines()
    assert lines[0] == "resemblance_above\tpairs_before\tpairs_after"
    assert lines[51] == "0.50\t500\t55"
    assert "Judy1, 60 bits\t200000\t9.500" in (made / "out" / "figure_3_4.tsv").read_text()


def test_the_page_needs_nothing_else_and_takes_hostile_names(made: Path) -> None:
    """A single file with its figures; the corpus name is escaped."""
    page = (made / "out" / "report.html").read_text(encoding="utf-8")
    assert "<script" not in page
    assert 'src="' not in page
    assert page.count("<svg") == 6
    assert "&lt;script&gt;" in page


def test_an_empty_corpus_has_tables_and_a_page(tmp_path: Path) -> None:
    """There is no token, no pair, and nothing to divide by."""
    assert "no de-duplication" in tables(tmp_path, tokens=0, before=0)


def test_the_grid_is_divided_to_fit_the_page(made: Path) -> None:
    """First the shares of each run, then its counts; in the file they are one table."""
    page = (made / "out" / "report.html").read_text(encoding="utf-8")
    section = page.partition("<h2>Table 3.5")[2].partition("</section>")[0]
    shares, counts = section.split("</table>")[:2]
    assert ("tokens left, %</th>" in shares, "tokens left</th>" in shares) == (True, False)
    assert ("tokens left, %</th>" in counts, "tokens left</th>" in counts) == (False, True)


def test_the_page_says_where_judy_takes_most(made: Path) -> None:
    """Only sizes from a million n-grams on count."""
    page = (made / "out" / "report.html").read_text(encoding="utf-8")
    assert "Peaks are those above one million n-grams." in page
    found = rows(made, "table_memory")
    assert found["Judy1, 60 bits", "peak"] == ("20", "18.2")
    assert found["Judy1, 60 bits", "peak at (million)"] == ("35", "2.0")


def test_the_page_says_that_judy_is_missing(made: Path, tmp_path: Path) -> None:
    """It says so only if the library is missing."""
    assert "libJudy is not installed" in tables(tmp_path, judy=False)
    assert "libJudy is not installed" not in (made / "out" / "report.html").read_text(encoding="utf-8")
