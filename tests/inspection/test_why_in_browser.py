"""The page of `corpusprep why` in a real browser: the numbers of a block by pointer, finger and keyboard."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from support.chromium import chromium
from support.made_results import Results

from corpusprep.inspection import why, why_page, why_text

pytestmark = pytest.mark.slow

BATCH = f"b{0:016x}"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    """Chromium with its console and network logs."""
    with chromium(tmp_path_factory.mktemp("profile")) as chrome:
        yield chrome


def shown(browser: webdriver.Chrome) -> list[str]:
    """The numbers that can be seen at the foot of the window."""
    return [one.text for one in browser.find_elements(By.CSS_SELECTOR, ".numbers") if one.is_displayed()]


def opened(block: WebElement) -> bool:
    """Whether the block is open, with its numbers in it."""
    return block.get_attribute("open") is not None and "link density" in block.text


@pytest.mark.parametrize(("width", "scheme"), [(320, "dark"), (1280, "light")])
def test_numbers_by_pointer_finger_and_keyboard(
    browser: webdriver.Chrome, results: Results, tmp_path: Path, width: int, scheme: str
) -> None:
    """The pointer and the focus show them, a tap and Enter open the block; no page scrolls sideways."""
    [story] = why.explain(results.hostile.folder, f"{BATCH}:5")
    page = tmp_path / "why.html"
    page.write_text(why_page.render([story]), encoding="utf-8")
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    metrics = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    browser.get(page.as_uri())
    wide = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert browser.execute_script(wide) <= 0
    blocks = browser.find_elements(By.CSS_SELECTOR, "details.block")
    summaries = browser.find_elements(By.CSS_SELECTOR, "details.block summary")
    numbers = [" ".join(why_text.numbers(block).split()) for block in story.blocks]
    assert shown(browser) == []
    browser.find_element(By.TAG_NAME, "body").send_keys(Keys.TAB)
    while browser.switch_to.active_element != summaries[0]:
        browser.switch_to.active_element.send_keys(Keys.TAB)
    assert shown(browser) == [numbers[0]]
    assert browser.execute_script("return getComputedStyle(document.activeElement).outlineStyle") == "solid"
    browser.switch_to.active_element.send_keys(Keys.ENTER)
    assert opened(blocks[0])
    ActionChains(browser).move_to_element(summaries[1]).perform()
    assert shown(browser) == [numbers[1]]
    summaries[1].click()
    assert opened(blocks[1])
    browser.execute_script("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    assert browser.execute_script(wide) <= 0
