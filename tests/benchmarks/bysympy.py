"""sympy as one first uses it: the minimum of the difference on an interval, or its sign by assumptions."""

from __future__ import annotations

import sympy
from sympy.calculus.util import minimum

from symprivacy.kernel.expr import rational, sub
from symprivacy.language.bridge import to_sympy
from tests.benchmarks.problems import Problem


def by_sympy(problem: Problem, limit: float) -> tuple[str, int]:
    """One variable by calculus, several by what sympy knows of symbols that are real and have a sign."""
    names = {sympy.Symbol(name): name for name in problem.box}
    difference = to_sympy(sub(*problem.sides))
    told = {}
    for symbol, name in names.items():
        r = problem.box[name]
        low = rational(r.lo) if r.lo is not None and r.lo.op == "num" else None
        signs = {"positive": True} if low is not None and (low > 0 or (low == 0 and r.lo_open)) else {}
        signs = signs or ({"nonnegative": True} if low == 0 else {"real": True})
        told[symbol] = sympy.Symbol(name, **signs)
    known = sympy.simplify(difference.subs(told))
    if known.is_positive or (known.is_nonnegative and not problem.strict):
        return "proved", 0
    if known.is_negative or (known.is_nonpositive and problem.strict):
        return "refuted", 0
    if len(problem.box) != 1:
        return "undecided", 0
    ((name, r),) = problem.box.items()
    lo = -sympy.oo if r.lo is None else to_sympy(r.lo)
    hi = sympy.oo if r.hi is None else to_sympy(r.hi)
    domain = sympy.Interval(lo, hi, r.lo is None or r.lo_open, r.hi is None or r.hi_open)
    least = minimum(difference, sympy.Symbol(name), domain)
    if (least < 0) == sympy.true:
        return "refuted", 0
    # The least value may belong to an end point that is left out; a strict inequality is then not decided by it.
    shown = (least > 0) if problem.strict else (least >= 0)
    return ("proved" if shown == sympy.true else "undecided"), 0
