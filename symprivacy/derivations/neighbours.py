"""From bounds on ratios to bounds on means of convex functions: neighbours, secrets, games.

>>> from symprivacy.notions.registry import definition_of
>>> b = Builder(definition_of)
>>> print(b[mean_bound(b, definition_of("KL"), b.add("definition", [], view="DP", part="ratio"))])
E(r*log(r)) <= eps*tanh(eps/2)
"""

from __future__ import annotations

import math

from sympy import Abs, Expr, Max, Piecewise, S, Symbol, count_ops, diff, expand_log, log, oo, simplify, sqrt

from symprivacy.derivations import definitions, secrets  # noqa: F401  their rules are used by name
from symprivacy.derivations.derivation import Builder
from symprivacy.derivations.joint import tail_parts
from symprivacy.derivations.means import two_point
from symprivacy.derivations.widths import at_position
from symprivacy.errors import SymPrivacyError
from symprivacy.notions.certify import NotCertified, equal
from symprivacy.notions.definition import Definition
from symprivacy.notions.solve import LONG, extremum, number, samples, solve_for, tidy
from symprivacy.notions.statement import Domain, Span, replace
from symprivacy.notions.symbols import RATIOS, R, real

# Steps of the search for the first of two ways.
QUICK = 80_000

__all__ = ["finish_mean", "mean_bound", "position_name", "width_bound"]


def mean_bound(b: Builder, notion: Definition, ratio: int, of: str | None = None) -> int:
    """``D <= ...`` for the mean of a notion, from ``A <= B``."""
    of = of or notion.compares
    if of == "outputs":
        one = b.add("mean-one", [], of=of)
        upper = b.add("both-orders", [ratio], quantity=R, side="upper")
        lower = b.add("both-orders", [ratio], quantity=R, side="lower")
        assert notion.mean is not None
        if notion.mean[0](R).has(Piecewise):
            return tail_bound(b, notion, one, upper, lower)
        return tidied(b, b.add("two-point", [one, upper, lower], view=notion.key))
    if of == "secrets":
        width = b.add("secrets-width", [ratio])
        if notion.compares == "games":
            width = b.add("one-record", [width])
    else:
        upper, lower = (b.add("games", [ratio], side=side) for side in ("upper", "lower"))
        width = tidied(b, b.add("mixture", [upper, lower], quantity="w <="))
    return width_bound(b, notion, width)


def tail_bound(b: Builder, notion: Definition, one: int, upper: int, lower: int) -> int:
    """``E(g(r)) <= ...`` for a tail g on a range of ratios: the line through its jump and the lower end."""
    assert notion.mean is not None
    g = notion.mean[0](R)
    high, _, jump = tail_parts(g)
    a = b[lower].rhs
    level = next(s for s in notion.others)
    # Above the largest ratio the tail is empty; the range of the parameter ends where the jump meets it.
    edge = tidy(solve_for(jump, b[upper].rhs, level.symbol, -oo, oo, b[upper].domain), b[upper].domain)
    domain = (*b[upper].domain, Span(level.symbol, level.lo, edge))
    upper, lower = (b.add("substitute", [k], mapping={}, domain=domain) for k in (upper, lower))
    slope = replace(high, {R: jump}) / (jump - a)
    forms = {"tilt": slope, "offset": tidy(slope * (1 - a), domain)}
    return tidied(b, b.add("majorant", [one, upper, lower], view=notion.key, **forms))


def width_bound(b: Builder, notion: Definition, width: int) -> int:
    """``D <= ...`` for the mean of a notion, from ``sup r <= w0 inf r``: the worst position of the range."""
    one = b.add("mean-one", [], of=notion.compares)
    assert notion.mean is not None
    f, w0 = notion.mean[0](R), b[width].rhs
    domain = b[width].domain
    c, x = position_name(domain), position_name(domain, "x")
    value = two_point(f, c, c * w0)
    smooth = _on_side(value, c)
    place, _ = extremum(smooth, c, 1 / w0, S.One, domain, largest=True, guesses=[1 / sqrt(w0)])
    if value.has(log):
        # Products with logarithms are easier by their slope than by their difference to the maximum.
        return tidied(b, _turning(b, notion, [one, width], w0, x, tidy(_expanded(log(place)), domain)))
    bound = tidy(replace(smooth, {c: place}), domain)
    return b.add("width", [one, width], view=notion.key, bound=bound, position=c)


def _turning(b: Builder, notion: Definition, uses: list[int], w0: Expr, x: Symbol, place: Expr) -> int:
    """The worst position is a turning point: by concavity if that is quick, else by the sign of the slope."""
    assert notion.mean is not None
    f = notion.mean[0](R)
    whole = (*b[uses[-1]].domain, Span(x, -log(w0), S.Zero))
    slope = _short(diff(_expanded(at_position(f, w0, x)), x), whole)
    if count_ops(slope) < LONG // 2:
        patience, b.patience = b.patience, QUICK
        try:
            return b.add(
                "concave-width",
                uses,
                view=notion.key,
                position=x,
                place=place,
                second=_short(diff(slope, x), whole),
            )
        except SymPrivacyError:
            pass
        finally:
            b.patience = patience
    return b.add("turning-width", uses, view=notion.key, position=x, place=place, slope=slope, reach="all")


