"""Sign charts read anew: cells that cover a range one after the other, each with what f = lhs - rhs does on it."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from symprivacy.arb import tree as t
from symprivacy.arb.calculus import derivative, needs
from symprivacy.arb.domain import demand, read_range
from symprivacy.arb.enclose import constant_sign, require_value
from symprivacy.arb.goal import Goal, cases, compared
from symprivacy.arb.identities import equal
from symprivacy.arb.reader import is_variable, read
from symprivacy.arb.rules import defined, prove
from symprivacy.arb.tree import Node
from symprivacy.errors import CertificateError, NoInformation

FORMAT = "symprivacy-chart/2"
MAX_ORDER = 60
Cell = Mapping[str, Any]


def check_chart(certificate: Mapping[str, Any]) -> None:
    """Raise unless every cell of a chart is proved and the cells cover its range."""
    name = certificate["var"]
    demand(is_variable(name), f"{str(name)[:40]} cannot be a variable")
    f = t.difference(read(certificate["lhs"], frozenset([name])), read(certificate["rhs"], frozenset([name])))
    r = read_range(certificate["domain"])
    _cover(Goal(f, True, {name: r}), name, certificate["cells"])


def _cover(goal: Goal, name: str, cells: Any) -> None:
    demand(isinstance(cells, list) and bool(cells), "no cells")
    r, ranges = goal.box[name], [read_range(cell["interval"]) for cell in cells]
    first, last = ranges[0], ranges[-1]
    demand(first.lo is r.lo and first.lo_open == r.lo_open, f"the first cell is {first}, the range {r}")
    demand(last.hi is r.hi and last.hi_open == r.hi_open, f"the last cell is {last}, the range {r}")
    for a, b in pairwise(ranges):
        # Each cell has a point, so cells that share an end follow one another; the end belongs to one of them.
        demand(a.hi is not None and a.hi is b.lo and a.hi_open is not b.lo_open, f"{a} and {b} do not meet")
    for cell, own in zip(cells, ranges, strict=True):
        _cell(goal.where(name, own), name, cell)


def _cell(goal: Goal, name: str, cell: Cell) -> None:
    match cell["kind"]:
        case "sign":
            prove(_signed(goal, goal.expr, _one_or_minus(cell["sign"])), cell["proof"])
        case "zero":
            _vanishes_everywhere(goal, goal.expr, cell["proofs"])
        case "root":
            _root(goal, name, cell)
        case "undefined":
            _undefined(goal, cell)
        case "branch":
            _branch(goal, name, cell)
        case "unknown":
            pass
        case kind:
            raise CertificateError(f"unknown kind of cell {str(kind)[:40]}")


def _one_or_minus(value: Any) -> int:
    demand(type(value) is int and value in (1, -1), "a sign is 1 or -1")
    return int(value)


def _signed(goal: Goal, e: Node, sign: int, strict: bool = True) -> Goal:
    return goal.show(e if sign == 1 else t.minus(e), strict)


def _vanishes_everywhere(goal: Goal, e: Node, proofs: Any) -> None:
    for sign, proof in zip((1, -1), proofs, strict=True):
        prove(_signed(goal, e, sign, strict=False), proof)


def _root(goal: Goal, name: str, cell: Cell) -> None:
    """f = h*g**k, h of one sign; g has exactly one zero because a derivative of it has one sign.

    Either g and its derivatives below that one vanish at an exact point (Taylor's theorem), or the first derivative
    has one sign and g has opposite signs at two points of the cell.
    """
    r = goal.box[name]
    demand(r.order() == 1, "a cell with a root is not a point")
    g, k, order, slope = read(cell["factor"], goal.names), cell["power"], cell["order"], _one_or_minus(cell["slope"])
    demand(type(k) is int and k >= 1, "the power of a factor is at least 1")
    demand(type(order) is int and 1 <= order <= MAX_ORDER, "the order of a root is at least 1")
    _cofactor(goal, g, k, cell)
    if g.op == "Abs":
        g = g.args[0]
    defined(goal, g, cell.get("smooth"), smooth=True)
    derivatives = [g]
    for _ in range(order):
        derivatives.append(derivative(derivatives[-1], name))
    prove(_signed(goal, derivatives[order], slope), cell["proof"])
    if "at" in cell:
        at = require_value(read(cell["at"]))
        demand(r.holds(at), f"{at} is not seen to lie in {r}")
        rewrites = cell.get("vanishing", [None] * order)
        for d, known in zip(derivatives[:order], rewrites, strict=True):
            demand(_is_zero(t.put(d, {name: at}), known), f"{d} is not seen to vanish at {at}")
        return
    demand(order == 1, "a root of higher order has to be given exactly")
    for end, sign in ((cell["lo"], -slope), (cell["hi"], slope)):
        at = require_value(read(end))
        demand(t.is_number(at) and r.holds(at), f"{at} is no rational number that is seen to lie in {r}")
        demand(constant_sign(t.put(g, {name: at})) == sign, f"the factor has not the sign {sign} at {at}")


def _cofactor(goal: Goal, g: Node, k: int, cell: Cell) -> None:
    if "cofactor" not in cell:
        demand(k == 1 and g is goal.expr, "a factor that is not the function needs a cofactor")
        return
    h, sign = read(cell["cofactor"], goal.names), _one_or_minus(cell["cofactor_sign"])
    defined(goal, goal.expr, cell.get("defined"))
    product = t.times(h, t.power(g, t.number(k)))
    demand(equal(goal.expr, product, goal.box, cell.get("rewrites")), f"{goal.expr} is not seen to be {product}")
    if g.op != "Abs":
        defined(goal, h, cell.get("cofactor_smooth"), smooth=True)
    prove(_signed(goal, h, sign), cell["cofactor_proof"])


def _is_zero(e: Node, rewrites: Any) -> bool:
    sign = constant_sign(e, 300)
    return sign == 0 or (sign is None and equal(e, t.ZERO, {}, rewrites))


def _undefined(goal: Goal, cell: Cell) -> None:
    """Some part of f has no value anywhere in the cell: a need of f fails everywhere. Any need will do."""
    # A power with a variable exponent has values outside its need u > 0 too.
    loose = {n.args[0] for n in t.parts(goal.expr) if n.op == "**" and not t.is_number(n.args[1])}
    wanted = [(u, need) for u, need in needs(goal.expr) if u not in loose]
    demand(any(_fails(goal, u, need, cell["proofs"]) for u, need in wanted), "no need of the function fails")


def _fails(goal: Goal, u: Node, need: str, proofs: Any) -> bool:
    try:
        if need == "!= 0":
            _vanishes_everywhere(goal, u, proofs)
        else:
            (proof,) = proofs
            prove(_signed(goal, u, -1, strict=need == ">= 0"), proof)
    except (CertificateError, NoInformation, ValueError):
        return False
    return True


def _branch(goal: Goal, name: str, cell: Cell) -> None:
    """One case of an Abs, Min, Max or Piecewise applies all over the cell."""
    part = read(cell["of"], goal.names)
    demand(any(n is part for n in t.parts(goal.expr)), f"{part} is no part of the function")
    for side, proofs in zip(compared(part), cell["defined"], strict=True):
        defined(goal, side, proofs)
    k, options = cell["case"], cases(part)
    demand(type(k) is int and 0 <= k < len(options), "no such case")
    value, conditions = options[k]
    if value is None:
        raise CertificateError("the function has no value in this case")
    for (u, strict), proof in zip(conditions, cell["proofs"], strict=True):
        prove(goal.show(u, strict), proof)
    _cover(goal.show(t.swap(goal.expr, part, value), True), name, cell["cells"])
