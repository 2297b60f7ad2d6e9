"""A headless Chromium clicks through the site, opened from its folder: what a reader looks for is
found, and nothing is requested from elsewhere."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

webdriver = pytest.importorskip("selenium.webdriver")
from selenium.webdriver.chrome.service import Service  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from selenium.webdriver.support.ui import Select, WebDriverWait  # noqa: E402

SITE = Path(os.environ["SITE"]).resolve()
DRIVER = shutil.which("chromedriver")
pytestmark = pytest.mark.skipif(DRIVER is None, reason="apt install chromium chromium-driver")
SIZES = {"desktop": (1280, 900), "phone": (390, 860)}
PAGES = ["index", "operators/index", "operators/silu_backward", "ci", "status-codes", "sanitizer",
         "accuracy", "benchmark-plots", "commands", "architecture"]  # fmt: skip


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    options = webdriver.ChromeOptions()
    for option in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage"):
        options.add_argument(option)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(DRIVER))
    yield driver
    driver.quit()


@pytest.fixture
def browser(chromium: Any) -> Iterator[Any]:
    resize(chromium, "desktop")
    chromium.get_log("browser")
    chromium.get_log("performance")
    yield chromium
    assert [e["message"] for e in chromium.get_log("browser") if e["level"] == "SEVERE"] == []
    events = (json.loads(e["message"])["message"] for e in chromium.get_log("performance"))
    asked = [e["params"]["request"]["url"] for e in events
             if e["method"] == "Network.requestWillBeSent"]  # fmt: skip
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []


def resize(driver: Any, name: str) -> None:
    width, height = SIZES[name]
    shape = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": name == "phone"}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", shape)


def scheme(driver: Any, name: str) -> None:
    features = [{"name": "prefers-color-scheme", "value": name}]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


def start(driver: Any, page: str = "index", language: str = "") -> None:
    driver.get((SITE / language / f"{page}.html").as_uri())


def click(driver: Any, text: str) -> None:
    """Follow a link of the page's text, as a reader who sees it does."""

    def shown(driver: Any) -> Any:
        links = driver.find_elements(By.CSS_SELECTOR, "article a")
        return next((link for link in links if link.text == text and link.is_displayed()), None)

    link = WebDriverWait(driver, 20).until(shown, f"no link {text!r}")
    driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", link)
    link.click()


def article(driver: Any) -> str:
    return str(driver.find_element(By.TAG_NAME, "article").text)


def rows(driver: Any) -> list[str]:
    found = driver.find_elements(By.CSS_SELECTOR, ".op-table tbody tr td:first-child code")
    return [row.text for row in found]


def search(driver: Any, text: str) -> None:
    box = driver.find_element(By.ID, "op-search")
    box.clear()
    box.send_keys(text)


def test_whether_an_operator_works_and_with_which_dtypes(browser: Any) -> None:
    start(browser)
    click(browser, "Operators")  # the first click; then a word is typed
    search(browser, "aclnnSiluBackward")
    first = browser.find_element(By.CSS_SELECTOR, ".op-table tbody tr").text
    assert "aclnnSiluBackward" in first
    assert "computed" in first
    assert "BF16" in first


@pytest.mark.parametrize("state", ["computed", "declared", "absent"])
def test_the_state_of_a_function(browser: Any, state: str) -> None:
    """Of one of each state, as the data of the page have it."""
    document = json.loads((SITE / "operators.json").read_text(encoding="utf-8"))
    names = [entry["c_name"] for entry in document["operators"] if entry["state"] == state]
    start(browser, "operators/index")
    for name in (names[0], names[-1]):
        search(browser, name)
        row = browser.find_element(By.CSS_SELECTOR, ".op-table tbody tr")
        assert row.text.startswith(name)
        assert state in row.text


def test_the_recipe_for_continuous_integration(browser: Any) -> None:
    start(browser)
    click(browser, "CI without an NPU")
    assert "actions/checkout" in article(browser)


def test_the_meaning_of_161002(browser: Any) -> None:
    start(browser)
    click(browser, "Status codes")
    heading = browser.find_element(By.ID, "161002")
    assert "161002" in heading.text
    assert "The commonest causes" in article(browser)
    assert "BF16 exists on" in article(browser)
    where = browser.execute_script("return arguments[0].getBoundingClientRect().top", heading)
    assert 0 <= where < SIZES["desktop"][1]  # in sight at once


def test_the_error_bound_of_an_operator(browser: Any) -> None:
    start(browser)
    click(browser, "Operators")
    search(browser, "silu_backward")
    click(browser, "aclnnSiluBackward")  # the second click
    assert "Error bound: at most 0.51 ULP" in article(browser)
    lines = browser.find_elements(By.CSS_SELECTOR, ".plot polyline")
    assert len(lines) >= 6  # ours and PyTorch's, for three dtypes


