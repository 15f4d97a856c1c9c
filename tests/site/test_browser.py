"""The site in a real browser: nothing fails, nothing leaves the folder, all can be read, found and reached."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from symprivacy.claims import decide, get_claim
from symprivacy.cli.site import parsers
from symprivacy.implications import convert
from symprivacy.site.build import build

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(
    CHROMIUM is None, reason="NO BROWSER: the site was not opened; install chromium to test it"
)
# One of every kind.
PAGES = (
    "index.html", "notions.html", "notions/DP.html", "pairs/DP-TV.html", "pairs/KL-DP.html", "matrix.html",
    "graph.html", "ledger.html", "claims/ks14-eq6.html", "converter.html", "separations.html",
    "mechanisms/geometric.html", "principles.html", "principles/bayes.html", "commands/prove.html",
    "howto/eps-at-delta.html", "wanted.html", "news.html", "tutorials.html", "tutorials/01_tour.html", "api.html",
    "api/symprivacy.html", "live.html",
)  # fmt: skip
CLAIMS = ("ks14-eq6", "zhao17-eq20", "ks14-remark1-implications-fail", "ks14-thm2.4-1", "ks14-thm2.4-2")
# Own text below 12 px, formulas below 9 px.
SMALL = """() => [...document.querySelectorAll("body *")].filter((x) =>
    [...x.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim())
    && parseFloat(getComputedStyle(x).fontSize) < (x.closest("math") ? 9 : 12)).map((x) => x.tagName)"""
OVER = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
# What can be clicked is reached by Tab: a link, a field or a button, and not taken out of the order.
UNREACHED = (
    """() => [...document.querySelectorAll("[onclick], [tabindex='-1']")].map((x) => x.outerHTML.slice(0, 80))"""
)
FAULTS = """(rules) => axe.run(document, {preload: false, resultTypes: ["violations"], ...rules})
    .then((found) => found.violations.filter((v) => ["serious", "critical"].includes(v.impact))
    .map((v) => v.id + ": " + v.nodes.slice(0, 3).map((n) => n.html.slice(0, 120)).join(" | ")))"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    findings = [decide(get_claim(name)) for name in CLAIMS]
    keys = ["DP", "KL", "TV", "ZCDP"]
    return build(tmp_path_factory.mktemp("browser") / "atlas", findings, parsers(), keys, jobs=1).folder


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="NO BROWSER: playwright is not installed")
    with playwright.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture
def tab(browser: Any) -> Iterator[Any]:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, offline=True)
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("width", [390, 1280])
def test_every_kind_of_page(site: Path, browser: Any, tmp_path: Path, width: int) -> None:
    axe = (
        Path(pytest.importorskip("axe_playwright_python").__file__).with_name("axe.min.js").read_text(encoding="utf-8")
    )
    context = browser.new_context(viewport={"width": width, "height": 900}, offline=True)
    shots = Path(os.environ.get("SYMPRIVACY_SCREENSHOTS", tmp_path))
    shots.mkdir(parents=True, exist_ok=True)
    wrong: dict[str, object] = {}
    for name in PAGES:
        page = context.new_page()
        said: list[str] = []
        page.on("console", lambda message, said=said: said.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error, said=said: said.append(str(error)))
        page.on("request", lambda r, said=said: None if r.url.startswith(site.as_uri()) else said.append(r.url))
        page.goto((site / name).as_uri())
        page.evaluate(axe)
        said += [f"wider by {over} px"] if (over := page.evaluate(OVER)) > 0 else []
        said += [f"small print: {small[:3]}"] if (small := page.evaluate(SMALL)) else []
        said += [f"not by keyboard: {x}" for x in page.evaluate(UNREACHED)]
        # Light and dark differ in colours alone.
        for scheme, rules in (("light", {}), ("dark", {"runOnly": ["color-contrast"]})):
            page.emulate_media(color_scheme=scheme)
            said += [f"{scheme}: {fault}" for fault in page.evaluate(FAULTS, rules)]
            page.screenshot(path=str(shots / f"{name.replace('/', '-')[:-5]}-{width}-{scheme}.png"))
        if said:
            wrong[name] = said
        page.close()
    context.close()
    assert not wrong, wrong


def test_the_search_finds_a_claim(site: Path, tab: Any) -> None:
    tab.goto((site / "index.html").as_uri())
    tab.fill("#query", "ks14 eq (6)")
    assert tab.locator("#hits li").count() == 1
    tab.click("#hits a")
    assert tab.url.endswith("claims/ks14-eq6.html")


def test_the_search_of_every_page_leads_to_the_start_page(site: Path, tab: Any) -> None:
    tab.goto((site / "notions" / "DP.html").as_uri())
    tab.fill("#find", "KL")
    tab.press("#find", "Enter")
    tab.wait_for_selector("#hits li")
    assert "index.html" in tab.url


