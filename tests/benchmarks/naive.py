"""Naive bisection: enclose the difference of both sides on a box, cut the box in two until every part is decided.

This is what one writes in an afternoon with mpmath.iv or python-flint; it is as quick as those are, and helpless
where both sides touch or the domain is unbounded.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from symprivacy.kernel.expr import Expr, rational, sub, subexpressions
from tests.benchmarks.problems import Problem

MOST_BOXES = 200_000
DEEPEST = 50


class HelplessError(Exception):
    """A function or a domain that this arithmetic does not have."""


class MpmathIntervals:
    """mpmath.iv as it comes; what it lacks is written with exp and log."""

    def __init__(self, prec: int = 53) -> None:
        from mpmath import iv

        iv.prec = prec
        self.iv = iv
        e = iv.exp
        self.functions: dict[str, Callable[[Any], Any]] = {
            "exp": e,
            "log": iv.log,
            "abs": abs,
            "sinh": lambda v: (e(v) - e(-v)) / 2,
            "cosh": lambda v: (e(v) + e(-v)) / 2,
            "tanh": lambda v: 1 - 2 / (e(2 * v) + 1),
            "atanh": lambda v: iv.log((1 + v) / (1 - v)) / 2,
            "asinh": lambda v: iv.log(v + iv.sqrt(v * v + 1)),
            "acosh": lambda v: iv.log(v + iv.sqrt(v * v - 1)),
        }

    def number(self, q: Fraction) -> Any:
        return self.iv.mpf(q.numerator) / q.denominator

    def pi(self) -> Any:
        return self.iv.pi

    def between(self, lo: Fraction, hi: Fraction) -> Any:
        return self.iv.mpf([self.number(lo).a, self.number(hi).b])

    def root(self, v: Any, k: Fraction) -> Any:
        if k == Fraction(1, 2):
            if not v.a >= 0:
                raise ValueError
            return self.iv.sqrt(v)
        return self.iv.exp(self.iv.log(v) * self.number(k))

    def positive(self, v: Any) -> bool:
        return v.a > 0

    def nonnegative(self, v: Any) -> bool:
        return v.a >= 0

    def hull(self, v: Any, w: Any) -> Any:
        return self.iv.mpf([min(v.a, w.a), max(v.b, w.b)])

    def least(self, v: Any, w: Any) -> Any:
        return self.iv.mpf([v.a if v.a <= w.a else w.a, v.b if v.b <= w.b else w.b])


class Balls:
    """python-flint's Arb."""

    def __init__(self, prec: int = 53) -> None:
        import flint

        flint.ctx.prec = prec
        self.arb, self.fmpq = flint.arb, flint.fmpq
        names = ("exp", "log", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "erf", "erfc", "erfinv")
        self.functions: dict[str, Callable[[Any], Any]] = {name: getattr(flint.arb, name) for name in names}
        self.functions["abs"] = abs

    def number(self, q: Fraction) -> Any:
        return self.arb(self.fmpq(q.numerator, q.denominator))

    def pi(self) -> Any:
        return self.arb.pi()

    def between(self, lo: Fraction, hi: Fraction) -> Any:
        return self.number(lo).union(self.number(hi))

    def root(self, v: Any, k: Fraction) -> Any:
        return v.sqrt() if k == Fraction(1, 2) else v ** self.number(k)

    def positive(self, v: Any) -> bool:
        return bool(v > 0)

    def nonnegative(self, v: Any) -> bool:
        return bool(v >= 0)

    def hull(self, v: Any, w: Any) -> Any:
        return v.union(w)

    def least(self, v: Any, w: Any) -> Any:
        return v.min(w)


def enclose(order: list[Expr], arithmetic: Any, box: dict[str, Any]) -> Any:
    """The value of the last expression of the list; the arguments of each come before it."""
    values: dict[Expr, Any] = {}
    for e in order:
        args = [values[a] for a in e.args]
        values[e] = _value(e, args, arithmetic, box)
    return values[order[-1]]


