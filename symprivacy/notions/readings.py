"""Which priors a notion is read for: every prior, one given prior, independent records, or (p, 1 - p) on two inputs.

A definition about posteriors leaves the class of priors open, and what follows from it depends on the class. Each
reading is a record of its own, computed from the record of the notion, so that levels, derivations and statements take
it as any other: ``get("InfPr[one]")``, in statements ``InfPr(eps, prior=one)``.

all
    Every prior: the record itself.
one
    One prior that gives every input positive probability. In a premise: the notion holds for some such prior, which
    is what "for the given prior, whichever it is" says there. A conclusion for whichever prior is one for all of them.
independent
    Every prior under which the records of a database are independent. A posterior of one record then compares databases
    that differ in that record only. Where the secret is all of the database, point masses are among these priors.
p
    The prior (p, 1 - p) on every ordered pair of neighbours.
forward
    Of a divergence: the first order of every pair only, in statements ``forward(KL(k))``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from math import isqrt
from typing import TYPE_CHECKING, Any

from sympy import Expr, oo

from symprivacy.errors import InputError, UnsupportedError
from symprivacy.language.notation import written
from symprivacy.notions.definition import read_constraint
from symprivacy.notions.levels.channel import Channel
from symprivacy.notions.levels.enclose import bounds
from symprivacy.notions.levels.options import Options
from symprivacy.notions.levels.result import Level, Witness, as_rational
from symprivacy.notions.quantifiers import Orders, Pairs, Priors
from symprivacy.notions.symbols import P, Q

if TYPE_CHECKING:
    from symprivacy.notions.parameter import Parameter
    from symprivacy.notions.record import Notion

LevelRule = Callable[[Channel, Mapping[str, Expr], Options], Level]
ALL, ONE, INDEPENDENT, POINT, FORWARD = "all", "one", "independent", "p", "forward"
_SHARES = 10**6
_CLASSES = {
    ONE: "one given prior, positive everywhere",
    INDEPENDENT: "every prior with independent records",
    POINT: "the prior (p, 1 - p) on every two neighbours",
}


def known(notion: Notion) -> tuple[str, ...]:
    """The readings that a notion has.

    >>> from symprivacy.notions import get
    >>> known(get("InfPr")), known(get("DP")), known(get("SP"))
    (('all', 'one', 'independent', 'p'), (), ('all', 'p'))
    """
    if not notion.priors.one or notion.reading:
        return ()
    posterior = bool(notion.posterior)
    found = [ALL] if notion.priors.words.startswith("every") else []
    if found and "vector" in notion.priors.one and _one(notion):
        found.append(ONE)
    if found and INDEPENDENT in notion.priors.families:
        found.append(INDEPENDENT)
    if found and posterior and "point" in notion.priors.one:
        found.append(POINT)
    return tuple(found) if len(found) > 1 else ()


def _one(notion: Notion) -> bool:
    """Whether one prior says something: of the posteriors of secrets, or of records when the others are known."""
    if notion.posterior:
        return notion.mean is None
    return notion.pairs is Pairs.CORRELATED


def read(notion: Notion, choice: str, prior: Parameter) -> Notion:
    """The notion for a class of priors; ``prior`` is the parameter that a given probability is.

    >>> from symprivacy.notions import get
    >>> get("MP[independent]").quantifiers
    'databases that differ in one record, both orders, every prior, records independent'
    """
    if choice == FORWARD and notion.one_order is not None:
        return _forward(notion)
    if choice not in known(notion):
        found = [*known(notion), *([FORWARD] if notion.one_order is not None else [])]
        words = ", ".join(f"{notion.key}[{name}]" for name in found if name != ALL) or "no readings"
        raise InputError(f"no notion {notion.key}[{choice}]; {notion.key} has {words}")
    if choice == ALL:
        return notion
    new: dict[str, Any] = {
        "key": f"{notion.key}[{choice}]", "reading": choice, "aliases": (), "pure": "", "needs": None,
        "statement": _said(notion.statement, _CLASSES[choice]),
        "latex": rf"\text{{{_CLASSES[choice]}:}}\ {notion.latex}",
    }  # fmt: skip
    if choice == INDEPENDENT:
        new |= {
            "name": f"{notion.name}, independent records",
            "priors": Priors(f"{notion.priors.words}, records independent"),
            "level": _given(notion, family=INDEPENDENT),
            "pairs": notion.pairs if notion.priors.whole else Pairs.RECORD,
        }
    elif choice == POINT:
        new |= {
            "name": f"{notion.name} at one prior of two inputs",
            "parameters": (*notion.parameters, prior),
            "priors": Priors("the prior (p, 1 - p) on two neighbours"),
            "level": _at_point(notion),
            "pairs": Pairs.NEIGHBOURS,
            "mean": None,
            "compares": "outputs",
        }
    else:
        records = notion.pairs is Pairs.CORRELATED
        new |= {
            "name": f"{notion.name} for one prior",
            "priors": Priors("one given prior, positive everywhere"),
            # With a law of independent records, and all others known, that is what it says of single records.
            "level": _given(notion, family=INDEPENDENT) if records else _best_prior(notion),
            "pairs": Pairs.RECORD if records else notion.pairs,
            "quotient": None if records else quotient(notion),
            "posterior": (),
            "ratio": notion.ratio if records else None,
            "why_not_derived": "one prior bounds no ratio of likelihoods here",
        }
    return replace(notion, **new)


def _forward(notion: Notion) -> Notion:
    """The first order of every pair only: what both orders say is stronger, and as bad for a premise about both."""
    assert notion.one_order is not None
    both = "for all neighbouring `x, x'`"
    return replace(
        notion,
        key=f"{notion.key}[{FORWARD}]",
        name=f"{notion.name}, first order only",
        reading=FORWARD,
        statement=written(notion.statement).replace(both, f"{both}, `x` the first of the two,", 1),
        latex=rf"\text{{the first of two neighbours first:}}\ {notion.latex}",
        orders=Orders.FORWARD,
        between=replace(notion.one_order, stronger=((notion.key, *notion.names), *notion.one_order.stronger)),
        one_order=None,
        aliases=(),
    )


def _said(statement: str, priors: str) -> str:
    found = re.sub("every prior of the family|every prior", priors, statement, count=1)
    return found if found != statement else f"for {priors}: {statement}"


def wanted(notion: Notion, choice: str) -> str:
    """What may be chosen instead of something that may not."""
    found = known(notion)
    if not found:
        return f"prior={choice} has no meaning, its definition fixes the priors"
    words = ", ".join(f"prior={name}" for name in found if name != POINT)
    given = " or a probability such as prior=1/3" if POINT in found else ""
    return f"prior={choice}: expected {words}{given}"


def quotient(notion: Notion) -> tuple[Expr, Expr] | None:
    """Bounds on posterior over prior of a single input that do not depend on its prior; None where there are none.

    >>> from symprivacy.notions import get
    >>> quotient(get("InfPr")), quotient(get("PML"))
    ((exp(-eps), exp(eps)), None)
    """
    low, high = None, None
    # A bound on the posteriors of records is one on averages over the others, not on single databases.
    for lhs, rel, rhs in map(read_constraint, notion.posterior if notion.priors.whole else ()):
        share = (rhs / P).simplify()
        if lhs == Q and P not in share.free_symbols:
            low, high = (low, share) if rel == "<=" else (share, high)
    return None if low is None or high is None else (low, high)


def _given(notion: Notion, **options: Any) -> LevelRule:
    def level(channel: Channel, given: Mapping[str, Expr], asked: Options) -> Level:
        assert notion.level is not None
        return notion.level(channel, given, replace(asked, **options))

    return level


def _at_point(notion: Notion) -> LevelRule:
    def level(channel: Channel, given: Mapping[str, Expr], asked: Options) -> Level:
        assert notion.level is not None
        rest = {name: value for name, value in given.items() if name != "p"}
        return notion.level(channel, rest, replace(asked, prior=given["p"]))

    return level


def _best_prior(notion: Notion) -> LevelRule:
    """The level at the best of some priors, with that prior; whether another prior does better is left open."""

    def level(channel: Channel, given: Mapping[str, Expr], asked: Options) -> Level:
        assert notion.level is not None
        if channel.counts is None:
            raise UnsupportedError(f"{notion.key}: one prior of a symbolic mechanism: give the prior")
        found: tuple[Fraction, Level, tuple[Expr, ...]] | None = None
        for law in candidates(channel):
            prior = tuple(as_rational(share) for share in law)
            reached = notion.level(channel, given, replace(asked, prior=prior))
            if reached.value == oo:
                continue
            high = bounds(reached.value, 96)[1]
            if found is None or high < found[0]:
                found = high, reached, prior
        if found is None:
            return Level(oo, Witness(note="at every prior that was tried"))
        high, reached, prior = found
        stated = tuple(enumerate(prior))
        if reached.value == 0:
            return replace(reached, witness=Witness(prior=stated))
        return Level(reached.value, Witness(prior=stated), exact=False, lo=Fraction(0), hi=high)

    return level


def candidates(channel: Channel) -> list[tuple[Fraction, ...]]:
    """Priors that give every input a positive probability.

    The uniform one, and such that some output is about as likely as the geometric mean of its largest and smallest
    likelihood.
    """
    assert channel.counts is not None
    size = channel.size
    found = [(Fraction(1, size),) * size]
    for y in range(channel.outputs):
        ranked = sorted((row[y], x) for x, row in enumerate(channel.counts))
        (least, at_least), (most, at_most) = ranked[0], ranked[-1]
        if not 0 < least < most:
            continue
        middle = Fraction(isqrt(least * most * _SHARES**2), _SHARES)
        share = (middle - least) / (most - least)
        if not 0 < share < 1:
            continue
        for rest in (Fraction(0), Fraction(1, 2), Fraction(999, 1000)) if size > 2 else (Fraction(0),):
            # What the other inputs have is spread evenly among them, a little at least.
            others = max(rest, Fraction(1, 1000)) if size > 2 else Fraction(0)
            law = [others / (size - 2) if size > 2 else Fraction(0)] * size
            law[at_most], law[at_least] = (1 - others) * share, (1 - others) * (1 - share)
            found.append(tuple(law))
    return list(dict.fromkeys(found))


__all__ = ["ALL", "INDEPENDENT", "ONE", "POINT", "candidates", "known", "quotient", "read", "wanted"]
