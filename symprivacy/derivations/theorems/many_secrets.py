"""Rules about m secrets at once: maximal leakage, and the uniform prior.

Maximal leakage is the logarithm of the sum of P_i(S_i), S_i the outputs at which secret i is the most likely one. With
p the mean of P_i(S_i) and q the mean of P_j(S_i) over ordered pairs of secrets, exp of it is m p, and p + (m - 1) q =
1. Randomized response over m secrets gives the secret with probability p and each other one with probability q.
"""

from __future__ import annotations

from dataclasses import dataclass

from sympy import Expr, Function, Min, S, Symbol, cosh, erfc, exp, log, oo, sinh, sqrt

from symprivacy.derivations.derivation import need
from symprivacy.derivations.theorems.follows import LEVEL, MU, Cases, at_law, orders_of, parameters
from symprivacy.derivations.theorems.laws import X, generator
from symprivacy.derivations.theorems.theorem import Kind, Result, Theorem, rule, settled, way
from symprivacy.notions.certify import equal
from symprivacy.notions.convex import convexity
from symprivacy.notions.registry import definition_of
from symprivacy.notions.statement import Domain, Given, Span, Statement, replace, span
from symprivacy.notions.symbols import M, R, real

MANY = span(M, 2, oo, "[")
XI, M2, DELTA, EPS, U = (real(n) for n in ("xi", "m2", "delta", "eps", "u"))
RESPONSE = "m inputs: randomized response over them"


@dataclass(frozen=True)
class _Sets:
    """A premise, how many secrets there are, and p and q of the laws that reach what it allows."""

    premise: Given
    domain: Domain
    m: Expr
    p: Expr
    q: Expr
    witness: str = RESPONSE

    @property
    def leakage(self) -> Given:
        return Given("MAXL", (self.m, log(self.m * self.p)))


def _sets(source: str) -> _Sets:
    """Where p is as large as the bound on p in terms of q allows: p = exp(eps) q + delta, or on the Gaussian curve."""
    if source in ("DP", "RB"):
        p, q = exp(X) / (exp(X) + M - 1), 1 / (exp(X) + M - 1)
        need(equal(p, exp(X) * q, (MANY, LEVEL)), "the ratio is not exp(x)")
        return _Sets(Given(source, (X if source == "DP" else 2 * X,)), (MANY, LEVEL), M, p, q)
    if source in ("ADP", "PDP", "TV"):
        eps = S.Zero if source == "TV" else EPS
        own = (span(DELTA, 0, 1),) if source == "TV" else (span(EPS, 0, oo), span(DELTA, 0, 1))
        p, q = (exp(eps) + (M - 1) * DELTA) / (exp(eps) + M - 1), (1 - DELTA) / (exp(eps) + M - 1)
        need(equal(p, exp(eps) * q + DELTA, (MANY, *own)), "p is not exp(eps) q + delta")
        given = Given(source, (DELTA,) if source == "TV" else (EPS, DELTA))
        words = "m inputs: the input with probability delta, else randomized response over them"
        return _Sets(given, (MANY, *own), M, p, q, words)
    need(source == "GDP", f"no sets for {source}")
    p, q = erfc((U - MU / 2) / sqrt(2)) / 2, erfc((U + MU / 2) / sqrt(2)) / 2
    m = 1 + erfc((MU / 2 - U) / sqrt(2)) / erfc((MU / 2 + U) / sqrt(2))
    return _Sets(Given("GDP", (MU,)), (span(MU, 0, oo), span(U, 0, oo, "[")), m, p, q)


@rule("likely-sets", "likely-sets", "hypothesis-testing")
def likely_sets(*, source: str) -> Result:
    """P_i(S_i) is bounded in terms of P_j(S_i) for every pair, and by averages p in terms of q = (1 - p)/(m - 1).

    The bound is p <= exp(eps) q + delta, or that p and q lie under the concave curve of the Gaussian pair, on which
    they lie here by their form. It grows with q, which falls with p; so p is at most where the two meet (identity).
    """
    need(source in ("DP", "ADP", "TV", "GDP"), "expected DP, ADP, TV or GDP")
    s = _sets(source)
    if source != "GDP":
        need(equal(s.p + (s.m - 1) * s.q, S.One, s.domain), "p + (m - 1) q is not one")
    return Result(Theorem(Kind.IMPLIES, s.premise, s.leakage, s.domain))


