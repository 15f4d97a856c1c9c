"""Signs of expressions on a box as tactics, and the facts that ``field`` and derivatives ask for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from symprivacy.algebra.normal import algebra_on
from symprivacy.algebra.polynomials import poly_expr
from symprivacy.coq.bounds import EFFORTS, Bounds
from symprivacy.coq.ends import HI, LO
from symprivacy.coq.terms import term
from symprivacy.errors import UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Box
from symprivacy.kernel.expr import Expr
from symprivacy.language.attempt import sympy_attempt
from symprivacy.language.bridge import from_sympy, to_sympy


def sign_proof(e: Expr, strict: bool, box: Box) -> str | None:
    """A tactic for ``0 < e`` or ``0 <= e`` on the box, or None.

    >>> from symprivacy.language.domain import box_from_texts
    >>> from symprivacy.language.text import parse
    >>> sign_proof(parse("x + exp(x) - 1"), True, box_from_texts(["x in (0, oo)"])).count("assert")
    3
    """
    if e.op == "num":
        return "lra" if x.rational(e) > 0 or (x.rational(e) == 0 and not strict) else None
    for effort in range(len(EFFORTS)):
        bounds = Bounds(box, effort)
        sign, nonzero = bounds.sign(e)
        if sign == 1 and (nonzero or not strict):
            label = bounds.show(e, LO)
            return "; ".join([*bounds.lines, _concluded(e, label)])
    return None


def _concluded(e: Expr, label: str) -> str:
    return f"clear - {label}; revert {label}; generalize {term(e)}; intros; lra"


def side_facts(expressions: Iterable[Expr], box: Box, tag: str = "X") -> list[str]:
    """Assertions that divisors are not 0 and what stands under logs and roots is positive, as far as that is seen.

    The tag begins their names, which have to be new.
    """
    facts = _Facts(Bounds(box, tag=tag))
    for e, positive in dict.fromkeys(_needs(expressions)):
        if positive:
            facts.positive(e)
        else:
            facts.nonzero(e)
    return facts.lines


@dataclass
class _Facts:
    """Assertions so far, those of a divisor's own divisors first."""

    bounds: Bounds
    lines: list[str] = field(default_factory=list)
    _known: set[str] = field(default_factory=set)

    def _assert(self, claim: str, how: str) -> None:
        if claim not in self._known:
            self._known.add(claim)
            self.lines += self.bounds.lines
            self.lines.append(f"assert ({self.bounds.tag}N{len(self._known)} : {claim}) by ({how})")
        self.bounds.lines.clear()

    def positive(self, e: Expr) -> None:
        """The expression is positive."""
        if self.bounds.sign(e) == (1, True):
            self._assert(f"0 < {term(e)}", _concluded(e, self.bounds.show(e, LO)))

    def nonzero(self, e: Expr) -> None:
        """The expression is not 0, and neither is its numerator, for which ``field`` will ask."""
        if self._by_bounds(e):
            numerator, denominator = as_fraction(e)
            if term(numerator) != term(e):
                product = f"({' * '.join([term(e), *map(term, denominator)])})"
                self._assert(f"{term(numerator)} <> 0", f"replace {term(numerator)} with {product} by same; nonzero")
            return
        numerator, denominator = as_fraction(e)
        factors = factored(numerator)
        if len(factors) > 1 and sum(map(self._by_bounds, factors)) == len(factors):
            product = f"({' * '.join(map(term, factors))})"
            self._assert(f"{term(numerator)} <> 0", f"replace {term(numerator)} with {product} by ring; nonzero")
            if term(numerator) != term(e):
                quotient = " * ".join([term(numerator), *(f"/ {term(d)}" for d in denominator)])
                self._assert(f"{term(e)} <> 0", f"replace {term(e)} with ({quotient}) by same; nonzero")

    def _by_bounds(self, e: Expr) -> bool:
        if e.op == "num":
            return x.rational(e) != 0
        sign, nonzero = self.bounds.sign(e)
        if nonzero:
            self._assert(f"{term(e)} <> 0", _concluded(e, self.bounds.show(e, LO if sign == 1 else HI)))
        return nonzero


def as_fraction(e: Expr) -> tuple[Expr, list[Expr]]:
    """The numerator and the factors of the denominator, with calls of functions as they are.

    >>> from symprivacy.language.text import parse
    >>> as_fraction(parse("1/x + exp(x)"))[1]
    [Expr('x')]
    """
    marks: dict[Expr, Expr] = {}
    try:
        numerator, denominator = algebra_on({}).normal(opaque(e, marks))
    except UnsupportedError:
        return e, []
    back = {str(mark.value): call for call, mark in marks.items()}
    below = [poly_expr(dict(p)) for p, k in denominator.items() for _ in range(k)]
    return x.substitute(poly_expr(numerator), back), [x.substitute(d, back) for d in below]


def factored(e: Expr) -> list[Expr]:
    """The factors that sympy finds, with calls of functions as they are."""
    import sympy

    marks: dict[Expr, Expr] = {}
    with sympy_attempt(UnsupportedError):
        coefficient, factors = sympy.factor_list(to_sympy(opaque(e, marks)))
        back = {str(mark.value): call for call, mark in marks.items()}
        parts = [x.substitute(from_sympy(f), back) for f, k in factors for _ in range(k)]
        return [from_sympy(coefficient), *parts] if coefficient != 1 else parts
    return [e]


def opaque(e: Expr, marks: dict[Expr, Expr], but: str = "") -> Expr:
    """The expression with variables in place of calls of functions, but for those of one."""
    done: dict[Expr, Expr] = {}
    for n in x.subexpressions(e):
        m = x.make(n.op, tuple(done[a] for a in n.args), n.value) if n.args else n
        root = n.op == "^" and x.rational(n.args[1]).denominator == 2
        if root or n.op not in ("num", "var", "+", "*", "^", but):
            call = x.power(n.args[0], x.num(Fraction(1, 2))) if root else n
            mark = marks.setdefault(call, x.var(f"call_{len(marks)}"))
            m = x.power(mark, x.num(2 * x.rational(n.args[1]))) if root else mark
        done[n] = m
    return done[e]


def _needs(expressions: Iterable[Expr]) -> Iterator[tuple[Expr, bool]]:
    for n in (n for e in expressions for n in x.subexpressions(e)):
        if n.op == "log" or (n.op == "^" and x.is_num(n.args[1]) and x.rational(n.args[1]).denominator == 2):
            yield n.args[0], True
        if n.op == "^" and x.is_num(n.args[1]) and x.rational(n.args[1]) < 0:
            yield from ((factor, False) for factor in _factors(n.args[0]))


def _factors(e: Expr) -> Iterator[Expr]:
    """What has to be nonzero for a product of powers to be so."""
    if e.op == "*":
        for a in e.args:
            yield from _factors(a)
    elif e.op == "^" and x.is_num(e.args[1]) and x.rational(e.args[1]).denominator == 1:
        yield from _factors(e.args[0])
    elif e.op != "num":
        yield e
