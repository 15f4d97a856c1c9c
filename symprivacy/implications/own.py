"""Conversions of notions of one's own: the rules of their stand-ins, with the levels translated there and back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from mpmath.libmp import finf

from symprivacy.implications.answer import far, impossible, settled, tight, unbounded, unknown
from symprivacy.implications.extremal.joint_range import from_mean, mean_of, of_gaussian, of_response, of_slack, to_mean
from symprivacy.implications.extremal.range_position import Position
from symprivacy.implications.formula import Evaluator, Formula, Given, Root, constants
from symprivacy.implications.implication import Implication
from symprivacy.implications.parameters import (
    DIAMETER,
    any_two,
    canonical,
    compare,
    has_table,
    note_comparison,
    observed,
)
from symprivacy.implications.stand_in import StandIn, largest_level, stand_in
from symprivacy.implications.status import Status
from symprivacy.implications.tables.ratio import from_ratio
from symprivacy.implications.tables.slack import parameters_of
from symprivacy.implications.tables.uniform import from_uniform
from symprivacy.implications.witness import with_parameters
from symprivacy.kernel import interval as iv
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.expr import Expr, num, substitute, var
from symprivacy.kernel.interval import Interval, is_finite, to_fraction
from symprivacy.language.notation import Text
from symprivacy.notions import Notion, Orders, Pairs
from symprivacy.notions.kinds import Kind

Rule = Callable[[Notion, Notion, Given], Implication]
_APART = "neighbours are bounded, and nothing is known of inputs further apart"


def from_own(notion: Notion, target: Notion, given: Given, rule: Rule) -> Implication | None:
    """What a notion of one's own implies, by the rules of its stand-in; None where it has none."""
    if notion.pairs.every:
        # What is said of any two inputs needs no chain of neighbours.
        given = {name: number for name, number in given.items() if name != DIAMETER}
        target = canonical(Kind.RATIO) if target.needs == DIAMETER else target
    found = stand_in(notion)
    if found is None and target.kind.threshold and not has_table(target):
        # Where the threshold lies is known to the stand-in of the conclusion only.
        return to_own(notion, target, given, rule)
    if found is None:
        return from_mean_of(notion, target, given)
    put = {found.name: found.level, **found.fixed}
    inner = {name: number for name, number in given.items() if name not in notion.names}
    inner |= {name: substitute(e, dict(given)) for name, e in put.items()}
    with observed() as seen:
        answer = rule(found.notion, target, inner)
    for left, right, sign in seen:
        note_comparison(left.of(put), right.of(put), sign)
    return with_parameters(answer, put)


def to_own(source: Notion, notion: Notion, given: Given, rule: Rule) -> Implication | None:
    """What implies a notion of one's own, by the rules to its stand-in; None where it has none."""
    if source.pairs.every or (DIAMETER in given and compare(Formula(DIAMETER), Formula("1"), given) == 0):
        given = {name: number for name, number in given.items() if name != DIAMETER}
    if DIAMETER in given and notion.kind is not Kind.RATIO:
        return _far(source, notion, given, rule)
    found = stand_in(notion)
    if found is None:
        return to_mean_of(source, notion, given, rule)
    inner, put = _inside(found, notion, given)
    with observed() as seen:
        answer = rule(source, found.notion, inner)
    for left, right, sign in seen:
        note_comparison(left.of(put), right.of(put), sign)
    return _in_terms_of(notion, found, with_parameters(answer, put) if put else answer, given)


def _in_terms_of(notion: Notion, found: StandIn, answer: Implication, given: Given) -> Implication:
    """An answer about the stand-in of a notion as one about the notion."""
    if answer.status is Status.IMPOSSIBLE:
        return _nothing(answer, notion)
    settled = answer.status is Status.TIGHT
    if answer.level is not None and answer.level.is_just(largest_level(found.notion)) and largest_level(notion) is None:
        words = f"laws that never meet have no level of {notion.key}"
        return impossible(answer.witness or {}, words, answer.roots) if settled else unknown(words)
    if found.most is not None and answer.level is not None:
        side = compare(answer.level, Formula(found.most), given)
        if side is None or side > 0:
            words = f"{notion.key} has no level that allows as much"
            return impossible(answer.witness or {}, words, answer.roots) if settled and side else unknown(words)
    return _back(answer, found, notion.asked, given)