def test_how_to_report_a_bug(browser: Any) -> None:
    start(browser)
    click(browser, "Report a bug")
    assert "openaclnn doctor" in article(browser)


@pytest.mark.parametrize("word", ["aclnnSiluBackward", "silu_backward", "silu 反向"])
@pytest.mark.parametrize("language", ["", "zh"])
def test_the_search_of_operators(browser: Any, word: str, language: str) -> None:
    start(browser, "operators/index", language)
    search(browser, word)
    assert rows(browser)[0] == "aclnnSiluBackward"


def test_one_chinese_word_finds_all_gradients(browser: Any) -> None:
    start(browser, "operators/index", "zh")
    search(browser, "反向")
    if browser.find_element(By.ID, "op-more").is_displayed():
        browser.execute_script("document.getElementById('op-more').click()")
    found = rows(browser)
    assert {"aclnnSiluBackward", "aclnnSoftmaxBackward"} <= {*found}
    assert len(found) < 300  # and not everything


def test_the_filters(browser: Any) -> None:
    start(browser, "operators/index")
    whole = browser.find_element(By.ID, "op-count").text
    Select(browser.find_element(By.ID, "op-family")).select_by_value("activation")
    Select(browser.find_element(By.ID, "op-gradient")).select_by_value("yes")
    Select(browser.find_element(By.ID, "op-product")).select_by_value("Ascend310P")
    Select(browser.find_element(By.ID, "op-dtype")).select_by_value("BF16")
    assert rows(browser)
    assert browser.find_element(By.ID, "op-count").text != whole
    for row in browser.find_elements(By.CSS_SELECTOR, ".op-table tbody tr"):
        assert "310P" in row.text
        assert "BF16" in row.text
    address = browser.current_url
    assert "family=activation" in address
    browser.refresh()  # what was chosen is kept in the address
    assert browser.current_url == address
    assert Select(browser.find_element(By.ID, "op-family")).first_selected_option.get_attribute(
        "value"
    ) == "activation"  # fmt: skip
    Select(browser.find_element(By.ID, "op-state")).select_by_value("absent")
    assert rows(browser) == []
    assert "Nothing matches" in browser.find_element(By.ID, "op-count").text


def test_more_rows_are_shown_when_asked_for(browser: Any) -> None:
    start(browser, "operators/index")
    before = len(rows(browser))
    more = browser.find_element(By.ID, "op-more")
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", more)
    more.click()
    assert len(rows(browser)) > before
    assert not more.is_displayed()


@pytest.mark.parametrize(
    ("language", "word", "expected"),
    [("", "aclnnSiluBackward", "aclnnSiluBackward"), ("", "SARIF", "sanitizer"),
     ("", "silu_backward", "operators/silu_backward"), ("", "161002", "status-codes"),
     ("zh", "silu_backward", "operators/silu_backward"), ("zh", "反向", "zh/operators/"),
     ("", "反向", "operators/"),
     ("zh", "状态码", "状态码")],
)  # fmt: skip
def test_the_search_of_all_pages(browser: Any, language: str, word: str, expected: str) -> None:
    start(browser, "index", language)
    box = browser.find_element(By.CSS_SELECTOR, "input.md-search__input")
    box.click()
    box.send_keys(word)
    found = WebDriverWait(browser, 20).until(
        lambda driver: driver.find_elements(By.CSS_SELECTOR, ".md-search-result__link")
    )
    links = [f"{link.get_attribute('href')} {link.text}" for link in found]
    assert any(expected.lower() in link.lower() for link in links)
    box.send_keys(Keys.ESCAPE)


def test_the_language_switch_stays_on_the_page(browser: Any) -> None:
    start(browser, "operators/silu_backward")
    browser.find_element(By.CSS_SELECTOR, ".site-language").click()
    assert browser.current_url.endswith("/zh/operators/silu_backward.html")
    assert "误差上界" in article(browser)
    browser.find_element(By.CSS_SELECTOR, ".site-language").click()
    assert browser.current_url == (SITE / "operators" / "silu_backward.html").as_uri()


@pytest.mark.parametrize("language", ["", "zh"])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("colours", ["light", "dark"])
def test_pages_fit_the_screen(browser: Any, language: str, size: str, colours: str) -> None:
    resize(browser, size)
    scheme(browser, colours)
    start(browser)
    browser.execute_script("localStorage.clear()")  # where the last choice is kept
    for page in PAGES:
        start(browser, page, language)
        assert browser.execute_script("return document.body.scrollWidth <= innerWidth"), page
        shade = browser.execute_script(
            "return getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)"
        )
        assert (sum(shade[:3]) < 384) == (colours == "dark"), page
