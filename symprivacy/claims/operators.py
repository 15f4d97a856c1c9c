"""What a term satisfies, found from the inside out by what operations do to levels.

Every step is a theorem for all mechanisms, named by a registered principle; parts are converted where they have another
notion than the one asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice

from sympy import simplify

from symprivacy.claims.best_level import best_levels
from symprivacy.claims.fact import SYMMETRIC, Fact, Where, asking, attainable, formula, with_level
from symprivacy.claims.guarantees import Wanted
from symprivacy.claims.levels import (
    ANGLES,
    COMPOSED,
    CONTRACTED,
    GROUPED,
    MIXED_EXACTLY,
    MULTIPLIED,
    OF_ONE_KIND,
    SAMPLED,
    added,
    missed,
)
from symprivacy.claims.terms import Compose, Forward, Group, Sample, Term, Through, leaves, operations
from symprivacy.errors import SymPrivacyError
from symprivacy.kernel import expr as x
from symprivacy.kernel.expr import Expr
from symprivacy.language.attempt import sympy_attempt
from symprivacy.language.bridge import from_sympy, to_sympy
from symprivacy.language.text import parse, to_text
from symprivacy.notions import get
from symprivacy.search.verdict import Status

# Notions that a part is converted to where the conclusion's own notion has no rule for the operation.
HUBS = ("ZCDP", "KL", "TV", "DP", "GDP", "HELL2", "CHI2")
# How many guarantees of a part are composed, one after the other.
_WAYS = 4


def facts(term: Term, asked: Wanted, where: Where) -> Iterator[Fact]:
    """Guarantees of the notion of ``asked``, at its further parameters, that follow from a term."""
    if isinstance(term, Wanted):
        yield from _converted(term, asked, where)
        return
    if asked.notion.key != "GDP" and not asked.notion.pairs.every and normal(term):
        # As good as the one pair of laws that it says everything about.
        for known in facts(term, asking("GDP"), where):
            yield from (known.and_then(fact) for fact in _converted(known.wanted, asked, where))
    rules: dict[type, Callable[..., Iterator[Fact]]] = {
        Compose: _compose, Group: _group, Sample: _sample, Through: _through, Forward: _forward,
    }  # fmt: skip
    yield from rules[type(term)](term, asked, where)


def _converted(term: Wanted, asked: Wanted, where: Where) -> Iterator[Fact]:
    """The best level of a notion that a guarantee implies."""
    if term.notion.key == asked.notion.key and len(term.values) == 1:
        yield Fact(term, sharp=True)
        return
    if term.notion.key == asked.notion.key:
        others = [n for n in term.named if n != term.judged]
        if all(term.named[n] == asked.named[n] for n in others):
            yield Fact(term, sharp=True)
            return
    if term.notion.key == asked.notion.key == "tCDP":
        if where.settled(asked.named["omega"], "<=", term.named["omega"]).status is Status.PROVED:
            at = with_level(asked, term.level)
            yield Fact(at, ("restriction",), (f"fewer orders: `{at}`",))
        return
    if term.notion.key == "tCDP":
        yield from _some_orders(term, asked, where)
        return
    if term.notion.key == "mCDP":
        yield from _by_cumulants(term, asked, where)
        return
    if term.notion.key == "DP" and asked.notion.key == "LDP":
        return
    if term.notion.key == asked.notion.key == "MAXL":
        yield _fewer_or_more_secrets(term, asked, where)
        return
    if term.notion.key == "MAXL" and not asked.notion.pairs.every:
        apart = Wanted(get("TV"), (x.sub(x.exp(term.level), x.ONE),))
        for fact in _converted(apart, asked, where):
            words = f"the larger of two likelihoods sums to 1 + TV: `{apart}`"
            yield Fact(apart, ("best-event",), (words,)).and_then(fact)
        return
    if term.notion.key == "RB" and asked.notion.key in ("ZCDP", "KL"):
        level = formula("e**2/8", e=term.level)
        words = f"a loss in a range of width e has cumulants of at most e^2/8: `{with_level(asked, level)}`"
        yield Fact(with_level(asked, level), ("hoeffding",), (words,))
    if (term.notion.key, asked.notion.key) == ("ADP", "PDP"):
        eps, beyond = term.named["eps"], asked.named["eps"]
        if where.settled(eps, "<", beyond).status is Status.PROVED:
            level = formula("d/(1 - exp(e - f))", d=term.level, e=eps, f=beyond)
            words = (
                f"on ratios above exp({to_text(beyond)}) the rest of P is at most delta: `{with_level(asked, level)}`"
            )
            yield Fact(with_level(asked, level), ("tail",), (words,))
    same = term.notion.key == asked.notion.key == "RDP"
    if same and where.settled(asked.named["alpha"], "<=", term.named["alpha"]).status is Status.PROVED:
        at = with_level(asked, term.level)
        yield Fact(at, ("renyi-monotone",), (f"a lower order has a smaller divergence: `{at}`",))
    if term.notion.key in ("RDP", "CHI2") and asked.notion.key == "KL":
        yield simply(term, asked)
    elif term.notion.key == "RDP" and asked.notion.key in SYMMETRIC:
        # The best level has no closed form and takes long to derive; what one order says comes first.
        yield from _forward(Forward(term), asked, where)
    try:
        for best in best_levels(term, asked, where.box, where.whole):
            if not best.of_premise:
                found = with_level(asked, best.level)
                yield Fact(found, best.principles, best.steps[-1:], best.certificates, best.tight, best.tight)
                return
    except SymPrivacyError:
        pass
    if (term.notion.key, asked.notion.key) in SIMPLE:
        yield simply(term, asked)
    elif asked.notion.key in SYMMETRIC and term.notion.key not in SYMMETRIC:
        yield from _forward(Forward(term), asked, where)
    elif asked.notion.key == "ADP" and where.settled(asked.named["eps"], ">=", x.ZERO).status is Status.PROVED:
        # P(S) - e^eps Q(S) is never above P(S) - Q(S).
        for total in facts(term, asking("TV"), where):
            yield total.then(with_level(asked, total.wanted.level), "pointwise", "at any eps")


# What holds at every level, where the best one has no closed form or the level may be beyond the largest one.
SIMPLE = {
    ("TV", "HELL2"): ("v", "pointwise", "sqrt(p q) is at least the smaller of p and q"),
    ("TV", "JS"): ("log(2)*v", "convex-duality", "JS is at most log(2) TV"),
    ("JS", "TV"): ("sqrt(2*v)", "pinsker", "Pinsker's inequality for both laws and their mean"),
    ("RDP", "KL"): ("v", "renyi-monotone", "a lower order has a smaller divergence"),
    ("CHI2", "KL"): ("log(1 + v)", "renyi-monotone", "the order 1 has a smaller divergence than the order 2"),
}


def simply(term: Wanted, asked: Wanted) -> Fact:
    """What holds at every level, by the list of simple bounds."""
    text, principle, words = SIMPLE[term.notion.key, asked.notion.key]
    at = with_level(asked, formula(text, v=term.level))
    return Fact(at, (principle,), (f"{words}: `{at}`",))


def _fewer_or_more_secrets(term: Wanted, asked: Wanted, where: Where) -> Fact:
    """Maximal leakage over another number of secrets."""
    if where.settled(asked.named["m"], "<=", term.named["m"]).status is Status.PROVED:
        at = with_level(asked, term.level)
        return Fact(at, ("best-event",), (f"a maximum over fewer secrets is no larger: `{at}`",))
    at = with_level(asked, formula("log(1 + (m - 1)*(exp(l) - 1))", m=asked.named["m"], l=term.level))
    return Fact(at, ("best-event",), (f"each further secret adds its total variation from the first one: `{at}`",))


def _some_orders(term: Wanted, asked: Wanted, where: Where) -> Iterator[Fact]:
    """One of the orders that are bounded, the lowest of them, and what that implies of symmetric quantities."""
    omega, rho = term.values
    orders = {"KL": x.ONE, "CHI2": x.num(2), "RDP": asked.named.get("alpha", x.ONE)}
    order = orders.get(asked.notion.key)
    if order is not None and (order == x.ONE or where.settled(order, "<=", omega).status is Status.PROVED):
        bound = rho if order == x.ONE else x.mul(order, rho)
        at = with_level(asked, x.sub(x.exp(bound), x.ONE) if asked.notion.key == "CHI2" else bound)
        yield Fact(at, ("unfolding",), (f"one of the orders: `{at}`",))
    if asked.notion.key in SYMMETRIC:
        mean = Wanted(get("KL"), (rho,))
        for fact in _converted(mean, asked, where):
            yield Fact(mean, ("unfolding", "limit"), (f"the order tends to 1: `{mean}`",)).and_then(fact)


# The second of each by the mean: exp(-loss) has the mean 1, and is subgaussian too, so that mu <= tau^2/2 or may be so.
_OF_CUMULANTS = {
    "KL": ("m", "t**2/2"),
    "ZCDP": ("t**2/2",),
    "RDP": ("m + (a - 1)*t**2/2", "a*t**2/2"),
    "CHI2": ("exp(m + t**2/2) - 1", "exp(t**2) - 1"),
}


def _by_cumulants(term: Wanted, asked: Wanted, where: Where) -> Iterator[Fact]:
    """The divergences that the mean and the width of the loss bound."""
    values = {"m": term.named["mu"], "t": term.named["tau"], "a": asked.named.get("alpha", x.num(2))}
    for text in _OF_CUMULANTS.get(asked.notion.key, ()):
        at = with_level(asked, formula(text, **values))
        yield Fact(at, ("cumulant", "mean-one"), (f"the cumulants of the loss: `{at}`",))
    if asked.notion.key in SYMMETRIC:
        for mean in (Wanted(get("KL"), (formula(text, **values),)) for text in _OF_CUMULANTS["KL"]):
            for fact in _converted(mean, asked, where):
                yield Fact(mean, ("cumulant", "mean-one"), (f"the mean of the loss: `{mean}`",)).and_then(fact)


def first(term: Term, asked: Wanted, where: Where) -> Fact | None:
    return next(facts(term, asked, where), None)


def _inside(
    term: Term, inside: Wanted, asked: Wanted, where: Where, text: str, principle: str, words: str, sharp: bool = False,
    capped: bool = False, **values: Expr,
) -> Iterator[Fact]:  # fmt: skip
    """What is asked, at a formula of the level v at which the inner term satisfies what is asked of that.

    ``capped``: the formula grows with v no further than up to the largest level there is.
    """
    for inner in facts(term, inside, where):
        level = attainable(inner.wanted, where) if capped else inner.wanted.level
        yield inner.then(with_level(asked, formula(text, v=level, **values)), principle, words, sharp)


def _ways(parts: list[list[Fact]]) -> Iterator[list[Fact]]:
    """The first fact of every part; then the second ones, and so on, as long as a part has more."""
    if all(parts):
        for k in range(max(map(len, parts))):
            yield [found[min(k, len(found) - 1)] for found in parts]


def _shortest(level: Expr, where: Where) -> Expr:
    """The level as 1 - s with s in its simplest form, if that is certainly no less: powers of s are compared by s."""
    with sympy_attempt():
        short = x.sub(x.ONE, from_sympy(simplify(1 - to_sympy(level))))
        if where.settled(level, "<=", short).status is Status.PROVED:
            return short
    return level


def _compose(term: Compose, asked: Wanted, where: Where) -> Iterator[Fact]:
    key = asked.notion.key
    if key in COMPOSED:
        combine, principle = COMPOSED[key]
        for found in _ways([list(islice(facts(part, asked, where), _WAYS)) for part in term.parts]):
            capped = combine is missed
            levels = [(attainable(f.wanted, where) if capped else f.wanted.level, term.times) for f in found]
            level = combine(levels)
            alike = all(isinstance(part, Wanted) and part.notion.key == key for part in term.parts)
            sharp = key in MULTIPLIED or (key in OF_ONE_KIND and alike)
            fact = joined(found).then(with_level(asked, level), principle, "all runs together", sharp)
            yield replace(fact, exact=key == "GDP" and normal(term))
            if capped and term.times.op != "num":
                # More than that, and simpler where the number of runs is a variable.
                short = [(_shortest(one, where), times) for one, times in levels] if key == "HELL2" else levels
                if short != levels:
                    yield joined(found).then(with_level(asked, combine(short)), principle, "all runs together", sharp)
                yield joined(found).then(with_level(asked, added(levels)), principle, "all runs together, added up")
    if key in ("ADP", "PDP"):
        found_slack = natural_slack(term, key, where)
        if found_slack is not None:
            yield found_slack


def joined(found: list[Fact]) -> Fact:
    return Fact(
        found[0].wanted,
        tuple(dict.fromkeys(p for f in found for p in f.principles)),
        tuple(dict.fromkeys(s for f in found for s in f.steps)),
        tuple(c for f in found for c in f.certificates),
        sharp=all(f.sharp for f in found),
    )


def natural_slack(term: Term, key: str, where: Where) -> Fact | None:
    """The (eps, delta) of a term at the eps that its own guarantees say."""
    adp = get(key)
    if isinstance(term, Wanted):
        own = term.notion.key
        if own == key:
            return Fact(term, sharp=True)
        zero = {"DP": (term.values[0], x.ZERO), "LDP": (term.values[0], x.ZERO), "TV": (x.ZERO, term.values[0])}
        if own == "PDP" and key == "ADP":
            return Fact(Wanted(adp, term.values), ("tail",))
        if own in zero and (own != "TV" or key == "ADP"):
            return Fact(Wanted(adp, zero[own]), ("identity",))
        pure = first(term, asking("DP"), where)
        return None if pure is None else replace(pure, wanted=Wanted(adp, (pure.wanted.level, x.ZERO)))
    if isinstance(term, Compose):
        inner = [natural_slack(part, key, where) for part in term.parts]
        if not all(inner):
            return None
        found = [f for f in inner if f is not None]
        total = added([(f.wanted.named["eps"], term.times) for f in found])
        slack = missed([(attainable(f.wanted, where), term.times) for f in found])
        # Responses that leak: beyond the sum of the eps is what one of them gives away.
        alike = all(isinstance(part, Wanted) and part.notion.key == key for part in term.parts)
        return joined(found).then(Wanted(adp, (total, slack)), "sequential-composition", "all runs together", alike)
    if isinstance(term, Group):
        inside = natural_slack(term.term, key, where)
        if inside is None:
            return None
        eps, delta = inside.wanted.values
        return inside.then(
            Wanted(adp, (x.mul(term.size, eps), _path(eps, delta, term.size))), "group-metric", "the path"
        )
    if isinstance(term, Sample) and key == "ADP":
        inside = natural_slack(term.term, key, where)
        if inside is None:
            return None
        eps, delta = inside.wanted.values
        values = (formula("log(1 + q*(exp(e) - 1))", q=term.share, e=eps), x.mul(term.share, delta))
        return inside.then(Wanted(adp, values), "subsampling", "on a sample", sharp=True)
    if isinstance(term, Through) and key == "ADP":
        inside = natural_slack(term.term, key, where)
        return None if inside is None else replace(inside, principles=(*inside.principles, "post-processing"))
    return None


def _path(eps: Expr, delta: Expr, size: Expr) -> Expr:
    """delta (1 + e^eps + ... + e^((k-1) eps))."""
    if delta == x.ZERO:
        return x.ZERO
    if eps == x.ZERO:
        return x.mul(size, delta)
    return formula("d*(exp(k*e) - 1)/(exp(e) - 1)", d=delta, k=size, e=eps)


def normal(term: Term) -> bool:
    """Runs and groups of normal noise are normal noise, which is the worst case of GDP."""
    return all(leaf.notion.key == "GDP" for leaf in leaves(term)) and all(
        isinstance(o, Compose | Group) for o in operations(term)
    )


_LONGEST_PATH = 16


def _group(term: Group, asked: Wanted, where: Where) -> Iterator[Fact]:
    key, k = asked.notion.key, term.size
    if asked.notion.pairs.every:
        # The notion speaks of any two inputs, however far apart.
        yield from facts(term.term, asked, where)
    if key in ("TV", "ADP"):
        yield from _one_event(term, asked, where)
    if key == "HELL2" and k.op == "num" and (text := ANGLES.get(int(x.rational(k)))):
        words = "the angles along the path add up"
        yield from _inside(term.term, asked, asked, where, text, "group-metric", words, capped=True)
    if key in GROUPED:
        principle = "group-path" if key in ("DP", "RB") else "group-metric"
        # Geometric and normal noise, exponential weights and equal shares of the probability, step by step.
        own = isinstance(term.term, Wanted) and term.term.notion.key == key and key in ("DP", "RB", "ZCDP", "GDP", "TV")
        for fact in _inside(term.term, asked, asked, where, GROUPED[key], principle, "a path", own, k=k):
            yield replace(fact, exact=key == "GDP" and normal(term))
    if key in ("ADP", "PDP"):
        found = natural_slack(term, key, where)
        if found is not None:
            yield found
            if k.op != "num":
                yield from _largest_step(term, found, where)
        inside = with_level(asked, x.ONE, eps=x.div(asked.named["eps"], k))
        for inner in facts(term.term, inside, where):
            delta = _path(inner.wanted.named["eps"], inner.wanted.level, k)
            yield inner.then(with_level(asked, delta), "group-metric", "a path of neighbours")
    if key == "tCDP":
        inside = with_level(asked, x.ONE, omega=x.mul(k, asked.named["omega"]))
        yield from _inside(term.term, inside, asked, where, "k**2*v", "group-metric", "a path of neighbours", k=k)
    if key == "RDP" and (k.op != "num" or x.rational(k) <= _LONGEST_PATH):
        yield from _renyi_path(term, asked, where)
    if key == "KL":
        for order in {leaf.values[0] for leaf in leaves(term) if leaf.notion.key == "RDP"}:
            at = asking("RDP", formula("1/(1 - (1 - 1/b)**k)", b=order, k=k))
            for path in facts(term, at, where):
                yield path.then(with_level(asked, path.wanted.level), "renyi-monotone", "a lower order")
        for omega in {leaf.values[0] for leaf in leaves(term) if leaf.notion.key == "tCDP"}:
            left = x.div(omega, k)
            if where.settled(left, ">", x.ONE).status is Status.PROVED:
                for path in facts(term, asking("tCDP", left), where):
                    yield path.then(with_level(asked, path.wanted.level), "renyi-monotone", "the order tends to 1")


def _one_event(term: Group, asked: Wanted, where: Where) -> Iterator[Fact]:
    """The probability of one event along a path of k steps of eps-DP.

    Where it is large, that of the complement grows by exp(eps) at most, and where it is small, it falls by exp(eps) at
    most; so the best path goes through exp(eps)/(1 + exp(eps)) after some number j of steps. The two laws of one output
    along it are a mechanism. Whatever j is, two exponentials are at least twice the root of their product.
    """
    k, beyond = term.size, asked.named.get("eps", x.ZERO)
    own = isinstance(term.term, Wanted) and term.term.notion.key == "DP"
    for pure in facts(term.term, asking("DP"), where):
        values = {"e": pure.wanted.level, "k": k, "f": beyond}
        words = "the probability of one event along the path"
        if k.op == "num" and x.rational(k) <= _LONGEST_PATH:
            last = int(x.rational(k)) - 1
            ways = [_through_the_middle(j, last - j, pure.wanted.level, beyond) for j in range(last + 1)]
            # Without slack both halves of the path count alike.
            level = ways[len(ways) // 2] if beyond == x.ZERO else x.call("max", *ways, x.ZERO)
            fact = pure.then(with_level(asked, level), "best-event", words, own)
            yield replace(fact, exact=own)
        level = formula("1 - 2*exp((f - (k - 1)*e)/2)/(1 + exp(e))", **values)
        yield pure.then(with_level(asked, level), "best-event", words)


def _through_the_middle(before: int, after: int, eps: Expr, beyond: Expr) -> Expr:
    """P(S) - exp(beyond) Q(S) where so many steps lead to exp(eps)/(1 + exp(eps)) and so many more away from below."""
    rest, left = (x.exp(x.mul(x.num(-n), eps)) if n else x.ONE for n in (before, after))
    left = left if beyond == x.ZERO else x.exp(x.sub(beyond, x.mul(x.num(after), eps)) if after else beyond)
    return formula("1 - (r + l)/(1 + exp(e))", r=rest, l=left, e=eps)


def _largest_step(term: Group, found: Fact, where: Where) -> Iterator[Fact]:
    """Every step of a path for the largest one: more than their sum, and simpler where their number is a variable."""
    inside = natural_slack(term.term, found.wanted.notion.key, where)
    if inside is not None:
        eps, delta = inside.wanted.values
        level = formula("k*exp((k - 1)*e)*d", k=term.size, e=eps, d=delta)
        yield found.then(with_level(found.wanted, level), "group-metric", "every step counted as the last one")


def _renyi_path(term: Group, asked: Wanted, where: Where) -> Iterator[Fact]:
    """Hoelder's inequality along a path of k steps: with s = 1 - 1/order, k steps at s give s**k."""
    alpha, k = asked.named["alpha"], term.size
    given = {leaf.values[0] for leaf in leaves(term.term) if leaf.notion.key == "RDP"}
    orders = [order for order in given if order != alpha or k == x.ONE]
    for order in orders or [formula("1/(1 - (1 - 1/a)**(1/k))", a=alpha, k=k)]:
        share = formula("1 - 1/b", b=order)
        reached = formula("1/(1 - s**k)", s=share, k=k)
        # The divergence of a smaller order than the one that is reached is smaller.
        if orders and where.settled(alpha, "<=", reached).status is not Status.PROVED:
            continue
        inside = with_level(asked, x.ONE, alpha=order)
        for inner in facts(term.term, inside, where):
            level = formula("v*s*(s**(-k) - 1)/(1 - s)", v=inner.wanted.level, s=share, k=k)
            if k.op == "num":
                each = (x.div(inner.wanted.level, x.power(share, x.num(i))) for i in range(int(x.rational(k))))
                level = x.add(*each)
            yield inner.then(with_level(asked, level), "group-metric", "Hoelder's inequality along the path")


