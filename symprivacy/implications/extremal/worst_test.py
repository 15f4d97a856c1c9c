"""Why randomized response is the worst test for GDP, under a range bound and under zCDP.

For a test with P(S) = N(u), Q(S) = 1 - N(v), N the normal law, the level of GDP is u + v, and with
T(u) = log(N(u)/N(-u)) the log odds of the two are T(u) and -T(v).

T is convex for u > 0. Its logarithmic slope is g/(N (1 - N)) with g = n (2N - 1) - u N (1 - N), n the density. Now
g' = 2 n**2 - N (1 - N) and g'' = n ((2N - 1) - 4 u n), where the bracket starts at 0 with slope n (4 u**2 - 2): it is
first negative, then positive. So g' falls from 1/pi - 1/4 > 0 and then rises to its limit 0, that is, g rises and then
falls to its limit 0: g > 0. Hence for fixed log odds ratio T(u) + T(v) (a range bound) u + v is largest at u = v.

Under zCDP put a = T(u), b = T(v). At the order 1 + |a - b|/(a + b) the divergence over the order is
    F = c/h * log(cosh((c + h)/2)/cosh((c - h)/2)),  c = (a + b)/2, h = |a - b|/2,
which is c times the mean of tanh(t/2) over |t - c| < h: it rises with c and falls with h. At u = v it is c tanh(c/2),
the zCDP level of randomized response. For fixed u + v = 2m and w = |u - v|/2 both c and h rise with w, because T is
convex. :func:`proved_central` shows that F never falls below its value at w = 0, in three parts: near 0 by the second
order terms, on steps [w0, w1] by F >= F(c(w0), h(w1)), and far out by c >= m w and a bound on h. For small m everything
is divided by m**2: c/m is T' at a place within m of w, and the mean of tanh is tanh at a place within c of h.
"""

from __future__ import annotations

from fractions import Fraction

import mpmath

from symprivacy.errors import NoInformation
from symprivacy.implications.formula import Evaluator, expression
from symprivacy.implications.numbers.order import below
from symprivacy.kernel import interval as iv
from symprivacy.kernel.enclose import enclose
from symprivacy.kernel.interval import Interval

_ODDS = expression("log(erfc(-u/sqrt(2))/erfc(u/sqrt(2)))")
_LEVEL = expression("c*tanh(c/2)")
_MEAN = expression("c/h*log(cosh((c + h)/2)/cosh((c - h)/2))")
# The first derivative k of T; with s = k*e - u, e = 2N - 1, its second is k*s and its third as below.
SLOPE = "4*exp(-(u**2)/2)/sqrt(2*pi)/(erfc(-u/sqrt(2))*erfc(u/sqrt(2)))"
THIRD = "k*s**2 + k*(k*s*e + 2*k*exp(-(u**2)/2)/sqrt(2*pi) - 1)"
# The third derivative is at least this on [0, u]; it falls from 0.436.
THIRD_FROM = {
    Fraction(k, 4): Fraction(bound, 1000)
    for k, bound in zip(range(1, 9), (430, 425, 415, 390, 360, 315, 262, 200), strict=True)
}
# From u = 7/4 on the second derivative is at least 1/2: s is the hazard minus u minus n/N, and the hazard exceeds
# (3u + sqrt(u**2 + 8))/4 (Sampford 1953); k >= u.
_LATE, _LATE_BEND = Fraction(7, 4), Fraction(1, 2)
_GAIN = expression("b/2*(1/c + (1/cosh((c + w**2*b/2)/2))**2/(2*tanh(c/2)))")
_LOSS = expression("(sinh(k*w)/(k*w) - 1)/w**2/(1 + cosh(c))")
_BALANCE = expression("g*(1 - w**2*l) - l")
_TAIL = expression("m*w*(m*w - exp(-t))/(w**2/2 + m**2/2 + log(2*pi*(w**2 - m**2))/2 + 2/(w - m)**2)")
_SMALL_MEAN = expression("k**2*tanh((h - c)/2)/h")
_SMALL_TAIL = expression("(x - 2*m)**2/(x**2/2 + log(2*pi*(x + 1/x)**2)/2)*tanh(t/2)")
_SMALL, _BITS = Fraction(1, 2**20), 70
_START = Fraction(1, 16)
_STEPS = 400


def proved_central(level: Evaluator) -> bool:
    """Whether no test at the level of randomized response beats it under zCDP; ``level`` is 2m.

    >>> proved_central(lambda prec: iv.ONE), proved_central(lambda prec: iv.from_fraction(Fraction(1, 10**99), prec))
    (True, True)
    """
    try:
        rough = level(_BITS)
        small = below(rough, iv.from_fraction(_SMALL, _BITS))
        # c is of the size of m while its terms are of the size of w.
        prec = _BITS if small else _BITS + 3 * max(0, -int(mpmath.mag(mpmath.mp.make_mpf(rough[0]))))
        m = iv.mul(level(prec), iv.from_fraction(Fraction(1, 2), prec), prec)
        return Small(m, prec).holds() if small else Cover(m, prec).holds()
    except NoInformation:
        return False