@rule("secrets-response", "exact-level", "hypothesis-testing")
def secrets_response(*, source: str) -> Result:
    """Randomized response over m secrets has the premise, and its leakage is computed.

    Its ratios are p/q, 1 and q/p. With probability delta the output may reveal the secret, which is P[r > exp(eps)] and
    the hockey stick. The best tests have the errors and powers (q, p) and (1 - p, 1 - q), on the Gaussian curve or
    on its mirror image, which is the same.
    """
    s = _sets(source)
    return Result(Theorem(Kind.SHARP, s.premise, s.leakage, s.domain, (), s.witness))


@rule("range-sets", "likely-sets", "range-of-sets")
def range_sets() -> Result:
    """With M_ij = P_i(S_j) and E = exp(-x) for RB(2x): the sum T of M_ii has T**2 ((1 - E)/m + E) <= T (principle)."""
    s = _sets("RB")
    total, least = s.m * s.p, exp(-X)
    need(equal(total * ((1 - least) / M + least), S.One, s.domain), "the sum is not the largest one")
    return Result(Theorem(Kind.IMPLIES, s.premise, s.leakage, s.domain))


def among(f: Expr, x: Expr, m: Expr) -> Expr:
    """The mean of f(r) for two rows of randomized response of ratio exp(x) over m secrets.

    >>> among((R - 1) ** 2, log(2), S(2))
    1/2
    """
    up, down, one = (replace(f, {R: r}) for r in (exp(x), exp(-x), S.One))
    return (up + exp(x) * down + (m - 2) * one) / (exp(x) + m - 1)


@rule("exchangeable-secrets", "exchangeable-secrets", "both-orders", "jensen")
def exchangeable(*, source: str, names: tuple[Symbol, ...], mean: Expr, cases: Cases, kind: str) -> Result:
    """Of all laws of m secrets with one leakage, randomized response over them has the least divergence (principle).

    f is convex (certified), and the mean of f at randomized response of ratio exp(x) exceeds f(1) (certified), so a
    larger leakage needs a larger mean.
    """
    view = definition_of(source)
    need(view.both and not view.every, f"{source} is not one mean in both orders")
    own, mapping = parameters(source, names)
    domain = (*own, MANY, LEVEL)
    f = replace(generator(source)[1], mapping)
    exact, obligations = settled(among(f, X, M), cases, domain)
    need(equal(exact, mean, domain), f"{source}: {exact} = {mean} is not shown by the algebra")
    level, more = at_law(source, names, mean)
    conclusion = Given("MAXL", (M, log(M * exp(X) / (exp(X) + M - 1))))
    if kind == "implies":
        more = (*more, *convexity(f, R, (*own, span(R, 0, oo))))
        more = (*more, Statement(mean, ">", replace(f, {R: S.One}), domain))
    theorem = Theorem(
        way(kind), Given(source, (*names, level)), conclusion, domain, (), RESPONSE if kind == "sharp" else ""
    )
    return Result(theorem, (*obligations, *more))


@rule("secrets-orders", "exact-level", "all-orders", "renyi-monotone")
def secrets_orders(*, most: Expr) -> Result:
    """Randomized response over m secrets, m at most ``most``: D_alpha/alpha is largest in the limit of order one.

    The moment of order alpha is (2 c cosh(a x) + m - 2)/(c**2 + m - 1), a = alpha - 1/2 and c = exp(x/2) (identity).
    Its logarithm is a concave function of a**2, because its slope in y**2, y = a x, is c sinh(y)/(y (2 c cosh(y) + m -
    2)), which falls with y: (coth(y) - 1/y) (2 cosh(y) + m - 2) <= 2 sinh(y) (certified for the largest m and c = 1;
    more so for c > 1, because 2 c sinh(y)/(2 c cosh(y) + m - 2) grows with c). It is 0 at alpha = 1, a**2 = 1/4, and
    alpha (alpha - 1) = a**2 - 1/4, so the quotient with that is largest in the limit, where it is KL.
    """
    need(most.is_Rational is True, "expected a number")
    alpha, y = real("alpha"), real("y")
    domain = (Span(M, S(2), most, False, False), LEVEL)
    moment = among(R**alpha, X, M)
    form = (2 * exp(X / 2) * cosh((alpha - S.Half) * X) + M - 2) / (exp(X) + M - 1)
    need(equal(moment, form, (span(alpha, 1, oo), *domain)), "another moment")
    falls = Statement((y * cosh(y) - sinh(y)) * (2 * cosh(y) + most - 2), "<=", 2 * y * sinh(y) ** 2, (span(y, 0, oo),))
    level = X * (exp(X) - 1) / (exp(X) + M - 1)
    need(equal(among(R * log(R), X, M), level, domain), "another divergence at order one")
    conclusion = Given("MAXL", (M, log(M * exp(X) / (exp(X) + M - 1))))
    return Result(Theorem(Kind.SHARP, Given("ZCDP", (level,)), conclusion, domain, (), RESPONSE), (falls,))