def _squared(term: Sample) -> tuple[str, ...]:
    """The chi-square divergence on a sample of share q, from a level v.

    Without replacement, the two laws b and c of samples with the record are compared over a mixture with a share q of
    one of them and 1 - q of the law a of samples without it: the sum of (b - c)**2/a is at most twice that of
    (b - a)**2/a + (c - a)**2/a, which is 4 v, and at most that of (b**2 + c**2)/a, which is 2 + 2 v.
    """
    return ("q**2*v",) if term.total is None else ("q**2*(4 - 3*q)*v", "4*q**2*v", "2*q**2*(1 + v)")


def _sample(term: Sample, asked: Wanted, where: Where) -> Iterator[Fact]:
    key, q = asked.notion.key, term.share
    if where.one_order:
        # A sample of one order of a pair is no longer one order: who took part is mixed in on either side.
        where = replace(where, one_order=False)
    if q == x.ZERO:
        at = with_level(asked, x.ZERO)
        words = f"the record never takes part, so that the two laws are one: `{at}`"
        yield Fact(at, ("subsampling",), (words,), sharp=True)
        return
    levels, values = [SAMPLED[key]] if key in SAMPLED else [], {"q": q}
    # Ratios are what a range after sampling is bounded by, wherever ranges lie.
    inside = asking("DP") if key == "RB" else asked
    if key == "CHI2":
        levels = [*_squared(term), *levels]
    if key == "RB" and term.total is not None:
        levels = [f"2*{SAMPLED['DP']}"]
    if key == "RDP":
        values["alpha"] = asked.named["alpha"]
        if values["alpha"] == x.num(2):
            # The chi-square divergence.
            levels += [f"log(1 + {text.replace('v', '(exp(v) - 1)')})" for text in _squared(term)]
        levels.append("log(1 - q + q*exp((alpha - 1)*v))/(alpha - 1)")
    for text in levels:
        sharp = text in MIXED_EXACTLY or key == "TV"
        yield from _inside(term.term, inside, asked, where, text, "subsampling", "on a sample", sharp, False, **values)
    if key == "ADP":
        found = natural_slack(term, "ADP", where)
        if found is not None:
            yield found
        if where.settled(asked.named["eps"], ">=", x.ZERO).status is not Status.PROVED:
            return
        inside = with_level(asked, x.ONE, eps=formula("log(1 + (exp(e) - 1)/q)", e=asked.named["eps"], q=q))
        yield from _inside(term.term, inside, asked, where, "q*v", "subsampling", "on a sample", True, q=q)


