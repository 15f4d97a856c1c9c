"""Conditions that survive mixtures and functions of the output, as statements about finite sums.

A condition that is linear in the likelihoods is `m <= 0` for a number m at every event. For a convex function f and
laws u, v, F is v f(u/v) at every output; f has a line below it through each of its points (Jensen), here through the
ratio R of the new laws, where it has the value h and the slope s.
"""

from __future__ import annotations

from symprivacy.claims.comparison import put
from symprivacy.claims.finite_sums import setting
from symprivacy.claims.sum_proofs import Step, Sums

_REAL = ("s in (-oo, oo)", "h in (-oo, oo)", "F in (-oo, oo)", "d in (-oo, oo)")

# m and n belong to two mechanisms, which are mixed with the weight l; a are the coefficients of the likelihoods u, x.
LINEAR_MIXED = Sums(
    setting("m n: S; a u x: S, z", "m in (-oo, oo)", "n in (-oo, oo)", "a in (-oo, oo)", "l in [0, 1]"),
    {"one": "sum[z] a*u == m", "two": "sum[z] a*x == n", "m": "m <= 0", "n": "n <= 0"},
    {
        "mixture": Step("sum[z] a*(l*u + (1-l)*x) == l*m + (1-l)*n", {"one": "l", "two": "1-l"}),
        "bounded": Step("l*m + (1-l)*n <= 0", {"m": "l", "n": "1-l"}),
    },
    ("convexity-in-mechanism",),
)
# k is the probability with which the output y leads to the event.
LINEAR_PROCESSED = Sums(
    setting("m k: y", "m in (-oo, oo)", "k in [0, 1]"),
    {"event": "any[y] m <= 0"},
    {"after": Step("sum[y] k*m <= 0", {"event": ("1", "k")})},
    ("post-processing",),
)
# Outputs y become z with probability k; the new laws are R V and V.
CONVEX_PROCESSED = Sums(
    setting("u v F: y; k: y, z; V R h s: z", *_REAL, "V in (0, oo)"),
    {
        "line": "F >= v*h + s*(u - v*R)",
        "first": "sum[y] k*u == R*V",
        "second": "sum[y] k*v == V",
        "kernel": "sum[z] k == 1",
        "before": "sum[y] F <= d",
    },
    {
        "each": Step("sum[y] k*F >= V*h", {"first": "-s", "second": "s*R - h", "line": "k"}),
        "shares": Step("sum[z] k*F == F", {"kernel": "F"}),
        "all": Step("sum[y, z] k*F <= d", {"shares": "1", "before": "1"}, rule="lift"),
        "after": Step("sum[z] V*h <= d", {"all": "1", "each": "1"}, rule="fold"),
    },
    ("jensen", "post-processing"),
)
# Pairs u, v of laws for every m, mixed with the weights l; the new laws are R V and V.
CONVEX_MIXED = Sums(
    setting("u v F: o, m; l: m; V R h s: o", *_REAL, "V in (0, oo)"),
    {
        "line": "F >= v*h + s*(u - v*R)",
        "first": "sum[m] l*u == R*V",
        "second": "sum[m] l*v == V",
        "weights": "sum[m] l == 1",
        "before": "sum[o] F <= d",
    },
    {
        "each": Step("sum[m] l*F >= V*h", {"first": "-s", "second": "s*R - h", "line": "l"}),
        "shares": Step("sum[o] l*F <= l*d", {"before": "l"}),
        "total": Step("sum[m] l*d == d", {"weights": "d"}),
        "all": Step("sum[o, m] l*F <= d", {"shares": "1", "total": "1"}, rule="lift"),
        "after": Step("sum[o] V*h <= d", {"all": "1", "each": "1"}, rule="fold"),
    },
    ("jensen", "convexity-in-mechanism"),
)
# The line through f(1) = 0: a divergence is not negative.
CONVEX_POSITIVE = Sums(
    setting("u v F: y", *_REAL),
    {"line": "F >= s*(u - v)", "u": "sum[y] u == 1", "v": "sum[y] v == 1"},
    {"positive": Step("sum[y] F >= 0", {"u": "-s", "v": "s", "line": "1"})},
    ("jensen",),
)


def means_within(level: str, *ranges: str) -> Sums:
    """That means of likelihoods u and v under any two laws w and x are within exp(level) if all of them are."""
    return Sums(
        setting("w u: z; x v: t", "U in [0, oo)", "V in [0, oo)", *ranges, once=put("exp(level)", level=level)),
        {
            "each": "u <= once*v",
            "w": "sum[z] w == 1",
            "x": "sum[t] x == 1",
            "U": "sum[z] w*u == U",
            "V": "sum[t] x*v == V",
        },
        {
            "same": Step("sum[t] x*u == u", {"x": "u"}),
            "mean": Step("sum[t] x*u <= once*V", {"V": "once", "each": "x"}),
            "one": Step("u <= once*V", {"same": "1", "mean": "1"}, rule="same"),
            "both": Step("sum[z] w*u <= once*V", {"w": "once*V", "one": "w"}),
            "means": Step("U <= once*V", {"U": "1", "both": "1"}, rule="same"),
        },
        ("mixture",),
    )


def fewer(condition: str, *ranges: str) -> Sums:
    """That what is asked of all of a family is asked of a part of it, k; condition is what must not be positive."""
    return Sums(
        setting("u v d k: o", "k in [0, 1]", *ranges, excess=put(condition)),
        {"all": "excess <= 0"},
        {"some": Step("k*excess <= 0", {"all": "k"})},
        ("restriction",),
    )


# A condition that is asked for where k is 1, which is everywhere.
EVERYWHERE = Sums(
    setting("u v k: o", "k in [0, 1]"),
    {"asked": "k*(u - exp(eps)*v) <= 0", "all": "k == 1"},
    {"same": Step("u - exp(eps)*v <= 0", {"asked": "1", "all": "exp(eps)*v - u"})},
)
# Fewer pairs of inputs.
FEWER = fewer("u - exp(eps)*v")
# A mean m that is within exp(eps) of both x and y.
TWICE = Sums(
    setting("x y m: o"),
    {"above": "x <= exp(eps)*m", "below": "m <= exp(eps)*y"},
    {"twice": Step("x <= exp(2*eps)*y", {"above": "1", "below": "exp(eps)"})},
)
# A test k and its complement, under a law u.
COMPLEMENT = Sums(
    setting("u k: y", "k in [0, 1]", "p in [0, 1]"),
    {"law": "sum[y] u == 1", "test": "sum[y] k*u == p"},
    {"rest": Step("sum[y] (1-k)*u == 1 - p", {"law": "1", "test": "-1"})},
)
# Means of u and v under the same law w.
SAME_LAW = Sums(
    setting("w u v: z"),
    {"each": "u <= exp(eps)*v"},
    {"means": Step("sum[z] w*u - exp(eps)*(w*v) <= 0", {"each": "w"})},
    ("mixture",),
)
