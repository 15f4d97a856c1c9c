"""What follows from one order of a divergence, KL, chi-square or Renyi of (P, Q) alone: tests, averages and leakage.

An event and its complement are two coins p and q, of which either may come first. The hockey-stick is the larger one of
two convex programs: p - e q and q - e p, e = exp(eps2), each under one function of the ratio (see
:mod:`symprivacy.implications.extremal.hockey_stick`, which proves both ends). In the second one the ratio of Q to P may
be infinite: for order a > 1 that is the best from e >= exp(-d) a/(a - 1) on, where a line that is asymptotic to r - e
bounds by 1 - exp(-d), d the level, as P = Q given an event reaches. For a tail the mass of coins p = e q or q = e p is
as large as the cheaper of the two orders allows. TV from KL is the curve of Fedotov, Harremoes and Topsoe (2003).

For JS the function that bounds is concave and then convex, and touches at the ratios 0 and exp(d): P = Q given an event
has the largest mean. So it is for ABP from exp(d) >= (2 - a)/(a - 1) on, a the order, which is every level from order
3/2 on. For smaller ones the function is convex, concave and convex, and touches at two ratios r exp(-y) and r: that its
slopes and its intercepts there are the same is one equation, linear in r.
"""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from typing import Any

from mpmath.libmp import mpf_cmp

from symprivacy.implications.answer import INFINITE, coins, settled, tight, unknown, zero
from symprivacy.implications.extremal.one_order_stick import Program
from symprivacy.implications.extremal.oriented_secrets import MOST_SECRETS, OrientedSecrets
from symprivacy.implications.formula import Formula, Given, Root, constants, expression, put
from symprivacy.implications.implication import Implication
from symprivacy.implications.parameters import canonical, compare
from symprivacy.implications.rules import rule
from symprivacy.implications.status import Status
from symprivacy.implications.tables.average import abp_of, evaluator
from symprivacy.implications.tables.divergence import (
    at_threshold,
    capped,
    costs_of_test,
    hopeless,
    odds_of_kl,
    odds_of_test,
)
from symprivacy.implications.tables.near_zero import log_one_more
from symprivacy.implications.witness import spell
from symprivacy.kernel import interval as iv
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.expr import Expr, num, rational, substitute
from symprivacy.kernel.interval import Interval
from symprivacy.language.notation import Text
from symprivacy.notions import Notion, Orders
from symprivacy.notions.kinds import Kind

_WORDS = "largest `p - exp(eps2)*q` over coins `p, q` whose divergence in one of the two orders is at most the level"
_ROWS = (
    "largest `log(T)`, `T` the sum of the diagonal of `m2` rows of `m2` probabilities of which, for every two of them, "
    "the divergence in one of the two orders is at most the level"
)
# The higher of the two ratios r and r exp(-y) at which ABP touches, from KL and from a power.
_HIGH = "(1 + exp(-y) - 2*k)/((1 + exp(-y))*k - 2*exp(-y))"
_HIGH_OF_KL = put(_HIGH, k="(1 - exp(-y))/y")
_HIGH_OF_POWER = put(_HIGH, k="(alpha - 1)*(1 - exp(-alpha*y))/(alpha*(1 - exp((1 - alpha)*y)))")


def of_one_order(source: Notion, target: Notion, given: Given) -> Implication | None:
    """What follows from one order of a divergence; None where it is not known.

    >>> from symprivacy.notions import get
    >>> from symprivacy.language.text import parse
    >>> print(of_one_order(get("CHI2[forward]"), get("TV"), {"c": parse("1/2")}).formula)
    sqrt(c)/2
    """
    target = at_threshold(target, given)
    kind, name = source.kind, source.answers
    if compare(Formula(name), Formula("0"), given) == 0:
        return zero()
    if kind is Kind.POWER and compare(Formula("alpha"), Formula("1"), given) == 0:
        kind = Kind.KULLBACK
    order, level = ("2", "log(1 + c)") if kind is Kind.CHI_SQUARE else ("alpha", name)
    part = coins("1", _kept(kind, level))
    if target.orders is Orders.FORWARD:
        return _other_order(source, target, "1" if kind is Kind.KULLBACK else order, level, part, given)
    if target.orders is Orders.BOTH and target.kind in INFINITE:
        return hopeless(target, part)
    if target.kind is Kind.HELLINGER:
        return tight(put("1 - exp(-d/2)", d=level), part, "renyi-monotone", "exact-level")
    if target.kind is Kind.BELOW:
        return tight(put("d*max(1, alpha2/(1 - alpha2))", d=level), part, "renyi-monotone", "skew-symmetry")
    if target.kind in (Kind.JENSEN, Kind.TRIANGULAR):
        return _part(kind, target, level, given)
    if target.kind is Kind.LEAKAGE:
        return _leakage(source, kind, order, level, given)
    if target.kind not in (Kind.VARIATION, Kind.STICK, Kind.TAIL):
        return None
    if target.kind is Kind.TAIL:
        return _tail(kind, order, level, given)
    if kind is Kind.KULLBACK:
        order = ""
    else:
        bar = "exp(eps2)" if target.kind is Kind.STICK else "1"
        far = compare(Formula(bar), Formula(put("exp(-d)*n/(n - 1)", d=level, n=order)), given)
        if far is None:
            return unknown("the extremal law could not be placed")
        if far >= 0:
            return _corner(target, order, level, Program(order, level, given, True))
    if kind is Kind.CHI_SQUARE and target.kind is Kind.STICK:
        # p = q - sqrt(c q (1 - q)): the sum of a cosine and a sine in the angle of q; p - e q gives less.
        root = put("sqrt((exp(eps2) - 1)**2 + c*exp(2*eps2))")
        q = put("(1 - (exp(eps2) - 1)/w)/2", w=root)
        best = put("c*exp(2*eps2)/(2*(w + exp(eps2) - 1))", w=root)
        return tight(best, coins(put("q - sqrt(c*q*(1 - q))", q=q), q), "post-processing", "convex-duality")
    if target.kind is Kind.VARIATION:
        return _variation(kind, name, order, given)
    return _larger(Program(order, level, given, False), Program(order, level, given, True))