def _through(term: Through, asked: Wanted, where: Where) -> Iterator[Fact]:
    key, eps = asked.notion.key, term.channel.level
    for inside, text, words in CONTRACTED.get(key, ()):
        # Response on the best event, and response after response.
        own = isinstance(term.term, Wanted) and term.term.notion.key == inside == key and key in ("TV", "DP")
        yield from _inside(term.term, asking(inside), asked, where, text, "contraction", words, own, e=eps)
    if key in ("KL", "CHI2", "HELL2", "JS"):
        # What the laws have in common comes out of the channel the same: by convexity the rest counts for as much as
        # it weighs.
        for inner in facts(term.term, asking("TV"), where):
            for row in facts(Wanted(get("DP"), (eps,)), asked, where):
                level = x.mul(inner.wanted.level, row.wanted.level)
                yield joined([inner, row]).then(with_level(asked, level), "mixture", "two rows, so much of the time")
    if key in ("CHI2", "KL"):
        # Both laws share a part of 1 - v; the rest of them is compared as in samples without replacement.
        text, words = "v**2*(4 - 3*v)*(exp(e) - 1)**2*exp(-e)", "mixtures of rows of the channel"
        yield from _inside(term.term, asking("TV"), asked, where, text, "mixture", words, capped=True, e=eps)
    if key == "MAXL":
        yield from _leaked(term, asked, where)
    if key == "LDP":
        # Any two of the laws that are sent are as the term says.
        for known in facts(term, asking("DP"), where):
            yield replace(known, wanted=with_level(asked, known.wanted.level), exact=False)
    if key == "DP":
        at = with_level(asked, eps)
        yield Fact(at, ("mixture",), (f"mixtures of rows of the channel: `{at}`",))
    if asked.notion.divergence is not None or key in ("ADP", "RDP", "ZCDP", "tCDP", "GDP", "DP", "RB"):
        for inner in facts(term.term, asked, where):
            yield inner.then(inner.wanted, "post-processing", "the outputs of a channel")
        pure = Wanted(get("DP"), (eps,))
        if key != "DP":
            for inner in facts(pure, asked, where):
                yield inner.then(inner.wanted, "mixture", "mixtures of rows of the channel")


