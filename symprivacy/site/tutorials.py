"""The notebooks as pages: words, code, and what was printed or drawn when they were run."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from html import escape
from pathlib import Path
from typing import Any

import symprivacy
from symprivacy.render.mathml import formula
from symprivacy.site.markdown import markdown
from symprivacy.site.page import Page, safe


def pages() -> Iterator[Page]:
    """The list of tutorials and a page for each."""
    found = [(path.stem, json.loads(path.read_text(encoding="utf-8"))) for path in notebooks()]
    heads = {name: _head(notebook) for name, notebook in found}
    yield Page("tutorials.html", "Tutorials", "section", "tutorials.html", {"heads": heads}, "the notebooks, as pages")
    for name, notebook in found:
        title, about = heads[name]
        cells = notebook["cells"]
        # The page has the title already.
        first = re.sub(r"\A# .*\n?", "", "".join(cells[0]["source"]))
        body = markdown(first) + "\n".join(_cell(cell) for cell in cells[1:])
        words = " ".join("".join(c["source"]) for c in cells if c["cell_type"] == "markdown")
        yield Page(f"tutorials/{name}.html", title, "tutorial", "tutorial.html",
                   {"body": safe(body), "file": f"notebooks/{name}.ipynb"}, about,
                   " ".join(sorted(set(re.findall(r"[A-Za-z]{4,}", words)))))  # fmt: skip


def notebooks() -> list[Path]:
    """Inside an installed package, or beside the package in a clone."""
    root = Path(symprivacy.__file__).parent
    return sorted([*(root / "notebooks").glob("*.ipynb")] or [*(root.parent / "notebooks").glob("*.ipynb")])


def _head(notebook: Mapping[str, Any]) -> tuple[str, str]:
    text = "".join(notebook["cells"][0]["source"])
    title, _, rest = text.partition("\n")
    return title.lstrip("# ").strip(), " ".join(rest.replace("`", "").split())[:160]


def _cell(cell: Mapping[str, Any]) -> str:
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        return markdown(source)
    shown = "".join(_output(output) for output in cell.get("outputs", ()))
    code = f'<div class="copy"><pre tabindex="0">{escape(source)}</pre></div>' if source.strip() else ""
    return f'{code}<div class="says output">{shown}</div>' if shown else code


def _output(output: Mapping[str, Any]) -> str:
    """The richest form of what a cell answered; only our own renderers write HTML into notebooks."""
    data = {kind: "".join(text) for kind, text in output.get("data", {}).items() if not isinstance(text, dict)}
    if "text" in output:
        return f"<pre>{escape(''.join(output['text']))}</pre>"
    if "text/html" in data and "<script" not in data["text/html"]:
        return data["text/html"]
    if "image/svg+xml" in data:
        return data["image/svg+xml"]
    if "image/png" in data:
        alt = escape(data.get("text/plain", "a picture"))
        return f'<img src="data:image/png;base64,{"".join(data["image/png"].split())}" alt="{alt}">'
    if "text/latex" in data:
        return formula(data["text/latex"].strip().strip("$"), block=True)
    return f"<pre>{escape(data['text/plain'])}</pre>" if "text/plain" in data else ""
