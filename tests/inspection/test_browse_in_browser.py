"""The pages of `browse` in a real browser: hostile text, keys, sliders, narrow screens, light and dark."""

import json
import shutil
import time
from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest
from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait
from support.chromium import chromium
from support.made_results import Results
from support.served import Served, served

from corpusprep.inspection.audit import sampling, sheets
from corpusprep.inspection.audit.sheets import read_judgements, read_key

pytestmark = pytest.mark.slow

BATCH = f"b{0:016x}"
PATHS = [
    "/",
    "/search?q=%3Cscript%3Ewindow.hostile=1%3C/script%3E",
    "/c/hostile/pages",
    f"/c/hostile/page/{BATCH}/5",
    "/c/hostile/concordance?pattern=corpus&stage=boilerplate",
    "/c/hostile/concordance?pattern=%5B%3Cimg%20src=x%20onerror=alert(1)%3E",
    "/c/hostile/distribution?pattern=corpus&by=host&where=lang!=%22x%22",
    "/c/hostile/words?ngrams=2",
    "/c/hostile/keywords?reference=rules&where=[",
    "/c/hostile/collocations?query=corpus",
    "/c/rules/thresholds",
    "/c/filtered/filter",
    "/c/hostile/audit",
    "/c/hostile/audit/judge?sheet=sheet-anna.tsv",
]

#: Elements whose text is hard to read: the contrast to what is behind them is below 4.5 (WCAG 2.2, 1.4.3).
CONTRAST = """
const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
function channels(colour) {
  canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
  return [...canvas.getImageData(0, 0, 1, 1).data];
}
function light(colour) {
  const [r, g, b] = colour.map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function behind(element) {
  for (let one = element; one; one = one.parentElement) {
    const colour = channels(getComputedStyle(one).backgroundColor);
    if (colour[3] === 255) return colour;
  }
  return channels("Canvas");
}
return [...document.querySelectorAll("body *")]
  .filter(e => [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()) && e.checkVisibility())
  .map(e => {
    const [x, y] = [light(channels(getComputedStyle(e).color)), light(behind(e))];
    return [e.outerHTML.slice(0, 80), (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05)];
  })
  .filter(([, ratio]) => ratio < 4.5);
"""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    """Chromium with its console and network logs."""
    with chromium(tmp_path_factory.mktemp("profile")) as chrome:
        yield chrome


@pytest.fixture(scope="module")
def server(results: Results) -> Iterator[Served]:
    """The pages over the made-up corpora, with an audit of one."""
    folder = results.hostile.folder
    (folder / "audit").mkdir()
    try:
        sheets.write(folder / "audit" / "sheet.tsv", *sampling.draw(folder, 20, 4))
        shutil.copy(folder / "audit" / "sheet.tsv", folder / "audit" / "sheet-anna.tsv")
        with served(results.folder) as found:
            yield found
    finally:
        shutil.rmtree(folder / "audit")


Show = Callable[..., None]


@pytest.fixture
def show(browser: webdriver.Chrome, server: Served) -> Show:
    """Opens a page of the server, in a width and a colour scheme."""

    def opened(path: str, width: int = 1280, scheme: str = "light") -> None:
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        metrics = {"width": width, "height": 1000, "deviceScaleFactor": 1, "mobile": False}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        browser.get("about:blank")
        browser.get_log("browser")
        browser.get_log("performance")
        browser.get(server.address + path)

    return opened


@pytest.mark.parametrize("path", PATHS)
def test_hostile_text_is_inert_and_controls_have_names(
    path: str, show: Show, browser: webdriver.Chrome, server: Served
) -> None:
    """No script runs but the server's, and nothing else is loaded; a screen reader has names for what it meets."""
    show(path)
    messages = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    asked = {
        message["params"]["request"]["url"] for message in messages if message["method"] == "Network.requestWillBeSent"
    }
    assert all(url.startswith((server.address, "data:")) for url in asked), asked
    problems = [entry["message"] for entry in browser.get_log("browser")]
    assert [problem for problem in problems if "the server responded with" not in problem] == []
    assert browser.execute_script("return window.hostile === undefined && document.scripts.length === 1")
    assert browser.find_elements(By.CSS_SELECTOR, "img, iframe, object, embed, style, svg, [onerror], [onclick]") == []
    controls = browser.find_elements(By.CSS_SELECTOR, "a, button, input:not([type=hidden]), select, summary")
    for control in controls[:60]:
        assert control.accessible_name.strip() or not control.is_displayed(), control.get_attribute("outerHTML")
    assert len(browser.find_elements(By.TAG_NAME, "h1")) == 1
    assert len(browser.find_elements(By.TAG_NAME, "main")) == 1
    assert browser.find_element(By.TAG_NAME, "html").get_attribute("lang") == "en"
    assert browser.title


