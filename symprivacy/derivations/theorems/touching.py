"""Rules for one inequality that two ratios decide: powers of the ratio, hockey sticks, tails, and ranges of ratios.

Laws on two ratios are extremal for each of these. The rules say why the function of the target lies below the line that
touches at them, and which law has them.
"""

from __future__ import annotations

from sympy import Expr, Function, Max, S, Symbol, cosh, diff, erf, erfinv, exp, log, oo, pi, sinh, sqrt, tanh

from symprivacy.derivations.derivation import need
from symprivacy.derivations.theorems.follows import LEVEL, MU, Cases, at_law, coin_mean, parameters, value
from symprivacy.derivations.theorems.laws import X, generator, symmetric
from symprivacy.derivations.theorems.theorem import Kind, Result, Theorem, rule, settled, way
from symprivacy.notions import get
from symprivacy.notions.certify import equal
from symprivacy.notions.convex import convexity
from symprivacy.notions.registry import definition_of
from symprivacy.notions.statement import Domain, Given, Span, Statement, replace, span
from symprivacy.notions.symbols import D, R, real

ALPHA, EPS2, W, T = (real(n) for n in ("alpha", "eps2", "w", "t"))
COIN = "two inputs: a coin with the log ratios -a and x - a"


def _exponent(key: str, names: tuple[Symbol, ...]) -> Expr | None:
    """a where the function of a notion is r**a up to a line, None for r log r."""
    f = replace(generator(key)[1], parameters(key, names)[1])
    if f == R * log(R):
        return None
    a = names[0] if names else S(2)
    domain = (*parameters(key, names)[0], span(R, 0, oo))
    need(equal(diff(f, R, 2), a * (a - 1) * R ** (a - 2), domain), f"{key} is not about r**{a}")
    return a


def _below(key: str, names: tuple[Symbol, ...]) -> bool:
    """Whether the function of a notion is 1 - r**a, which is convex for an order a below one."""
    return len(names) == 1 and replace(generator(key)[1], parameters(key, names)[1]) == 1 - R ** names[0]


@rule("power-touching", "power-touching", "both-orders")
def power_touching(
    *, source: str, source_names: tuple[Symbol, ...], source_mean: Expr,
    target: str, target_names: tuple[Symbol, ...], target_mean: Expr, domain: Domain,
) -> Result:  # fmt: skip
    """From moments of order a in both orders, or KL, to one of order b between 1 - a and a, along randomized response.

    The means are those at randomized response of level x (identities). Either 1 < b <= a, or KL instead of b; or
    0 < b < 1 and a > 1, or KL instead of a; or 0 < a, b < 1 and b between a and 1 - a (certified).
    """
    view = definition_of(source)
    need(view.both and not view.every, f"{source} is not one mean in both orders")
    need(LEVEL in domain, "expected every level")
    obligations = [
        *value(source, source_names, source_mean, (), domain),
        *value(target, target_names, target_mean, (), domain),
    ]
    low, less = _below(source, source_names), _below(target, target_names)
    a = source_names[0] if low else _exponent(source, source_names)
    b = target_names[0] if less else _exponent(target, target_names)
    need(less or (a is not None and not low), "a moment of a smaller order, or a moment, gives no larger one")
    if low:
        assert a is not None
        obligations += [Statement(a, ">", S.Zero, domain), Statement(a, "<", S.One, domain)]
    elif a is not None:
        obligations.append(Statement(a, ">", S.One, domain))
    if less:
        assert b is not None
        obligations += [Statement(b, ">", S.Zero, domain), Statement(b, "<", S.One, domain)]
        if low:
            obligations.append(Statement((a - b) * (a + b - 1), ">=", S.Zero, domain))
    elif b is not None:
        obligations += [Statement(b, ">", S.One, domain), Statement(b, "<=", a, domain)]
    one, more = at_law(source, source_names, source_mean)
    two, other = at_law(target, target_names, target_mean)
    premise, conclusion = Given(source, (*source_names, one)), Given(target, (*target_names, two))
    return Result(Theorem(Kind.IMPLIES, premise, conclusion, domain), (*obligations, *more, *other))


