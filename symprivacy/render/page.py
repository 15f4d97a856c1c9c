"""A self-contained HTML page: one file, no script, no network; light and dark, for screen and paper."""

from __future__ import annotations

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
dt { color: var(--soft); } dd { margin: 0; overflow: auto hidden; padding: .1rem 0; }
.where { color: var(--soft); font-weight: normal; }
.v { font-weight: 600; } .false, .misprint, .impossible { color: var(--bad); } .tight, .holds { color: var(--good); }
.improvable, .vacuous, .undecided, .gap, .open { color: var(--warn); }
math { font-size: 1.08em; } ol { margin: 0; padding-left: 1.4rem; }
@media print { body { max-width: none; font-size: 10pt; color: #000; background: #fff; } article { break-inside: avoid;
  background: #fff; } a { color: inherit; text-decoration: none; }
  details::details-content { content-visibility: visible; } }
@media (max-width: 40rem) { dl { grid-template-columns: 1fr; } dt { margin-top: .3rem; } }
"""


def page(title: str, body: str) -> str:
    """The whole file.

    >>> page("A & B", "<p>x</p>").startswith("<!DOCTYPE html>")
    True
    """
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f'<a class="skip" href="#content">Skip to the content</a>\n<main id="content">\n<h1>{escape(title)}</h1>\n'
        f"{body}\n</main>\n</body>\n</html>\n"
    )
