"""Rules about averages under one order of a divergence: ABP, by the law on 0 and one ratio or on two ratios.

The triangular discrimination bends like 1/(r + 1)**3, and r log r or r**a like a power of r: the quotient of the two
falls and then grows, so that what touches at two ratios, or at 0 and one ratio, lies on one side.
"""

from __future__ import annotations

from sympy import Expr, Max, Rational, S, Symbol, diff, exp, log, oo

from symprivacy.derivations.derivation import need
from symprivacy.derivations.theorems.follows import LEVEL, at_law
from symprivacy.derivations.theorems.laws import X, generator, symmetric
from symprivacy.derivations.theorems.one_order import ALPHA, FORWARD, PART, at_zero, base
from symprivacy.derivations.theorems.theorem import Result, Theorem, rule, way
from symprivacy.notions import Orders, get
from symprivacy.notions.certify import equal
from symprivacy.notions.statement import Domain, Given, Span, Statement, replace, span
from symprivacy.notions.symbols import R, real

COIN = "two inputs: a coin with two ratios in the first order"


def _order(key: str) -> Expr:
    """a where f is r**a, 1 for r log r."""
    return ALPHA if base(key) == "RDP" else S.One


def _bends(source: str, target: str, domain: Domain) -> tuple[Expr, Expr]:
    """f and g whose quotient f''/g'' falls and then grows: r f''' = (a - 2) f'' and (r + 1) g''' = -3 g'' (identities).

    The slope of log(f''/g'') times r (r + 1) is (a - 2)(r + 1) + 3 r, which grows with r: below where it is 0,
    if there is one, f''/g'' strictly falls, and above it it strictly grows.
    """
    need(source.endswith(FORWARD) and get(source).orders is Orders.FORWARD, "expected one order")
    need(base(source) in ("KL", "RDP") and target == "ABP", "expected KL or RDP, and ABP")
    f, g, order = generator(source)[1], generator(target)[1], _order(source)
    wide = (*domain, span(R, 0, oo))
    need(equal(R * diff(f, R, 3), (order - 2) * diff(f, R, 2), wide), f"{source} bends otherwise")
    need(equal((R + 1) * diff(g, R, 3), -3 * diff(g, R, 2), wide), f"{target} bends otherwise")
    need(symmetric(g), f"{target} is not the same in both orders")
    return f, g


def _strictly(f: Expr, g: Expr, own: Domain) -> tuple[Statement, ...]:
    """Both are strictly convex."""
    return (
        Statement(diff(f, R, 2), ">", S.Zero, (*own, span(R, 0, oo))),
        Statement(diff(g, R, 2), ">", S.Zero, (span(R, 0, oo),)),
    )


@rule("part-with-slope", "convex-duality", "exact-level")
def part_with_slope(*, source: str, target: str, kind: str, domain: Domain) -> Result:
    """P = Q given an event of probability exp(-x) has the largest mean of g under one order of f, from some x on.

    With r1 = exp(x) let h = C + T (r - 1) + L f - g, h = 0 at 0 and h = h' = 0 at r1 (identities), L > 0 (certified).
    f''/g'' falls and then grows (identities), so h' rises, falls and rises again, where the first or the first two of
    these may be missing. h' at 0 is R ((a - 1) R - 2 + a)/((a - 1) (1 + R)**2), R = r1 (identity), which is not
    negative (certified). As h is 0 at 0 and at r1, h' is 0 between them, and it is 0 at r1: that is on the part where
    it falls and on the last one, so that h rises, falls down to r1 and rises again, and is never negative. So
    E g <= C + L E f, with equality for the law on 0 and r1.
    """
    f, g = _bends(source, target, domain)
    need(base(source) == "RDP", "r log r has no slope at 0")
    need({s.symbol for s in domain} == {ALPHA, X}, "expected an order and a level")
    top = exp(X)
    start, end = (at_zero(key) for key in (source, target))
    f1, g1, df, dg = (replace(e, {R: top}) for e in (f, g, diff(f, R), diff(g, R)))
    scale = (end + top * dg - g1) / (start + top * df - f1)
    tilt = dg - scale * df
    rest = end + tilt - scale * start
    need(equal(rest + tilt * (top - 1) + scale * f1, g1, domain), "h is not 0 at r1")
    # For a > 1 the slope of r**a at 0 is 0.
    slope = tilt - replace(diff(g, R), {R: S.Zero})
    excess = top * ((ALPHA - 1) * top - 2 + ALPHA) / ((ALPHA - 1) * (1 + top) ** 2)
    need(equal(slope, excess, domain), "another slope at 0")
    level, more = at_law(target, (), exp(-X) * g1 + (1 - exp(-X)) * end)
    obligations = (
        Statement(ALPHA, ">", S.One, domain),
        Statement(X, ">", S.Zero, domain),
        Statement(scale, ">", S.Zero, domain),
        Statement((ALPHA - 1) * top - 2 + ALPHA, ">=", S.Zero, domain),
        *_strictly(f, g, tuple(s for s in domain if s.symbol == ALPHA)),
    )
    words = PART if kind == "sharp" else ""
    theorem = Theorem(way(kind), Given(source, (ALPHA, X)), Given(target, (level,)), domain, (), words)
    return Result(theorem, (*obligations, *more))


