"""Rules that show that nothing better follows, or nothing at all: mechanisms whose levels are computed."""

from __future__ import annotations

from sympy import Expr, Max, Min, S, Symbol, cosh, erfinv, exp, expand, log, oo, sqrt, tanh

from symprivacy.derivations.derivation import need
from symprivacy.derivations.theorems.follows import LEVEL, MU, Cases, at_law, gaussian_level, leaky, parameters, value
from symprivacy.derivations.theorems.laws import X, atoms, generator, response, revealed
from symprivacy.derivations.theorems.theorem import Kind, Result, Theorem, rule, settled
from symprivacy.notions.certify import equal
from symprivacy.notions.registry import definition_of
from symprivacy.notions.statement import Given, Span, Statement, replace, span
from symprivacy.notions.symbols import D, R, real

RESPONSE = "two inputs: randomized response of level x"


@rule("response-level", "exact-level")
def response_level(*, target: str, names: tuple[Symbol, ...], mean: Expr, cases: Cases) -> Result:
    """Randomized response of level x is x-DP, and its level under the target is computed."""
    witness = RESPONSE
    if target in ("DP", "RB", "LDP"):
        level: Expr = {"DP": X, "LDP": X, "RB": 2 * X}[target]
        return Result(Theorem(Kind.SHARP, Given("DP", (X,)), Given(target, (level,)), (LEVEL,), (), witness))
    if target == "GDP":
        # The errors of the test that believes the output are 1/(1 + exp(x)) both.
        level = 2 * sqrt(2) * erfinv(tanh(X / 2))
        return Result(Theorem(Kind.SHARP, Given("DP", (X,)), Given("GDP", (level,)), (LEVEL,), (), witness))
    if target == "ZCDP":
        # At order one, the limit of D_alpha/alpha, the level is that of KL.
        obligations = value("KL", (), mean, cases, (LEVEL,))
        return Result(
            Theorem(Kind.SHARP, Given("DP", (X,)), Given("ZCDP", (mean,)), (LEVEL,), (), witness), obligations
        )
    domain = (*parameters(target, names)[0], LEVEL)
    obligations = value(target, names, mean, cases, domain)
    level, more = at_law(target, names, mean)
    return Result(
        Theorem(Kind.SHARP, Given("DP", (X,)), Given(target, (*names, level)), domain, (), witness),
        (*obligations, *more),
    )


@rule("leaky-level", "exact-level")
def leaky_level(*, source: str, target: str, target_names: tuple[Symbol, ...], mean: Expr, cases: Cases) -> Result:
    """The leaky response has ADP(eps, delta) and PDP(eps, delta), and its level under the target is computed.

    P[log r > eps] = delta, because the other ratios are exp(eps) and exp(-eps); so is the hockey stick. With eps = 0
    the rest of the output says nothing, and the total variation is delta.
    """
    need(source in ("ADP", "PDP", "TV"), "expected ADP, PDP or TV")
    words = "two inputs: the input with probability delta, else " + ("nothing" if source == "TV" else "response")
    return leaky(Kind.SHARP, source, target, target_names, mean, cases, words)


@rule("revealed-share", "exact-level")
def revealed_share(*, source: str, target: str, share: Symbol) -> Result:
    """Revealing the input with probability ``share``, else nothing: every divergence is that share of its largest."""
    domain = (Span(share, S.Zero, S.One),)
    levels = []
    obligations: list[Statement] = []
    for key in (source, target):
        need(replace(generator(key)[1], {R: S.One}) == 0, f"{key} is not 0 where the output says nothing")
        level, more = at_law(key, (), share * revealed(key))
        levels.append(level)
        obligations += more
    words = f"two inputs: the input with probability {share}, else nothing"
    return Result(
        Theorem(Kind.SHARP, Given(source, (levels[0],)), Given(target, (levels[1],)), domain, (), words),
        tuple(obligations),
    )


