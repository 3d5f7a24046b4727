"""The report in a real browser: headless Chromium."""

import csv
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from support import corpus_fixture as fixture
from support.chromium import chromium
from support.reporting import Reported, report

from corpusprep.io import checksums, tsv
from corpusprep.report import overview
from corpusprep.report.page import render


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    """Chromium with its console and network logs; without Chromium the test is skipped, but fails in CI."""
    with chromium(tmp_path_factory.mktemp("profile")) as chrome:
        yield chrome


def visit(browser: webdriver.Chrome, path: Path, width: int = 1200) -> tuple[list[Any], list[str]]:
    """Opens a page; returns the console's entries and the requested addresses."""
    browser.get("about:blank")
    browser.get_log("browser")
    browser.get_log("performance")
    browser.set_window_size(width, 1000)
    browser.get(path.as_uri())
    messages = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    requests = [
        message["params"]["request"]["url"] for message in messages if message["method"] == "Network.requestWillBeSent"
    ]
    return browser.get_log("browser"), requests


def unfold(browser: webdriver.Chrome) -> None:
    """Opens all that is folded."""
    browser.execute_script("document.querySelectorAll('details').forEach(part => part.open = true)")


def test_draws_without_error_or_request(browser: webdriver.Chrome, reported: Reported) -> None:
    """The console stays empty, and only the file itself is requested."""
    console, requests = visit(browser, reported.path)
    assert console == []
    assert requests == [reported.path.as_uri()]


def test_losses_are_drawn(browser: webdriver.Chrome, reported: Reported) -> None:
    """Each bar has a colour, and its part of the width of the first."""
    visit(browser, reported.path)
    bars = browser.execute_script(
        """return [...document.querySelectorAll(".losses i")].map(bar =>
           [bar.getBoundingClientRect().width, getComputedStyle(bar).backgroundColor])"""
    )
    (whole, _), *parts = bars
    assert whole > 150
    assert sum(width for width, _ in parts) == pytest.approx(whole, abs=1)
    assert len({fill for _, fill in bars if fill.startswith("rgb(")}) == 6


def test_sampled_pages_are_green_and_red(browser: webdriver.Chrome, reported: Reported) -> None:
    """Twelve pages are folded; kept blocks are green and removed ones red, in background and border."""
    visit(browser, reported.path)
    assert len(browser.find_elements(By.CSS_SELECTOR, "details.page:not([open])")) == 12
    unfold(browser)
    script = """return [...document.querySelectorAll(`details.page .block.${arguments[0]}`)].map(block => {
        const style = getComputedStyle(block);
        return [style.backgroundColor, style.borderLeftColor, block.getBoundingClientRect().height,
                block.querySelector(".reason").textContent];
    })"""
    for kind in ("kept", "removed"):
        blocks = browser.execute_script(script, kind)
        assert len(blocks) > 10
        for paper, edge, height, reason in blocks:
            for red, green, _ in (colour(paper), colour(edge)):
                assert (green > red) == (kind == "kept")
            assert height > 10
            assert bool(reason) == (kind == "removed")


def colour(css: str) -> list[int]:
    """Returns red, green and blue of a computed colour."""
    return [int(part) for part in css[css.index("(") + 1 : -1].split(",")[:3]]


def test_hostile_text_is_inert(browser: webdriver.Chrome, reported: Reported) -> None:
    """Hostile text is shown as text and runs nothing."""
    visit(browser, reported.path)
    assert browser.title == 'A <script>"corpus"</script>: corpus report'
    assert browser.find_elements(By.CSS_SELECTOR, "script, img, iframe") == []
    unfold(browser)
    assert '<script>alert("pwned")</script>' in browser.find_element(By.ID, "pages").text


def test_folded_parts_open_from_the_keyboard_and_from_links(browser: webdriver.Chrome, reported: Reported) -> None:
    """The focus is seen; Enter opens a page; a link to a folded section opens it."""
    visit(browser, reported.path)
    reached = []
    while len(reached) < 40 and (not reached or reached[-1] != "SUMMARY"):
        browser.switch_to.active_element.send_keys(Keys.TAB)
        script = """const at = document.activeElement; return [at.tagName, getComputedStyle(at).outlineStyle]"""
        tag, outline = browser.execute_script(script)
        assert outline == "solid"
        reached.append(tag)
    assert {"A", "SUMMARY"} == set(reached)
    browser.switch_to.active_element.send_keys(Keys.ENTER)
    assert len(browser.find_elements(By.CSS_SELECTOR, "details.page[open]")) == 1
    assert not browser.find_element(By.ID, "losses").is_displayed()
    browser.find_element(By.CSS_SELECTOR, 'a[href="#losses"]').click()
    assert browser.find_element(By.ID, "losses").is_displayed()


def test_dark_palette(browser: webdriver.Chrome, reported: Reported) -> None:
    """Where the system asks for it, text is light on dark, also in the figure."""
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
    )
    try:
        visit(browser, reported.path)
        script = """return [...document.querySelectorAll("body, .headlines div, .losses .about")].map(box =>
            [getComputedStyle(box).color, getComputedStyle(box).backgroundColor])"""
        for ink, paper in browser.execute_script(script):
            assert sum(colour(ink)) > 400
            assert sum(colour(paper)) < 200
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


#: Boxes that are wider than the window, or whose content is wider than they show.
CUT = """const width = document.documentElement.clientWidth;
    return [...document.querySelectorAll("body *")].filter(box => {
        const place = box.getBoundingClientRect(), style = getComputedStyle(box);
        return place.width && (place.right > width + 1
            || (style.display !== "inline" && style.overflowX !== "visible" && box.scrollWidth > box.clientWidth + 1));
    }).map(box => `${box.tagName} ${box.className} in ${box.closest("[id]")?.id}: ${box.textContent.slice(0, 50)}`)"""


