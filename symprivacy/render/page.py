"""A self-contained HTML page: one file, no network; light and dark, for screen and paper.

A few lines of script choose what is shown; without it everything is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape

STYLE = """
:root { color-scheme: light dark; --ink: #1b1b1f; --soft: #55565e; --line: #c9cad2; --paper: #fff; --card: #f6f6f9;
  --link: #0b57a8; --bad: #a3161d; --good: #14622d; --warn: #7a4b00; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e8ec; --soft: #a9abb6; --line: #44464f; --paper: #16171b;
  --card: #1f2026; --link: #8ab8ff; --bad: #ff9a94; --good: #86d99b; --warn: #f0c070; } }
body { font: 1rem/1.55 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 62rem;
  margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.7rem; } h2 { font-size: 1.3rem; margin-top: 2.2rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 0 0 .3rem; overflow-wrap: anywhere; } a { color: var(--link); }
a.skip { position: absolute; left: -99rem; } a.skip:focus { position: static; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; margin: .4rem 0; }
caption { text-align: left; color: var(--soft); } th, td { border: 1px solid var(--line); padding: .2rem .6rem;
  text-align: left; vertical-align: top; } td.n { text-align: right; } td.c { text-align: center; }
article { background: var(--card); border: 1px solid var(--line); border-radius: .4rem; padding: .7rem 1rem;
  margin: .8rem 0; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: 8rem minmax(0, 1fr); gap: .15rem .8rem; margin: .3rem 0 0; }
dt { color: var(--soft); } dd p { margin: .5em 0; } dd p:first-child { margin-top: 0; }
dd { margin: 0; overflow: auto hidden; padding: .1rem 0; }
.where { color: var(--soft); font-weight: normal; }
.v { font-weight: 600; } .false, .misprint, .impossible { color: var(--bad); } .tight, .holds { color: var(--good); }
.improvable, .vacuous, .undecided, .gap, .open { color: var(--warn); }
math { font-size: 1.08em; } ol { margin: 0; padding-left: 1.4rem; }
@media print { body { max-width: none; font-size: 10pt; color: #000; background: #fff; } article { break-inside: avoid;
  background: #fff; } a { color: inherit; text-decoration: none; }
  details::details-content { content-visibility: visible; } }
.matrix { overflow: auto; max-height: 92vh; width: max-content; max-width: min(calc(100vw - 2rem), 100rem);
  margin-left: 50%; transform: translateX(-50%); border: 1px solid var(--line); }
.matrix table { border-collapse: separate; border-spacing: 0; margin: 0; } .matrix th { background: var(--card); }
.matrix th, .matrix td { padding: .25rem .45rem; border-width: 0 1px 1px 0; font-size: .9rem; }
.matrix thead th { position: sticky; top: 0; z-index: 2; } .matrix tbody th { position: sticky; left: 0; z-index: 1; }
.matrix thead th:first-child { left: 0; z-index: 3; } .matrix td a { display: block; min-width: 1.2rem; }
.key, .matrix td { color: #1b1b1f; background: var(--fill, none); } .key { padding: 0 .5em; white-space: nowrap; }
@media (prefers-color-scheme: dark) { .key, .matrix td { color: var(--ink);
  background: color-mix(in srgb, var(--fill, var(--paper)) 28%, var(--paper)); } }
tr:target, article:target { outline: 3px solid var(--link); }
form.choose { display: flex; flex-wrap: wrap; gap: .5rem 1rem; position: sticky; top: 0; z-index: 4; padding: .5rem 0;
  background: var(--paper); border-bottom: 1px solid var(--line); } form.choose label { color: var(--soft); }
form.choose input, form.choose select { font: inherit; max-width: 100%; } [hidden] { display: none !important; }
.formulas td > div { overflow-x: auto; max-width: 28rem; }
@media (max-width: 40rem) { form.choose { position: static; } .formulas, .formulas tbody, .formulas tr {
  display: block; } .formulas tr { border: 1px solid var(--line); margin: .3rem 0; }
  .formulas th, .formulas td { display: inline-block;
  border: 0; max-width: 100%; box-sizing: border-box; } .formulas td > div { max-width: 100%; } }
@media (max-width: 40rem) { dl { grid-template-columns: 1fr; } dt { margin-top: .3rem; } }
"""


SCRIPT = """
const form = document.querySelector("form.choose");
if (form) {
  form.hidden = false;
  const shown = form.querySelector("output"), all = [...document.querySelectorAll("[data-text]")];
  const choose = () => {
    const words = form.words.value.toLowerCase().split(/\\s+/).filter(Boolean);
    const wanted = [...form.querySelectorAll("select")].map(s => [s.name, s.value]).filter(([, v]) => v);
    let count = 0;
    for (const one of all) {
      const fits = words.every(w => one.dataset.text.includes(w)) &&
        wanted.every(([name, value]) => (one.dataset[name] || "").split(" ").includes(value));
      one.hidden = !fits; count += fits;
    }
    for (const group of document.querySelectorAll("section.group"))
      group.hidden = !group.querySelector("[data-text]:not([hidden])");
    shown.textContent = count + " of " + all.length;
  };
  form.addEventListener("input", choose); form.addEventListener("submit", e => e.preventDefault()); choose();
}
"""


def chooser(choices: Mapping[str, Iterable[str]]) -> str:
    """A form that chooses among what has ``data-text``: words, and one value of each name.

    >>> "<option>DP</option>" in chooser({"notion": ["DP", "KL"]})
    True
    """
    lists = "".join(
        f'<label>{escape(name)} <select name="{escape(name)}"><option value="">any</option>'
        + "".join(f"<option>{escape(value)}</option>" for value in values)
        + "</select></label>"
        for name, values in choices.items()
    )
    search = '<label>search <input name="words" type="search" autocomplete="off"></label>'
    return f'<form class="choose" hidden="" role="search">{search}{lists}<output></output></form>'


def page(title: str, body: str) -> str:
    """The whole file.

    >>> page("A & B", "<p>x</p>").startswith("<!DOCTYPE html>")
    True
    """
    script = f"<script>{SCRIPT}</script>\n" if '<form class="choose"' in body else ""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f'<a class="skip" href="#content">Skip to the content</a>\n<main id="content">\n<h1>{escape(title)}</h1>\n'
        f"{body}\n</main>\n{script}</body>\n</html>\n"
    )
