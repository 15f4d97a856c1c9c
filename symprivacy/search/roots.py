"""roots: every root of a function of one variable in a range, each with proved existence and uniqueness."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

from mpmath.libmp import to_str

from symprivacy.algebra.complete import complete
from symprivacy.errors import CertificateError, SymPrivacyError
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Range, range_to_data
from symprivacy.kernel.chart import FORMAT, Cell
from symprivacy.kernel.data import to_data
from symprivacy.kernel.enclose import constant_sign
from symprivacy.kernel.expr import Expr
from symprivacy.kernel.interval import to_text as interval_text
from symprivacy.kernel.spelling import number
from symprivacy.language.certificates import chart_cells
from symprivacy.language.digits import require_digits
from symprivacy.language.text import to_text
from symprivacy.search.builder import Builder
from symprivacy.search.chart import unknown
from symprivacy.search.effort import Effort
from symprivacy.search.guess import around, narrow
from symprivacy.search.kinks import cells_of
from symprivacy.shown import Shown

DEFAULT_TIMEOUT = 30.0
DIGITS = 30
# A few seconds; what is not decided then is said to be so.
STEPS = 750_000


@dataclass(frozen=True, slots=True)
class Root(Shown):
    """One root: ``lo <= root <= hi``, exactly one in its cell.

    ``multiplicity`` is None where the function is not smooth; ``exact`` is the root itself if it has a name.
    """

    lo: Fraction
    hi: Fraction
    multiplicity: int | None
    exact: Expr | None = None
    monotone: Expr | None = field(default=None, repr=False, compare=False)
    var: str = field(default="", repr=False, compare=False)

    def refine(self, digits: int) -> Root:
        """The same root between two numbers that agree to about this many significant digits."""
        if self.exact is not None:
            lo, hi = around(self.exact, digits + 5)
        elif self.monotone is None:
            return self
        else:
            lo, hi = self._bracket(self.monotone, digits)
        if lo == hi:
            return replace(self, lo=lo, hi=hi)
        unit = _unit(lo, hi, digits)
        return replace(self, lo=math.floor(lo / unit) * unit, hi=math.ceil(hi / unit) * unit)

    def _bracket(self, g: Expr, digits: int) -> tuple[Fraction, Fraction]:
        sign_hi = constant_sign(x.substitute(g, {self.var: x.num(self.hi)}))
        if sign_hi not in (1, -1):
            return self.lo, self.hi
        lo, hi = narrow(g, self.var, self.lo, self.hi, sign_hi, digits + 4)
        for end, sign in ((lo, -sign_hi), (hi, sign_hi)):
            # What the search proposes counts only if the kernel sees the opposite signs.
            if constant_sign(x.substitute(g, {self.var: x.num(end)}), 16 * digits + 4000) != sign:
                return self.lo, self.hi
        return lo, hi

    def to_sympy(self) -> Any:
        """The root as a sympy number if it has a name, else the sympy Interval that encloses it.

        >>> from symprivacy import roots
        >>> [r.to_sympy() for r in roots("(exp(x) - 2)*(2*x - 3)", "x in [0, 5]").roots]
        [log(2), 3/2]
        """
        from symprivacy.language.bridge import range_to_sympy, to_sympy

        if self.exact is not None:
            return to_sympy(self.exact)
        return range_to_sympy(Range(x.num(self.lo), x.num(self.hi)))

    def to_json(self) -> dict[str, Any]:
        """``lo`` and ``hi`` as decimals rounded outward; both are the root itself if it is rational."""
        data: dict[str, Any] = {"lo": decimal(self.lo), "hi": decimal(self.hi), "multiplicity": self.multiplicity}
        return data if self.exact is None else {**data, "exact": to_text(self.exact)}


def _unit(lo: Fraction, hi: Fraction, digits: int) -> Fraction:
    """The last of so many digits of the larger end."""
    size = max(abs(lo), abs(hi))
    exponent = math.floor(_log10(size)) if size else 0
    return Fraction(10) ** (exponent + 1 - digits)


def _log10(q: Fraction) -> float:
    return (math.log2(q.numerator) - math.log2(q.denominator)) * math.log10(2)


def decimal(q: Fraction) -> str:
    """A decimal if the number has one, else a quotient.

    >>> decimal(Fraction(-1, 8)), decimal(Fraction(1, 3)), decimal(Fraction(7))
    ('-0.125', '1/3', '7')
    """
    places, rest = 0, q.denominator
    for p in (2, 5):
        count = 0
        while rest % p == 0:
            rest //= p
            count += 1
        places = max(places, count)
    if rest != 1:
        return number(q)
    digits = number(abs(q.numerator) * 10**places // q.denominator).rjust(places + 1, "0")
    whole, part = (digits[:-places], digits[-places:]) if places else (digits, "")
    return ("-" if q < 0 else "") + (f"{whole}.{part}" if part else whole)


@dataclass(frozen=True, slots=True)
class RootList(Shown):
    """The roots of one function in one range, from left to right.

    ``complete`` says that there are no others; ``reason`` says why not, or where the function has no value.
    """

    roots: tuple[Root, ...]
    complete: bool
    certificate: dict[str, Any] = field(repr=False)
    reason: str = ""

    def to_json(self) -> dict[str, Any]:
        """The stable JSON form."""
        data: dict[str, Any] = {"roots": [r.to_json() for r in self.roots], "complete": self.complete}
        return {**data, "reason": self.reason} if self.reason else data


def roots(f: Expr, var: str, r: Range, digits: int = DIGITS, timeout: float | None = DEFAULT_TIMEOUT) -> RootList:
    """All roots of an expression in a range, refined to ``digits`` significant digits.

    >>> from symprivacy.language.domain import make_range
    >>> from symprivacy.language.text import parse
    >>> found = roots(parse("(exp(x) - 2)**2*(x**2 - 2)"), "x", make_range("0", "oo", False, True), digits=10)
    >>> [(r.to_json()["lo"], r.multiplicity, r.exact) for r in found.roots], found.complete
    ([('0.6931471805', 2, Expr('log(2)')), ('1.414213562', 1, Expr('sqrt(2)'))], True)
    """
    require_digits(digits)
    certificate, cells, reason = chart(f, x.ZERO, var, r, timeout)
    found: list[Root] = []
    complete = True
    remarks = [reason] if reason else []
    for cell in cells:
        if cell.kind == "root" or (cell.kind == "zero" and cell.range.is_point()):
            found.append(root_of(cell, var))
        elif cell.kind == "zero":
            complete = False
            remarks.append(f"identically zero {short(cell.range)}")
        elif cell.kind == "undefined":
            remarks.append(f"no real value {short(cell.range)}")
        elif cell.kind == "unknown":
            complete = False
            remarks.append(f"not decided {short(cell.range)}")
    return RootList(_apart(found, digits), complete, certificate, "; ".join(remarks))


def _apart(found: list[Root], digits: int) -> tuple[Root, ...]:
    """The roots refined to so many digits, and further where their enclosures would meet."""
    refined = [r.refine(digits) for r in found]
    for more in (2 * digits, 4 * digits, 8 * digits):
        close = {i + k for i, (p, q) in enumerate(pairwise(refined)) if p.hi >= q.lo for k in (0, 1)}
        refined = [found[i].refine(more) if i in close else r for i, r in enumerate(refined)]
    return tuple(refined)


def short(r: Range) -> str:
    """Where, for a remark: end points with many digits are cut.

    >>> short(Range(x.num(Fraction(1, 2)), None)), short(Range(x.ZERO, x.ZERO))
    ('on [1/2, oo)', 'at 0')
    """
    if r.is_point() and r.lo is not None:
        return f"at {to_text(r.lo)}"
    if len(str(r)) <= 60:
        return f"on {r}"
    lo, hi = (to_str(end, 12) for end in r.interval(53)[:2])
    return f"near {lo}" if lo == hi else f"on about {interval_text(r.interval(53), 6)}"


def root_of(cell: Cell, var: str) -> Root:
    """The root in a cell that the checker has accepted."""
    if cell.exact is not None:
        lo, hi = around(cell.exact)
        return Root(lo, hi, cell.multiplicity, cell.exact)
    if cell.lo is None or cell.hi is None:
        raise CertificateError("the cell has no isolated root")
    return Root(min(cell.lo, cell.hi), max(cell.lo, cell.hi), cell.multiplicity, None, cell.monotone, var)


def chart(
    lhs: Expr,
    rhs: Expr,
    var: str,
    r: Range,
    timeout: float | None = DEFAULT_TIMEOUT,
) -> tuple[dict[str, Any], Sequence[Cell], str]:
    """A chart certificate of ``lhs - rhs``, the cells that the checker has verified, and remarks."""
    b = Builder(var, Effort.within(timeout, STEPS))
    f = x.sub(lhs, rhs)
    try:
        cells = cells_of(b, f, r)
    except (SymPrivacyError, RecursionError) as e:
        b.note(str(e) if isinstance(e, SymPrivacyError) else "the expression is nested too deeply")
        cells = [unknown(r)]
    head = {"format": FORMAT, "lhs": to_data(lhs), "rhs": to_data(rhs), "var": var, "domain": range_to_data(r)}
    certificate = complete({**head, "cells": cells})
    try:
        verified = chart_cells(certificate)
    except CertificateError as e:
        b.note(f"a cell was found that the checker does not accept: {e}")
        certificate["cells"] = [_accepted(head, cell) for cell in certificate["cells"]]
        try:
            verified = chart_cells(certificate)
        except CertificateError:
            certificate["cells"] = [unknown(r)]
            verified = chart_cells(certificate)
    return certificate, _merged(verified), "; ".join(b.notes[:3])


def _accepted(head: dict[str, Any], cell: dict[str, Any]) -> dict[str, Any]:
    """The cell if the checker accepts it alone, else one that claims nothing."""
    try:
        chart_cells({**head, "domain": cell["interval"], "cells": [cell]})
    except CertificateError:
        return {"kind": "unknown", "interval": cell["interval"]}
    return cell


def _merged(cells: Sequence[Cell]) -> list[Cell]:
    """Zero cells that meet, as one: a point at the end of an interval of zeros is not an isolated root."""
    result: list[Cell] = []
    for c in cells:
        if result and c.kind == result[-1].kind and c.kind in ("zero", "unknown", "undefined"):
            before = result.pop().range
            c = Cell(c.kind, Range(before.lo, c.range.hi, before.lo_open, c.range.hi_open))
        result.append(c)
    return result