class Cover:
    """The claim for one m."""

    def __init__(self, m: Interval, prec: int) -> None:
        self.m, self.prec = m, prec
        self.c0 = self._odds(m)
        self.least = enclose(_LEVEL, {"c": self.c0}, prec)

    def _odds(self, u: Interval) -> Interval:
        return enclose(_ODDS, {"u": u}, self.prec)

    def sides(self, w: Fraction) -> tuple[Interval, Interval]:
        """c and h at w."""
        x, half = iv.from_fraction(w, self.prec), iv.from_fraction(Fraction(1, 2), self.prec)
        a, b = self._odds(iv.add(self.m, x, self.prec)), self._odds(iv.sub(self.m, x, self.prec))
        c, h = iv.add(a, b, self.prec), iv.sub(a, b, self.prec)
        return iv.mul(c, half, self.prec), iv.mul(h, half, self.prec)

    def holds(self) -> bool:
        """Near 0, then in growing steps, then the tail."""
        if not self.near(_START):
            return False
        w, grow = _START, Fraction(9, 8)
        c = self.sides(w)[0]
        for _ in range(_STEPS):
            if self.tail(w):
                return True
            further = (w * grow).limit_denominator(2**20)
            ahead = self.sides(further)
            if below(self.least, self.mean(c, ahead[1])):
                w, c = further, ahead[0]
                grow = min(Fraction(3, 2), 1 + (grow - 1) * Fraction(5, 4))
            else:
                grow = 1 + (grow - 1) / 2
                if grow < 1 + Fraction(1, 2**9):
                    return False
        return False

    def mean(self, c: Interval, h: Interval) -> Interval:
        """F at c and h."""
        return enclose(_MEAN, {"c": c, "h": h}, self.prec)

    def near(self, w: Fraction) -> bool:
        """The claim on [0, w]: if T'' >= b on average and T' <= k, then c(x) >= c0 + b x**2/2 and h(x) <= k x.

        The mean of tanh is at least tanh(c/2) (1 - (sinh(h)/h - 1)/(1 + cosh(c))); so F/F(0) is at least
        (1 + g x**2) (1 - l x**2) with the gain g and the loss l above.
        """
        x = iv.from_fraction(w, self.prec)
        top = iv.add(self.m, x, self.prec)
        third = next((b for u, b in THIRD_FROM.items() if below(top, iv.from_fraction(u, self.prec))), None)
        if third is not None:
            # T'' is odd, so its mean over m - x and m + x is at least m times the least T'''.
            bend = iv.mul(self.m, iv.from_fraction(third, self.prec), self.prec)
        elif below(iv.from_fraction(_LATE, self.prec), iv.sub(self.m, x, self.prec)):
            bend = iv.from_fraction(_LATE_BEND, self.prec)
        else:
            return False
        box = {"c": self.c0, "w": x, "b": bend, "k": enclose(expression(SLOPE), {"u": top}, self.prec)}
        gain, loss = enclose(_GAIN, box, self.prec), enclose(_LOSS, box, self.prec)
        return iv.sign_known(enclose(_BALANCE, {"w": x, "g": gain, "l": loss}, self.prec)) > 0

    def tail(self, w: Fraction) -> bool:
        """The claim for all larger w: T' >= u gives c >= m w, the Mills ratio bounds h, and the quotient rises."""
        x = iv.from_fraction(w, self.prec)
        apart = iv.sub(x, self.m, self.prec)
        # w - m > 2 for the Mills ratio; w > 2m makes log(2 pi (w**2 - m**2))/w**2 fall.
        if not (below(iv.from_fraction(2, self.prec), apart) and below(self.m, apart)):
            return False
        value = enclose(_TAIL, {"m": self.m, "w": x, "t": self._odds(apart)}, self.prec)
        return below(self.least, value)


class Small(Cover):
    """The same for a small m, with c and F divided by m and m**2."""

    def __init__(self, m: Interval, prec: int) -> None:
        self.m, self.prec = m, prec
        slope = self._slope(iv.hull(iv.ZERO, m))
        self.c0 = iv.mul(m, slope, prec)
        # tanh(c/2)/c is at most 1/2.
        self.least = iv.mul(iv.power_int(slope, 2, prec), iv.from_fraction(Fraction(1, 2), prec), prec)

    def _slope(self, u: Interval) -> Interval:
        return enclose(expression(SLOPE), {"u": u}, self.prec)

    def _around(self, w: Fraction) -> Interval:
        x = iv.from_fraction(w, self.prec)
        return iv.hull(iv.sub(x, self.m, self.prec), iv.add(x, self.m, self.prec))

    def sides(self, w: Fraction) -> tuple[Interval, Interval]:
        """c/m and h at w."""
        place = self._around(w)
        return self._slope(place), self._odds(place)

    def mean(self, c: Interval, h: Interval) -> Interval:
        """At least F/m**2, from c/m."""
        box = {"k": c, "h": h, "c": iv.mul(self.m, c, self.prec)}
        return enclose(_SMALL_MEAN, box, self.prec)

    def tail(self, w: Fraction) -> bool:
        """The claim for all larger w: T' >= u and 1 - N(x) >= n(x)/(x + 1/x) bound c and h, and the quotient rises."""
        if w < 2:
            return False
        x = iv.from_fraction(w, self.prec)
        t = self._odds(iv.sub(x, self.m, self.prec))
        return below(
            self.least, enclose(_SMALL_TAIL, {"m": self.m, "x": iv.add(x, self.m, self.prec), "t": t}, self.prec)
        )
