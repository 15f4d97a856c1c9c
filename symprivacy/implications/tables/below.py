"""Renyi divergences of an order below one, in both orders: D_a of (P, Q) is a/(1 - a) times D_(1-a) of (Q, P).

As a source. The mean of the convex -r**a is bounded, and that of -r**(1-a). Symmetric targets are largest at randomized
response (see :mod:`.divergence`), and so are the divergences of orders b between a and 1 - a: with b between them the
powers 0, 1 - a, b, a, 1 of a function with two double zeros alternate in sign. For an order b beyond, divergences grow
with their order: D_b <= D_a for b <= a <= 1/2 and all that follows by exchanging the laws is reached by P = (1, 0) and
Q = (q, 1 - q), for which D_b of (P, Q) is -log(q) at every order. Laws that are disjoint with a small probability show
that nothing else follows.

As a target. Nearly everything bounds it; randomized response and the dominating pairs are extremal for the convex
-r**b as for other means. From moments of order a > 1 in both orders, or KL, the same touching function does, of powers
1 - a, 0, b, 1, a. JS and ABP are spent best by disjoint laws if b = 1/2; for other b only bounds are known.
"""

from __future__ import annotations

from symprivacy.implications.answer import NotListed, coins, disjoint, randomized_response, tight, unknown
from symprivacy.implications.extremal.hockey_stick import Generator, renyi
from symprivacy.implications.formula import Formula, Given, Part, Root, put
from symprivacy.implications.implication import Implication
from symprivacy.implications.parameters import compare
from symprivacy.implications.status import Status
from symprivacy.implications.tables import near_zero
from symprivacy.implications.tables.concentrated import CENTRAL
from symprivacy.implications.tables.divergence import (
    JOINT,
    SYMMETRIC,
    at_response,
    at_threshold,
    average_root,
    capped,
    hopeless,
    odds_of_test,
    stick_answer,
)
from symprivacy.implications.tables.gaussian import PAIR
from symprivacy.implications.tables.ratio import TWO_POINT, range_moment, renyi_at
from symprivacy.implications.tables.slack import DOMINATING, dominating, parameters_of
from symprivacy.implications.tables.uniform import from_uniform
from symprivacy.notions import Notion
from symprivacy.notions.kinds import Kind

# The smaller of the two divergences of P = (1, 0) and Q = (q, 1 - q) over the larger one.
_SKEW = "min(1, (1 - alpha)/alpha)"
# Their larger one, at the order that is asked, over -log(q).
_ASKED = "max(1, alpha2/(1 - alpha2))"
_WEIGHT = "1 - exp((alpha - 1)*e)"


def _response(order: str, level: str) -> Root:
    """The randomized response with this divergence."""
    return Root("x", renyi_at("x", order), level, (near_zero.renyi("x", order), level))


def _generator() -> Generator:
    """The generator 1 - r**alpha: that of an order above one with all signs changed.

    The same is said of the order 1 - alpha; for the one above 1/2 the first order of a test decides.
    """
    known = renyi("max(alpha, 1 - alpha)", "e*max(1, (1 - alpha)/alpha)")
    v, dv, w, dw, bound, axis = (
        put("-g", g=part) for part in (known.v, known.dv, known.w, known.dw, known.bound, known.axis)
    )
    return Generator(v, dv, w, dw, bound, axis, known.level)


def from_below(target: Notion, given: Given) -> Implication:
    """RDPlow with e > 0.

    >>> from symprivacy.notions import get
    >>> print(from_below(get("TV"), {}).formula)
    tanh(x/2) where log(cosh((2*alpha - 1)*x/2)/cosh(x/2))/(alpha - 1) = e
    """
    root = _response("alpha", "e")
    target = at_threshold(target, given)
    if target.kind in SYMMETRIC:
        return at_response(target, Formula("x", (root,)), given)
    if target.kind is Kind.BELOW:
        return _other_order(root, given)
    if target.kind is Kind.STICK:
        return stick_answer(_generator(), given, "divergence of order `alpha` in both orders is at most `e`")
    if target.kind is Kind.TAIL:
        return capped(Formula("e"), odds_of_test("alpha", "e", least=True), given, put("eps2/s", s=_SKEW))
    return hopeless(target, disjoint(_WEIGHT))


