"""Where an expression can tend as one variable goes to infinity."""

from __future__ import annotations

from collections.abc import Mapping

from mpmath.libmp import finf, fninf, fzero, mpf_cmp

from symprivacy.errors import NoInformation
from symprivacy.kernel import functions as fn
from symprivacy.kernel import interval as iv
from symprivacy.kernel.enclose import FUNCTIONS, evaluation_order
from symprivacy.kernel.expr import Expr, rational
from symprivacy.kernel.interval import Interval


def limit(e: Expr, name: str, at_hi: bool, box: Mapping[str, Interval], prec: int = 53) -> Interval:
    """An interval of extended reals that contains every limit point as the variable goes to oo (or -oo).

    The other variables are fixed anywhere in the box. The rules are those of limits: what is undetermined,
    ``oo - oo`` or ``0 * oo``, is no information.

    >>> from symprivacy.language.text import parse
    >>> iv.to_text(limit(parse("1/x - log(1 + 1/x)"), "x", True, {}))
    '[0.0, 0.0]'
    """
    end = finf if at_hi else fninf
    values: dict[Expr, Interval] = {}
    for n in evaluation_order(e):
        # Flags say which values are taken; a limit point is approached only, so they carry nothing here.
        lo, hi, _, _ = _value(n, values, name, (end, end, False, False), box, prec)
        values[n] = (lo, hi, False, False)
    return values[e]


def _value(
    n: Expr,
    values: Mapping[Expr, Interval],
    name: str,
    end: Interval,
    box: Mapping[str, Interval],
    prec: int,
) -> Interval:
    args = [values[a] for a in n.args]
    match n.op:
        case "num":
            return iv.from_fraction(rational(n), prec)
        case "pi":
            return fn.pi(prec)
        case "var":
            return end if n.value == name else box[str(n.value)]
        case "+":
            total = args[0]
            for v in args[1:]:
                if (finf in total[:2] and fninf in v[:2]) or (fninf in total[:2] and finf in v[:2]):
                    raise NoInformation("oo - oo is undetermined")
                total = iv.add(total, v, prec)
            return total
        case "*":
            product = args[0]
            for v in args[1:]:
                product = _product(product, v, prec)
            return product
        case "^" if n.args[1].op == "num":
            return fn.power_rational(args[0], rational(n.args[1]), prec)
        case "^":
            return fn.exp(_product(args[1], fn.log(args[0], prec), prec), prec)
        case op if op in FUNCTIONS:
            return FUNCTIONS[op](args[0], prec)
        case _:
            raise NoInformation(f"no rule for the limit of {n.op}")


def _product(a: Interval, b: Interval, prec: int) -> Interval:
    for u, v in ((a, b), (b, a)):
        if mpf_cmp(u[0], fzero) <= 0 <= mpf_cmp(u[1], fzero) and not (iv.is_finite(v[0]) and iv.is_finite(v[1])):
            raise NoInformation("0 * oo is undetermined")
    return iv.mul(a, b, prec)
