"""The site in a real browser: no error in the console, no overflow, no small print, search and converter work."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from html import unescape
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
PAGES = (
    "index.html", "index.html?q=ks14+eq+(6)", "notions.html", "notions/DP.html", "pairs/DP-TV.html", "pairs/KL-DP.html",
    "matrix.html", "graph.html", "ledger.html", "ledger.html#verdict=false", "claims/ks14-eq6.html",
    "converter.html#DP=3", "separations.html", "mechanisms/geometric.html", "principles/bayes.html",
    "commands/prove.html", "howto/eps-at-delta.html", "news.html",
)  # fmt: skip
# Pages in frames of the wanted width, because the window of a headless browser has a smallest one; what is measured
# is written into the document, which --dump-dom prints.
MEASURE = """<!DOCTYPE html><title>measure</title><pre id="out"></pre><script>
const pages = PAGES, out = [];
for (const page of pages) for (const width of [390, 1280]) {
  const frame = document.createElement("iframe");
  frame.style = `width:${width}px;height:900px;border:0`;
  frame.src = page;
  frame.addEventListener("load", () => {
    const doc = frame.contentDocument, root = doc.documentElement, small = [];
    for (const x of doc.querySelectorAll("body *")) {
      const own = [...x.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
      const size = parseFloat(doc.defaultView.getComputedStyle(x).fontSize);
      if (own && size < (x.closest("math") ? 9 : 12)) small.push(x.tagName + " " + size);
    }
    const level = doc.querySelector('[data-target="KL"] .hi');
    out.push({page, width, over: root.scrollWidth - root.clientWidth, small,
      hits: doc.querySelectorAll("#hits li").length,
      claims: doc.querySelectorAll("[data-claim]:not([hidden])").length, kl: level && level.textContent});
    document.getElementById("out").textContent = JSON.stringify(out);
  });
  document.body.append(frame);
}</script>"""


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[dict[str, Any]], str]:
    """What was measured on each page at each width, and what the browser logged."""
    folder = tmp_path_factory.mktemp("browser")
    findings = [decide(get_claim(name)) for name in ("ks14-eq6", "zhao17-eq20")]
    site = build(folder / "atlas", findings, parsers(), ["DP", "KL", "TV"], jobs=1).folder
    outer = site / "measure.html"
    outer.write_text(MEASURE.replace("PAGES", json.dumps(PAGES)), encoding="utf-8")
    options = (
        "--headless --no-sandbox --disable-gpu --allow-file-access-from-files --enable-logging=stderr "
        f"--virtual-time-budget=20000 --user-data-dir={folder / 'profile'} --dump-dom"
    )
    done = subprocess.run(
        [str(CHROMIUM), *options.split(), outer.as_uri()], capture_output=True, text=True, timeout=300
    )
    found = re.search(r'<pre id="out">(.*?)</pre>', done.stdout, re.DOTALL)
    assert found is not None, done.stderr[-2000:]
    return json.loads(unescape(found[1])), done.stderr


def test_every_page_was_opened_without_an_error(opened: tuple[list[dict[str, Any]], str]) -> None:
    measured, log = opened
    assert len(measured) == 2 * len(PAGES)
    assert not re.search(r"CONSOLE.*(Error|Uncaught|Failed)", log), log


def test_no_page_is_wider_than_the_screen(opened: tuple[list[dict[str, Any]], str]) -> None:
    assert not [(m["page"], m["width"], m["over"]) for m in opened[0] if m["over"] > 0]


def test_no_text_is_too_small_to_read(opened: tuple[list[dict[str, Any]], str]) -> None:
    assert not [(m["page"], m["width"], m["small"][:3]) for m in opened[0] if m["small"]]


def test_the_search_finds_a_claim_and_the_filter_keeps_it(opened: tuple[list[dict[str, Any]], str]) -> None:
    by_page = {m["page"]: m for m in opened[0]}
    assert by_page["index.html?q=ks14+eq+(6)"]["hits"] == 1
    assert by_page["ledger.html"]["claims"] == 2
    assert by_page["ledger.html#verdict=false"]["claims"] == 1


def test_the_converter_shows_the_certified_numbers(opened: tuple[list[dict[str, Any]], str]) -> None:
    by_page = {m["page"]: m for m in opened[0]}
    assert by_page["converter.html#DP=3"]["kl"] == convert("DP", {"eps": 3}, "KL", 8).hi
