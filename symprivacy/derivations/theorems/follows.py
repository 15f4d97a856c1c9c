"""Rules that show what follows: dominating pairs, mixtures of randomized responses, all orders, tests, beliefs.

The symmetrised pair of any two laws is a mixture of randomized responses: given U = |log dP/dQ|, a fair coin decides
which of the two laws is meant, and the output is that of randomized response of level U. So for a divergence that is
bounded in both orders the mean of its value phi(U) at randomized response is bounded, and one that is the same in both
orders is such a mean itself.
"""

from __future__ import annotations

from sympy import Expr, Function, Max, S, Symbol, cosh, diff, erfinv, exp, log, oo, sqrt, tanh

from symprivacy.derivations.derivation import need
from symprivacy.derivations.theorems.laws import X, gaussian, generator, response, revealed, symmetric
from symprivacy.derivations.theorems.theorem import Kind, Result, Theorem, rule, settled, way
from symprivacy.errors import SymPrivacyError
from symprivacy.language.attempt import sympy_attempt
from symprivacy.notions.certify import equal
from symprivacy.notions.registry import definition_of
from symprivacy.notions.statement import Domain, Given, Span, Statement, replace, span
from symprivacy.notions.symbols import D, R, real

Cases = tuple[tuple[Expr, Expr], ...]
MU = real("mu")
LEVEL = span(X, 0, oo)


def parameters(key: str, names: tuple[Symbol, ...]) -> tuple[Domain, dict[Symbol, Expr]]:
    """The ranges of a notion's further parameters under the names they get, and the renaming."""
    notion = definition_of(key)
    need(len(names) == len(notion.others), f"{key} has {len(notion.others)} further parameters")
    need(not {R, D} & set(names), "a parameter with the name of the ratio or of its mean")
    need(not {s.symbol for s in notion.every} & set(names), "a parameter with the name of every order")
    mapping = {s.symbol: new for s, new in zip(notion.others, names, strict=True)}
    return tuple(Span(mapping[s.symbol], s.lo, s.hi, s.lo_open, s.hi_open) for s in notion.others), mapping


def orders_of(key: str, mapping: dict[Symbol, Expr]) -> Domain:
    """The ranges of what a notion bounds its mean for all values of, with its parameters renamed."""
    every = definition_of(key).every
    return tuple(Span(s.symbol, replace(s.lo, mapping), replace(s.hi, mapping), s.lo_open, s.hi_open) for s in every)


def at_law(key: str, names: tuple[Symbol, ...], mean: Expr) -> tuple[Expr, tuple[Statement, ...]]:
    """The level of a notion where its mean is ``mean``; its transform increases (certified)."""
    own, mapping = parameters(key, names)
    _, f, transform = generator(key)
    transform = replace(transform, mapping)
    if transform == D:
        return mean, ()
    low = replace(replace(f, mapping), {R: S.One})
    slope = Statement(diff(transform, D), ">", S.Zero, (*own, Span(D, low, _top(key))))
    return replace(transform, {D: mean}), (slope,)


def _top(key: str) -> Expr:
    # A divergence may have no largest value.
    with sympy_attempt(SymPrivacyError):
        return revealed(key)
    return oo


def value(key: str, names: tuple[Symbol, ...], form: Expr, cases: Cases, domain: Domain) -> tuple[Statement, ...]:
    """Nothing if ``form`` is the mean of a notion at randomized response of level x, up to certified cases."""
    _, mapping = parameters(key, names)
    _, f, _ = generator(key)
    mean, obligations = settled(response(replace(f, mapping), X), cases, domain)
    need(equal(mean, form, domain), f"{key}: {mean} = {form} is not shown by the algebra")
    return obligations


def _given(key: str, names: tuple[Symbol, ...], level: Expr) -> Given:
    return Given(key, (*names, level))


@rule("response-mixture", "response-mixture", "both-orders", "jensen")
def response_mixture(
    *,
    source: str, source_names: tuple[Symbol, ...], source_mean: Expr,
    target: str, target_names: tuple[Symbol, ...], target_mean: Expr,
    cases: Cases, second: Expr,
) -> Result:  # fmt: skip
    """Along randomized response the target's mean is a concave function of the source's.

    phi and psi are the means of source and target at randomized response of level x (identities). phi and psi increase
    and psi''phi' <= psi'phi'' (certified), so psi is a concave function of phi: by Jensen's inequality E psi(U) is at
    most its value where phi is the bound on E phi(U).
    """
    domain = (*parameters(source, source_names)[0], *parameters(target, target_names)[0], LEVEL)
    need(symmetric(replace(generator(target)[1], {})), f"{target} is not the same in both orders")
    notion = definition_of(source)
    need(notion.both, f"{source} bounds one order only")
    obligations = [
        *value(source, source_names, source_mean, cases, domain),
        *value(target, target_names, target_mean, cases, domain),
    ]
    phi, psi = diff(source_mean, X), diff(target_mean, X)
    need(equal(second, diff(psi, X) * phi - psi * diff(phi, X), domain), f"{second} is not psi''phi' - psi'phi''")
    obligations += [
        Statement(phi, ">", S.Zero, domain),
        Statement(psi, ">", S.Zero, domain),
        Statement(second, "<=", S.Zero, domain),
    ]
    a, more = at_law(source, source_names, source_mean)
    b, other = at_law(target, target_names, target_mean)
    theorem = Theorem(Kind.IMPLIES, _given(source, source_names, a), _given(target, target_names, b), domain)
    return Result(theorem, (*obligations, *more, *other))


