"""The rules: what the tables of the two kinds say of a pair of notions, before anything is evaluated."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from sympy import Expr, simplify

from symprivacy.implications.answer import NotListed, largest, randomized_response, tight, unknown, zero
from symprivacy.implications.eps_at_delta import at_delta
from symprivacy.implications.formula import Formula, Given, Root
from symprivacy.implications.implication import Implication
from symprivacy.implications.own import from_mean_of, from_own, to_mean_of, to_own
from symprivacy.implications.parameters import DIAMETER, any_two, canonical, compare, has_table
from symprivacy.implications.stand_in import largest_level, stand_in
from symprivacy.implications.status import Status
from symprivacy.implications.tables import near_zero
from symprivacy.implications.tables.below import from_below, to_below
from symprivacy.implications.tables.concentrated import from_concentrated
from symprivacy.implications.tables.divergence import (
    from_average,
    from_hellinger,
    from_js,
    from_kl,
    from_power,
    from_square,
)
from symprivacy.implications.tables.gaussian import from_gaussian
from symprivacy.implications.tables.leakage import everything, from_leakage, to_leakage
from symprivacy.implications.tables.ratio import from_range, from_ratio, js_of, unconstrained
from symprivacy.implications.tables.slack import from_slack
from symprivacy.implications.tables.truncated import from_truncated, to_truncated
from symprivacy.implications.tables.uniform import from_uniform
from symprivacy.language.bridge import from_sympy
from symprivacy.language.text import to_text
from symprivacy.notions import Orders, get
from symprivacy.notions.kinds import Kind
from symprivacy.notions.parameter import Direction
from symprivacy.notions.record import Notion
from symprivacy.notions.symbols import P, Q

_NO_ARGUMENT = "no extremal argument for this kind of definition is known"
# By the kind of the source, where it is not a bound on the ratio in other words.
_TABLES: dict[Kind, Callable[[Notion, Given], Implication]] = {
    Kind.WIDTH: from_range,
    Kind.STICK: partial(from_slack, Kind.STICK),
    Kind.TAIL: partial(from_slack, Kind.TAIL),
    Kind.VARIATION: partial(from_slack, Kind.VARIATION),
    Kind.UNIFORM: from_uniform,
    Kind.POWER: from_power,
    Kind.CHI_SQUARE: from_square,
    Kind.CURVE: from_gaussian,
    Kind.KULLBACK: from_kl,
    Kind.HELLINGER: from_hellinger,
    Kind.JENSEN: from_js,
    Kind.TRIANGULAR: from_average,
    Kind.ORDERS: from_concentrated,
    Kind.TRUNCATED: from_truncated,
    Kind.BELOW: from_below,
}


def rule(source: str, target: str, given: Given) -> Implication:
    """What the tables say, in the case that the parameters fall into.

    >>> print(rule("DP", "KL", {"eps": Formula("1").expr()}).level)
    eps*tanh(eps/2)
    """
    return between(get(source), get(target), given)


def between(source: Notion, target: Notion, given: Given) -> Implication:
    """The same for the records."""
    if source.kind is Kind.LEAKAGE and not _is_zero(source, given):
        return from_leakage(target, given, between)
    if not (has_table(source) and has_table(target)):
        return _own(source, target, given)
    if _is_zero(source, given):
        return zero()
    every, lost, ratio = source.pairs.every, _loses_everything(source, given), ratio_level(source, given)
    if target.kind is Kind.LEAKAGE:
        near = {name: number for name, number in given.items() if name != DIAMETER} if every else given
        return everything(given) if lost else to_leakage(source, near, between, ratio)
    if DIAMETER in given and target.needs != DIAMETER and not every:
        return _over_paths(source, target, given)
    if "delta2" in given:
        return at_delta(source, target, given, between, None if lost else ratio)
    if lost:
        return unconstrained(target)
    if target.kind is Kind.TRUNCATED:
        return to_truncated(source, given, between)
    if source is target and _of_pairs(source) and largest(source.key) is not None:
        return tight(source.answers, None, "identity")
    if every and target.needs == DIAMETER:
        # What is said of any two inputs needs no chain of neighbours.
        note = f"{source.key} already speaks of all pairs of inputs"
        if source is target:
            return tight(source.answers, randomized_response(source.answers), "identity", note=note)
        return replace(between(source, canonical(Kind.RATIO), given), note=note)
    try:
        if target.kind is Kind.BELOW and source.kind is not Kind.BELOW:
            return to_below(source, target, given, ratio)
        if ratio is not None:
            if source is target and source.uniform and compare(Formula("m2"), Formula("2"), given) == 0:
                return tight(source.answers, None, "identity")
            return from_ratio(target, ratio, given)
        if source.kind in _TABLES:
            return _TABLES[source.kind](target, given)
    except NotListed:
        if (found := to_mean_of(source, target, given, between)) is not None:
            return found
    return from_mean_of(source, target, given) or unknown(_NO_ARGUMENT)


def _over_paths(source: Notion, target: Notion, given: Given) -> Implication:
    """A target about any two inputs from a source about neighbours: the ratio grows along a chain of D of them.

    The level depends on the likelihoods of one output, and a rare output may gain the whole factor at every step.
    """
    chained = between(source, any_two(), given)
    if chained.status is not Status.TIGHT or chained.level is None:
        return between(source, target, {name: number for name, number in given.items() if name != DIAMETER})
    found = from_ratio(target, chained.level, given)
    return replace(found, witness=chained.witness, principles=("group-path", *found.principles))


def _own(source: Notion, target: Notion, given: Given) -> Implication:
    """The answer where one of the two is a notion of one's own."""
    if source is target and (
        source.asked is None or compare(Formula(source.asked), Formula(source.asked.removesuffix("2")), given) == 0
    ):
        return tight(source.answers, None, "identity")
    if target.orders is Orders.FORWARD is not source.orders:
        # A premise about both orders allows a pair in either: one order of the conclusion is as bad as both.
        both = between(source, replace(target, orders=Orders.BOTH), given)
        return replace(both, principles=tuple(dict.fromkeys((*both.principles, "restriction"))))
    if has_table(source):
        found = zero() if _is_zero(source, given) else to_own(source, target, given, between)
        return found or unknown(_NO_ARGUMENT)
    level, least = Formula(source.answers), source.parameters[-1].domain.start
    if compare(level, Formula(to_text(from_sympy(least))), given) == 0 and not _allows(source, least):
        return zero()
    largest = largest_level(source)
    if largest is not None and compare(level, Formula(largest), given) in (0, 1):
        if "delta2" in given and compare(Formula("delta2"), Formula("1"), given) == 0:
            return zero("every mechanism has this slack")
        return unconstrained(canonical(Kind.RATIO) if "delta2" in given else target)
    if "delta2" in given and stand_in(source) is None:
        return at_delta(source, target, given, between, None)
    return from_own(source, target, given, between) or unknown(_NO_ARGUMENT)


