"""Several corpora side by side: the page and the table against their own statistics, and the published numbers."""

import os
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote

import lxml.html
import pytest
import yaml
from click.testing import CliRunner
from support import corpus_fixture as fixture
from support.counting import compute
from support.running import REPOSITORY

from corpusprep.commands.application import application
from corpusprep.errors import StageFileError
from corpusprep.io import tsv
from corpusprep.report import overview

LANGUAGES = {"b-news": "cs", "A-forum": "en", "empty one": "qxx"}


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three corpora with their statistics, one of them empty, and the page and the table."""
    folder = tmp_path_factory.mktemp("results")
    for number, name in enumerate(LANGUAGES):
        drawn = fixture.draw(seed=number, batches=2, records=12)
        fixture.write(folder / name, fixture.empty_by_language(drawn) if "empty" in name else drawn)
        compute(folder / name, folder / name / "statistics")
    overview.write([(folder / name, code) for name, code in LANGUAGES.items()], *pages(folder))
    return folder


def pages(folder: Path) -> tuple[Path, Path]:
    """The page and the table."""
    return folder / "report.html", folder / "corpora.tsv"


def rows_of(page: Path, group: str) -> dict[str, lxml.html.HtmlElement]:
    """The rows of a part of the page's table, by the name of the corpus."""
    html = lxml.html.document_fromstring(page.read_text(encoding="utf-8"))
    rows = html.xpath(f"//tbody[@class='{group}']/tr[td]")
    return {row.xpath("string(th//bdi)"): row for row in rows}


def lines(row: lxml.html.HtmlElement) -> list[list[str]]:
    """The lines of each cell."""
    return [[" ".join(line.text_content().split()) for line in cell.iter("span")] for cell in row.iter("td")]


def test_the_table_has_the_numbers_of_each_corpus(results: Path) -> None:
    """Sorted by name; each cell is that of a table of the corpus, or their difference."""
    rows = tsv.read(results / "corpora.tsv")
    assert list(rows[0]) == list(overview.COLUMNS)
    assert [row["corpus"] for row in rows] == ["A-forum", "b-news", "empty one"]
    for row in rows:
        folder = results / row["corpus"] / "statistics"
        sizes = {line["stage"]: line for line in tsv.read(folder / "corpus_size.tsv")}
        (crawl,), (ngrams,) = tsv.read(folder / "crawl.tsv"), tsv.read(folder / "duplicate_ngrams.tsv")
        given = {name: cell for name, cell in (crawl | ngrams).items() if name in row}
        assert len(given) == 13
        assert {name: row[name] for name in given} == given
        assert (row["language"], row["report"]) == (LANGUAGES[row["corpus"]], f"{row['corpus']}/report.html")
        assert row["words_crawl"] == sizes["crawl"]["words"]
        removed = int(sizes["crawl"]["words"]) - int(sizes["boilerplate"]["words"])
        assert int(row["words_removed_as_boilerplate"]) == removed
        for stage in ("boilerplate", "language", "documents", "blocks"):
            for unit in ("words", "documents", "tokens"):
                assert row.get(f"{unit}_after_{stage}", sizes[stage][unit]) == sizes[stage][unit]
            assert row[f"words_after_{stage}_percent"] == sizes[stage]["words_percent_of_previous"]


def test_the_page_shows_the_table(results: Path) -> None:
    """Every number but the number of archives, with what it counts; an empty corpus is marked."""
    shown = rows_of(results / "report.html", "ours")
    for row in tsv.read(results / "corpora.tsv"):
        cells = lines(shown[row["corpus"]])
        words, pages_of_crawl, addresses, *_ = cells[0]
        assert words == f"{int(row['words_crawl']):,} words"
        assert (pages_of_crawl, addresses) == (f"{row['pages']} pages", f"{row['urls']} addresses")
        assert cells[1][1] == f"{row['words_after_boilerplate_percent']} % kept"
        words, kept, documents, tokens = cells[4]
        assert words == f"{int(row['words_after_blocks']):,} words"
        assert kept == f"{row['words_after_blocks_percent']} % kept"
        assert documents == f"{row['documents_after_blocks']} documents"
        assert tokens == f"{int(row['tokens_after_blocks']):,} tokens"
        assert cells[6] == ["400 before", "30 after", "7.5 % left", "50 types before", "8 types after"]
        marks = shown[row["corpus"]].find_class("removed")
        assert [mark.text for mark in marks] == ["empty"] * ("empty" in row["corpus"])


def test_links_lead_to_the_reports(results: Path, tmp_path: Path) -> None:
    """From the folder of the page, also where that is elsewhere; no other link leads out of the page."""
    for place in (results, tmp_path):
        corpora = [(results / name, code) for name, code in LANGUAGES.items()]
        overview.write(corpora, *pages(place))
        html = lxml.html.document_fromstring((place / "report.html").read_text(encoding="utf-8"))
        links = {reference for _, _, reference, _ in html.iterlinks()} - {"data:,", "#published"}
        reports = {(results / name / "report.html").resolve() for name in LANGUAGES}
        assert {(place / unquote(link)).resolve() for link in links} == reports