def _other_order(
    source: Notion, target: Notion, order: str, level: str, law: dict[str, Any], given: Given
) -> Implication | None:
    """One order of another divergence: those of one pair grow with their order, and no larger order is bounded."""
    asked = {Kind.KULLBACK: "1", Kind.CHI_SQUARE: "2", Kind.POWER: "alpha2"}[target.kind]
    side = compare(Formula(order), Formula(asked), given)
    if side is None:
        return None
    if side < 0:
        # Both orders of the smaller one allow every level of the larger one, and either may come first.
        both = rule(source.key.partition("[")[0], target.key.partition("[")[0], given)
        return both if both.status is Status.IMPOSSIBLE else None
    if target.kind is source.kind:
        return tight(source.answers, law, "renyi-monotone")
    return tight(
        put("exp(d) - 1", d=level) if target.kind is Kind.CHI_SQUARE else expression(level), law, "renyi-monotone"
    )


def _kept(kind: Kind, level: str) -> Expr:
    """The probability of the event of which P is Q given it."""
    return put("1/(1 + c)") if kind is Kind.CHI_SQUARE else put("exp(-d)", d=level)


def _part(kind: Kind, target: Notion, level: str, given: Given) -> Implication | None:
    """JS and ABP, which P = Q given an event makes largest; ABP of small orders and levels on two ratios."""
    q = _kept(kind, level)
    law = coins("1", q)
    if target.kind is Kind.JENSEN:
        mean = put("(log(2/(1 + q)) + q*log(2*q/(1 + q)) + (1 - q)*log(2))/2", q=q)
        return tight(mean, law, "convex-duality")
    if kind is Kind.KULLBACK:
        return _touching(_HIGH_OF_KL, put("log(r) - y*(r - 1)/(exp(y) - 1)", r=_HIGH_OF_KL), expression(level), given)
    if kind is Kind.POWER:
        # The slope of the touching function at the ratio 0 is not negative from there on.
        far = compare(Formula("(alpha - 1)*exp(e)"), Formula("2 - alpha"), given)
        if far is None:
            return None
        if far < 0:
            left = put("r**(alpha - 1)*(1 - exp(-y)*r + exp(-alpha*y)*(r - 1))/(1 - exp(-y))", r=_HIGH_OF_POWER)
            return _touching(_HIGH_OF_POWER, left, put("exp((alpha - 1)*e)"), given)
    s, rest = put("(1 - q)/(1 + q)", q=q), put("2*q/(1 + q)", q=q)
    return tight(abp_of(s, rest), law, "convex-duality", lower=evaluator(s, rest, given))


def _touching(high: Expr, left: Expr, right: Expr, given: Given) -> Implication:
    """ABP of the coin with the ratios r = ``high`` and r exp(-y), whose mean is ``left``.

    As y grows the higher ratio grows and the lower one falls, so that the mean grows from where the higher one is 1;
    before that the mean is below the value at 1, and no level is.
    """
    root = (Root("y", left, right),)
    s = put("(r - 1)*(1 - q*r)/((1 + r)*(1 + q*r))", r=high, q="exp(-y)")
    rest = put("2*(1 + q*r**2)/((1 + r)*(1 + q*r))", r=high, q="exp(-y)")
    weight = put("(1 - q*r)/(r - q*r)", r=high, q="exp(-y)")
    law = coins(put("w*r", w=weight, r=high), weight)
    return tight(Formula(abp_of(s, rest), root), law, "convex-duality", lower=evaluator(s, rest, given, root))