@rule("response-chord", "response-mixture", "both-orders")
def response_chord(
    *, source: str, source_mean: Expr, target: str, target_mean: Expr, cases: Cases, share: Symbol
) -> Result:
    """At randomized response the target's mean is at most the source's, each as a share of its largest value.

    Both are the same in both orders and largest where the output reveals the input; the share of the source bounds the
    share of the target (certified at every level x).
    """
    domain = (LEVEL,)
    obligations = [*value(source, (), source_mean, cases, domain), *value(target, (), target_mean, cases, domain)]
    need(symmetric(generator(target)[1]), f"{target} is not the same in both orders")
    need(definition_of(source).both, f"{source} bounds one order only")
    tops = revealed(source), revealed(target)
    obligations.append(Statement(target_mean * tops[0], "<=", source_mean * tops[1], domain))
    own = (Span(share, S.Zero, S.One),)
    a, more = at_law(source, (), share * tops[0])
    b, other = at_law(target, (), share * tops[1])
    theorem = Theorem(Kind.IMPLIES, Given(source, (a,)), Given(target, (b,)), own)
    return Result(theorem, (*obligations, *more, *other))


@rule("leaky-response", "dominating-pair", "post-processing")
def leaky_response(*, source: str, target: str, target_names: tuple[Symbol, ...], mean: Expr, cases: Cases) -> Result:
    """Whatever is (eps, delta)-indistinguishable is a processing of the leaky response, which has this level.

    The source is ADP, or TV, which is ADP at eps = 0.
    """
    need(source in ("ADP", "TV"), "expected ADP or TV")
    return leaky(Kind.IMPLIES, source, target, target_names, mean, cases)


def leaky(
    kind: Kind, source: str, target: str, names: tuple[Symbol, ...], mean: Expr, cases: Cases, words: str = ""
) -> Result:
    """The leaky response under the target: with probability delta it reveals the input, else it is a response of eps.

    Of TV, which is ADP at eps = 0, the rest says nothing.
    """
    delta, eps, plain = real("delta"), real("eps"), source == "TV"
    own = (span(delta, 0, 1),) if plain else (span(eps, 0, oo), span(delta, 0, 1))
    others, mapping = parameters(target, names)
    domain = (*others, *own)
    need(len({s.symbol for s in domain}) == len(domain), "two parameters with one name")
    f = replace(generator(target)[1], mapping)
    rest = replace(f, {R: S.One}) if plain else response(f, eps)
    exact, obligations = settled(delta * revealed(target) + (1 - delta) * rest, cases, domain)
    need(equal(exact, mean, domain), f"{exact} = {mean} is not shown by the algebra")
    level, more = at_law(target, names, mean)
    premise = Given(source, (delta,) if plain else (eps, delta))
    return Result(Theorem(kind, premise, Given(target, (*names, level)), domain, (), words), (*obligations, *more))


@rule("gaussian-pair", "dominating-pair", "post-processing", "gaussian-moments")
def gaussian_pair(*, target: str, target_names: tuple[Symbol, ...], level: Expr) -> Result:
    """Whatever has a trade-off function above that of the Gaussian pair is a processing of it, which has this level."""
    found, domain, obligations = gaussian_level(target, target_names)
    need(equal(found, level, domain), f"{found} = {level} is not shown by the algebra")
    return Result(Theorem(Kind.IMPLIES, Given("GDP", (MU,)), _given(target, target_names, level), domain), obligations)


def gaussian_level(target: str, names: tuple[Symbol, ...]) -> tuple[Expr, Domain, tuple[Statement, ...]]:
    """The level of the Gaussian pair under a notion, from its definition."""
    domain = (*parameters(target, names)[0], span(MU, 0, oo))
    _, mapping = parameters(target, names)
    mean = gaussian(replace(generator(target)[1], mapping), MU)
    level, obligations = at_law(target, names, mean)
    return level, domain, obligations