@pytest.mark.parametrize("width", [360, 420, 800, 1280])
def test_nothing_is_cut(browser: webdriver.Chrome, reported: Reported, huge: Path, width: int) -> None:
    """Columns that do not fit become cards, long words are broken; also in what is folded."""
    for path in (reported.path, huge):
        visit(browser, path)
        browser.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": 1000, "deviceScaleFactor": 1, "mobile": False},
        )
        try:
            unfold(browser)
            assert browser.execute_script("return window.innerWidth") == width
            assert browser.execute_script(CUT) == []
        finally:
            browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@pytest.fixture(scope="module")
def huge(reported: Reported, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of the same corpus with a million times its counts."""
    folder = tmp_path_factory.mktemp("huge")
    shutil.copytree(reported.path.parent, folder, dirs_exist_ok=True)
    for table in (folder / "statistics").glob("*.tsv"):
        with table.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
        lines = [table.read_text(encoding="utf-8").split("\n")[0]]
        for row in rows:
            large = {
                name: str(int(text) * 10**6) if name not in ("n", "used", "value") and text.isdecimal() else text
                for name, text in row.items()
            }
            lines.append("\t".join(large.values()))
        table.write_text("\n".join(lines) + "\n", encoding="utf-8")
        checksums.forget(table)
    path = folder / "report.html"
    path.write_text(render(folder, "A large corpus", "en"), encoding="utf-8")
    return path


@pytest.mark.parametrize("width", [360, 480, 800, 1280])
def test_numbers_stay_in_their_tiles(browser: webdriver.Chrome, huge: Path, width: int) -> None:
    """The main numbers of a huge corpus shrink to the width of their tiles."""
    visit(browser, huge, width)
    script = """return [...document.querySelectorAll(".headlines div")].map(tile => [
        tile.querySelector(".number").textContent,
        [...tile.children].every(line => line.scrollWidth <= line.clientWidth)])"""
    tiles = browser.execute_script(script)
    assert len(tiles) == 4
    assert all(fits for _, fits in tiles), tiles
    assert max(len(number) for number, _ in tiles) >= 9


@pytest.fixture(scope="module")
def many(reported: Reported, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of 200 corpora with large numbers and long names."""
    folder = tmp_path_factory.mktemp("many")
    overview.write([(reported.path.parent, "en")], folder / "report.html", folder / "corpora.tsv")
    (base,) = tsv.read(folder / "corpora.tsv")
    numbers = [name for name, text in base.items() if text.isdecimal() and name != "n"]
    rows = [
        base
        | {name: str(int(base[name]) * 10 ** (place % 9)) for name in numbers}
        | {"corpus": f"a-corpus-with-a-long-name-{place:03}", "report": f"{place}/report.html"}
        for place in range(200)
    ]
    (folder / "report.html").write_text(overview.render(rows), encoding="utf-8")
    return folder / "report.html"


@pytest.mark.parametrize("width", [480, 800, 1280])
def test_corpora_side_by_side_fit(browser: webdriver.Chrome, many: Path, width: int) -> None:
    """Nothing is wider than the window or its cell, and nothing is asked for or complained about."""
    console, requests = visit(browser, many, width)
    assert console == []
    assert requests == [many.as_uri()]
    script = """return [...document.querySelectorAll("html, .scroll, .overview, .overview td, .overview tbody th")]
        .filter(box => box.scrollWidth > box.clientWidth).map(box => box.textContent)"""
    assert browser.execute_script(script) == []
    heads = browser.execute_script('return document.querySelector(".overview thead").offsetHeight')
    assert (heads > 0) == (width == 1280)


def test_corpora_are_sorted_without_a_script(browser: webdriver.Chrome, many: Path) -> None:
    """A click on an order moves the rows; the published corpora stay below."""
    visit(browser, many, 1280)
    script = """return [...document.querySelectorAll(".overview tbody tr")]
        .map(row => [row.getBoundingClientRect().top, row.querySelector("bdi")?.textContent])
        .sort((one, other) => one[0] - other[0]).map(row => row[1])"""
    before = browser.execute_script(script)
    assert before[:2] == ["a-corpus-with-a-long-name-000", "a-corpus-with-a-long-name-001"]
    browser.find_element(By.XPATH, "//label[.='words of the corpus']").click()
    after = browser.execute_script(script)
    assert after[:2] == ["a-corpus-with-a-long-name-008", "a-corpus-with-a-long-name-017"]
    assert after[200:] == before[200:]
    assert sorted(after[:200]) == before[:200]


def test_empty_corpus_in_the_browser(browser: webdriver.Chrome, tmp_path: Path) -> None:
    """The report of a corpus without records opens without errors, and says that it is empty."""
    console, requests = visit(browser, report(tmp_path, {"b00000": []}).path)
    assert console == []
    assert len(requests) == 1
    assert browser.find_element(By.CSS_SELECTOR, ".empty").is_displayed()
    assert browser.find_elements(By.ID, "comparison") == []


def test_language_filter_that_keeps_nothing(browser: webdriver.Chrome, tmp_path: Path) -> None:
    """The report of an empty corpus from a full crawl shows its removed pages."""
    console, _ = visit(browser, report(tmp_path, fixture.empty_by_language(fixture.draw())).path)
    assert console == []
    assert browser.find_elements(By.CSS_SELECTOR, ".block.kept") == []
    assert browser.find_elements(By.CSS_SELECTOR, ".block.removed")
