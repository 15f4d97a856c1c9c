"""Derivatives, what an expression needs to be defined and smooth, and limits at infinity."""

from __future__ import annotations

from collections.abc import Mapping

from symprivacy.arb import functions as f
from symprivacy.arb import span as s
from symprivacy.arb import tree as t
from symprivacy.arb.span import INF, NINF, Span
from symprivacy.arb.tree import HALF, MINUS, ONE, TWO, ZERO, Node
from symprivacy.errors import CertificateError, NoInformation

# What has a value wherever its arguments have one; a power with a whole exponent from 0 on is one of them.
_EVERYWHERE = frozenset(("number", "name", "pi", "+", "*", "**", "exp", "sinh", "cosh", "tanh", "asinh", "erf", "erfc",
                         "Abs", "Min", "Max"))  # fmt: skip


def derivative(e: Node, name: str) -> Node:
    """The derivative, valid where the expression is smooth (see :func:`needs`).

    >>> from symprivacy.arb.reader import read
    >>> derivative(read(["^", "x", 2], frozenset("x")), "x")
    (2 * x)
    """
    done: dict[Node, Node] = {}
    for n in t.parts(e):
        done[n] = ZERO if name not in n.names else ONE if n.op == "name" else _rule(n, [done[a] for a in n.args])
    return done[e]


def _scaled(slope: Node, *factors: Node) -> Node:
    # The factors have values where the expression is smooth, so a zero slope leaves nothing of them.
    return ZERO if slope is ZERO else t.times(*factors, slope)


def _rule(n: Node, slopes: list[Node]) -> Node:
    if n.op == "+":
        return t.total(*slopes)
    if n.op == "*":
        others = [(n.args[:i], n.args[i + 1 :]) for i in range(len(n.args))]
        terms = [t.times(d, *a, *b) for d, (a, b) in zip(slopes, others, strict=True) if d is not ZERO]
        return t.total(*terms)
    u = n.args[0]
    if n.op == "**":
        exponent = n.args[1]
        if slopes[1] is ZERO:
            return ZERO if slopes[0] is ZERO else _power_rule(u, exponent, slopes[0])
        inner = _scaled(slopes[0], exponent, t.power(u, MINUS))
        return t.times(n, t.total(t.times(slopes[1], t.log(u)), inner))
    if n.op not in f.FUNCTIONS:
        raise CertificateError(f"{n.op} has no derivative everywhere")
    return _scaled(slopes[0], _outer(n, u))


def _power_rule(u: Node, exponent: Node, slope: Node) -> Node:
    # u**0 is 1 wherever u has a value, where u is 0 as well: the line below would divide by u there.
    if t.is_number(exponent) and exponent.value == 0:
        return ZERO
    return t.times(exponent, t.power(u, t.total(exponent, MINUS)), slope)


def _outer(n: Node, u: Node) -> Node:
    """The derivative of a function at its argument."""
    square = t.power(u, TWO)
    root = t.power(t.PI, t.minus(HALF))
    match n.op:
        case "exp":
            return n
        case "log":
            return t.power(u, MINUS)
        case "sinh" | "cosh":
            return t.node("cosh" if n.op == "sinh" else "sinh", u)
        case "tanh":
            return t.difference(ONE, t.power(n, TWO))
        case "asinh" | "acosh":
            return t.power(t.total(square, ONE if n.op == "asinh" else MINUS), t.minus(HALF))
        case "atanh":
            return t.power(t.difference(ONE, square), MINUS)
        case "erf" | "erfc":
            bell = t.times(TWO, root, t.exp(t.minus(square)))
            return bell if n.op == "erf" else t.minus(bell)
        case "erfinv":
            # One over the derivative of erf at the value.
            return t.times(t.exp(t.power(n, TWO)), t.power(t.times(TWO, root), MINUS))
    raise CertificateError(f"no rule for the derivative of {n.op}")


def needs(e: Node, smooth: bool = False) -> list[tuple[Node, str]]:
    """Pairs (u, ``"> 0"``, ``">= 0"`` or ``"!= 0"``) that together give the expression a value (all derivatives).

    >>> from symprivacy.arb.reader import read
    >>> needs(read(["log", "x"], frozenset("x")))
    [(x, '> 0')]
    """
    found: dict[tuple[Node, str], None] = {}
    for n in t.parts(e):
        if n.op == "Piecewise" or (smooth and n.op in t.BENT):
            raise CertificateError(f"the cases of {n.op} have to be told apart first")
        match n.op:
            case "**" if n.args[1].op != "number":
                found[n.args[0], "> 0"] = None
            case "**" if n.args[1].value.denominator != 1:
                found[n.args[0], "> 0" if smooth or n.args[1].value < 0 else ">= 0"] = None
            case "**" if n.args[1].value < 0:
                found[n.args[0], "!= 0"] = None
            case "log":
                found[n.args[0], "> 0"] = None
            case "acosh":
                found[t.total(n.args[0], MINUS), "> 0" if smooth else ">= 0"] = None
            case "atanh" | "erfinv":
                found[t.difference(ONE, n.args[0]), "> 0"] = None
                found[t.total(ONE, n.args[0]), "> 0"] = None
            case op if op not in _EVERYWHERE:
                raise CertificateError(f"no rule says where {op} has a value")
    return [(u, need) for u, need in found if not (u.op == "number" and _met(u.value, need))]


def _met(value: object, need: str) -> bool:
    return bool({"> 0": value > 0, ">= 0": value >= 0, "!= 0": value != 0}[need])  # type: ignore[operator]


def limits(e: Node, name: str, upwards: bool, box: Mapping[str, Span]) -> Span:
    """Ends (possibly infinite) between which all limit points lie as one variable goes to infinity."""
    end = INF if upwards else NINF
    values: dict[Node, Span] = {}
    for n in t.parts(e):
        v = (end, end, False, False) if n is t.name(name) else _limit(n, [values[a] for a in n.args], box)
        # A limit may be reached or not: no end is known to be left out.
        values[n] = (v[0], v[1], False, False)
    return values[e]


def _limit(n: Node, args: list[Span], box: Mapping[str, Span]) -> Span:
    match n.op:
        case "number":
            return s.rational(n.value)
        case "name":
            return box[n.value]
        case "pi":
            return f.pi()
        case "+" | "*":
            result = args[0]
            for v in args[1:]:
                result = _sum(result, v) if n.op == "+" else _product(result, v)
            return result
        case "**" if n.args[1].op == "number":
            return f.rational_power(args[0], n.args[1].value)
        case "**":
            return f.exp(_product(args[1], f.log(args[0])))
        case op if op in f.FUNCTIONS:
            return f.FUNCTIONS[op](args[0])
    raise NoInformation(f"no rule for the limit of {n.op}")


def _sum(a: Span, b: Span) -> Span:
    for u, v in ((a, b), (b, a)):
        if u[1] == INF and v[0] == NINF:
            raise NoInformation("oo - oo says nothing")
    return s.add(a, b)


def _product(a: Span, b: Span) -> Span:
    for u, v in ((a, b), (b, a)):
        if u[0] <= 0 <= u[1] and not s.bounded(v):
            raise NoInformation("0*oo says nothing")
    return s.multiply(a, b)
