"""Build the site: collect what is known, render pages in several processes, write the folder."""

from __future__ import annotations

import argparse
import json
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any

from symprivacy.atlas.matrix import matrix
from symprivacy.atlas.witnesses import refuters
from symprivacy.claims.audit import fingerprint
from symprivacy.claims.finding import Finding
from symprivacy.errors import InputError
from symprivacy.parallel import in_order, run_many
from symprivacy.site import converter, graph, guide, ledger, notions, overviews, pairs
from symprivacy.site.atlas import Atlas
from symprivacy.site.page import MENU, Page, rendered

MARK = "symprivacy-site"


@dataclass(frozen=True)
class Built:
    """What was written."""

    folder: Path
    pages: int
    bytes: int


def build(
    out: str | Path,
    findings: Iterable[Finding],
    parsers: Mapping[str, argparse.ArgumentParser],
    keys: Iterable[str] | None = None,
    jobs: int | None = None,
    advance: Callable[[str], None] = lambda _: None,
    live: Mapping[str, bytes] | None = None,
) -> Built:
    """Write the site into a folder that is new, empty, or an earlier site.

    ``keys`` restricts the matrix, and with it the pages of pairs, to some notions; ``live`` are the files that let the
    page "Try it" run the program (see :mod:`symprivacy.site.live`).
    """
    folder = prepared(out)
    atlas = Atlas(matrix(keys), tuple(findings))
    # Known before processes are forked, and so to all of them.
    refuters()
    tasks = [(kind, source) for source in atlas.matrix.keys for kind in ("pairs", "grid")]
    tasks += [("notions", ""), ("ledger", ""), ("overviews", "")]
    search: list[list[str]] = []
    grids: dict[str, Any] = {}
    size = count = 0
    plain = [*guide.pages(parsers), converter.page(atlas), _live(atlas, bool(live))]
    for outcome in in_order(run_many(partial(_made, atlas), tasks, jobs=jobs)):
        made = outcome.result()
        kind, source = tasks[outcome.index]
        advance(f"{kind} {source}")
        if kind == "grid":
            grids[source] = made
            continue
        for path, text, entry in made:
            size += write(folder / path, text)
            count += 1
            search.append(entry)
    start = Page("index.html", "An atlas of privacy notions", "start", "index.html", _start(atlas))
    for page in (*plain, start):
        size += write(folder / page.path, rendered(page))
        count += 1
        search.append(page.entry)
    order = {kind: k for k, kind in enumerate(("start", "section", "notion", "how to", "command", "claim"))}
    search.sort(key=lambda entry: (order.get(entry[2], 9), entry[1]))
    size += write(folder / "data" / "search.js", f"window.SEARCH = {_js(search)};\n")
    size += write(folder / "data" / "grid.js", f"window.GRID = {_js(grids)};\n")
    size += write(folder / "data" / "graph.js", f"window.GRAPH = {_js(graph.data(atlas))};\n")
    for cell in atlas.matrix:
        if text := pairs.certificate(cell.source, cell.target):
            size += write(folder / "certificates" / f"{cell.source}-{cell.target}.json", text)
    for name, content in (live or {}).items():
        size += write(folder / "live" / name, content)
    for asset in sorted(files("symprivacy.site").joinpath("assets").iterdir(), key=lambda a: a.name):
        size += write(folder / "assets" / asset.name, asset.read_bytes())
    return Built(folder, count, size)


def _js(data: Any) -> str:
    # JSON is JavaScript; a closing tag inside a string would end a script that is pasted into a page.
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")


def _start(atlas: Atlas) -> dict[str, Any]:
    printed = [f for f in atlas.findings if not ledger.varied(f)]
    return {
        "sections": [(path, name) for path, name in MENU],
        "pairs": len(atlas.matrix.cells),
        "settled": atlas.matrix.settled,
        "claims": len(printed),
        "wrong": sum(f.verdict.value in ("false", "misprint") for f in printed),
        "varied": len(atlas.findings) - len(printed),
        "keys": atlas.matrix.keys,
        "known": {f.id for f in atlas.findings},
    }


def _live(atlas: Atlas, bundled: bool) -> Page:
    return Page("live.html", "Try it", "section", "live.html", {"keys": atlas.matrix.keys, "bundled": bundled},
                "prove, convert, derive and check on a page", "run online browser command demo")  # fmt: skip


def _made(atlas: Atlas, task: tuple[str, str]) -> Any:
    """The work of one process: rendered pages of one kind, or the numbers of the converter."""
    kind, source = task
    if kind == "grid":
        return converter.grid(atlas, source)
    made: Mapping[str, Callable[[], Iterator[Page]]] = {
        "pairs": lambda: pairs.pages(atlas, source),
        "notions": lambda: notions.pages(atlas),
        "ledger": lambda: ledger.pages(atlas),
        "overviews": lambda: overviews.pages(atlas),
    }
    return [(page.path, rendered(page), page.entry) for page in made[kind]()]


def prepared(out: str | Path) -> Path:
    """The folder, emptied if it holds an earlier site; one that holds anything else is refused."""
    folder = Path(out)
    shown = str(out)[:80]
    try:
        if folder.is_dir() and any(folder.iterdir()):
            if not (folder / f".{MARK}").is_file():
                raise InputError(f"{shown!r} is not empty and holds no earlier site; give a new folder")
            shutil.rmtree(folder)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f".{MARK}").write_text("made by symprivacy site; rebuilt as a whole\n", encoding="utf-8")
    except (OSError, ValueError) as error:
        raise InputError(f"cannot write the folder {shown!r}: {error}") from None
    return folder


def made_by_this(out: str | Path) -> bool:
    """Whether a folder holds a whole site of exactly this program, with the page that runs it."""
    folder = Path(out)
    try:
        start = (folder / "index.html").read_text(encoding="utf-8")
    except (OSError, ValueError):
        return False
    return f"program {fingerprint()}" in start and (folder / "live").is_dir() and (folder / f".{MARK}").is_file()


def write(path: Path, content: str | bytes) -> int:
    """Write one file; how many bytes it has."""
    content = content.encode() if isinstance(content, str) else content
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    except OSError as error:
        raise InputError(f"cannot write {str(path)[:80]!r}: {error.strerror}") from None
    return len(content)