@rule("gaussian-level", "exact-level", "gaussian-moments")
def gaussian_reaches(*, target: str, target_names: tuple[Symbol, ...], level: Expr) -> Result:
    """The Gaussian pair has GDP(mu) by definition, and its level under the target is computed."""
    words = "two inputs: a normal law of mean 0 or mu"
    if target == "ZCDP":
        found, domain, obligations = gaussian_level("RDP", (real("alpha"),))
        need(equal(found, real("alpha") * level, domain), f"{found} is not alpha times {level}")
        own = (span(MU, 0, oo),)
        return Result(Theorem(Kind.SHARP, Given("GDP", (MU,)), Given("ZCDP", (level,)), own, (), words), obligations)
    found, domain, obligations = gaussian_level(target, target_names)
    need(equal(found, level, domain), f"{found} = {level} is not shown by the algebra")
    return Result(
        Theorem(Kind.SHARP, Given("GDP", (MU,)), Given(target, (*target_names, level)), domain, (), words), obligations
    )


@rule("tail-level", "exact-level", "limit")
def tail_level(*, form: Expr) -> Result:
    """A coin with the ratios exp(-x) and exp(s), s above eps2 and as close to it as one likes, is x-DP.

    P[log r > eps2] is its larger probability, which tends to the form as s tends to eps2.
    """
    s = real("eps2")
    domain = (LEVEL, span(s, 0, X))
    probability = exp(s) * (1 - exp(-X)) / (exp(s) - exp(-X))
    need(equal(probability, form, domain), f"{probability} = {form} is not shown by the algebra")
    words = "two inputs: a coin with the ratios exp(-x) and just above exp(eps2)"
    return Result(Theorem(Kind.SHARP, Given("DP", (X,)), Given("PDP", (s, form)), domain, (), words))


@rule("exclusive-or", "exact-level", "two-point-belief", "bayes")
def exclusive_or(*, source: str) -> Result:
    """Randomized response on the exclusive or of two bits, with the belief 1/2 on (1, 0) and on (1, 1).

    The likelihoods of the first output are in the ratio exp(x) for the two databases, and in the ratio exp(-x) when the
    first bit is replaced by 0; the posteriors differ by tanh(x/2) (identity). There are two different rows only, so
    the ratios of any two inputs are within exp(x). For RB the output is made rare, so that the other one tells nothing
    in the limit and the ratios have the range x.
    """
    need(source in ("DP", "LDP", "RB"), "expected DP, LDP or RB")
    one, two = exp(X) / (1 + exp(X)), 1 / (1 + exp(X))
    need(equal(one - two, tanh(X / 2), (LEVEL,)), "the posteriors do not differ by tanh(x/2)")
    premise = Given(source, (X,))
    rare = ", made rare" if source == "RB" else ""
    words = f"databases of two bits: randomized response on their exclusive or{rare}"
    return Result(Theorem(Kind.SHARP, premise, Given("SP", (tanh(X / 2),)), (LEVEL,), (), words))


@rule("odd-one-out", "exact-level", "bayes")
def odd_one_out(*, width: bool, m: Symbol) -> Result:
    """m secrets, uniform prior: one has the likelihood 1 where all others have exp(x), up to a common factor.

    Its posterior is m/(1 + (m - 1) exp(x)) times its prior. The factor is that of randomized response, or small.
    """
    posterior = 1 / (1 + (m - 1) * exp(X))
    level = log((1 + (m - 1) * exp(X)) / m)
    domain = (span(m, 2, oo, "["), LEVEL)
    need(equal(posterior * m, 1 / ((1 + (m - 1) * exp(X)) / m), domain), "another posterior")
    rare = ", at a rare output" if width else ""
    words = f"m inputs: one of them with one row of randomized response, all others with the other{rare}"
    premise = Given("RB" if width else "DP", (X,))
    return Result(Theorem(Kind.SHARP, premise, Given("MBPU", (m, level)), domain, (), words))


