"""Pictures: a matplotlib figure that notebooks show by itself, lines that differ without colour, labels with units."""

from __future__ import annotations

import io
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import sympy

from symprivacy.errors import InputError, UnsupportedError
from symprivacy.language.text import shorten
from symprivacy.render.latex import math

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Dark to light, each with its own dashes: the order is visible in greyscale, the lines differ in any colour.
LINES: tuple[dict[str, Any], ...] = (
    {"color": "#000000", "linestyle": "-", "linewidth": 2.0},
    {"color": "#0059a1", "linestyle": "--", "linewidth": 1.8},
    {"color": "#b1480a", "linestyle": "-.", "linewidth": 1.8},
    {"color": "#00805c", "linestyle": ":", "linewidth": 2.2},
    {"color": "#7d4b8f", "linestyle": (0, (6, 1, 1, 1, 1, 1)), "linewidth": 1.6},
    {"color": "#767676", "linestyle": (0, (1, 1)), "linewidth": 1.6},
)
UNITS = {
    **dict.fromkeys(("eps", "eps2", "xi", "k", "j", "e", "rho"), "nats"),
    **dict.fromkeys(("delta", "t", "eta", "p", "p2"), "probability"),
}
POINTS = 400


def canvas(title: str = "") -> tuple[Any, Axes]:
    """A figure and its axes.

    Raises:
        UnsupportedError: matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise UnsupportedError('plots need matplotlib: pip install "symprivacy[plot]"') from None

    class Picture(Figure):
        """A figure that shows itself in a notebook, whichever backend is active."""

        def _repr_png_(self) -> bytes:
            held = io.BytesIO()
            self.savefig(held, format="png", dpi=110)
            return held.getvalue()

    figure = Picture(figsize=(7.0, 4.4), layout="constrained")
    axes = figure.add_subplot()
    axes.grid(color="#d0d0d0", linewidth=0.6)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    if title:
        axes.set_title(title, fontsize=11)
    return figure, axes


def axis(name: str, meaning: str = "") -> str:
    """The label of an axis: what it is, its symbol, its unit.

    >>> axis("eps", "level")
    'level $\\\\varepsilon$ (nats)'
    """
    unit = f" ({UNITS[name]})" if name in UNITS else ""
    return f"{meaning + ' ' if meaning else ''}${math(sympy.Symbol(name))}${unit}"


def mathtext(latex: str) -> str:
    """A formula for matplotlib, which knows less than TeX; empty if it cannot be shown."""
    from matplotlib.mathtext import MathTextParser

    shown = f"${latex}$"
    try:
        MathTextParser("path").parse(shown)
    except ValueError:
        return ""
    return shown if len(shown) <= 160 else ""


def legend(axes: Axes) -> None:
    """The legend below the axes, where it hides nothing."""
    handles, labels = axes.get_legend_handles_labels()
    unique = dict(zip(labels, handles, strict=True))
    columns = 2 if len(unique) > 3 and max(map(len, unique)) < 36 else 1
    figure: Any = axes.figure
    figure.set_figheight(3.6 + 0.27 * -(-len(unique) // columns))
    figure.legend(
        unique.values(), unique.keys(), loc="outside lower center", ncols=columns, frameon=False, fontsize=9,
        handlelength=3.5,
    )  # fmt: skip


def saved(figure: Any, path: str | os.PathLike[str] | None) -> Any:
    """The figure, written to a file if there is a name; its ending says the format."""
    if path is not None:
        try:
            figure.savefig(path, dpi=150)
        except (OSError, ValueError) as e:
            why = getattr(e, "strerror", None) or str(e)
            raise InputError(f"cannot write {shorten(str(path))!r}: {why}") from None
    return figure


def function(e: Any, *names: str) -> Any:
    """A fast function of floats from an expression; for curves only, never for claims."""
    import numpy

    symbols = [sympy.Symbol(name) for name in names]
    plain = e.xreplace({s: sympy.Symbol(s.name) for s in e.free_symbols})
    unknown = sorted(s.name for s in plain.free_symbols if s.name not in names)
    if unknown:
        raise InputError(f"no value for {', '.join(unknown)}")
    raw = sympy.lambdify(symbols, plain, modules=["numpy", "scipy"] if plain.has(sympy.erf, sympy.erfc) else ["numpy"])

    def evaluate(*values: Any) -> Any:
        with numpy.errstate(all="ignore"):
            found = numpy.asarray(raw(*(numpy.asarray(v, dtype=float) for v in values)), dtype=float)
        return numpy.broadcast_to(found, numpy.broadcast_shapes(*(numpy.shape(v) for v in values))).copy()

    return evaluate


def put(e: Any, given: Mapping[str, Any]) -> Any:
    """An expression with numbers for some of its names, whatever the assumptions of its symbols."""
    return e.subs({s: given[s.name] for s in e.free_symbols if s.name in given})
