"""The report's contents, without a browser."""

import os
import shutil
import subprocess
import sys
from dataclasses import replace
from hashlib import md5
from pathlib import Path

import lxml.html
import polars as pl
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from support import corpus_fixture as fixture
from support.counting import count_batches
from support.reporting import Reported, report

from corpusprep.commands.application import application
from corpusprep.errors import StageFileError
from corpusprep.io import readable as numbers
from corpusprep.io import tsv
from corpusprep.pipeline import ALWAYS_DECIDING, DECIDING
from corpusprep.report import figures, published
from corpusprep.report.page import render
from corpusprep.statistics import sampled_pages as samples
from corpusprep.statistics.cleaning import CHANGES
from corpusprep.statistics.corpus_folder import CorpusFolder
from corpusprep.tables import verdicts
from corpusprep.tables.verdicts import KEPT


def parse(html: str) -> lxml.html.HtmlElement:
    """Parses the page as HTML."""
    return lxml.html.document_fromstring(html)


def text(element: lxml.html.HtmlElement) -> str:
    """Returns the text of an element, with normalised white space."""
    return " ".join(element.text_content().split())


def test_nothing_of_a_page_becomes_markup(reported: Reported) -> None:
    """Hostile text stays text: no script, image, frame, external link or event handler."""
    page = parse(reported.html)
    allowed = {"a", "link", "meta", "style", "details", "summary", "nav"}
    assert not {element.tag for element in page.iter("script", "img", "iframe", "object", "form", "base")}
    assert allowed <= {element.tag for element in page.iter()}
    for element in page.iter(lxml.etree.Element):
        assert not [name for name in element.attrib if name.startswith("on")]
    assert "49" not in {text(element) for element in page.iter("span")}


def test_refers_to_nothing_outside(reported: Reported) -> None:
    """Every reference is to a place on the page or to empty data."""
    page = parse(reported.html)
    references = {reference for _, _, reference, _ in page.iterlinks()}
    assert {reference for reference in references if not reference.startswith("#")} == {"data:,"}
    targets = {element.get("id") for element in page.iter() if element.get("id")}
    assert {reference[1:] for reference in references if reference.startswith("#")} <= targets
    assert "url(http" not in reported.html
    assert "@import" not in reported.html


def test_ids_are_unique(reported: Reported) -> None:
    """The figures do not share identifiers."""
    identifiers = [element.get("id") for element in parse(reported.html).iter() if element.get("id")]
    assert len(identifiers) == len(set(identifiers))


def test_size_is_bounded(reported: Reported) -> None:
    """Blocks of 100,000 characters are shortened."""
    assert len(reported.html) < 400_000
    longest = max(len(element.text_content()) for element in parse(reported.html).find_class("words"))
    assert longest <= samples.SHOWN_CHARACTERS + 2


def test_corpus_size_beside_the_thesis(reported: Reported) -> None:
    """Table 3.8: our last row and the thesis's are side by side."""
    ledger = fixture.recount_ledger(reported.corpus)
    cells = [text(cell) for cell in parse(reported.html).get_element_by_id("size").xpath(".//tbody/tr[last()]/*")]
    assert cells[0] == "after block-level de\u2011duplication"
    assert cells[1:4] == [f"{ledger['blocks', unit, KEPT]:,}" for unit in ("document", "block", "word")]
    assert cells[6:] == ["7,279,959,176", "81.0 %", "8,390,930,801"]


def test_web_corpora_of_the_thesis(reported: Reported) -> None:
    """Table 3.9: every row has this corpus and the thesis's four corpora; sizes have their unit."""
    rows = parse(reported.html).get_element_by_id("comparison").xpath(".//tbody/tr")
    cells = [[text(cell) for cell in row] for row in rows]
    assert len(cells) == 18
    assert cells[0] == ["language", "English", "English", "Italian", "German", "English"]
    assert cells[2][1] == str(len(reported.corpus.pages))
    assert cells[3][0] == "original corpus size, words"
    assert cells[10][2:] == ["3,145,958,284", "–", "2,441,347,841", "7,279,959,176"]
    assert cells[-1] == ["duplicate 10-grams left", "7.5 %", "7.7 %", "10.0 %", "5.8 %", "10.6 %"]