def _allows(notion: Notion, least: Expr) -> bool:
    """Whether the least level of a notion of one's own still leaves room for a difference."""
    bound = notion.ratio if notion.ratio is not None else notion.width
    if notion.divergence is not None:
        return bool(least != 0)
    if bound is not None:
        return bool(simplify(bound.subs(notion.parameters[-1].symbol, least)) != 1)
    # At q = p nothing was learnt.
    at = {notion.parameters[-1].symbol: least}
    return not all(simplify((c.lhs - c.rhs).subs(at).subs(Q, P)) == 0 for c in notion.posterior)


def ratio_level(source: Notion, given: Given) -> Formula | None:
    """The level of DP that the source is equivalent to, as far as one pair of neighbours goes."""
    if source.pure_level is not None:
        return Formula(source.pure_level)
    if _of_pairs(source):
        return Formula("4*y", (Root("y", js_of("y"), "a**2", (near_zero.js("y"), "a**2")),))
    if source.kind.threshold and compare(Formula("delta"), Formula("0"), given) == 0:
        return Formula("eps")
    if source.uniform and compare(Formula("m"), Formula("2"), given) == 0:
        return Formula("log(2*exp(xi) - 1)")
    return None


def _of_pairs(source: Notion) -> bool:
    """Whether a source bounds the ratio of one pair of inputs, and nothing else."""
    return source.pure_level is not None or source.compares == "secrets"


def _is_zero(source: Notion, given: Given) -> bool:
    """Whether every parameter that is stronger the smaller it is is 0."""
    names = [p.name for p in source.parameters if p.direction is Direction.SMALLER_IS_STRONGER]
    return all(compare(Formula(name), Formula("0"), given) == 0 for name in names)


def _loses_everything(source: Notion, given: Given) -> bool:
    """Whether a source that bounds a ratio has its largest level, from which on it excludes nothing."""
    top = largest(source.key) if _of_pairs(source) else None
    if top is None:
        return False
    side = compare(Formula(source.answers), Formula(top), given)
    return side is not None and side >= 0
