"""Rules about many secrets: likelihoods against their mean, uniform priors, averaged posteriors.

The ratio r of posterior to prior is L/E(L), the likelihood over its mean, and has mean one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sympy import Abs, Expr, S, Symbol, cancel, diff, exp, oo, powsimp

from symprivacy.derivations.derivation import Lookup, Outcome, joined, need, rule
from symprivacy.derivations.means import compares_both, exchanged
from symprivacy.derivations.plain_rules import inside
from symprivacy.notions.certify import equal
from symprivacy.notions.definition import PRIOR
from symprivacy.notions.statement import Given, Span, Statement, merged, replace
from symprivacy.notions.symbols import OTHERS, R2, RATIOS, WIDTHS, A, D, E, L, M, P, Q

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
    r, w = RATIOS["games"], WIDTHS["games"]
    symbol, rel = {"r <=": (r, "<="), "r >=": (r, ">="), "w <=": (w, "<=")}[quantity]
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
    return Outcome(Statement(WIDTHS["secrets"], "<=", s.rhs, s.domain, s.given))


@rule("one-record", 1, principle="games")
def _one_record(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """with one record nothing is left without it.

    Without the only record every output is equally likely for all databases, and the posterior is the prior.
    """
    (s,) = inputs
    need((s.lhs, s.rel) == (WIDTHS["secrets"], "<="), f"expected a width of posterior over prior, got {s}")
    return Outcome(Statement(WIDTHS["games"], "<=", s.rhs, s.domain, (*s.given, Given("one record", ()))))


def on_two(f: Expr, prior: Expr, ratio: Expr) -> Expr:
    """The mean of f(r) over two secrets of priors p and 1 - p, when the likelihood of the first is A times the other's.

    >>> from sympy import Symbol
    >>> on_two(RATIOS["secrets"], Symbol("p"), S.One)
    1
    """
    r, whole = RATIOS["secrets"], prior * ratio + 1 - prior
    return prior * replace(f, {r: ratio / whole}) + (1 - prior) * replace(f, {r: 1 / whole})


@rule("belief-ratio", 1, "prior", "value", principle="bayes")
def _belief_ratio(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """a belief on two secrets, at one prior.

    T(E f(r)) <= d for posterior over prior r, every prior and output. With prior p on one secret and 1 - p on another,
    r is A/(p A + 1 - p) and 1/(p A + 1 - p). The mean of f increases with A beyond B (certified), and there T of it
    reaches d at B (certified): A <= B.
    """
    (s,) = inputs
    p, value = parameters["prior"], parameters["value"]
    means = s.lhs.atoms(E)
    need(len(means) == 1 and s.rel == "<=", f"expected T(E(f(r))) <= d, got {s}")
    (mean,) = means
    f, transform = mean.args[0], s.lhs.xreplace({mean: D})
    need(f.free_symbols == {RATIOS["secrets"]} and not transform.has(E), f"{s} is not about posteriors over priors")
    known = {span.symbol for span in s.domain}
    need((p.free_symbols | value.free_symbols) <= known, "the belief has variables without a range")
    compares_both(s, lookup)
    at = on_two(f, p, value)
    beyond = (*s.domain, Span(A, value, oo))
    obligations = (
        *(Statement(p, side, end, s.domain) for side, end in ((">", S.Zero), ("<", S.One))),
        Statement(value, ">", S.One, s.domain),
        Statement(at, ">", S.Zero, s.domain),
        Statement(replace(transform, {D: at}), ">=", s.rhs, s.domain),
        Statement(diff(transform, D), ">", S.Zero, (*s.domain, Span(D, S.Zero, oo))),
        Statement(diff(on_two(f, p, A), A), ">", S.Zero, beyond),
    )
    return Outcome(Statement(A, "<=", value, s.domain, s.given), obligations)


@rule("averaged", 1, principle="mixture")
def _averaged(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """an average of posteriors keeps their bounds.

    q <= b p for every output: the mean of q over outputs is at most b p as well; r is that mean over p.
    """
    (s,) = inputs
    bound = cancel(s.rhs / P)
    need(s.lhs == Q and s.rel in ("<=", ">=") and P not in bound.free_symbols, f"expected q <= b*p, got {s}")
    need(equal(bound * P, s.rhs, s.domain), f"{s.rhs} is not {bound}*p")
    fixed = any(P in v.free_symbols for g in s.given for v in g.values)
    need(PRIOR in s.domain and not fixed, f"{s} is not stated for every prior")
    domain = tuple(x for x in s.domain if x.symbol != P)
    return Outcome(Statement(RATIOS["secrets"], s.rel, bound, domain, s.given))


@rule("close-prior", 1, "distance", principle="close-prior")
def _close_prior(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """the adversary's prior is within a known factor of the one in the definition."""
    (s,) = inputs
    t = parameters["distance"]
    r = RATIOS["secrets"]
    need(s.lhs == r and s.rel in ("<=", ">=") and isinstance(t, Symbol), f"expected a bound of {r}, got {s}")
    need(t not in {x.symbol for x in s.domain}, f"{t} is in use")
    factor = exp(t) if s.rel == "<=" else exp(-t)
    domain = (*s.domain, Span(t, S.Zero, S.Infinity))
    return Outcome(Statement(r, s.rel, powsimp(s.rhs * factor), domain, (*s.given, Given("close prior", (t,)))))


@rule("absolute-product", 3, "factor", "domain", relative=True)
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
    domain = merged(s.domain, (COUNT,))
    positive = Statement(s.rhs, ">", S.Zero, s.domain)
    if side == "upper":
        return Outcome(Statement(OTHERS, "<=", (M - 1) * s.rhs, domain, s.given))
    return Outcome(Statement(OTHERS, ">=", (M - 1) / s.rhs, domain, s.given), (positive,))


@rule("uniform-bayes", 0, principle="uniform-secrets")
def _uniform_bayes(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """Bayes' rule for the uniform prior on m secrets.

    posterior/prior = L(d)/((1/m) sum of L) = m/(1 + S).
    """
    return Outcome(Statement(RATIOS["uniform"], "==", M / (1 + OTHERS), (COUNT,)))


@rule("quotient", 2, principle="bayes")
def _quotient(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """a likelihood ratio is a quotient of posterior/prior at two secrets.

    A = r(d)/r(d') with r <= b and r >= a > 0 at every secret.
    """
    upper, lower = inputs
    r = RATIOS["uniform"]
    need((upper.lhs, upper.rel, lower.lhs, lower.rel) == (r, "<=", r, ">="), "expected bounds under a uniform prior")
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
    need((lower.lhs, lower.rel) == (RATIOS["uniform"], ">="), "expected a lower bound under a uniform prior")
    domain = merged(lower.domain, (COUNT,))
    rest = M - (M - 2) * lower.rhs - R2
    return Outcome(Statement(A, "<=", rest / R2, domain, lower.given))


@rule("second", 1, principle="uniform-secrets")
def _second(inputs: Inputs, parameters: Parameters, lookup: Lookup) -> Outcome:
    """the bound at the second secret."""
    (lower,) = inputs
    need(lower.lhs == RATIOS["uniform"] and lower.rel in ("<=", ">="), "expected a bound under a uniform prior")
    return Outcome(Statement(R2, lower.rel, lower.rhs, lower.domain, lower.given))