@rule("higher-moment", "exact-level", "limit")
def higher_moment(
    *, source: str, source_names: tuple[Symbol, ...], target: str, target_names: tuple[Symbol, ...], domain: Domain
) -> Result:
    """A moment of order a bounds none of a higher order b (b > a certified).

    Randomized response of level x with probability w, else nothing: a mean of r**a exceeds one by w c(a), where c(a) =
    cosh((2 a - 1) x/2)/cosh(x/2) - 1 is below 2 exp((a - 1) x), and c(b) is above exp((b - 1) x)/2 - 1. With w of the
    size of 1/c(a) the first is as small as wanted, and the second grows like exp((b - a) x).
    """
    notion = definition_of(source)
    a, b = _exponent(source, source_names), _exponent(target, target_names)
    need(a is not None and b is not None and not notion.every, "expected two moments")
    assert a is not None
    assert b is not None
    need(notion.level in domain and a != notion.level.symbol, "expected every level")
    words = "two inputs: randomized response of level x with a small probability, else nothing, x large"
    premise, conclusion = Given(source, (*source_names, notion.level.symbol)), Given(target, target_names)
    known = {s.symbol for s in domain}
    need(all(v.free_symbols <= known for g in (premise, conclusion) for v in g.values), "a parameter without a range")
    obligations = (Statement(a, ">", S.One, domain), Statement(b, ">", a, domain))
    return Result(Theorem(Kind.NOTHING, premise, conclusion, domain, (), words), obligations)


@rule("tail-test", "post-processing", "jensen", "limit")
def tail_test(
    *, source: str, names: tuple[Symbol, ...], power: Expr, domain: Domain, mean: Expr | None, cases: Cases, kind: str
) -> Result:  # fmt: skip
    """The event {log r > s} and its complement are coins with p > exp(s) q; the worst has q = exp(-s) p.

    A coin (p, q) with a smaller q is more informative, so (p, exp(-s) p) has the premise, too. Along this line the
    divergences of both orders are convex in p and least at p = 0, so where they exceed that value (certified, or
    because f is strictly convex, certified) they grow. Coins of a smaller p and q just below exp(-s) p show that p is
    approached. ``power`` is that p, and the premise has the larger divergence of the two orders as its mean.
    """
    view = definition_of(source)
    need(view.both and not view.every and source != "PDP", f"{source} is not one mean in both orders")
    own, mapping = parameters(source, names)
    need(all(s in domain for s in own) and any(s.symbol == EPS2 for s in domain), "expected the ranges of parameters")
    f = replace(generator(source)[1], mapping)
    q = exp(-EPS2) * power
    both = coin_mean(f, power, q), coin_mean(f, q, power)
    obligations: tuple[Statement, ...] = ()
    if mean is None:
        mean = Max(*both)
        obligations = (Statement(diff(f, R, 2), ">", S.Zero, (*own, span(R, 0, oo))),)
    else:
        exact, conditions = settled(Max(*both, evaluate=False), cases, domain)
        need(equal(exact, mean, domain), f"{exact} = {mean} is not shown by the algebra")
        obligations = (*conditions, Statement(mean, ">", replace(f, {R: S.One}), domain))
    obligations = (*obligations, Statement(EPS2, ">", S.Zero, domain))
    obligations = (*obligations, Statement(power, ">", S.Zero, domain), Statement(power, "<", S.One, domain))
    level, more = at_law(source, names, mean)
    words = "two inputs: coins p and q just below exp(-eps2)*p" if kind == "sharp" else ""
    theorem = Theorem(way(kind), Given(source, (*names, level)), Given("PDP", (EPS2, power)), domain, (), words)
    return Result(theorem, (*obligations, *more))


