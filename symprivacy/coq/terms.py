"""Expressions as Coq terms over the reals, and what Coq has to be told about exp, ln and sqrt in them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import gcd, lcm

from symprivacy.errors import UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel.algebra import Monomial, algebra_on, monomial_expr
from symprivacy.kernel.bridge import from_sympy, to_sympy
from symprivacy.kernel.domain import Range
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.text import to_text

_KEYWORDS = frozenset(
    ["fun", "forall", "exists", "let", "in", "match", "if", "then", "else", "as", "at", "cofix", "end", "fix", "for"],
) | {"return", "where", "with", "using", "by"}
_TAKEN = re.compile(r"(?:step|main|[A-Z])\w*")
_CALLS = {"exp": "exp", "log": "ln", "abs": "Rabs", "sinh": "sinh", "cosh": "cosh", "tanh": "tanh"}


# The point that the mean value theorem speaks of; no variable of ours has such a name.
POINT = "z'"


def variable(name: str) -> str:
    """A name that means nothing else in the file."""
    return name + "_" if name in _KEYWORDS or _TAKEN.fullmatch(name) else name


def plain(e: Expr) -> Expr:
    """The expression without hyperbolic functions: coq-interval knows exp and ln."""
    done: dict[Expr, Expr] = {}
    for n in x.subexpressions(e):
        args = [done[a] for a in n.args]
        match n.op:
            case "tanh":
                done[n] = _tanh(args[0])
            case "sinh" | "cosh":
                up, down = x.exp(args[0]), x.exp(x.neg(args[0]))
                done[n] = x.mul(x.num(Fraction(1, 2)), x.add(up, down if n.op == "cosh" else x.neg(down)))
            case "atanh":
                logs = x.sub(x.log(x.add(x.ONE, args[0])), x.log(x.sub(x.ONE, args[0])))
                done[n] = x.mul(x.num(Fraction(1, 2)), logs)
            case _:
                done[n] = x.rebuild(n, args) if args else n
    return done[e]


def tidy(e: Expr) -> Expr:
    """An equal expression that is shorter: a product of powers of polynomials, if sympy finds one.

    Derivatives of derivatives grow fast as they are. Nothing rests on sympy here: Coq proves the equality.

    >>> from symprivacy.kernel.text import parse
    >>> tidy(parse("1/(x + 1) - x/(x + 1)**2"))
    Expr('1/(x + 1)**2')
    """
    import sympy

    e = plain(e)
    if any(n.op in ("log", "abs", "min", "max") or _is_root(n) for n in x.subexpressions(e)):
        return e
    try:
        found = from_sympy(sympy.factor(to_sympy(e)))
    except Exception:  # sympy's polynomial code has no common error class, and the raw form will do
        return e
    return found if len(to_text(found)) < len(to_text(e)) else e


def _is_root(n: Expr) -> bool:
    return n.op == "^" and not (x.is_num(n.args[1]) and x.rational(n.args[1]).denominator == 1)


def _tanh(u: Expr) -> Expr:
    square = x.exp(x.mul(x.num(2), u))
    return x.sub(x.ONE, x.mul(x.num(2), x.power(x.add(square, x.ONE), x.MINUS_ONE)))


def term(e: Expr, put: Mapping[str, str] | None = None) -> str:
    """The Coq term; ``put`` gives terms in place of variables.

    >>> from symprivacy.kernel.text import parse
    >>> term(parse("1/2 - 1/(exp(x) + 1)"))
    '((-1) * (/ (exp (x) + 1)) + 1 / 2)'
    """
    if any(n.op == "piecewise" for n in x.subexpressions(e)):
        raise UnsupportedError("coq-interval has no Piecewise")
    done: dict[Expr, str] = {}
    for n in x.subexpressions(e):
        args = [done[a] for a in n.args]
        match n.op:
            case "num":
                done[n] = _number(x.rational(n))
            case "var":
                name = str(n.value)
                done[n] = (put or {}).get(name, variable(name))
            case "pi":
                done[n] = "PI"
            case "+" | "*":
                done[n] = "(" + f" {n.op} ".join(_bare(a) if n.op == "+" else a for a in args) + ")"
            case "^":
                done[n] = _power(n, args[0])
            case "min" | "max" if len(args) == 2:
                done[n] = f"(R{n.op} {args[0]} {args[1]})"
            case op if op in _CALLS:
                done[n] = f"({_CALLS[op]} ({_bare(args[0])}))"
            case op:
                raise UnsupportedError(f"coq-interval has no {op}{f' of {len(args)}' if op in ('min', 'max') else ''}")
    return done[e]


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


def _number(q: Fraction) -> str:
    text = str(q.numerator) if q.denominator == 1 else f"{q.numerator} / {q.denominator}"
    return text if q.denominator == 1 and q >= 0 else f"({text})"


def _power(n: Expr, base: str) -> str:
    exponent = n.args[1]
    if not x.is_num(exponent) or x.rational(exponent).denominator > 2:
        raise UnsupportedError("coq-interval has integer powers and square roots only")
    q = x.rational(exponent)
    if q.denominator == 2:
        base, q = f"(sqrt {base})", q * 2
    if abs(q) > 1000:
        raise UnsupportedError(f"the power {q} is too large for Coq")
    if q == 0:
        # Coq's 0^0 is 1, as in the certificate language.
        return f"({base} ^ 0)"
    text = base if abs(q) == 1 else f"({base} ^ {abs(q)})"
    return text if q > 0 else f"(/ {text})"


def hypotheses(name: str, r: Range, value: str | None = None) -> Iterator[str]:
    """The inequalities of a range, for the variable or another term."""
    v = value or variable(name)
    if r.lo is not None:
        yield f"{term(plain(r.lo))} {'<' if r.lo_open else '<='} {v}"
    if r.hi is not None:
        yield f"{v} {'<' if r.hi_open else '<='} {term(plain(r.hi))}"


def expansions(*expressions: Expr, put: Mapping[str, Expr] | None = None) -> list[str]:
    """Tactics that write every exp as a product of powers of few, so that ``field`` sees the relations between them.

    ``exp(2*x - y)`` becomes ``exp(x)^2 / exp(y)`` beside ``exp(x)``; exp(0) becomes 1 and ln(1) becomes 0. With ``put``
    the expressions are meant with constants in place of variables, as Coq writes them: not simplified.
    """
    texts = {name: term(plain(value)) for name, value in (put or {}).items()}
    algebra = algebra_on({})
    arguments: dict[str, dict[Monomial, Fraction]] = {}
    found: dict[str, None] = {}
    for n in (n for e in expressions for n in x.subexpressions(e) if n.op in ("exp", "log")):
        value = x.substitute(n.args[0], dict(put or {}))
        numerator, denominator = algebra.normal(value)
        text = _bare(term(n.args[0], texts))
        if n.op == "log":
            if not denominator and numerator == {(): 1}:
                found[
                    f"replace (ln ({text})) with 0 by (replace ({text}) with 1 by same; rewrite ln_1; reflexivity)."
                ] = None
        elif not denominator:
            arguments[text] = {m: Fraction(c) for m, c in numerator.items()}
    units: dict[Monomial, Fraction] = {}
    for parts in arguments.values():
        for m, c in parts.items():
            units[m] = _common(units[m], c) if m in units else abs(c)
    for text, parts in arguments.items():
        if not parts:
            found[
                f"replace (exp ({text})) with 1 by (replace ({text}) with 0 by same; rewrite exp_0; reflexivity)."
            ] = None
            continue
        product = [_exp_power(m, units[m], c / units[m]) for m, c in parts.items()]
        if product != [f"exp ({text})"]:
            found[f"replace (exp ({text})) with ({' * '.join(product)}) by expand."] = None
    return list(found)


def _common(a: Fraction, b: Fraction) -> Fraction:
    d = lcm(a.denominator, b.denominator)
    return Fraction(gcd(int(a * d), int(b * d)), d)


def _exp_power(m: Monomial, unit: Fraction, k: Fraction) -> str:
    base = f"exp ({_bare(term(x.mul(x.num(unit), monomial_expr(m))))})"
    if abs(k) != 1:
        base = f"({base}) ^ {abs(k)}"
    return base if k > 0 else f"/ ({base})"
