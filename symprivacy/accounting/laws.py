"""The pair of laws (P, Q) of one run: outcomes with masses, and a part that has a density.

Every family here is given by the pair that dominates it: the hockey-stick P(S) - g Q(S) of any neighbours is at most
that of the pair, for every g >= 0. Gaussian, Laplace and geometric noise for sensitivity 1 and k-ary randomized
response are such pairs themselves; pure DP has randomized response, approximate DP adds outcomes of mass delta that
only P or only Q produces, GDP has the Gaussian pair. A class without one worst member (range-bounded privacy, the pairs
of a finite mechanism) is dominated by the pair whose hockey-stick is the largest of all its members at every g; its
members, one by one, are what the lower bound uses.

Poisson sampling with rate s keeps domination (Zhu, Dong, Wang 2022, Theorem 11): where the record is there P becomes
(1-s) Q + s P against Q, and for the other order Q stands against (1-s) Q + s P.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

from flint import arb

from symprivacy.accounting.balls import ball
from symprivacy.kernel.expr import Expr

Masses = tuple[arb, arb]
Tails = Callable[[arb], Masses]
NOTHING: Masses = (arb(0), arb(0))


@dataclass(frozen=True)
class Law:
    """P and Q of one run, at the working precision.

    ``atoms`` are outcomes with their masses under P and Q. ``tails`` gives the masses, under P and Q, of the outcomes
    of the other part whose loss log dP/dQ exceeds a number; that part is its own mirror image when P and Q change
    places, and both laws give it the mass ``weight``.
    ``rate`` and ``added`` say how the pair is sampled: ``added`` is the order in which the record is not there under P.
    """

    atoms: tuple[Masses, ...] = ()
    tails: Tails | None = None
    weight: arb = NOTHING[0]
    rate: Fraction = Fraction(1)
    added: bool = False

    def sampled(self, rate: Fraction, added: bool) -> Law:
        """The same run on a Poisson sample; atoms are mixed at once."""
        if rate == 1:
            return self if not added else self.reversed()
        s = ball(rate)
        mixed = tuple(((1 - s) * q + s * p, q) for p, q in self.atoms)
        atoms = tuple((q, p) for p, q in mixed) if added else mixed
        return replace(self, atoms=atoms, rate=rate, added=added)

    def reversed(self) -> Law:
        """P and Q change places; the part with a density is its own mirror image."""
        return replace(self, atoms=tuple((q, p) for p, q in self.atoms))

    def above(self, loss: arb) -> Masses:
        """P and Q of the outcomes with a density whose loss exceeds a number."""
        assert self.tails is not None
        if self.rate == 1:
            return self.tails(loss)
        s = ball(self.rate)
        # The loss of the mixture is log(1 - s + s e^u) where the pair has loss u; the other order has the negative.
        inside = 1 + (-loss if self.added else loss).expm1() / s
        end = NOTHING if self.added else (self.weight, self.weight)
        if inside > 0:
            p, q = self._base(inside.log())
        elif inside <= 0:
            p, q = end
        else:
            # Both masses lie between what they are at the end of the losses and a little inside.
            near = self._base(inside.upper().log())
            p, q = end[0].union(near[0]), end[1].union(near[1])
        mixed = (1 - s) * q + s * p
        return (q, mixed) if self.added else (mixed, q)

    def _base(self, u: arb) -> Masses:
        """P and Q, before sampling, of the losses above u; below u where the order is the other one."""
        assert self.tails is not None
        p, q = self.tails(-u if self.added else u)
        return (q, p) if self.added else (p, q)


def gaussian(sigma: Expr) -> Law:
    """N(1, sigma**2) against N(0, sigma**2)."""
    mu = 1 / ball(sigma)
    root = arb(2).sqrt()

    def tails(u: arb) -> Masses:
        return ((u / mu - mu / 2) / root).erfc() / 2, ((u / mu + mu / 2) / root).erfc() / 2

    return Law(tails=tails, weight=arb(1))


def laplace(scale: Expr) -> Law:
    """Laplace noise: the loss is 1/b or -1/b outside of the two centres and linear between them."""
    e = 1 / ball(scale)
    far = (-e).exp()

    def tails(u: arb) -> Masses:
        # Beyond either end the formulas leave [0, weight].
        return _clipped(-(-(e - u) / 2).expm1() / 2, weight), _clipped(far * ((e - u) / 2).expm1() / 2, weight)

    weight = (1 - far) / 2
    return Law(((arb(1) / 2, far / 2), (far / 2, arb(1) / 2)), tails, weight)


def _clipped(x: arb, top: arb) -> arb:
    return x.nonnegative_part().min(top)


def response(eps: Expr, k: int = 2) -> Law:
    """k-ary randomized response; with k = 2 it dominates every eps-DP pair, and geometric noise is the same pair."""
    e = ball(eps).exp()
    total = e + (k - 1)
    atoms = [(e / total, 1 / total), (1 / total, e / total)]
    if k > 2:
        atoms.append((arb(k - 2) / total, arb(k - 2) / total))
    return Law(tuple(atoms))


def with_slack(eps: Expr, delta: Expr) -> Law:
    """The pair that dominates (eps, delta)-ADP."""
    d = ball(delta)
    inner = tuple(((1 - d) * p, (1 - d) * q) for p, q in response(eps).atoms)
    return Law((*inner, (d, arb(0)), (arb(0), d)))


def range_bounded(eps: Expr) -> Law:
    """The pair with the largest hockey-stick over all pairs whose loss has a range of eps, at every threshold.

    That is (E - sqrt(g))**2/(E**2 - 1) with E = exp(eps/2) for 1 <= g <= E**2; its slope gives Q of the losses above.
    """
    e = ball(eps)
    top = (e / 2).exp()
    scale = top * top - 1

    def right(u: arb) -> Masses:
        root = (u / 2).exp()
        return _clipped(top * (top - root) / scale, arb(1)), _clipped((top / root - 1) / scale, arb(1))

    def left(u: arb) -> Masses:
        q, p = right(-u)
        return 1 - p, 1 - q

    def tails(u: arb) -> Masses:
        if u >= 0 or u <= 0:
            return right(u) if u >= 0 else left(u)
        (p, q), (p2, q2) = right(u), left(u)
        return p.union(p2), q.union(q2)

    return Law(tails=tails, weight=arb(1))


def placed_response(eps: Expr, share: Fraction) -> Law:
    """The two-point pair of range eps whose larger loss is eps*share: a member of range-bounded privacy."""
    e = ball(eps)
    large, small = (e * ball(share)).exp(), (e * ball(share - 1)).exp()
    q = (1 - small) / (large - small)
    return Law(((large * q, q), (1 - large * q, 1 - q)))


def finite(pairs: Sequence[tuple[Sequence[Fraction], Sequence[Fraction]]]) -> Law:
    """The pair whose hockey-stick is the largest over these pairs of rows, exactly.

    Each test S gives a line P(S) - g Q(S); the upper envelope of all lines is convex and piecewise linear, so it is the
    hockey-stick of a pair with one outcome per corner.
    """
    lines = {(Fraction(0), Fraction(0))}
    for first, second in pairs:
        order = sorted(
            ((p, q) for p, q in zip(first, second, strict=True) if p > 0),
            key=lambda pq: pq[0] / pq[1] if pq[1] else Fraction(10**9),
            reverse=True,
        )
        order.sort(key=lambda pq: pq[1] != 0)
        a = b = Fraction(0)
        for p, q in order:
            a, b = a + p, b + q
            lines.add((a, b))
        lines.add((Fraction(1), Fraction(1)))
    best: list[tuple[Fraction, Fraction]] = []
    # From large g (small Q) to g = 0 (P as large as it gets).
    for a, b in sorted(lines, key=lambda ab: (ab[1], -ab[0])):
        if best and a <= best[-1][0]:
            continue
        while len(best) > 1 and _corner(best[-2], (a, b)) >= _corner(best[-2], best[-1]):
            best.pop()
        best.append((a, b))
    atoms = [(ball(best[0][0]), arb(0))] if best[0][0] else []
    atoms += [(ball(a - c), ball(b - d)) for (c, d), (a, b) in pairwise(best)]
    left = 1 - best[-1][1]
    return Law((*atoms, *([(arb(0), ball(left))] if left else [])))


def _corner(left: tuple[Fraction, Fraction], right: tuple[Fraction, Fraction]) -> Fraction:
    """The g at which two lines meet."""
    return (right[0] - left[0]) / (right[1] - left[1])