def _leakage(source: Notion, kind: Kind, order: str, level: str, given: Given) -> Implication | None:
    """MAXL of a few secrets; two of them are told apart by one event, and many have two ends."""
    m = int(rational(given["m2"]))
    rest = {name: number for name, number in given.items() if name != "m2"}
    apart = of_one_order(source, canonical(Kind.VARIATION), rest) if m == 2 or m > MOST_SECRETS else None
    if apart is not None and m > MOST_SECRETS:
        return _many(source, apart, level, given)
    if apart is not None and apart.level is not None:
        formula = Formula(put("log(1 + t)", t=apart.level.body), apart.level.roots, log_one_more(apart.level.body))
        return replace(apart, level=formula)
    bound = expression(level)
    if kind is not Kind.KULLBACK:
        bound = put("1 + c") if kind is Kind.CHI_SQUARE else put("exp((n - 1)*d)", n=order, d=level)
    program = OrientedSecrets(m, None if kind is Kind.KULLBACK else expression(order), bound, rest)
    return Implication(
        Status.TIGHT, lower=program.evaluate, make_witness=program.witness, attempts=3,
        principles=("likely-sets", "post-processing", "convex-duality"), shown=Text(_ROWS),
    )  # fmt: skip


def _many(source: Notion, apart: Implication, level: str, given: Given) -> Implication:
    """At least what both orders allow, at most what total variation or Hellinger distance of every two allow."""
    leak = canonical(Kind.LEAKAGE).key
    both = rule(source.key.partition("[")[0], leak, given)
    near = put("1 - exp(-d/2)", d=level)
    at = {"h": substitute(near, dict(given)), "m2": given["m2"]}
    distance = rule(canonical(Kind.HELLINGER).key, leak, at)
    steps = Formula("log(1 + (m2 - 1)*t)")

    def upper(prec: int) -> Interval:
        box = {**constants(given, prec), "t": settled(apart, given, prec)}
        return iv.minimum(enclose(steps.expr(), box, prec), settled(distance, at, prec))

    return Implication(
        Status.UPPER_BOUND, lower=lambda prec: settled(both, given, prec), upper=upper, witness=both.witness,
        roots=both.roots, principles=tuple(dict.fromkeys((*apart.principles, *both.principles, *distance.principles))),
        note="between what both orders and what total variation and Hellinger distance allow",
    )  # fmt: skip


def _tail(kind: Kind, order: str, level: str, given: Given) -> Implication:
    """PDP: the mass that the cheaper order allows; the law with the larger mass comes second if that is the other."""
    test = odds_of_kl(level, least=True) if kind is Kind.KULLBACK else odds_of_test(order, level, least=True)
    found = capped(Formula(level), test, given, "eps2")
    if found.level is None or not found.level.roots or found.witness is None:
        return found
    one, other = (Formula(cost, (test,)) for cost in costs_of_test("" if kind is Kind.KULLBACK else order))
    if compare(one, other, given) != 1:
        return found
    law, roots = found.witness, found.roots

    def exchanged(digits: int) -> dict[str, Any]:
        told = dict(spell(law, roots, given, digits, strict=True))
        return {**told, "P": told["Q"], "Q": told["P"]}

    return replace(found, make_witness=exchanged)


def _variation(kind: Kind, name: str, order: str, given: Given) -> Implication:
    """TV where neither of the coins is certain."""
    if kind is Kind.CHI_SQUARE:
        return tight("sqrt(c)/2", coins("(1 + sqrt(c))/2", "1/2"), "post-processing")
    if kind is Kind.KULLBACK:
        root = Root("x", "log(x/sinh(x)) + x*cosh(x)/sinh(x) - x**2/sinh(x)**2", name)
        return tight(Formula("x*(1 - (cosh(x)/sinh(x) - 1/x)**2)/2", (root,)), None, "post-processing")
    program = Program(order, name, {**given, "eps2": num(0)}, False)
    return replace(_larger(program), shown=Text(_WORDS.replace("p - exp(eps2)*q", "p - q")))


def _corner(target: Notion, order: str, level: str, other: Program) -> Implication | None:
    """An output of Q alone, if the program in the other order gives no more."""
    weight = put("c/(1 + c)") if order == "2" else put("1 - exp(-d)", d=level)
    found = tight(weight, coins("0", weight), "post-processing", "convex-duality")
    if target.kind is Kind.VARIATION:
        return found
    # One coin less the other is at most TV, which is the same where its own corner is reached.
    if compare(Formula("1"), Formula(put("exp(-d)*n/(n - 1)", d=level, n=order)), other.given) in (0, 1):
        return found
    most, reached = other.evaluate(100)[1], Formula(weight).evaluate(other.given, 100)[0]
    return found if mpf_cmp(most, reached) <= 0 else None


def _larger(program: Program, *others: Program) -> Implication:
    """The largest of the programs; the witness is that of the first."""

    def evaluate(prec: int) -> Interval:
        return reduce(iv.maximum, (p.evaluate(prec) for p in (program, *others)))

    return Implication(
        Status.TIGHT, lower=evaluate, make_witness=program.witness, principles=("post-processing", "convex-duality"),
        shown=Text(_WORDS),
    )  # fmt: skip