def _far(source: Notion, notion: Notion, given: Given, rule: Rule) -> Implication:
    """A notion of any two inputs that is no bound on the ratio, from one of neighbours: log ratios add up on the way.

    The lower bound is that of neighbours; in between nothing is claimed.
    """
    near = {name: number for name, number in given.items() if name != DIAMETER}
    base = rule(source, notion, near)
    if base.status is Status.IMPOSSIBLE or (base.level is not None and base.level.is_just(largest_level(notion))):
        return base
    chained = rule(source, any_two(), {name: number for name, number in given.items() if name != notion.asked})
    if chained.level is None:
        return replace(base, status=Status.UNKNOWN, level=None, upper=lambda _: iv.WHOLE, note=_APART)
    found = stand_in(notion)
    if found is None:
        over = of_response(notion, chained.level)
    else:
        inner, _ = _inside(found, notion, given)
        over = _back(from_ratio(found.notion, chained.level, inner), found, notion.asked, given)
    return far(base, near, [lambda prec: settled(over, given, prec)], "group-path")


def _plain(notion: Notion) -> bool:
    """A mean over outputs, in both orders."""
    both = notion.orders is Orders.BOTH and notion.pairs in (Pairs.NEIGHBOURS, Pairs.ALL)
    return both and notion.divergence is not None and len(notion.parameters) == 1


def from_mean_of(notion: Notion, target: Notion, given: Given) -> Implication | None:
    """What a mean implies, by the laws that are extremal for it; None where no argument is known."""
    return from_mean(notion, target, given) if _plain(notion) else None


def to_mean_of(source: Notion, notion: Notion, given: Given, rule: Rule) -> Implication | None:
    """A mean without a stand-in, by the extremal laws of the source's kind; None where no argument is known."""
    if not _plain(notion):
        return None
    few = source.kind is Kind.UNIFORM and compare(Formula("m"), Formula("2"), given) == 0
    exact = source.kind.threshold and compare(Formula("delta"), Formula("0"), given) == 0
    if source.kind is Kind.RATIO or few or exact:
        own = {name: number for name, number in given.items() if name in source.names}
        ratio = rule(source, canonical(Kind.RATIO), own)
        if ratio.level is None:
            return unbounded(notion, ratio.witness or {}, "the source excludes nothing")
        return of_response(notion, ratio.level)
    if source.kind.slack:
        return of_slack(notion, *parameters_of(source.kind))
    if source.kind is Kind.UNIFORM:
        return from_uniform(notion, given)
    if source.kind is Kind.CURVE:
        return of_gaussian(notion)
    if source.kind is Kind.WIDTH:
        mean = mean_of(notion)
        assert mean is not None
        found = Position(mean, given)
        return Implication(
            Status.TIGHT, lower=lambda prec: enclose(mean.level, {"v": found.evaluate(prec)}, prec), attempts=4,
            make_witness=found.witness, principles=("two-point-extremal",),
            shown=Text("largest mean over laws on `a` and `a*exp(eps)`, `a <= 1 <= a*exp(eps)`"),
        )  # fmt: skip
    if source.kind in (Kind.ORDERS, Kind.TRUNCATED):
        through = to_mean(canonical(Kind.KULLBACK), notion, {**given, "k": given["rho"]})
        if through is None or through.status is not Status.TIGHT or through.level is None:
            return None
        # Randomized response at the level where KL is rho is rho-zCDP.
        put = with_parameters(through, {"k": "rho"})
        return replace(put, principles=("joint-range", "renyi-monotone"))
    return to_mean(source, notion, given)


