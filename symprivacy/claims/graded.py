"""How good what follows is: strictly better than what is claimed, attained, or just enough."""

from __future__ import annotations

from dataclasses import replace

from symprivacy.claims.fact import SHORT, Where
from symprivacy.claims.guarantees import Wanted
from symprivacy.claims.outcome import Better, Outcome, point_text, said, told
from symprivacy.claims.ranges import Ranges
from symprivacy.claims.sufficient import Found, comparable
from symprivacy.claims.term_instances import instances, reached
from symprivacy.claims.terms import Forward, Term, leaves
from symprivacy.claims.witness import holds
from symprivacy.evidence import Evidence
from symprivacy.kernel import expr as x
from symprivacy.language.bridge import to_sympy
from symprivacy.search.verdict import Status

# Principles of operations: with the certificates of the comparisons they are all that a proof rests on. Closed forms of
# conversions are not re-derived here, so that what uses one is argued.
OWN = frozenset((
    "sequential-composition", "coupling", "group-metric", "group-path", "subsampling", "contraction", "pinsker",
    "dominating-pair", "renyi-monotone", "post-processing", "best-event", "mixture", "jensen", "chernoff", "tail",
    "log-convex",
))  # fmt: skip


def graded(found: Found, premise: tuple[Term, ...], target: Wanted, ranges: Ranges, both: bool) -> Outcome:
    """Whether the level that follows is strictly better, or attained."""
    fact, asked = found.fact, found.asked
    certificates = (*fact.certificates, *(v.certificate for v in found.covered if v.certificate is not None))
    one = () if both else ("of the first order of every pair",)
    steps = (*one, *fact.steps, *(told(v) for v in found.covered))
    proved = Outcome(
        Status.PROVED, "; ".join(said(*one, *fact.steps[-1:], *(told(v) for v in found.covered[:1]))), None,
        tuple(dict.fromkeys(fact.principles)), steps, certificates=certificates,
        evidence=Evidence.CHECKED if set(fact.principles) <= OWN else Evidence.ARGUED,
    )  # fmt: skip
    level = comparable(fact.wanted, asked)
    if level is None:
        return proved
    below = Where(ranges.box, steps=SHORT).settled(level, ">=", asked.level)
    if below.status is Status.REFUTED:
        at = point_text(below.witness_text or {})
        side = " and ".join(map(str, premise))
        better = fact.wanted if both else Forward(fact.wanted)
        return replace(proved, better=Better(side, better), steps=(*proved.steps, f"that is strictly better at {at}"))
    sharp = fact.sharp and len(premise) == 1 and _allowed(premise[0], asked, ranges)
    if below.status is Status.PROVED and (found.exact or (sharp and _attained(premise, target, ranges, both))):
        return replace(proved, tight=True, steps=(*proved.steps, "the level is attained: nothing better holds"))
    return proved


def _allowed(term: Term, asked: Wanted, ranges: Ranges) -> bool:
    """Whether all levels are levels that mechanisms have: none is negative or above the largest there is.

    What attains a level for small parameters need not exist for large ones: k steps of total variation t are no more
    than 1 apart.
    """
    where = Where(ranges.box, steps=SHORT)
    for wanted in (asked, *(leaf.at(ranges.dependent) for leaf in leaves(term))):
        ends = [(x.ZERO, "<="), *([] if wanted.largest is None else [(wanted.largest, ">=")])]
        if any(where.settled(end, rel, wanted.level).status is not Status.PROVED for end, rel in ends):
            return False
    return True


def _attained(premise: tuple[Term, ...], target: Wanted, ranges: Ranges, both: bool) -> bool:
    """Whether mechanisms with exactly the claimed level exist at three points, or at all points that were tried."""
    points = set()
    term, also = premise[0], tuple(w for w in premise[1:] if isinstance(w, Wanted))
    for built in instances(term, ranges, also, most=24):
        asked = target.at(built.point)
        value = reached(built.rows, asked, both, False)
        if value is not None and holds(value, ">=", to_sympy(asked.level)) is True:
            points.add(tuple(built.point.items()))
            if len(points) == (3 if ranges.spans else 1):
                return True
    return False
