"""Expressions as Coq terms over the reals."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import reduce

from symprivacy.errors import UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Range
from symprivacy.kernel.expr import Expr
from symprivacy.language.attempt import sympy_attempt
from symprivacy.language.bridge import from_sympy, to_sympy
from symprivacy.language.text import to_text

_KEYWORDS = frozenset(
    ["fun", "forall", "exists", "let", "in", "match", "if", "then", "else", "as", "at", "cofix", "end", "fix", "for"],
) | {"return", "where", "with", "using", "by"}
_TAKEN = re.compile(r"(?:main|[A-Z])\w*")
_CALLS = {name: name for name in ("exp", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh")}
_CALLS |= {"log": "ln", "abs": "Rabs"}
_HALF, _TWO = x.num(Fraction(1, 2)), x.num(2)


# The point that the mean value theorem speaks of; no variable of ours has such a name.
POINT = "z'"


def variable(name: str) -> str:
    """A name that means nothing else in the file."""
    return name + "_" if name in _KEYWORDS or _TAKEN.fullmatch(name) else name


def plain(e: Expr) -> Expr:
    """The expression without hyperbolic functions and real powers: coq-interval knows exp, ln and sqrt.

    >>> from symprivacy.language.text import parse
    >>> plain(parse("x**y + sinh(x)"))
    Expr('exp(y*log(x)) + (exp(x) - exp(-x))/2')
    """
    done: dict[Expr, Expr] = {}
    for n in x.subexpressions(e):
        args = [done[a] for a in n.args]
        done[n] = meaning(n, args) or (x.rebuild(n, args) if args else n)
    return done[e]


def meaning(n: Expr, args: list[Expr]) -> Expr | None:
    """A function that coq-interval lacks, by those it has."""
    u = args[0] if args else n
    match n.op:
        case "tanh":
            return x.sub(x.ONE, x.mul(_TWO, x.power(x.add(x.exp(x.mul(_TWO, u)), x.ONE), x.MINUS_ONE)))
        case "sinh" | "cosh":
            down = x.exp(x.neg(u))
            return x.mul(_HALF, x.add(x.exp(u), down if n.op == "cosh" else x.neg(down)))
        case "atanh":
            return x.mul(_HALF, x.sub(x.log(x.add(x.ONE, u)), x.log(x.sub(x.ONE, u))))
        case "asinh" | "acosh":
            square = x.add(x.power(u, _TWO), x.ONE if n.op == "asinh" else x.MINUS_ONE)
            return x.log(x.add(u, x.power(square, _HALF)))
        case "^" if is_real_power(n):
            return x.exp(x.mul(args[1], x.log(u)))
    return None


def is_real_power(n: Expr) -> bool:
    """Whether the node is a power that is neither an integer one nor one of a square root."""
    return n.op == "^" and not (x.is_num(n.args[1]) and x.rational(n.args[1]).denominator <= 2)


def tidy(e: Expr) -> Expr:
    """An equal expression that is shorter: a product of powers of polynomials, if sympy finds one.

    Derivatives of derivatives grow fast as they are. Nothing rests on sympy here: Coq proves the equality.

    >>> from symprivacy.language.text import parse
    >>> tidy(parse("1/(x + 1) - x/(x + 1)**2"))
    Expr('1/(x + 1)**2')
    """
    import sympy

    e = plain(e)
    if any(n.op in ("log", "abs", "min", "max", "piecewise") or _is_root(n) for n in x.subexpressions(e)):
        return e
    with sympy_attempt(UnsupportedError):
        found = from_sympy(sympy.factor(to_sympy(e)))
        return found if len(to_text(found)) < len(to_text(e)) else e
    return e


def _is_root(n: Expr) -> bool:
    return n.op == "^" and not (x.is_num(n.args[1]) and x.rational(n.args[1]).denominator == 1)


def unsimplified(e: Expr, put: Mapping[Expr, Expr]) -> Expr:
    """The expression with others in place of some, as Coq substitutes: ``0*exp(0) + 0`` stays as it is."""
    done: dict[Expr, Expr] = {}
    for n in x.subexpressions(e):
        done[n] = put.get(n) or (x.make(n.op, tuple(done[a] for a in n.args), n.value) if n.args else n)
    return done[e]


def term(e: Expr) -> str:
    """The Coq term.

    >>> from symprivacy.language.text import parse
    >>> term(parse("1/2 - 1/(exp(x) + 1)"))
    '((-1) * (/ (exp (x) + 1)) + 1 / 2)'
    """
    done: dict[Expr, str] = {}
    for n in x.subexpressions(e):
        args = [done.get(a, "") for a in n.args]
        match n.op:
            case "num":
                done[n] = number(x.rational(n))
            case "var":
                done[n] = variable(str(n.value))
            case "pi":
                done[n] = "PI"
            case "+":
                parts = (t if a.op == "+" else _bare(t) for a, t in zip(n.args, args, strict=True))
                done[n] = f"({' + '.join(parts)})"
            case "*":
                done[n] = f"({' * '.join(args)})"
            case "^" if is_real_power(n):
                done[n] = f"(Rpower {args[0]} {args[1]})"
            case "^":
                done[n] = _power(n, args[0])
            case "min" | "max":
                done[n] = reduce(lambda a, b, op=n.op: f"(R{op} {a} {b})", args)  # type: ignore[misc]
            case "piecewise":
                done[n] = _piecewise(n, done)
            case op if op in _CALLS:
                done[n] = f"({_CALLS[op]} ({_bare(args[0])}))"
            case "erf" | "erfc" | "erfinv":
                # Its integral can be enclosed between numbers, but that is not what the steps ask for.
                raise UnsupportedError(f"coq-interval has no {n.op}, and Coq no proof of its derivative or limits")
            case op if op not in x.CONDITIONS:
                raise UnsupportedError(f"coq-interval has no {op}")
    return done[e]


def _piecewise(n: Expr, done: Mapping[Expr, str]) -> str:
    """Nested ``if``; where no condition holds the certificate shows that there is no such point, so 0 will do."""
    text = "0"
    for value, condition in reversed(list(zip(n.args[::2], n.args[1::2], strict=True))):
        text = _choice(condition, done[value], text, done)
    return text


def _choice(c: Expr, yes: str, no: str, done: Mapping[Expr, str]) -> str:
    match c.op:
        case "true" | "false":
            return yes if c.op == "true" else no
        case "<" | "<=":
            left, right = (done[a] for a in c.args)
            return f"(if R{'lt' if c.op == '<' else 'le'}_dec {left} {right} then {yes} else {no})"
        case "not":
            return _choice(c.args[0], no, yes, done)
        case "and":
            return reduce(lambda rest, part: _choice(part, rest, no, done), reversed(c.args), yes)
        case _:
            return reduce(lambda rest, part: _choice(part, yes, rest, done), reversed(c.args), no)


def _bare(text: str) -> str:
    """Without the outer bracket, where it is around the whole."""
    if not (text.startswith("(") and text.endswith(")")):
        return text
    depth = 0
    for i, c in enumerate(text):
        depth += (c == "(") - (c == ")")
        if depth == 0 and i < len(text) - 1:
            return text
    return text[1:-1]


def number(q: Fraction) -> str:
    """A rational number.

    >>> number(Fraction(-1, 2)), number(Fraction(3))
    ('(-1 / 2)', '3')
    """
    text = str(q.numerator) if q.denominator == 1 else f"{q.numerator} / {q.denominator}"
    return text if q.denominator == 1 and q >= 0 else f"({text})"


def _power(n: Expr, base: str) -> str:
    q = x.rational(n.args[1])
    if q.denominator == 2:
        base, q = f"(sqrt {base})", q * 2
    if abs(q) > 1000:
        raise UnsupportedError(f"the power {q} is too large for Coq")
    if q == 0:
        # Coq's 0^0 is 1, as in the certificate language.
        return f"({base} ^ 0)"
    text = base if abs(q) == 1 else f"({base} ^ {abs(q)})"
    return text if q > 0 else f"(/ {text})"


def hypotheses(name: str, r: Range) -> Iterator[str]:
    """The inequalities of a range."""
    v = variable(name)
    if r.lo is not None:
        yield f"{term(plain(r.lo))} {'<' if r.lo_open else '<='} {v}"
    if r.hi is not None:
        yield f"{v} {'<' if r.hi_open else '<='} {term(plain(r.hi))}"