def _inside(found: StandIn, notion: Notion, given: Given) -> tuple[dict[str, Expr], dict[str, Expr]]:
    """The numbers that the stand-in is asked at, and what it is asked as a function of what is asked here."""
    asked, theirs = notion.asked, found.notion.asked
    # The notion's further parameter as it is asked for, then the stand-in's, which is a function of it.
    mine = {} if asked is None else {asked.removesuffix("2"): given[asked]}
    inner: dict[str, Expr] = {name: number for name, number in given.items() if name != asked}
    if theirs is None:
        return inner, {}
    fixed = found.fixed[theirs.removesuffix("2")]
    inner[theirs] = substitute(fixed, mine)
    return inner, {theirs: _asked(fixed, asked)}


def _asked(e: Expr, asked: str | None) -> Expr:
    return e if asked is None else substitute(e, {asked.removesuffix("2"): var(asked)})


def asked_of_stand_in(notion: Notion, given: Given) -> dict[str, Expr]:
    """What the stand-in of a conclusion is asked at these numbers."""
    found = stand_in(notion)
    assert found is not None
    return _inside(found, notion, given)[0]


def carried(answer: Implication, notion: Notion, given: Given, digits: int) -> Implication:
    """What was found of the stand-in of a notion, with its level enclosed, as an answer about the notion."""
    found = stand_in(notion)
    assert found is not None
    _, put = _inside(found, notion, given)
    plain = replace(with_parameters(replace(answer, witness=None), put), witness=answer.witness) if put else answer
    moved = _in_terms_of(notion, found, plain, given)
    bits = int(3.33 * digits) + 60
    if moved.status is Status.IMPOSSIBLE:
        return replace(moved, value=(finf, finf, False, False))
    if answer.status is Status.IMPOSSIBLE and moved.level is not None:
        return replace(moved, value=moved.level.evaluate(given, bits))
    if answer.value is None or not is_finite(answer.value[1]):
        return replace(moved, value=None)
    ends, own = answer.value, Formula(_asked(found.back, notion.asked), found.roots)
    extra = {} if notion.asked is None else {notion.asked: given[notion.asked]}
    value = _after(lambda _: ends, own, found.name, extra)(bits)
    return replace(moved, value=value, exact=None)


def _nothing(answer: Implication, notion: Notion) -> Implication:
    largest = largest_level(notion)
    if largest is None:
        return answer
    return tight(largest, answer.witness, "counterexample", note="the trivial bound is the best one",
                 roots=answer.roots)  # fmt: skip


def _back(answer: Implication, found: StandIn, asked: str | None, given: Given) -> Implication:
    """The notion's level as an increasing function of the stand-in's."""
    back = _asked(found.back, asked)
    own = Formula(back, found.roots)
    formula = None
    if answer.level is not None:
        sharp = own.of({found.name: answer.level.sharp}).body if answer.level.sharp else ""
        formula = own.of({found.name: answer.level.body}, answer.level.roots)
        formula = Formula(formula.body, formula.roots, sharp)
    shown = answer.shown
    if shown is not None and (back is not var(found.name) or found.roots):
        if isinstance(shown, Formula):
            shown = Formula(back, (Root(found.name, found.name, shown.body), *shown.roots))
        else:
            shown = f"{own.text} where {found.name} = {shown}"
    lower, upper = (
        None if e is None else _after(e, own, found.name, {} if asked is None else {asked: given[asked]})
        for e in (answer.lower, answer.upper)
    )
    return replace(answer, level=formula, shown=shown, lower=lower, upper=upper)


def _after(evaluate: Evaluator, back: Formula, name: str, given: Given) -> Evaluator:
    def evaluator(prec: int) -> Interval:
        level = evaluate(prec)
        if not back.roots:
            return enclose(back.expr(), {**constants(given, prec), name: level}, prec)
        # Increasing in the stand-in's level: the two ends decide.
        ends = [back.evaluate({**given, name: num(to_fraction(end))}, prec) for end in level[:2]]
        return ends[0][0], ends[1][1], False, False

    return evaluator


__all__ = ["asked_of_stand_in", "carried", "from_mean_of", "from_own", "to_mean_of", "to_own"]