@pytest.mark.parametrize("path", PATHS)
def test_pages_fit_their_window_and_can_be_read(path: str, show: Show, browser: webdriver.Chrome) -> None:
    """No page scrolls sideways; every text stands out from what is behind it, in light and dark."""
    for width, scheme in ((320, "dark"), (1280, "light")):
        show(path, width, scheme)
        wide, shown = browser.execute_script(
            "return [document.documentElement.scrollWidth, document.documentElement.clientWidth]"
        )
        assert wide <= shown
        assert browser.execute_script(CONTRAST) == []


#: What a screen reader must have a name for.
NAMED_ROLES = {
    *("button", "checkbox", "combobox", "heading", "link", "navigation", "radio", "region", "searchbox", "slider"),
    *("spinbutton", "switch", "textbox", "DisclosureTriangle"),
}


@pytest.mark.parametrize("path", PATHS)
def test_the_accessibility_tree_has_roles_and_names(path: str, show: Show, browser: webdriver.Chrome) -> None:
    """Everything that takes the focus has a role and a name; landmarks, headings and tables are as they should be."""
    show(path)
    nodes = [
        {
            "role": node["role"]["value"],
            "name": node.get("name", {}).get("value", "").strip(),
            "element": node.get("backendDOMNodeId"),
            **{one["name"]: one["value"].get("value") for one in node.get("properties", [])},
        }
        for node in browser.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
        if not node["ignored"]
    ]
    roles = [node["role"] for node in nodes]
    nameless = [node for node in nodes if node["role"] in NAMED_ROLES and not node["name"]]
    assert nameless == []
    focusable = [node for node in nodes if node.get("focusable") and node["role"] not in ("RootWebArea", "main")]
    others = [node["element"] for node in focusable if node["role"] not in NAMED_ROLES]
    elements = [browser.execute_cdp_cmd("DOM.getOuterHTML", {"backendNodeId": one})["outerHTML"] for one in others]
    assert [element for element in elements if not element.startswith("<option")] == []
    assert (roles.count("main"), roles.count("banner")) == (1, 1)
    levels = [node["level"] for node in nodes if node["role"] == "heading"]
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    assert roles.count("columnheader") >= roles.count("table")


@pytest.mark.parametrize("path", PATHS)
def test_keys_reach_all_controls_in_their_order(path: str, show: Show, browser: webdriver.Chrome) -> None:
    """The tabulator key goes from control to control as they stand in the page; the focus can be seen on each."""
    show(path, 320)
    wanted = browser.execute_script(
        "return [...document.querySelectorAll('a[href], button, input, select, summary, [tabindex=\"0\"]')]"
        ".filter(e => e.type !== 'hidden' && e.checkVisibility())"
    )[:25]
    for control in wanted:
        browser.switch_to.active_element.send_keys(Keys.TAB)
        assert browser.switch_to.active_element == control, control.get_attribute("outerHTML")
        style, wide = browser.execute_script(
            "const s = getComputedStyle(document.activeElement); return [s.outlineStyle, parseFloat(s.outlineWidth)]"
        )
        assert (style, wide >= 2) == ("solid", True)


def test_the_first_key_skips_to_the_content(show: Show, browser: webdriver.Chrome) -> None:
    """Tab reaches the link that skips the header, then the links in their order; focus can be seen."""
    show("/c/rules/thresholds")
    names = []
    for _ in range(5):
        browser.switch_to.active_element.send_keys(Keys.TAB)
        names.append(browser.switch_to.active_element.text)
    assert names[:4] == ["Skip to the content", "All corpora", "Pages", "Concordance"]
    assert browser.execute_script("return getComputedStyle(document.activeElement).outlineStyle") == "solid"


