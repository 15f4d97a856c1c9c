"""Finding lines above one function of a likelihood ratio in terms of another: from divergence to divergence.

Nothing here is trusted: each line is put into a rule that certifies it. The touching points come from the laws on two
points that are extremal: ratios x and 1/x (randomized response), ratios 0 and x (an output that one input never
gives), and the limits at ratios 0, 1 and infinity.

>>> from symprivacy.notions.registry import definition_of
>>> b = Builder(definition_of)
>>> print(b[mean_from_mean(b, definition_of("CHI2"), definition_of("KL"))])
E(r*log(r)) <= log(c + 1)
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from sympy import (
    Abs,
    Dummy,
    Expr,
    Max,
    Piecewise,
    S,
    Symbol,
    cancel,
    diff,
    expand_log,
    fraction,
    limit,
    log,
    oo,
    powdenest,
    simplify,
    solve,
    together,
)

from symprivacy.derivations.derivation import Builder
from symprivacy.derivations.joint import line, orders, reverse, tail_parts
from symprivacy.derivations.means import two_point
from symprivacy.derivations.neighbours import tidied
from symprivacy.errors import SymPrivacyError
from symprivacy.language.attempt import sympy_attempt
from symprivacy.notions.convex import X, near
from symprivacy.notions.definition import Definition
from symprivacy.notions.solve import NoClosedForm, number, samples, solve_for, tidy
from symprivacy.notions.statement import Domain, Span, replace
from symprivacy.notions.symbols import D, R

# Steps of the search for one certificate of one line.
PATIENCE = 160_000
MORE_PATIENCE = 480_000
ONE_SIDED, BACKWARD, BOTH = (S.One, S.Zero), (S.Zero, S.One), (S.Half, S.Half)


def bounded_mean(b: Builder, notion: Definition) -> int:
    """``E(f(r)) <= v`` from the definition of a notion that bounds a mean."""
    stated = b.add("definition", [], view=notion.key, part="mean")
    assert notion.mean is not None
    transform = notion.mean[1](D)
    if transform == D:
        return stated
    level = notion.level.symbol
    tilt, most = _tilt_and_most(notion.mean[0](R), notion.others)
    value = tidy(solve_for(transform, level, D, S.Zero, most, notion.domain), notion.domain)
    if most == oo:
        return b.add("untransform", [stated], value=value, reach=oo)
    return b.add("undo-above", [stated], value=value, reach=most, tilt=tilt)


def _tilt_and_most(f: Expr, others: Domain) -> tuple[Expr, Expr]:
    """The slope of a function at infinity, and the largest mean it has, that of laws which never meet."""
    r = Symbol("r", positive=True)
    for s in others:
        # sympy knows the limit of a power where it sees what its exponent lies between.
        inside = Symbol(f"{s.symbol.name}_", positive=True)
        place = s.lo + (inside if s.hi == oo else (s.hi - s.lo) * inside / (1 + inside))
        f = replace(f, {s.symbol: place})
    with sympy_attempt():
        slope = limit(replace(f, {R: r}) / r, r, oo)
        most = slope + limit(replace(f, {R: r}), r, 0, "+")
        if slope.is_number and most.is_number and most.is_finite:
            return slope, most
    return S.Zero, oo


def mean_from_mean(b: Builder, source: Definition, target: Definition) -> int:
    """The smallest bound of the target's mean that a line gives, from the definition of the source."""
    start = bounded_mean(b, source)
    assert source.mean is not None
    assert target.mean is not None
    f, g = source.mean[0](R), target.mean[0](R)
    found: list[tuple[float, int]] = []
    patience, b.patience = b.patience, PATIENCE
    try:
        for attempt in (_tails, _touching_one_side, _symmetric, _linear, _corners, _impossible_output):
            with sympy_attempt(SymPrivacyError):
                for k in attempt(b, start, source, target, f, g):
                    points = list(samples(b[k].domain))
                    found.append((sum(number(b[k].rhs, q) for q in points), k))
            if found and attempt in (_tails, _symmetric):
                # Attained by a mechanism: nothing better can come.
                break
    finally:
        b.patience = patience
    if not found:
        raise NoClosedForm(f"no line above the function of {target.key} in terms of that of {source.key} was found")
    return tidied(b, min(found)[1])


def _domain(b: Builder, start: int, target: Definition) -> Domain:
    taken = {s.symbol for s in b[start].domain}
    return (*b[start].domain, *(s for s in target.others if s.symbol not in taken))


def _add(b: Builder, name: str, start: int, target: Definition, **given: Any) -> Iterator[int]:
    with suppress(SymPrivacyError):
        yield b.add(name, orders(b, start, given.get("back", S.Zero)), view=target.key, **given)