def test_exact_duplicates_beside_the_thesis(reported: Reported) -> None:
    """3.6.1: types and instances of this corpus, of the thesis's sample, and of its larger crawl."""
    (ours,) = tsv.read(reported.corpus.folder / "statistics" / "exact_duplicates.tsv")
    section = parse(reported.html).get_element_by_id("duplicates")
    cells = [[text(cell) for cell in row[1:]] for row in section.xpath("(.//table)[1]/tbody/tr")]
    names = ("documents_before", "duplicate_types", "duplicate_instances", "documents_after")
    assert [row[0] for row in cells[:4]] == [ours[name] for name in names]
    assert [row[1] for row in cells] == ["21,776", "877", "2,950", "19,703", "13,745,880", "13,105,727"]
    assert [row[2] for row in cells] == ["11,837,454", "658,512", "1,682,969", "10,812,997", "–", "10,359,277,678"]


def test_hosts_by_size_beside_the_thesis(reported: Reported) -> None:
    """3.6.5: hosts with one, two, three and more pages; each host is in one row."""
    section = parse(reported.html).get_element_by_id("hosts")
    cells = [[text(cell) for cell in row] for row in section.xpath(".//h3[1]/following::table[1]/tbody/tr")]
    assert [row[0] for row in cells] == ["1", "2", "3", "4 to 9", "10 to 99", "all hosts"]
    assert cells[0][4:] == ["1,416 (52.0 %)", "1,023,914 (43.2 %)"]
    assert cells[-1] == ["all hosts", "5", "5", "5", "2,722", "2,369,698"]
    for column in (1, 2, 3):
        assert sum(int(row[column].split()[0]) for row in cells[:-1]) == 5


def test_processing_times_of_the_thesis(reported: Reported) -> None:
    """Table 3.7: the thesis's phases are in the rows of the corresponding stages."""
    rows = parse(reported.html).get_element_by_id("times").xpath(".//tbody/tr")
    cells = {text(row[0]): [text(cell) for cell in row[1:]] for row in rows}
    assert cells["boilerplate"][:4] == ["3", "28.50 s", "12.75 s", "850 MB"]
    assert cells["boilerplate"][-3:] == ["26 h 37 min", "8", "47.7"]
    assert cells["blocks"][-3:] == ["69 h 8 min", "1", "146.9"]
    assert cells["corpus"] == ["–"] * 9
    assert cells["all stages"][:4] == ["13", "1 min 2 s", "26.13 s", "900 MB"]


def test_losses_are_the_ledger(reported: Reported) -> None:
    """Every line of the ledger is shown with its meaning."""
    section = parse(reported.html).get_element_by_id("losses")
    printed = [[text(cell) for cell in row] for row in section.xpath(".//tbody/tr")]
    assert all(row[1] for row in printed)
    for (stage, unit, verdict), count in fixture.recount_ledger(reported.corpus).items():
        if unit != "byte":
            assert any(row[0] == verdict and f"{count:,}" in row[2:] for row in printed), (
                stage,
                unit,
                verdict,
            )


def test_changes_of_the_text(reported: Reported) -> None:
    """Each row of the table is shown with what it means."""
    with (reported.corpus.folder / "statistics/cleaning.tsv").open(encoding="utf-8") as file:
        counted = [line.rstrip("\n").split("\t") for line in file][1:]
    section = parse(reported.html).get_element_by_id("encodings")
    printed = [[text(cell) for cell in row] for row in section.xpath(".//h3/following::tbody[1]/tr")]
    assert [row[1:] for row in printed] == [[f"{int(pages):,}", f"{int(number):,}"] for _, pages, number in counted]
    assert [row[0] for row in printed] == [CHANGES[change] for change, _, _ in counted]


def test_language_that_is_not_built_in(reported: Reported) -> None:
    """A language that is not built in is named by its code, which is escaped like other text."""
    page = parse(render(reported.corpus.folder, "name", "<i>x"))
    assert "A corpus in <i>x, made from" in text(page)
    assert text(page.get_element_by_id("comparison").xpath(".//tbody/tr[1]/td[1]")[0]) == "<i>x"