@rule("split-tail", "exact-level", "limit")
def split_tail(*, power: Expr) -> Result:
    """Three outputs with probabilities p, 1 - p, 0 against q, exp(eps) (1 - p), delta, q just below exp(-eps2) p.

    They sum to one at q = exp(-eps2) p (identity). No ratio of the first law exceeds exp(eps), because eps2 < eps; one
    of the second law does, with probability delta. The first law exceeds exp(eps2) with probability p.
    """
    eps, delta = real("eps"), real("delta")
    domain = (span(eps, 0, oo), span(EPS2, 0, eps), span(delta, 0, 1 - exp(-EPS2)))
    need(
        equal(exp(-EPS2) * power + exp(eps) * (1 - power) + delta, S.One, domain), "the second law does not sum to one"
    )
    inside = (Statement(power, ">", S.Zero, domain), Statement(power, "<", S.One, domain))
    words = "two inputs: three outputs, one above exp(eps2), one at exp(-eps), and one of the second input alone"
    premise, conclusion = Given("PDP", (eps, delta)), Given("PDP", (EPS2, power))
    return Result(Theorem(Kind.SHARP, premise, conclusion, domain, (), words), inside)


@rule("certain-tail", "post-processing", "limit")
def certain_tail(*, source: str, kind: str) -> Result:
    """From the level of the coins 1 and exp(-s) on, {log r > s} may have every probability below one.

    The divergence is the same in both orders; coins (p, exp(-s) p) have it at most as large, and exceed s nearly.
    """
    view = definition_of(source)
    f, divergence = generator(source)[1], get(source).divergence
    need(symmetric(f) and not view.others and divergence is not None, f"{source} is not the same in both orders")
    assert divergence is not None
    at_zero = divergence.at_zero
    need(at_zero.is_finite is True, f"{source} has no bound where an output never occurs")
    c = exp(-EPS2)
    own = (span(EPS2, 0, oo),)
    level, more = at_law(source, (), c * replace(f, {R: 1 / c}) + (1 - c) * at_zero)
    domain = (*own, Span(view.level.symbol, level, view.level.hi, False, True))
    words = "two inputs: coins p and q just below exp(-eps2)*p" if kind == "sharp" else ""
    premise, conclusion = Given(source, (view.level.symbol,)), Given("PDP", (EPS2, S.One))
    return Result(Theorem(way(kind), premise, conclusion, domain, (), words), more)


@rule("no-tail", "events-to-points")
def no_tail(t: Theorem, *, target: str, kind: str) -> Result:
    """Where the ratio is at most exp(x), none exceeds exp(s) for s >= x: the hockey stick and the tail are 0.

    No level is below 0.
    """
    need(t.kind is Kind.IMPLIES and t.conclusion == Given("DP", (X,)) and target in ("ADP", "PDP"), "expected DP")
    need(EPS2 not in {s.symbol for s in t.domain} and LEVEL in t.domain, "one name for two parameters")
    domain = (*t.domain, Span(EPS2, X, oo, False, True))
    words = "two inputs: any with the premise" if kind == "sharp" else ""
    assuming = () if kind == "sharp" else t.assuming
    return Result(Theorem(way(kind), t.premise, Given(target, (EPS2, S.Zero)), domain, assuming, words))