@rule("two-of-the-secrets", "likely-sets", "restriction")
def two_of_the_secrets() -> Result:
    """The sum over outputs of the larger of two likelihoods is 1 + TV, at most that of the largest of m likelihoods."""
    domain = (MANY, span(DELTA, 0, 1))
    return Result(Theorem(Kind.IMPLIES, Given("MAXL", (M, log(1 + DELTA))), Given("TV", (DELTA,)), domain))


@rule("copied-input", "likely-sets", "exact-level")
def copied_input(t: Theorem) -> Result:
    """Two inputs, one of them copied m - 1 times: the leakage is that of the two, log(1 + TV).

    Where nothing follows from any TV, nothing follows from any leakage: a small TV does.
    """
    need(t.kind in (Kind.SHARP, Kind.NOTHING) and t.premise.key == "TV", "expected a limit of TV")
    need(t.witness.startswith("two inputs") and not t.assuming, "expected a mechanism with two inputs")
    (level,) = t.premise.values
    need(M not in {s.symbol for s in t.domain}, "one name for two parameters")
    words = t.witness.replace("two inputs", "m inputs, all but one of them the same")
    if t.kind is Kind.SHARP:
        theorem = Theorem(Kind.SHARP, Given("MAXL", (M, log(1 + level))), t.conclusion, (MANY, *t.domain), (), words)
        return Result(theorem)
    need(Span(level, S.Zero, S.One) in t.domain, f"{t.premise} is not stated for every level")
    own = real("l")
    rest = tuple(s for s in t.domain if s.symbol != level)
    need(not any(v.has(level) for v in t.conclusion.values), "the conclusion depends on the level")
    domain = (MANY, span(own, 0, oo), *rest)
    return Result(Theorem(Kind.NOTHING, Given("MAXL", (M, own)), t.conclusion, domain, (), words))


@rule("uniform-leakage", "mixture", "jensen")
def uniform_leakage(*, kind: str) -> Result:
    """m2 of m secrets: the largest of their likelihoods over the mean is at most min(A, m2 u - (m2 - 1)/A).

    A = exp(xi), and u is the mean of the m2 over that of all m; it has mean one over the outputs, and the bound is
    concave in u. It is reached by one of the m2 secrets at v, the others of them at (m2 - v)/(m2 - 1), which lies
    between 1/A and A (identities), the rest at one, with all permutations of the m2 secrets.
    """
    a = exp(XI)
    domain = (span(XI, 0, oo), MANY, Span(M2, S(2), M, False, False))
    other = M2 - (M2 - 1) / a
    shown = (
        # At v = A the others are at 1/A or above where A is the smaller of the two; at the other v they are 1/A.
        ((M2 - a) / (M2 - 1) - 1 / a, (other - a) / (M2 - 1)),
        ((M2 - other) / (M2 - 1), 1 / a),
    )
    need(all(equal(x, y, domain) for x, y in shown), "an identity of the likelihoods fails")
    words = "m inputs: at each output one of m2 likely, the others of them alike, the rest at the mean; permutations"
    conclusion = Given("MAXL", (M2, Min(XI, log(other))))
    witness = words if kind == "sharp" else ""
    return Result(Theorem(way(kind), Given("MBPU", (M, XI)), conclusion, domain, (), witness))


@rule("two-rare-outputs", "exact-level", "bayes", "limit")
def two_rare_outputs(t: Theorem) -> Result:
    """The rare output with the largest ratio, and another one with the two secrets exchanged: a range twice as wide.

    Both have the premise, the third output tells nothing in the limit, and the log ratios are x and -x.
    """
    need(t.kind is Kind.SHARP and t.premise.key == "MBPU" and t.conclusion.key == "DP", "expected MBPU and DP")
    need("a rare output" in t.witness, "expected a rare output")
    words = t.witness.replace("a rare output", "two rare outputs") + ", and exchanged"
    return Result(
        Theorem(Kind.SHARP, t.premise, Given("RB", (2 * t.conclusion.values[-1],)), t.domain, t.assuming, words)
    )