def _tails(b: Builder, start: int, source: Definition, target: Definition, f: Expr, g: Expr) -> Iterator[int]:
    """Markov's inequality: the largest g/f, at the jump of a tail or one where both are tails."""
    if not (f.has(Piecewise) or g.has(Piecewise)):
        return
    scales = [S.One]
    if isinstance(g, Piecewise):
        high, _, jump = tail_parts(g)
        scales.insert(0, tidy(replace(high / f, {R: jump}), _domain(b, start, target)))
    if isinstance(f, Piecewise) and isinstance(g, Max):
        # Beyond the jump of the tail it lies above the other function, so its parameter starts there.
        jump, other = tail_parts(f)[2], target.others[0]
        edge = tidy(solve_for(replace(jump, {source.others[0].symbol: other.symbol}), jump, other.symbol, -oo, oo,
                              b[start].domain), b[start].domain)  # fmt: skip
        start = b.add("substitute", [start], mapping={},
                      domain=(*b[start].domain, Span(other.symbol, edge, oo, False)))  # fmt: skip
    for scale in scales:
        yield from _add(b, "tail", start, target, scale=scale)


def _touching_one_side(
    b: Builder, start: int, source: Definition, target: Definition, f: Expr, g: Expr
) -> Iterator[int]:
    """g = max(0, line), and a multiple of f that touches the line."""
    pieces = g.args if isinstance(g, Max) else ()
    if len(pieces) != 2 or S.Zero not in pieces or f.has(Max, Piecewise):
        return
    (slanted,) = (piece for piece in pieces if piece != 0)
    domain = _domain(b, start, target)
    lowest = replace(slanted, {R: S.Zero}) * -1 / diff(slanted, R)
    size = simplify(f / diff(f, R))
    place = tidy(solve_for(size, slanted / diff(slanted, R), R, lowest, oo, domain), domain)
    scale = tidy(replace(diff(slanted, R) / diff(f, R), {R: place}), domain)
    touching = tuple(None if piece == 0 else place for piece in pieces)
    yield from _add(b, "supported", start, target, scale=scale, back=S.Zero, tilt=S.Zero, offset=S.Zero,
                    touching=touching)  # fmt: skip


def _symmetric(b: Builder, start: int, source: Definition, target: Definition, f: Expr, g: Expr) -> Iterator[int]:
    """Touching at x and 1/x, with the premise exactly attained by randomized response of ratio x."""
    if g != Max(0, R - 1) or f.has(Max, Abs, Piecewise):
        return
    both = (f + reverse(f)) / 2
    t, level, domain = target.level.symbol, source.level, b[start].domain
    growth = (1 + t) / (1 - t)
    symbol = Dummy("log")
    attained = _split(_short(two_point(both, 1 / X, X)).xreplace({log(X): symbol}), growth)
    attained = cancel(attained).xreplace({symbol: log(growth)}) if source.others == () else attained
    if not attained.has(log):
        # The level of the conclusion in closed form.
        found = []
        with suppress(SymPrivacyError):
            own = tidy(solve_for(attained, b[start].rhs, t, S.Zero, S.One, domain), domain)
            found = list(_touching_pair(b, start, target, both, growth.xreplace({t: own}), own))
        if found:
            yield from found
            return
    # Else the level of the premise that is enough.
    assert source.mean is not None
    form = source.mean[1](attained)
    spans = (*(s for s in domain if s.symbol != level.symbol), target.level)
    put = b.add("substitute", [start], mapping={level.symbol: form}, domain=spans)
    yield from _touching_pair(b, put, target, both, growth, t)


def _short(e: Expr) -> Expr:
    return simplify(expand_log(e, force=True))


def _split(e: Expr, x: Expr) -> Expr:
    """The expression at a ratio of two positive numbers; roots of it become quotients of roots.

    >>> t = Symbol("t", real=True)
    >>> _split(X ** (S.Half), (1 + t) / (1 - t))
    sqrt(t + 1)/sqrt(1 - t)
    """
    over, under = Dummy("over", positive=True), Dummy("under", positive=True)
    top, bottom = fraction(together(x))
    return powdenest(e.xreplace({X: over / under})).xreplace({over: top, under: bottom})


def _touching_pair(b: Builder, start: int, target: Definition, both: Expr, x: Expr, bound: Expr) -> Iterator[int]:
    slope = diff(both, R)
    high, low = (replace(slope, {R: place}) for place in (X, 1 / X))
    scale = _short(1 / (high - low))
    tilt = _short(-scale * low)
    offset = _short(-scale * replace(both, {R: 1 / X}) - tilt * (1 / X - 1))
    half, tilt, offset = (_split(e, x) for e in (scale / 2, tilt, offset))
    assert target.mean is not None
    touching = tuple(1 / x if piece == 0 else x for piece in target.mean[0](R).args)
    for k in _add(b, "supported", start, target, scale=half, back=half, tilt=tilt, offset=offset, touching=touching):
        yield b.add("identity", [k], side="rhs", form=bound)


# Where a quotient of two functions of the ratio may be largest, and a number near each place.
PLACES = ((S.Zero, "+", 1e-9), (S.One, "+", 1 + 1e-9), (S.One, "-", 1 - 1e-9), (oo, "-", 1e9))


def _slope_at_one(e: Expr, point: dict[Symbol, float]) -> Expr:
    """The slope at 1; half of the sum of both where there is a kink."""
    sides = [diff(near(e, at, point), X).xreplace({X: S.One}) for _, _, at in PLACES[1:3]]
    return (sides[0] + sides[1]) / 2


