"""Arguments of the papers that are more than one conversion: g(b) of zhao17, the average of zhang24, thresholds.

>>> print(posterior_bound("DP").claim)
q <= p*exp(eps)/(p*exp(eps) - p + 1)
"""

from __future__ import annotations

from sympy import Abs, Expr, Rational, S, diff, exp, log, oo

from symprivacy.derivations.derivation import Builder, Derivation
from symprivacy.derivations.engine import Derived, Source, read
from symprivacy.derivations.means import functional
from symprivacy.derivations.neighbours import finish_mean, tidied
from symprivacy.derivations.ratio import ratio_bounds
from symprivacy.errors import InputError
from symprivacy.notions.definition import PRIOR, Definition, posterior_statements
from symprivacy.notions.registry import definition_of
from symprivacy.notions.solve import solve_for, tidy
from symprivacy.notions.statement import Domain, Given, Span, replace, span
from symprivacy.notions.symbols import RATIOS, P, Q, real


def posterior_bound(source: Source) -> Derivation:
    """The largest posterior of a secret of prior p under a ratio notion (sok22 section 7.2)."""
    notion = read(source)
    b = Builder(
        lambda key: notion if key == notion.key else definition_of(key),
        f"largest posterior under {notion.key}",
    )
    (ratio,) = ratio_bounds(b, notion)
    bayes = b.add("bayes", [])
    domain = (*(s for s in b[ratio].domain if s.symbol != P), PRIOR)
    return b.finish("monotone", [bayes, ratio], direction="increasing", domain=domain)


def ratio_portrait(source: Source = "PMP") -> Derivation:
    """G(level, p) of a notion with two posterior constraints: switch, pieces, ends and peak (zhao17 Lemma 1).

    >>> d = ratio_portrait("PMP")
    >>> print(d.claim.domain[1])
    p in (0, 1)
    """
    notion = read(source)
    b = Builder(
        lambda key: notion if key == notion.key else definition_of(key),
        f"the likelihood ratio that {notion.key} allows",
    )
    bounds = ratio_bounds(b, notion)
    if len(bounds) != 2:
        raise InputError(f"{notion.key} has {len(bounds)} upper bounds of the posterior, expected two")
    upper = [rhs if lhs == Q else 1 - rhs for lhs, rel, rhs in notion.posterior if (lhs == Q) == (rel == "<=")]
    limits = dict(zip(bounds, upper, strict=True))
    # The one that stops where its posterior reaches one comes first.
    first, second = sorted(bounds, key=lambda k: b[k].domain[-1].hi == 1)
    (*rest, low_span), (*_, high_span) = b[first].domain, b[second].domain
    levels: Domain = tuple(rest)
    g1, g2 = b[first].rhs, b[second].rhs
    switch = tidy(solve_for(g1, g2, P, low_span.lo, low_span.hi, levels), levels)
    below, above = Span(P, low_span.lo, switch, True, False), Span(P, switch, high_span.hi, True, True)
    low = b.add("substitute", [first], mapping={}, domain=(*levels, below))
    high = b.add("substitute", [second], mapping={}, domain=(*levels, above))
    shape = b.add("piecewise", [low, high], variable=P)

    def value(g: Expr, at: Expr) -> Expr:
        return tidy(replace(g, {P: at}), levels)

    def fact(lhs: Expr, rel: str, rhs: Expr, *spans: Span) -> int:
        return b.add("inequality", [], lhs=lhs, rel=rel, rhs=rhs, domain=(*levels, *spans))

    facts = [
        fact(g1, "<=", g2, below),
        fact(g2, "<=", g1, Span(P, switch, low_span.hi)),
        fact(tidy(diff(g1, P), (*levels, below)), ">", S.Zero, below),
        fact(tidy(diff(g2, P), (*levels, above)), "<", S.Zero, above),
        fact(replace(g1, {P: low_span.lo}), "==", value(g1, low_span.lo)),
        fact(replace(g1, {P: switch}), "==", value(g1, switch)),
        fact(replace(g2, {P: switch}), "==", value(g2, switch)),
        fact(replace(g2, {P: high_span.hi}), "==", value(g2, high_span.hi)),
    ]
    # Conversely, at A = G the posterior meets one of its limits and keeps the other; it increases with A.
    for g, spans, meets, keeps in ((g1, below, first, second), (g2, above, second, first)):
        q = P * g / (P * g + 1 - P)
        facts += [fact(q, "==", limits[meets], spans), fact(q, "<=", limits[keeps], spans)]
    shown = list(dict.fromkeys([shape, *facts]))
    return b.finish("summary", shown, count=len(shown))