@rule("stick-test", "convex-duality", "two-point-extremal")
def stick_test(*, source: str, high: Expr, low: Expr, domain: Domain, kind: str) -> Result:
    """A multiple of a convex f plus a line touches 0 at the lower and r - K at the higher of two ratios of a coin.

    Being convex (certified) it lies above max(0, r - K), so the mean of that is at most its value for the coin. f is
    the same in both orders, so the coin has the premise in both. The slope f' grows from low to high (certified), and
    K = exp(eps2) is where the touching lines meet (identity).
    """
    f = generator(source)[1]
    need(symmetric(f) and not definition_of(source).others, f"{source} is not the same in both orders")
    at_high, at_low = replace(f, {R: high}), replace(f, {R: low})
    slopes = replace(diff(f, R), {R: high}), replace(diff(f, R), {R: low})
    meet = (high - exp(EPS2)) * (slopes[0] - slopes[1])
    need(equal(meet, at_high - at_low - slopes[1] * (high - low), domain), "the lines do not meet at exp(eps2)")
    weight = (1 - low) / (high - low)
    mean = weight * at_high + (1 - weight) * at_low
    level, more = at_law(source, (), mean)
    conditions = (
        Statement(low, ">", S.Zero, domain), Statement(low, "<", S.One, domain), Statement(high, ">", S.One, domain),
        Statement(high, ">=", exp(EPS2), domain), Statement(slopes[0] - slopes[1], ">", S.Zero, domain),
        *convexity(f, R, (span(R, 0, oo),)),
    )  # fmt: skip
    words = "two inputs: a coin with two ratios" if kind == "sharp" else ""
    conclusion = Given("ADP", (EPS2, weight * (high - exp(EPS2))))
    return Result(Theorem(way(kind), Given(source, (level,)), conclusion, domain, (), words), (*conditions, *more))


# Ranges of ratios: from 1/t to exp(x)/t, 1 <= t <= exp(x), of mean one.


@rule("range-stick", "two-point-extremal", "exact-level")
def range_stick(*, kind: str) -> Result:
    """The hockey stick of the law on the ends is (t - 1)(exp(x)/t - K)/(exp(x) - 1), largest at t = sqrt(exp(x)/K).

    The gap to the largest value is a square (identity). That t lies between 1 and exp(x), because eps2 < x.
    """
    width, k = exp(X), exp(EPS2)
    domain = (LEVEL, span(EPS2, 0, X))
    largest = (exp(X / 2) - exp(EPS2 / 2)) ** 2 / (width - 1)
    here = (T - 1) * (width / T - k) / (width - 1)
    square = (sqrt(T) * exp(EPS2 / 2) - exp(X / 2) / sqrt(T)) ** 2 / (width - 1)
    need(equal(largest - here, square, (*domain, Span(T, S.One, width))), "the gap is not a square")
    words = f"{COIN}, a = (x - eps2)/2" if kind == "sharp" else ""
    return Result(Theorem(way(kind), Given("RB", (X,)), Given("ADP", (EPS2, largest)), domain, (), words))


@rule("range-tail", "tail", "limit")
def range_tail(*, kind: str) -> Result:
    """Some ratio exceeds K only if t < exp(x)/K; then r [r > K] <= (r - 1/t) K/(K - 1/t), of mean K (t - 1)/(K t - 1).

    That is at most (exp(x) - K)/(exp(x) - 1), because the gap is a product of positive factors (identity), and is
    approached by the ratios 1/t and just above K as t tends to exp(x)/K.
    """
    width, k = exp(X), exp(EPS2)
    domain = (LEVEL, span(EPS2, 0, X))
    largest = (width - k) / (width - 1)
    gap = (k - 1) * (width - k * T) / ((width - 1) * (k * T - 1))
    inside = (*domain, Span(T, S.One, width / k))
    need(equal(largest - k * (T - 1) / (k * T - 1), gap, inside), "the gap is not this product")
    words = f"{COIN}, x - a just above eps2" if kind == "sharp" else ""
    return Result(Theorem(way(kind), Given("RB", (X,)), Given("PDP", (EPS2, largest)), domain, (), words))


def _range_moment(orders: Span) -> tuple[Expr, Expr]:
    """The place t of the range with the largest moment of order alpha, and that moment; below one it is the least."""
    width = exp(X)
    a, b = (exp(ALPHA * X) - 1) / (width - 1), (exp(ALPHA * X) - width) / (width - 1)
    t = ALPHA * (exp(ALPHA * X) - width) / ((ALPHA - 1) * (exp(ALPHA * X) - 1))
    need(equal(t * a * (ALPHA - 1), ALPHA * b, (orders, LEVEL)), "the tangent touches elsewhere")
    return t, b / ((ALPHA - 1) * exp(ALPHA * log(t)))


_ABOVE, _LOW = span(ALPHA, 1, oo), span(ALPHA, 0, 1)