def _leaked(term: Through, asked: Wanted, where: Where) -> Iterator[Fact]:
    """The leakage about which of several laws the input of a channel has, of which any two are as the term says."""
    m, words = asked.named["m"], "each further law adds its total variation from the first one"
    two = m == x.num(2)
    yield from _inside(term, asking("TV"), asked, where, "log(1 + (m - 1)*v)", "best-event", words, two, m=m)
    for pure in facts(term, asking("DP"), where):
        for fact in facts(Wanted(get("LDP"), (pure.wanted.level,)), asked, where):
            yield pure.and_then(fact)


def _forward(term: Forward, asked: Wanted, where: Where) -> Iterator[Fact]:
    """What one order of a pair says: of itself, of lower orders, and of symmetric quantities."""
    key, inner = asked.notion.key, term.term
    if not isinstance(inner, Wanted):
        return
    own, v = inner.notion.key, inner.values[-1]
    if own in SYMMETRIC:
        yield from facts(inner, asked, where)
        return
    if own == "PDP" and key in ("ADP", "TV"):
        yield from _forward(replace(term, term=Wanted(get("ADP"), inner.values)), asked, where)
        return
    if own == "ADP" and key == "TV":
        at = with_level(asked, formula("1 - exp(-e)*(1 - d)", e=inner.values[0], d=v))
        yield Fact(at, ("best-event",), (f"of an event P has at most exp(eps) Q and delta more: `{at}`",))
    if where.one_order and own == key and inner.values[:-1] == asked.values[:-1]:
        yield Fact(inner)
    # A bound on the Renyi divergence of some order at least 1, which bounds those of lower orders.
    renyi = {"KL": ("1", "k"), "CHI2": ("2", "log(1 + k)"), "ZCDP": ("1", "k"), "DP": ("oo", "k"), "LDP": ("oo", "k")}
    order: Expr | None
    if own == "RDP":
        order, bound = inner.values[0], v
    elif own in renyi:
        text, of = renyi[own]
        order, bound = (None if text == "oo" else parse(text)), formula(of, k=v)
    else:
        return
    if where.one_order and key in ("KL", "CHI2", "RDP"):
        asks = {"KL": x.ONE, "CHI2": x.num(2)}.get(key) or asked.named["alpha"]
        if order is None or where.settled(asks, "<=", order).status is Status.PROVED:
            level = formula("exp(d) - 1", d=bound) if key == "CHI2" else bound
            at = with_level(asked, level)
            yield Fact(at, ("renyi-monotone",), (f"a lower order has a smaller divergence: `{at}`",))
    half = Wanted(get("HELL2"), (formula("1 - exp(-d/2)", d=bound),))
    start = Fact(half, ("renyi-monotone",), (f"the divergence of order 1/2 is smaller: `{half}`",))
    if key == "HELL2":
        yield start
    if key == "TV":
        roots = {"sqrt(d/2)": "pinsker", "sqrt(1 - exp(-d))": "renyi-monotone"}
        if own == "CHI2":
            roots = {"sqrt(c)/2": "jensen", **roots}
        for text, principle in roots.items():
            at = Wanted(asked.notion, (formula(text, d=bound, c=v),))
            yield Fact(at, (principle,), (f"one order is enough for `{at}`",))
    if key == "JS":
        for total in _forward(term, asking("TV"), where):
            level = x.mul(x.log(x.num(2)), total.wanted.level)
            yield total.then(with_level(asked, level), "convex-duality", "JS is at most log(2) TV")
        for found in _converted(half, asked, where):
            yield start.and_then(found)
