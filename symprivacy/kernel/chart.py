"""Sign charts: on which parts of a range a function of one variable is positive, negative or zero.

A *chart certificate* is plain JSON: ``lhs``, ``rhs``, a variable, its range, and *cells* that cover the range
one after the other. For ``f = lhs - rhs`` a cell says one of these, and carries the proof:

``sign``       f has one strict sign on the cell
``root``       f has exactly one root in the cell, of a stated multiplicity
``zero``       f is 0 all over the cell (which may be a single point)
``undefined``  f has no real value anywhere in the cell
``branch``     an Abs, Min, Max or Piecewise inside f takes one of its cases all over the cell; the cell is
               covered by further cells for f with that case put in
``unknown``    nothing is claimed

A root cell writes ``f = h * g**k`` with h of one strict sign and g smooth, and shows that a derivative
``g^(m)`` has one strict sign on the cell. If ``g, g', ..., g^(m-1)`` vanish at an exact point c of the cell, then
``g(x) = g^(m)(z) (x-c)**m / m!`` by Taylor's theorem, so c is the only root of f there and has multiplicity
``k*m``. For ``m = 1`` it is enough, instead of c, to have two numbers of the cell where g has opposite signs. With
``abs(g)`` in place of g the root is the same, and has no multiplicity.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

from symprivacy.errors import CertificateError
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Range, contains, range_from_data
from symprivacy.kernel.calculus import diff, requirements
from symprivacy.kernel.checker import refusing
from symprivacy.kernel.data import from_data, is_name, require
from symprivacy.kernel.enclose import constant_sign
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.identities import equal
from symprivacy.kernel.rules import Goal, Identity, cases, check_goal, conditions_of, requirement_goals, settle

FORMAT = "symprivacy-chart/2"
MAX_ORDER = 60
Data = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Cell:
    """What has been verified on one part of the range.

    ``left`` and ``right`` are the signs of f there; around a root they are the signs before and after it. A root is
    ``exact``, or lies strictly between ``lo`` and ``hi`` where ``monotone`` has opposite signs.
    """

    kind: str
    range: Range
    left: int = 0
    right: int = 0
    multiplicity: int | None = None
    exact: Expr | None = None
    lo: Fraction | None = None
    hi: Fraction | None = None
    monotone: Expr | None = None


def check_chart(certificate: Data) -> tuple[Cell, ...]:
    """Verify a chart certificate; returns what it has shown, from left to right, or raises.

    >>> cell = {"kind": "root", "interval": [0, 1, False, False], "factor": ["+", "x", ["/", -1, 2]], "power": 1,
    ...         "order": 1, "slope": 1, "at": ["/", 1, 2], "proof": {"by": "box"}}
    >>> chart = {"format": FORMAT, "lhs": "x", "rhs": ["/", 1, 2], "var": "x", "domain": [0, 1, False, False]}
    >>> check_chart({**chart, "cells": [cell]})[0].exact
    Expr('1/2')
    >>> check_chart({**chart, "cells": [{**cell, "at": ["/", 1, 3]}]})
    Traceback (most recent call last):
      ...
    symprivacy.errors.CertificateError: derivative 0 of the factor is not shown to vanish at Expr('1/3')
    """
    if not isinstance(certificate, Mapping) or certificate.get("format") != FORMAT:
        raise CertificateError(f"not a chart certificate: expected an object with format {FORMAT!r}")
    return refusing(lambda: _check(certificate))


def _check(certificate: Data) -> tuple[Cell, ...]:
    name = certificate["var"]
    require(is_name(name), f"{name!r} is not a variable")
    names = frozenset([name])
    f = x.sub(from_data(certificate["lhs"], names), from_data(certificate["rhs"], names))
    r = range_from_data(certificate["domain"])
    return tuple(_cover(f, name, r, certificate["cells"], r))


def _cover(f: Expr, name: str, r: Range, cells: Any, domain: Range) -> Iterator[Cell]:
    """The cells, each verified, after it is seen that they follow one another from end to end of the range."""
    require(isinstance(cells, list) and bool(cells), "no cells")
    ranges = [range_from_data(c["interval"]) for c in cells]
    first, last = ranges[0], ranges[-1]
    require((first.lo, first.lo_open) == (r.lo, r.lo_open), f"the cells begin at {first}, the range is {r}")
    require((last.hi, last.hi_open) == (r.hi, r.hi_open), f"the cells end at {last}, the range is {r}")
    for a, b in pairwise(ranges):
        # No cell is empty, so cells that meet end to end are in order and leave nothing out.
        require(a.hi is not None and a.hi is b.lo and a.hi_open != b.lo_open, f"{a} and {b} do not meet")
    for cell, part in zip(cells, ranges, strict=True):
        yield from _check_cell(f, name, part, cell, domain)


def _check_cell(f: Expr, name: str, r: Range, cell: Data, domain: Range) -> Iterator[Cell]:
    goal = Goal(f, True, {name: r})
    match cell["kind"]:
        case "sign":
            sign = _sign(cell["sign"])
            check_goal(_signed(goal, f, sign), cell["proof"])
            yield Cell("sign", r, sign, sign)
        case "zero":
            for sign, proof in zip((1, -1), cell["proofs"], strict=True):
                check_goal(_signed(goal, f, sign, strict=False), proof)
            yield Cell("zero", r, exact=r.lo if r.is_point() else None)
        case "root":
            yield _root(goal, name, r, cell)
        case "undefined":
            _check_undefined(goal, cell)
            yield Cell("undefined", r)
        case "branch":
            yield from _branch(goal, name, r, cell, domain)
        case "unknown":
            yield Cell("unknown", r)
        case kind:
            raise CertificateError(f"unknown kind of cell {kind!r}")


def _sign(value: Any) -> int:
    require(value in (1, -1) and isinstance(value, int), f"a sign is 1 or -1, got {value!r}")
    return int(value)


def _signed(goal: Goal, e: Expr, sign: int, strict: bool = True) -> Goal:
    return Goal(e if sign == 1 else x.neg(e), strict, goal.box)


def _root(goal: Goal, name: str, r: Range, cell: Data) -> Cell:
    require(r.lo is None or r.hi is None or constant_sign(x.sub(r.hi, r.lo)) == 1, "a root cell is not a point")
    names = frozenset([name])
    g, k, order, slope = from_data(cell["factor"], names), cell["power"], cell["order"], _sign(cell["slope"])
    require(type(k) is int and k >= 1, f"the power is at least 1, got {k!r}")
    require(type(order) is int and 1 <= order <= MAX_ORDER, f"the order is at least 1, got {order!r}")
    side = _cofactor(goal, g, k, cell)
    folded = g.op == "abs"
    if folded:
        (g,) = g.args
    settle(requirement_goals(goal, g, cell.get("smooth"), smooth=True))
    derivatives = [g]
    for _ in range(order):
        derivatives.append(diff(derivatives[-1], name))
    check_goal(_signed(goal, derivatives[-1], slope), cell["proof"])
    right = side * slope**k
    left = right * (-1) ** (k * order)
    multiplicity: int | None = k * order
    if folded:
        left, right, multiplicity = side, side, None
    if "at" in cell:
        c = from_data(cell["at"], frozenset())
        require(contains(r, c), f"{c!r} is not shown to lie in {r}")
        rewrites = cell.get("vanishing", [None] * order)
        for j, (d, known) in enumerate(zip(derivatives[:-1], rewrites, strict=True)):
            zero = _vanishes(x.substitute(d, {name: c}), known)
            require(zero, f"derivative {j} of the factor is not shown to vanish at {c!r}")
        return Cell("root", r, left, right, multiplicity, exact=c, monotone=g if order == 1 else None)
    require(order == 1, "a root of higher order needs its exact value")
    lo, hi = (from_data(cell[key], frozenset()) for key in ("lo", "hi"))
    for end, sign in ((lo, -slope), (hi, slope)):
        require(contains(r, end), f"{end!r} is not shown to lie in {r}")
        seen = constant_sign(x.substitute(g, {name: end}))
        require(seen == sign, f"the sign of the factor at {end!r} is not {sign}")
    return Cell("root", r, left, right, multiplicity, lo=x.rational(lo), hi=x.rational(hi), monotone=g)


def _cofactor(goal: Goal, g: Expr, k: int, cell: Data) -> int:
    """The sign of h in f = h * g**k; h is smooth, so that the multiplicity is that of g**k."""
    if "cofactor" not in cell:
        require(k == 1 and g is goal.expr, "without a cofactor the factor is the function itself")
        return 1
    h, sign = from_data(cell["cofactor"], frozenset(goal.box)), _sign(cell["cofactor_sign"])
    settle(requirement_goals(goal, goal.expr, cell.get("defined")))
    product = x.mul(h, x.power(g, x.num(k)))
    Identity(goal.expr, product, goal.box, cell, "the product is not the function").verify()
    if g.op != "abs":
        settle(requirement_goals(goal, h, cell.get("cofactor_smooth"), smooth=True))
    check_goal(_signed(goal, h, sign), cell["cofactor_proof"])
    return sign


def _vanishes(value: Expr, rewrites: Any) -> bool:
    # Its enclosures show that the number is defined, even if they do not tell its sign.
    sign = constant_sign(value, 300)
    return sign == 0 or (sign is None and equal(value, x.ZERO, {}, rewrites))


def _check_undefined(goal: Goal, cell: Data) -> None:
    u, need = requirements(goal.expr)[cell["requirement"]]
    # u**v with u <= 0 does have a value where v is a positive number or an integer.
    powers = (n for n in x.subexpressions(goal.expr) if n.op == "^" and not x.is_num(n.args[1]))
    require(all(n.args[0] is not u for n in powers), "the power may have a value")
    if need == "!= 0":
        for sign, proof in zip((1, -1), cell["proofs"], strict=True):
            check_goal(_signed(goal, u, sign, strict=False), proof)
    else:
        (proof,) = cell["proofs"]
        check_goal(_signed(goal, u, -1, strict=need == ">= 0"), proof)


def _branch(goal: Goal, name: str, r: Range, cell: Data, domain: Range) -> Iterator[Cell]:
    node = from_data(cell["of"], frozenset([name]))
    for c, proofs in zip(conditions_of(node), cell["defined"], strict=True):
        settle(requirement_goals(goal, c, proofs))
    case = list(cases(goal, node))[cell["case"]]
    require(_has_value(goal, name, node, cell["case"]), "the function has no such part or no value in this case")
    for (u, strict), proof in zip(case.given, cell["proofs"], strict=True):
        check_goal(Goal(u, strict, goal.box), proof)
    # At an end inside the domain f may have a kink although its case is smooth: a root there has no multiplicity.
    inside = Range(r.lo, r.hi, r.lo_open or r.lo is not domain.lo, r.hi_open or r.hi is not domain.hi)
    for found in _cover(case.expr, name, r, cell["cells"], domain):
        smooth = found.exact is None or contains(inside, found.exact)
        yield found if smooth else replace(found, multiplicity=None)


def _has_value(goal: Goal, name: str, node: Expr, index: int) -> bool:
    """Whether the node is in f and the case puts a value in its place, instead of saying that there is none."""
    mark = x.var(name + "_")
    marked = list(cases(Goal(x.add(goal.expr, mark), True, goal.box), node))[index].expr
    return node in x.subexpressions(goal.expr) and str(mark.value) in marked.variables