@rule("range-moment", "two-point-extremal", "jensen", "exact-level")
def range_moment(*, kind: str, below: bool = False) -> Result:
    """The moment of the law on the ends is t**-alpha (a t - b), with a and b from exp(x) and exp(alpha x).

    It is at most m where m t**alpha has the tangent a t - b (identity), because t**alpha is convex; for an order
    ``below`` one it is at least m, because t**alpha is concave. That t lies between 1 and exp(x) (certified), where the
    coin on the ends has the moment.
    """
    orders = _LOW if below else _ABOVE
    domain = (orders, LEVEL)
    t, m = _range_moment(orders)
    s = real("s")
    wide, shift = (span(s, 0, 1 if below else oo), LEVEL), {ALPHA: 1 - s if below else 1 + s}
    power = exp(shift[ALPHA] * X)
    # Positive both: t is their quotient.
    over, under = (1 - s) * (exp(X) - power) if below else (1 + s) * (power - exp(X)), s * (power - 1)
    inside = (Statement(over, ">", under, wide), Statement(over, "<", under * exp(X), wide))
    need(equal(replace(t, shift) * under, over, wide), "another place")
    words = f"{COIN}, at the position with the largest moment" if kind == "sharp" else ""
    conclusion = Given("RDPlow" if below else "RDP", (ALPHA, log(m) / (ALPHA - 1)))
    return Result(Theorem(way(kind), Given("RB", (X,)), conclusion, domain, (), words), inside)


@rule("range-orders", "all-orders", "two-point-extremal")
def range_orders(t: Theorem) -> Result:
    """D_alpha at the worst position is at most alpha times its limit at order one.

    With h(u) = u log(sinh(u x/2)/u), (alpha - 1) D_alpha = h(alpha) - h(alpha - 1) - h(1), as the logarithm of the
    moment shows when exp(alpha x) - exp(x) and the like are written with sinh. Its slope in alpha is K(alpha - 1), K(v)
    = h'(1 + v) - h'(v), and K(0) is the level. h'' is x/2 times g(y) = 2 coth(y) - 1/y - y/sinh(y)**2 at y = u x/2, 0
    at 0 and concave (g'' <= 0 certified, without its denominators). So K is concave with K'(0) = h''(1) <= 2 K(0), K(v)
    <= (1 + 2 v) K(0), and by integration (alpha - 1) D_alpha <= alpha (alpha - 1) K(0).
    """
    y, u = real("y"), real("u")
    need(t.kind is Kind.IMPLIES and t.premise == Given("RB", (X,)) and t.conclusion.key == "RDP", "expected RB to RDP")
    need(t.conclusion.values == (ALPHA, log(_range_moment(_ABOVE)[1]) / (ALPHA - 1)), "expected the largest moment")
    h = u * (log(sinh(u * X / 2)) - log(u))
    g = 2 * cosh(y) / sinh(y) - 1 / y - y / sinh(y) ** 2
    wide = (span(u, 0, oo), LEVEL)
    need(equal(diff(h, u, 2), X / 2 * replace(g, {y: u * X / 2}), wide), "another second derivative")
    line = (span(y, 0, oo),)
    bent = 4 * cosh(y) * sinh(y) * y**3 - sinh(y) ** 4 - y**4 * (2 * sinh(y) ** 2 + 3)
    need(equal(diff(g, y, 2) * y**3 * sinh(y) ** 4, 2 * bent, line), "another curvature")
    ratio = X / (1 - exp(-X))
    level = ratio - 1 - log(ratio)
    # h'(1) - h'(0), h'(0) = log(x/2): x/(1 - exp(-x)) is x exp(x/2)/(2 sinh(x/2)).
    first = replace(diff(h, u), {u: S.One})
    need(equal(first, log(sinh(X / 2)) + X / 2 * cosh(X / 2) / sinh(X / 2) - 1, (LEVEL,)), "another slope")
    need(equal(ratio, X / 2 * exp(X / 2) / sinh(X / 2), (LEVEL,)), "another level")
    need(equal(ratio, X / 2 + X / 2 * cosh(X / 2) / sinh(X / 2), (LEVEL,)), "another level")
    conclusion = Given("ZCDP", (level,))
    return Result(Theorem(Kind.IMPLIES, t.premise, conclusion, (LEVEL,)), (Statement(bent, "<=", S.Zero, line),))