def _other_order(root: Root, given: Given) -> Implication:
    """Orders nearer to 1/2 by randomized response, the others by how divergences grow with their order."""
    side = compare(Formula("(alpha2 - 1/2)**2"), Formula("(alpha - 1/2)**2"), given)
    if side is None:
        return unknown("the two orders could not be told apart")
    if side < 0:
        level = Formula(renyi_at("x", "alpha2"), (root,), near_zero.renyi("x", "alpha2"))
        return tight(level, randomized_response("x"), JOINT)
    law = coins("1", put("exp(-e*s)", s=_SKEW))
    return tight(put("e*s*t", s=_SKEW, t=_ASKED), law, "renyi-monotone", "skew-symmetry")


def to_below(source: Notion, target: Notion, given: Given, ratio: Formula | None) -> Implication:
    """The divergence of order alpha2 that a source guarantees; ``ratio`` is the source's level of DP, if it has one."""
    kind = source.kind
    if ratio is not None:
        return _at(ratio, TWO_POINT)
    if kind is Kind.WIDTH:
        return range_moment()
    if kind.slack:
        eps, delta = parameters_of(kind)
        kept, witness = "log((1 - d)*cosh((2*n - 1)*eps/2)/cosh(eps/2))/(n - 1)", dominating(eps, delta)
        if kind is Kind.VARIATION:
            kept, witness = "log(1 - d)/(n - 1)", disjoint(delta)
        if compare(Formula(delta), Formula("1"), given) == 0:
            return hopeless(target, coins("1", "0"))
        return tight(put(kept, n="alpha2", eps=eps, d=delta), witness, DOMINATING)
    if kind is Kind.CURVE:
        return tight("alpha2*mu**2/2", PAIR, DOMINATING)
    if kind is Kind.UNIFORM:
        return from_uniform(target, given)
    roots = {
        Kind.KULLBACK: Formula("x", (Root("x", "x*tanh(x/2)", "k"),)),
        Kind.POWER: Formula("x", (_response("alpha", "e"),)),
        Kind.CHI_SQUARE: Formula("2*asinh(sqrt(c)/2)"),
        Kind.ORDERS: CENTRAL,
        Kind.TRUNCATED: CENTRAL,
    }
    if kind is Kind.POWER and compare(Formula("alpha"), Formula("1"), given) == 0:
        return _at(Formula("x", (Root("x", "x*tanh(x/2)", "e"),)), JOINT)
    if kind in roots:
        return _at(roots[kind], JOINT)
    return _bounded(source, target, given)


def _at(level: Formula, principle: str) -> Implication:
    """The divergence of randomized response."""
    x = level.body
    formula = Formula(renyi_at(x, "alpha2"), level.roots, near_zero.renyi(x, "alpha2"))
    return tight(formula, randomized_response(x), principle, roots=level.roots)


def _bounded(source: Notion, target: Notion, given: Given) -> Implication:
    """HELL2, JS and ABP, by HELL2: the divergence of order 1/2 is -2 log(1 - h)."""
    shares: dict[Kind, tuple[Part, tuple[Root, ...]]] = {
        Kind.HELLINGER: ("h", ()),
        Kind.JENSEN: ("j/log(2)", ()),
        Kind.TRIANGULAR: ("z/(1 + z)", (average_root(),)),
    }
    if source.kind not in shares:
        raise NotListed(f"{source.key}: no table speaks of orders below one from {source.kind.value}")
    side = compare(Formula(source.answers), Formula(str(source.largest)), given)
    if side is None or side >= 0:
        unsure = unknown(f"{source.answers} could not be told from its largest value")
        return unsure if side is None else hopeless(target, coins("1", "0"))
    h, roots = shares[source.kind]
    # -log(1 - h) where h is next to 0.
    rest = near_zero.log_one_more(put("h/(1 - h)", h=h))
    over = Formula(put("-2*log(1 - h)*t", h=h, t=_ASKED), roots, put("2*n*t", n=rest, t=_ASKED))
    if source.kind is Kind.HELLINGER:
        return tight(over, coins("1", "(1 - h)**2"), "renyi-monotone", "skew-symmetry")
    if compare(Formula("alpha2"), Formula("1/2"), given) == 0:
        return tight(Formula(put("-2*log(1 - h)", h=h), roots, put("2*n", n=rest)), disjoint(h), JOINT)
    reached = Formula(put("-log(1 - h)/(1 - alpha2)", h=h), roots, put("n/(1 - alpha2)", n=rest))
    return Implication(
        Status.UPPER_BOUND, over, lower=lambda prec: reached.evaluate(given, prec), witness=disjoint(h),
        upper=lambda prec: over.evaluate(given, prec), principles=(JOINT, "renyi-monotone"), roots=roots,
        note="through HELL2; disjoint laws reach the lower end",
    )  # fmt: skip
