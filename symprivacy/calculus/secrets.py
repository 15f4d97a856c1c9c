"""Rules about many secrets: likelihoods against their mean, uniform priors, averaged posteriors.

The ratio r of posterior to prior is L/E(L), the likelihood over its mean, and has mean one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sympy import Abs, S, Symbol, cancel, exp, powsimp

from symprivacy.calculus.certify import equal
from symprivacy.calculus.derivation import Lookup, Outcome, joined, need, rule
from symprivacy.calculus.means import compares_both, exchanged
from symprivacy.calculus.rules import inside
from symprivacy.calculus.statement import Given, Span, Statement, merged, replace
from symprivacy.calculus.symbols import OTHERS, R2, A, L, M, P, Q, R, W

Inputs = tuple[Statement, ...]
Parameters = Mapping[str, Any]
COUNT = Span(M, S(2), S.Infinity, False, True)


@rule("games", 1, "side", principle="games")
def _games(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """likelihood with the record over likelihood without it.

    L(z) = P[M(z)=t]/P[M(z without i)=t] compares neighbours, in either order, for each database z.
    """
    return exchanged(inputs[0], L, parameters["side"], lookup)


@rule("mixture", 2, "quantity", principle="mixture")
def _mixture(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """a mean of likelihoods lies between them.

    r = L/E(L) with a <= L <= b: E(L) lies in [a, b] too. So r <= b/a, r >= a/b, and sup r/inf r <= b/a.
    """
    upper, lower = inputs
    quantity = parameters["quantity"]
    need((upper.lhs, upper.rel, lower.lhs, lower.rel) == (L, "<=", L, ">="), "expected L <= b and L >= a")
    domain = merged(upper.domain, lower.domain)
    a, b = lower.rhs, upper.rhs
    need(quantity in ("r <=", "r >=", "w <="), "expected r or w")
    symbol, rel = {"r <=": (R, "<="), "r >=": (R, ">="), "w <=": (W, "<=")}[quantity]
    value = a / b if quantity == "r >=" else b / a
    return Outcome(Statement(symbol, rel, value, domain, joined(upper, lower)), (Statement(a, ">", S.Zero, domain),))


@rule("secrets-width", 1, principle="mixture")
def _secrets_width(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """posterior over prior is likelihood over its mean.

    r = L/E(L) over the secrets: the ratio of two values of r is a ratio of likelihoods, at most B.
    """
    (s,) = inputs
    need(s.lhs == A and s.rel == "<=", f"expected A <= B, got {s}")
    compares_both(s, lookup)
    return Outcome(Statement(W, "<=", s.rhs, s.domain, s.given))


@rule("averaged", 1, principle="mixture")
def _averaged(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """an average of posteriors keeps their bounds.

    q <= b p for every output: the mean of q over outputs is at most b p as well; r is that mean over p.
    """
    (s,) = inputs
    bound = cancel(s.rhs / P)
    need(s.lhs == Q and s.rel in ("<=", ">=") and P not in bound.free_symbols, f"expected q <= b*p, got {s}")
    domain = tuple(x for x in s.domain if x.symbol != P)
    return Outcome(Statement(R, s.rel, bound, domain, s.given))


@rule("close-prior", 1, "distance", principle="close-prior")
def _close_prior(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """the adversary's prior is within a factor exp(distance) of the one in the definition."""
    (s,) = inputs
    t = parameters["distance"]
    need(s.lhs == R and s.rel in ("<=", ">=") and isinstance(t, Symbol), f"expected a bound of r, got {s}")
    need(t not in {x.symbol for x in s.domain}, f"{t} is in use")
    factor = exp(t) if s.rel == "<=" else exp(-t)
    domain = (*s.domain, Span(t, S.Zero, S.Infinity))
    return Outcome(Statement(R, s.rel, powsimp(s.rhs * factor), domain, (*s.given, Given("close prior", (t,)))))


