"""Where the text of a statement points itself: zeros of what it compares, squares, divides by and takes roots of.

A counterexample that samples miss likes to be at such a place, between two of them, or where several meet.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import mpmath

from symprivacy.errors import SymPrivacyError
from symprivacy.kernel import expr as x
from symprivacy.kernel.box import Box, Range, contains
from symprivacy.kernel.expr import Expr
from symprivacy.search.effort import Effort, size
from symprivacy.search.guess import around, narrow, sample_points, sign_at
from symprivacy.search.naming import names
from symprivacy.search.sampling import split_point
from symprivacy.search.solve import solutions

_MOST_EQUATIONS = 24
# Values of one variable, and points of all.
_MOST_VALUES, _MOST_POINTS = 10, 160
DIGITS = 45
_CONNECTIVES = ("<", "<=", "and", "or", "not", "true", "false")


def equations(e: Expr) -> list[Expr]:
    """Expressions inside another at whose zeros it may have a kink, a jump, a dent or no value.

    >>> from symprivacy.language.text import parse
    >>> sorted(map(str, equations(parse("Abs(x - 1/3) + Piecewise((0, x < y), (1/(y - 2)**2, True))"))))
    ["Expr('x - 1/3')", "Expr('x - y')", "Expr('y - 2')"]
    """
    found: dict[Expr, None] = {}
    for n in x.subexpressions(e):
        if n.op == "abs":
            found[n.args[0]] = None
        elif n.op in ("min", "max"):
            found |= {x.sub(a, b): None for a, b in itertools.islice(itertools.combinations(n.args, 2), 10)}
        elif n.op in ("<", "<="):
            found[x.sub(*n.args)] = None
        elif n.op == "log":
            found[n.args[0]] = None
        elif n.op == "^" and x.is_num(n.args[1]):
            k = x.rational(n.args[1])
            if k < 0 or k.denominator > 1 or k % 2 == 0:
                found[n.args[0]] = None
        elif n.op == "*":
            found |= {f: None for f in n.args if f.op == "+"}
    useful = (g for g in found if g.variables and g.op not in ("var", "exp"))
    return list(itertools.islice(useful, _MOST_EQUATIONS))


def zeros(g: Expr, name: str, r: Range, effort: Effort) -> Iterator[Expr]:
    """Points of a range at which a function of one variable seems to vanish: with a name, else to many digits."""
    written = [c for c in solutions(g, name) if contains(r, c)]
    yield from written
    if written:
        return
    before: tuple[Fraction, int] | None = None
    for p in sample_points(r):
        effort.spend(size(g))
        sign = sign_at(g, name, p, 320)
        if sign == 0:
            yield x.num(p)
        if not sign:
            before = None
            continue
        if before is not None and before[1] == -sign:
            yield from named(*narrow(g, name, before[0], p, sign, DIGITS, effort))
        before = p, sign


def named(lo: Fraction, hi: Fraction) -> Iterator[Expr]:
    """Exact numbers that may be meant by a short interval, and its middle."""
    middle = (lo + hi) / 2
    with mpmath.workdps(60):
        value = mpmath.mpf(middle.numerator) / middle.denominator
    yield from names(value)
    yield x.num(middle)


def written(e: Expr, lo: Fraction, hi: Fraction) -> list[Expr]:
    """Numbers that the text writes, or simple multiples of them, that may be meant by a short interval.

    >>> from symprivacy.language.text import parse
    >>> written(parse("x - log(3)/2"), Fraction("1.098612288668"), Fraction("1.098612288669"))
    [Expr('log(3)')]
    """
    middle = (lo + hi) / 2
    found: dict[Expr, None] = {}
    numbers = (n for n in x.subexpressions(e) if not n.variables and n.op not in (*_CONNECTIVES, "num"))
    for n in itertools.islice(numbers, _MOST_EQUATIONS):
        try:
            low, high = around(n)
        except SymPrivacyError:
            continue
        value = (low + high) / 2
        ratio = (middle / value).limit_denominator(12) if value else Fraction(0)
        if ratio and abs(ratio * value - middle) <= abs(middle) / 10**18 + (hi - lo):
            found[x.mul(x.num(ratio), n)] = None
    return list(found)


def values(e: Expr, box: Box, effort: Effort) -> dict[str, list[Expr]]:
    """For every variable the zeros of those parts of an expression that have no other."""
    found: dict[str, dict[Expr, None]] = {n: {} for n in box}
    for g in equations(e):
        if len(g.variables) == 1:
            (name,) = g.variables
            found[name] |= dict.fromkeys(itertools.islice(zeros(g, name, box[name], effort), _MOST_VALUES))
    return {n: list(some)[:_MOST_VALUES] for n, some in found.items()}


def landmarks(e: Expr, box: Box, effort: Effort) -> Iterator[dict[str, Expr]]:
    """Points of a box that the text of an expression names, and points between them.

    >>> from symprivacy.language.domain import box_from_texts
    >>> from symprivacy.language.text import parse
    >>> box = box_from_texts(["x in [0, 1]", "y in [0, 1]"])
    >>> next(landmarks(parse("(3*x - 1)**2 + Abs(x + y - 1)"), box, Effort()))
    {'x': Expr('1/3'), 'y': Expr('2/3')}
    """
    if len(box) == 1:
        ((name, r),) = box.items()
        some = values(e, box, effort)[name]
        yield from ({name: c} for c in some)
        yield from ({name: x.num(p)} for p in _between(some, r))
    elif equations(e):
        yield from itertools.islice(_meeting(e, box, effort), _MOST_POINTS)


def _between(some: list[Expr], r: Range) -> Iterator[Fraction]:
    """Numbers between neighbouring landmarks, and close to each."""
    ends = sorted({q for c in some for q in around(c)})
    yield from ((a + b) / 2 for a, b in itertools.pairwise(ends))
    for at in ends:
        for digits in (6, 15, 30, 60):
            for step in (Fraction(1, 10**digits), -Fraction(1, 10**digits)):
                if contains(r, x.num(at + step)):
                    yield at + step


def _meeting(e: Expr, box: Box, effort: Effort) -> Iterator[dict[str, Expr]]:
    """Where equations in one variable meet, and what those in several say once all but one of theirs are known."""
    known = values(e, box, effort)
    coupled = [g for g in equations(e) if len(g.variables) > 1]
    rest = {n: [c for c in usual(r) if c not in known[n]] for n, r in box.items()}
    ways = _Ways(coupled, rest, box, effort)
    # Points with as many landmarks as possible come first.
    for missing in range(len(box) + 1):
        for left in itertools.combinations(box, missing):
            columns = [known[n] for n in box if n not in left]
            for some in itertools.product(*columns):
                at = dict(zip((n for n in box if n not in left), some, strict=True))
                yield from ways.filled(at, list(left))


@dataclass(frozen=True)
class _Ways:
    """Equations in several variables, what else is put for each of them, and where they may be."""

    coupled: list[Expr]
    rest: dict[str, list[Expr]]
    box: Box
    effort: Effort

    def filled(self, at: dict[str, Expr], left: list[str]) -> Iterator[dict[str, Expr]]:
        """Points with what is known and something for each variable that is left: what equations say comes first."""
        if not left:
            yield {n: at[n] for n in self.box}
            return
        yield from self._by_equations(at, left)
        for c in self.rest[left[0]]:
            yield from self.filled({**at, left[0]: c}, left[1:])
        for name in left[1:]:
            for c in self.rest[name]:
                yield from self._by_equations({**at, name: c}, [n for n in left if n != name])

    def _by_equations(self, at: dict[str, Expr], left: list[str]) -> Iterator[dict[str, Expr]]:
        for g in self.coupled:
            unknown = g.variables - set(at)
            if len(unknown) != 1:
                continue
            (name,) = unknown
            try:
                h = x.substitute(g, {n: at[n] for n in g.variables if n in at})
                found = list(itertools.islice(zeros(h, name, self.box[name], self.effort), 3)) if h.variables else []
            except SymPrivacyError:
                continue
            for c in found:
                yield from self.filled({**at, name: c}, [n for n in left if n != name])


def usual(r: Range) -> Iterator[Expr]:
    """Ends and the middle of a range."""
    for end, is_open in ((r.lo, r.lo_open), (r.hi, r.hi_open)):
        if end is not None and not is_open:
            yield end
    yield x.num(split_point(r))
