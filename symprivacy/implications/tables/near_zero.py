"""Expressions that keep their digits next to 0: equal to the formulas that are shown, and evaluated in their place.

Next to 0 a difference such as y tanh(y) - log(cosh(y)) cancels; with log(1 + w) written 2 atanh(w/(2 + w)) for small w
at most a few bits are lost.
"""

from __future__ import annotations

from symprivacy.implications.formula import Part, put
from symprivacy.kernel.expr import Expr


def less_one(x: Part) -> Expr:
    """exp(x) - 1 without cancellation next to 0.

    >>> less_one("u")
    Expr('2*exp(u/2)*sinh(u/2)')
    """
    return put("2*exp(x/2)*sinh(x/2)", x=x)


def log_one_more(w: Part) -> Expr:
    """log(1 + w) for w > -1/2."""
    return put("Piecewise((2*atanh(w/(2 + w)), w < 1), (log(1 + w), True))", w=w)


def log_cosh(y: Part) -> Expr:
    """log(cosh(y)): its tanh is sinh(y)**2/(2 + sinh(y)**2)."""
    return put("Piecewise((atanh(sinh(y)**2/(2 + sinh(y)**2)), y**2 < 1/4), (log(cosh(y)), True))", y=y)


def js(y: Part) -> Expr:
    """The Jensen-Shannon divergence of randomized response at 2y."""
    return put("y*tanh(y) - c", y=y, c=log_cosh(y))


def renyi(x: Part, order: Part) -> Expr:
    """The Renyi divergence of randomized response at x: cosh(A)/cosh(B) - 1 is a product of sinh."""
    return put("w/(n - 1)", w=log_one_more(renyi_moment(x, order)), n=order)


def renyi_moment(x: Part, order: Part) -> Expr:
    """Its moment of an order, minus 1."""
    return put("2*sinh(n*x/2)*sinh((n - 1)*x/2)/cosh(x/2)", x=x, n=order)


def abp(s: Part, far: Part) -> Expr:
    """The ABP level at s (see ratio.abp_of), with ``far`` for s from 1/2 on.

    G(s) = s atanh(s) - atanh(s**2/(2 - s**2)) is of second order, and so is G(s)/2 - G(s/2).
    """
    big = "(s*atanh(s) - atanh(s**2/(2 - s**2)))/2"
    small = "(s/2*atanh(s/2) - atanh(s**2/(8 - s**2)))"
    near = put("sqrt(b - c)", b=put(big, s=s), c=put(small, s=s))
    return put("Piecewise((n, s < 1/2), (f, True))", n=near, f=far, s=s)


def hellinger_js(s: Part) -> Expr:
    """JS of the randomized response of HELL2 at h, s = h (2 - h): sinh(y) is sqrt(s)/(1 - h)."""
    return put("asinh(sqrt(s)/(1 - h))*sqrt(s) - w", s=s, w=log_one_more("h/(1 - h)"))


def _moved(z: Part) -> Expr:
    """z (1 - exp(-eps2)): how far the mass of the complement of the test of odds z and ratio exp(eps2) moves."""
    return put("-z*l", z=z, l=less_one("-eps2"))


def hellinger_test(z: Part) -> Expr:
    """HELL2 of the test of odds z and ratio exp(eps2)."""
    return put("(-z*l - w/(1 + sqrt(1 + w)))/(1 + z)", z=z, l=less_one("-eps2/2"), w=_moved(z))


def kl_test(z: Part, least: bool = False) -> Expr:
    """The larger KL of the test of odds z and ratio exp(eps2), and of its reverse; or the ``least`` of the two."""
    parts = {"z": z, "w": _moved(z), "a": log_one_more(_moved(z))}
    text = "min(f, g)/(1 + z)" if least else "max(f, g)/(1 + z)"
    return put(text, f=put("z*eps2 - a", **parts), g=put("(1 + w)*a - exp(-eps2)*z*eps2", **parts), z=z)


def renyi_test(z: Part, order: Part, least: bool = False) -> tuple[Expr, Expr]:
    """Moment minus 1 and divergence of the test of odds z and ratio exp(eps2) or its reverse, the larger moment.

    Or the ``least`` one, which is the larger divergence for an order below one.
    """
    parts = {"n": order, "a": log_one_more(_moved(z))}
    sides = [[less_one(put(e, **parts)) for e in pair] for pair in (("(n - 1)*eps2", "(1 - n)*a"), ("-n*eps2", "n*a"))]
    forward, backward = (put("z*f + g", z=z, f=f, g=g) for f, g in sides)
    moment = put("min(f, g)/(1 + z)" if least else "max(f, g)/(1 + z)", f=forward, g=backward, z=z)
    return moment, put("w/(n - 1)", w=log_one_more(moment), n=order)


def js_test(z: Part) -> Expr:
    """JS of the test of odds z and ratio exp(eps2)."""
    w = _moved(z)
    same = put("z*(log(2/(1 + g)) + g*log(2*g/(1 + g)))", z=z, g="exp(-eps2)")
    other = put("(1 + w)*a - (2 + w)*b", w=w, a=log_one_more(w), b=log_one_more(put("w/2", w=w)))
    return put("(s + t)/(2*(1 + z))", s=same, t=other, z=z)