@rule("every-order", "all-orders")
def every_order(t: Theorem, *, order: Symbol, rho: Expr) -> Result:
    """D_alpha is at most rho alpha at every order alpha > 1 (certified): that is ZCDP."""
    need(t.kind is Kind.IMPLIES and t.conclusion.key == "RDP" and t.conclusion.values[0] == order, "expected RDP")
    need(span(order, 1, oo) in t.domain, f"{t} is not shown for every order")
    need(order not in rho.free_symbols and not any(order in v.free_symbols for v in t.premise.values), "one order")
    rest = tuple(s for s in t.domain if s.symbol != order)
    need(not any(order in s.lo.free_symbols | s.hi.free_symbols for s in rest), "ranges depend on the order")
    known = {s.symbol for s in rest}
    need(rho.free_symbols <= known, f"{rho} has variables without a range")
    bound = t.conclusion.values[-1]
    gap = () if equal(bound, rho * order, t.domain) else (_order_gap(t, order, rho),)
    return Result(Theorem(Kind.IMPLIES, t.premise, Given("ZCDP", (rho,)), rest, t.assuming), gap)


def _order_gap(t: Theorem, order: Symbol, rho: Expr) -> Statement:
    """(alpha - 1) D_alpha <= (alpha - 1) alpha rho at alpha = 1 + s: without the quotient."""
    s = Symbol("s", real=True)
    bound = (order - 1) * t.conclusion.values[-1]
    shift = {order: 1 + s}
    domain = tuple(Span(s, S.Zero, oo) if y.symbol == order else y for y in t.domain)
    return Statement(replace(bound, shift), "<=", replace((order - 1) * order * rho, shift), domain)


@rule("one-order", "all-orders", "renyi-monotone")
def one_order(*, target: str, order: Symbol) -> Result:
    """D_alpha <= rho alpha at one order, and in the limit at order one, where it is KL."""
    rho = real("rho")
    if target == "KL":
        return Result(Theorem(Kind.IMPLIES, Given("ZCDP", (rho,)), Given("KL", (rho,)), (span(rho, 0, oo),)))
    need(target == "RDP", "expected KL or RDP")
    domain = (span(order, 1, oo), span(rho, 0, oo))
    return Result(Theorem(Kind.IMPLIES, Given("ZCDP", (rho,)), Given("RDP", (order, rho * order)), domain))


@rule("smaller-order", "renyi-monotone")
def smaller_order() -> Result:
    """Renyi divergences grow with their order, and KL is the one of order one."""
    alpha, e = real("alpha"), real("e")
    domain = (span(alpha, 1, oo), span(e, 0, oo))
    return Result(Theorem(Kind.IMPLIES, Given("RDP", (alpha, e)), Given("KL", (e,)), domain))


@rule("order-two", "identity")
def order_two(*, target: str) -> Result:
    """E (r - 1)^2 = E r^2 - 1: chi-square is the Renyi divergence of order 2."""
    _, f, transform = generator("RDP")
    _, g, _ = generator("CHI2")
    alpha, e, c = real("alpha"), real("e"), real("c")
    need(equal(replace(f, {alpha: S(2)}) - 1 - (2 * (R - 1)), g, ()), "r^2 - 1 - 2(r - 1) is not (r - 1)^2")
    need(equal(replace(transform, {alpha: S(2)}), log(D), (span(D, 0, oo),)), "the order 2 is not a logarithm")
    two = Span(alpha, S(2), S(2), False, False)
    if target == "CHI2":
        given, level = Given("RDP", (alpha, e)), exp(e) - 1
        return Result(Theorem(Kind.IMPLIES, given, Given("CHI2", (level,)), (two, span(e, 0, oo))))
    need(target == "RDP", "expected CHI2 or RDP")
    return Result(Theorem(Kind.IMPLIES, Given("CHI2", (c,)), Given("RDP", (alpha, log(1 + c))), (two, span(c, 0, oo))))


@rule("response-tests", "dominating-pair", "post-processing", "hypothesis-testing")
def response_tests() -> Result:
    """Whatever is x-DP is a processing of randomized response, whose best test has errors 1/(1 + exp(x)) both."""
    level = 2 * sqrt(2) * erfinv(tanh(X / 2))
    return Result(Theorem(Kind.IMPLIES, Given("DP", (X,)), Given("GDP", (level,)), (LEVEL,)))


