"""The reference of Python names, from their signatures and docstrings."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import Any

import symprivacy
from symprivacy.site.page import Page, safe

# What the README and the how-to pages import from elsewhere than the package itself.
ROOMS = ("notions", "mechanisms", "implications", "derivations", "accounting", "claims", "atlas")


@dataclass(frozen=True)
class Member:
    """One documented name."""

    name: str
    signature: str
    body: object


def pages() -> Iterator[Page]:
    """The list of rooms, and a page for each with everything that it offers."""
    rooms = [("symprivacy", symprivacy), *((f"symprivacy.{room}", _module(room)) for room in ROOMS)]
    offered = {name: list(_members(module)) for name, module in rooms}
    about = {name: _first(module.__doc__) for name, module in rooms}
    yield Page("api.html", "Python reference", "section", "api.html",
               {"about": about, "members": {name: [m.name for m in found] for name, found in offered.items()}},
               "functions and records, from their docstrings")  # fmt: skip
    for name, found in offered.items():
        yield Page(f"api/{name}.html", name, "module", "module.html",
                   {"about": about[name], "members": found}, about[name], " ".join(m.name for m in found))  # fmt: skip


def _module(room: str) -> Any:
    return __import__(f"symprivacy.{room}", fromlist=["__all__"])


def _members(module: Any) -> Iterator[Member]:
    for name in sorted(getattr(module, "__all__", ()), key=str.casefold):
        found = getattr(module, name)
        if name.startswith("_") or not callable(found):
            continue
        yield Member(name, _signature(name, found), safe(docstring(inspect.getdoc(found) or "")))
        if inspect.isclass(found):
            for key, value in vars(found).items():
                told = inspect.getdoc(value)
                if not key.startswith("_") and told and (inspect.isroutine(value) or isinstance(value, property)):
                    yield Member(f"{name}.{key}", _signature(f"{name}.{key}", value), safe(docstring(told)))


def _signature(name: str, found: Any) -> str:
    if isinstance(found, property):
        return name
    try:
        return name + re.sub(r"<(?:function |class ')?([\w.]+)[^>]*>", r"\1", str(inspect.signature(found)))
    except (TypeError, ValueError):
        return name


def _first(text: str | None) -> str:
    return " ".join((text or "").split("\n\n")[0].replace("`", "").split())


def docstring(text: str) -> str:
    """A docstring as HTML: paragraphs, arguments, and examples.

    >>> docstring("Say ``x``.\\n\\nArgs:\\n    a: what.\\n\\n>>> 1 + 1\\n2")
    '<p>Say <code>x</code>.</p><dl><dt>a</dt><dd>what.</dd></dl><pre tabindex="0">&gt;&gt;&gt; 1 + 1\\n2</pre>'
    """
    parts = []
    for block in re.split(r"\n\s*\n", text.strip()):
        head, _, rest = block.partition("\n")
        if block.lstrip().startswith(">>>"):
            parts.append(f'<pre tabindex="0">{escape(inspect.cleandoc(block))}</pre>')
        elif head.strip() in ("Args:", "Raises:", "Attributes:"):
            items = re.split(r"\n(?=\S)", inspect.cleandoc(rest))
            told = [item.partition(":") for item in items]
            parts.append("<dl>" + "".join(f"<dt>{_inline(a)}</dt><dd>{_inline(b)}</dd>" for a, _, b in told) + "</dl>")
        else:
            parts.append(f"<p>{_inline(block)}</p>")
    return "".join(parts)


def _inline(text: str) -> str:
    told = escape(" ".join(text.split()))
    told = re.sub(r":\w+:`~?(?:[\w.]*\.)?(\w+)`", r"<code>\1</code>", told)
    return re.sub(r"``(.+?)``|`(.+?)`", lambda m: f"<code>{m[1] or m[2]}</code>", told)
