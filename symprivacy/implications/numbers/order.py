"""The order of intervals."""

from __future__ import annotations

from mpmath.libmp import mpf_cmp

from symprivacy.kernel.interval import Interval


def below(x: Interval, y: Interval) -> bool:
    """Whether every number of one interval is less than every number of the other.

    >>> from symprivacy.kernel import interval as iv
    >>> below(iv.ZERO, iv.ONE), below(iv.ONE, iv.ONE), below(iv.hull(iv.ZERO, iv.ONE), iv.ONE)
    (True, False, False)
    """
    return bool(mpf_cmp(x[1], y[0]) < 0)
