"""Rules about one order of a divergence: D(P, Q) is bounded, and nothing is said of D(Q, P).

P may be Q given an event of probability q: with the laws (1, 0) and (q, 1 - q) every D_alpha(P, Q) is -log(q), while Q
has an output that P never has. Which of two neighbours comes first is part of the setting, so that a premise about both
orders allows the worse order to be the first.
"""

from __future__ import annotations

from sympy import Expr, Function, Max, S, Symbol, diff, exp, oo

from symprivacy.derivations.derivation import need
from symprivacy.derivations.theorems.follows import at_law, parameters
from symprivacy.derivations.theorems.laws import generator, symmetric
from symprivacy.derivations.theorems.theorem import Kind, Result, Theorem, rule, way
from symprivacy.notions import Orders, get
from symprivacy.notions.certify import equal
from symprivacy.notions.registry import definition_of
from symprivacy.notions.statement import Domain, Given, Statement, replace, span
from symprivacy.notions.symbols import D, R, real

X, ALPHA, ALPHA2, M2 = (real(n) for n in ("x", "alpha", "alpha2", "m2"))
PART = "two inputs: the first is the second given an event"
# The order of each divergence, and its level where the Renyi divergence of that order is x.
_ORDERS: dict[str, tuple[Expr | None, Expr]] = {
    "KL": (S.One, X),
    "CHI2": (S(2), exp(X) - 1),
    "RDP": (None, X),
    "HELL2": (S.Half, 1 - exp(-X / 2)),
    "RDPlow": (None, X),
}
FORWARD = "[forward]"


def base(key: str) -> str:
    """The divergence of which a notion is one order.

    >>> base("KL[forward]")
    'KL'
    """
    return key.removesuffix(FORWARD)


@rule("first-order", "restriction")
def first_order(t: Theorem, *, target: str) -> Result:
    """What holds in both orders holds in the first, and where something fails in one order that may be the first.

    The premise bounds both orders of every pair, so it does not depend on which of two neighbours comes first.
    """
    record = get(target)
    need(record.orders is Orders.FORWARD and base(target) == t.conclusion.key, f"{target} is not one order")
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
    known = definition_of(base(target))
    premise, conclusion = Given(base(target), known.symbols), Given(target, known.symbols)
    return Result(Theorem(Kind.IMPLIES, premise, conclusion, known.domain))


@rule("order-of-part", "renyi-monotone", "skew-symmetry", "exact-level")
def order_of_part(*, source: str, target: str, kind: str, domain: Domain) -> Result:
    """Renyi divergences of one pair in one order grow with their order: D_b(P, Q) <= D_a(P, Q) for b <= a (certified).

    P = Q given an event of probability exp(-x) has D_a = x at every order a > 0. HELL2 is the same in both orders; for
    an order b below one D_b(Q, P) is b/(1 - b) times D_(1-b)(P, Q), which is at most b/(1 - b) times D_a(P, Q).
    """
    need(source.endswith(FORWARD) and get(source).orders is Orders.FORWARD, "expected one order")
    need(base(source) in ("KL", "CHI2", "RDP") and base(target) in _ORDERS, "expected divergences of some order")
    need(get(target).orders is Orders.FORWARD or target in ("HELL2", "RDPlow"), f"{target} bounds both orders")
    need(span(X, 0, oo) in domain, "expected every level")
    (a, have), (b, level) = _ORDERS[base(source)], _ORDERS[base(target)]
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
    need(base(source) in ("KL", "CHI2", "RDP") and target in ("JS", "ABP"), "expected a divergence of some order")
    need(span(X, 0, oo) in domain, "expected every level")
    names: tuple[Symbol, ...] = (ALPHA,) if base(source) == "RDP" else ()
    need(all(n in {s.symbol for s in domain} for n in names), "the order has no range")
    f, g = generator(source)[1], generator(target)[1]
    need(symmetric(g), f"{target} is not the same in both orders")
    start, end = (at_zero(key) for key in (source, target))
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
    _, have = _ORDERS[base(source)]
    words = PART if kind == "sharp" else ""
    theorem = Theorem(way(kind), Given(source, (*names, have)), Given(target, (level,)), domain, (), words)
    return Result(theorem, (*obligations, *more))


def at_zero(key: str) -> Expr:
    """The value of the function of a divergence at ratio 0."""
    found = get(key).divergence
    need(found is not None, f"{key} is no divergence")
    assert found is not None
    need(found.at_zero.is_finite is True, f"{key} has no value at 0")
    return found.at_zero


@rule("part-of-a-law", "exact-level", "counterexample")
def part_of_a_law(*, source: str, target: str) -> Result:
    """P = Q given an event of probability q has every level of one order as q tends to 1, and Q has outputs without P.

    D_a(P, Q) = -log(q) for a > 0; the ratio of Q to P is infinite with probability 1 - q.
    """
    need(source.endswith(FORWARD) and get(source).orders is Orders.FORWARD, "expected one order")
    need(base(source) in ("KL", "CHI2", "RDP"), "expected a divergence of some order")
    need(target in ("DP", "KL"), "expected DP or KL, which are infinite then")
    known = definition_of(source)
    premise = Given(source, known.symbols)
    return Result(Theorem(Kind.NOTHING, premise, Given(target, ()), known.domain, (), PART))


@rule("oriented-secrets", "likely-sets", "post-processing", "exact-level")
def oriented_secrets(*, source: str, names: tuple[Symbol, ...], kind: str) -> Result:
    """The sets of outputs at which each of m secrets is the most likely are m outputs of a mechanism with the premise.

    M_ij = P_i(S_j) are m rows of m probabilities. By data processing the divergence of every two rows in the order in
    which they are compared is at most that of their laws, and the sum of the largest likelihoods is that of M_ii. So
    the leakage is at most the largest value over rows with the premise, in every order of each two. Such rows are a
    mechanism in which the sum of the largest likelihoods is at least that of M_ii, and which of two inputs comes first
    is part of the setting, so that every level below the largest value fails for some mechanism.
    """
    need(source.endswith(FORWARD) and get(source).orders is Orders.FORWARD, "expected one order")
    need(base(source) in ("KL", "CHI2", "RDP"), "expected a divergence of some order")
    notion, (_, f, transform) = definition_of(source), generator(source)
    own, mapping = parameters(source, names)
    level, p, q = notion.level.symbol, real("p"), real("q")
    domain = (*own, notion.level, span(M2, 2, oo, "["))
    taken = {s.symbol for s in domain}
    need(len(taken) == len(domain) and not {p, q, R, D} & taken, "a parameter with a name of the laws")
    quantity = Function(f"largest_{source}_MAXL".replace(FORWARD, "_forward"))(*names, level, M2)
    where = (
        f"{quantity} = largest value of log(M_11 + ... + M_mm), m = m2, over m rows of m probabilities of which, for "
        f"every two rows, one p and the other q, in one order or the other, {replace(transform, mapping)} <= {level} "
        f"at the mean D of q*f(p/q), f(r) = {replace(f, mapping)}"
    )
    words = "m inputs: rows of m probabilities, of every two of which one or the other comes first"
    conclusion = Given("MAXL", (M2, quantity))
    witness = words if kind == "sharp" else ""
    return Result(Theorem(way(kind), Given(source, (*names, level)), conclusion, domain, (), witness, where))