def test_every_verdict_has_a_meaning() -> None:
    """The report explains every verdict; those of a crawl of several languages are on the page of the crawl."""
    explained = {name for group in verdicts.BLOCK_VERDICTS.values() for name in group}
    explained |= {name for group in verdicts.DOCUMENT_VERDICTS.values() for name in group}
    vocabulary = {name for key, names in vars(verdicts).items() if key.endswith("_REASONS") for name in names}
    assert explained | {*verdicts.RECORD_REASONS, *verdicts.DIVISION_REASONS} == vocabulary


def test_sample_is_by_md5(reported: Reported) -> None:
    """The kept pages are the eight with the smallest MD5 of their URL; the removed ones have different reasons."""
    pages = samples.sample(CorpusFolder.open(reported.corpus.folder))
    by_digest = sorted(reported.corpus.pages, key=lambda page: md5(page.url.encode()).hexdigest())
    assert [page.url for page in pages[:8]] == [page.url for page in by_digest if page.kept_blocks][:8]
    assert [page.kept for page in pages] == [True] * 8 + [False] * 4
    assert len({page.reason for page in pages[8:]}) == 4


def test_sampled_blocks_have_their_verdict(reported: Reported) -> None:
    """Every removed block of a sampled page has its reason, where all blocks are shown: on most pages."""
    whole_pages = 0
    for page in samples.sample(CorpusFolder.open(reported.corpus.folder)):
        record = next(record for record in reported.corpus.pages if record.url == page.url)
        whole = record.language if record.language not in (None, KEPT) else record.document
        expected = [
            block.boilerplate if block.boilerplate != KEPT
            else "foreign_block" if block.foreign
            else block.last or whole
            for block in record.blocks
        ]  # fmt: skip
        shown = [block for block in page.blocks if not block.hidden]
        if len(shown) == len(expected):
            whole_pages += 1
            assert [block.reason or KEPT for block in shown] == expected
            starts = [numbers.printable(block.text, samples.SHOWN_CHARACTERS) for block in record.blocks]
            assert [block.text for block in shown] == starts
        assert page.words == sum(block.words for block in record.blocks)
        assert page.kept_words == sum(block.words for block in record.kept_blocks)
    assert whole_pages > 5


def test_sample_does_not_depend_on_batches(reported: Reported, tmp_path: Path) -> None:
    """The same records in one batch and another order give the same pages."""
    one = fixture.write(tmp_path, {"b00007": reported.corpus.records[::-1]})
    count_batches(one.folder)
    expected = samples.sample(CorpusFolder.open(reported.corpus.folder))
    assert [page.url for page in samples.sample(CorpusFolder.open(one.folder))] == [page.url for page in expected]


def test_sample_has_the_first_capture_of_a_page(tmp_path: Path) -> None:
    """Of several captures of an address, in one batch or in several. Dates follow the place in the batch."""
    first, other, *_ = (record for record in fixture.draw()["b00000"] if record.kept_blocks)
    again = replace(first, title="Captured again")
    made = fixture.write(tmp_path, {"b00000": [other, again], "b00001": [first, again]})
    count_batches(made.folder)
    found = {page.url: (page.date, page.title) for page in samples.sample(CorpusFolder.open(made.folder))}
    assert found[first.url] == ("2024-01-01T00:00:00Z", first.title)
    assert len(found) == 2


def test_sample_of_a_corpus_without_kept_pages(tmp_path: Path) -> None:
    """The sample then has twelve removed pages."""
    made = fixture.write(tmp_path, fixture.empty_by_language(fixture.draw()))
    count_batches(made.folder)
    pages = samples.sample(CorpusFolder.open(made.folder))
    assert [page.kept for page in pages] == [False] * 12


