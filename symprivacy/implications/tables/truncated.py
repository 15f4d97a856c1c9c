"""Truncated concentrated privacy: D_alpha <= rho alpha for 1 < alpha <= omega, in both orders.

As a source it allows what ZCDP(rho) allows, among others the Gaussian pair with mu = sqrt(2 rho), and implies KL at
rho: so whatever follows from ZCDP through KL follows, and the orders up to omega are as for ZCDP. RDP(omega, rho)
implies it, because divergences grow with their order and alpha > 1; so larger orders are not bounded. For ADP and PDP
coins decide.

As a target. The limit of D_alpha/alpha at order 1 is KL, so it is at least that. What gives ZCDP has its largest
D_alpha/alpha there. From moments of order a >= omega in both orders the largest D_alpha for alpha <= a is that of one
randomized response, whose D_alpha/alpha is largest in the limit of order 1, too (see :mod:`.ratio`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from symprivacy.implications.answer import tight, unknown
from symprivacy.implications.formula import Formula, Given, put
from symprivacy.implications.implication import Implication
from symprivacy.implications.parameters import canonical, compare
from symprivacy.implications.status import Status
from symprivacy.implications.tables.concentrated import PAIR, from_concentrated, of_stick, of_tail
from symprivacy.implications.tables.divergence import SYMMETRIC, at_threshold, hopeless, spread
from symprivacy.notions import Notion
from symprivacy.notions.kinds import Kind

Rule = Callable[[Notion, Notion, Given], Implication]
_ORDERS = "the two orders could not be told apart"


def from_truncated(target: Notion, given: Given) -> Implication:
    """tCDP with rho > 0.

    >>> from symprivacy.notions import get
    >>> from symprivacy.language.text import parse
    >>> print(from_truncated(get("RDP"), {"omega": parse("3"), "rho": parse("1"), "alpha2": parse("2")}).formula)
    rho*alpha2
    """
    # Moments of the order omega that are as small as wanted leave all larger ones unbounded.
    far = put("cosh((2*omega - 1)*x/2)/cosh(x/2) - 1")
    witness = spread("exp((omega - 1)*rho) - 1", far)
    target = at_threshold(target, given)
    if target.kind in (Kind.POWER, Kind.CHI_SQUARE):
        side = compare(Formula("2" if target.kind is Kind.CHI_SQUARE else "alpha2"), Formula("omega"), given)
        if side is None:
            return unknown(_ORDERS)
        return from_concentrated(target, given) if side <= 0 else hopeless(target, witness)
    if target.kind is Kind.STICK:
        return of_stick(target, given)
    if target.kind is Kind.TAIL:
        return of_tail(given)
    if target.kind in (*SYMMETRIC, Kind.KULLBACK):
        return from_concentrated(target, given)
    return hopeless(target, witness)


def to_truncated(source: Notion, given: Given, rule: Rule) -> Implication:
    """The level of tCDP at omega2 that a source guarantees; ``rule`` answers for other targets."""
    omega = given["omega2"]
    rest = {name: number for name, number in given.items() if name != "omega2"}
    highest = _in_omega(rule(source, canonical(Kind.POWER), {**rest, "alpha2": omega}))
    if highest.status is Status.IMPOSSIBLE:
        return highest
    if source.kind is Kind.TRUNCATED:
        # Omega2 is at most omega: otherwise the moment of that order was unbounded.
        return tight("rho", PAIR, "identity") if highest.status is Status.TIGHT else unknown(_ORDERS)
    if source.kind in (Kind.POWER, Kind.CHI_SQUARE):
        found = rule(source, canonical(Kind.KULLBACK), rest)
        return replace(found, principles=(*found.principles, "renyi-monotone"))
    found = rule(source, canonical(Kind.ORDERS), rest)
    return found if found.status is not Status.IMPOSSIBLE else unknown("bounded at every order, but not uniformly")


def _in_omega(found: Implication) -> Implication:
    """An answer about the order alpha2 in terms of omega2."""
    return found if found.level is None else replace(found, level=found.level.of({"alpha2": "omega2"}))
