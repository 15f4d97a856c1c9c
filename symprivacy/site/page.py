"""A page of the site: where it lies, its template and what is put into it; and how it becomes HTML.

Templates escape what they are given; HTML that our own renderers have made is marked with :func:`safe`.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

import symprivacy
from symprivacy.claims.audit import fingerprint
from symprivacy.render.marked import to_html
from symprivacy.render.mathml import formula as mathml
from symprivacy.render.theorem import slug
from symprivacy.version import __version__

# What the head of every page leads to, in the order in which a newcomer needs it.
MENU = (
    ("notions.html", "Notions"),
    ("matrix.html", "Matrix"),
    ("graph.html", "Graph"),
    ("converter.html", "Converter"),
    ("live.html", "Try it"),
    ("ledger.html", "Ledger"),
    ("separations.html", "Separations"),
    ("mechanisms.html", "Mechanisms"),
    ("principles.html", "Principles"),
    ("wanted.html", "Wanted"),
    ("guide.html", "Guide"),
    ("tutorials.html", "Tutorials"),
    ("howto.html", "How to"),
    ("commands.html", "Commands"),
    ("api.html", "Python"),
    ("news.html", "What is new"),
)
safe = Markup


@dataclass(frozen=True)
class Page:
    """One file of the site; ``about`` and ``words`` are what the search shows and finds."""

    path: str
    title: str
    kind: str
    template: str
    content: Mapping[str, Any] = field(default_factory=dict)
    about: str = ""
    words: str = ""

    @property
    def entry(self) -> list[str]:
        """The line of the search index."""
        return [self.title, self.path, self.kind, self.about, self.words]


@lru_cache(maxsize=1)
def environment() -> Environment:
    """The templates of this package; a name that is not given is an error, not an empty string."""
    made = Environment(
        loader=PackageLoader("symprivacy.site"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(prose=prose, math=math, slug=slug)
    made.globals.update(menu=MENU, version=__version__, program=fingerprint(), commit=commit())
    return made


@lru_cache(maxsize=1)
def commit() -> str:
    """The commit that the program lies at and its date, in a clone; empty in an installed package."""
    root = Path(symprivacy.__file__).parent.parent
    if not (root / ".git").exists():
        return ""
    try:
        done = subprocess.run(
            ["git", "-C", str(root), "log", "-1", "--format=%h of %cs"], capture_output=True, text=True, timeout=20
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip()


def math(latex: str, block: bool = False) -> Markup:
    """A formula as MathML."""
    return safe(mathml(latex, block))


def prose(text: object) -> Markup:
    """A statement of the package with its formulas typeset.

    >>> "<math" in prose("it fails at `eps = 1/2`")
    True
    """
    # A record's text remembers which parts of it are formulas; str() would forget.
    return safe(to_html(text if isinstance(text, str) else str(text)))


def rendered(page: Page) -> str:
    """The whole file.

    >>> made = rendered(Page("x/y.html", "A & B", "test", "plain.html", {"body": safe("<p>c</p>")}))
    >>> "A &amp; B" in made, 'href="../assets/site.css"' in made
    (True, True)
    """
    root = "../" * page.path.count("/")
    text = environment().get_template(page.template).render(page=page, root=root, **page.content)
    return readable(text)


def readable(text: str) -> str:
    """Labels of our pictures are drawn for slides; on a page nothing is smaller than 12 pixels."""
    return re.sub(r'font-size="(?:\d|10|11)(?:\.\d+)?"', 'font-size="12"', text)