def _value(e: Expr, args: list[Any], a: Any, box: dict[str, Any]) -> Any:
    op = e.op
    if op == "num":
        return a.number(rational(e))
    if op == "var":
        return box[str(e.value)]
    if op == "pi":
        return a.pi()
    if op in ("true", "false"):
        return op == "true"
    if op in ("<", "<="):
        less = args[1] - args[0]
        return True if a.positive(less) else False if a.positive(-less) else None
    if op in ("and", "or", "not"):
        return _junction(op, args)
    if op == "piecewise":
        return _piecewise(args, a)
    if any(v is None for v in args):
        return None
    if op == "+":
        return sum(args[1:], args[0])
    if op == "*":
        total = args[0]
        for v in args[1:]:
            total = total * v
        return total
    if op == "^":
        if e.args[1].op != "num":
            return a.functions["exp"](args[1] * a.functions["log"](args[0]))
        k = rational(e.args[1])
        return args[0] ** k.numerator if k.denominator == 1 else a.root(args[0], abs(k)) ** (1 if k > 0 else -1)
    if op in ("min", "max"):
        total = args[0] if op == "min" else -args[0]
        for v in args[1:]:
            total = a.least(total, v if op == "min" else -v)
        return total if op == "min" else -total
    if op not in a.functions:
        raise HelplessError(op)
    return a.functions[op](args[0])


def _junction(op: str, args: list[Any]) -> Any:
    if op == "not":
        return None if args[0] is None else not args[0]
    decisive = op == "or"
    return decisive if decisive in args else None if None in args else not decisive


def _piecewise(args: list[Any], a: Any) -> Any:
    result = None
    for value, condition in zip(args[::2], args[1::2], strict=True):
        if condition is False:
            continue
        if value is None:
            return None
        result = value if result is None else a.hull(result, value)
        if condition is True:
            return result
    return None


def bisect(problem: Problem, limit: float, arithmetic: Any) -> tuple[str, int]:
    """The verdict and the number of boxes."""
    start = time.process_time()
    greater, less = problem.sides
    order = list(subexpressions(sub(greater, less)))
    box = {}
    for name, r in problem.box.items():
        if r.lo is None or r.hi is None or r.lo.op != "num" or r.hi.op != "num":
            return "undecided", 0
        box[name] = (rational(r.lo), rational(r.hi))
    shows = arithmetic.positive if problem.strict else arithmetic.nonnegative
    fails = (lambda v: arithmetic.nonnegative(-v)) if problem.strict else (lambda v: arithmetic.positive(-v))
    stack, boxes, left = [(box, 0)], 0, False
    while stack:
        box, depth = stack.pop()
        boxes += 1
        if boxes > MOST_BOXES or time.process_time() - start > limit:
            return "undecided", boxes
        value = _try(order, arithmetic, {n: arithmetic.between(*ends) for n, ends in box.items()})
        if value is not None and shows(value):
            continue
        if not box:
            return ("refuted" if value is not None and fails(value) else "undecided"), boxes
        middle = {n: (lo + hi) / 2 for n, (lo, hi) in box.items()}
        value = _try(order, arithmetic, {n: arithmetic.number(m) for n, m in middle.items()})
        if value is not None and fails(value):
            return "refuted", boxes
        if depth > DEEPEST:
            # Both sides touch here, as far as boxes can tell; elsewhere the statement may still fail.
            left = True
            continue
        widest = max(box, key=lambda n: box[n][1] - box[n][0])
        lo, hi = box[widest]
        stack.append(({**box, widest: (middle[widest], hi)}, depth + 1))
        stack.append(({**box, widest: (lo, middle[widest])}, depth + 1))
    return ("undecided" if left else "proved"), boxes


def _try(order: list[Expr], arithmetic: Any, box: dict[str, Any]) -> Any:
    try:
        return enclose(order, arithmetic, box)
    except (ValueError, ZeroDivisionError, ArithmeticError, NotImplementedError):
        return None


def by_mpmath(problem: Problem, limit: float) -> tuple[str, int]:
    return bisect(problem, limit, MpmathIntervals())


def by_arb(problem: Problem, limit: float) -> tuple[str, int]:
    return bisect(problem, limit, Balls())
