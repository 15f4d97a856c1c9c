"""Why the limit order 1 is the worst one for zCDP under MBPU, proved at given parameters.

For one law let K(alpha) = log E_Q r**alpha, so that K(1) = 0, K'(1) = KL and K'' is the variance of log r under the
tilted law. With V a bound of K'' on [1, alpha], K <= (alpha - 1) KL + (alpha - 1)**2 V/2, hence D_alpha/alpha is at
most a mean of KL and V/2 with weights 1/alpha and 1 - 1/alpha: next to 1 it suffices that V/2 stays below the largest
KL. On steps [a, b] further out D_alpha/alpha <= D_b/a, and beyond the largest log ratio over KL nothing is left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction

from mpmath.libmp import mpf_cmp

from symprivacy.kernel import functions as fn
from symprivacy.kernel import interval as iv
from symprivacy.kernel.interval import Interval

Atom = tuple[Interval, Interval, Interval]
_NEAR, _PARTS, _STEPS = Fraction(1, 4), 160, 200


def tilted_variance(law: Iterable[Atom], order: Interval, prec: int) -> Interval:
    """The variance of log(p/q) under weights w q (p/q)**order, for atoms (p, q, w).

    >>> two, one, half = (iv.from_fraction(Fraction(x), 60) for x in ("2", "1", "1/2"))
    >>> iv.to_text(tilted_variance([(two, one, half), (one, two, half)], half, 60), 6)
    '[0.480453, 0.480453]'
    """
    losses, shares = [], []
    for p, q, w in law:
        loss = iv.sub(fn.log(p, prec), fn.log(q, prec), prec)
        losses.append(loss)
        shares.append(iv.mul(iv.mul(w, q, prec), fn.exp(iv.mul(order, loss, prec), prec), prec))
    total, variance = iv.ZERO, iv.ZERO
    for share in shares:
        total = iv.add(total, share, prec)
    # The variance is the sum over pairs of t_i t_j (l_i - l_j)**2.
    for i, first in enumerate(losses):
        for j in range(i):
            apart = iv.sub(first, losses[j], prec)
            weight = iv.mul(shares[i], shares[j], prec)
            variance = iv.add(variance, iv.mul(weight, iv.power_int(apart, 2, prec), prec), prec)
    return iv.mul(variance, iv.inverse(iv.power_int(total, 2, prec), prec), prec)


def proved_first(
    laws: list[list[Atom]], kl: Interval, renyi: Callable[[Fraction], Interval], largest: Interval, prec: int
) -> bool:
    """Whether D_alpha/alpha never exceeds the largest KL; ``renyi`` is the largest D_alpha at one order."""
    left, width, half = Fraction(1), _NEAR / 4, iv.from_fraction(Fraction(1, 2), prec)
    for _ in range(_PARTS):
        right = min(left + width, 1 + _NEAR)
        order = iv.hull(iv.from_fraction(left, prec), iv.from_fraction(right, prec))
        if all(_below(iv.mul(tilted_variance(law, order, prec), half, prec), kl) for law in laws):
            left = right
        else:
            width /= 2
        if left == 1 + _NEAR:
            break
    else:
        return False
    a, grow = 1 + _NEAR, Fraction(1, 64)
    for _ in range(_STEPS):
        if _below(largest, iv.mul(kl, iv.from_fraction(a, prec), prec)):
            return True
        b = (a * (1 + grow)).limit_denominator(2**20)
        if b > a and _below(renyi(b), iv.mul(kl, iv.from_fraction(a, prec), prec)):
            a, grow = b, grow * 2
        else:
            grow /= 4
            if grow < Fraction(1, 2**14):
                return False
    return False


def _below(x: Interval, y: Interval) -> bool:
    return bool(mpf_cmp(x[1], y[0]) < 0)
