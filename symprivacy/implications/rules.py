"""The rules: what the tables of the two kinds say of a pair of notions, before anything is evaluated."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from sympy import Expr, simplify

from symprivacy.implications.answer import largest, randomized_response, tight, unknown, zero
from symprivacy.implications.eps_at_delta import at_delta
from symprivacy.implications.formula import Formula, Given, Root
from symprivacy.implications.implication import Implication
from symprivacy.implications.own import from_own, to_own
from symprivacy.implications.parameters import DIAMETER, compare, computed
from symprivacy.implications.stand_in import largest_level, stand_in
from symprivacy.implications.status import Status
from symprivacy.implications.tables import sharp
from symprivacy.implications.tables.concentrated import from_concentrated
from symprivacy.implications.tables.divergence import from_average, from_hellinger, from_js, from_kl, from_renyi
from symprivacy.implications.tables.gaussian import from_gaussian
from symprivacy.implications.tables.leakage import everything, from_leakage, to_leakage
from symprivacy.implications.tables.ratio import from_range, from_ratio, js_of, unconstrained
from symprivacy.implications.tables.slack import from_slack
from symprivacy.implications.tables.uniform import from_uniform
from symprivacy.language.bridge import from_sympy
from symprivacy.language.text import to_text
from symprivacy.notions import get
from symprivacy.notions.record import Direction, Notion, P, Q


def _of_order(target: str, given: Given) -> Implication:
    if compare(Formula("alpha"), Formula("1"), given) == 0:
        return from_kl(target, {**given, "k": given["e"]})
    return from_renyi(target, "alpha", "e", given)


# By source, where it is not a bound on the ratio in other words.
_TABLES: dict[str, Callable[[str, Given], Implication]] = {
    "RB": from_range,
    "ADP": lambda target, given: from_slack("ADP", target, "eps", "delta", given),
    "PDP": lambda target, given: from_slack("PDP", target, "eps", "delta", given),
    "TV": lambda target, given: from_slack("TV", target, "0", "t", given),
    "MBPU": from_uniform,
    "RDP": _of_order,
    "CHI2": lambda target, given: from_renyi(target, "2", "log(1 + c)", given, "CHI2"),
    "GDP": from_gaussian,
    "KL": from_kl,
    "HELL2": from_hellinger,
    "JS": from_js,
    "ABP": from_average,
    "ZCDP": from_concentrated,
}


def rule(source: str, target: str, given: Given) -> Implication:
    """What the tables say, in the case that the parameters fall into.

    >>> print(rule("DP", "KL", {"eps": Formula("1").expr()}).level)
    eps*tanh(eps/2)
    """
    if source == "MAXL" and not _is_zero(source, given):
        return from_leakage(target, given, rule)
    if (mine := _own(source, target, given)) is not None:
        return mine
    if "delta2" in given and any(notion.key == source for notion in computed()):
        return at_delta(source, target, given, rule, None)
    if _is_zero(source, given):
        return zero()
    every = get(source).pairs.every
    if target == "MAXL":
        near = {name: number for name, number in given.items() if name != DIAMETER} if every else given
        lost = _loses_everything(source, given)
        return everything(given) if lost else to_leakage(source, near, rule, _ratio_level(source, given))
    if DIAMETER in given and target != "LDP" and not every:
        return _over_paths(source, target, given)
    if "delta2" in given:
        lost = _loses_everything(source, given)
        return at_delta(source, target, given, rule, None if lost else _ratio_level(source, given))
    if _loses_everything(source, given):
        return unconstrained(target)
    if source == target and _of_pairs(source) and largest(source) is not None:
        return tight(get(source).answers, None, "identity")
    if source == "LDP" and target == "LDP":
        return tight("eps", randomized_response("eps"), "identity", note="LDP already speaks of all pairs of inputs")
    if every and target == "LDP":
        # What is said of any two inputs needs no chain of neighbours.
        return replace(rule(source, "DP", given), note=f"{source} already speaks of all pairs of inputs")
    if (level := _ratio_level(source, given)) is not None:
        if target == "MBPU" == source and compare(Formula("m2"), Formula("2"), given) == 0:
            return tight("xi", None, "identity")
        return from_ratio(target, level, given)
    return _TABLES[source](target, given)


def _over_paths(source: str, target: str, given: Given) -> Implication:
    """A target about any two inputs from a source about neighbours: the ratio grows along a chain of D of them.

    The level depends on the likelihoods of one output, and a rare output may gain the whole factor at every step.
    """
    chained = rule(source, "LDP", given)
    if chained.status is not Status.TIGHT or chained.level is None:
        return rule(source, target, {name: number for name, number in given.items() if name != DIAMETER})
    found = from_ratio(target, chained.level, given)
    return replace(found, witness=chained.witness, principles=("group-path", *found.principles))


def _own(source: str, target: str, given: Given) -> Implication | None:
    """The answer where one of the two is a notion of one's own."""
    defined = {notion.key: notion for notion in computed()}
    if source not in defined and target not in defined:
        return None
    if source == target:
        asked = defined[target].asked
        if asked is None or compare(Formula(asked), Formula(asked.removesuffix("2")), given) == 0:
            return tight(defined[source].answers, None, "identity")
    found = None
    if source in defined:
        level, least = Formula(defined[source].answers), defined[source].parameters[-1].domain.start
        if compare(level, Formula(to_text(from_sympy(least))), given) == 0 and not _allows(defined[source], least):
            return zero()
        largest = largest_level(defined[source])
        if largest is not None and compare(level, Formula(largest), given) in (0, 1):
            if "delta2" in given and compare(Formula("delta2"), Formula("1"), given) == 0:
                return zero("every mechanism has this slack")
            return unconstrained("DP" if "delta2" in given else target)
        if "delta2" in given and stand_in(defined[source]) is None:
            return at_delta(source, target, given, rule, None)
        found = from_own(defined[source], target, given, rule)
    elif _is_zero(source, given):
        return zero()
    elif target in defined:
        found = to_own(source, defined[target], given, rule)
    return found or unknown("no extremal argument for this kind of definition is known")


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


def _ratio_level(source: str, given: Given) -> Formula | None:
    """The level of DP that the source is equivalent to, as far as one pair of neighbours goes."""
    notion = get(source)
    if notion.pure_level is not None:
        return Formula(notion.pure_level)
    if _of_pairs(source):
        return Formula("4*y", (Root("y", js_of("y"), "a**2", (sharp.js("y"), "a**2")),))
    if source in ("ADP", "PDP") and compare(Formula("delta"), Formula("0"), given) == 0:
        return Formula("eps")
    if source == "MBPU" and compare(Formula("m"), Formula("2"), given) == 0:
        return Formula("log(2*exp(xi) - 1)")
    return None


def _of_pairs(source: str) -> bool:
    """Whether a source bounds the ratio of one pair of inputs, and nothing else."""
    notion = get(source)
    return notion.pure_level is not None or notion.compares == "secrets"


def _is_zero(source: str, given: Given) -> bool:
    """Whether every parameter that is stronger the smaller it is is 0."""
    names = [p.name for p in get(source).parameters if p.direction is Direction.SMALLER_IS_STRONGER]
    return all(compare(Formula(name), Formula("0"), given) == 0 for name in names)


def _loses_everything(source: str, given: Given) -> bool:
    """Whether a source that bounds a ratio has its largest level, from which on it excludes nothing."""
    top = largest(source) if _of_pairs(source) else None
    if top is None:
        return False
    side = compare(Formula(get(source).answers), Formula(top), given)
    return side is not None and side >= 0