@rule("two-touching", "convex-duality", "exact-level")
def two_touching(*, source: str, target: str, kind: str) -> Result:
    """The coin with the ratios r1 = r2 exp(-x) and r2 has the largest mean of g under one order of f.

    Let h = C + T r + L f - g with L the quotient of g'(r2) - g'(r1) and f'(r2) - f'(r1), positive because f and
    g are strictly convex (certified), and r1 < r2, which are positive (certified). h and h' are 0 at both ratios for
    some C and T if L is also the quotient of the differences of r g' - g and r f' - f; and that is so: with v = log(r2)
    and k the quotient of those of r f' - f and of f' over r2, which does not depend on v (identity), those of r g' - g
    and g' have the quotient r2 k where r2 = (1 + q - 2 k)/((1 + q) k - 2 q), q = exp(-x) (identity).

    f''/g'' falls and then grows (identities), so h' rises, falls and rises again. It is 0 at r1, at r2 and between
    them, so on each of these three parts once: h falls to r1, rises, falls to r2, rises, and is never negative. So
    E g <= C + T + L E f, with equality for the law on r1 and r2 if r1 < 1 < r2, which is that of a coin with mean one.
    If not, the chords of f and g over r1 and r2 lie at or below f(1) and g(1) at 1: then the levels here are 0, which
    is the level of g where that of f is 0, because the two laws are the same.
    """
    order = _order(source)
    names: tuple[Symbol, ...] = () if order is S.One else (ALPHA,)
    domain: Domain = (*(Span(n, S.One, Rational(3, 2)) for n in names), LEVEL)
    f, g = _bends(source, target, domain)
    q, k, v = exp(-X), real("k"), real("v")
    share = (1 - q) / X
    if names:
        share = (ALPHA - 1) * (1 - exp(-ALPHA * X)) / (ALPHA * (1 - exp((1 - ALPHA) * X)))
    fall, grow = (replace(e, {R: exp(v)}) - replace(e, {R: exp(v - X)}) for e in (R * diff(f, R) - f, diff(f, R)))
    need(equal(fall, exp(v) * share * grow, (*domain, span(v, -oo, oo))), "another quotient for the source")
    up, down = 1 + q - 2 * k, (1 + q) * k - 2 * q
    high = up / down
    less, more = (replace(e, {R: high}) - replace(e, {R: q * high}) for e in (R * diff(g, R) - g, diff(g, R)))
    need(equal(less, high * k * more, (LEVEL, span(k, 0, oo))), "another quotient for the target")
    up, down, high = (replace(e, {k: share}) for e in (up, down, high))
    # The mean of a law of mean one on both ratios, for every higher ratio r.
    chords = (((1 - q * R) * e + (R - 1) * replace(e, {R: q * R})) / (R - q * R) for e in (f, g))
    mean = log(R) - X * q * (R - 1) / (1 - q)
    if names:
        mean = R ** (ALPHA - 1) * (1 - q * R + exp(-ALPHA * X) * (R - 1)) / (1 - q)
    forms = mean, (R - 1) * (1 - q * R) / (2 * (1 + R) * (1 + q * R))
    wide = (*domain, span(R, 0, oo))
    need(all(equal(e, form, wide) for e, form in zip(chords, forms, strict=True)), "another mean of a coin")
    mean, other = (Max(replace(e, {R: S.One}), replace(form, {R: high})) for e, form in zip((f, g), forms, strict=True))
    have, conditions = at_law(source, names, mean)
    level, others = at_law(target, (), other)
    obligations = (
        Statement(up, ">", S.Zero, domain),
        Statement(down, ">", S.Zero, domain),
        *_strictly(f, g, domain[:-1]),
    )
    words = COIN if kind == "sharp" else ""
    theorem = Theorem(way(kind), Given(source, (*names, have)), Given(target, (level,)), domain, (), words)
    return Result(theorem, (*obligations, *conditions, *others))