def _linear(b: Builder, start: int, source: Definition, target: Definition, f: Expr, g: Expr) -> Iterator[int]:
    """g <= a f + tilt: a is the largest quotient at ratios 0, 1 and infinity."""
    for weights in (ONE_SIDED, BACKWARD, BOTH):
        mixed = weights[0] * f + weights[1] * reverse(f)
        for share in (S.Zero, S.Half, S.One) if f.has(Max, Abs) else (None,):
            with sympy_attempt(SymPrivacyError):
                yield from _proportional(b, start, target, g, mixed, weights, share)


def _proportional(
    b: Builder, start: int, target: Definition, g: Expr, f: Expr, weights: tuple[Expr, Expr], share: Expr | None
) -> Iterator[int]:
    point = _any(_domain(b, start, target))
    g1, f1 = (replace(e, {R: S.One}) for e in (g, f))
    slope_g, slope_f = _slope_at_one(g, point), _slope_at_one(f, point) if share is None else share
    tilted_g, tilted_f = g - g1 - slope_g * (R - 1), f - f1 - slope_f * (R - 1)
    quotients = []
    for at, side, close in PLACES:
        below = near(tilted_f, close, point)
        if below != 0:
            quotients.append(limit(together(near(tilted_g, close, point) / below), X, at, side))
    if any(e in (oo, -oo, S.NaN, S.ComplexInfinity) or e.free_symbols for e in quotients):
        return
    a = max(quotients, key=lambda e: number(e, {}))
    yield from _add(
        b, "dominated", start, target, scale=a * weights[0], back=a * weights[1],
        tilt=slope_g - a * slope_f, offset=g1 - a * f1,
    )  # fmt: skip


def _impossible_output(
    b: Builder, start: int, source: Definition, target: Definition, f: Expr, g: Expr
) -> Iterator[int]:
    """Touching at 0 and x, the premise attained by an output of ratio x and one of ratio 0."""
    if (f + g).has(Max, Abs, Piecewise):
        return
    domain = b[start].domain
    f0, g0 = (_at_zero(e, source) for e in (f, g))
    x = Dummy("x", positive=True)
    attained = f0 * (1 - 1 / x) + replace(f, {R: x}) / x
    place = tidy(solve_for(attained, b[start].rhs, x, S.One, oo, domain), domain)
    scale, tilt, offset = (Dummy(name, real=True) for name in ("scale", "tilt", "offset"))
    gap = line(f, scale, S.Zero, tilt, offset) - g
    equations = [
        scale * f0 - tilt + offset - g0,
        replace(gap, {R: place}),
        replace(diff(gap, R), {R: place}),
    ]
    values = solve(equations, [scale, tilt, offset], dict=True)[0]
    forms = {name: tidy(values[e], domain) for name, e in (("scale", scale), ("tilt", tilt), ("offset", offset))}
    # Two touching points are harder to certify than one, and worth it.
    b.patience = MORE_PATIENCE
    for k in _add(b, "dominated", start, target, back=S.Zero, **forms):
        yield tidied(b, k)


def _at_zero(e: Expr, notion: Definition) -> Expr:
    """The limit at ratio 0, with the ranges of parameters told to sympy."""
    known = {s.symbol: s.lo + Dummy(s.symbol.name, positive=True) for s in notion.others if s.lo != -oo}
    return limit(e.xreplace({R: X, **known}), X, 0, "+")


def _corners(b: Builder, start: int, source: Definition, target: Definition, f: Expr, g: Expr) -> Iterator[int]:
    """f = max(0, r - K): a line that touches at K and 1/K and at ratios 0 and infinity."""
    if not (isinstance(f, Max) and isinstance(g, Max) and S.Zero in f.args):
        return
    (slanted,) = (piece for piece in f.args if piece != 0)
    corner = solve(slanted, R)[0]
    domain = _domain(b, start, target)
    unknown = [Dummy(name, real=True) for name in ("scale", "back", "tilt", "offset")]
    scale, back, tilt, offset = unknown
    # Above the corner f is its slanted piece; below 1/K its reverse is, and everything else vanishes between.
    high, low = (max(g.args, key=lambda piece: number(replace(piece, {R: S(at)}), _any(domain))) for at in (10**9, 0))
    equations = [
        tilt * (corner - 1) + offset - replace(high, {R: corner}),
        tilt * (1 / corner - 1) + offset - replace(low, {R: 1 / corner}),
        scale * diff(slanted, R) + tilt - diff(high, R),
        back * diff(slanted, R) - tilt + offset - replace(low, {R: S.Zero}),
    ]
    values = solve(equations, unknown, dict=True)[0]
    names = ("scale", "back", "tilt", "offset")
    forms = {name: tidy(values[e], domain) for name, e in zip(names, unknown, strict=True)}
    yield from _add(b, "dominated", start, target, **forms)


def _any(domain: Domain) -> dict[Symbol, float]:
    return next(iter(samples(domain)))


__all__ = ["bounded_mean", "mean_from_mean"]