@rule("order-one", "all-orders")
def order_one(t: Theorem) -> Result:
    """What gives no better KL gives no better ZCDP: D_alpha <= rho alpha at every order gives KL <= rho as a limit."""
    need(t.kind is Kind.SHARP and t.conclusion.key == "KL" and not t.where, "expected a sharp level of KL")
    return Result(Theorem(t.kind, t.premise, Given("ZCDP", t.conclusion.values), t.domain, t.assuming, t.witness))


@rule("range-tests", "hypothesis-testing", "post-processing")
def range_tests() -> Result:
    """An event of errors q and power p has the odds ratio exp(2x) at most, as its two ratios have the range 2x.

    With logits l + x and l - x, Phi^-1(p) - Phi^-1(q) is largest at l = 0: the slope of Phi^-1 in the logit is
    Phi(z) (1 - Phi(z))/phi(z) at the quantile z, which falls with |z|: phi (2 Phi - 1) >= z Phi (1 - Phi) for z > 0
    (certified). There p = 1/(1 + exp(-x)) and q = 1 - p, and Phi^-1(p) = sqrt(2) erfinv(2p - 1).
    """
    z = real("z")
    e = erf(z / sqrt(2))
    falls = Statement(exp(-(z**2) / 2) / sqrt(2 * pi) * e, ">=", z * (1 - e**2) / 4, (span(z, 0, oo),))
    level = 2 * sqrt(2) * erfinv(tanh(X / 2))
    return Result(Theorem(Kind.IMPLIES, Given("RB", (2 * X,)), Given("GDP", (level,)), (LEVEL,)), (falls,))


@rule("gaussian-integral", "dominating-pair", "post-processing", "exact-level")
def gaussian_integral(*, target: str, kind: str) -> Result:
    """Whatever has GDP(mu) is a processing of the Gaussian pair, whose level is an integral."""
    _, f, transform = generator(target)
    need(not definition_of(target).others, f"{target} has further parameters")
    _, more = at_law(target, (), D)
    quantity = Function(f"gaussian_{target}")(MU)
    where = f"{quantity} = {transform} at the mean D of {f} with r = exp(mu*X - mu**2/2), X standard normal"
    words = "two inputs: a normal law of mean 0 or mu" if kind == "sharp" else ""
    conclusion = Given(target, (quantity,))
    return Result(Theorem(way(kind), Given("GDP", (MU,)), conclusion, (span(MU, 0, oo),), (), words, where), more)


@rule("itself", "unfolding")
def itself(t: Theorem) -> Result:
    """What is concluded implies itself."""
    need(t.kind is Kind.SHARP and not t.where, "expected a sharp level")
    return Result(Theorem(Kind.IMPLIES, t.conclusion, t.conclusion, t.domain))


@rule("counting-output", "exact-level", "bayes", "limit")
def counting_output() -> Result:
    """Databases of d bits: a rare output of probability proportional to exp(x k), k the number of ones.

    Its likelihood against the same database without one record lies between 1 and exp(x), or exp(-x) and 1, so that
    the log of L(x) L(y')/(L(x') L(y)) is at most x in size and the posteriors differ by tanh(x/4) at most; at the other
    output they agree in the limit. The databases of all ones and all zeros have the ratio exp(d x).
    """
    d = real("d")
    domain = (span(d, 1, oo, "["), LEVEL)
    given = (Given("diameter", (d,)),)
    words = "databases of d bits (d whole): a rare output of probability proportional to exp(x*number of ones)"
    return Result(Theorem(Kind.SHARP, Given("SP", (tanh(X / 4),)), Given("LDP", (d * X,)), domain, given, words))
