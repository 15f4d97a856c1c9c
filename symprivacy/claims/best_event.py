"""Total variation from a divergence of one order: the event on which the two laws differ most, and its complement.

By data processing the divergence is at least that of the event, and it grows with the difference of the probabilities.
So a bound on it at one difference, for every probability of the event, bounds total variation; and an event whose
divergence is less than claimed, moved a little further apart, is a mechanism against the claim.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from symprivacy.claims.fact import Where
from symprivacy.claims.guarantees import Wanted
from symprivacy.claims.ranges import Ranges
from symprivacy.claims.term_instances import Built, broken, confirmed
from symprivacy.claims.terms import Forward, Term
from symprivacy.implications.formula import expression, put
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Box, Range
from symprivacy.kernel.expr import Expr, substitute
from symprivacy.search.floats import approximate
from symprivacy.search.verdict import Status, Verdict, decide

_DIVERGENCES = {
    "KL": expression("p*log(p/q) + (1 - p)*log((1 - p)/(1 - q))"),
    "CHI2": expression("(p - q)**2/(q*(1 - q))"),
}
# How far an event is moved, as powers of two.
_MOVED = (10, 20, 30)


@dataclass(frozen=True)
class Coin:
    """An event of probabilities p and q that differ by the claimed level; q is a share of what that leaves."""

    p: Expr
    q: Expr
    least: Expr
    claimed: Expr
    box: Box

    def settled(self, steps: int) -> Verdict:
        """Whether the divergence of the event is nowhere less than what the premise allows."""
        return decide(self.claimed, "<=", self.least, self.box, None, steps)

    def breaks(self, premise: tuple[Term, ...], target: Wanted, ranges: Ranges, steps: int) -> dict[str, Any] | None:
        """A witness against the statement from an event whose divergence is less than the premise allows."""
        found = self.settled(steps)
        if found.status is not Status.REFUTED:
            return None
        at = found.point
        point = {name: v for name, v in at.items() if name != "share"}
        full = {**point, **{name: substitute(v, point) for name, v in ranges.dependent.items()}}
        p, q = (approximate(substitute(e, at), {}) for e in (self.p, self.q))
        if not ranges.allows(full) or not 0 < q < p < 1:
            return None
        for k in _MOVED:
            high, low = Fraction(p + (1 - p) / 2**k), Fraction(q)
            rows = ((high, 1 - high), (low, 1 - low))
            witness = broken(Built(full, rows, ((rows,),), 0), premise, target, both=True)
            if witness is not None and confirmed(witness, premise, target, both=True):
                return witness
        return None


def coin_of(premise: tuple[Term, ...], asked: Wanted, where: Where) -> Coin | None:
    """The event that decides whether total variation follows, if that is asked from one divergence."""
    if asked.notion.key != "TV" or len(premise) != 1 or "share" in where.box:
        return None
    (term,) = premise
    inner = term.term if isinstance(term, Forward) else term
    if not isinstance(inner, Wanted):
        return None
    key, level = inner.notion.key, inner.level
    if key == "RDP" and inner.named["alpha"] == x.num(2):
        key, level = "CHI2", x.sub(x.exp(level), x.ONE)
    if key not in _DIVERGENCES:
        return None
    q = x.mul(x.sub(x.ONE, asked.level), x.var("share"))
    p = x.add(q, asked.level)
    box = {**where.box, "share": Range(x.ZERO, x.ONE, True, True)}
    return Coin(p, q, put(_DIVERGENCES[key], p=p, q=q), level, box)