def violation(source: Source = "PMP") -> Derivation:
    """Below which prior a ratio alpha above exp(eps) breaks the notion (zhao17 Theorem 4, case two)."""
    notion = read(source)
    b = Builder(
        lambda key: notion if key == notion.key else definition_of(key),
        f"where a larger ratio breaks {notion.key}",
    )
    constraint = next(s for s in posterior_statements(notion) if s.lhs == Q and s.rel == "<=")
    alpha = real("alpha")
    limit = next(k for k in ratio_bounds(b, notion) if b[k].domain[-1].hi != 1)
    # The smallest ratio that some prior can tell: the limit of G at prior 0.
    least = tidy(replace(b[limit].rhs, {P: S.Zero}), notion.domain)
    spans: Domain = (*notion.domain, Span(alpha, least, oo))
    posterior = P * alpha / (P * alpha + 1 - P)
    edge = tidy(solve_for(posterior / P, constraint.rhs / P, P, S.Zero, S.One, spans), spans)
    domain = (*spans, Span(P, S.Zero, edge))
    bayes = b.add("bayes", [])
    here = b.add("evaluate", [bayes], value=alpha, domain=domain)
    larger = b.add("inequality", [], lhs=b[here].rhs, rel=">", rhs=constraint.rhs, domain=domain)
    broken = b.add("transitive", [here, larger], domain=domain)
    exists = b.add("inequality", [], lhs=edge, rel=">", rhs=S.Zero, domain=spans)
    return b.finish("summary", [broken, exists], count=2)


def average_bayes(method: str = "paper") -> Derived:
    """MBP => ABP: the chain of zhang24 Theorem 5.4 with a prior that is only close, or the best possible bound.

    "paper" allows the adversary's prior to be within a factor exp(eps); "best" is for the prior itself.

    >>> average_bayes().value
    sqrt((eps/2 + xi/2)*(exp(eps + xi) - 1))
    """
    if method not in ("best", "paper"):
        raise InputError(f"method={method!r}: expected best or paper")
    target = definition_of("ABPW")
    b = Builder(definition_of, "MBP => ABP")
    level, t = definition_of("MBP").level.symbol, real("eps")
    bounds = []
    for k in (0, 1):
        bound = b.add("averaged", [b.add("definition", [], view="MBP", part=k)])
        if method == "paper":
            bound = b.add("close-prior", [bound], distance=t)
        bounds.append(bound)
    upper, lower = bounds
    if method == "paper":
        bound = _chain(b, target, upper, lower, level + t)
    else:
        one = b.add("mean-one", [], of=target.compares)
        bound = tidied(b, b.add("two-point", [one, upper, lower], view="ABPW"))
    last, value = finish_mean(b, target, bound)
    d = b.finish("conclude", [last], view="ABPW", values=(value,))
    return Derived(d.premise[0], Given("ABPW", (value,)), d, d.principles)


def _chain(b: Builder, target: Definition, upper: int, lower: int, s: Expr) -> int:
    """JS <= s (exp(s) - 1)/2, in the steps of zhang24 Appendix B."""
    domain = b[upper].domain
    r, f = RATIOS[target.compares], functional(target)
    positive = (span(r, 0, oo),)
    half, middle = Rational(1, 2), (1 + r) / 2
    # Arithmetic against geometric mean: r/middle <= middle, so log(r/middle) <= log(middle).
    amgm = b.add(
        "inequality", [], lhs=half * r * log(r / middle), rel="<=", rhs=half * r * log(middle), domain=positive
    )
    whole = b.add("rearrange", [amgm], lhs=f, rel="<=", rhs=half * (r - 1) * log(middle))
    here = b.add("on-range", [whole, upper, lower], domain=domain)
    inner = (*domain, Span(r, b[lower].rhs, b[upper].rhs, False, False))
    logs, gaps = (
        b.add(
            "on-range",
            [b.add("inequality", [], lhs=Abs(e), rel="<=", rhs=top, domain=inner), upper, lower],
            domain=domain,
        )
        for e, top in ((log(middle), s), (r - 1, exp(s) - 1))
    )
    product = b.add("absolute-product", [here, logs, gaps], factor=half, domain=domain)
    return b.add("pointwise", [product], view=target.key)
