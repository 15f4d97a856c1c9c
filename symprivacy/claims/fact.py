"""Guarantees as facts about a term: what each rests on, and where its comparisons are to hold."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from symprivacy.claims.guarantees import Wanted
from symprivacy.claims.rewriting import Form, unwrapped
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Box
from symprivacy.kernel.expr import Expr
from symprivacy.notions import Notion, get
from symprivacy.search.effort import STEPS
from symprivacy.search.verdict import Status, Verdict

#: steps of one comparison in a first and in a second attempt at a proof
SHORT, LONG = 40_000, 600_000


def _factors(e: Expr, box: Box) -> list[Expr]:
    """The factors of an expression; a root of a product is one of each positive variable in it, and of the rest."""
    if e.op == "*":
        return [factor for arg in e.args for factor in _factors(arg, box)]
    if e.op != "^" or e.args[0].op != "*" or e.args[1].op != "num":
        return [e]
    base, power = e.args
    apart = [v for v in base.args if _positive(v, box)]
    rest = x.mul(x.ONE, *(v for v in base.args if v not in apart))
    return [*(x.power(v, power) for v in apart), x.power(rest, power)] if apart else [e]


def _positive(e: Expr, box: Box) -> bool:
    """Whether it is a variable, or a power of one, whose range is positive."""
    e = e.args[0] if e.op == "^" and e.args[1].op == "num" else e
    r = box.get(str(e.value)) if e.op == "var" else None
    if r is None or r.lo is None or r.lo.op != "num":
        return False
    low = x.rational(r.lo)
    return low > 0 or (low == 0 and r.lo_open)


@dataclass(frozen=True)
class Where:
    """The ranges of the variables, and whether only the first order of a pair is asked about."""

    box: Box
    one_order: bool = False
    #: how much each comparison may cost
    steps: int = STEPS
    #: names that stand for whole numbers
    whole: frozenset[str] = frozenset()

    def settled(self, lhs: Expr, rel: str, rhs: Expr) -> Verdict:
        """The verdict on a comparison, everywhere on the box; without the positive variables that both sides have.

        An inverse function on one side is undone by its function of both sides, which increases.
        """
        lhs, rel, rhs = self._shared(lhs, rel, rhs)
        # What no longer occurs would only be cut in vain.
        form = Form(lhs, rel, rhs, {n: r for n, r in self.box.items() if n in lhs.variables | rhs.variables})
        form = unwrapped(form) or form
        found = form.decide(self.steps)
        # A point where it fails is a point of the whole box.
        return found if found.status is not Status.REFUTED else replace(form, box=self.box).decide(self.steps)

    def _shared(self, lhs: Expr, rel: str, rhs: Expr) -> tuple[Expr, str, Expr]:
        """The comparison without the counts and levels that are factors of both sides, such as the number of runs."""
        left, right = _factors(lhs, self.box), _factors(rhs, self.box)
        for e in [e for e in left if e in right and _positive(e, self.box)]:
            left.remove(e)
            right.remove(e)
        return x.mul(*left) if left else x.ONE, rel, x.mul(*right) if right else x.ONE


def attainable(wanted: Wanted, where: Where) -> Expr:
    """The level of a guarantee, or the largest level there is where that may be less.

    Both say the same. But formulas that multiply what is left, as 1 - (1 - v)**2 does, fall again where v is above 1.

    >>> from symprivacy.claims.guarantees import guarantee
    >>> from symprivacy.language.domain import box_from_texts
    >>> where = Where(box_from_texts(["t in (0, 1)"]))
    >>> attainable(guarantee("TV(t)"), where), attainable(guarantee("TV(3*t)"), where)
    (Expr('t'), Expr('Min(1, 3*t)'))
    """
    most = wanted.largest
    if most is None or where.settled(wanted.level, "<=", most).status is Status.PROVED:
        return wanted.level
    return x.call("min", most, wanted.level)


@dataclass(frozen=True)
class Fact:
    """A guarantee that follows from a term, with what it rests on."""

    wanted: Wanted
    principles: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    certificates: tuple[Mapping[str, Any], ...] = ()
    #: whether a pair of the term has exactly this guarantee
    exact: bool = False
    #: whether that is so, or nearly so, at all parameters that the notions allow
    sharp: bool = False

    def then(self, wanted: Wanted, principle: str, words: str, sharp: bool = False) -> Fact:
        """A further guarantee, by a principle; ``sharp``: what attains this one attains that one."""
        steps, names = (*self.steps, f"{words}: `{wanted}`"), (*self.principles, principle)
        return replace(self, wanted=wanted, principles=names, steps=steps, exact=False, sharp=self.sharp and sharp)

    def and_then(self, further: Fact) -> Fact:
        """What follows from this guarantee; attained under it or not, it need not be under what this one rests on."""
        return Fact(
            further.wanted, (*self.principles, *further.principles), (*self.steps, *further.steps),
            (*self.certificates, *further.certificates),
        )  # fmt: skip


#: what finds the guarantees of the notion that is asked for, at its further parameters, of a term
Facts = Callable[[Any, Wanted, Where], Iterator[Fact]]


def joined(found: list[Fact]) -> Fact:
    """All that several facts rest on; what they say together is still to be said."""
    return Fact(
        found[0].wanted,
        tuple(dict.fromkeys(p for f in found for p in f.principles)),
        tuple(dict.fromkeys(s for f in found for s in f.steps)),
        tuple(c for f in found for c in f.certificates),
        sharp=all(f.sharp for f in found),
    )


def symmetric(notion: Notion) -> bool:
    """Whether it bounds the same number for a pair of laws and for the pair turned round.

    >>> symmetric(get("TV")), symmetric(get("KL"))
    (True, False)
    """
    return notion.divergence is not None and notion.divergence.symmetric


def asking(key: str, *others: Expr) -> Wanted:
    """A notion at further parameters, as a question: its level is to be found.

    >>> print(asking("RDP", x.num(2)))
    RDP(2, 1)
    """
    return Wanted(get(key), (*others, x.ONE))


def with_level(like: Wanted, level: Expr, **others: Expr) -> Wanted:
    """The guarantee of the same notion with another level and perhaps other further parameters."""
    named = {**like.named, **others, like.judged: level}
    return Wanted(like.notion, tuple(named.values()))
