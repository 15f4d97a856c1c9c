"""Rules about one order of a divergence: D(P, Q) is bounded, and nothing is said of D(Q, P).

P may be Q given an event of probability q: with the laws (1, 0) and (q, 1 - q) every D_alpha(P, Q) is -log(q), while Q
has an output that P never has. Which of two neighbours comes first is part of the setting, so that a premise about both
orders allows the worse order to be the first.
"""

from __future__ import annotations

from sympy import Expr, Max, Rational, S, Symbol, diff, exp, log, oo

from symprivacy.derivations.derivation import need
from symprivacy.derivations.theorems.follows import LEVEL, at_law
from symprivacy.derivations.theorems.laws import generator, symmetric
from symprivacy.derivations.theorems.theorem import Kind, Result, Theorem, rule, way
from symprivacy.notions import Orders, get
from symprivacy.notions.certify import equal
from symprivacy.notions.registry import definition_of
from symprivacy.notions.statement import Domain, Given, Span, Statement, replace, span
from symprivacy.notions.symbols import R, real

X, ALPHA, ALPHA2 = (real(n) for n in ("x", "alpha", "alpha2"))
PART = "two inputs: the first is the second given an event"
COIN = "two inputs: a coin with two ratios in the first order"
# The order of each divergence, and its level where the Renyi divergence of that order is x.
_ORDERS: dict[str, tuple[Expr | None, Expr]] = {
    "KL": (S.One, X),
    "CHI2": (S(2), exp(X) - 1),
    "RDP": (None, X),
    "HELL2": (S.Half, 1 - exp(-X / 2)),
    "RDPlow": (None, X),
}
FORWARD = "[forward]"


def _base(key: str) -> str:
    return key.removesuffix(FORWARD)


@rule("first-order", "restriction")
def first_order(t: Theorem, *, target: str) -> Result:
    """What holds in both orders holds in the first, and where something fails in one order that may be the first.

    The premise bounds both orders of every pair, so it does not depend on which of two neighbours comes first.
    """
    record = get(target)
    need(record.orders is Orders.FORWARD and _base(target) == t.conclusion.key, f"{target} is not one order")
    need(get(t.premise.key).orders is Orders.BOTH, f"{t.premise.key} bounds one order only")
    need(get(t.conclusion.key).orders is Orders.BOTH, f"{t.conclusion.key} is one order already")
    need(t.kind is not Kind.FINITE, "expected a theorem about levels")
    conclusion = Given(target, t.conclusion.values)
    return Result(Theorem(t.kind, t.premise, conclusion, t.domain, t.assuming, t.witness, t.where))


@rule("of-both-orders", "restriction")
def of_both_orders(*, target: str) -> Result:
    """Both orders of a divergence are bounded, so the first is."""
    record = get(target)
    need(record.orders is Orders.FORWARD, f"{target} is not one order")
    known = definition_of(_base(target))
    premise, conclusion = Given(_base(target), known.symbols), Given(target, known.symbols)
    return Result(Theorem(Kind.IMPLIES, premise, conclusion, known.domain))


@rule("order-of-part", "renyi-monotone", "skew-symmetry", "exact-level")
def order_of_part(*, source: str, target: str, kind: str, domain: Domain) -> Result:
    """Renyi divergences of one pair in one order grow with their order: D_b(P, Q) <= D_a(P, Q) for b <= a (certified).

    P = Q given an event of probability exp(-x) has D_a = x at every order a > 0. HELL2 is the same in both orders; for
    an order b below one D_b(Q, P) is b/(1 - b) times D_(1-b)(P, Q), which is at most b/(1 - b) times D_a(P, Q).
    """
    need(source.endswith(FORWARD) and get(source).orders is Orders.FORWARD, "expected one order")
    need(_base(source) in ("KL", "CHI2", "RDP") and _base(target) in _ORDERS, "expected divergences of some order")
    need(get(target).orders is Orders.FORWARD or target in ("HELL2", "RDPlow"), f"{target} bounds both orders")
    need(span(X, 0, oo) in domain, "expected every level")
    (a, have), (b, level) = _ORDERS[_base(source)], _ORDERS[_base(target)]
    obligations: list[Statement] = []
    first: tuple[Expr, ...] = ()
    then: tuple[Expr, ...] = ()
    if a is None:
        a, first = ALPHA, (ALPHA,)
        obligations.append(Statement(ALPHA, ">", S.One, domain))
    if b is None:
        b, then = ALPHA2, (ALPHA2,)
        low = S.Zero if target == "RDPlow" else S.One
        obligations.append(Statement(ALPHA2, ">", low, domain))
        if target == "RDPlow":
            obligations.append(Statement(ALPHA2, "<", S.One, domain))
            level = X * Max(1, ALPHA2 / (1 - ALPHA2))
    if not (a - b).is_number:
        obligations.append(Statement(b, "<=", a, domain))
    else:
        need(bool(b <= a), f"{target} has a larger order than {source}")
    words = PART if kind == "sharp" else ""
    return Result(
        Theorem(way(kind), Given(source, (*first, have)), Given(target, (*then, level)), domain, (), words),
        tuple(obligations),
    )


