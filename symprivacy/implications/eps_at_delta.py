"""The least eps at a given delta2, for ADP and PDP as targets: what delta(eps2) of the source gives, read backwards.

delta(eps2), the largest hockey-stick or tail that the source allows, falls and is continuous from the right, so the
least eps with delta(eps) <= delta2 is a minimum. It is 0 from delta(0) on, the level of pure DP at delta2 = 0, and
infinite where delta2 is not above the limit of delta(eps2) for eps2 -> oo. That limit is the largest mass that P can
have where Q vanishes, and a bound on an f-divergence allows as much of it as for P = (d, 1 - d), Q = (0, 1). Hellinger
and Jensen-Shannon have an infinite slope in Q's mass there, and the tail pays nothing for it, so a finite eps2 gives
more than the limit; for the hockey-stick of the triangular discrimination it does not.

Closed forms are inverted by hand. Everything else is inverted by two values of the enclosed delta: at the left end it
is proved to be above delta2, which the extremal law there shows, at the right end it is proved not to be.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import mpmath
from mpmath.libmp import fzero, mpf_cmp

from symprivacy.errors import NoInformation
from symprivacy.implications.answer import coins, disjoint, evaluate, impossible, tight, unknown, zero
from symprivacy.implications.formula import Formula, Given, Root, settle
from symprivacy.implications.implication import Implication
from symprivacy.implications.numbers.decimals import decimal
from symprivacy.implications.parameters import canonical, compare, has_table
from symprivacy.implications.status import Status
from symprivacy.implications.tables.divergence import average_root
from symprivacy.implications.tables.slack import parameters_of
from symprivacy.implications.witness import spell
from symprivacy.kernel import interval as iv
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.expr import ZERO, num
from symprivacy.kernel.interval import Interval
from symprivacy.notions import Notion
from symprivacy.notions.kinds import Kind

Rule = Callable[[Notion, Notion, Given], Implication]
# JS of (d, 1 - d) and (0, 1) at d = z/(1 + z).
_JS_APART = "(z/(1 + z)*log(2) + log(2/(2 + z))/(1 + z) + log(2*(1 + z)/(2 + z)))/2"
# The limit of delta(eps2) for eps2 -> oo where the source allows disjoint outcomes.
_LIMITS = {
    Kind.HELLINGER: Formula("h*(2 - h)"),
    Kind.JENSEN: Formula("z/(1 + z)", (Root("z", _JS_APART, "j"),)),
    Kind.TRIANGULAR: Formula("2*z/(1 + 2*z)", (average_root(),)),
    Kind.BELOW: Formula("1 - exp(-e*min(1, (1 - alpha)/alpha))"),
}
_DOUBLINGS = 60
_STEPS = 600


def at_delta(source: Notion, target: Notion, given: Given, rule: Rule, ratio: Formula | None) -> Implication:
    """The least eps of ``target`` at delta2; ``rule`` answers delta at eps2, ``ratio`` is the source's DP level if any.

    >>> from symprivacy.implications import convert
    >>> c = convert("ZCDP", {"rho": "1/2", "delta2": "1e-6"}, "ADP", digits=12)
    >>> c.status.value, c.lo, c.hi
    ('tight', '5.22153434101', '5.22153434102')
    """
    bare = {name: number for name, number in given.items() if name != "delta2"}
    if compare(Formula("delta2"), Formula("1"), given) == 0:
        return zero("every pair of laws is within delta2 = 1")
    if compare(Formula("delta2"), Formula("0"), given) == 0:
        found = rule(source, canonical(Kind.RATIO), bare)
        return replace(found, note="; ".join(filter(None, ("delta2 = 0 asks for pure DP", found.note))))
    if source.kind is Kind.POWER and has_table(source):
        # Order 1 is KL, whose formulas call the level k.
        bare["k"] = bare["e"]
    variation = canonical(Kind.VARIATION)
    apart = rule(source, variation, bare).level
    if apart is not None and apart.is_just(variation.largest):
        return impossible(coins("1", "0"), "the source excludes nothing")
    curve = Curve(source, target, bare, rule, given)
    closed = _closed(source, target, given, ratio)
    if closed is not None:
        if closed.level is None or closed.level.is_just(ZERO):
            return closed
        formula = closed.level
        return replace(closed, make_witness=lambda digits: curve.witness_of(formula, digits))
    shape = rule(source, target, {**bare, "eps2": num(Fraction(1))})
    return Implication(Status.TIGHT, lower=curve.evaluate, attempts=4, shown=_shown(shape),
                  make_witness=curve.witness, principles=shape.principles)  # fmt: skip


def _shown(shape: Implication) -> Formula | str | None:
    if shape.shown is not None or shape.level is None:
        return f"least eps2 at which delta2 is at least the {shape.shown}" if shape.shown else None
    return Formula("eps2", (Root("eps2", shape.level.body, "delta2"), *shape.level.roots))


def _closed(source: Notion, target: Notion, given: Given, ratio: Formula | None) -> Implication | None:
    """The level where a formula gives it; None where delta(eps2) has to be inverted by numbers."""
    if ratio is not None:
        return _of_ratio(target, ratio, given)
    if source.kind is Kind.WIDTH:
        if target.kind is Kind.STICK:
            least = "eps + 2*log(1 - sqrt(delta2*(1 - exp(-eps))))"
            return _from(Formula("tanh(eps/4)"), Formula(least), given, "two-point-extremal")
        return tight("eps + log(1 - delta2*(1 - exp(-eps)))", None, "two-point-extremal")
    if source.kind.slack:
        return _of_slack(source.kind, target, given)
    limit = _LIMITS.get(source.kind)
    side = compare(Formula("delta2"), limit, given) if limit is not None else 1
    if limit is None or side is None or side > 0:
        return None
    if side == 0 and (source.kind, target.kind) == (Kind.TRIANGULAR, Kind.STICK):
        return Implication(
            Status.UNKNOWN, note="delta2 is the limit of delta(eps2); where it is reached is not computed"
        )
    return _never(limit)


def _never(limit: Formula) -> Implication:
    witness = coins(limit.body, "0", note="an output that only P produces")
    return impossible(witness, "delta(eps2) stays above delta2 for every eps2", limit.roots)


def _from(at_zero: Formula, least: Formula, given: Given, *principles: str) -> Implication:
    """``least`` where delta2 is below delta(0), else 0."""
    side = compare(Formula("delta2"), at_zero, given)
    if side is None:
        return unknown("delta2 could not be told from delta at eps2 = 0")
    if side >= 0:
        return zero("delta2 is at least delta at eps2 = 0")
    return tight(least, None, *principles)


def _of_ratio(target: Notion, eps: Formula, given: Given) -> Implication:
    """delta = (E - e)/(1 + E) for ADP, e (E - 1)/(E e - 1) for PDP with a jump to 0 at e = E."""
    inner = {"eps": eps.body}

    def put(text: str) -> Formula:
        return Formula(text).of(inner, eps.roots)

    if target.kind is Kind.STICK:
        least = put("eps + log(1 - delta2*(1 + exp(-eps)))")
        return _from(put("tanh(eps/2)"), least, given, "two-point-extremal")
    side = compare(Formula("delta2"), put("1/(1 + exp(-eps))"), given)
    if side is None:
        return unknown("delta2 could not be told from the jump of delta(eps2)")
    if side < 0:
        return tight(eps, None, "two-point-extremal")
    return tight(put("log(delta2/(1 - exp(eps)*(1 - delta2)))"), None, "two-point-extremal")


def _of_slack(source: Kind, target: Notion, given: Given) -> Implication:
    """ADP, PDP and TV: never below delta, which eps2 = eps reaches unless the target is PDP and the source is not."""
    inner = dict(zip(("eps", "delta"), parameters_of(source), strict=True))
    plain, tail = source is Kind.VARIATION, source is Kind.TAIL

    def put(text: str) -> Formula:
        return Formula(text).of(inner)

    side = compare(Formula("delta2"), put("delta"), given)
    reached = target.kind is Kind.STICK or tail
    if side is None:
        return unknown("delta2 could not be told from the slack of the source")
    if side < 0 or (side == 0 and not reached):
        return impossible(disjoint(inner["delta"]), "P and Q may be disjoint with probability delta")
    if side == 0 and not plain:
        return tight(Formula("eps"), None, "dominating-pair")
    if target.kind is Kind.STICK:
        least = put("eps + log(1 - (delta2 - delta)/(1 - delta)*(1 + exp(-eps)))")
        return _from(put("delta + (1 - delta)*tanh(eps/2)"), least, given, "dominating-pair")
    corner = put("exp(eps)*(exp(eps) - 1 + delta)/(exp(2*eps) - 1)" if tail else "(exp(eps) + delta)/(1 + exp(eps))")
    side = -1 if plain else compare(Formula("delta2"), corner, given)
    if side is None:
        return unknown("delta2 could not be told from a corner of delta(eps2)")
    if side < 0:
        return tight(put("eps" if tail else "log(delta2*exp(eps)/(delta2 - delta))"), None, "dominating-pair")
    return tight(put("log(delta2/(1 - delta - exp(eps)*(1 - delta2)))"), None, "dominating-pair")


class Curve:
    """delta(eps2) of a source, to be inverted."""

    def __init__(self, source: Notion, target: Notion, bare: Given, rule: Rule, given: Given) -> None:
        self.source, self.target, self.bare, self.rule = source, target, bare, rule
        self.goal = given["delta2"]
        # Ends of the answer: above delta2 on the left, not above it on the right.
        self.left, self.right = Fraction(0), Fraction(0)

    def delta(self, x: Fraction, digits: int) -> Interval:
        """delta at eps2 = x, enclosed."""
        given = {**self.bare, "eps2": num(x)}
        found = evaluate(self.rule(self.source, self.target, given), given, digits)
        if found is None:
            raise NoInformation("delta(eps2) is not known")
        return found

    def side(self, x: Fraction, digits: int) -> tuple[int, Any]:
        """1 where delta(x) is proved to exceed delta2, -1 where it is proved not to, else 0; and log(delta/delta2)."""
        for more in (digits, 3 * digits + 20, 9 * digits):
            found, goal = self.delta(x, more), enclose(self.goal, {}, int(more * 3.33) + 60)
            sign = 1 if mpf_cmp(found[0], goal[1]) > 0 else -1 if mpf_cmp(found[1], goal[0]) <= 0 else 0
            if sign:
                break
        if mpf_cmp(found[1], fzero) <= 0:
            return sign, mpmath.mpf(-(10**9))
        return sign, mpmath.log(mpmath.mp.make_mpf(found[1]) / mpmath.mp.make_mpf(goal[0]))

    def evaluate(self, prec: int) -> Interval:
        """The least eps2, to about ``prec`` bits."""
        digits = int(prec / 3.33) + 5
        with mpmath.workprec(prec + 40):
            if not self.right:
                if self.side(Fraction(0), 20)[0] < 0:
                    return iv.ZERO
                self._bracket()
            self._narrow(prec, digits)
        return iv.from_fraction(self.left, prec)[0], iv.from_fraction(self.right, prec)[1], False, False

    def _bracket(self) -> None:
        x = Fraction(1)
        sign = self.side(x, 20)[0]
        factor, last = (2 if sign >= 0 else Fraction(1, 2)), x
        for _ in range(_DOUBLINGS):
            x = last * factor
            now = self.side(x, 20)[0]
            if now and sign and now != sign:
                self.left, self.right = min(x, last), max(x, last)
                return
            if now:
                sign, last = now, x
            else:
                factor = factor * factor
        raise NoInformation("no eps2 within reach has this delta")

    def _narrow(self, prec: int, digits: int) -> None:
        """Illinois steps for log(delta/delta2), with halving where they stall, and two ends as close as they may be."""
        low, high = self.left, self.right
        at_low, at_high = self.side(low, 20)[1], self.side(high, 20)[1]
        kept = 0
        for _ in range(_STEPS):
            width = high - low
            if width * 2**prec <= high:
                break
            x = self._between(low, high, at_low, at_high, prec, halve=kept >= 3)
            sign, at = self.side(x, digits)
            if sign == 0:
                # As good as the solution: its two sides are as close as enclosures can tell.
                low, high = self._around(x, low, high, digits)
                break
            kept = kept + 1 if kept and (sign > 0) == self._last else 1
            self._last = sign > 0
            if sign > 0:
                low, at_low = x, at
                at_high = at_high / 2 if kept > 1 else at_high
            else:
                high, at_high = x, at
                at_low = at_low / 2 if kept > 1 else at_low
        self.left, self.right = low, high

    _last = False

    def _between(self, low: Fraction, high: Fraction, at_low: Any, at_high: Any, prec: int, halve: bool) -> Fraction:
        share = Fraction(1, 2)
        if not halve and at_low > 0 > at_high and at_high > -(10**8):
            share = _fraction(at_low / (at_low - at_high))
        # A step that lands next to an end is pushed a little beyond the solution, so that the other end moves as well.
        least = Fraction(1, 2 ** (prec + 8)) * high / (high - low)
        share = min(max(share, least), 1 - least)
        return _rounded(low + (high - low) * share, prec + 20)

    def _around(self, x: Fraction, low: Fraction, high: Fraction, digits: int) -> tuple[Fraction, Fraction]:
        apart = x / 10 ** (digits + 1)
        for _ in range(60):
            if low < x - apart and self.side(x - apart, digits)[0] > 0:
                low = x - apart
            if x + apart < high and self.side(x + apart, digits)[0] < 0:
                high = x + apart
            if high - low <= 4 * apart or apart > x:
                break
            apart *= 10
        return low, high

    def witness(self, digits: int) -> Mapping[str, Any]:
        """The law that has more than delta2 at the left end."""
        if not self.right:
            return {"P": ["1"], "Q": ["1"], "attained": True}
        return self._law(self.left, digits)

    def witness_of(self, least: Formula, digits: int) -> Mapping[str, Any]:
        """The same just below a level that is given by a formula."""
        value = settle(lambda prec: least.evaluate({**self.bare, "delta2": self.goal}, prec), digits + 5)
        return self._law(iv.to_fraction(value[0]) * (1 - Fraction(1, 10 ** (digits + 2))), digits)

    def _law(self, x: Fraction, digits: int) -> Mapping[str, Any]:
        given = {**self.bare, "eps2": num(_rounded(x, int(3.33 * digits) + 40))}
        answer = self.rule(self.source, self.target, given)
        note = {"eps2": decimal(x, digits + 12, up=False)}
        if answer.make_witness is not None:
            evaluate(answer, given, digits)
            return {**answer.make_witness(digits), **note}
        if answer.witness is None:
            return note
        return {**spell(answer.witness, answer.roots, given, digits, strict=self.target.kind is Kind.TAIL), **note}


def _fraction(x: Any) -> Fraction:
    man, exp = mpmath.mpf(x).man_exp
    return Fraction(int(man)) * Fraction(2) ** int(exp)


def _rounded(x: Fraction, bits: int) -> Fraction:
    """A dyadic number below x with about so many bits."""
    shift = bits - (x.numerator.bit_length() - x.denominator.bit_length())
    scale = Fraction(2) ** shift
    return Fraction((x * scale).__floor__()) / scale
