"""The mean of a function of the ratio of two normal laws, for sums of powers of r, perhaps times log r."""

from __future__ import annotations

from sympy import Expr, S, Symbol, diff, exp, expand, log, simplify

from symprivacy.notions.symbols import R

MU = Symbol("mu", real=True)


def gaussian_mean(f: Expr) -> Expr | None:
    """E f(dP/dQ) under Q for P = N(mu, 1) and Q = N(0, 1); None for a function of another form.

    >>> gaussian_mean(R * log(R)), gaussian_mean((R - 1) ** 2)
    (mu**2/2, exp(mu**2) - 1)
    """
    r, total = Symbol("r", positive=True), S.Zero
    for term in expand(expand(f.xreplace({R: r})), log=True).as_ordered_terms():
        scale, rest = term.as_independent(r)
        plain = rest / log(r) if rest.has(log) else rest
        power = simplify(r * diff(plain, r) / plain)
        if power.free_symbols:
            return None
        factor = simplify(plain / r**power)
        if factor.free_symbols:
            return None
        # The mean of r**n under Q, and its derivative in n.
        moment = exp(power * (power - 1) * MU**2 / 2)
        total += scale * factor * moment * ((power - S.Half) * MU**2 if rest.has(log) else 1)
    return total