def test_published_numbers() -> None:
    """The corpora of table 3.9 and of PRESEMT's table 2; what both have is the same corpus."""
    rows = {row["corpus"]: row for row in overview.published_corpora()}
    names = ["enTenTen", "itTenTen", "deTenTen", "ClueWeb09 (7 %)", "grTenTen", "czTenTen2", "noTenTen"]
    assert list(rows) == names
    english = rows["enTenTen"]
    assert english["words_after_boilerplate_percent"] == "46.5"
    assert english["words_removed_as_boilerplate"] == "7843420305"
    assert (english["pages"], english["urls"]) == ("13638928", "13638928")
    assert (english["stored_bytes"], english["body_bytes"]) == ("129 GB", "645 GB")
    # What one of them calls original corpus size is the other's main content and boilerplate.
    for row in (english, rows["itTenTen"]):
        parts = int(row["words_after_boilerplate"]) + int(row["words_removed_as_boilerplate"])
        assert int(row["words_crawl"]) == parts
    assert rows["czTenTen2"]["duplicate_10gram_types_after"] == "7243513"
    assert "urls" not in rows["czTenTen2"]
    assert rows["ClueWeb09 (7 %)"]["tokens_after_blocks"] == "8390930801"


def test_published_numbers_are_shown(results: Path) -> None:
    """A number that was not published is left out; where a cell has none, there is a dash."""
    shown = rows_of(results / "report.html", "published")
    assert lines(shown["noTenTen"])[1:5] == [["–"], ["–"], ["–"], ["6,015,349 documents", "2,267,156,701 tokens"]]
    assert lines(shown["itTenTen"])[4] == ["61.5 % kept", "4,020,968 documents", "3,076,812,674 tokens"]


def made_rows(results: Path, number: int) -> list[dict[str, str]]:
    """Rows of corpora.tsv: many corpora, with numbers of any size and ties."""
    base = tsv.read(results / "corpora.tsv")[0]
    rows = []
    for place in range(number):
        words = 7 ** (place % 15) * 900
        kept = words * (place % 4 + 1) // 5
        row = base | {"corpus": f"corpus-{place:03}", "language": ("en", "cs", "de")[place % 3]}
        row |= {"words_crawl": str(words), "words_after_blocks": str(kept)}
        row |= {"duplicate_10grams_left_percent": f"{place % 11}.5"}
        rows.append(row | {"report": f"{row['corpus']}/report.html"})
    return rows


def test_places_in_each_order(results: Path, tmp_path: Path) -> None:
    """Largest numbers first; ties by name."""
    rows = made_rows(results, 40)
    page = tmp_path / "report.html"
    page.write_text(overview.render(rows), encoding="utf-8")
    styles = {name: row.get("style") for name, row in rows_of(page, "ours").items()}
    places = {name: [int(place) for place in re.findall(r"--place-\d:(\d+);", style)] for name, style in styles.items()}
    by_name = {row["corpus"]: row for row in rows}

    def order(number: int) -> list[str]:
        return sorted(places, key=lambda name: places[name][number])

    assert order(0) == sorted(by_name)
    assert order(1) == sorted(by_name, key=lambda name: ({"cs": 0, "en": 1, "de": 2}[by_name[name]["language"]], name))
    assert order(2) == sorted(by_name, key=lambda name: (-int(by_name[name]["words_crawl"]), name))
    assert order(3) == sorted(by_name, key=lambda name: (-int(by_name[name]["words_after_blocks"]), name))
    assert order(5) == sorted(by_name, key=lambda name: (-float(by_name[name]["duplicate_10grams_left_percent"]), name))
    for number in range(len(overview.ORDERS)):
        assert sorted(place[number] for place in places.values()) == list(range(40))


def test_the_order_of_the_config_does_not_matter(results: Path, tmp_path: Path) -> None:
    """Another process, with another hash seed, writes the same bytes."""
    before = [path.read_bytes() for path in pages(results)]
    corpora = [word for name in sorted(LANGUAGES) for word in (str(results / name), "--language", LANGUAGES[name])]
    page, table = pages(results)
    written = ["--output", str(page), "--table", str(table)]
    line = [sys.executable, "-m", "corpusprep", "step", "overview", *corpora, *written]
    subprocess.run(line, check=True, env=os.environ | {"PYTHONHASHSEED": "12345"}, capture_output=True)
    assert [path.read_bytes() for path in pages(results)] == before


def test_missing_statistics_are_named(tmp_path: Path) -> None:
    """And nothing is written."""
    (tmp_path / "news").mkdir()
    page, table = pages(tmp_path)
    line = ["step", "overview", str(tmp_path / "news"), "--language", "en"]
    line += ["--output", str(page), "--table", str(table)]
    result = CliRunner().invoke(application, line)
    assert isinstance(result.exception, StageFileError)
    assert "news/statistics/corpus_size.tsv: no such file" in str(result.exception)
    assert not page.exists()
    assert not table.exists()


def test_hostile_names_stay_text(results: Path, tmp_path: Path) -> None:
    """A folder's name and a language's code are escaped, and links stay links to files."""
    hostile = {"corpus": '<img src=x onerror="a">', "language": "<b>", "report": "a b?#:/<.html"}
    rows = [made_rows(results, 1)[0] | hostile]
    page = tmp_path / "report.html"
    page.write_text(overview.render(rows), encoding="utf-8")
    html = lxml.html.document_fromstring(page.read_text(encoding="utf-8"))
    assert not list(html.iter("img", "script"))
    assert list(rows_of(page, "ours")) == ['<img src=x onerror="a">']
    (link,) = {reference for _, _, reference, _ in html.iterlinks()} - {"data:,", "#published"}
    assert link == "a%20b%3F%23%3A/%3C.html"


def test_columns_are_described() -> None:
    """The reference lists them in their order."""
    described = yaml.safe_load((REPOSITORY / "docs" / "tables.yaml").read_text(encoding="utf-8"))
    assert tuple(described["others"]["corpora.tsv"]["columns"]) == overview.COLUMNS


def test_published_corpora_have_columns_of_the_table() -> None:
    """The published tables have only columns that corpora.tsv has."""
    for row in overview.published_corpora():
        assert set(row) - {"source"} <= set(overview.COLUMNS)
