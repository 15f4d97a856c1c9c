"""What :class:`symprivacy.shown.Shown` asks for: the LaTeX and HTML forms of any record."""

from __future__ import annotations

from typing import Any

from symprivacy.errors import UnsupportedError
from symprivacy.render import certified, claimed  # noqa: F401  register what they show
from symprivacy.render.html import html, sized
from symprivacy.render.latex import math
from symprivacy.render.style import PAPERS, Style
from symprivacy.render.theorem import environment
from symprivacy.shown import Shown


def fragment(shown: Any, style: Style | None = None, label: str | None = None) -> str:
    """An environment, or a displayed formula for a record that states nothing by itself."""
    return environment(shown, style or PAPERS, label)


def latex_of(shown: Shown) -> str | None:
    """The formula between dollar signs; None for a record that has none."""
    try:
        return rf"$\displaystyle {math(shown)}$"
    except UnsupportedError:
        return None


def html_of(shown: Shown) -> str:
    """HTML with MathML, which needs no script and no network."""
    return sized(html(shown))
