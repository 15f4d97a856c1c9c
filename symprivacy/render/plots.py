r"""Plots: bounds compared on certified ranges, published bounds beside tight ones, posteriors, ratios, profiles.

Curves are drawn through floating point values. What is shaded or marked as certified comes from certificates: the
pieces and crossings of a sign chart, the proved ends of a conversion.

>>> from symprivacy import compare
>>> chart = compare("1/2 - 1/(exp(eps) + 1)", "eps/6", "eps in (0, 5]")
>>> figure = plot_comparison(chart, "Zhao 2017", "Kasiviswanathan, Smith 2014")
>>> figure.axes[0].get_xlabel()
'$\\varepsilon$ (nats)'
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import sympy

from symprivacy.errors import InputError
from symprivacy.implications import convert
from symprivacy.implications.implication import Implication
from symprivacy.implications.published import BOUNDS, published
from symprivacy.implications.status import Status
from symprivacy.kernel.box import Range
from symprivacy.kernel.data import from_data
from symprivacy.language.bridge import to_sympy
from symprivacy.language.certificates import as_text
from symprivacy.language.text import parse, parse_statement
from symprivacy.mechanisms import Mechanism, level
from symprivacy.notions import Guarantee, Notion, get
from symprivacy.notions.symbols import P
from symprivacy.render.canvas import LINES, POINTS, axis, canvas, function, legend, mathtext, put, saved
from symprivacy.render.latex import math, of_text
from symprivacy.render.numbers import enclosure
from symprivacy.search.compare import SignChart

Path = str | os.PathLike[str] | None
# Hatches and shades, told apart on paper; what is not decided looks unlike both.
_SHADES = {">": ("#e3e3e3", None, "{a} is larger"), "<": ("#ffffff", "////", "{b} is larger"),
           "=": ("#f2f2f2", "..", "equal"), "?": ("#ffffff", "xxxx", "undecided")}  # fmt: skip
FAR = 10.0


def plot_comparison(chart: SignChart, a: str = "a", b: str = "b", path: Path = None) -> Any:
    """Two bounds with the certified ranges on which each is larger, and their certified crossings.

    Args:
        chart: what :func:`symprivacy.compare` has certified.
        a: the name of the first bound, such as its source.
        b: the name of the second one.
        path: a file to write to.
    """
    import numpy

    c = chart.certificate
    figure, axes = canvas("where each bound is larger, certified")
    lo, hi = _window(chart)
    x = numpy.linspace(lo, hi, POINTS)
    for style, side, name in zip(LINES, ("lhs", "rhs"), (a, b), strict=False):
        f = function(to_sympy(from_data(c[side])), c["var"])
        shown = mathtext(of_text(as_text(c[side])))
        axes.plot(x[1:-1], f(x[1:-1]), label=f"{name}: {shown}" if shown else name, **style)
    for piece in chart.pieces:
        colour, hatch, words = _SHADES[piece.sign]
        left, right = max(_float(piece.range, 0, lo), lo), min(_float(piece.range, 1, hi), hi)
        words = words.format(a=a, b=b) + (" (certified)" if piece.sign != "?" else "")
        axes.axvspan(
            left, right, facecolor=colour, hatch=hatch, edgecolor="#bbbbbb", linewidth=0, zorder=0, label=words
        )
    for root in chart.crossings:
        place = float((root.lo + root.hi) / 2)
        axes.axvline(place, color="#000000", linewidth=0.9, linestyle=(0, (3, 3)))
        right = place > (lo + hi) / 2
        axes.annotate(
            f"crossing in ${enclosure(root.lo, root.hi)}$", (place, 1), xycoords=("data", "axes fraction"),
            xytext=(-7 if right else 7, -4), textcoords="offset points", va="top", fontsize=9,
            ha="right" if right else "left",
        )  # fmt: skip
    axes.set_xlim(lo, hi)
    axes.set_xlabel(axis(c["var"]))
    axes.set_ylabel("value of the bound")
    legend(axes)
    return saved(figure, path)


def _window(chart: SignChart) -> tuple[float, float]:
    """The range that is drawn: an infinite end is cut beyond the last crossing."""
    first, last = chart.pieces[0].range, chart.pieces[-1].range
    points = [float(r.hi) for r in (*chart.crossings, *chart.touches)]
    far = max([FAR, *(2 * abs(p) for p in points)])
    return _float(first, 0, -far), _float(last, 1, far)


def _float(r: Range, side: int, infinite: float) -> float:
    end = (r.lo, r.hi)[side]
    return infinite if end is None else float(to_sympy(end))


def plot_published(
    source: str, target: str, at: Mapping[str, object], along: str | None = None, path: Path = None, points: int = 41
) -> Any:
    """Published bounds beside the best possible level, as one parameter of the premise varies.

    Args:
        source: the notion that is given.
        target: the notion that follows.
        at: all parameters; the one that varies runs from 0 to twice its value here.
        along: its name; by default the first parameter of the source.
        path: a file to write to.
        points: how many levels are computed.
    """
    import numpy

    name = along or get(source).names[0]
    here = convert(source, at, target, 12)
    centre = float(to_sympy(parse(here.at[name])))
    rest = {k: v for k, v in at.items() if k != name}
    steps = [Fraction(k, points).limit_denominator(10**4) * Fraction(2 * centre).limit_denominator(10**6)
             for k in range(1, points + 1)]  # fmt: skip
    tight = [_enclosed(source, {**rest, name: str(q)}, target) for q in steps]
    kept = [(float(q), *ends) for q, ends in zip(steps, tight, strict=True) if ends is not None]
    if not kept:
        raise InputError(f"{source} to {target} has no finite level near these parameters")
    x, low, high = (numpy.array(column) for column in zip(*kept, strict=True))
    figure, axes = canvas(f"{source} to {target}: published bounds and the best possible level")
    best = "best possible level" if here.status is Status.TIGHT else "proved upper bound"
    axes.plot(x, high, label=f"{best}, certified at {len(kept)} points", marker=".", markersize=4, **LINES[0])
    if not numpy.allclose(low, high, rtol=1e-6):
        axes.fill_between(x, low, high, color="#d9d9d9", hatch="....", label="between the certified ends")
    bounds = [b for b in BOUNDS if (b.source, b.target) == (source, target)]
    given = {k: to_sympy(parse(str(v))) for k, v in rest.items()}
    fine = numpy.linspace(0, 2 * centre, POINTS + 1)[1:]
    for k, bound in enumerate(bounds):
        assert bound.level is not None
        f = function(put(to_sympy(bound.level.expr()), given), name)(fine)
        f[~_holds(bound, given, name, fine)] = numpy.nan
        shown = mathtext(of_text(bound.level.text))
        style = LINES[1 + k % (len(LINES) - 1)]
        axes.plot(fine, f, label=f"{bound.origin}: {shown}" if shown else bound.origin, **style)
    axes.axvline(centre, color="#555555", linewidth=0.8, linestyle=(0, (3, 3)))
    top = max([*high, *(float(c.value) for c in published(source, target, at, 8) if "oo" not in c.value)])
    if low.min() < 1e-4 * top:
        axes.set_yscale("log")
        axes.set_ylim(max(low[low > 0].min(), 1e-12 * top), 3 * top)
    else:
        axes.set_ylim(0, 1.15 * top)
    axes.set_xlim(0, 2 * centre)
    answers = get(target).answers
    fixed = ", ".join(f"${math(sympy.Symbol(k))} = {math(v)}$" for k, v in given.items())
    axes.set_xlabel(axis(name, f"level of {source}") + (f", {fixed}" if fixed else ""))
    axes.set_ylabel(axis(answers, f"level of {target}"))
    legend(axes)
    return saved(figure, path)


def _holds(bound: Implication, given: Mapping[str, Any], name: str, x: Any) -> Any:
    """Where a bound is claimed to hold, as printed."""
    if bound.holds is None:
        return x == x
    left, _, right = parse_statement(bound.holds)
    difference = to_sympy(right) - to_sympy(left)
    return function(put(difference, given), name)(x) >= 0


def _enclosed(source: str, at: Mapping[str, object], target: str) -> tuple[float, float] | None:
    try:
        found = convert(source, at, target, 10)
    except InputError:
        # The parameter that varies has left its range.
        return None
    return None if "oo" in (found.lo, found.hi) else (float(found.lo), float(found.hi))


def plot_posterior(guarantees: Sequence[Guarantee], path: Path = None) -> Any:
    """Which posteriors of a secret each guarantee allows at each prior.

    >>> from symprivacy.notions import DP, SP
    >>> plot_posterior([DP(1), SP(sympy.Rational(1, 4))]).axes[0].get_ylabel()
    'posterior $q$ (probability)'
    """
    import numpy

    figure, axes = canvas("posteriors that are allowed")
    p = numpy.linspace(0, 1, POINTS + 1)[1:-1]
    for k, g in enumerate(guarantees):
        ratio = g.ratio()
        if ratio is None:
            raise InputError(f"{g.notion.key} bounds no likelihood ratio at a prior")
        allowed = function(ratio, P.name)
        top = _posterior(p, allowed(p))
        style = LINES[k % len(LINES)]
        values = ", ".join(math(v) for v in g.values)
        name = f"${values}$-{g.notion.key}" if len(g.values) == 1 else f"$({values})$-{g.notion.key}"
        axes.plot(p, top, label=f"{name} ({g.notion.source.split(';')[0]})", **style)
        if g.notion.definition.both:
            # The other secret has prior 1 - p and is bounded alike.
            low = 1 - _posterior(1 - p, allowed(1 - p))
            axes.plot(p, low, **style)
            axes.fill_between(p, low, top, color=style["color"], alpha=0.07)
    axes.plot([0, 1], [0, 1], color="#888888", linewidth=0.8, label="posterior = prior")
    axes.set_xlim(0, 1)
    axes.set_ylim(0, 1)
    axes.set_xlabel("prior $p$ (probability)")
    axes.set_ylabel("posterior $q$ (probability)")
    legend(axes)
    return saved(figure, path)


def _posterior(p: Any, ratio: Any) -> Any:
    import numpy

    with numpy.errstate(all="ignore"):
        return numpy.where(numpy.isfinite(ratio) & (ratio > 0), p * ratio / (p * ratio + 1 - p), 1.0)


def plot_ratio(
    notion: Notion | str = "PMP", levels: Iterable[object] = (Fraction(1, 2), 1, 2), path: Path = None
) -> Any:
    """The largest likelihood ratio a notion allows, as a function of the prior: g(b) of zhao17 Lemma 1 for PMP.

    >>> plot_ratio("PMP", [1]).axes[0].get_yscale()
    'log'
    """
    import numpy

    record = get(notion)
    if record.ratio is None or len(record.parameters) != 1:
        raise InputError(f"{record.key} has no likelihood ratio in one parameter and the prior")
    name = record.parameters[0].name
    figure, axes = canvas(f"likelihood ratio that {record.key} allows ({record.source.split(';')[-1].strip()})")
    p = numpy.linspace(0, 1, 2 * POINTS + 1)[1:-1]
    for k, value in enumerate(levels):
        g = record(value).ratio()
        curve = function(g, P.name)(p)
        curve[~numpy.isfinite(curve) | (curve <= 0)] = numpy.nan
        shown = f"${math(sympy.Symbol(name))} = {math(record(value).values[0])}$"
        axes.plot(p, curve, label=shown, **LINES[k % len(LINES)])
        peak = int(numpy.nanargmax(curve))
        if 0 < peak < len(p) - 1:
            axes.plot(p[peak], curve[peak], marker="o", markersize=5, color=LINES[k % len(LINES)]["color"])
    axes.set_yscale("log")
    axes.set_xlim(0, 1)
    axes.set_xlabel("prior $p$ (probability)")
    axes.set_ylabel("largest likelihood ratio (no unit, logarithmic)")
    legend(axes)
    return saved(figure, path)


def plot_profile(mechanisms: Mapping[str, Mechanism] | Mechanism, upto: object = 3, path: Path = None) -> Any:
    """Privacy profiles: the smallest delta of approximate differential privacy for each eps.

    >>> from symprivacy.mechanisms import randomized_response
    >>> plot_profile(randomized_response(ratio=4)).axes[0].get_ylabel()
    'smallest $\\\\delta$ (probability)'
    """
    import numpy

    named = {str(mechanisms): mechanisms} if isinstance(mechanisms, Mechanism) else mechanisms
    figure, axes = canvas("privacy profiles")
    try:
        end = float(upto)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise InputError(f"upto={upto!r:.60}: expected a number") from None
    x = numpy.linspace(0, end, POINTS)
    eps = sympy.Symbol("eps", positive=True)
    for k, (name, mechanism) in enumerate(named.items()):
        # One exact level, symbolic in eps, instead of one for every point.
        delta = function(level(mechanism, "ADP", eps=eps).value, "eps")(x)
        axes.plot(x, delta, label=name, **LINES[k % len(LINES)])
    axes.set_xlim(0, end)
    axes.set_ylim(bottom=0)
    axes.set_xlabel(axis("eps"))
    axes.set_ylabel(axis("delta", "smallest"))
    legend(axes)
    return saved(figure, path)