def _expanded(e: Expr) -> Expr:
    return expand_log(e, force=True)


def _short(e: Expr, domain: Domain) -> Expr:
    form = _expanded(simplify(e))
    return form if equal(form, e, domain) else e


def _on_side(e: Expr, c: Symbol) -> Expr:
    """Max(0, x - 1) at an end of the range: the lower end is at most one, the upper at least one."""

    def choose(*args: Expr) -> Expr:
        if set(args) == {S.Zero, c - 1}:
            return S.Zero
        rest = [a for a in args if a != 0]
        return rest[0] if len(args) == 2 and len(rest) == 1 else Max(*args)

    return e.replace(Max, choose).replace(lambda x: x == Abs(c - 1), lambda x: 1 - c)


def position_name(domain: Domain, base: str = "c") -> Symbol:
    """A name that the domain does not use.

    >>> position_name(())
    c
    """
    taken = {s.symbol.name for s in domain}
    return next(real(name) for name in (base, *(f"{base}{k}" for k in range(9))) if name not in taken)


def finish_mean(b: Builder, notion: Definition, bound: int) -> tuple[int, Expr]:
    """``T(E f(r)) <= level`` and the level, from ``D <= ...``."""
    assert notion.mean is not None
    if notion.mean[1](R) == R:
        return bound, b[bound].rhs
    # The increasing range that is easiest to see: everything, or up to where a formula needs its own case.
    places = (oo,) if not notion.mean[1](R).has(log) or notion.mean[1](R).has(sqrt(R)) else (oo, S.Half, S.One)
    values = [number(b[bound].rhs, point) for point in samples(b[bound].domain)]
    places = tuple(p for p in places if not any(value >= p for value in values) and _has_values(notion, p))
    if not places:
        raise NotCertified(f"the mean may be larger than where {notion.key} has a level")
    for reach in places:
        try:
            last = b.add("transform", [bound], view=notion.key, reach=reach)
            break
        except SymPrivacyError:
            if reach == places[-1]:
                raise
    last = tidied(b, last)
    return last, b[last].rhs


def _has_values(notion: Definition, reach: Expr) -> bool:
    """Whether the level seems to be a function of every mean below that; where it is not, no search is needed."""
    assert notion.mean is not None
    points = samples((*notion.others, Span(R, S.Zero, reach)))
    return not any(math.isnan(number(notion.mean[1](R), point)) for point in points)


def pointwise_bound(b: Builder, notion: Definition, upper: int, lower: int) -> int:
    """``D <= f(b)`` from ``r <= b`` and ``r >= a``: a mean is at most the largest value."""
    assert notion.mean is not None
    r = RATIOS[notion.compares]
    f = notion.mean[0](r)
    domain = b[upper].domain
    top = tidy(_on_side(replace(f, {r: b[upper].rhs}), r), domain)
    spans = (*domain, Span(r, b[lower].rhs, b[upper].rhs, False, False))
    fact = b.add("inequality", [], lhs=f, rel="<=", rhs=top, domain=spans)
    here = b.add("on-range", [fact, upper, lower], domain=domain)
    return b.add("pointwise", [here], view=notion.key)


def tidied(b: Builder, k: int) -> int:
    """The same step with its right side in the shortest form found."""
    k = without_cases(b, k)
    form = tidy(b[k].rhs, b[k].domain)
    return k if form == b[k].rhs else b.add("identity", [k], side="rhs", form=form)


def without_cases(b: Builder, k: int) -> int:
    """The same step with every maximum replaced by its largest case, where one case is the largest everywhere."""
    for node in sorted(b[k].rhs.atoms(Max), key=str):
        points = list(samples(b[k].domain))
        values = {case: [number(case, q) for q in points] for case in node.args}
        for case, own in values.items():
            if all(x >= y - 1e-12 for other in values.values() for x, y in zip(own, other, strict=True)):
                k = b.add("case", [k], node=node, value=case)
                break
    return k


def uniform_levels(b: Builder, ratio: int) -> tuple[int, int]:
    """Bounds of posterior/prior from above and below, uniform prior on m secrets, from ``A <= B``."""
    equation = b.add("uniform-bayes", [])
    found = []
    for side in ("lower", "upper"):
        others = b.add("others", [ratio], side=side)
        found.append(tidied(b, b.add("monotone", [equation, others], direction="decreasing", domain=b[others].domain)))
    return found[0], found[1]


def uniform_ratio(b: Builder, notion: Definition) -> tuple[int, int]:
    """Two bounds ``A <= ...`` from a notion for the uniform prior on m secrets: any m, and the one that uses m."""
    upper, lower = (b.add("definition", [], view=notion.key, part=k) for k in (0, 1))
    plain = tidied(b, b.add("quotient", [upper, lower]))
    total = b.add("total", [lower])
    second = b.add("second", [lower])
    counted = tidied(b, b.add("monotone", [total, second], direction="decreasing", domain=b[total].domain))
    both = b.add("minimum", [plain, counted], domain=b[counted].domain)
    return plain, both
