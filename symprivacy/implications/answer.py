"""The common shapes of what a rule answers, and how the level of one is enclosed."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import reduce
from typing import Any

from symprivacy.errors import UnsupportedError
from symprivacy.implications.formula import Evaluator, Formula, Given, Part, Root, expression, put, settle
from symprivacy.implications.implication import Implication
from symprivacy.implications.parameters import has_table
from symprivacy.implications.stand_in import largest_level
from symprivacy.implications.status import Status
from symprivacy.kernel import interval as iv
from symprivacy.kernel.interval import Interval
from symprivacy.language.text import to_text
from symprivacy.notions import Notion, get
from symprivacy.notions.kinds import Kind

# What outputs of one of two inputs alone leave without a bound.
INFINITE = frozenset((Kind.RATIO, Kind.WIDTH, Kind.KULLBACK, Kind.POWER, Kind.CHI_SQUARE, Kind.ORDERS, Kind.TRUNCATED,
                      Kind.CURVE, Kind.UNIFORM))  # fmt: skip


class NotListed(UnsupportedError):
    """A table does not speak of a kind of target; what no table knows is computed from the record."""


def listed(target: Notion, kinds: Collection[Kind]) -> None:
    """Raise NotListed for a kind that is none of these: by default a table says nothing, least of all "impossible".

    >>> listed(get("KL"), (Kind.RATIO,))
    Traceback (most recent call last):
        ...
    symprivacy.implications.answer.NotListed: KL: no table speaks of the mean of r log r here
    """
    if target.kind not in kinds:
        raise NotListed(f"{target.key}: no table speaks of {target.kind.value} here")


def largest(key: str) -> str | None:
    """The level that every mechanism has, in what a target is asked: all of it is lost, but it is a number.

    >>> largest("TV"), largest("MAXL"), largest("DP")
    ('1', 'log(m2)', None)
    """
    notion = get(key)
    if not has_table(notion):
        return largest_level(notion)
    found, further = notion.largest, notion.fills
    if found is None or further is None or further not in expression(found).variables:
        return found
    return to_text(put(found, **{further: str(notion.asked)}))


def evaluate(answer: Implication, given: Given, digits: int) -> Interval | None:
    """An enclosure of the level at these parameters; None where nothing is known."""
    if answer.lower is None:
        if answer.level is None:
            return None
        formula = answer.level
        return settle(lambda prec: formula.evaluate(given, prec), digits)
    low = settle(answer.lower, digits, answer.attempts)
    if answer.upper is None:
        return low
    high = settle(answer.upper, digits, answer.attempts)
    return iv.hull((low[0], low[0], False, False), (high[1], high[1], False, False))


def settled(answer: Implication, given: Given, prec: int) -> Interval:
    """The level at a precision in bits; 0 where nothing is known."""
    found = evaluate(answer, given, max(4, int((prec - 50) / 3.33)))
    return found if found is not None else iv.ZERO


def far(base: Implication, near: Given, ends: list[Evaluator], *principles: str) -> Implication:
    """Inputs up to D steps apart: at least what neighbours allow, at most each of ``ends``."""

    def upper(prec: int) -> Interval:
        return reduce(iv.minimum, (end(prec) for end in ends))

    return Implication(
        Status.UPPER_BOUND, lower=lambda prec: settled(base, near, prec), upper=upper, witness=base.witness,
        roots=base.roots, principles=principles, note="between what neighbours allow and what adds up along a path",
    )  # fmt: skip


def tight(
    level: Part | Formula,
    witness: Mapping[str, Any] | None,
    *principles: str,
    note: str = "",
    roots: tuple[Root, ...] = (),
    lower: Evaluator | None = None,
) -> Implication:
    """A tight answer with a formula.

    >>> tight("tanh(eps/2)", None, "two-point-extremal").status
    <Status.TIGHT: 'tight'>
    """
    formula = level if isinstance(level, Formula) else Formula(level)
    roots = roots or formula.roots
    return Implication(
        Status.TIGHT, formula, lower=lower, witness=witness, principles=principles, note=note, roots=roots
    )


def impossible(witness: Mapping[str, Any], note: str = "", roots: tuple[Root, ...] = ()) -> Implication:
    """No level suffices; the witness is a pair or a family."""
    return Implication(Status.IMPOSSIBLE, witness=witness, principles=("counterexample",), note=note, roots=roots)


def unknown(note: str) -> Implication:
    """Nothing is known, and why."""
    return Implication(Status.UNKNOWN, note=note)


def unbounded(target: Notion, witness: Mapping[str, Any], note: str = "") -> Implication:
    """The source allows unbounded ratios through disjoint outputs: impossible, or the largest level there is."""
    if (top := largest(target.key)) is not None:
        return tight(top, witness, "counterexample", note=note or "the trivial bound is the best one")
    return impossible(witness, note)


def zero(note: str = "the source leaves no difference between neighbours") -> Implication:
    """Perfect privacy: every level is 0."""
    return tight("0", {"P": ["1"], "Q": ["1"], "attained": True}, "identity", note=note)


def pair(p: Sequence[Part], q: Sequence[Part], attained: bool = True, note: str = "") -> dict[str, Any]:
    """A witness pair, in the parameters and the roots of the formula."""
    found: dict[str, Any] = {"P": [*p], "Q": [*q], "attained": attained}
    if note:
        found["note"] = note
    return found


def coins(p: Part, q: Part, attained: bool = True, note: str = "") -> dict[str, Any]:
    """Two coins with these probabilities of the first side.

    >>> coins("t", "0")["P"]
    ['t', Expr('1 - t')]
    """
    return pair([p, put("1 - p", p=p)], [q, put("1 - p", p=q)], attained, note)


def disjoint(weight: Part) -> dict[str, Any]:
    """Disjoint with probability ``weight``, equal otherwise."""
    equal = put("1 - w", w=weight)
    return pair([weight, equal, "0"], ["0", equal, weight])


def randomized_response(eps: Part, note: str = "", attained: bool = True) -> dict[str, Any]:
    """Binary randomized response at a level."""
    first, second = put("1/(1 + exp(-eps))", eps=eps), put("1/(1 + exp(eps))", eps=eps)
    return pair([first, second], [second, first], attained, note)
