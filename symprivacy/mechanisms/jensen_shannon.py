"""Jensen-Shannon divergence of Gaussian noise, which has no closed form: proved bounds at numbers.

The worst neighbours are mirror images of each other, so that JS is the mean of log(2/(1 + exp(-u))) under P, where u is
the privacy loss. The mean is an integral (or a sum) over the outputs within a distance of the centre of P, in balls;
beyond it |log(2/(1 + exp(-u)))| is at most |u| + log(2).
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

from flint import acb, arb, ctx, fmpq
from sympy import Expr, Integer

from symprivacy.errors import UnsupportedError
from symprivacy.mechanisms.lattice import MOST_TERMS
from symprivacy.mechanisms.noise import Family

#: the most bits that are asked for
MOST_BITS = 2000


def js_bounds(member: Family, bits: int = 100) -> tuple[Fraction, Fraction]:
    """Proved bounds of the Jensen-Shannon divergence of the worst neighbours.

    >>> from symprivacy.mechanisms.noise import family
    >>> low, high = js_bounds(family("gaussian", 1))
    >>> round(float(low), 12), float(high - low) < 1e-25
    (0.111421482185, True)
    """
    numbers = (*member.arguments, member.sensitivity)
    if not member.name.endswith("gaussian") or not all(v.is_Rational for v in numbers) or bits > MOST_BITS:
        raise UnsupportedError(f"{member}: JS has no closed form; numbers are needed for all parameters")
    old = ctx.prec
    ctx.prec = bits + 40
    try:
        found = _discrete(member, bits) if member.name == "discrete_gaussian" else _continuous(member, bits)
        if not found.is_finite():
            raise UnsupportedError(f"{member}: JS was not enclosed")
        return _fraction(found.lower()), _fraction(found.upper())
    finally:
        ctx.prec = old


def _ball(value: Expr) -> arb:
    return arb(fmpq(int(value.p), int(value.q)))


def _fraction(end: arb) -> Fraction:
    """A ball without radius as a fraction."""
    mantissa, exponent = end.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def _continuous(member: Family, bits: int) -> arb:
    """In units of the deviation: P is normal around 0, perhaps cut off at c, and Q the same around s."""
    apart = member.sensitivity / member.arguments[0]
    reach = Integer(isqrt(4 * (bits + 8)) + 1)
    share, alone, ends = arb(1), arb(0), (-reach, reach)
    if member.name == "truncated_gaussian":
        c, root = member.arguments[1] / member.arguments[0], arb(2).sqrt()
        if apart >= 2 * c:
            return arb.const_log2()
        share = (_ball(c) / root).erf()
        # Outputs that only P can have tell for certain.
        alone = (share - (_ball(c - apart) / root).erf()) / (2 * share)
        ends = (min(max(apart - c, -reach), reach), min(c, reach))
    s = _ball(apart)

    def integrand(z: acb, analytic: bool) -> acb:
        # The loss at z is (s**2 - 2 s z)/2.
        odds = (s * z - s * s / 2).exp()
        return (-z * z / 2).exp() * (2 / (1 + odds)).log(analytic=analytic)

    low, high = (acb(_ball(end)) for end in ends)
    inner = acb.integral(integrand, low, high).real / ((2 * arb.pi()).sqrt() * share)
    # Beyond the reach R: the mean of s**2/2 + s |z| + log(2), which is below 2 phi(R) (s + (s**2/2 + log 2)/R).
    far = _ball(reach)
    density = (-far * far / 2).exp() / ((2 * arb.pi()).sqrt() * share)
    rest = 2 * density * (s + (s * s / 2 + arb.const_log2()) / far)
    return inner + alone * arb.const_log2() + rest.union(-rest)


def _discrete(member: Family, bits: int) -> arb:
    """P is around 0, Q around d; both sums end where terms are small, and a geometric series covers the rest."""
    rate = _ball(1 / (2 * member.arguments[0] ** 2))
    d = int(member.sensitivity)
    reach = int((arb(bits + 8) / rate).sqrt().upper().ceil().unique_fmpz() or 0) + d + 2
    if 2 * reach > MOST_TERMS:
        raise UnsupportedError(f"{member}: a sum of {2 * reach} terms; at most {MOST_TERMS} are added up")
    total, mean = arb(0), arb(0)
    for n in range(-reach, reach + 1):
        mass = (-rate * n * n).exp()
        odds = (rate * d * (2 * n - d)).exp()
        total += mass
        mean += mass * (2 / (1 + odds)).log()
    last, quotient = (-rate * (reach + 1) ** 2).exp(), (-rate * (2 * reach + 3)).exp()
    outside = 2 * last / (1 - quotient)
    # |u| + log(2) is at most (1 + |n|) times this; with that factor quotients are larger by (n + 2)/(n + 1) at most.
    most, slower = rate * d * (2 + d) + arb.const_log2(), quotient * (reach + 3) / (reach + 2)
    if not bool(slower < 1):
        raise UnsupportedError(f"{member}: JS was not enclosed")
    weighted = 2 * (reach + 2) * last / (1 - slower) * most
    return (mean + weighted.union(-weighted)) / (total + arb(0).union(outside))