@rule("two-of-many", "exact-level", "bayes", "limit")
def two_of_many() -> Result:
    """A rare output whose posteriors, uniform prior on m secrets, are as far from each other as xi allows.

    Its likelihoods are proportional to posterior over prior, numbers r_i of mean one in [exp(-xi), exp(xi)]. If
    m >= 1 + exp(xi), r_1 = exp(xi), r_2 = exp(-xi), and all others the rest of the mean; else r_1 is the rest and all
    others are exp(-xi). Identities put the rest into the range, and show that r_1/r_2 is the smaller of exp(2 xi) and
    m exp(xi) - m + 1. At the other output posterior over prior tends to one as the first one gets rare.
    """
    xi, m = real("xi"), real("m")
    up, low = exp(xi), exp(-xi)
    domain = (span(m, 2, oo, "["), span(xi, 0, oo))
    many = m - 1 - up
    shown = (
        ((m * up - m + 1) - up**2, many * (up - 1)),
        ((m - up - low) - (m - 2) * low, many * (1 - low)),
        ((m - 2) * up - (m - up - low), (m - 2) * (up - 1) + (exp(xi / 2) - exp(-xi / 2)) ** 2),
        (up - (m - (m - 1) * low), -many * (1 - low)),
        ((m - (m - 1) * low) * up, m * up - m + 1),
    )
    need(all(equal(a, b, domain) for a, b in shown), "an identity of the likelihoods fails")
    level = log(Min(m * up - m + 1, exp(2 * xi)))
    words = "m inputs: a rare output with posterior over prior exp(xi) for one and exp(-xi) for another of them"
    return Result(Theorem(Kind.SHARP, Given("MBPU", (m, xi)), Given("DP", (level,)), domain, (), words))


@rule("rare-ratio", "exact-level", "limit")
def rare_ratio() -> Result:
    """Coins with the log ratios x - s and -s, s > 0: range-bounded by x exactly, and DP from x - s on; s tends to 0."""
    words = "two inputs: coins with the log ratios x - s and -s as s tends to 0"
    return Result(Theorem(Kind.SHARP, Given("RB", (X,)), Given("DP", (X,)), (LEVEL,), (), words))


@rule("tilted-coin", "exact-level")
def tilted_coin(*, target: str, names: tuple[Symbol, ...], down: Expr, mean: Expr, cases: Cases) -> Result:
    """A coin with the log ratios -a and x - a, 0 < a < x (certified): range-bounded by x, with a computed level."""
    domain = (*parameters(target, names)[0], LEVEL)
    _, mapping = parameters(target, names)
    f = replace(generator(target)[1], mapping)
    exact, obligations = settled(atoms(f, down, X - down), cases, domain)
    need(equal(exact, mean, domain), f"{exact} = {mean} is not shown by the algebra")
    level, more = at_law(target, names, mean)
    inside = (Statement(down, ">", S.Zero, domain), Statement(down, "<", X, domain))
    words = f"two inputs: a coin with the log ratios -a and x - a, a = {down}"
    return Result(
        Theorem(Kind.SHARP, Given("RB", (X,)), Given(target, (*names, level)), domain, (), words),
        (*obligations, *more, *inside),
    )


@rule("chain-of-inputs", "exact-level", "group-path")
def chain_of_inputs() -> Result:
    """Inputs 0..d, neighbours differ by one; output 1 has probability c exp(k x) at input k, c = e^{-dx}/(1 + e^{-x}).

    Neighbours have the ratio exp(x) at output 1. At output 0 it is (1 - y)/(1 - e^x y) with y = c exp(k x), at most
    1/(1 + e^x) for k < d, so at most exp(x) (certified at the largest y; it grows with y). The ends have exp(d x).
    """
    d, y = real("d"), real("y")
    largest = 1 / (1 + exp(X))
    domain = (span(d, 1, oo, "["), LEVEL)
    own = (LEVEL, Span(y, S.Zero, largest, True, False))
    need(equal(exp(-d * X) / (1 + exp(-X)) * exp((d - 1) * X), largest, domain), "another largest probability")
    gap = Statement(1 - y, "<=", exp(X) * (1 - exp(X) * y), own)
    words = "inputs 0..d (d whole), neighbours differ by one; output 1 with probability exp((k - d)*x)/(1 + exp(-x))"
    given = (Given("diameter", (d,)),)
    return Result(Theorem(Kind.SHARP, Given("DP", (X,)), Given("LDP", (d * X,)), domain, given, words), (gap,))


@rule("rare-output", "rare-output")
def rare_output(*, source: str, cases: Cases) -> Result:
    """A rare output of ratio K: probability d under one input and K d under the other.

    E f tends to f(1) as d tends to 0 in both orders, because f is continuous on (0, oo), so every level of the source
    is met, while the ratio stays K, and K is as large as one likes.
    """
    notion = definition_of(source)
    _, f, transform = generator(source)
    need(not notion.every, f"{source} bounds infinitely many means")
    conditions: tuple[Statement, ...] = ()
    if source == "PDP":
        # The tail is 0 near r = 1, since eps > 0.
        start: Expr = S.Zero
    else:
        start, conditions = settled(replace(transform, {D: replace(f, {R: S.One})}), cases, notion.others)
        if not f.is_polynomial(R) and not f.has(Max):
            conditions = (*conditions, Statement(f, "==", f, (*notion.others, span(R, 0, oo))))
    need(equal(start, S.Zero, notion.others), f"{source} is not 0 where the output says nothing")
    domain = notion.domain
    words = "two inputs: an output of probability d under one input and K*d under the other, d small, K large"
    return Result(Theorem(Kind.NOTHING, Given(source, notion.symbols), Given("DP", ()), domain, (), words), conditions)


