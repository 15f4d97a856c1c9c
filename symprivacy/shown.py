"""What a notebook asks of an object, answered by the render room.

Records of the lower rooms are shown by :mod:`symprivacy.render`, which knows them all; they must not know it. So they
inherit from :class:`Shown`, which looks the renderer up by name at the moment somebody asks, and never before:
importing a record costs nothing and the order of the rooms stands. To show a new record, inherit from ``Shown`` and
register one function for it in ``render/latex.py`` and, if formulas are not enough, one in ``render/html.py``.

>>> class Secret(Shown):
...     def __str__(self):
...         return "t < 1"
>>> Secret()._repr_html_()
'<span>t &lt; 1</span>'
"""

from __future__ import annotations

from importlib import import_module
from typing import Any


class Shown:
    """Rich display in notebooks and LaTeX for papers, both found when they are asked for."""

    __slots__ = ()

    def _repr_latex_(self) -> str | None:
        return _ask("latex_of", self)

    def _repr_html_(self) -> str | None:
        return _ask("html_of", self)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        forms = {"text/plain": str(self), "text/html": self._repr_html_(), "text/latex": self._repr_latex_()}
        return {kind: form for kind, form in forms.items() if form is not None}

    def to_latex(self, style: Any = None) -> str:
        """LaTeX to paste into a paper; ``style`` is a :class:`symprivacy.render.style.Style` with one's own symbols."""
        return str(import_module("symprivacy.render.display").fragment(self, style))


def _ask(name: str, shown: Shown) -> str | None:
    found: str | None = getattr(import_module("symprivacy.render.display"), name)(shown)
    return found