@rule("largest-part", "convex-duality", "exact-level")
def largest_part(*, source: str, target: str, kind: str, domain: Domain) -> Result:
    """P = Q given an event of probability exp(-x) has the largest mean of a symmetric g under one order of f.

    With r1 = exp(x) let h = C + T (r - 1) + L f - g, h = 0 at 0 and h = h' = 0 at r1 (identities), L > 0 (certified).
    L f''/g'' - 1, which has the sign of h'', grows with r and is not negative at r1 (both certified). So h is concave
    and then convex: on the convex part it is least at r1, where it is 0, and on the concave part it lies above a chord
    whose ends are not negative. So E g <= C + L E f, with equality for the law on 0 and r1.
    """
    need(source.endswith(FORWARD) and get(source).orders is Orders.FORWARD, "expected one order")
    need(_base(source) in ("KL", "CHI2", "RDP") and target in ("JS", "ABP"), "expected a divergence of some order")
    need(span(X, 0, oo) in domain, "expected every level")
    names: tuple[Symbol, ...] = (ALPHA,) if _base(source) == "RDP" else ()
    need(all(n in {s.symbol for s in domain} for n in names), "the order has no range")
    f, g = generator(source)[1], generator(target)[1]
    need(symmetric(g), f"{target} is not the same in both orders")
    start, end = (_at_zero(key) for key in (source, target))
    top = exp(X)
    f1, g1, df, dg = (replace(e, {R: top}) for e in (f, g, diff(f, R), diff(g, R)))
    # From the three equations, with r1 times the slope at r1 less the value there.
    scale = (end + top * dg - g1) / (start + top * df - f1)
    tilt = dg - scale * df
    rest = end + tilt - scale * start
    need(equal(rest + tilt * (top - 1) + scale * f1, g1, domain), "h is not 0 at r1")
    bend = scale * diff(f, R, 2) / diff(g, R, 2)
    wide = (*domain, span(R, 0, oo))
    obligations = [
        Statement(scale, ">", S.Zero, domain),
        Statement(diff(bend, R) / scale, ">=", S.Zero, wide),
        Statement(replace(bend, {R: top}), ">=", S.One, domain),
        *(Statement(n, ">", S.One, domain) for n in names),
        Statement(diff(g, R, 2), ">", S.Zero, (span(R, 0, oo),)),
    ]
    mean = exp(-X) * g1 + (1 - exp(-X)) * end
    level, more = at_law(target, (), mean)
    _, have = _ORDERS[_base(source)]
    words = PART if kind == "sharp" else ""
    theorem = Theorem(way(kind), Given(source, (*names, have)), Given(target, (level,)), domain, (), words)
    return Result(theorem, (*obligations, *more))


def _at_zero(key: str) -> Expr:
    found = get(key).divergence
    need(found is not None, f"{key} is no divergence")
    assert found is not None
    value = found.generator(S.Zero) if found.at_zero is None else found.at_zero
    need(value.is_finite is True, f"{key} has no value at 0")
    return value


def _order(key: str) -> Expr:
    """a where f is r**a, 1 for r log r."""
    return ALPHA if _base(key) == "RDP" else S.One


def _bends(source: str, target: str, domain: Domain) -> tuple[Expr, Expr]:
    """f and g whose quotient f''/g'' falls and then grows: r f''' = (a - 2) f'' and (r + 1) g''' = -3 g'' (identities).

    The slope of log(f''/g'') times r (r + 1) is (a - 2)(r + 1) + 3 r, which grows with r: below where it is 0,
    if there is one, f''/g'' strictly falls, and above it it strictly grows.
    """
    need(source.endswith(FORWARD) and get(source).orders is Orders.FORWARD, "expected one order")
    need(_base(source) in ("KL", "RDP") and target == "ABP", "expected KL or RDP, and ABP")
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
    need(_base(source) == "RDP", "r log r has no slope at 0")
    need({s.symbol for s in domain} == {ALPHA, X}, "expected an order and a level")
    top = exp(X)
    start, end = (_at_zero(key) for key in (source, target))
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
    mean = log(R) - X * (R - 1) / (exp(X) - 1)
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


@rule("part-of-a-law", "exact-level", "counterexample")
def part_of_a_law(*, source: str, target: str) -> Result:
    """P = Q given an event of probability q has every level of one order as q tends to 1, and Q has outputs without P.

    D_a(P, Q) = -log(q) for a > 0; the ratio of Q to P is infinite with probability 1 - q.
    """
    need(source.endswith(FORWARD) and get(source).orders is Orders.FORWARD, "expected one order")
    need(_base(source) in ("KL", "CHI2", "RDP"), "expected a divergence of some order")
    need(target in ("DP", "KL"), "expected DP or KL, which are infinite then")
    known = definition_of(source)
    premise = Given(source, known.symbols)
    return Result(Theorem(Kind.NOTHING, premise, Given(target, ()), known.domain, (), PART))