@given(st.lists(st.tuples(st.booleans(), st.integers(1, 40)), max_size=90), st.integers(1, 60))
def test_abridged_pages_account_for_every_block(runs: list[tuple[bool, int]], limit: int) -> None:
    """At most `limit` blocks are shown; together with those counted in the placeholders, no block is missing."""
    kept_blocks = [kept for kept, length in runs for _ in range(length)]
    rows = pl.DataFrame(
        {
            "heading": [False] * len(kept_blocks),
            "text": [str(place) for place in range(len(kept_blocks))],
            "boilerplate": [KEPT if kept else "short" for kept in kept_blocks],
        },
        schema={"heading": pl.Boolean, "text": pl.String, "boilerplate": pl.String},
    ).with_columns(pl.lit(None, pl.String).alias(stage) for stage in DECIDING if stage != "boilerplate")
    blocks = [
        samples.ShownBlock(kept, "" if kept else "short", "" if kept else "short, not between good blocks", text=text)
        for kept, text in zip(kept_blocks, rows["text"], strict=True)
    ]
    shown = samples.abridge(rows, limit)
    assert sum(not block.hidden for block in shown) <= limit
    for kept in (True, False):
        listed = sum(block.hidden or 1 for block in shown if block.kept == kept)
        assert listed == sum(block.kept == kept for block in blocks)
    if len(blocks) <= limit:
        assert shown == blocks


def test_marked_blocks_are_shown_as_kept_with_their_mark() -> None:
    """They are in the corpus; what they are marked as is said with the block."""
    decided = [KEPT, "marked_duplicate", "duplicate", None]
    rows = pl.DataFrame({"heading": [False] * 4, "text": list("abcd"), "blocks": decided}).with_columns(
        pl.Series("boilerplate", [KEPT, KEPT, KEPT, "short"]),
        *(pl.lit(None, pl.String).alias(stage) for stage in DECIDING if stage not in ("boilerplate", "blocks")),
    )
    shown = samples.abridge(rows)
    states = [(True, ""), (True, "marked_duplicate"), (False, "duplicate"), (False, "short")]
    assert [(block.kept, block.reason) for block in shown] == states
    assert shown[1].meaning.startswith("in the corpus, and marked: ")


def empty_by_encoding() -> list[fixture.Record]:
    """Returns records without a page."""
    return [fixture.Record(f"u{n}", "h", 10, verdict) for n, verdict in enumerate(["status", "status", "empty"])]


def empty_by_boilerplate() -> list[fixture.Record]:
    """Returns a page whose blocks are all boilerplate."""
    blocks = [fixture.Block("some menu", verdict) for verdict in ("short", "stop_words", "stop_words")]
    return [fixture.Record("u", "h", 10, KEPT, page="no_good_block", blocks=blocks)]


def empty_by_blocks() -> list[fixture.Record]:
    """Returns a page whose only block is a duplicate."""
    blocks = [fixture.Block("some text", KEPT, last="duplicate")]
    return [
        fixture.Record("u", "h", 10, KEPT, page=KEPT, language=KEPT, document=KEPT, blocks=blocks),
    ]


@pytest.mark.parametrize(
    ("records", "reason"),
    [
        ([], "Its archives have no records."),
        (empty_by_encoding(), "“encoding” kept none of its records (3). The most frequent reason is status"),
        (
            empty_by_boilerplate(),
            "The most frequent reason for their 3 blocks is stop_words (too few stop words): 2.",
        ),
        (
            empty_by_blocks(),
            "“blocks” kept none of its documents (1). The most frequent reason is no_block_left",
        ),
    ],
)
def test_empty_corpus_says_why(tmp_path: Path, records: list[fixture.Record], reason: str) -> None:
    """The report of an empty corpus names the stage and the most frequent reason."""
    notes = parse(report(tmp_path, {"b00000": records}).html).find_class("empty")
    assert len(notes) == 1
    assert text(notes[0]).startswith("This corpus is empty.")
    assert reason in text(notes[0])


def test_corpus_with_words_is_not_called_empty(reported: Reported) -> None:
    """Only reports of empty corpora have the note."""
    assert parse(reported.html).find_class("empty") == []


