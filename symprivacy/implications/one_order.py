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

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import reduce
from typing import Any

import mpmath
from mpmath.libmp import mpf_cmp

from symprivacy.errors import NoInformation
from symprivacy.implications.answer import INFINITE, coins, tight, unknown, zero
from symprivacy.implications.extremal.hockey_stick import KL, Generator, Stick, renyi
from symprivacy.implications.extremal.oriented_secrets import MOST_SECRETS, OrientedSecrets
from symprivacy.implications.formula import Formula, Given, Root, constants, expression, narrow, put
from symprivacy.implications.implication import Implication
from symprivacy.implications.numbers.numeric import function
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
from symprivacy.implications.tables.near_zero import less_one, log_one_more
from symprivacy.implications.witness import spell
from symprivacy.kernel import interval as iv
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.expr import Expr, num, rational
from symprivacy.kernel.interval import Interval
from symprivacy.language.notation import Text
from symprivacy.notions import Notion, Orders
from symprivacy.notions.kinds import Kind

_WORDS = "largest `p - exp(eps2)*q` over coins `p, q` whose divergence in one of the two orders is at most the level"
_ROWS = (
    "largest `log(T)`, `T` the sum of the diagonal of `m2` rows of `m2` probabilities of which, for every two of them, "
    "the divergence in one of the two orders is at most the level"
)
_MORE = less_one("u")
# The higher of the two ratios r and r exp(-y) at which ABP touches, from KL and from a power.
_HIGH = "(1 + exp(-y) - 2*k)/((1 + exp(-y))*k - 2*exp(-y))"
_HIGH_OF_KL = put(_HIGH, k="(1 - exp(-y))/y")
_HIGH_OF_POWER = put(_HIGH, k="(alpha - 1)*(1 - exp(-alpha*y))/(alpha*(1 - exp((1 - alpha)*y)))")
# Where a program has no stationary law: its second ratio is that of P = Q given an event, its first one next to 0.
_NEXT_TO_ZERO = -20
_REACH, _WIDE, _HALVINGS = 4096, 200, 36


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
            return _corner(target, order, level, _Program(order, level, given, True))
    if kind is Kind.CHI_SQUARE and target.kind is Kind.STICK:
        # p = q - sqrt(c q (1 - q)): the sum of a cosine and a sine in the angle of q; p - e q gives less.
        root = put("sqrt((exp(eps2) - 1)**2 + c*exp(2*eps2))")
        q = put("(1 - (exp(eps2) - 1)/w)/2", w=root)
        best = put("c*exp(2*eps2)/(2*(w + exp(eps2) - 1))", w=root)
        return tight(best, coins(put("q - sqrt(c*q*(1 - q))", q=q), q), "post-processing", "convex-duality")
    if target.kind is Kind.VARIATION:
        return _variation(kind, name, order, given)
    return _larger(_Program(order, level, given, False), _Program(order, level, given, True))


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
    """MAXL of a few secrets; two of them are told apart by one event."""
    m = int(rational(given["m2"]))
    if m > MOST_SECRETS:
        return None
    rest = {name: number for name, number in given.items() if name != "m2"}
    apart = of_one_order(source, canonical(Kind.VARIATION), rest) if m == 2 else None
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
    program = _Program(order, name, {**given, "eps2": num(0)}, False)
    return replace(_larger(program), shown=Text(_WORDS.replace("p - exp(eps2)*q", "p - q")))


class _Program:
    """The hockey-stick of P against Q, or of Q against P, under one order of a divergence."""

    def __init__(self, order: str, level: str, given: Given, first: bool) -> None:
        known = renyi(order, level) if order else replace(KL, bound=level)
        v, dv, axis = known.v, known.dv, known.axis
        if not first:
            v, dv, axis = known.w, known.dw, put("w - a*d", w=known.w, a=_MORE, d=known.dw)
        self.stick = Stick(Generator(v, dv, v, dv, known.bound, axis, symmetric=True), given)
        self.first, self.level, self.given = first, Formula(level), given

    def evaluate(self, prec: int) -> Interval:
        """Both ends are proved, whatever the search did; where it finds no law, by one that may not be the best."""
        with suppress(NoInformation, ZeroDivisionError):
            found = self.stick.evaluate(prec)
            if narrow(found, prec // 8):
                return found
        with mpmath.workprec(prec + 60):
            law = self._stationary()
            if law is not None:
                return self.stick.at(*law, prec)
            u = mpmath.mp.make_mpf(self.level.evaluate(self.given, prec)[0])
            return iv.ZERO[0], self.stick.bound_at(mpmath.mpf(_NEXT_TO_ZERO), u, prec), False, False

    def _stationary(self) -> tuple[Any, Any] | None:
        """log r1 and log r2 where V - (r - e) V' is the same and the law on them has the level.

        That function of r rises up to e and falls from there on, so that r2 is found from r1; the divergence grows with
        their distance.
        """
        box = {name: mpmath.mp.make_mpf(x[0]) for name, x in constants(self.given, mpmath.mp.prec).items()}
        g = self.stick.generator
        value, slope = (function(expression(text), "u", box) for text in (g.v, g.dv))
        bound = mpmath.mp.make_mpf(
            enclose(expression(g.bound), constants(self.given, mpmath.mp.prec), mpmath.mp.prec)[0]
        )
        t = box["eps2"]

        def touch(u: Any) -> Any:
            return value(u) - mpmath.exp(t) * mpmath.expm1(u - t) * slope(u)

        def partner(u1: Any) -> Any:
            goal, low, step = touch(u1), t, mpmath.mpf(1)
            while touch(low + step) > goal:
                low, step = low + step, 2 * step
                if step > _REACH:
                    return None
            return _between(lambda u: touch(u) < goal, low, low + step)

        def mean(u1: Any, u2: Any) -> Any:
            below, above = -mpmath.expm1(u1), mpmath.expm1(u2)
            return (below * value(u2) + above * value(u1)) / (above + below)

        def enough(away: Any) -> bool:
            u1 = -mpmath.exp(away)
            u2 = partner(u1)
            return u2 is None or mean(u1, u2) > bound

        with mpmath.workprec(53):
            away = _between(enough, mpmath.mpf(-40), mpmath.mpf(3))
            u1 = -mpmath.exp(away)
            u2 = partner(u1)
        if u2 is None or u2 > _WIDE:
            return None
        try:
            places = (u1, u2)
            found = mpmath.findroot(lambda a, b: [mean(a, b) - bound, touch(a) - touch(b)], places, maxsteps=20)
        except (ValueError, ZeroDivisionError, TypeError):
            # A singular matrix is a TypeError in mpmath.
            return None
        return found[0], found[1]

    def witness(self, digits: int) -> dict[str, Any]:
        """The two laws, that of the divergence's first place first."""
        found = dict(self.stick.witness(digits))
        return found if self.first else {**found, "P": found["Q"], "Q": found["P"]}


def _between(test: Callable[[Any], bool], low: Any, high: Any) -> Any:
    """Where a test begins to hold, by halving; what is found is a first guess."""
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if test(middle) else (middle, high)
    return high


def _corner(target: Notion, order: str, level: str, other: _Program) -> Implication | None:
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


def _larger(program: _Program, *others: _Program) -> Implication:
    """The largest of the programs; the witness is that of the first."""

    def evaluate(prec: int) -> Interval:
        return reduce(iv.maximum, (p.evaluate(prec) for p in (program, *others)))

    return Implication(
        Status.TIGHT, lower=evaluate, make_witness=program.witness, principles=("post-processing", "convex-duality"),
        shown=Text(_WORDS),
    )  # fmt: skip
