"""Formulas with implicit variables, evaluated rigorously at rising precision.

A formula is an expression over the parameters and over roots: variables x > 0 fixed by an equation f(x) = y with f
increasing. Where there is no root it is a closed form.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import mpmath
from mpmath.libmp import fninf, fzero, mpf_abs, mpf_cmp, mpf_mul, mpf_sub

from symprivacy.errors import NoInformation
from symprivacy.implications.numbers.invert import invert
from symprivacy.implications.numbers.numeric import function
from symprivacy.kernel import interval as iv
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.expr import Expr, num, substitute, var
from symprivacy.kernel.interval import Interval
from symprivacy.language.text import parse, to_text

Given = Mapping[str, Expr]
Evaluator = Callable[[int], Interval]
ATTEMPTS = 8


Part = str | Expr | Fraction | int


def expression(part: Part) -> Expr:
    """The expression that a text stands for, read once; an expression is itself, and a number is one."""
    if isinstance(part, str):
        return _read(part)
    return part if isinstance(part, Expr) else num(part)


@lru_cache(maxsize=4096)
def _read(text: str) -> Expr:
    return parse(text)


def put(text: Part, /, **parts: Part) -> Expr:
    """An expression with others in place of its variables, all at once.

    >>> put("sqrt(k/2)", k="eps*k"), put("c/k", c=1, k=put("1 + c"))
    (Expr('sqrt(eps*k/2)'), Expr('1/(c + 1)'))
    """
    return substitute(expression(text), {name: expression(part) for name, part in parts.items()})


def spelled(part: Part) -> str:
    """A part as it was written, or as its expression is written."""
    return part if isinstance(part, str) else to_text(expression(part))


@dataclass(frozen=True)
class Root:
    """The variable ``name`` > 0 with ``left`` (increasing in it) equal to ``right``.

    ``sharp`` are the sides of an equivalent equation that keep their digits where the others lose them.
    """

    name: str
    left: Part
    right: Part
    sharp: tuple[Part, Part] | None = None

    def __str__(self) -> str:
        return f"{spelled(self.left)} = {spelled(self.right)}"

    @property
    def equation(self) -> tuple[Expr, Expr]:
        """Both sides as they are shown."""
        return expression(self.left), expression(self.right)

    def sides(self) -> tuple[Expr, Expr]:
        """The equation that is solved."""
        return self.equation if self.sharp is None else (expression(self.sharp[0]), expression(self.sharp[1]))


@dataclass(frozen=True)
class Formula:
    """An expression with the equations that fix its implicit variables.

    Its parts are expressions, or texts of the tables, which are read once and printed as they are written there.
    ``sharp`` is an equal expression that is evaluated in its place, because it keeps its digits next to 0.

    >>> f = Formula("tanh(x/2)", (Root("x", "x*tanh(x/2)", "k"),))
    >>> print(f)
    tanh(x/2) where x*tanh(x/2) = k
    >>> iv.to_text(f.evaluate({"k": parse("1")}, 80), 12)
    '[0.64791822903, 0.64791822903]'
    """

    body: Part
    roots: tuple[Root, ...] = ()
    sharp: Part = ""

    @property
    def text(self) -> str:
        """The expression as it is written."""
        return spelled(self.body)

    def __str__(self) -> str:
        return self.text + (" where " + ", ".join(map(str, self.roots)) if self.roots else "")

    def expr(self) -> Expr:
        """The expression itself."""
        return expression(self.body)

    def is_just(self, part: Part | None) -> bool:
        """Whether it is a given expression, with no implicit variables; it is nothing where none is given.

        >>> Formula("1 - 1/2").is_just(Formula("1/2").expr()), Formula("x").is_just(None)
        (True, False)
        """
        return part is not None and not self.roots and self.expr() is expression(part)

    @property
    def where(self) -> str:
        """The equations in words, marked as formulas; empty where there are none."""
        return "".join(f" where `{to_text(r.equation[0])} = {to_text(r.equation[1])}`" for r in self.roots)

    def evaluate(self, given: Given, prec: int) -> Interval:
        """An enclosure of the value at these parameters."""
        return enclose(expression(self.sharp or self.body), self.box(given, prec), prec)

    def box(self, given: Given, prec: int) -> dict[str, Interval]:
        """Enclosures of the parameters and of the implicit variables."""
        box = constants(given, prec)
        for root in self.roots:
            box[root.name] = _solve(root, self.roots, given, prec)
        return box

    def of(self, inner: Mapping[str, Part], roots: tuple[Root, ...] = ()) -> Formula:
        """The formula with expressions put for some of its variables, in the roots as well."""
        mapping = {name: expression(part) for name, part in inner.items()}
        if all(e is var(name) for name, e in mapping.items()):
            return Formula(self.body, (*roots, *self.roots), self.sharp)

        def put(part: Part) -> Part:
            return substitute(expression(part), mapping)

        own = tuple(
            Root(r.name, put(r.left), put(r.right), (put(r.sharp[0]), put(r.sharp[1])) if r.sharp else None)
            for r in self.roots
        )
        return Formula(put(self.body), (*roots, *own), put(self.sharp) if self.sharp else "")

    def after(self, name: str, first: Formula, more: Mapping[str, Part] | None = None) -> Formula:
        """This formula with another one put for a variable; implicit variables are kept apart.

        >>> print(Formula("sqrt(k/2)").after("k", Formula("eps*tanh(eps/2)")))
        sqrt(eps*tanh(eps/2)/2)
        """
        taken = {root.name for root in first.roots}
        renamed = {root.name: _fresh(root.name, taken) for root in self.roots if root.name in taken}
        apart = Formula(self.body, self.roots).of(renamed)
        roots = tuple(Root(renamed.get(r.name, r.name), r.left, r.right) for r in apart.roots)
        return Formula(apart.body, roots).of({name: first.body, **(more or {})}, first.roots)


def _fresh(name: str, taken: set[str]) -> str:
    k = 1
    while f"{name}_{k}" in taken:
        k += 1
    return f"{name}_{k}"


#: A comparison by which a rule chose its branch: both sides and the sign of their difference, if it could be told.
Seen = tuple[Formula, Formula, int | None]


def constants(given: Given, prec: int) -> dict[str, Interval]:
    """Enclosures of the parameters."""
    return {name: enclose(value, {}, prec) for name, value in given.items()}


def _solve(root: Root, roots: tuple[Root, ...], given: Given, prec: int) -> Interval:
    left, right = root.sides()
    before = roots[: roots.index(root)]

    @lru_cache(maxsize=8)
    def known(wp: int) -> dict[str, Interval]:
        box = constants(given, wp)
        for earlier in before:
            box[earlier.name] = _solve(earlier, roots, given, wp)
        return box

    def f(x: Interval, wp: int) -> Interval:
        return enclose(left, {**known(wp), root.name: x}, wp)

    def plain() -> Callable[[Any], Any]:
        box = {name: mpmath.mp.make_mpf(x[0]) for name, x in known(mpmath.mp.prec).items()}
        return function(left, root.name, box)

    return invert(f, lambda wp: enclose(right, known(wp), wp), prec, plain)


def narrow(x: Interval, digits: int) -> bool:
    """Whether an enclosure has that many correct digits."""
    if x[0] == x[1]:
        return True
    if not (iv.is_finite(x[0]) and iv.is_finite(x[1])):
        return False
    width = mpf_sub(x[1], x[0], 53, "c")
    scaled = mpf_mul(width, iv.from_fraction(10 ** (digits + 3), 53)[1], 53, "c")
    return bool(mpf_cmp(scaled, mpf_abs(x[0])) <= 0)


def settle(evaluate: Evaluator, digits: int, attempts: int = ATTEMPTS) -> Interval:
    """The value of a level, which is never negative, at rising precision until the digits are there.

    >>> from fractions import Fraction
    >>> iv.to_text(settle(lambda prec: iv.from_fraction(Fraction(1, 3), prec), 10), 8)
    '[0.33333333, 0.33333333]'
    """
    prec, best = int(digits * 3.33) + 50, (fzero, iv.WHOLE[1], False, True)
    missing: NoInformation | None = None
    for _ in range(attempts):
        try:
            found = evaluate(prec)
            missing = None
        except NoInformation as error:
            missing = error
        else:
            if found[0] == fninf or mpf_cmp(found[0], fzero) < 0:
                found = (fzero, found[1], False, found[3])
            best = iv.intersect(best, found)
            if narrow(best, digits):
                break
        prec *= 2
    if missing is not None and not iv.is_finite(best[1]):
        raise missing
    return best