def test_deterministic(reported: Reported, tmp_path: Path) -> None:
    """Another process with another hash seed writes the same bytes."""
    folder = tmp_path / "corpus"
    shutil.copytree(reported.corpus.folder, folder)
    arguments = ["step", "report", str(folder)]
    subprocess.run(
        [
            sys.executable,
            "-m",
            "corpusprep",
            *arguments,
            "--name",
            'A <script>"corpus"</script>',
            "--language",
            "en",
        ],
        check=True,
        env=os.environ | {"PYTHONHASHSEED": "12345"},
        capture_output=True,
    )
    assert (folder / "report.html").read_text(encoding="utf-8") == reported.html


def test_missing_statistics(tmp_path: Path) -> None:
    """Without the statistics tables, the command names the missing one and writes nothing."""
    made = fixture.write(tmp_path, fixture.draw(batches=1, records=3))
    arguments = [str(made.folder)]
    result = CliRunner().invoke(application, ["step", "report", *arguments, "--name", "a", "--language", "en"])
    assert isinstance(result.exception, StageFileError)
    assert "corpus_size.tsv: no such file" in str(result.exception)
    assert not (made.folder / "report.html").exists()


def test_figures_follow_the_style_sheet(reported: Reported) -> None:
    """Figures use the page's colours, and the style sheet defines all of them."""
    curve = figures.Curve([0.1, 0.9], [80.0, 40.0], [(0.1, 90.0), (0.9, 85.0)], 0.5)
    [drawn] = figures.thresholds({"THRESHOLD": curve})
    for name in ("ink", "kept", "boilerplate"):
        assert f"var(--{name})" in drawn
    for name in figures.COLOURS:
        assert reported.html.count(f"--{name}:") == 2
    assert "#0101" not in drawn


def test_figure_of_nothing() -> None:
    """Bars of length 0 can be drawn."""
    bars = [figures.Bar(name, 0, "0", "boilerplate") for name in ("a", "b")]
    assert "<svg" in figures.shares(bars, "nothing", "Nothing")


def test_published_tables_fit_their_stages() -> None:
    """The thesis's tables have a row for each stage that they are compared with."""
    assert len(published.table("3.8")) == len(published.SIZES) == 1 + len(ALWAYS_DECIDING)
    assert len(published.table("3.7")) == len(published.PHASES)
    assert set(published.WEB_CORPORA) < set(published.table("3.9")[0])


@pytest.mark.parametrize(
    ("number", "printed"),
    [
        ("1234567", "1,234,567"),
        (0, "0"),
        ("", "–"),
        ("21744.9", "21,744.9"),
        ("0.005", "0.005"),
        ("-1000", "-1,000"),
    ],
)
def test_thousands(number: str | int, printed: str) -> None:
    """Digits before the decimal point are grouped."""
    assert numbers.thousands(number) == printed


@pytest.mark.parametrize(
    ("number", "printed"),
    [(99_999, "99,999"), (123_456, "123k"), (24_633_016_767, "24.6B"), (999_600, "1.0M"), (2_116_211_000_000, "2.1T")],
)
def test_compact(number: int, printed: str) -> None:
    """Labels of large numbers have three digits."""
    assert numbers.compact(number) == printed


@pytest.mark.parametrize(
    ("seconds", "printed"),
    [(4.2, "4.20 s"), (59.999, "60.00 s"), (192, "3 min 12 s"), (95_820, "26 h 37 min")],
)
def test_duration(seconds: float, printed: str) -> None:
    """Durations are printed in seconds, minutes or hours."""
    assert numbers.duration(seconds) == printed


@pytest.mark.parametrize(
    ("count", "printed"), [(0, "0 B"), (999, "999 B"), (12_345_678, "12.3 MB"), (5 * 10**15, "5,000.0 TB")]
)
def test_size(count: int, printed: str) -> None:
    """Sizes are printed in the largest unit that fits."""
    assert numbers.size(count) == printed


def test_printable() -> None:
    """Control characters are made visible, long text is shortened."""
    assert numbers.printable("a\x00b\x1b\x85c", 10) == "a\ufffdb\ufffd\ufffdc"
    assert numbers.printable("w" * 100_000, 5) == "wwwww …"
