"""Pairs of laws with closed forms: means of functions of their ratio, from the definitions of notions.

Randomized response of level x gives its first output with odds exp(x) under one input and exp(-x) under the other. The
leaky response reveals the input with probability ``leak`` and is randomized response otherwise. A tilted coin has the
two ratios exp(-a) and exp(b). The Gaussian pair is a normal law of variance one and mean mu against mean 0.
"""

from __future__ import annotations

from sympy import Add, Expr, Lambda, Max, Mul, Pow, S, Symbol, erfc, exp, expand, log, oo, sqrt

from symprivacy.derivations.derivation import need
from symprivacy.notions import get
from symprivacy.notions.definition import Definition
from symprivacy.notions.registry import definition_of
from symprivacy.notions.statement import replace
from symprivacy.notions.symbols import D, R, real

X = real("x")


def generator(key: str) -> tuple[Definition, Expr, Expr]:
    """The definition of a notion that bounds a mean over the outputs of neighbours, its f(r) and its transform of D."""
    notion = definition_of(key)
    need(
        notion.mean is not None and notion.compares == "outputs",
        f"{key} bounds no mean over the outputs of neighbours",
    )
    assert notion.mean is not None
    f, transform = notion.mean
    return notion, f(R), transform(D)


def atoms(f: Expr, a: Expr, b: Expr) -> Expr:
    """The mean of f(r) for a coin with the ratios exp(-a) and exp(b), of mean one.

    >>> from sympy import simplify
    >>> simplify(atoms(R**2, X, X).subs(X, log(2)))
    3/2
    """
    low, high = replace(f, {R: exp(-a)}), replace(f, {R: exp(b)})
    return ((exp(b) - 1) * low + (1 - exp(-a)) * high) / (exp(b) - exp(-a))


def response(f: Expr, x: Expr) -> Expr:
    """The mean of f(r) for randomized response of level x.

    >>> from sympy import simplify
    >>> simplify(response(R * log(R), log(3)))
    log(3)/2
    """
    return (replace(f, {R: exp(x)}) + exp(x) * replace(f, {R: exp(-x)})) / (1 + exp(x))


def revealed(key: str) -> Expr:
    """The mean of f(r) when the output reveals the input: f at 0 and the slope of f at infinity."""
    record = get(key)
    found = record.divergence
    if key == "ADP":
        return S.One
    need(found is not None, f"{key} is no divergence")
    assert found is not None
    total = found.slope + found.at_zero
    need(total.is_finite is True, f"{key} has no bound where the input is revealed")
    return total


def gaussian(f: Expr, mu: Expr) -> Expr:
    """The mean of f(r) under the standard normal law, r = exp(mu X - mu**2/2), for sums of powers and r**k log r.

    E r**s = exp(s (s - 1) mu**2/2); its slope in s is E r**s log r. The hockey stick max(0, r - K) is a difference of
    two tails of normal laws.

    >>> gaussian(R * log(R), real("mu"))
    mu**2/2
    >>> gaussian((R - 1) ** 2, real("mu"))
    exp(mu**2) - 1
    """
    total = S.Zero
    for term in Add.make_args(expand(f)):
        total += _gaussian_term(term, mu)
    return expand(total)


def _gaussian_term(term: Expr, mu: Expr) -> Expr:
    scale, power, logs = S.One, S.Zero, 0
    for factor in Mul.make_args(term):
        if R not in factor.free_symbols:
            scale *= factor
        elif isinstance(factor, Max):
            need(len(Mul.make_args(term)) == 1, f"no Gaussian mean of {term}")
            return _gaussian_stick(factor, mu)
        elif factor == log(R):
            logs += 1
        else:
            base, exponent = factor.as_base_exp()
            need(base == R and R not in exponent.free_symbols, f"no Gaussian mean of {factor}")
            power += exponent
    need(logs <= 1, f"no Gaussian mean of {term}")
    s = Symbol("s", real=True)
    moment = exp(s * (s - 1) * mu**2 / 2)
    value = moment.diff(s) if logs else moment
    return scale * value.xreplace({s: power})


def _gaussian_stick(stick: Max, mu: Expr) -> Expr:
    """E max(0, r - K) = P[X > c - mu] - K P[X > c] with c = log(K)/mu + mu/2."""
    (line,) = (e for e in stick.args if e != 0) if len(stick.args) == 2 and S.Zero in stick.args else (None,)
    need(line is not None and line.coeff(R) == 1 and R not in (line - R).free_symbols, f"no Gaussian mean of {stick}")
    assert line is not None
    k = R - line
    c = log(k) / mu + mu / 2 if k != 1 else mu / 2
    c = c.replace(lambda e: isinstance(e, log) and isinstance(e.args[0], exp), lambda e: e.args[0].args[0])
    return erfc((c - mu) / sqrt(2)) / 2 - k * erfc(c / sqrt(2)) / 2


def symmetric(f: Expr) -> bool:
    """Whether the divergence of f is the same in both orders: f(r) - r f(1/r) is a multiple of r - 1.

    Shown at r = exp(x), x > 0, which says the same of 1/r.
    """
    from symprivacy.notions.certify import equal
    from symprivacy.notions.statement import span

    up, down = (_above(replace(f, {R: exp(X)})), _below(replace(f, {R: exp(-X)})))
    gap = up - exp(X) * down
    domain = (span(X, 0, oo),)
    return any(equal(gap, c * (exp(X) - 1), domain) for c in (S.Zero, S.One, -S.One))


def _above(e: Expr) -> Expr:
    return e.xreplace({Max(0, exp(X) - 1): exp(X) - 1})


def _below(e: Expr) -> Expr:
    return e.xreplace({Max(0, exp(-X) - 1): S.Zero})


__all__ = ["Lambda", "Pow", "X", "atoms", "gaussian", "generator", "response", "revealed", "symmetric"]