def test_filters_filter_and_stay_in_the_address(site: Path, tab: Any) -> None:
    tab.goto((site / "ledger.html").as_uri())
    shown = "[data-claim]:not([hidden])"
    assert tab.locator(shown).count() == len(CLAIMS)
    tab.select_option("#f-verdict", "false")
    false = tab.locator(shown).count()
    assert 0 < false < len(CLAIMS)
    assert tab.url.endswith("#verdict=false")
    tab.reload()
    assert tab.locator(shown).count() == false


def test_a_theorem_comes_before_what_mentions_it(site: Path, tab: Any) -> None:
    tab.goto((site / "ledger.html").as_uri())
    first = tab.locator("[data-claim]").first
    assert first.get_attribute("data-claim") == CLAIMS[0]
    tab.fill("#f-text", "thm 2.4")
    assert first.get_attribute("data-claim") == "ks14-thm2.4-1"
    tab.fill("#f-text", "")
    assert first.get_attribute("data-claim") == CLAIMS[0]


def test_the_slider_moves_the_numbers_to_the_certified_ones(site: Path, tab: Any) -> None:
    tab.goto((site / "converter.html").as_uri())
    before = tab.inner_text("#given")
    tab.focus("#point")
    tab.keyboard.press("ArrowRight")
    after = tab.inner_text("#given")
    assert before != after
    eps = after.split("=")[1].split(",")[0].strip()
    level = convert("DP", {"eps": eps}, "KL", 8)
    row = tab.locator('[data-target="KL"]')
    assert (row.locator(".lo").inner_text(), row.locator(".hi").inner_text()) == (level.lo, level.hi)


def test_the_matrix_by_keyboard(site: Path, tab: Any) -> None:
    tab.goto((site / "matrix.html").as_uri())
    tab.focus('a[href="pairs/DP-KL.html"]')
    tab.keyboard.press("ArrowRight")
    tab.keyboard.press("ArrowDown")
    tab.keyboard.press("Enter")
    tab.wait_for_url("**/pairs/KL-TV.html")


def test_tab_goes_through_the_page_from_the_skip_link_on(site: Path, tab: Any) -> None:
    tab.goto((site / "pairs" / "DP-TV.html").as_uri())
    seen = []
    for _ in range(6):
        tab.keyboard.press("Tab")
        seen.append(tab.evaluate("() => document.activeElement.outerHTML.slice(0, 60)"))
    assert "skip" in seen[0]
    assert len(set(seen)) == len(seen)


def test_which_zcdp_level_does_eps_1_give_why_and_who_proved_it(site: Path, tab: Any) -> None:
    """Two clicks from the start: the number, then formula, proof and who printed it."""
    tab.goto((site / "index.html").as_uri())
    tab.click("text=Which zCDP level does eps = 1 give?")
    row = tab.locator('[data-target="ZCDP"]')
    assert row.locator(".hi").inner_text() == convert("DP", {"eps": 1}, "ZCDP", 8).hi
    row.locator("a").click()
    card = tab.inner_text(".theorem")
    assert "no smaller level" in card
    assert "Who printed it" in card
    assert "Bun, Steinke 2016" in card
    assert tab.locator(".theorem math").count() > 1
    assert tab.locator("ol.steps > li").count() > 1


def test_is_theorem_2_4_of_ks14_right(site: Path, tab: Any) -> None:
    """Two clicks: both parts with their verdicts, the theorem before what mentions it, then why."""
    tab.goto((site / "index.html").as_uri())
    tab.click("text=Is Theorem 2.4 of ks14 right?")
    found = tab.locator("[data-claim]:not([hidden])")
    assert found.nth(0).get_attribute("data-claim") == "ks14-thm2.4-1"
    assert "improvable" in found.nth(0).inner_text()
    assert "false" in found.nth(1).inner_text()
    found.nth(1).locator("a").first.click()
    assert "What holds instead" in tab.inner_text("main")


def test_what_separates_kl_from_dp(site: Path, tab: Any) -> None:
    """One click to the mechanism as a table; the page of separations names the same family."""
    tab.goto((site / "index.html").as_uri())
    tab.click("text=What separates KL from DP?")
    assert "Counterexamples" in tab.inner_text("main")
    family = tab.locator('a[href^="../separations.html#"]')
    name = family.inner_text()
    assert tab.locator("table math").count() >= 4
    family.click()
    assert name in tab.inner_text("#told")


def test_separations_keep_the_question_in_the_address(site: Path, tab: Any) -> None:
    tab.goto((site / "separations.html").as_uri() + "#has=TV&hasnot=KL")
    assert "TV ⇏ KL" in tab.inner_text("#told")
    tab.select_option("#hasnot", "ZCDP")
    assert tab.url.endswith("#has=TV&hasnot=ZCDP")


def test_the_graph_shows_a_path_and_keeps_it_in_the_address(site: Path, tab: Any) -> None:
    tab.goto((site / "graph.html").as_uri())
    tab.select_option("#from", "DP")
    tab.select_option("#to", "TV")
    assert tab.inner_text("#route").startswith("DP ⟹ TV tight.")
    assert "from=DP&to=TV" in tab.url
    cards = "[data-letters]:not([hidden])"
    before = tab.locator(cards).count()
    tab.select_option("#dimension", "C")
    assert tab.locator(cards).count() < before
