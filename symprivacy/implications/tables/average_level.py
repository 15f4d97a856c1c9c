"""The level of ABP as a text in s, half the triangular discrimination of P and Q."""

from __future__ import annotations


def abp_of(s: str, rest: str) -> str:
    """The level as a text; ``rest`` is 1 - s."""
    big = f"((1 + ({s}))*log(1 + ({s})) + ({rest})*log({rest}))/4"
    small = f"((1 + ({s})/2)*log(1 + ({s})/2) + (1 - ({s})/2)*log(1 - ({s})/2))/2"
    return f"sqrt({big} - {small})"


def abp_of_y(y: str, twice: str) -> str:
    """The same at s = tanh(y)**2, without the singular logarithm of 1 - s; ``twice`` is 2y."""
    s = f"tanh({y})**2"
    big = f"({s}*log(cosh({twice})) + log(1 + {s}) - 2*log(cosh({y})))/4"
    small = f"((1 + {s}/2)*log(1 + {s}/2) + (1 - {s}/2)*log(1 - {s}/2))/2"
    return f"sqrt({big} - {small})"
