"""Seeded hostile input: expressions as end points, boxes narrower than an ulp or infinite, trees in no normal form.

Everything is JSON data as certificates carry it, so that both checkers read the same. ``Random`` is the only state: the
same seed gives the same input on every machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

import flint

from symprivacy.kernel.data import from_data
from tests.kernel.arb import UnresolvedError, Value, ball, value

Data = Any
# The narrowest box is 2**-200 wide; what is sampled must resolve a small part of that.
BITS = 640
_SMALL = sorted({Fraction(p, q) for p in range(-5, 6) for q in (1, 2, 3, 8)})
_EXPONENTS = [Fraction(p, q) for p in (-3, -2, -1, 1, 2, 3, 5) for q in (1, 1, 1, 2, 3, 4)]
_ANYWHERE = ("exp", "sinh", "cosh", "tanh", "asinh", "erf", "erfc")
_SOMEWHERE = ("log", "acosh", "atanh", "erfinv")


def rational(q: Fraction) -> Data:
    """A rational number."""
    return q.numerator if q.denominator == 1 else ["/", q.numerator, q.denominator]


def nested(depth: int, inner: Data) -> Data:
    """Square roots of square roots."""
    for _ in range(depth):
        inner = ["^", inner, ["/", 1, 2]]
    return inner


def minus(a: Data, b: Data) -> Data:
    """A difference."""
    return ["+", a, ["*", -1, b]]


@dataclass(frozen=True)
class Ends:
    """A range as in a certificate, and expressions for some of its points."""

    data: list[Any]
    points: tuple[Data, ...]


def _curve(rng: Random) -> tuple[Any, Fraction]:
    """An increasing function on positive numbers that makes a number irrational, and where to use it."""
    at = Fraction(rng.randint(5, 40), 8)
    depth = rng.choice((1, 2, 3, 5, 8))
    return rng.choice(
        (
            lambda q: rational(q),
            lambda q: nested(depth, rational(q)),
            lambda q: ["exp", rational(q)],
            lambda q: ["log", ["+", 1, rational(q)]],
            lambda q: ["*", -1, nested(depth, ["^", rational(q), -1])],
            lambda q: ["+", ["pi"], nested(depth, rational(q))],
            lambda q: ["*", ["tanh", rational(q)], ["/", 7, 8]],
        ),
    ), at


def ends(rng: Random) -> Ends:
    """A range whose ends are the same function of numbers that are 2**-200 to 8 apart, or infinite."""
    curve, at = _curve(rng)
    kind = rng.random()
    if kind < 0.1:
        return Ends([curve(at), curve(at), False, False], (curve(at),))
    if kind < 0.3:
        width = Fraction(8) / 2 ** rng.randint(0, 12)
    elif kind < 0.55:
        width = Fraction(1, 2 ** rng.randint(20, 60))
    else:
        width = Fraction(1, 2 ** rng.randint(1, 200))
    flags = [rng.random() < 0.3, rng.random() < 0.3]
    parts = [Fraction(1, 2), Fraction(1, 2**20), 1 - Fraction(1, 2**20), Fraction(rng.randint(1, 99), 100)]
    parts += [] if flags[0] else [Fraction(0)]
    parts += [] if flags[1] else [Fraction(1)]
    inside = tuple(curve(at + t * width) for t in parts)
    lo, hi = curve(at), curve(at + width)
    if rng.random() < 0.08:
        return Ends([lo, None, flags[0], True], (*inside, 1000, 10**5))
    if rng.random() < 0.05:
        return Ends([None, hi, True, flags[1]], (*inside, -1000, -(10**5)))
    if rng.random() < 0.2:
        zero = ["/", 0, 1]
        return Ends([zero, rational(width), *flags], tuple(rational(t * width) for t in parts))
    return Ends([lo, hi, *flags], inside)


def box(rng: Random, names: str = "xy") -> tuple[dict[str, Data], list[dict[str, Data]]]:
    """A box and some of its points, each an expression for every variable."""
    ranges = {n: ends(rng) for n in names}
    points = [{n: rng.choice(r.points) for n, r in ranges.items()} for _ in range(3)]
    return {n: r.data for n, r in ranges.items()}, points


def tree(rng: Random, leaves: list[Data], depth: int, smooth: bool = False) -> Data:
    """An expression, often in no normal form, over these leaves."""
    if depth == 0 or rng.random() < 0.08:
        kind = rng.random()
        return rng.choice(leaves) if kind < 0.8 else rational(rng.choice(_SMALL)) if kind < 0.96 else ["pi"]

    def sub() -> Data:
        return tree(rng, leaves, depth - 1, smooth)

    kind = rng.randrange(100)
    if kind < 22:
        return ["+", *(sub() for _ in range(rng.choice((1, 2, 2, 2, 3))))]
    if kind < 40:
        return ["*", *(sub() for _ in range(rng.choice((1, 2, 2, 2, 3))))]
    if kind < 50:
        return minus(sub(), sub())
    if kind < 64:
        return ["^", sub(), rational(rng.choice(_EXPONENTS) if rng.random() < 0.9 else Fraction(rng.randint(0, 1)))]
    if kind < 68:
        return ["^", sub(), sub()]
    if kind < 80:
        return [rng.choice(_ANYWHERE), sub()]
    if kind < 84:
        return [rng.choice(_SOMEWHERE), sub()]
    square = ["^", sub(), 2]
    if kind < 92:
        return rng.choice(
            (
                ["log", ["+", 1, square]],
                ["acosh", ["+", 1, square]],
                ["atanh", ["tanh", sub()]],
                ["erfinv", ["*", ["/", 3, 4], ["erf", sub()]]],
                ["^", square, ["/", 1, 2]],
                ["^", ["exp", sub()], sub()],
            ),
        )
    if smooth:
        return square
    if kind < 95:
        return ["abs", sub()]
    if kind < 97:
        return [rng.choice(("min", "max")), sub(), sub()]
    return ["piecewise", sub(), condition(rng, sub), sub(), ["true"]]


def condition(rng: Random, sub: Any) -> Data:
    """A comparison, sometimes of a thing with itself, or what and, or, not make of one."""
    a = sub()
    plain = [rng.choice(("<", "<=")), a, a if rng.random() < 0.1 else sub()]
    return rng.choice((plain, plain, ["not", plain], ["and", plain, ["true"]], ["or", plain, ["false"]]))


def precision(rng: Random, least: int = 2) -> int:
    """From 2 to 400 bits, mostly few."""
    return max(least, rng.choice((rng.randint(2, 24), rng.randint(24, 60), rng.randint(24, 400))))


def number(data: Data) -> Value:
    """The value of a constant, by Arb."""
    return value(from_data(data, frozenset()), {}, BITS)


def as_fraction(v: Value) -> Fraction:
    """A rational number very near to a value."""
    if isinstance(v, Fraction):
        return v
    man, exp = ball(v).mid().man_exp()
    if abs(int(exp)) > 4 * BITS:
        # Such a number would take longer to write than to enclose.
        raise UnresolvedError
    return Fraction(int(man)) * Fraction(2) ** int(exp)


def near(v: Value, bits: int) -> Fraction:
    """A short rational number within 2**-bits (relative) of a value."""
    q = as_fraction(v)
    if not q:
        return q
    shift = bits - (abs(q.numerator).bit_length() - q.denominator.bit_length())
    scale = Fraction(2) ** shift
    return Fraction(round(q * scale)) / scale


def reset() -> None:
    """The precision that the samples need, whoever changed it."""
    flint.ctx.prec = BITS
