"""Where a function with one peak is largest, in numbers: a guess to be confirmed by whoever needs more."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import mpmath


def peak(g: Callable[[Any], Any], left: Any, right: Any, close: float, steps: int) -> Any:
    """The place of the peak between two numbers, floats or mpmath's, by golden section until they are close.

    >>> round(peak(lambda x: x * (1 - x), 0.0, 1.0, 1e-6, 60), 5)
    0.5
    """
    ratio = (mpmath.sqrt(5) - 1) / 2 if isinstance(left, mpmath.mpf) else (math.sqrt(5) - 1) / 2
    a, b = right - ratio * (right - left), left + ratio * (right - left)
    at_a, at_b = g(a), g(b)
    for _ in range(steps):
        if right - left < close:
            break
        if at_a > at_b:
            right, b, at_b = b, a, at_a
            a = right - ratio * (right - left)
            at_a = g(a)
        else:
            left, a, at_a = a, b, at_b
            b = left + ratio * (right - left)
            at_b = g(b)
    return a if at_a > at_b else b
