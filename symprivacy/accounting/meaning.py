"""What a plan means for whoever attacks it: the errors of the best test, and the best guess at a prior.

With delta(eps) the largest hockey-stick over both orders of neighbours the trade-off function is
f(a) = sup over real eps of 1 - delta(eps) - exp(eps) a, where delta(-eps) = 1 - exp(-eps) (1 - delta(eps)). Upper ends
of delta at any choice of eps give a lower end of f. For the upper end every eps of a cell [x, y] has
1 - delta(eps) - exp(eps) a <= 1 - delta(y) - exp(x) a, as delta falls, and its mirror image is treated alike.

Whoever gives one of two neighbours the prior p guesses right with probability at most sup_S p P(S) + (1-p) Q(not S),
which is 1 - p + p delta(log((1-p)/p)) for p <= 1/2, and that is reached.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from symprivacy.accounting.balls import ball, high, low, precision, probability
from symprivacy.accounting.compose import Bracket
from symprivacy.accounting.curve import curve, curve_at
from symprivacy.errors import InputError
from symprivacy.implications.numbers.decimals import decimal


@dataclass(frozen=True)
class Row:
    """A place with both ends of what is asked there."""

    at: Fraction
    lo: Fraction
    hi: Fraction

    def to_json(self, name: str, answers: str, digits: int = 8) -> dict[str, object]:
        """Plain data, ends rounded outward."""
        ends = {"lo": decimal(self.lo, digits, up=False), "hi": decimal(self.hi, digits, up=True)}
        return {name: str(self.at), answers: ends}


def trade_off(bracket: Bracket, errors: list[object], points: int = 81) -> list[Row]:
    """The least type II error at given type I errors, from both sides.

    >>> from symprivacy.accounting import Plan, compose
    >>> row = trade_off(compose(Plan.of(["gaussian(1)"]), delta="1/100"), ["1/2"], 41)[0]
    >>> 0.14 < row.lo < 0.1587 < row.hi < 0.18
    True
    """
    rows = curve(bracket, points)
    found = []
    with precision(200):
        scaled = [(ball(x).exp(), lo, hi) for x, lo, hi in rows]
        for given in errors:
            a = probability(given, "type I error")
            best, most = Fraction(0), Fraction(0)
            for e, _, hi in scaled:
                # Both a test and its mirror image: 1 - d - e a and (1 - d - a)/e.
                lines = (1 - ball(hi) - e * ball(a), (1 - ball(hi) - ball(a)) / e)
                best = max(best, *(low(line) for line in lines))
            # The left end of every cell with delta at its right end; beyond the last one delta may be 0.
            for (e, _, _), least in zip(scaled, [*(lo for _, lo, _ in scaled[1:]), Fraction(0)], strict=True):
                lines = (1 - ball(least) - e * ball(a), (1 - ball(least) - ball(a)) / e)
                most = max(most, *(high(line) for line in lines))
            found.append(Row(a, best, min(most, 1 - a)))
    return found


def beliefs(bracket: Bracket, priors: list[object]) -> list[Row]:
    """The largest chance of guessing which of two neighbours it was, at given priors of one of them.

    >>> from symprivacy.accounting import Plan, compose
    >>> row = beliefs(compose(Plan.of(["DP(1)"]), delta="0"), ["1/2"])[0]
    >>> round(float(row.lo), 6), round(float(row.hi), 6)
    (0.731059, 0.731059)
    """
    found = []
    for given in priors:
        p = probability(given, "prior")
        if p in (0, 1):
            raise InputError(f"prior={p}: expected a probability strictly between 0 and 1")
        less = min(p, 1 - p)
        with precision(120):
            odds = (ball(1 - less) / ball(less)).log()
            places = [max(Fraction(0), low(odds)), high(odds)]
        parts = bracket.choices or (bracket,)
        # delta falls: its upper end to the left of the odds, its lower end to the right.
        ends = [curve_at(part, places) for part in parts]
        upper, lower = max(rows[0][2] for rows in ends), max(rows[1][1] for rows in ends)
        found.append(Row(p, 1 - less + less * lower, 1 - less + less * upper))
    return found
