"""A guarantee at the least of several levels: the guarantee at each of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from symprivacy.claims.fact import with_level
from symprivacy.claims.guarantees import Wanted
from symprivacy.claims.outcome import Better, Outcome, together
from symprivacy.claims.sufficient import comparable
from symprivacy.claims.terms import Forward, Term
from symprivacy.kernel import expr as x
from symprivacy.kernel.expr import Expr


def apart(term: Term) -> Iterator[Term]:
    """The guarantees at each of the levels, of one order where the term is about one order."""
    if isinstance(term, Forward) and isinstance(term.term, Wanted):
        yield from (Forward(part) for part in at_each_level(term.term))
    elif isinstance(term, Wanted):
        yield from at_each_level(term)
    else:
        yield term


def at_each_level(wanted: Wanted) -> tuple[Wanted, ...]:
    """The guarantees that a guarantee at the least of several levels says together.

    >>> from symprivacy.claims.guarantees import guarantee
    >>> [str(part) for part in at_each_level(guarantee("TV(Min(a, 2*b))"))]
    ['TV(a)', 'TV(2*b)']
    """
    if wanted.notion.target is None or wanted.level.op != "min":
        return (wanted,)
    return tuple(with_level(wanted, level) for level in wanted.level.args)


def least(side: str, parts: tuple[Term, ...], found: list[Outcome]) -> Outcome:
    """The outcomes at all of the levels of which the claimed one is the least; what is better is the least of all."""
    if len(found) == 1:
        return found[0]
    joined, levels = together(found), list[Expr]()
    if joined.better is None:
        return joined
    for part, outcome in zip(parts, found, strict=True):
        best = outcome.better.guarantee if isinstance(outcome.better, Better) and not outcome.better.where else None
        best = part if outcome.better is None else best
        if not isinstance(part, Wanted) or not isinstance(best, Wanted) or comparable(best, part) is None:
            return replace(joined, better=None)
        levels.append(best.level)
    assert isinstance(parts[0], Wanted)
    once = list(dict.fromkeys(levels))
    of_all = with_level(parts[0], once[0] if len(once) == 1 else x.call("min", *once))
    return replace(joined, better=Better(side, of_all))
