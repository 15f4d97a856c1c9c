"""Desfontaines and Pejo, SoK: Differential Privacies, section 3.4: divergences.

P and Q are the output laws of two neighbours in either order, r = P/Q, L = log(r); u and v are P and Q at one output.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

from sympy import simplify

from symprivacy.claims.argument import Attacked, Counterexample, Witness
from symprivacy.claims.comparison import comparison, put
from symprivacy.claims.equivalence import equivalent
from symprivacy.claims.finite_sums import setting
from symprivacy.claims.instances import (
    confirms,
    contradicts,
    expectation,
    log,
    merged,
    moment,
    near_pair,
    reached,
    response,
    shown,
)
from symprivacy.claims.laws import random_growth
from symprivacy.claims.outcome import every
from symprivacy.claims.papers.closure import CONVEX_POSITIVE, CONVEX_PROCESSED
from symprivacy.claims.record import Form, claims_of
from symprivacy.claims.sum_proofs import Step, Sums
from symprivacy.kernel.expr import Expr
from symprivacy.language.bridge import to_sympy
from symprivacy.language.text import to_text
from symprivacy.mechanisms.random import random_law

_claim = claims_of("sok22")

Law = list[Fraction]
# The mean of (r-1)**2 under Q is m - 1, m the mean of r under P, which is exp(D_2).
_SECOND = Sums(
    setting("u v: y", "v in (0, oo)", "m in [1, oo)"),
    {"m": "sum[y] u*(u/v) == m", "u": "sum[y] u == 1", "v": "sum[y] v == 1"},
    {"second": Step("sum[y] v*(u/v-1)**2 == m - 1", {"m": "1", "u": "-2", "v": "1"})},
)
_CHI2 = "log(1+eps**2)"
_WIDTH = "exp(eps)-1"
# Exponents k for which a bound on |r-1| gives one on its k-th power.
_ORDERS = "k in [1, oo)"
# Reversed and plain Kullback-Leibler, chi-square, total variation.
_CONVEX = ("-log(r)", "r*log(r)", "(r-1)**2", "abs(r-1)/2")


def _under(first: bool, f: str, one: Law, other: Law) -> Expr:
    """E f(P/Q), the mean under P (as Definition 13 prints it) or under Q (an f-divergence)."""
    values = [put(f, r=p / q) for p, q in zip(one, other, strict=True)]
    return expectation(one if first else other, values)


def _number(values: list[Expr]) -> str:
    return " and ".join(str(simplify(to_sympy(value))) for value in values)


def _grows_when_merged() -> Witness:
    """f = |r-1|: merging two outputs increases what is printed, in either order; f = -log: it is negative."""
    one, other = [Fraction(1, 4), Fraction(1, 4), Fraction(1, 2)], [Fraction(1, 4), Fraction(1, 2), Fraction(1, 4)]
    f = "abs(r-1)"
    before = [_under(True, f, *pair) for pair in ((one, other), (other, one))]
    coarse = merged(one), merged(other)
    after = [_under(True, f, *pair) for pair in (coarse, coarse[::-1])]
    grows = any(all(confirms("a > b", a=value, b=old) for old in before) for value in after)
    one_bit = response(3)
    negative = confirms("a < 0", a=_under(True, "-log(r)", *one_bit))
    if not (grows and negative):
        return None
    return {"says": f"`f = |r-1|`: {_number(before)} in the two orders, then {_number(after)} after outputs 0 and 1 "
                    "are merged; `f = -log(r)` makes it negative for `P = (3/4, 1/4)`, `Q = (1/4, 3/4)`; an "
                    "`f`-divergence never grows and is never negative",
            "mechanism": {"matrix": shown(one, other)}, "f": f}  # fmt: skip


def _processed(rng: Random) -> Witness:
    """Under the second law no f of the list becomes negative, or larger when outputs are merged."""
    one, other = random_law(rng, 3), random_law(rng, 3)
    for f in _CONVEX:
        fine, coarse = _under(False, f, one, other), _under(False, f, merged(one), merged(other))
        if contradicts("0 <= c", c=coarse) or contradicts("c <= d", c=coarse, d=fine):
            return {"says": f"`{f}` grows when outputs 0 and 1 are merged", "laws": shown(one, other)}
    return None


def _power(first: bool, k: int, one: Law, other: Law) -> Fraction:
    pairs = list(zip(one, other, strict=True))
    return sum(((p if first else q) * abs(p / q - 1) ** k for p, q in pairs), Fraction(0))


def _other_measure() -> Witness:
    """k = 2 is said to be Renyi DP of order 2 at log(1 + eps**2): not for the mean that is printed."""
    one, other = response(3)
    printed, meant = _power(True, 2, one, other), _power(False, 2, one, other)
    renyi = reached(one, other, "RDP", alpha=2)
    if contradicts("e == log(1 + m)", e=renyi, m=printed) and not contradicts("e == log(1 + m)", e=renyi, m=meant):
        return {"says": f"for `k = 2` the printed mean is `{printed}`, that under `M(D2)` `{meant}`, and "
                        f"`exp(D_2) - 1 = {moment(one, other, 1) - 1}`",
                "mechanism": {"matrix": shown(one, other)}, "k": "2"}  # fmt: skip
    return None


def _chi_square(rng: Random) -> Witness:
    one, other = random_law(rng, 3), random_law(rng, 3)
    worst = max(_power(False, 2, one, other), _power(False, 2, other, one))
    bound = put(_CHI2, eps=put("sqrt(c)", c=worst))
    if contradicts("e == b", e=reached(one, other, "RDP", alpha=2), b=bound):
        return {"says": f"chi-square `{worst}`, but `D_2` is not `log(1 + {worst})`", "laws": shown(one, other)}
    return None


def _negative_order() -> Witness:
    """k = -1 for randomized response: both possible measures exceed the bound."""
    k, growth = -1, Fraction(2)
    one, other = response(growth)
    values = [_power(first, k, one, other) for first in (True, False)]
    bound = put("w**k", w=put(_WIDTH, eps=log(growth)), k=k)
    if not all(confirms("m > b", m=value, b=bound) for value in values):
        return None
    return {"says": f"`k = -1`, `eps = log(2)`: `E[|exp(L)-1|**k]` is `{values[0]}` (under `M(D2)` `{values[1]}`), "
    f"above `{to_text(bound)}`",
            "mechanism": {"matrix": shown(one, other)}, "k": str(k)}  # fmt: skip


def _power_bounded(rng: Random) -> Witness:
    growth = random_growth(rng)
    one, other = near_pair(rng, growth)
    k = rng.randint(1, 4)
    for first in (True, False):
        if contradicts("m <= w**k", m=_power(first, k, one, other), w=put(_WIDTH, eps=log(growth)), k=k):
            return {"says": f"`E[|r-1|**{k}] = {_power(first, k, one, other)}`", "laws": shown(one, other)}
    return None


CLAIMS = (
    _claim(
        "divdp-base",
        "Def 13",
        "`(f,eps)-DivDP`: `E_{O~M(D1)}[f(exp(L_{D1/D2}))]<=eps`, `f` convex",
        reading="meant is an `f`-divergence of the two output laws, which is at least 0 and never grows by processing",
        words=(
            "the ratio of a merged output is the mean of the ratios under `M(D2)`, so `f` of it is at most "
            "their mean; `f(r) = r log(r)` is the Kullback-Leibler divergence"
        ),
        proof=Counterexample("`E_{M(D1)} f(exp(L_{D1/D2}))` is an `f`-divergence", _grows_when_merged),
        corrected=Form(
            "`(f,eps)-DivDP`: `E_{O~M(D2)}[f(exp(L_{D1/D2}))]<=eps`, `f` convex",
            Attacked(every(CONVEX_POSITIVE, CONVEX_PROCESSED), _processed, 20),
        ),
    ),
    _claim(
        "kdiv-base",
        "Sec 3.4",
        "`(f_k,eps)-DivDP: E_{O~M(D1)}[|exp(L)-1|**k] <= eps**k`",
        reading="the definition for which the two sentences that follow it in the paper are true",
        words="under `M(D2)` and `k = 2` the sum is `E_P r - 1 = exp(D_2) - 1`",
        proof=Counterexample("E_{M(D1)}|exp(L)-1|**k, for `k = 2` the quantity of Renyi DP of order 2", _other_measure),
        corrected=Form(
            "`(f_k,eps)-DivDP: E_{O~M(D2)}[|exp(L)-1|**k] <= eps**k`",
            Attacked(_SECOND, _chi_square, 20),
        ),
    ),
    _claim(
        "kdiv-k2",
        "Sec 3.4",
        f"`k=2`: `(f_2,eps)-DivDP` equivalent to `(2,{_CHI2})-RenyiDP`",
        reading="the mean in `(f_2,eps)-DivDP` is under `M(D2)`",
        # The divergence of order 2 is log(m); s is how far m - 1 is from its bound eps**2.
        words="`E_Q (r-1)**2 = E_P r - 1`, and `E_P r = exp(D_2)`",
        proof=Attacked(
            every(
                _SECOND,
                equivalent(
                    "m - 1 <= eps**2",
                    "log(m) <= level",
                    "m in [1, oo)",
                    lemmas=(
                        comparison("log(1 + t*eps**2) <= level", "t in [0, 1]", level=_CHI2),
                        comparison("log(1 + eps**2 + s) > level", "s in (0, oo)", level=_CHI2),
                    ),
                    level=_CHI2,
                ),
            ),
            _chi_square,
            20,
        ),
    ),
    _claim(
        "kdiv-k1",
        "Sec 3.4",
        f"for any `k<=1`, `eps-DP => (f_k, {_WIDTH})-DivDP`",
        reading="`f_k(r) = |r-1|**k` is convex with `f_k(1) = 0` only for `k >= 1`, as Definition 13 asks; for `0 < k "
        "< 1` the printed inequality is true all the same, and only `k < 0` fails",
        words="`|r-1|` is at most `exp(eps)-1`, whatever the order of the neighbours; `f_k` is convex for `k >= 1`",
        proof=Counterexample(f"for any `k<=1`, `eps-DP` => `E[|exp(L)-1|**k] <= ({_WIDTH})**k`", _negative_order),
        corrected=Form(
            f"for any `k>=1`, `eps-DP => (f_k, {_WIDTH})-DivDP`",
            # |r-1| is a part s of the largest, W; outputs with r = 1 add nothing.
            Attacked(
                every(
                    comparison("exp(eps)*s - 1 <= width", "s in [0, 1]", width=_WIDTH),
                    comparison("1 - exp(-eps)*(1+s) <= width", "s in [0, oo)", width=_WIDTH),
                    comparison("(s*W)**k == s**k*W**k", "s in (0, 1]", "W in (0, oo)", _ORDERS),
                    Sums(
                        setting("v s: y", "s in (0, 1]", "W in (0, oo)", _ORDERS),
                        {"law": "sum[y] v == 1"},
                        {
                            "power": Step("s**k <= 1"),
                            "mean": Step("sum[y] v*(s**k*W**k) <= W**k", {"law": "W**k", "power": "v*W**k"}),
                        },
                    ),
                    comparison("k*(k-1)*s**(k-2) >= 0", "s in (0, oo)", _ORDERS),
                ),
                _power_bounded,
            ),
        ),
    ),
)
