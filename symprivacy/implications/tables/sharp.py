"""Texts that keep their digits next to 0: equal to the formulas that are shown, and evaluated in their place.

Next to 0 a difference such as y tanh(y) - log(cosh(y)) cancels; with log(1 + w) written 2 atanh(w/(2 + w)) for small w
at most a few bits are lost.
"""

from __future__ import annotations


def less_one(x: str) -> str:
    """exp(x) - 1 without cancellation next to 0.

    >>> less_one("u")
    '(2*exp((u)/2)*sinh((u)/2))'
    """
    return f"(2*exp(({x})/2)*sinh(({x})/2))"


def log_one_more(w: str) -> str:
    """log(1 + w) for w > -1/2."""
    return f"Piecewise((2*atanh(({w})/(2 + ({w}))), {w} < 1), (log(1 + ({w})), True))"


def log_cosh(y: str) -> str:
    """log(cosh(y)): its tanh is sinh(y)**2/(2 + sinh(y)**2)."""
    square = f"sinh({y})**2"
    return f"Piecewise((atanh({square}/(2 + {square})), ({y})**2 < 1/4), (log(cosh({y})), True))"


def js(y: str) -> str:
    """The Jensen-Shannon divergence of randomized response at 2y."""
    return f"(({y})*tanh({y}) - {log_cosh(y)})"


def renyi(x: str, order: str) -> str:
    """The Renyi divergence of randomized response at x: cosh(A)/cosh(B) - 1 is a product of sinh."""
    w = f"2*sinh({order}*({x})/2)*sinh(({order} - 1)*({x})/2)/cosh(({x})/2)"
    return f"{log_one_more(w)}/({order} - 1)"


def abp(s: str, far: str) -> str:
    """The ABP level at s (see ratio.abp_of), with ``far`` for s from 1/2 on.

    G(s) = s atanh(s) - atanh(s**2/(2 - s**2)) is of second order, and so is G(s)/2 - G(s/2).
    """
    big = f"(({s})*atanh({s}) - atanh(({s})**2/(2 - ({s})**2)))/2"
    small = f"(({s})/2*atanh(({s})/2) - atanh(({s})**2/(8 - ({s})**2)))"
    return f"Piecewise((sqrt({big} - {small}), {s} < 1/2), ({far}, True))"


def hellinger_js(s: str) -> str:
    """JS of the randomized response of HELL2 at h, s = h (2 - h): sinh(y) is sqrt(s)/(1 - h)."""
    return f"asinh(sqrt({s})/(1 - h))*sqrt({s}) - {log_one_more('h/(1 - h)')}"


def hellinger_test(z: str) -> str:
    """HELL2 of the test of odds z and ratio exp(eps2)."""
    w = f"({z})*(-{less_one('-eps2')})"
    return f"(-({z})*{less_one('-eps2/2')} - {w}/(1 + sqrt(1 + {w})))/(1 + ({z}))"


def kl_test(z: str) -> str:
    """The larger KL of the test of odds z and ratio exp(eps2), and of its reverse."""
    w = f"({z})*(-{less_one('-eps2')})"
    away = log_one_more(w)
    forward = f"({z})*eps2 - {away}"
    backward = f"(1 + {w})*{away} - exp(-eps2)*({z})*eps2"
    return f"max({forward}, {backward})/(1 + ({z}))"


def renyi_test(z: str, order: str) -> tuple[str, str]:
    """Moment minus 1 and divergence of the test of odds z and ratio exp(eps2) or its reverse, the larger ones."""
    away = log_one_more(f"({z})*(-{less_one('-eps2')})")
    forward = f"({z})*{less_one(f'({order} - 1)*eps2')} + {less_one(f'(1 - {order})*{away}')}"
    backward = f"({z})*{less_one(f'-{order}*eps2')} + {less_one(f'{order}*{away}')}"
    moment = f"(max({forward}, {backward})/(1 + ({z})))"
    return moment, f"{log_one_more(moment)}/({order} - 1)"


def js_test(z: str) -> str:
    """JS of the test of odds z and ratio exp(eps2)."""
    g = "exp(-eps2)"
    w = f"({z})*(-{less_one('-eps2')})"
    same = f"({z})*(log(2/(1 + {g})) + {g}*log(2*{g}/(1 + {g})))"
    other = f"((1 + {w})*{log_one_more(w)} - (2 + {w})*{log_one_more(f'({w})/2')})"
    return f"({same} + {other})/(2*(1 + ({z})))"
