"""Expressions to text: the shortest spelling that reads back as the same tree."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from symprivacy.kernel import expr as x
from symprivacy.kernel.expr import Expr

_LOOSE, _SUM, _PRODUCT, _POWER = range(4)


def to_text(e: Expr) -> str:
    """Write an expression so that :func:`symprivacy.language.text.parse` reads it back.

    >>> from symprivacy.language.text import parse
    >>> to_text(parse("1/2 - 1/(exp(eps)+1)"))
    '1/2 - 1/(exp(eps) + 1)'
    """
    memo = e.memo()
    if "text" not in memo:
        memo["text"] = _write(e, _LOOSE)
    text: str = memo["text"]
    return text


def number(q: Fraction | int) -> str:
    """The digits of a rational number, however many: Python's own conversion ends at 4300.

    >>> number(Fraction(-1, 3)), len(number(10**5000))
    ('-1/3', 5001)
    """
    parts = (q.numerator, q.denominator) if q.denominator != 1 else (q.numerator,)
    return "/".join(str(n) if n.bit_length() < 10_000 else str(Decimal(n)) for n in parts)


_HALF = x.num(Fraction(1, 2))
_NAMES = {"abs": "Abs", "min": "Min", "max": "Max"}


def _write(e: Expr, level: int) -> str:
    match e.op:
        case "num":
            # A fraction may stand in a sum, but not as a factor, a base or after a division sign.
            q = x.rational(e)
            highest = _LOOSE if q.numerator < 0 else _POWER if q.denominator == 1 else _SUM
            return number(q) if level <= highest else f"({number(q)})"
        case "var":
            return str(e.value)
        case "pi":
            return "pi"
        case "+":
            terms = list(e.args)
            if terms[-1].op == "num" and _is_negative(terms[0]) and not _is_negative(terms[-1]):
                terms.insert(0, terms.pop())
            text = _write(terms[0], _LOOSE)
            for t in terms[1:]:
                text += f" - {_write(x.neg(t), _SUM)}" if _is_negative(t) else f" + {_write(t, _SUM)}"
            return text if level == _LOOSE else f"({text})"
        case "*":
            text = _write_product(e)
            return text if level <= _SUM and not (level == _SUM and text[0] == "-") else f"({text})"
        case "^":
            return _write_power(e, level)
        case "piecewise":
            pairs = zip(e.args[::2], e.args[1::2], strict=True)
            return "Piecewise(" + ", ".join(f"({_write(v, 0)}, {_write_condition(c)})" for v, c in pairs) + ")"
        case op if op in x.CONDITIONS:
            return _write_condition(e)
        case op:
            return f"{_NAMES.get(op, op)}({', '.join(_write(a, _LOOSE) for a in e.args)})"


def _is_negative(e: Expr) -> bool:
    first = e.args[0] if e.op == "*" else e
    return first.op == "num" and x.rational(first).numerator < 0


def _write_product(e: Expr) -> str:
    factors, text, denominator = list(e.args), "", ""
    if factors[0].op == "num":
        c = x.rational(factors.pop(0))
        if c == -1 and factors and not _is_reciprocal(factors[0]):
            text = "-"
        elif abs(c.numerator) == 1 and c.denominator > 1 and factors and not _is_reciprocal(factors[0]):
            text, denominator = "-" if c < 0 else "", f"/{number(c.denominator)}"
        else:
            text = number(c)
    for f in factors:
        if _is_reciprocal(f):
            text = (text or "1") + "/" + _write(x.power(f.args[0], x.num(-x.rational(f.args[1]))), _PRODUCT)
        else:
            text += ("" if text in ("", "-") else "*") + _write(f, _PRODUCT)
    return text + denominator


def _is_reciprocal(e: Expr) -> bool:
    # Numbers keep their negative power: 1/2**(1/2) would read back as (1/2)*..., another tree.
    return e.op == "^" and e.args[1].op == "num" and x.rational(e.args[1]).numerator < 0 and e.args[0].op != "num"


def _write_power(e: Expr, level: int) -> str:
    base, n = e.args
    if n is _HALF:
        return f"sqrt({_write(base, _LOOSE)})"
    if _is_reciprocal(e):
        text = "1/" + _write(x.power(base, x.num(-x.rational(n))), _PRODUCT)
        return text if level <= _SUM else f"({text})"
    simple = n.op in ("var", "pi") or (n.op == "num" and x.rational(n).denominator == 1 and x.rational(n) > 0)
    text = _write(base, _POWER) + "**" + (_write(n, _LOOSE) if simple else f"({_write(n, _LOOSE)})")
    return text if level < _POWER else f"({text})"


def _write_condition(c: Expr) -> str:
    match c.op:
        case "true" | "false":
            return c.op.capitalize()
        case "<" | "<=":
            return f"{_write(c.args[0], _LOOSE)} {c.op} {_write(c.args[1], _LOOSE)}"
        case "not":
            return f"~({_write_condition(c.args[0])})"
        case _:
            return f" {'&' if c.op == 'and' else '|'} ".join(f"({_write_condition(a)})" for a in c.args)


x.spelled_by(to_text)