def test_sliders_move_by_keys_and_blocks_change_colour(show: Show, browser: webdriver.Chrome) -> None:
    """Arrow keys move a slider: numbers, blocks and settings follow, and the status says what changed."""
    show("/c/rules/thresholds", scheme="dark")
    before = browser.find_element(By.ID, "summary").text
    kept = len(browser.find_elements(By.CSS_SELECTOR, ".block.tried.kept"))
    assert browser.find_elements(By.CSS_SELECTOR, ".block.changed") == []
    slider = browser.find_element(By.ID, "max_link_density")
    for _ in range(30):
        slider.send_keys(Keys.ARROW_RIGHT)
    WebDriverWait(browser, 20).until(lambda chrome: chrome.find_element(By.ID, "summary").text != before)
    WebDriverWait(browser, 20).until(
        lambda chrome: "max_link_density: 0.6" in chrome.find_element(By.ID, "config").text
    )
    assert browser.find_element(By.ID, "number-max_link_density").get_attribute("value") == "0.6"
    assert "--max-link-density 0.6" in browser.find_element(By.ID, "recut").text
    changed = browser.find_elements(By.CSS_SELECTOR, ".block.changed")
    now = len(browser.find_elements(By.CSS_SELECTOR, ".block.tried.kept"))
    assert now > kept
    assert len(changed) >= now - kept
    assert "changed" in changed[0].text
    assert browser.find_element(By.ID, "summary").get_attribute("aria-live") == "polite"
    assert not browser.find_element(By.CSS_SELECTOR, "button.apply").is_displayed()

    number = browser.find_element(By.ID, "number-length_low")
    number.clear()
    number.send_keys("99")
    WebDriverWait(browser, 20).until(lambda chrome: "is over" in chrome.find_element(By.ID, "summary").text)


@pytest.mark.parametrize("width", [320, 1280])
def test_sliders_stay_in_view_and_pages_fold_to_what_changes(width: int, show: Show, browser: webdriver.Chrome) -> None:
    """At the end of the page, too; only blocks that change, and their neighbours, are shown, unless all are wanted."""
    show("/c/rules/thresholds", width)
    assert browser.find_elements(By.CSS_SELECTOR, "details.page[open]") == []
    show("/c/rules/thresholds?max_link_density=0.6", width)
    unfolded = browser.execute_script(
        "return [...document.querySelectorAll('details.page')].map(p =>"
        " [p.open, p.querySelectorAll('.changed').length])"
    )
    assert any(opened for opened, _ in unfolded)
    assert all(opened == (changes > 0) for opened, changes in unfolded)
    slider = browser.find_element(By.ID, "max_link_density")
    browser.execute_script("window.scrollTo(0, document.body.scrollHeight)")
    assert browser.execute_script(
        "const box = arguments[0].getBoundingClientRect(); return box.top >= 0 && box.bottom <= innerHeight", slider
    )
    shown = "return [...document.querySelectorAll('.tried')].filter(b => b.checkVisibility()).length"
    few = browser.execute_script(shown)
    browser.find_element(By.ID, "whole").send_keys(Keys.SPACE)
    assert browser.execute_script(shown) == len(browser.find_elements(By.CSS_SELECTOR, ".tried")) > few
    browser.find_element(By.ID, "whole").send_keys(Keys.SPACE)
    assert browser.execute_script(shown) == few > 0
    slider.send_keys(Keys.HOME, *[Keys.ARROW_RIGHT] * 10)  # 0.1
    folded = "!document.querySelector('details.page[open]:not(:has(.changed))')"
    WebDriverWait(browser, 20).until(lambda chrome: chrome.execute_script(f"return {folded}"))


def test_switches_of_kinds_are_counted(show: Show, browser: webdriver.Chrome) -> None:
    """A kind that is switched on with the space bar is kept."""
    show("/c/learned/thresholds")
    box = browser.find_element(By.ID, "keep_tables")
    assert not box.is_selected()
    box.send_keys(Keys.SPACE)
    WebDriverWait(browser, 20).until(lambda chrome: "tables: true" in chrome.find_element(By.ID, "config").text)
    assert "--keep-tables" in browser.find_element(By.ID, "recut").text


def test_sliders_of_the_filter_count_and_show_documents(show: Show, browser: webdriver.Chrome) -> None:
    """Arrow keys move a threshold: numbers, settings and the documents on both sides follow."""
    show("/c/filtered/filter", 320, "dark")
    slider = browser.find_element(By.ID, "most.short_lines")
    for _ in range(3):
        slider.send_keys(Keys.ARROW_LEFT)
    near = browser.find_element(By.ID, "near")
    WebDriverWait(browser, 20).until(lambda chrome: "short_lines: 0.894" in chrome.find_element(By.ID, "config").text)
    assert near.get_attribute("value") == "most.short_lines"
    assert "move alone" in browser.find_element(By.ID, "about-most.short_lines").text
    Select(near).select_by_value("blocks.least.words")
    WebDriverWait(browser, 20).until(
        lambda chrome: "#b" in chrome.find_element(By.CSS_SELECTOR, ".side a").get_attribute("href")
    )
    assert len(browser.find_elements(By.CSS_SELECTOR, ".side .block")) > 12
    number = browser.find_element(By.ID, "number-least.words")
    number.clear()
    number.send_keys("9999")
    WebDriverWait(browser, 20).until(lambda chrome: "0 of" in chrome.find_element(By.ID, "summary").text)