@rule("uniform-databases", "bayes", "worst-prior", "mixture")
def uniform_databases(*, kind: str) -> Result:
    """MBPU of 3 or 4 secrets to SP: the log of L(x) L(y')/(L(x') L(y)) is w, and the level tanh(w/4).

    With T the sum over the secrets of one prior each likelihood is at least T/(m A), A = exp(xi). For m = 4 the two in
    the numerator have at most T - 2 T/(m A) together; for m = 3 that is used with each of the other two, T - T/(m A).
    So V = exp(w/2) is at most (m A - m + 2)/2, which is at most A**2. It is reached at a rare output with two equal
    large and two equal small likelihoods in the ratio V, on databases of two bits by their exclusive or (identities:
    for every prior on three of them, or four, the posteriors over the prior lie between 1/A and A).
    """
    a, v = exp(XI), (M * exp(XI) - M + 2) / 2
    level = M * (a - 1) / (M * (a - 1) + 4)
    own = (span(XI, 0, oo),)
    three, four = (v.xreplace({M: S(k)}) for k in (3, 4))
    shown = (
        ((v - 1) / (v + 1), level),
        # Coinciding databases: the square of V is at least the largest ratio m A - m + 1 of two secrets.
        (three**2 - (3 * a - 2), 9 * (a - 1) ** 2 / 4),
        (four**2 - (4 * a - 3), 4 * (a - 1) ** 2),
        # Three databases: two large ones and one small one, or one large and two small ones.
        (3 / (2 * three + 1), 1 / a),
        (a - 3 * three / (2 * three + 1), (a - 1) * (2 * a - 1) / (2 * a)),
        (3 / (three + 2) - 1 / a, (a - 1) / (a * (a + 1))),
        (a - 3 * three / (three + 2), (a - 1) ** 2 / (a + 1)),
        # Four of them.
        (4 / (2 * four + 2), 1 / a),
        (a - 4 * four / (2 * four + 2), (a - 1) ** 2 / a),
    )
    need(all(equal(x, y, (Span(M, S(3), S(4), False, False), *own)) for x, y in shown), "an identity fails")
    words = (
        "databases of two bits: a rare output whose likelihood depends on their exclusive or" if kind == "sharp" else ""
    )
    domain = (Span(M, S(3), S(4), False, False), *own)
    return Result(Theorem(way(kind), Given("MBPU", (M, XI)), Given("SP", (level,)), domain, (), words))


@rule("uniform-pair", "uniform-pair")
def uniform_pair(*, target: str, names: tuple[Symbol, ...], kind: str) -> Result:
    """Two of m secrets see a law on a polygon (principle), and the level is its largest value over such laws."""
    xi, a = XI, exp(XI)
    others, _ = _target_names(target, names)
    domain = (MANY, span(xi, 0, oo), *others)
    need(not {real(n) for n in ("p", "q", "r", "D")} & set(names), "a parameter with a name of the laws")
    value = {
        "GDP": "Phi^-1(P(S)) - Phi^-1(Q(S)) over events S",
        "PDP": f"the mean of p*[p > exp({names[0] if names else ''})*q]",
    }.get(target)
    if value is None:
        _, f, transform = generator(target)
        _, mapping = parameters(target, names)
        value = f"{replace(transform, mapping)} at the mean D of q*f(p/q), f(r) = {replace(f, mapping)}"
        if every := orders_of(target, mapping):
            value += f", over every {', '.join(map(str, every))}"
    quantity = Function(f"largest_MBPU_{target}")(M, xi, *names)
    where = (
        f"{quantity} = largest value of {value}, over laws of (p, q) of mean (1, 1) on 1/{a} <= p, q <= {a}, "
        f"m - (m - 2)*{a} <= p + q <= m - (m - 2)/{a}"
    )
    words = "m inputs: outputs whose two likelihoods over the mean are such a law, the other inputs permuted"
    conclusion, witness = Given(target, (*names, quantity)), words if kind == "sharp" else ""
    return Result(Theorem(way(kind), Given("MBPU", (M, xi)), conclusion, domain, (), witness, where))


def _target_names(target: str, names: tuple[Symbol, ...]) -> tuple[Domain, dict[Symbol, Expr]]:
    return ((), {}) if target == "GDP" else parameters(target, names)
