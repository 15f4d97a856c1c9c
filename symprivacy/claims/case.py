"""One case of an implication: two guarantees over a box, and how a box is cut where formulas change.

A case has variables of its own. ``names`` says what the variables of the statement are in them, so that a point of the
case can be told to a reader.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from symprivacy.claims.guarantees import Wanted
from symprivacy.claims.pairs import spreads
from symprivacy.errors import SymPrivacyError
from symprivacy.implications import convert
from symprivacy.implications.implication import Implication as Conversion
from symprivacy.implications.parameters import CONVERTIBLE, DIAMETER
from symprivacy.implications.status import Status as Known
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Box, Range
from symprivacy.kernel.expr import Expr, substitute
from symprivacy.language.bridge import from_sympy, to_sympy
from symprivacy.search.verdict import Status, decide

Point = Mapping[str, Expr]
Certificate = Mapping[str, Any]
_DIGITS = 12
# Steps of the search for a side condition; they are simple ones.
SIDE_STEPS = 200_000
_UNIT = Range(x.ZERO, x.ONE, True, True)


def certain(lhs: Expr, rel: str, rhs: Expr, box: Box) -> Certificate | None:
    """The certificate of a side condition on a box; None where it is not proved with few steps.

    >>> from symprivacy.language.text import parse
    >>> certain(parse("t"), ">=", x.ZERO, {"t": _UNIT}) is None, certain(x.ONE, "<", x.ZERO, {}) is None
    (False, True)
    """
    found = decide(lhs, rel, rhs, dict(box), steps=SIDE_STEPS)
    return found.certificate if found.status is Status.PROVED else None


@dataclass(frozen=True)
class Case:
    """``premise => conclusion`` on a box."""

    premise: Wanted
    conclusion: Wanted
    box: Box
    whole: frozenset[str] = frozenset()
    options: Mapping[str, object] = field(default_factory=dict, compare=False)
    #: the variables of the statement that are not variables of the case
    names: Mapping[str, Expr] = field(default_factory=dict, compare=False)
    #: the variables of the case that are not in the statement
    new: frozenset[str] = frozenset()

    def put(self, name: str, value: Expr, span: Mapping[str, Range]) -> Case:
        """An expression for a variable, with the ranges of the variables in it that are new."""
        mapping = {name: value}
        box = {n: r for n, r in self.box.items() if n != name} | dict(span)
        names = {n: substitute(e, mapping) for n, e in self.names.items()}
        if name not in self.new:
            names = {**names, name: value}
        premise, conclusion = self.premise.at(mapping), self.conclusion.at(mapping)
        return replace(self, premise=premise, conclusion=conclusion, box=box, names=names, new=self.new | set(span))

    def told(self, point: Point) -> dict[str, Expr]:
        """A point of the case in the variables of the statement."""
        own = {name: value for name, value in point.items() if name not in self.new}
        return own | {name: substitute(e, dict(point)) for name, e in self.names.items()}

    def fresh(self) -> str:
        """A name for a new variable of the case."""
        taken = {*self.box, *self.names}
        return next(name for k in range(100) if (name := f"u{k}") not in taken)


def parameters(premise: Wanted, conclusion: Wanted) -> dict[str, Expr] | None:
    """The parameters in the names of ``convert``; None where it does not know the notions."""
    if premise.notion.key not in CONVERTIBLE or conclusion.notion.key not in CONVERTIBLE:
        return None
    values = dict(premise.named)
    asked = conclusion.notion.asked
    if asked is not None and asked != DIAMETER:
        (values[asked],) = (value for name, value in conclusion.named.items() if name != conclusion.judged)
    if spreads(premise.notion, conclusion.notion):
        values[DIAMETER] = x.var(DIAMETER)
    return values


def tight_at(premise: Wanted, conclusion: Wanted, point: Point = {}) -> Conversion | None:  # noqa: B006
    """The best level of the conclusion's notion at a point; None where it is not known.

    >>> from symprivacy.claims.guarantees import guarantee
    >>> tight_at(guarantee("KL(1)"), guarantee("TV(1)")).hi
    '0.64791822903'
    """
    values = parameters(premise, conclusion)
    if values is None:
        return None
    at = {name: substitute(value, dict(point)) for name, value in values.items()}
    if any(value.variables for value in at.values()):
        return None
    try:
        found = convert(premise.notion.key, at, conclusion.notion.key, _DIGITS)
    except SymPrivacyError:
        return None
    return None if found.value is None or found.status is Known.UNKNOWN else found


def ends(case: Case) -> list[Case] | None:
    """The case without one closed end of a range, and at that end; None where all are open or of whole numbers."""
    for name, r in case.box.items():
        if name in case.whole or name == DIAMETER:
            continue
        if r.is_point():
            assert r.lo is not None
            return [case.put(name, r.lo, {})]
        if r.lo is not None and not r.lo_open:
            return [replace(case, box={**case.box, name: replace(r, lo_open=True)}), case.put(name, r.lo, {})]
        if r.hi is not None and not r.hi_open:
            return [replace(case, box={**case.box, name: replace(r, hi_open=True)}), case.put(name, r.hi, {})]
    return None


def cut(case: Case, left: Expr, right: Expr) -> list[Case] | None:
    """The cases left < right, left = right and left > right, each over a box again; None where that is not found."""
    for name, edge in _edges(left, right):
        r = case.box.get(name)
        if r is None or r.lo is None or name in case.whole or name == DIAMETER or name in edge.variables:
            continue
        inside = [(edge, ">", r.lo)] + ([] if r.hi is None else [(edge, "<", r.hi)])
        if any(certain(*goal, case.box) is None for goal in inside):
            continue
        new = case.fresh()
        share = x.var(new)
        below = x.add(r.lo, x.mul(x.sub(edge, r.lo), share))
        found = [
            case.put(name, below, {new: replace(_UNIT, lo_open=r.lo_open)}),
            case.put(name, edge, {}),
        ]
        if r.hi is None:
            return [*found, case.put(name, x.add(edge, share), {new: Range(x.ZERO, None, True, True)})]
        above = x.add(edge, x.mul(x.sub(r.hi, edge), share))
        return [*found, case.put(name, above, {new: replace(_UNIT, hi_open=r.hi_open)})]
    return None


def _edges(left: Expr, right: Expr) -> Iterator[tuple[str, Expr]]:
    """Variables with the value at which both sides are equal."""
    for one, other in ((left, right), (right, left)):
        if one.op == "var":
            yield str(one.value), other
        if one.op == "exp" and one.args[0].op == "var":
            yield str(one.args[0].value), x.log(other)
    from sympy import Symbol

    gap = to_sympy(x.sub(left, right))
    for symbol in sorted(gap.free_symbols, key=str):
        if isinstance(symbol, Symbol) and gap.is_polynomial(symbol):
            poly = gap.as_poly(symbol)
            if poly is not None and poly.degree() == 1:
                a, b = poly.all_coeffs()
                try:
                    yield symbol.name, from_sympy(-b / a)
                except SymPrivacyError:
                    continue