def test_two_keys_judge(show: Show, browser: webdriver.Chrome, results: Results) -> None:
    """G and b store a judgement and show the next unit; switched off, they do nothing."""
    folder = results.hostile.folder / "audit"
    key = read_key(folder / "sheet.key.tsv")
    show("/c/hostile/audit/judge?sheet=sheet-anna.tsv")
    wanted = {}
    for letter, judgement in (("g", "good"), ("b", "bad"), ("g", "good")):
        unit = browser.find_element(By.NAME, "id").get_attribute("value")
        wanted[unit] = judgement
        browser.find_element(By.TAG_NAME, "body").send_keys(letter)
        # The page is replaced while it is asked.
        WebDriverWait(browser, 20, ignored_exceptions=[StaleElementReferenceException]).until(
            lambda chrome, unit=unit: chrome.find_element(By.NAME, "id").get_attribute("value") != unit
        )
    assert read_judgements(folder / "sheet-anna.tsv", key) == wanted
    assert "3 judged" in browser.find_element(By.CSS_SELECTOR, "[role=status]").text
    browser.find_element(By.ID, "keys").click()
    browser.find_element(By.TAG_NAME, "body").send_keys("g")
    time.sleep(0.3)
    assert read_judgements(folder / "sheet-anna.tsv", key) == wanted
    browser.find_element(By.LINK_TEXT, "Previous").click()
    assert "this one: good" in browser.find_element(By.CSS_SELECTOR, "[role=status]").text


def test_errors_are_read_in_any_window(show: Show, browser: webdriver.Chrome) -> None:
    """A long message wraps; the line with the mark does not, so that the mark stands below its character."""
    show("/c/hostile/keywords?reference=wordfreq&ngrams=2", 320)
    wide, shown = browser.execute_script(
        "const e = document.querySelector('[role=alert]'); return [e.scrollWidth, e.clientWidth]"
    )
    assert wide <= shown
    show("/c/hostile/concordance?pattern=%5Blc%3D%22" + "tea" * 40, 320)
    line = browser.find_element(By.CSS_SELECTOR, "[role=alert] pre")
    assert line.get_attribute("textContent").split("\n")[1].strip() == "^"
    assert line.value_of_css_property("white-space-collapse") == "preserve"
    assert line.value_of_css_property("text-wrap-mode") == "nowrap"


def test_a_long_query_says_that_it_runs(show: Show, browser: webdriver.Chrome) -> None:
    """While the page that was there is still shown. The answer of this one never comes."""
    show("/c/hostile/concordance?pattern=home")
    browser.execute_script(
        "const form = document.querySelector('form.query');"
        "form.addEventListener('submit', (event) => event.preventDefault()); form.requestSubmit()"
    )
    WebDriverWait(browser, 20).until(lambda chrome: chrome.find_elements(By.CSS_SELECTOR, ".waiting span"))
    assert "leaving this page ends it" in browser.find_element(By.CSS_SELECTOR, ".waiting").text
    show("/c/hostile/concordance?pattern=home")
    browser.execute_script(
        "addEventListener('click', (event) => event.preventDefault()); document.querySelector('a.counts').click()"
    )
    WebDriverWait(browser, 20).until(lambda chrome: chrome.find_elements(By.CSS_SELECTOR, ".waiting span"))


def test_a_pattern_is_searched_with_the_form(show: Show, browser: webdriver.Chrome) -> None:
    """The form searches what a stage removed; each line links to the page of its record."""
    show("/c/hostile/concordance")
    browser.find_element(By.ID, "pattern").send_keys("home")
    Select(browser.find_element(By.ID, "stage")).select_by_value("boilerplate")
    browser.find_element(By.ID, "pattern").send_keys(Keys.ENTER)
    WebDriverWait(browser, 20).until(lambda chrome: chrome.find_elements(By.CSS_SELECTOR, ".kwic tbody tr"))
    browser.find_element(By.CSS_SELECTOR, ".kwic tbody a").click()
    assert browser.find_element(By.CSS_SELECTOR, "dl.facts dt").text == "URL"
    assert browser.find_elements(By.CSS_SELECTOR, "details.folded")
