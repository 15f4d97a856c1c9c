"""The levels of runs together, by notion."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice

from sympy import simplify

from symprivacy.claims.fact import Fact, Facts, Where, attainable, joined, with_level
from symprivacy.claims.guarantees import Wanted
from symprivacy.claims.slack import natural_slack
from symprivacy.claims.terms import Compose, is_normal
from symprivacy.claims.totals import Runs, added, grown, missed, placed_anew, root_of_squares
from symprivacy.kernel import expr as x
from symprivacy.kernel.expr import Expr
from symprivacy.language.attempt import sympy_attempt
from symprivacy.language.bridge import from_sympy, to_sympy
from symprivacy.search.verdict import Status

# How many guarantees of a part are composed, one after the other.
_WAYS = 4


@dataclass(frozen=True)
class Total:
    """The level of all runs from those of the parts."""

    level: Callable[[Runs], Expr]
    principle: str = "sequential-composition"
    #: whether independent runs of what attains the parts attain the whole
    sharp: bool = False
    #: whether that is so only for guarantees of the same notion, attained by laws of one kind
    alike: bool = False


# Losses, or means of powers of the ratio, multiply.
_ADDED = Total(added, sharp=True)
# Normal laws, whose orders agree.
_NORMAL = Total(added, sharp=True, alike=True)
_AT_MOST = Total(added)
_TOTALS = {
    "DP": _ADDED, "LDP": _ADDED, "KL": _ADDED, "RDP": _ADDED, "RDPlow": _ADDED, "ZCDP": _NORMAL, "tCDP": _NORMAL,
    "PML": _AT_MOST, "LIP": _AT_MOST, "MBP": _AT_MOST, "MAXL": _AT_MOST,
    "GDP": Total(root_of_squares, sharp=True, alike=True),
    # Leaks that add up.
    "TV": Total(missed, "coupling", sharp=True, alike=True),
    "HELL2": Total(missed, sharp=True),
    "CHI2": Total(grown, sharp=True),
    "RB": Total(placed_anew),
    # The information about which of the two laws it is, under a belief that earlier runs have moved: at most twice.
    "JS": Total(placed_anew),
}  # fmt: skip


def of_runs(term: Compose, asked: Wanted, where: Where, facts: Facts) -> Iterator[Fact]:
    """Guarantees of adaptive runs from those of the parts."""
    key = asked.notion.key
    if key in _TOTALS:
        yield from _totals(_TOTALS[key], term, asked, where, facts)
    if key in ("ADP", "PDP"):
        slack = natural_slack(term, key, where)
        if slack is not None:
            yield slack


def _totals(total: Total, term: Compose, asked: Wanted, where: Where, facts: Facts) -> Iterator[Fact]:
    key, capped = asked.notion.key, total.level is missed
    alike = all(isinstance(part, Wanted) and part.notion.key == key for part in term.parts)
    sharp = total.sharp and (alike or not total.alike)
    for found in _ways([list(islice(facts(part, asked, where), _WAYS)) for part in term.parts]):
        levels = [(attainable(f.wanted, where) if capped else f.wanted.level, term.times) for f in found]
        all_runs = with_level(asked, total.level(levels))
        fact = joined(found).then(all_runs, total.principle, "all runs together", sharp)
        yield replace(fact, exact=key == "GDP" and is_normal(term))
        if capped and term.times.op != "num":
            # More than that, and simpler where the number of runs is a variable.
            short = [(_shortest(one, where), times) for one, times in levels] if key == "HELL2" else levels
            if short != levels:
                simpler = with_level(asked, total.level(short))
                yield joined(found).then(simpler, total.principle, "all runs together", sharp)
            more = with_level(asked, added(levels))
            yield joined(found).then(more, total.principle, "all runs together, added up")


def _ways(parts: list[list[Fact]]) -> Iterator[list[Fact]]:
    """The first fact of every part; then the second ones, and so on, as long as a part has more."""
    if all(parts):
        for k in range(max(map(len, parts))):
            yield [found[min(k, len(found) - 1)] for found in parts]


def _shortest(level: Expr, where: Where) -> Expr:
    """The level as 1 - s with s in its simplest form, if that is certainly no less: powers of s are compared by s."""
    with sympy_attempt():
        short = x.sub(x.ONE, from_sympy(simplify(1 - to_sympy(level))))
        if where.settled(level, "<=", short).status is Status.PROVED:
            return short
    return level
