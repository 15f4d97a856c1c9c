"""Pairs of laws in exact arithmetic: what (eps, delta)-indistinguishability and its relatives say about them.

A law is a list of fractions; ``growth`` stands for exp(eps). A joint law of (A, B) is a matrix, rows for the values of
A and columns for those of B.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction

from sympy import Expr as SymExpr
from sympy import Rational

from symprivacy.claims.witness import holds
from symprivacy.errors import InputError
from symprivacy.implications.formula import Part, put
from symprivacy.kernel import expr as x
from symprivacy.language.bridge import to_sympy
from symprivacy.mechanisms.random import random_law
from symprivacy.notions.levels.result import as_rational

Law = Sequence[Fraction]
Joint = Sequence[Law]
# Squares, so that exp(eps/2) is rational as well.
_GROWTHS = tuple(Fraction(*pair) for pair in ((4, 1), (9, 4), (25, 16), (16, 9), (36, 25), (121, 100), (9, 1)))


def hockey_stick(one: Law, other: Law, growth: Fraction) -> Fraction:
    """The largest of P(S) - growth Q(S) over events S.

    >>> hockey_stick([Fraction(1), Fraction(0)], [Fraction(1, 4), Fraction(3, 4)], Fraction(2))
    Fraction(1, 2)
    """
    return sum((max(Fraction(0), p - growth * q) for p, q in zip(one, other, strict=True)), Fraction(0))


def closeness(one: Law, other: Law, growth: Fraction) -> Fraction:
    """The smallest delta for which two laws are (log(growth), delta)-indistinguishable."""
    return max(hockey_stick(one, other, growth), hockey_stick(other, one, growth))


def total_variation(one: Law, other: Law) -> Fraction:
    """The statistical difference of two laws."""
    return hockey_stick(one, other, Fraction(1))


def exceptional(one: Law, other: Law, growth: Fraction) -> Fraction:
    """The larger mass that one of two laws has where their ratio is not between 1/growth and growth."""
    bad = [k for k, (p, q) in enumerate(zip(one, other, strict=True)) if p > growth * q or q > growth * p]
    return max(sum((law[k] for k in bad), Fraction(0)) for law in (one, other))


def flat(joint: Joint) -> list[Fraction]:
    """A joint law as a law of pairs."""
    return [mass for row in joint for mass in row]


def marginal(joint: Joint) -> list[Fraction]:
    """The law of B."""
    return [sum(column, Fraction(0)) for column in zip(*joint, strict=True)]


def given(joint: Joint, t: int) -> list[Fraction] | None:
    """The law of A given B = t; None where that has probability zero.

    >>> given([[Fraction(1, 4), Fraction(0)], [Fraction(3, 4), Fraction(0)]], 0)
    [Fraction(1, 4), Fraction(3, 4)]
    """
    total = sum((row[t] for row in joint), Fraction(0))
    return [row[t] / total for row in joint] if total else None


def random_growth(rng: random.Random) -> Fraction:
    """A likelihood ratio above one."""
    return rng.choice(_GROWTHS)


def random_pair(rng: random.Random, size: int, growth: Fraction) -> tuple[list[Fraction], list[Fraction]]:
    """Two laws: unrelated, close up to the growth, mirrored, or mostly equal; zeros may occur."""
    one = random_law(rng, size, zeros=rng.random() < 0.5)
    kind = rng.randrange(4)
    if kind == 0:
        return one, random_law(rng, size, zeros=rng.random() < 0.5)
    if kind == 1:
        weights = [mass * growth ** rng.choice((-1, -1, 0, 1, 1, 2)) for mass in one]
        other = [weight / sum(weights) for weight in weights]
    elif kind == 2:
        other = one[::-1]
    else:
        share, extra = Fraction(1, rng.randint(2, 20)), random_law(rng, size, zeros=True)
        other = [(1 - share) * p + share * q for p, q in zip(one, extra, strict=True)]
    return one, other


def random_joints(rng: random.Random, growth: Fraction) -> tuple[list[list[Fraction]], list[list[Fraction]]]:
    """Two joint laws of pairs, two or three values each; some of them differ in what B says about A only."""
    if rng.random() < 0.3:
        rest = rng.randint(1, 12)
        weights = [[Fraction(1), Fraction(0)], [Fraction(rest), growth * rest]]
        total = sum(flat(weights))
        one = [[weight / total for weight in row] for row in weights]
        return one, [row[::-1] for row in one]
    rows, columns = rng.randint(2, 3), rng.randint(1, 3)
    left, right = random_pair(rng, rows * columns, growth)
    starts = range(0, rows * columns, columns)
    return [left[k : k + columns] for k in starts], [right[k : k + columns] for k in starts]


def number(part: Part, /, growth: Fraction | None = None, **values: Part) -> SymExpr:
    """The value of an expression at a point; eps is the logarithm of the growth.

    >>> number("exp(2*eps) - delta", Fraction(3), delta=Fraction(1, 2))
    17/2
    """
    found = put(part, **values, **({} if growth is None else {"eps": x.log(x.num(growth))}))
    if found.variables:
        raise InputError(f"no value for {', '.join(sorted(found.variables))} in {found}")
    return to_sympy(found)


def exceeds(value: Fraction, bound: SymExpr) -> bool:
    """Whether a fraction is certainly larger than an exact number.

    >>> exceeds(Fraction(3), number("exp(1)")), exceeds(Fraction(2), number("exp(1)"))
    (True, False)
    """
    if isinstance(bound, Rational):
        return value > Fraction(int(bound.p), int(bound.q))
    return holds(as_rational(value), ">", bound) is True


def no_less(value: SymExpr) -> Fraction:
    """The number itself if it is rational, else a slightly larger fraction.

    A hockey stick at a larger growth is smaller, so that what exceeds a bound there exceeds it at the growth itself.

    >>> no_less(number("exp(2*eps)", Fraction(3))), no_less(number("sqrt(2)"))
    (Fraction(9, 1), Fraction(707107, 500000))
    """
    if isinstance(value, Rational):
        return Fraction(int(value.p), int(value.q))
    found = Fraction(int(value.evalf(30) * 10**6), 10**6)
    while not exceeds(found, value):
        found += Fraction(1, 10**6)
    return found


def texts(law: Law) -> list[str]:
    """A law as it is printed in a witness."""
    return [str(mass) for mass in law]
