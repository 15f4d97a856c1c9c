"""Normal noise as a mechanism of a term: every leaf gets as much as its guarantee allows, runs and groups add up.

Normal laws at distance mu satisfy exactly the Renyi divergences alpha mu^2/2; so they are an instance of most premises
whose levels are all known, and what they do not satisfy does not follow.
"""

from __future__ import annotations

from collections.abc import Iterator

from symprivacy.claims.guarantees import Wanted
from symprivacy.claims.noise import Noise, above
from symprivacy.claims.outcome import Outcome
from symprivacy.claims.points import truth
from symprivacy.claims.ranges import Ranges
from symprivacy.claims.terms import Compose, Forward, Group, Term, leaves
from symprivacy.claims.totals import root_of_squares
from symprivacy.implications.formula import expression, put
from symprivacy.kernel import expr as x
from symprivacy.kernel.expr import Expr, substitute
from symprivacy.language.notation import Text
from symprivacy.language.text import to_text
from symprivacy.search.verdict import Status

# The largest distance of two normal laws of variance 1 that satisfy a guarantee.
_DISTANCE = {
    "GDP": expression("mu"),
    "ZCDP": expression("sqrt(2*rho)"),
    "tCDP": expression("sqrt(2*rho)"),
    "RDP": expression("sqrt(2*e/alpha)"),
    "KL": expression("sqrt(2*k)"),
    "CHI2": expression("sqrt(log(1 + c))"),
    "mCDP": expression("Min(tau, sqrt(2*mu))"),
    "HELL2": expression("sqrt(-8*log(1 - h))"),
    "TV": expression("2*sqrt(2)*erfinv(t)"),
}
# The mean of the loss of normal laws at that distance.
_MEAN = expression("tau**2/2")


def distance(term: Term) -> Expr | None:
    """How far apart normal laws of variance 1 may be that a term allows; None where it allows none or is a sample.

    >>> from symprivacy.claims.grammar import term
    >>> distance(term("group(ZCDP(rho), 3)"))
    Expr('3*sqrt(2*rho)')
    """
    match term:
        case Wanted() if term.notion.key in ("TV", "HELL2") and term.level == x.ONE:
            return None
        case Wanted() if term.notion.key in _DISTANCE:
            return put(_DISTANCE[term.notion.key], **term.named)
        case Forward():
            return distance(term.term)
        case Group():
            inside = distance(term.term)
            return None if inside is None else x.mul(term.size, inside)
        case Compose():
            parts = [found for part in term.parts if (found := distance(part)) is not None]
            return root_of_squares([(part, term.times) for part in parts]) if len(parts) == len(term.parts) else None
    return None


def broken_by_normal_laws(premise: tuple[Term, ...], target: Wanted, ranges: Ranges) -> Outcome | None:
    """The refutation by normal noise that satisfies all of a premise, if its exact level is above the claimed one."""
    found = [mu for term in premise if (mu := distance(term)) is not None]
    if len(found) != len(premise):
        return None
    mu = found[0] if len(found) == 1 else x.call("min", *found)
    noise = Noise("gaussian", (x.div(x.ONE, mu),))
    if not noise.compares(target):
        return None
    words = f"normal laws satisfy `{' and '.join(map(str, premise))}`"
    if noise.unbounded(target):
        return _unbounded(noise, mu, words, target, ranges)
    level = noise.level(target)
    broken = None if level is None else above(noise, level, target, ranges, list(_even(premise, ranges)))
    return None if broken is None else broken.because(words)


def _unbounded(noise: Noise, mu: Expr, words: str, target: Wanted, ranges: Ranges) -> Outcome | None:
    """The refutation at a point where the laws differ at all: equal ones satisfy everything."""
    point = next((at for at in ranges.points() if truth(substitute(mu, dict(at)), ">", x.ZERO, {}) is True), None)
    if point is None:
        return None
    one = noise.put(point)
    says = Text(f"{words} and have no finite level of {target.notion.key}: the loss is not bounded")
    witness = {"mechanism": str(one), "parameters": {name: to_text(v) for name, v in point.items()}, "says": says}
    return Outcome(Status.REFUTED, says, witness, ("exact-level",), (says,))


def _even(premise: tuple[Term, ...], ranges: Ranges) -> Iterator[dict[str, Expr]]:
    """Points at which mean and width of a concentrated loss are those of one normal law."""
    for leaf in (leaf for term in premise for leaf in leaves(term) if leaf.notion.key == "mCDP"):
        mean, width = leaf.values
        if mean.op == "var":
            for point in ranges.points():
                yield {**point, str(mean.value): put(_MEAN, tau=substitute(width, dict(point)))}
