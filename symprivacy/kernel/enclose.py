"""Enclosures of expressions over boxes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from mpmath.libmp import mpf_cmp

from symprivacy.errors import NoInformation, UnsupportedError
from symprivacy.kernel import functions as fn
from symprivacy.kernel import interval as iv
from symprivacy.kernel.expr import Expr, rational, subexpressions
from symprivacy.kernel.interval import Interval

FUNCTIONS: dict[str, Callable[[Interval, int], Interval]] = {
    "exp": fn.exp,
    "log": fn.log,
    "sinh": fn.sinh,
    "cosh": fn.cosh,
    "tanh": fn.tanh,
    "asinh": fn.asinh,
    "acosh": fn.acosh,
    "atanh": fn.atanh,
    "erf": fn.erf,
    "erfc": fn.erfc,
    "erfinv": fn.erfinv,
}


def enclose(e: Expr, box: Mapping[str, Interval], prec: int = 53) -> Interval:
    """An interval that contains every value of the expression on the box.

    Raises :class:`NoInformation` where the expression may be undefined somewhere on the box; a Piecewise
    only needs the branches that its conditions may choose.

    >>> from symprivacy.kernel.text import parse
    >>> iv.to_text(enclose(parse("x*(1 - x)"), {"x": iv.from_fraction(Fraction(1, 2), 53)}))
    '[0.25, 0.25]'
    """
    result = _evaluate(e, box, prec)
    if isinstance(result, NoInformation):
        raise result
    if result is None or isinstance(result, bool):
        raise UnsupportedError("a condition has a truth value, not an enclosure")
    return result


def _evaluate(e: Expr, box: Mapping[str, Interval], prec: int) -> Interval | NoInformation | bool | None:
    """Node by node; what has no enclosure is kept as the reason, since a Piecewise may not need it."""
    values: dict[Expr, Interval | NoInformation | bool | None] = {}
    for node in evaluation_order(e):
        try:
            values[node] = _value(node, values, box, prec)
        except NoInformation as missing:
            values[node] = missing
    return values[e]


def truth(condition: Expr, box: Mapping[str, Interval], prec: int = 53) -> bool | None:
    """Whether a condition holds on the whole box, on none of it, or (None) perhaps on a part."""
    result = _evaluate(condition, box, prec)
    return result if isinstance(result, bool) else None


def evaluation_order(e: Expr) -> list[Expr]:
    """Every node once, arguments first; remembered, since it is walked for every box."""
    memo = e.memo()
    if "order" not in memo:
        # The last entry would be a reference to itself; leave it to the caller's list.
        memo["order"] = [n for n in subexpressions(e) if n is not e]
    return [*memo["order"], e]


def _value(
    node: Expr,
    values: dict[Expr, Interval | NoInformation | bool | None],
    box: Mapping[str, Interval],
    prec: int,
) -> Interval | bool | None:
    op = node.op
    if op == "num":
        memo, key = node.memo(), f"at {prec} bits"
        if key not in memo:
            memo[key] = iv.from_fraction(rational(node), prec)
        known: Interval = memo[key]
        return known
    if op == "var":
        if node.value not in box:
            raise UnsupportedError(f"no range given for the variable {node.value}")
        return box[str(node.value)]
    if op == "pi":
        return fn.pi(prec)
    if op in ("true", "false"):
        return op == "true"
    if op in ("and", "or", "not"):
        for a in node.args:
            v = values[a]
            if isinstance(v, NoInformation):
                raise v
        return _junction(op, [_known(values[a]) for a in node.args])
    if op == "piecewise":
        return _piecewise(node, values)
    args: list[Interval] = []
    for a in node.args:
        v = values[a]
        if isinstance(v, NoInformation):
            raise v
        if v is None or isinstance(v, bool):
            raise UnsupportedError("a condition cannot stand inside an expression")
        args.append(v)
    if op == "+":
        total = args[0]
        for v in args[1:]:
            total = iv.add(total, v, prec)
        return total
    if op == "*":
        product = args[0]
        for v in args[1:]:
            product = iv.mul(product, v, prec)
        return product
    if op == "^":
        exponent = node.args[1]
        if exponent.op == "num":
            return fn.power_rational(args[0], rational(exponent), prec)
        return fn.power(args[0], args[1], prec)
    if op == "abs":
        return iv.absolute(args[0])
    if op in ("min", "max"):
        combine = iv.minimum if op == "min" else iv.maximum
        result = args[0]
        for v in args[1:]:
            result = combine(result, v)
        return result
    if op in ("<", "<="):
        left, right = node.args
        if left is right:
            return op == "<="
        if left.op == "num" and right.op == "num":
            gap = rational(right) - rational(left)
            return gap > 0 or (op == "<=" and gap == 0)
        return _compare(op, args[0], args[1])
    if op not in FUNCTIONS:
        raise UnsupportedError(f"{op} cannot be enclosed")
    return FUNCTIONS[op](args[0], prec)


def _known(v: Interval | NoInformation | bool | None) -> bool | None:
    return v if isinstance(v, bool) else None


def _junction(op: str, parts: list[bool | None]) -> bool | None:
    if op == "not":
        return None if parts[0] is None else not parts[0]
    decisive = op == "or"
    if decisive in parts:
        return decisive
    return None if None in parts else not decisive


def _compare(op: str, left: Interval, right: Interval) -> bool | None:
    # left < right everywhere, or nowhere; equality of end points is settled by which of them are taken.
    c = mpf_cmp(left[1], right[0])
    apart = left[3] or right[2]
    if c < 0 or (c == 0 and (op == "<=" or apart)):
        return True
    c = mpf_cmp(left[0], right[1])
    apart = left[2] or right[3]
    if c > 0 or (c == 0 and (op == "<" or apart)):
        return False
    return None


def _piecewise(node: Expr, values: dict[Expr, Interval | NoInformation | bool | None]) -> Interval:
    result: Interval | None = None
    for value, condition in zip(node.args[::2], node.args[1::2], strict=True):
        holds = values[condition]
        if isinstance(holds, NoInformation):
            raise holds
        if holds is False:
            continue
        v = values[value]
        if isinstance(v, NoInformation):
            raise v
        if v is None or isinstance(v, bool):
            raise UnsupportedError("a condition cannot stand inside an expression")
        result = v if result is None else iv.hull(result, v)
        if holds is True:
            return result
    raise NoInformation("no branch of the Piecewise is certain to apply")


def enclose_constant(e: Expr, prec: int = 53) -> Interval:
    """The enclosure of an expression without variables."""
    return enclose(e, {}, prec)


def constant_sign(e: Expr, limit: int = 2000) -> int | None:
    """The sign of a constant, by enclosing it ever more finely; None if it looks like zero."""
    if e.op == "num":
        q: Fraction = rational(e)
        return (q > 0) - (q < 0)
    prec = 64
    while prec <= limit:
        v = enclose_constant(e, prec)
        sign = iv.sign_known(v)
        if sign:
            return sign
        if v == iv.ZERO:
            return 0
        prec *= 4
    return None
