"""Guarantees that follow from the terms of a premise and are enough for a conclusion.

What a registered principle gives for the term comes first, then the levels of a pair that dominates it, then what
follows over other notions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice

from sympy import simplify

from symprivacy.claims.best_event import coin_of
from symprivacy.claims.best_level import best_levels
from symprivacy.claims.case import Case
from symprivacy.claims.dominating import Pair, bounded_both_ways, dominating, level_of_pair
from symprivacy.claims.fact import Fact, Where, asking, attainable, symmetric, with_level
from symprivacy.claims.from_guarantee import simply
from symprivacy.claims.generators import in_proportion
from symprivacy.claims.guarantees import Wanted
from symprivacy.claims.operators import HUBS, facts
from symprivacy.claims.orders import between
from symprivacy.claims.slack import natural_slack
from symprivacy.claims.tails import tails
from symprivacy.claims.terms import Forward, Term, leaves
from symprivacy.errors import SymPrivacyError
from symprivacy.kernel import expr as x
from symprivacy.kernel.expr import Expr
from symprivacy.language.attempt import sympy_attempt
from symprivacy.language.bridge import to_sympy
from symprivacy.language.text import to_text
from symprivacy.notions.parameter import Direction
from symprivacy.search.verdict import Status, Verdict

# Guarantees of one notion that are looked at for a multiple.
_FIRST = 2


@dataclass(frozen=True)
class Found:
    """A guarantee that covers the claimed one, and how the two compare."""

    fact: Fact
    covered: tuple[Verdict, ...]
    asked: Wanted
    exact: bool = False


@dataclass(frozen=True)
class Exceeded:
    """A level that is attained and larger than the claimed one at a point of the box."""

    says: str
    laws: str
    verdict: Verdict


def sufficient(premise: tuple[Term, ...], asked: Wanted, where: Where, reasons: list[str]) -> Found | Exceeded | None:
    """A guarantee that follows and is enough, or a level that is attained and too large; else ``reasons`` grow.

    >>> from symprivacy.claims.grammar import term
    >>> from symprivacy.claims.guarantees import guarantee
    >>> from symprivacy.language.domain import box_from_texts
    >>> where = Where(box_from_texts(["eps in (0, oo)"]))
    >>> print(sufficient((term("compose(DP(eps), 2)"),), guarantee("DP(3*eps)"), where, []).fact.wanted)
    DP(2*eps)
    """
    # What is attained under one of several guarantees need not be attained under all of them.
    alone = len(premise) == 1
    several = between(premise, asked, where) if len(premise) > 1 else iter(())
    for fact in chain(several, (fact for term in premise for fact in facts(term, asked, where))):
        verdicts = covers(fact.wanted, asked, where)
        if verdicts is not None:
            return Found(fact, verdicts, asked, fact.exact and alone)
        if fact.exact and alone and comparable(fact.wanted, asked) is not None:
            above = where.settled(fact.wanted.level, "<=", asked.level)
            if above.status is Status.REFUTED:
                return Exceeded(f"the level `{fact.wanted}` is attained", "those of the best level", above)
        reasons.append(f"`{fact.wanted}` follows, which was not shown to be enough")
    for shown in (_multiple(term, asked, where) for term in premise):
        if shown is not None:
            return shown
    for pairs, principles in _pairs(premise, where):
        found = _by_pairs(pairs, principles, asked, where, reasons)
        if isinstance(found, Found):
            return found if alone else replace(found, exact=False)
        if found is not None and alone:
            return found
    shown = _two_points(premise, asked, where) or _in_one_order(premise, asked, where)
    if shown is not None:
        return shown
    for term in premise:
        for fact in _candidates(term, asked, where):
            verdicts = covers(fact.wanted, asked, where)
            if verdicts is not None:
                return Found(fact, verdicts, asked)
            reasons.append(f"`{fact.wanted}` follows, which was not shown to be enough")
    return trivial(asked, where)


def at_once(premise: tuple[Term, ...], asked: Wanted, where: Where) -> Found | None:
    """One of several guarantees is the one that is claimed, a multiple of it, or what it gives first is."""
    plain = [term for term in premise if isinstance(term, Wanted)]
    for fact in filter(None, (simply(term, asked) for term in plain)):
        if fact.wanted == asked:
            return Found(fact, (), asked)
    for shown in (_multiple(term, asked, where) for term in plain):
        if shown is not None:
            return shown
    for term in premise:
        first = next(facts(term, asked, where), None)
        if first is not None and first.wanted == asked:
            return Found(first, covers(first.wanted, asked, where) or (), asked)
    return None


# Divergences of which others are multiples.
_BASES = ("CHI2", "KL", "HELL2", "JS")


def _multiple(term: Term, asked: Wanted, where: Where) -> Found | None:
    """A multiple by a number of what is known of another divergence, by an inequality between their functions."""
    if isinstance(term, Forward) or asked.notion.key not in _BASES or where.one_order:
        return None
    own = term.notion.key if isinstance(term, Wanted) else None
    for key in _BASES if own is None else {own} & set(_BASES):
        for fact in islice(facts(term, asking(key), where), _FIRST) if key != asked.notion.key else ():
            with sympy_attempt(SymPrivacyError):
                if not simplify(to_sympy(asked.level) / to_sympy(fact.wanted.level)).is_number:
                    continue
                found = in_proportion(Case(fact.wanted, asked, where.box))
                if found is not None:
                    lines, verdicts = found
                    more = Fact(asked, ("convex-duality", "mean-one"), lines[:1])
                    return Found(fact.and_then(more), verdicts, asked)
    return None


def _two_points(premise: tuple[Term, ...], asked: Wanted, where: Where) -> Found | None:
    """Total variation from a divergence of one order: an event on which the laws differ by more has a larger one.

    By data processing the divergence is at least that of the event and its complement, which grows with the difference;
    so it is enough that it is no less than claimed for every probability q of the event, at a difference of t.
    """
    coin = coin_of(premise, asked, where)
    if coin is None:
        return None
    inside = where.settled(asked.level, "<", x.ONE)
    # One more variable, and nothing else is left to show: it may cost more.
    shown = coin.settled(3 * where.steps)
    if inside.status is not Status.PROVED or shown.status is not Status.PROVED:
        return None
    words = "an event on which the two laws differ by more has a larger divergence"
    return Found(Fact(asked, ("post-processing", "best-event"), (words,)), (inside, shown), asked)


def _in_one_order(premise: tuple[Term, ...], asked: Wanted, where: Where) -> Found | None:
    """A multiple of the level of one order, by an inequality between the functions of the ratio."""
    (term, *others) = premise
    inner = term.term if isinstance(term, Forward) else None
    if others or not isinstance(inner, Wanted) or not (where.one_order or symmetric(asked.notion)):
        return None
    found = in_proportion(Case(inner, asked, where.box), one_order=True)
    if found is None:
        return None
    lines, verdicts = found
    return Found(Fact(asked, ("convex-duality", "mean-one"), lines[:1]), verdicts, asked)


def trivial(asked: Wanted, where: Where) -> Found | None:
    """The claimed level is nowhere below the largest there is."""
    most = asked.largest
    if most is None:
        return None
    shown = where.settled(most, "<=", asked.level)
    if shown.status is not Status.PROVED:
        return None
    words = f"{asked.notion.key} is never above `{to_text(most)}`"
    return Found(Fact(with_level(asked, most), (), (words,)), (shown,), asked)


def _pairs(premise: tuple[Term, ...], where: Where) -> Iterator[tuple[tuple[Pair, ...], tuple[str, ...]]]:
    for term in premise:
        # Masses are no less than 0 where no level is above the largest one.
        if any(attainable(leaf, where) != leaf.level for leaf in leaves(term) if leaf.notion.key in ("ADP", "TV")):
            continue
        found = dominating(term)
        if found is not None:
            yield found, ("dominating-pair",)
    if len(premise) > 1:
        eps, t = ([f for term in premise for f in facts(term, asking(key), where)][:2] for key in ("DP", "TV"))
        for a in eps:
            for b in t:
                yield from _both(a, b, where)


def _both(pure: Fact, total: Fact, where: Where) -> Iterator[tuple[tuple[Pair, ...], tuple[str, ...]]]:
    pair = bounded_both_ways(pure.wanted.level, total.wanted.level)
    rest = pair[-1][0]
    if where.settled(rest, ">=", x.ZERO).status is Status.PROVED:
        yield (pair,), ("two-point-extremal", *pure.principles, *total.principles)


def _by_pairs(
    pairs: tuple[Pair, ...], principles: tuple[str, ...], asked: Wanted, where: Where, reasons: list[str]
) -> Found | Exceeded | None:
    levels = [level_of_pair(pair, asked, where) for pair in pairs]
    known = [level for level in levels if level is not None]
    if len(known) != len(levels):
        return None
    try:
        verdicts = [where.settled(level, "<=", asked.level) for level in known]
    except SymPrivacyError:
        return None
    for pair, level, verdict in zip(pairs, known, verdicts, strict=True):
        if verdict.status is Status.REFUTED:
            laws = "; ".join(f"{to_text(p)} against {to_text(q)}" for p, q, _ in pair)
            return Exceeded(f"a pair of laws has the level `{to_text(level)}` of {asked.notion.key}", laws, verdict)
    if any(v.status is not Status.PROVED for v in verdicts):
        reasons.append("the level of the pair that dominates was not shown to be covered")
        return None
    largest = known[0] if len(known) == 1 else x.call("max", *known)
    fact = Fact(with_level(asked, largest), principles, ("the level of the pair of laws that dominates every other",))
    return Found(fact, tuple(verdicts), asked, exact=True)


def _candidates(term: Term, asked: Wanted, where: Where) -> Iterator[Fact]:
    """Guarantees that follow from a term, of the notion asked for and then of others, the likely ones first."""
    if isinstance(term, Wanted):
        yield Fact(term)
        if asked.notion.key in ("ADP", "PDP"):
            yield from tails(term, asked, where)
        return
    if asked.notion.key in ("ADP", "PDP"):
        found = natural_slack(term, asked.notion.key, where)
        if found is not None:
            yield found
        yield from tails(term, asked, where)
    own = [leaf.notion.key for leaf in leaves(term) if len(leaf.values) == 1]
    for key in dict.fromkeys([*own, *HUBS]):
        if key != asked.notion.key:
            yield from facts(term, asking(key), where)
    orders = {leaf.values[0] for leaf in leaves(term) if leaf.notion.key == "RDP"}
    for alpha in orders:
        if asked.notion.key != "RDP":
            yield from facts(term, asking("RDP", alpha), where)


def covers(known: Wanted, asked: Wanted, where: Where) -> tuple[Verdict, ...] | None:
    """Certificates that a guarantee implies another; None where none were found."""
    try:
        if known.notion.key == asked.notion.key:
            found = []
            for parameter, a, b in zip(known.notion.parameters, known.values, asked.values, strict=True):
                relations = {
                    Direction.SMALLER_IS_STRONGER: ("<=",), Direction.LARGER_IS_STRONGER: (">=",),
                    Direction.NEITHER: ("<=", ">="),
                }[parameter.direction]  # fmt: skip
                for rel in relations:
                    shown = where.settled(a, rel, b)
                    if shown.status is not Status.PROVED:
                        break
                    found.append(shown)
                else:
                    continue
                break
            else:
                return tuple(found)
        if where.one_order:
            return None
        # Pinsker's inequality and its like first: they need no closed form of the best level.
        simple = facts(Forward(known), asked, where) if symmetric(asked.notion) else iter(())
        for fact in chain(simple, facts(known, asked, where)):
            shown = where.settled(fact.wanted.level, "<=", asked.level)
            if shown.status is Status.PROVED:
                return (shown,)
        for best in best_levels(known, asked, where.box, where.whole):
            shown = where.settled(known.level, "<=", best.level)
            if best.of_premise and shown.status is Status.PROVED:
                return (shown,)
    except SymPrivacyError:
        return None
    return None


def comparable(known: Wanted, asked: Wanted) -> Expr | None:
    """The level of the same notion at the same further parameters."""
    if known.notion.key != asked.notion.key:
        return None
    same = all(known.named[n] == asked.named[n] for n in known.named if n != known.judged)
    return known.level if same else None
