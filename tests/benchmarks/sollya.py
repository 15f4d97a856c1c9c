"""Sollya: the rigorous zeros of the difference of both sides, and its sign at some points."""

from __future__ import annotations

import subprocess
from fractions import Fraction
from math import ceil

from symprivacy.kernel.expr import Expr, rational, sub
from tests.benchmarks.naive import HelplessError
from tests.benchmarks.problems import Problem

_SAME = ("exp", "log", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "erf", "erfc", "abs")


def text(e: Expr) -> str:
    """An expression of one variable in Sollya's language.

    >>> from symprivacy.language.text import parse
    >>> text(parse("sqrt(t)/3"))
    '((1/3)*(_x_^(1/2)))'
    """
    if e.op == "num":
        return f"({rational(e)})"
    if e.op == "var":
        return "_x_"
    if e.op == "pi":
        return "pi"
    args = [text(a) for a in e.args]
    if e.op in ("+", "*", "^"):
        return f"({e.op.join(args)})"
    if e.op in ("min", "max"):
        sign, total = "-" if e.op == "min" else "+", args[0]
        for other in args[1:]:
            total = f"(({total}+{other}{sign}abs({total}-{other}))/2)"
        return total
    if e.op in _SAME:
        return f"{e.op}({args[0]})"
    raise HelplessError(e.op)


def by_sollya(problem: Problem, limit: float) -> tuple[str, int]:
    """findzeros is rigorous: without a zero one point decides; a point with an enclosure below zero refutes."""
    if len(problem.box) != 1:
        return "undecided", 0
    ((_, r),) = problem.box.items()
    if r.lo is None or r.hi is None or r.lo.op != "num" or r.hi.op != "num":
        return "undecided", 0
    lo, hi = rational(r.lo), rational(r.hi)
    greater, less = problem.sides
    points = [lo + (hi - lo) * Fraction(i, 32) for i in range(1, 32)]
    lines = [f"f = {text(sub(greater, less))};", "prec = 80!;"]
    for p in points:
        lines.append(
            f'v = evaluate(f, [{p}]); if (sup(v) < 0) then print("below"); if (inf(v) > 0) then print("above");'
        )
    lines.append(f'if (length(findzeros(f, [{lo};{hi}])) == 0) then print("no zero"); quit;')
    # The system ends it when its processor time is over.
    command = ["prlimit", f"--cpu={ceil(limit)}", "sollya"]
    done = subprocess.run(command, input="\n".join(lines), capture_output=True, text=True, timeout=60 * limit)
    if "below" in done.stdout:
        return "refuted", 0
    return ("proved" if "above" in done.stdout and "no zero" in done.stdout else "undecided"), 0
