"""Rules about Renyi divergences of orders up to a largest one (tCDP) and of orders below one (RDPlow).

tCDP(omega, rho) bounds D_alpha by rho alpha for 1 < alpha <= omega. For an order a below one D_a of (P, Q) is a/(1 - a)
times D_(1-a) of (Q, P), because both are logarithms of one sum of p**a q**(1-a).
"""

from __future__ import annotations

from sympy import Expr, S, Symbol, exp, log, oo

from symprivacy.derivations.derivation import need
from symprivacy.derivations.theorems.laws import generator
from symprivacy.derivations.theorems.theorem import Kind, Result, Theorem, rule, way
from symprivacy.notions.certify import equal
from symprivacy.notions.statement import Given, Span, Statement, replace, span
from symprivacy.notions.symbols import D, R, real

ALPHA, ALPHA2, OMEGA, OMEGA2, RHO = (real(n) for n in ("alpha", "alpha2", "omega", "omega2", "rho"))
E_, H = real("e"), real("h")
TRUNCATED = (span(OMEGA, 1, oo), span(RHO, 0, oo))
PART = "two inputs: one of them is the other given an event"


@rule("orders-up-to", "all-orders", "renyi-monotone")
def orders_up_to(*, source: str, target: str) -> Result:
    """D_alpha <= rho alpha for all orders up to omega: less than for all orders, and more than at one of them.

    D_alpha <= D_omega <= rho <= rho alpha for alpha <= omega, as divergences grow with their order; and the limit at
    order one is KL.
    """
    own = Given("tCDP", (OMEGA, RHO))
    known = {
        ("ZCDP", "tCDP"): (Given("ZCDP", (RHO,)), own, TRUNCATED),
        ("RDP", "tCDP"): (Given("RDP", (OMEGA, RHO)), own, TRUNCATED),
        ("tCDP", "tCDP"): (own, Given("tCDP", (OMEGA2, RHO)), (TRUNCATED[0], _up_to(OMEGA2, OMEGA), TRUNCATED[1])),
        ("tCDP", "KL"): (own, Given("KL", (RHO,)), TRUNCATED),
        ("tCDP", "RDP"): (own, Given("RDP", (ALPHA, RHO * ALPHA)), (TRUNCATED[0], _up_to(ALPHA, OMEGA), TRUNCATED[1])),
    }
    need((source, target) in known, f"{source} to {target} is not about orders up to one")
    premise, conclusion, domain = known[source, target]
    return Result(Theorem(Kind.IMPLIES, premise, conclusion, domain))


def _up_to(order: Symbol, most: Expr) -> Span:
    return Span(order, S.One, most, True, False)


@rule("fewer-orders", "all-orders")
def fewer_orders(t: Theorem, *, most: Symbol) -> Result:
    """What gives ZCDP gives tCDP at the same level: D_alpha <= rho alpha at every order is so up to any order."""
    need(t.kind is Kind.IMPLIES and t.conclusion.key == "ZCDP" and not t.where, "expected ZCDP")
    need(most not in {s.symbol for s in t.domain}, "one name for two parameters")
    conclusion = Given("tCDP", (most, *t.conclusion.values))
    return Result(Theorem(t.kind, t.premise, conclusion, (*t.domain, span(most, 1, oo)), t.assuming))


