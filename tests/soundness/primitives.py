"""Attacks on single operations: random end points of any size, at 2 to 400 bits, against Arb and exact fractions."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import flint
from flint import arb, fmpq
from mpmath.libmp import finf, fninf, from_man_exp, mpf_cmp

from symprivacy.errors import NoInformation
from symprivacy.kernel import functions as fn
from symprivacy.kernel import interval as iv
from symprivacy.kernel.calculus import diff
from symprivacy.kernel.data import from_data
from symprivacy.kernel.enclose import limit
from symprivacy.kernel.expr import substitute
from tests.kernel.arb import UndefinedError, UnresolvedError, ball, end, outside, value
from tests.soundness import generate as g
from tests.soundness.attack import Outcome

# Beyond these sizes of arguments Arb's own values take long.
_MAGNITUDES = {"exp": 30, "sinh": 30, "cosh": 30, "erf": 12, "erfc": 12, "tanh": 20}


def real(rng: Random, largest: int = 60) -> iv.Real:
    """A number of 1 to 300 bits between 2**-400 and 2**largest in size."""
    size = rng.choice((1, 3, 24, 53, 300))
    man = rng.getrandbits(size) | 1 << (size - 1)
    top = rng.choice((rng.randint(-400, largest), rng.randint(-4, 4)))
    return from_man_exp(rng.choice((1, -1)) * man, min(top, largest) - size)


def near_one(rng: Random) -> iv.Real:
    """A number that is hard for the inverse functions: 1 plus or minus little."""
    bits = rng.choice((2, 10, 53, 90, 180, 260))
    return from_man_exp((1 << bits) + rng.choice((1, -1)) * rng.randint(1, 3), -bits)


def functions(rng: Random, count: int) -> Outcome:
    """Each function of the table at one number; the derivative of the table against a quotient of differences."""
    out = Outcome()
    for _ in range(count):
        name = rng.choice(sorted(fn.FUNCTIONS))
        x = near_one(rng) if rng.random() < 0.25 else real(rng, _MAGNITUDES.get(name, 60))
        prec = g.precision(rng)
        try:
            r = fn.FUNCTIONS[name].enclose((x, x, False, False), prec)
        except NoInformation:
            out.counts["no information"] += 1
            continue
        out.counts["function values"] += 1
        # Near an end of the domain as many bits are lost as there are zeros.
        flint.ctx.prec = 2 * prec + 1200
        true = getattr(end(x), name)()
        if any(e[3] > prec for e in r[:2]):
            out.violate("too many bits", name, x, prec)
        if not true.is_finite():
            out.violate("a value where there is none", name, x, prec)
        elif outside(true, r):
            out.violate("outside", name, x, prec, iv.to_text(r), true)
    return out


def powers(rng: Random, count: int) -> Outcome:
    """Rational and real powers of one number."""
    out = Outcome()
    for _ in range(count):
        x, prec = real(rng, 40), g.precision(rng)
        q = Fraction(rng.randint(-12, 12), rng.choice((1, 1, 2, 3, 5, 7, 64, 101)))
        y = real(rng, 4)
        flint.ctx.prec = 2 * prec + 2000
        try:
            if rng.random() < 0.7:
                r, true = fn.power_rational((x, x, False, False), q, prec), _power(end(x), q)
            else:
                r, true = fn.power((x, x, False, False), (y, y, False, False), prec), end(x) ** end(y)
        except NoInformation:
            out.counts["no information"] += 1
            continue
        out.counts["powers"] += 1
        if any(e[3] > prec for e in r[:2]):
            out.violate("too many bits", x, q, prec)
        if true.is_finite() and outside(true, r):
            out.violate("outside", x, q, y, prec, iv.to_text(r), true)
    return out


def _power(x: arb, q: Fraction) -> arb:
    if q.denominator == 1:
        return x ** int(q)
    return (x.log() * arb(fmpq(q.numerator, q.denominator))).exp()


def _interval(rng: Random) -> tuple[iv.Interval, list[Fraction]]:
    """An interval with ends of any size, and rational points of it."""
    a, b = real(rng, 60), real(rng, 60)
    if rng.random() < 0.3:
        b = from_man_exp(a[1] * (-1 if a[0] else 1) * 2**80 + rng.randint(0, 9), a[2] - 80)
    lo, hi = (a, b) if mpf_cmp(a, b) <= 0 else (b, a)
    p, q = iv.to_fraction(lo), iv.to_fraction(hi)
    flags = [rng.random() < 0.3 and lo != hi, rng.random() < 0.3 and lo != hi]
    points = [(p + q) / 2, p + (q - p) / 2**70]
    points += [] if flags[0] else [p]
    points += [] if flags[1] else [q]
    if rng.random() < 0.1:
        hi, flags[1] = finf, True
        points.append(abs(q) * 2**50 + 1)
    if rng.random() < 0.1:
        lo, flags[0] = fninf, True
        points.append(-abs(p) * 2**50 - 1)
    return (lo, hi, *flags), points


_PAIRS = {
    "add": (iv.add, lambda p, q: p + q),
    "sub": (iv.sub, lambda p, q: p - q),
    "mul": (iv.mul, lambda p, q: p * q),
    "maximum": (lambda x, y, _: iv.maximum(x, y), max),
    "minimum": (lambda x, y, _: iv.minimum(x, y), min),
    "hull": (lambda x, y, _: iv.hull(x, y), lambda p, q: p),
}
_SINGLES = {
    "neg": (lambda x, _: iv.neg(x), lambda p: -p),
    "absolute": (lambda x, _: iv.absolute(x), abs),
    "rounded": (iv.rounded, lambda p: p),
    "inverse": (iv.inverse, lambda p: 1 / p),
    "square": (lambda x, n: iv.power_int(x, 2, n), lambda p: p * p),
    "cube": (lambda x, n: iv.power_int(x, 3, n), lambda p: p**3),
    "one over a fourth power": (lambda x, n: iv.power_int(x, -4, n), lambda p: 1 / p**4),
    "power one": (lambda x, n: iv.power_int(x, 1, n), lambda p: p),
    "root": (lambda x, n: iv.power_int(iv.sqrt(x, n), 2, n), lambda p: p),
}
_UNROUNDED = frozenset(["neg", "absolute", "maximum", "minimum", "hull"])


def arithmetic(rng: Random, count: int) -> Outcome:
    """Operations on intervals: exact results of points are inside, also where an end is not taken."""
    out = Outcome()
    for _ in range(count):
        x, xs = _interval(rng)
        y, ys = _interval(rng)
        prec, name = g.precision(rng), rng.choice([*_PAIRS, *_SINGLES, "midpoint", "number"])
        out.counts["operations"] += 1
        if name == "midpoint":
            if fninf != x[0] and x[1] != finf:
                _midpoint(out, x, prec)
            continue
        if name == "number":
            r, values = iv.from_fraction(xs[0], prec), [xs[0]]
        else:
            try:
                if name in _PAIRS:
                    r, values = _PAIRS[name][0](x, y, prec), [_PAIRS[name][1](p, q) for p in xs for q in ys]
                else:
                    r = _SINGLES[name][0](x, prec)
                    values = [_SINGLES[name][1](p) for p in xs]
            except NoInformation:
                out.counts["no information"] += 1
                continue
        if name not in _UNROUNDED and any(e[3] > prec for e in r[:2]):
            out.violate("too many bits", name, x, y, prec)
        for v in values:
            if outside(v, r):
                out.violate("outside", name, x, y, prec, v)
    return out


def _midpoint(out: Outcome, x: iv.Interval, prec: int) -> None:
    middle = iv.midpoint(x, prec)
    if mpf_cmp(middle, x[0]) < 0 or mpf_cmp(middle, x[1]) > 0:
        out.violate("a midpoint outside", x, prec)


# What tends to a number at infinity, and that number.
_TAILS: list[tuple[g.Data, int]] = [
    (["^", "x", -1], 0),
    (["^", "x", ["/", -1, 3]], 0),
    (["exp", ["*", -1, "x"]], 0),
    (["erfc", "x"], 0),
    (["tanh", "x"], 1),
    (["erf", ["^", "x", ["/", 1, 2]]], 1),
    (["log", ["+", 1, ["exp", ["*", -2, "x"]]]], 0),
    (["*", ["exp", ["*", -1, "x"]], ["^", "x", -2]], 0),
]


def limits(rng: Random, count: int) -> Outcome:
    """The limit of g(tail, y) is g(its limit, y) where g is continuous."""
    out = Outcome()
    for _ in range(count):
        (a, at_a), (b, at_b) = rng.choice(_TAILS), rng.choice(_TAILS)
        shape = from_data(g.tree(rng, ["u", "v", "y"], rng.choice((1, 2, 2, 3)), smooth=True), frozenset("uvy"))
        whole = substitute(shape, {"u": from_data(a), "v": from_data(b)})
        y = real(rng, 3)
        prec = g.precision(rng, 24)
        try:
            found = limit(whole, "x", True, {"y": (y, y, False, False)}, prec)
        except NoInformation:
            out.counts["no information"] += 1
            continue
        out.counts["limits"] += 1
        try:
            true = value(shape, {"u": Fraction(at_a), "v": Fraction(at_b), "y": iv.to_fraction(y)}, 2 * prec + 900)
        except (UndefinedError, UnresolvedError):
            continue
        if outside(true, found):
            out.violate("outside", whole, y, prec, true)
    return out


def derivatives(rng: Random, count: int) -> Outcome:
    """A derivative is near the quotient of a very small difference."""
    out = Outcome()
    h = Fraction(1, 2**200)
    for _ in range(count):
        e = from_data(g.tree(rng, ["x", "x", "y"], rng.choice((1, 2, 3)), smooth=True), frozenset("xy"))
        at = {"x": Fraction(rng.randint(1, 80), 32), "y": Fraction(rng.randint(1, 80), 32)}
        try:
            low, high = (ball(value(e, {**at, "x": at["x"] + t}, 1500)) for t in (-h, h))
            slope = ball(value(diff(e, "x"), at, 1500))
        except (UndefinedError, UnresolvedError):
            continue
        out.counts["derivatives"] += 1
        gap = abs((high - low) * arb(2) ** 199 - slope)
        # The third derivative times h**2 is far smaller, unless the expression is very steep.
        if gap * arb(2) ** 60 > (1 + abs(slope)) ** 4:
            out.violate("not the derivative", e, at)
    return out
