"""Where a smooth function of one variable seems to vanish. Guesses only: a certificate decides."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

import mpmath

from symprivacy.errors import NoInformation, UnsupportedError
from symprivacy.kernel import expr as x
from symprivacy.kernel import interval as iv
from symprivacy.kernel.box import Range, contains
from symprivacy.kernel.calculus import diff
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.expr import Expr
from symprivacy.search.effort import Effort, size
from symprivacy.search.floats import approximate, nearest
from symprivacy.search.leaf import exact_sign
from symprivacy.search.naming import names
from symprivacy.search.solve import solutions

FINE = 1200
GRID = 40
_CLEAR = 1e-8
# Products beyond this, or its reciprocal, are no floats.
_SMALLEST = Fraction(1, 2**1000)


@dataclass(frozen=True, slots=True)
class Place:
    """Two numbers between which a function vanishes (or seems to), and the exact zero if it has a name."""

    lo: Fraction
    hi: Fraction
    exact: Expr | None = None


def sign_at(g: Expr, name: str, at: Fraction, limit: int = FINE) -> int | None:
    """The sign at a point; 0 if it is too small to tell, None if there is no value. Floating point may decide."""
    value = approximate(g, {name: nearest(at)})
    terms = g.args if g.op == "+" else (g,)
    if len(terms) > 1 and math.isfinite(value):
        scale = math.fsum(abs(v) for v in (approximate(t, {name: nearest(at)}) for t in terms))
        if abs(value) > _CLEAR * scale:
            return 1 if value > 0 else -1
    return sure_sign(g, name, at, limit)


def sure_sign(g: Expr, name: str, at: Fraction, limit: int = FINE) -> int | None:
    """The sign at a point by enclosures alone; 0 if it is too small to tell, None if there is no value."""
    prec = 80
    while True:
        try:
            sign = iv.sign_known(enclose(g, {name: iv.from_fraction(at, prec)}, prec))
        except NoInformation:
            return None
        if sign or prec >= limit:
            return sign
        prec = min(4 * prec, limit)


def around(c: Expr, digits: int = 40) -> tuple[Fraction, Fraction]:
    """Rational numbers around an exact one."""
    if c.op == "num":
        return x.rational(c), x.rational(c)
    lo, hi, _, _ = enclose(c, {}, 4 * digits + 60)
    return iv.to_fraction(lo), iv.to_fraction(hi)


def sample_points(r: Range) -> list[Fraction]:
    """Points of a range in order: evenly spread, and ever closer to its ends, to 0 and to infinity."""
    lo = None if r.lo is None else around(r.lo)[1]
    hi = None if r.hi is None else around(r.hi)[0]
    near = [Fraction(1, 2**k) for k in (*range(1, 20), *range(22, 64, 4))]
    far = [Fraction(2) ** k for k in (*range(12), *range(12, 64, 4))]
    points: set[Fraction] = set()
    if lo is not None and hi is not None:
        w = hi - lo
        # Dyadic multiples of the width would hit symmetric zeros again and again; 41 parts do not.
        points.update(lo + w * Fraction(i, GRID + 1) for i in range(GRID + 2))
        points.update(p for t in near for p in (lo + w * t, hi - w * t))
        if lo < 0 < hi:
            points.update(p for t in (Fraction(0), *near) for p in (lo * t, hi * t))
    elif lo is not None:
        points.update(lo + t for t in (*near, *far, *(s * 3 / 4 for s in near + far), Fraction(0)))
    elif hi is not None:
        points.update(hi - t for t in (*near, *far, *(s * 3 / 4 for s in near + far), Fraction(0)))
    else:
        points.update(s * t for s in (1, -1) for t in (*near, *far, *(s * 3 / 4 for s in near + far), Fraction(0)))
    return sorted(p for p in points if _inside(p, r, lo, hi))


def _inside(p: Fraction, r: Range, lo: Fraction | None, hi: Fraction | None) -> bool:
    """Inside for certain: an irrational end has been rounded inward, and its rounding may be taken."""
    above = lo is None or p > lo or (p == lo and not (r.lo_open and r.lo is not None and r.lo.op == "num"))
    below = hi is None or p < hi or (p == hi and not (r.hi_open and r.hi is not None and r.hi.op == "num"))
    return above and below


def places(g: Expr, name: str, r: Range, effort: Effort, more: Iterable[Fraction] = ()) -> list[Place]:
    """Where the function seems to vanish in the range: named zeros, and brackets of sign changes."""
    found: list[Place] = []
    for end, is_open in ((r.lo, r.lo_open), (r.hi, r.hi_open)):
        if end is not None and not is_open and exact_sign(x.substitute(g, {name: end})) == 0:
            found.append(Place(*around(end), end))
    for c in solutions(g, name):
        if contains(r, c) and exact_sign(x.substitute(g, {name: c})) == 0:
            found.append(Place(*around(c), c))
    signs: list[tuple[Fraction, int]] = []
    for p in sorted({*sample_points(r), *more}):
        effort.spend(size(g))
        s = sign_at(g, name, p)
        if s == 0 and exact_sign(x.substitute(g, {name: x.num(p)})) == 0:
            found.append(Place(p, p, x.num(p)))
        elif s:
            signs.append((p, s))
    signs = sorted({*signs, *_dips(g, name, r, effort, signs, found)})
    for (a, sa), (b, sb) in pairwise(signs):
        if sa == sb or _explained(a, b, found):
            continue
        # Floating point has seen the change; make sure of it before anything is built on it.
        if sure_sign(g, name, a) == -sb and sure_sign(g, name, b) == sb:
            found.append(_named(g, name, r, Place(*narrow(g, name, a, b, sb, effort=effort))))
    return _distinct(found)


def _explained(a: Fraction, b: Fraction, found: list[Place]) -> bool:
    """Whether an exact zero is known between two points: reason enough for a sign change or a turn there."""
    return any(p.exact is not None and a <= p.hi and p.lo <= b for p in found)


def _distinct(found: list[Place]) -> list[Place]:
    result: list[Place] = []
    for p in sorted(found, key=lambda p: (p.lo, p.hi, p.exact is None)):
        if result and p.lo <= result[-1].hi and (p.exact is None) <= (result[-1].exact is None):
            c, d = p.exact, result[-1].exact
            if c is d or (c is not None and d is not None and exact_sign(x.sub(c, d)) == 0):
                continue
        result.append(p)
    return result


def _dips(
    g: Expr,
    name: str,
    r: Range,
    effort: Effort,
    signs: list[tuple[Fraction, int]],
    found: list[Place],
) -> Iterator[tuple[Fraction, int]]:
    """Points of the other sign, or zeros without a sign change, where the function turns back before zero."""
    try:
        slope = diff(g, name)
    except UnsupportedError:
        return
    slopes = [(p, s, approximate(slope, {name: nearest(p)})) for p, s in signs]
    for (a, sa, da), (b, sb, db) in pairwise(slopes):
        if sa != sb or not (sa * da < 0 < sb * db) or _explained(a, b, found):
            continue
        if sure_sign(slope, name, a, 320) != -sa or sure_sign(slope, name, b, 320) != sa:
            # Cancellation near a root of higher order makes floating point see turns that are not there.
            continue
        low, high = a, b
        for _ in range(60):
            middle = (low + high) / 2
            effort.spend(size(slope))
            here = sign_at(slope, name, middle, 80)
            if not here:
                low = high = middle
                break
            low, high = (middle, high) if here == -sa else (low, middle)
        # Far from zero at the turning point: no root, and no need for precision.
        here_float = {name: nearest(low)}
        scale = sum(abs(approximate(t, here_float)) for t in g.args)
        if abs(approximate(g, here_float)) > 1e-6 * scale:
            continue
        turn = _named(slope, name, r, Place(*narrow(slope, name, a, b, sa, effort=effort)))
        if turn.exact is not None and exact_sign(x.substitute(g, {name: turn.exact})) == 0:
            found.append(turn)
            continue
        s = sign_at(g, name, (turn.lo + turn.hi) / 2)
        if s:
            yield (turn.lo + turn.hi) / 2, s


def narrow(
    g: Expr, name: str, a: Fraction, b: Fraction, sign_b: int, digits: int = 40, effort: Effort | None = None
) -> tuple[Fraction, Fraction]:
    """A short interval inside [a, b] at whose ends the function has opposite signs (the right one is given).

    Newton's method proposes, two signs confirm; where that fails, bisection goes on as far as signs can be told.
    """
    goal_width, limit = Fraction(1, 10**digits), max(FINE, 8 * digits)
    for step in range(8 * digits):
        scale = max(abs(a), abs(b)) if a * b > 0 else b - a
        if b - a <= goal_width * scale:
            return a, b
        if effort is not None:
            effort.spend(size(g, 4 * digits))
        if step % 40 == 12:
            guess = _newton(g, name, (a + b) / 2, digits)
            if guess is not None:
                unit = abs(guess) * goal_width / 4 or goal_width
                low, high = guess - unit, guess + unit
                signs = [sure_sign(g, name, end, limit) for end in (low, high)] if a < low and high < b else []
                if signs == [-sign_b, sign_b]:
                    return low, high
        middle = _halfway(a, b)
        here = sure_sign(g, name, middle, limit)
        if not here:
            return (middle, middle) if here == 0 else (a, b)
        a, b = (a, middle) if here == sign_b else (middle, b)
    return a, b


def _halfway(a: Fraction, b: Fraction) -> Fraction:
    """A number between two others: across many orders of magnitude the geometric middle is the better one."""
    if not 0 < 4 * a < b:
        return (a + b) / 2
    if _SMALLEST < a * b < 1 / _SMALLEST:
        return Fraction(math.sqrt(a * b))
    # No float: a power of two between them.
    exponents = [v.numerator.bit_length() - v.denominator.bit_length() for v in (a, b)]
    power = Fraction(2) ** (sum(exponents) // 2)
    return power if a < power < b else (a + b) / 2


@lru_cache(maxsize=512)
def names_between(g: Expr, name: str, a: Fraction, b: Fraction) -> tuple[Expr, ...]:
    """Exact numbers that may be the root of a function that changes sign between two numbers.

    >>> from symprivacy.language.text import parse
    >>> names_between(parse("x**3 - 2"), "x", Fraction(1), Fraction(2))
    (Expr('2**(1/3)'),)
    """
    lo, hi = narrow(g, name, a, b, sure_sign(g, name, b) or 1)
    with mpmath.workdps(60):
        return tuple(names(mpmath.mpf((lo + hi).numerator) / (2 * (lo + hi).denominator)))


def _newton(g: Expr, name: str, start: Fraction, digits: int) -> Fraction | None:
    try:
        slope = diff(g, name)
    except UnsupportedError:
        return None
    prec = 4 * digits + 40
    with mpmath.workprec(prec):
        at = mpmath.mpf(start.numerator) / start.denominator
        for _ in range(12 + digits.bit_length()):
            here = {name: (at._mpf_, at._mpf_, False, False)}
            try:
                value, rise = (_middle(enclose(e, here, prec)) for e in (g, slope))
            except NoInformation:
                return None
            if not rise or not mpmath.isfinite(value / rise):
                return None
            step = value / rise
            at -= step
            if abs(step) <= abs(at) * mpmath.mpf(10) ** (-digits - 3):
                return iv.to_fraction(at._mpf_)
    return None


def _middle(v: iv.Interval) -> mpmath.mpf:
    return (mpmath.mp.make_mpf(v[0]) + mpmath.mp.make_mpf(v[1])) / 2


def _named(g: Expr, name: str, r: Range, place: Place) -> Place:
    """The place with an exact name, if one fits."""
    middle = (place.lo + place.hi) / 2
    with mpmath.workdps(60):
        value = mpmath.mpf(middle.numerator) / middle.denominator
    for c in names(value):
        if contains(r, c) and exact_sign(x.substitute(g, {name: c})) == 0:
            return Place(*around(c), c)
    return place
