"""The rewrites by which the kernel sees an identity, found with the normal forms of :mod:`symprivacy.algebra.normal`.

Every function and root of the two sides is rewritten as its normal form has it, arguments first. What the kernel does
not need is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

from symprivacy.algebra.log_relations import log_relations
from symprivacy.algebra.normal import Algebra, algebra_on
from symprivacy.algebra.polynomials import Rational, to_expr
from symprivacy.errors import SymPrivacyError
from symprivacy.kernel import expr as x
from symprivacy.kernel import interval as iv
from symprivacy.kernel.box import Box, Range
from symprivacy.kernel.data import to_data
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.identities import Identities, equal
from symprivacy.kernel.interval import Interval

Rewrite = list[Any]
_ANY = Range(None, None, True, True)
# How far inside of a range two expressions are compared.
_STEP = Fraction(3, 7)
_SAME = frozenset(["exp", "asinh", "acosh", "erf", "erfc", "erfinv", "abs"])


def rewrites_for(a: Expr, b: Expr, box: Box) -> list[Rewrite] | None:
    """Rewrites by which the kernel sees that a = b on the box, none if it needs none; None if none are found.

    >>> from symprivacy.language.text import parse
    >>> rewrites_for(parse("sqrt(8)*x"), parse("2*sqrt(2)*x"), {})
    [['root', ['^', 8, ['/', 1, 2]], ['^', 2, ['/', 3, 2]]]]
    >>> rewrites_for(parse("x**2 - 1"), parse("(x - 1)*(x + 1)"), {})
    []
    """
    try:
        if a is not b and _apart(a, b, box):
            return None
        if equal(a, b, box):
            return []
        finder = _Finder(a, b, box)
        for e in (a, b):
            finder.visit(e)
        if finder.known.same(a, b):
            return finder.found
        return None if a.variables or b.variables else _by_relations(a, b)
    except SymPrivacyError:
        return None


def _apart(a: Expr, b: Expr, box: Box) -> bool:
    """Whether the two differ at a point of the box: then high powers need not be multiplied out to see it."""
    try:
        at = {name: _inside(box.get(name, _ANY).interval(53)) for name in a.variables | b.variables}
        return iv.sign_known(enclose(x.sub(a, b), at, 53)) != 0
    except SymPrivacyError:
        return False


def _inside(r: Interval) -> Interval:
    """A point of a range, no special one."""
    lo, hi = ((end, end, False, False) for end in r[:2])
    step = iv.from_fraction(_STEP, 53)
    if iv.is_finite(r[0]) and iv.is_finite(r[1]):
        return iv.add(lo, iv.mul(step, iv.sub(hi, lo, 53), 53), 53)
    if iv.is_finite(r[0]):
        return iv.add(lo, step, 53)
    return iv.sub(hi, step, 53) if iv.is_finite(r[1]) else step


def shown_equal(a: Expr, b: Expr, box: Box) -> bool:
    """Whether the kernel sees, by rewrites that are found here, that a = b wherever both are defined on the box."""
    return rewrites_for(a, b, box) is not None


def _by_relations(a: Expr, b: Expr) -> list[Rewrite] | None:
    """Rewrites of the logarithms in two constants by one another."""
    finder = _Finder(a, b, {})
    parts = list(_with_meanings(finder.known, x.sub(a, b)))
    for n in parts:
        if n.op == "^":
            finder.visit(n)
    for e, new in log_relations(n for n in parts if n.op == "log"):
        finder.relate(e, new)
    return finder.found if finder.found and finder.known.same(a, b) else None


def _with_meanings(known: Identities, e: Expr) -> Iterator[Expr]:
    """The parts of an expression, those of what functions are by others included."""
    for n in x.subexpressions(e):
        yield n
        meaning = known.meaning(n)
        if meaning is not None:
            yield from _with_meanings(known, meaning)


class _Finder:
    def __init__(self, a: Expr, b: Expr, box: Box) -> None:
        self.known = Identities(box)
        self.known.admit(a)
        self.known.admit(b)
        self.algebra: Algebra = algebra_on(box, a.has_erfc or b.has_erfc)
        self.found: list[Rewrite] = []
        self.seen: set[Expr] = set()

    def visit(self, e: Expr) -> None:
        """Rewrite what is inside, then the expression itself, then what has come in its place."""
        if e in self.seen or e.op == "piecewise":
            return
        self.seen.add(e)
        for a in e.args:
            self.visit(a)
        try:
            new = self._new(e)
        except SymPrivacyError:
            return
        if new is not None:
            self._try("log" if e.op == "log" else "root" if e.op == "^" else "same", e, new)
            # The root in an inverse function may be a plain one: asinh(sinh(1)) has sqrt(sinh(1)**2 + 1).
            if e.op not in ("asinh", "acosh") or e in self.known.new:
                return
        meaning = self.known.meaning(e)
        if meaning is not None:
            self.visit(meaning)

    def relate(self, e: Expr, new: Expr) -> None:
        """Write one logarithm by others, if the kernel agrees."""
        try:
            self.known.rewrite("log", e, new)
        except SymPrivacyError:
            self.known.polys.clear()
            return
        self.found.append(["log", to_data(e), to_data(new)])

    def _try(self, axiom: str, e: Expr, new: Expr) -> None:
        if new is e or self.known.poly(e) == self.known.poly(new):
            return
        try:
            self.known.rewrite(axiom, e, new)
        except SymPrivacyError:
            self.known.polys.clear()
            return
        self.found.append([axiom, to_data(e), to_data(new)])
        self.visit(new)

    def _new(self, e: Expr) -> Expr | None:
        """What takes the place of a logarithm, a root or another function of one argument."""
        if e.op == "log":
            parts = self.algebra.signs.positive_factors(e.args[0])
            if parts != [(e.args[0], 1)]:
                # One step at a time: the parts are positive, which their own parts need not seem to be.
                return x.add(*(x.mul(x.num(k), x.log(u)) for u, k in parts))
            product = self.algebra.signs.log_of_power(e.args[0])
            if product is not None:
                return product
            return x.add(*(x.mul(x.num(c), t) for c, t in self.algebra.log_terms(self.algebra.normal(e.args[0]))))
        if e.op == "^" and x.is_num(e.args[1]) and x.rational(e.args[1]).denominator > 1:
            parts, q = self.algebra.signs.positive_factors(e.args[0]), x.rational(e.args[1])
            if parts != [(e.args[0], 1)]:
                return _product((u, k * q) for u, k in parts)
            base = self.algebra.normal(e.args[0])
            if not base[0]:
                return x.ZERO
            above, below = self.algebra.root_factors(base)
            return _product([(b, n * q) for b, n in above] + [(b, -n * q) for b, n in below])
        if e.op in _SAME:
            return x.call(e.op, to_expr(self.algebra.normal(e.args[0])))
        return None


def _product(factors: Iterable[tuple[Expr, Rational]]) -> Expr:
    return x.mul(*(x.power(b, x.num(c)) for b, c in factors))