@rule("worst-belief", "two-point-belief", "bayes")
def worst_belief() -> Result:
    """ABPW at the prior that makes the posterior its mirror image, and at the output where the ratio is largest.

    At a ratio exp(x) and the prior p = 1/(1 + exp(x/2)) the posterior is 1 - p (identity). The Jensen-Shannon
    divergence of the two is y tanh(y) - log(cosh(y)) at y = x/4 (identity), which grows with x (certified).
    """
    p = 1 / (1 + exp(X / 2))
    q = p * exp(X) / (p * exp(X) + 1 - p)
    need(equal(q, 1 - p, (LEVEL,)), "the posterior is not 1 - p")
    notion = definition_of("ABPW")
    assert notion.mean is not None
    f, transform = notion.mean
    need(equal((1 - p) / p, exp(X / 2), (LEVEL,)), "posterior over prior is not exp(x/2)")
    mean = response(f(R), X / 2)
    y = X / 4
    form = y * tanh(y) - log(cosh(y))
    need(equal(mean, form, (LEVEL,)), f"{mean} = {form} is not shown by the algebra")
    level = transform(form)
    slope = Statement(diff(form, X), ">", S.Zero, (LEVEL,))
    need(equal(transform(D) ** 2, D, (span(D, 0, oo),)), "the level is not a square root")
    return Result(Theorem(Kind.IMPLIES, Given("ABPW", (level,)), Given("DP", (X,)), (LEVEL,)), (slope,))


def coin_mean(f: Expr, p: Expr, q: Expr) -> Expr:
    """The mean of f(r) for two coins."""
    return q * replace(f, {R: p / q}) + (1 - q) * replace(f, {R: (1 - p) / (1 - q)})


# What is largest over coins p and q, with which condition on them.
_COINS = {
    "ADP": ("p - exp({0})*q", ""),
    "PDP": ("p", "p > exp({0})*q and "),
    "GDP": ("Phi^-1(p) - Phi^-1(q)", ""),
    "TV": ("p - q", ""),
}


@rule("tests", "post-processing", "hypothesis-testing")
def tests(
    *, source: str, source_names: tuple[Symbol, ...], target: str, threshold: Symbol | None, kind: str
) -> Result:  # fmt: skip
    """An event and its complement are two outputs, a coin for each input, with the premise by data processing.

    The level of the conclusion is its largest value over coins with the premise, and coins are mechanisms. Where the
    premise bounds the first order only, either of the two coins may come first.
    """
    need(target in _COINS and (threshold is None) == (target in ("GDP", "TV")), "expected ADP, PDP, GDP or TV")
    notion = definition_of(source)
    _, f, transform = generator(source)
    names, mapping = parameters(source, source_names)
    every = orders_of(source, mapping)
    level = notion.level.symbol
    asked = () if threshold is None else (threshold,)
    domain = (*names, notion.level, *(span(s, 0, oo) for s in asked))
    need(len({s.symbol for s in domain}) == len(domain), "two parameters with one name")
    need(source != "PDP" and notion.orders in ("both", "forward"), "expected what is kept by processing")
    p, q = real("p"), real("q")
    need(not {p, q, *(s.symbol for s in every)} & {s.symbol for s in domain}, "a parameter with a name of the coins")
    mean = replace(transform, {**mapping, D: coin_mean(replace(f, mapping), p, q)})
    largest, condition = (text.format(*asked) for text in _COINS[target])
    orders = f" for every {', '.join(map(str, every))}" if every else ""
    quantity = Function(f"largest_{source}_{target}".replace("[forward]", "_forward"))(*source_names, level, *asked)
    exchanged = "also" if notion.both else "or"
    where = (
        f"{quantity} = sup of {largest} over coins 0 < p, q < 1 with {condition}{mean} <= {level}{orders}, "
        f"{exchanged} with p and q exchanged"
    )
    premise = Given(source, (*source_names, level))
    conclusion = Given(target, (*asked, quantity))
    witness = "two inputs: coins" if kind == "sharp" else ""
    return Result(Theorem(way(kind), premise, conclusion, domain, (), witness, where))


@rule("gaussian-tests", "hypothesis-testing")
def gaussian_tests(*, kind: str) -> Result:
    """Tests against a Gaussian trade-off, whose quotient of power and error falls with the error.

    Under the event {log r > eps} the error q and the power p have p > exp(eps) q and p <= F(q), F the concave curve of
    the Gaussian pair: so q is below the error at which F(q) = exp(eps) q, and p below the power there. The tests
    {X > z} of the Gaussian pair have that error and power.
    """
    from sympy import erfc

    z = real("z")
    power, error = erfc((z - MU) / sqrt(2)) / 2, erfc(z / sqrt(2)) / 2
    domain = (span(MU, 0, oo), Span(z, -oo, oo))
    witness = "two inputs: tests of the Gaussian pair" if kind == "sharp" else ""
    conclusion = Given("PDP", (log(power / error), power))
    return Result(Theorem(way(kind), Given("GDP", (MU,)), conclusion, domain, (), witness))


__all__ = ["Max", "at_law", "gaussian_level", "parameters"]
