"""Enclosures of expressions over boxes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, TypeAlias

from mpmath.libmp import finf, fninf, fzero, mpf_cmp

from symprivacy.errors import NoInformation, UnsupportedError
from symprivacy.kernel import functions as fn
from symprivacy.kernel import interval as iv
from symprivacy.kernel.expr import Expr, rational
from symprivacy.kernel.interval import Interval

_LOGICAL = frozenset(["and", "or", "not", "true", "false"])
Step: TypeAlias = tuple[str, list[int], Any]
# The value of a node: an enclosure, the reason why there is none, or whether a condition holds, None if not known.
Combine: TypeAlias = Callable[[Interval, Interval, int], Interval]
Value: TypeAlias = Interval | NoInformation | bool | None


def enclose(e: Expr, box: Mapping[str, Interval], prec: int = 53) -> Interval:
    """An interval that contains every value of the expression on the box.

    Raises :class:`NoInformation` where the expression may be undefined somewhere on the box; a Piecewise
    only needs the branches that its conditions may choose.

    >>> from symprivacy.language.text import parse
    >>> iv.to_text(enclose(parse("x*(1 - x)"), {"x": iv.from_fraction(Fraction(1, 2), 53)}))
    '[0.25, 0.25]'
    """
    result = _evaluate(e, box, prec)
    if type(result) is tuple:
        return result
    if isinstance(result, NoInformation):
        raise result
    raise UnsupportedError("a condition has a truth value, not an enclosure")


def _evaluate(e: Expr, box: Mapping[str, Interval], prec: int) -> Value:
    """Node by node; what has no enclosure is kept as the reason, since a Piecewise may not need it."""
    values: list[Value] = []
    for op, places, content in program(e):
        try:
            values.append(_value(op, [values[i] for i in places], content, box, prec))
        except NoInformation as missing:
            values.append(missing)
    return values[-1]


def truth(condition: Expr, box: Mapping[str, Interval], prec: int = 53) -> bool | None:
    """Whether a condition holds on the whole box, on none of it, or (None) perhaps on a part."""
    result = _evaluate(condition, box, prec)
    return result if isinstance(result, bool) else None


def program(e: Expr) -> list[Step]:
    """The nodes in order of evaluation: operation, places of the arguments in this list, and what the node holds.

    That is the node itself for a number, the name of a variable, the exponent of a power if it is a number, and the
    two sides of a comparison.

    >>> from symprivacy.language.text import parse
    >>> program(parse("x**2 + x"))
    [('var', [], 'x'), ('num', [], Expr('2')), ('^', [0, 1], Fraction(2, 1)), ('+', [2, 0], None)]
    """
    memo = e.memo()
    found: list[Step] | None = memo.get("program")
    if found is None:
        found = []
        _append(e, found, {})
        if e.args:
            # A number would hold itself for ever.
            memo["program"] = found
    return found


def _append(e: Expr, steps: list[Step], place: dict[Expr, int]) -> None:
    """Put an expression behind the steps it needs."""
    op, places = e.op, []
    content: Any = e.value
    for a in e.args:
        if a not in place:
            _append(a, steps, place)
        places.append(place[a])
    if op == "num":
        content = e
    elif op == "^" and e.args[1].op == "num":
        content = e.args[1].value
    elif op in ("<", "<="):
        content = e.args
    place[e] = len(steps)
    steps.append((op, places, content))


def _value(op: str, parts: list[Value], content: Any, box: Mapping[str, Interval], prec: int) -> Value:
    if op == "num":
        return number(content, prec)
    if op == "var":
        if content not in box:
            raise UnsupportedError(f"no range given for the variable {content}")
        return iv.rounded(box[content], prec)
    if op == "piecewise":
        return _piecewise(parts)
    if op in _LOGICAL:
        return _junction(op, parts)
    args: list[Interval] = []
    for v in parts:
        if type(v) is not tuple:
            if isinstance(v, NoInformation):
                raise v
            raise UnsupportedError("a condition cannot stand inside an expression")
        args.append(v)
    if op in ("<", "<="):
        return _compare(op, content, args)
    if op == "^":
        return fn.power(args[0], args[1], prec) if content is None else fn.power_rational(args[0], content, prec)
    if op == "abs":
        return iv.absolute(args[0])
    if op in ("min", "max"):
        combine = iv.minimum if op == "min" else iv.maximum
        result = args[0]
        for v in args[1:]:
            result = combine(result, v)
        return result
    return _arithmetic(op, args, prec, iv.add, iv.mul)


def _arithmetic(op: str, args: list[Interval], prec: int, add: Combine, mul: Combine) -> Interval:
    if op in ("+", "*"):
        combine, result = add if op == "+" else mul, args[0]
        for v in args[1:]:
            result = combine(result, v, prec)
        return result
    if op == "pi":
        return fn.pi(prec)
    if op in fn.FUNCTIONS:
        return fn.FUNCTIONS[op].enclose(args[0], prec)
    raise UnsupportedError(f"{op} cannot be enclosed")


def number(node: Expr, prec: int) -> Interval:
    """The enclosure of a number node; remembered, since it is the same for every box."""
    memo = node.memo()
    found: Interval | None = memo.get(prec)
    if found is None:
        found = memo[prec] = iv.from_fraction(rational(node), prec)
    return found


def _junction(op: str, parts: list[Value]) -> bool | None:
    for v in parts:
        if isinstance(v, NoInformation):
            raise v
    if op in ("true", "false"):
        return op == "true"
    known = [v if isinstance(v, bool) else None for v in parts]
    if op == "not":
        return None if known[0] is None else not known[0]
    decisive = op == "or"
    if decisive in known:
        return decisive
    return None if None in known else not decisive


def _compare(op: str, sides: tuple[Expr, Expr], args: list[Interval]) -> bool | None:
    if sides[0] is sides[1]:
        return op == "<="
    if sides[0].op == sides[1].op == "num":
        gap = rational(sides[1]) - rational(sides[0])
        return gap > 0 or (op == "<=" and gap == 0)
    left, right = args
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


def _piecewise(parts: list[Value]) -> Interval:
    result: Interval | None = None
    for v, holds in zip(parts[::2], parts[1::2], strict=True):
        if isinstance(holds, NoInformation):
            raise holds
        if holds is False:
            continue
        if isinstance(v, NoInformation):
            raise v
        if type(v) is not tuple:
            raise UnsupportedError("a condition cannot stand inside an expression")
        result = v if result is None else iv.hull(result, v)
        if holds is True:
            return result
    raise NoInformation("no branch of the Piecewise is certain to apply")


def enclose_constant(e: Expr, prec: int = 53) -> Interval:
    """The enclosure of an expression without variables."""
    return number(e, prec) if e.op == "num" else enclose(e, {}, prec)


def constant_sign(e: Expr, limit: int = 2000) -> int | None:
    """The sign of a constant, by enclosing it ever more finely; None if it looks like zero."""
    if e.op == "num":
        q: Fraction = rational(e)
        return (q > 0) - (q < 0)
    prec = 64
    while prec <= limit:
        try:
            v = enclose_constant(e, prec)
        except NoInformation:
            # Close to where there is no value it takes a finer look to see that there is one.
            if 4 * prec > limit:
                raise
            prec *= 4
            continue
        sign = iv.sign_known(v)
        if sign:
            return sign
        if v == iv.ZERO:
            return 0
        prec *= 4
    return None


def limit(e: Expr, name: str, at_hi: bool, box: Mapping[str, Interval], prec: int = 53) -> Interval:
    """An interval of extended reals that contains every limit point as the variable goes to oo (or -oo).

    The other variables are fixed anywhere in the box. The rules are those of limits: a function is continued to its
    limits at infinity, and what is undetermined, ``oo - oo`` or ``0 * oo``, is no information.

    >>> from symprivacy.language.text import parse
    >>> iv.to_text(limit(parse("1/x - log(1 + 1/x)"), "x", True, {}))
    '[0.0, 0.0]'
    """
    end = finf if at_hi else fninf
    values: list[Interval] = []
    for op, places, content in program(e):
        args = [values[i] for i in places]
        if op == "num":
            value = number(content, prec)
        elif op == "var":
            value = (end, end, False, False) if content == name else box[content]
        elif op == "^" and content is not None:
            value = fn.power_rational(args[0], content, prec)
        elif op == "^":
            value = fn.exp(_limit_product(args[1], fn.log(args[0], prec), prec), prec)
        elif op in ("+", "*", "pi") or op in fn.FUNCTIONS:
            value = _arithmetic(op, args, prec, _limit_sum, _limit_product)
        else:
            raise NoInformation(f"no rule for the limit of {op}")
        # Flags say which values are taken; a limit point is approached only, so they carry nothing here.
        values.append((value[0], value[1], False, False))
    return values[-1]


def _limit_sum(a: Interval, b: Interval, prec: int) -> Interval:
    if (finf in a[:2] and fninf in b[:2]) or (fninf in a[:2] and finf in b[:2]):
        raise NoInformation("oo - oo is undetermined")
    return iv.add(a, b, prec)


def _limit_product(a: Interval, b: Interval, prec: int) -> Interval:
    for u, v in ((a, b), (b, a)):
        if mpf_cmp(u[0], fzero) <= 0 <= mpf_cmp(u[1], fzero) and not (iv.is_finite(v[0]) and iv.is_finite(v[1])):
            raise NoInformation("0 * oo is undetermined")
    return iv.mul(a, b, prec)