@rule("every-order-up-to", "all-orders")
def every_order_up_to(t: Theorem, *, order: Symbol, most: Symbol, rho: Expr) -> Result:
    """D_alpha is at most rho alpha at every order up to a largest one (certified at all orders > 1): that is tCDP."""
    need(t.kind is Kind.IMPLIES and t.conclusion.key == "RDP" and t.conclusion.values[0] == order, "expected RDP")
    (own,) = (s for s in t.domain if s.symbol == order)
    need(own == _up_to(order, own.hi), f"{t} is not shown for every order up to one")
    need(not t.where and not any(order in v.free_symbols for v in t.premise.values), "the premise has that order")
    rest = tuple(s for s in t.domain if s.symbol != order)
    known = {s.symbol for s in rest}
    need(not any(order in s.lo.free_symbols | s.hi.free_symbols for s in rest), "ranges depend on the order")
    need(most not in known and rho.free_symbols <= known, "one name for two variables, or a variable without a range")
    s = real("s")
    need(s not in known | {most}, "one name for two variables")
    sides = [replace(e, {order: 1 + s}) for e in ((order - 1) * t.conclusion.values[-1], (order - 1) * order * rho)]
    used = tuple(y for y in rest if any(y.symbol in e.free_symbols for e in sides))
    gap = Statement(sides[0], "<=", sides[1], (span(s, 0, oo), *used))
    domain = tuple(_up_to(most, own.hi) if y.symbol == order else y for y in t.domain)
    return Result(Theorem(Kind.IMPLIES, t.premise, Given("tCDP", (most, rho)), domain, t.assuming), (gap,))


@rule("order-one-up-to", "all-orders")
def order_one_up_to(t: Theorem, *, most: Symbol) -> Result:
    """What gives no better KL gives no better tCDP: D_alpha <= rho alpha up to any order gives KL <= rho as a limit."""
    need(t.kind is Kind.SHARP and t.conclusion.key == "KL" and not t.where, "expected a sharp level of KL")
    need(most not in {s.symbol for s in t.domain}, "one name for two parameters")
    conclusion = Given("tCDP", (most, *t.conclusion.values))
    return Result(Theorem(t.kind, t.premise, conclusion, (*t.domain, span(most, 1, oo)), t.assuming, t.witness))


@rule("order-half", "identity")
def order_half(*, source: str) -> Result:
    """1 - E sqrt(r) is HELL2, so that it is the Renyi divergence of order 1/2, D = -2 log(E sqrt(r))."""
    _, f, transform = generator("RDPlow")
    half = {ALPHA: S.Half}
    need(equal(replace(f, half) + (R - 1) / 2, generator("HELL2")[1], (span(R, 0, oo),)), "another function")
    need(equal(replace(transform, half), -2 * log(1 - D), (span(D, 0, 1),)), "another transform")
    at = Span(ALPHA, S.Half, S.Half, False, False)
    if source == "HELL2":
        premise, conclusion = Given("HELL2", (H,)), Given("RDPlow", (ALPHA, -2 * log(1 - H)))
        return Result(Theorem(Kind.IMPLIES, premise, conclusion, (at, span(H, 0, 1))))
    need(source == "RDPlow", "expected HELL2 or RDPlow")
    premise, conclusion = Given("RDPlow", (ALPHA, E_)), Given("HELL2", (1 - exp(-E_ / 2),))
    return Result(Theorem(Kind.IMPLIES, premise, conclusion, (at, span(E_, 0, oo))))


@rule("outer-order", "renyi-monotone", "skew-symmetry", "exact-level")
def outer_order(*, kind: str, high: bool, above: bool) -> Result:
    """From an order a below one to an order b that is no nearer to 1/2, both laws first in turn.

    Let m be D_min(a, 1-a) of (P, Q) or of (Q, P): it is D_a, or (1 - a)/a times D_a of the laws exchanged (``high``: a
    >= 1/2). An order b below min(a, 1 - a) has no larger divergence; an order b ``above`` max(a, 1 - a) has b/(1 - b)
    times that of 1 - b, exchanged. The laws (1, 0) and (q, 1 - q) have -log(q) at every order, exchanged
    b/(1 - b) times that, and so reach it.
    """
    a, b = ALPHA, ALPHA2
    orders = Span(a, S.Half, S.One, False, True) if high else Span(a, S.Zero, S.Half, True, False)
    far = max(a, 1 - a, key=lambda e: (e == a) == high)
    other = Span(b, far, S.One, False, True) if above else Span(b, S.Zero, 1 - far, True, False)
    level = E_ * ((1 - a) / a if high else 1) * (b / (1 - b) if above else 1)
    domain = (orders, other, span(E_, 0, oo))
    words = PART if kind == "sharp" else ""
    return Result(Theorem(way(kind), Given("RDPlow", (a, E_)), Given("RDPlow", (b, level)), domain, (), words))