@rule("gaussian-tail", "gaussian-moments")
def gaussian_tail() -> Result:
    """The Gaussian pair has GDP(mu), and its ratio exp(mu X - mu^2/2) has no bound."""
    words = "two inputs: a normal law of mean 0 or mu"
    return Result(Theorem(Kind.NOTHING, Given("GDP", (MU,)), Given("DP", ()), (span(MU, 0, oo),), (), words))


@rule("growing-quotient", "response-mixture")
def growing_quotient(
    *, source: str, source_mean: Expr, target: str, target_names: tuple[Symbol, ...], target_mean: Expr,
    cases: Cases, clock: Expr, scale: Expr, order: Expr | None,
) -> Result:  # fmt: skip
    """Randomized response of level x published with a small probability w, else nothing.

    Both means, less their values where the output says nothing, are multiplied by w. The target's is at least ``clock``
    times the source's, and that is at least 1/4, for x > 4 and, for order alpha, x (alpha - 1) > 4 (certified);
    the clock is a positive multiple of x. So w can make the source's as small as wanted while the target's is as large
    as wanted. The transform of the target has no bound: it is at least scale*t at exp(t) (certified, scale > 0).
    """
    notion = definition_of(source)
    others, mapping = parameters(target, target_names)
    given = {} if order is None else {target_names[0]: order}
    own = notion.others if order is not None else others
    need(order is None or order.free_symbols <= {s.symbol for s in own}, "the order is that of the source")
    need(len(own) <= 1 and not notion.every, "expected one order")
    steady = clock / X
    need(X not in steady.free_symbols and X not in scale.free_symbols, "the clock is a multiple of x")
    known = {s.symbol for s in own}
    need((steady.free_symbols | scale.free_symbols) <= known, "a factor has variables without a range")
    domain = (*own, LEVEL)
    obligations: list[Statement] = []
    gaps = []
    for key, form, names in ((source, source_mean, notion.symbols[:-1]), (target, target_mean, target_names)):
        _, renamed = parameters(key, tuple(names))
        f = replace(replace(generator(key)[1], renamed), given)
        mean, more = settled(response(f, X), cases, domain)
        shown = replace(form, given)
        need(equal(mean, shown, domain), f"{key}: {mean} = {shown} is not shown by the algebra")
        obligations += more
        gaps.append(shown - replace(f, {R: S.One}))
    transform = replace(replace(generator(target)[2], mapping), given)
    if transform != D:
        t = real("t")
        obligations.append(Statement(replace(transform, {D: exp(t)}), ">=", scale * t, (*own, span(t, 1, oo))))
    obligations += [Statement(e, ">", S.Zero, own) for e in (steady, scale) if not e.is_positive]
    far: tuple[Span, ...] = (span(X, 4, oo),)
    sides = (gaps[0], gaps[1], clock)
    if own:
        # In the variables s = (alpha - 1) x and y = x/2, which exceed 4 and 2 as soon as x is large.
        s, y = real("s"), real("y")
        far = (span(s, 4, oo), span(y, 2, oo))
        chart = {own[0].symbol: 1 + s / (2 * y), X: 2 * y}
        sides = tuple(replace(e, chart).replace(cosh, lambda a: cosh(expand(a))) for e in sides)
    obligations += [
        Statement(sides[0], ">=", S.One / 4, far),
        Statement(sides[1], ">=", expand(sides[2]) * sides[0], far),
    ]
    values = tuple(replace(n, given) for n in target_names)
    shown_domain = (*notion.domain, *(others if order is None else ()))
    words = "two inputs: randomized response of level x with a small probability, else nothing, x large"
    return Result(
        Theorem(Kind.NOTHING, Given(source, notion.symbols), Given(target, values), shown_domain, (), words),
        tuple(dict.fromkeys(obligations)),
    )