@rule("absolute-product", 3, "factor", "domain")
def _absolute_product(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """each factor at its largest absolute value.

    X <= k u v with |u| <= a and |v| <= b, k > 0: X <= k a b.
    """
    product, first, second = inputs
    k, domain = parameters["factor"], parameters["domain"]
    for s in (first, second):
        need(s.rel == "<=" and isinstance(s.lhs, Abs), f"expected |u| <= a, got {s}")
    need(product.rel == "<=" and k.is_positive is True, "expected X <= k u v")
    u, v = first.lhs.args[0], second.lhs.args[0]
    need(equal(product.rhs, k * u * v, domain), f"{product.rhs} is not {k * u * v}")
    obligations = [o for s in inputs for o in inside(s.domain, domain, {})]
    result = Statement(product.lhs, "<=", k * first.rhs * second.rhs, domain, joined(*inputs))
    return Outcome(result, tuple(dict.fromkeys(obligations)))


@rule("evaluate", 1, "value", "domain")
def _evaluate(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """a mechanism whose likelihood ratio is this."""
    (s,) = inputs
    value, domain = parameters["value"], parameters["domain"]
    need(s.rel == "==" and s.rhs.has(A), f"expected X = phi(A), got {s}")
    lo = Statement(value, ">", S.Zero, domain)
    result = Statement(s.lhs, "==", replace(s.rhs, {A: value}), domain, (*s.given, Given("ratio", (value,))))
    return Outcome(result, (*inside(s.domain, domain, {}), lo))


@rule("others", 1, "side", principle="uniform-secrets")
def _others(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """the m - 1 other likelihoods over this one.

    S = sum of L(d')/L(d) over d' different from d; each term is a likelihood ratio, at most B and at least 1/B.
    """
    (s,) = inputs
    side = parameters["side"]
    need(s.lhs == A and s.rel == "<=" and side in ("upper", "lower"), f"expected A <= B, got {s}")
    compares_both(s, lookup)
    domain = (*s.domain, COUNT)
    positive = Statement(s.rhs, ">", S.Zero, s.domain)
    if side == "upper":
        return Outcome(Statement(OTHERS, "<=", (M - 1) * s.rhs, domain, s.given))
    return Outcome(Statement(OTHERS, ">=", (M - 1) / s.rhs, domain, s.given), (positive,))


@rule("uniform-bayes", 0, principle="uniform-secrets")
def _uniform_bayes(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """Bayes' rule for the uniform prior on m secrets.

    posterior/prior = L(d)/((1/m) sum of L) = m/(1 + S).
    """
    return Outcome(Statement(R, "==", M / (1 + OTHERS), (COUNT,)))


@rule("quotient", 2, principle="bayes")
def _quotient(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """a likelihood ratio is a quotient of posterior/prior at two secrets.

    A = r(d)/r(d') with r <= b and r >= a > 0 at every secret.
    """
    upper, lower = inputs
    need((upper.lhs, upper.rel, lower.lhs, lower.rel) == (R, "<=", R, ">="), "expected r <= b and r >= a")
    domain = merged(upper.domain, lower.domain)
    return Outcome(
        Statement(A, "<=", upper.rhs / lower.rhs, domain, joined(upper, lower)),
        (Statement(lower.rhs, ">", S.Zero, domain),),
    )


@rule("total", 1, principle="uniform-secrets")
def _total(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """the m values of posterior/prior sum to m.

    r1 + r2 + (m - 2 others) = m, and each of them is at least a: A = r1/r2 <= (m - (m - 2) a - r2)/r2.
    """
    (lower,) = inputs
    need((lower.lhs, lower.rel) == (R, ">="), "expected r >= a")
    domain = merged(lower.domain, (COUNT,))
    rest = M - (M - 2) * lower.rhs - R2
    return Outcome(Statement(A, "<=", rest / R2, domain, lower.given))


@rule("second", 1, principle="uniform-secrets")
def _second(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """the bound at the second secret."""
    (lower,) = inputs
    need(lower.lhs == R and lower.rel in ("<=", ">="), "expected a bound of r")
    return Outcome(Statement(R2, lower.rel, lower.rhs, lower.domain, lower.given))
