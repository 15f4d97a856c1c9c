"""Why the limit order 1 is the worst one for zCDP under MBPU, proved at given parameters.

For one law let l = log dP/dQ and K(beta) = log E_P exp(beta l), so that D_alpha = K(beta)/beta with alpha = 1 + beta.
Put H(beta) = k beta (1 + beta) - K(beta) with k the largest KL of all laws: H(0) = 0 and H'(0) = k - KL >= 0. The
second derivative is 2k minus the variance of l under the law tilted by exp(beta l). If that never exceeds 2k for
beta >= 0, H is convex, so H >= 0: D_alpha <= k alpha for all alpha > 1.

With t_i = P_i exp(beta l_i) the claim about the variance is N >= 0 for the exponential sum

    N = sum_i 2k t_i**2 + sum_(i<j) (4k - (l_i - l_j)**2) t_i t_j.

Divided by the fastest growing term it is a sum of g exp(-e z), z >= 0 a multiple of beta, 0 <= e <= 2. Under a small xi
it nearly vanishes at z = 0, where the sign of N and N' at 0 and that of N'' on a neighbourhood decide; elsewhere plain
enclosures do. All this is free of scale, so it takes the same few steps for every xi.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from mpmath.libmp import fone, fzero, mpf_cmp

from symprivacy.implications.numbers.order import below
from symprivacy.kernel import functions as fn
from symprivacy.kernel import interval as iv
from symprivacy.kernel.interval import Interval

Atom = tuple[Interval, Interval, Interval]
Term = tuple[Interval, Interval]
_NARROWEST, _FAR = Fraction(1, 2**10), Fraction(2**12)


def proved_first(laws: list[list[Atom]], kl: Interval, prec: int) -> bool:
    """Whether D_alpha/alpha of no law, given as atoms (p, q, weight), exceeds the largest KL at any order.

    >>> two, one, half = (iv.from_fraction(Fraction(x), 60) for x in ("2", "1", "1/2"))
    >>> third = iv.from_fraction(Fraction(2, 3), 60)
    >>> law = [(iv.mul(two, third, 60), third, half), (third, iv.mul(two, third, 60), half)]
    >>> proved_first([law], iv.from_fraction(Fraction(4, 17), 60), 60)
    True
    >>> proved_first([law], iv.from_fraction(Fraction(1, 5), 60), 60)
    False
    """
    return all(_proved(law, kl, prec) for law in laws)


def _proved(law: list[Atom], kl: Interval, prec: int) -> bool:
    losses = [iv.sub(fn.log(p, prec), fn.log(q, prec), prec) for p, q, _ in law]
    masses = [iv.mul(w, p, prec) for p, _, w in law]
    return _weak(losses, masses, kl, prec) or _nonnegative(_terms(losses, masses, kl, prec), prec)


def _weak(losses: list[Interval], masses: list[Interval], kl: Interval, prec: int) -> bool:
    """Whether a law is far from the bound, as one with an atom that cannot be told from none.

    No divergence exceeds the largest loss, so orders from A = largest loss/k on are harmless; up to A the divergence is
    at most that of order A, so it suffices that E_P exp((A - 1) (l - k)) <= 1.
    """
    top = losses[0]
    for loss in losses[1:]:
        top = iv.maximum(top, loss)
    beta = iv.sub(iv.mul(top, iv.inverse(kl, prec), prec), iv.ONE, prec)
    beta = (iv.maximum(beta, iv.ZERO)[1],) * 2 + (False, False)
    moment = iv.ZERO
    for loss, mass in zip(losses, masses, strict=True):
        tilt = fn.exp(iv.mul(beta, iv.sub(loss, kl, prec), prec), prec)
        moment = iv.add(moment, iv.mul(mass, tilt, prec), prec)
    return beta == iv.ZERO or bool(mpf_cmp(moment[1], fone) <= 0)


def _terms(losses: list[Interval], masses: list[Interval], kl: Interval, prec: int) -> list[Term]:
    """The coefficients g and exponents e of N, scaled."""
    top = bottom = losses[0]
    for loss in losses[1:]:
        top, bottom = iv.maximum(top, loss), iv.minimum(bottom, loss)
    scale = iv.inverse(iv.sub(top, bottom, prec), prec)
    # The atom that certainly has the largest loss does not fall at all.
    lead = [all(i == j or below(y, x) for j, y in enumerate(losses)) for i, x in enumerate(losses)]
    fall = [
        iv.ZERO if first else iv.maximum(iv.mul(iv.sub(top, loss, prec), scale, prec), iv.ZERO)
        for loss, first in zip(losses, lead, strict=True)
    ]
    level = iv.mul(kl, iv.power_int(scale, 2, prec), prec)
    double, four = (iv.mul(level, iv.from_fraction(n, prec), prec) for n in (2, 4))
    terms = []
    for i, (mass, e) in enumerate(zip(masses, fall, strict=True)):
        terms.append((iv.mul(double, iv.power_int(mass, 2, prec), prec), iv.add(e, e, prec)))
        for j in range(i):
            apart = iv.power_int(iv.mul(iv.sub(losses[i], losses[j], prec), scale, prec), 2, prec)
            g = iv.mul(iv.sub(four, apart, prec), iv.mul(mass, masses[j], prec), prec)
            terms.append((g, iv.add(e, fall[j], prec)))
    return terms


def _nonnegative(terms: list[Term], prec: int) -> bool:
    """Whether the sum of g exp(-e z) is >= 0 for all z >= 0."""
    start, width = Fraction(0), Fraction(1)
    while start < _FAR:
        rest = (iv.from_fraction(start, prec)[0], iv.WHOLE[1], False, True)
        if iv.is_nonnegative(_derivative(terms, 0, rest, prec)):
            return True
        box = (rest[0], iv.from_fraction(start + width, prec)[1], False, False)
        if iv.is_nonnegative(_derivative(terms, 0, box, prec)) or (start == 0 and _rises(terms, box, prec)):
            start += width
            width *= 2
        else:
            width /= 2
            if width < _NARROWEST:
                return False
    return False


def _rises(terms: list[Term], box: Interval, prec: int) -> bool:
    """Whether the sum is >= 0 on a box that begins at 0, because it is >= 0 at 0, rises there, and is convex."""
    return all(iv.is_nonnegative(x) for x in _tie(terms, box, prec))


def _tie(terms: list[Term], box: Interval, prec: int) -> Iterator[Interval]:
    yield _derivative(terms, 0, iv.ZERO, prec)
    yield iv.neg(_derivative(terms, 1, iv.ZERO, prec))
    yield _derivative(terms, 2, box, prec)


def _derivative(terms: list[Term], n: int, z: Interval, prec: int) -> Interval:
    """The sum of g e**n exp(-e z), which is the n-th derivative up to its sign."""
    total = iv.ZERO
    for g, e in terms:
        term = g
        if e != iv.ZERO:
            term = iv.mul(iv.mul(g, iv.power_int(e, n, prec), prec), fn.exp(iv.neg(_times(e, z, prec)), prec), prec)
        elif n:
            continue
        total = iv.add(total, term, prec)
    return total


def _times(e: Interval, z: Interval, prec: int) -> Interval:
    """e*z for e >= 0, where an e that may vanish leaves an infinite z without an upper end."""
    if z[3] and mpf_cmp(e[0], fzero) <= 0:
        return fzero, z[1], False, True
    return iv.mul(e, z, prec)
