"""Desfontaines and Pejo, SoK: Differential Privacies, Table 3: the relations between definitions.

A definition is stronger than another if for every (proper) parameter of the second some parameter of the first
implies it; it extends another if some parameter makes them the same. Where the table names no parameters, the
implication is proved with those that follow, and the verdict is on the relation.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from symprivacy.claims.argument import Argument, Counterexample, Example
from symprivacy.claims.comparison import comparison
from symprivacy.claims.earlier import Earlier
from symprivacy.claims.equivalence import equivalent
from symprivacy.claims.instances import (
    ADDED,
    REPLACED,
    Law,
    bags,
    contradicts,
    events,
    greatest_ratio,
    mass,
    random_rows,
    reached,
    related,
    shown,
    spread,
)
from symprivacy.claims.language import proposition
from symprivacy.claims.laws import closeness, exceptional, hockey_stick, random_growth
from symprivacy.claims.outcome import Proposition
from symprivacy.claims.record import Claim, Form
from symprivacy.mechanisms.random import random_law

_DATA = bags("ab", 3)
_LEAK = ([Fraction(1, 10), Fraction(0), Fraction(9, 10)], [Fraction(0), Fraction(1, 10), Fraction(9, 10)])


def _claim(name: str, statement: str, **how: Any) -> Claim:
    return Claim(f"sok22-t3-{name}", "sok22", "Table 3", statement, **how)


def _relation(*lemmas: Proposition, words: str = "", attack: Any = None, **more: Any) -> Argument:
    """A relation of the table by the implications behind it."""
    return Argument(("unfolding",), lemmas, (words,) if words else (), attack, **more)


def _one_sided_relaxed(one: Law, other: Law, growth: Fraction, spared: Fraction) -> Fraction:
    """The smallest additive slack after an event of probability at most ``spared`` is taken out."""
    allowed = [event for event in events(len(one)) if mass(one, event) <= spared]
    rest = [[k for k in range(len(one)) if k not in event] for event in allowed]
    return min(hockey_stick([one[k] for k in keep], [other[k] for k in keep], growth) for keep in rest)


def _relaxed(rng: random.Random) -> Mapping[str, Any] | None:
    """RelDP with nothing spared is (eps, delta)-DP, with no slack it is ProDP."""
    growth = random_growth(rng)
    one, other = random_law(rng, 3, zeros=True), random_law(rng, 3, zeros=True)
    if _one_sided_relaxed(one, other, growth, Fraction(0)) != hockey_stick(one, other, growth):
        return {"says": "nothing spared, yet another slack", "laws": shown(one, other)}
    delta = exceptional(one, other, growth)
    if _one_sided_relaxed(one, other, growth, delta) != 0:
        return {"says": f"probability {delta} spared, yet there is slack", "laws": shown(one, other)}
    return None


def _order(rng: random.Random) -> Mapping[str, Any] | None:
    """Renyi divergence increases with its order: KL, orders 2 and 3, infinity."""
    one, other = random_law(rng, 3), random_law(rng, 3)
    levels = [
        reached(one, other, "KL"),
        *(reached(one, other, "RDP", alpha=a) for a in (2, 3)),
        reached(one, other, "DP"),
    ]
    for k in range(3):
        if contradicts("a <= b", a=levels[k], b=levels[k + 1]):
            return {"says": f"level {k + 1} exceeds level {k + 2}", "laws": shown(one, other)}
    return None


def _unbounded_twice(rng: random.Random) -> Mapping[str, Any] | None:
    rows = random_rows(rng, len(_DATA))
    step, both = spread(rows, related(_DATA, ADDED)), spread(rows, related(_DATA, (*ADDED, *REPLACED)))
    if step <= both <= step * step:
        return None
    return {"says": f"adding: ratio {step}, adding or replacing: {both}", "rows": shown(*rows)}


def _bounded_weaker(rng: random.Random) -> Mapping[str, Any] | None:
    rows = random_rows(rng, len(_DATA))
    bounded, both = spread(rows, related(_DATA, REPLACED)), spread(rows, related(_DATA, (*ADDED, *REPLACED)))
    return None if bounded <= both else {"says": f"replacing: {bounded} > {both}", "rows": shown(*rows)}


def _sensitive_only(rng: random.Random) -> Mapping[str, Any] | None:
    """One record s or n, s sensitive: the ratio from s only, against both orders."""
    one, other = random_law(rng, 3), random_law(rng, 3)
    sided, both = greatest_ratio(one, other), max(greatest_ratio(one, other), greatest_ratio(other, one))
    return None if sided <= both else {"says": f"{sided} > {both}"}


def _whole_groups(rng: random.Random) -> Mapping[str, Any] | None:
    """With every record related to every other, c of them may change: the pairs of group privacy."""
    rows = random_rows(rng, 4)
    pairs = [(a, b) for a in range(4) for b in range(4) if a != b and (a ^ b) in (1, 2, 3)]
    within = [(a, b) for a in range(4) for b in range(4) if 0 < bin(a ^ b).count("1") <= 2]
    one, other = spread(rows, pairs), spread(rows, within)
    return None if one == other else {"says": f"{one} against {other}"}


def _one_way_personal() -> Mapping[str, Any] | None:
    """No record: (1, 0); one record: (1/2, 1/2). The printed inequality bounds the first by the second only."""
    without, with_it = [Fraction(1), Fraction(0)], [Fraction(1, 2), Fraction(1, 2)]
    printed, back = greatest_ratio(without, with_it), greatest_ratio(with_it, without)
    if printed != 2 or back != float("inf"):
        return None
    says = "M({}) = (1, 0), M({t}) = (1/2, 1/2): as printed at Psi = log(2), but the other order has ratio infinity"
    return {"says": says, "mechanism": {"matrix": shown(without, with_it)}}


def _personal_both(rng: random.Random) -> Mapping[str, Any] | None:
    """With both orders and the same level for all, the pairs are those that differ by one record more or less."""
    rows = random_rows(rng, len(_DATA))
    pairs = related(_DATA, ADDED)
    one = spread(rows, pairs)
    other = max(max(greatest_ratio(rows[a], rows[b]), greatest_ratio(rows[b], rows[a])) for a, b in pairs)
    return None if one == other else {"says": f"{one} against {other}"}


def _by_distance(rng: random.Random) -> Mapping[str, Any] | None:
    """exp(eps * distance) bounds every pair if it bounds those at distance one."""
    rows = random_rows(rng, 4)
    near = spread(rows, [(a, b) for a in range(4) for b in range(4) if bin(a ^ b).count("1") == 1])
    far = spread(rows, [(0, 3), (1, 2)])
    return None if far <= near * near else {"says": f"distance two: {far} > {near * near}"}


def _merging() -> Mapping[str, Any] | None:
    """P = (1/10, 6/10, 3/10, 0), Q the mirror image, eps = log 2; the first two outputs become one."""
    one = [Fraction(k, 10) for k in (1, 6, 3, 0)]
    other = one[::-1]
    before = max(exceptional(one, other, Fraction(2)), exceptional(other, one, Fraction(2)))
    merged = [[law[0] + law[1], law[2], law[3]] for law in (one, other)]
    after = exceptional(merged[0], merged[1], Fraction(2))
    if not (before == Fraction(1, 10) and after > before):
        return None
    says = f"eps = log(2): delta {before} before, {after} after two outputs are merged"
    return {"says": says, "mechanism": {"matrix": shown(one, other)}}


def _composes(notion: str, **options: Any) -> Any:
    """Whether the level of a product exceeds the sum of the levels."""

    def attack(rng: random.Random) -> Mapping[str, Any] | None:
        pairs = [(random_law(rng, 2), random_law(rng, 2)) for _ in range(2)]
        parts = [reached(one, other, notion, **options) for one, other in pairs]
        # Levels count both orders; take the same order of both parts as the worst there is.
        both = [[p * q for p in pairs[0][k] for q in pairs[1][k]] for k in (0, 1)]
        whole = reached(both[0], both[1], notion, **options)
        if contradicts("w <= a + b", w=whole, a=parts[0], b=parts[1]):
            return {"says": "the product exceeds the sum", "laws": shown(*pairs[0], *pairs[1])}
        return None

    return attack


def _losses_add(rng: random.Random) -> Mapping[str, Any] | None:
    """P[L1 + L2 > eps1 + eps2] against delta1 + delta2 - delta1 delta2."""
    growths = [random_growth(rng), random_growth(rng)]
    pairs = [(random_law(rng, 3), random_law(rng, 3)) for _ in range(2)]
    deltas = [exceptional(one, other, g) for (one, other), g in zip(pairs, growths, strict=True)]
    both = [[p * q for p in pairs[0][k] for q in pairs[1][k]] for k in (0, 1)]
    whole = exceptional(both[0], both[1], growths[0] * growths[1])
    allowed = deltas[0] + deltas[1] - deltas[0] * deltas[1]
    return None if whole <= allowed else {"says": f"delta {whole} > {allowed}"}


def _bad_draws(rng: random.Random) -> Mapping[str, Any] | None:
    """The pairs of inputs that a product violates are among those that one of its parts violates."""
    rows = [random_rows(rng, 3), random_rows(rng, 3)]
    growth = [random_growth(rng), random_growth(rng)]
    pairs = [(a, b) for a in range(3) for b in range(3)]
    bad = [{(a, b) for a, b in pairs if greatest_ratio(r[a], r[b]) > g} for r, g in zip(rows, growth, strict=True)]
    joint = [[p * q for p in rows[0][a] for q in rows[1][a]] for a in range(3)]
    whole = {(a, b) for a, b in pairs if greatest_ratio(joint[a], joint[b]) > growth[0] * growth[1]}
    return None if whole <= bad[0] | bad[1] else {"says": f"{sorted(whole)} against {sorted(bad[0] | bad[1])}"}


def _given_event(rng: random.Random) -> Mapping[str, Any] | None:
    """Given the outputs of bounded loss, the Renyi divergences are bounded by eps' - log(1 - delta'')."""
    one, other = random_law(rng, 4), random_law(rng, 4)
    growth = random_growth(rng)
    keep = [k for k in range(4) if one[k] <= growth * other[k] and other[k] <= growth * one[k]]
    p, q = mass(one, keep), mass(other, keep)
    if not keep or not p or not q:
        return None
    inside = [[law[k] / m for k in keep] for law, m in ((one, p), (other, q))]
    ratio = max(greatest_ratio(inside[0], inside[1]), greatest_ratio(inside[1], inside[0]))
    allowed = growth / min(p, q)
    return None if ratio <= allowed else {"says": f"conditional ratio {ratio} > {allowed}"}


def _leaks() -> Mapping[str, Any] | None:
    """Delta 1/10 of disjoint mass: (0, 1/10)-DP, but the ratio and the Kullback-Leibler divergence are infinite."""
    delta = closeness(*_LEAK, Fraction(1))
    if delta != Fraction(1, 10) or greatest_ratio(*_LEAK) != float("inf"):
        return None
    return {"says": "P = (1/10, 0, 9/10), Q = (0, 1/10, 9/10): (0, 1/10)-DP, DP and KL infinite", "laws": shown(*_LEAK)}


# Kullback-Leibler divergence of coins, as far apart as they can be at total variation t, is at least 2 t**2.
_PINSKER = "(1+t)/2*log((1+t)/(1-t)) + (1-t)/2*log((1-t)/(1+t)) >= 2*t**2"
_TRUNCATED = comparison("xi + rho*alpha <= (xi + rho)*alpha", "xi in [0, oo)", "rho in [0, oo)", "alpha in [1, oo)")
_DP_KL = proposition("DP(eps) => KL(eps)")
_LOSSES = ("p in [0, 1]", "q in [0, 1]", "x in (-oo, oo)", "y in (-oo, oo)")
_RATES = ("x in [0, oo)", "y in [0, oo)", "u in [0, oo)", "v in [0, oo)", "alpha in [1, oo)")

CLAIMS = (
    _claim(
        "adp",
        "(eps,delta)-DP extends and is weaker than eps-DP",
        proof=_relation(
            comparison("exp(eps)*q <= exp(eps)*q + delta", "q in [0, 1]", "delta in [0, 1]"),
            Example("not the other way round", _leaks),
            words="delta = 0 is eps-DP; a larger delta asks for less",
        ),
    ),
    _claim(
        "prodp",
        "(eps,delta)-DP ~ (eps,delta)-ProDP",
        reading="~ allows other parameters, eps > 0",
        proof=_relation(proposition("PDP(eps, delta) => ADP(eps, delta)"), Earlier("sok22-adp-prodp")),
        uses=("sok22-adp-prodp",),
    ),
    _claim(
        "reldp",
        "ProDP and (eps,delta)-DP are stronger special cases of RelDP",
        reading="RelDP: outside an event of probability delta_p the ratio bound holds up to delta_a",
        proof=_relation(
            comparison("exp(eps)*q + a <= exp(eps)*q + b + a", "q in [0, 1]", "a in [0, 1]", "b in [0, 1]"),
            words="delta_a = 0 is ProDP, delta_p = 0 is (eps, delta)-DP, and both grow weaker with the other delta",
            attack=_relaxed,
        ),
    ),
    _claim(
        "kl",
        "(eps,delta)-DP weaker than eps-KLPr weaker than eps-DP",
        reading="weaker with the parameters that follow, delta > 0",
        proof=_relation(
            _DP_KL,
            comparison("sqrt(k/2) <= delta", "k in (0, 1/50]", "delta in [1/10, 1]"),
            Argument(("joint-range",), (comparison(_PINSKER, "t in (0, 1)"),), ("Pinsker: KL >= 2 TV**2",)),
            Example("not the other way round", _leaks),
            words="KL at most 2 delta**2 gives (0, delta)-DP by Pinsker's inequality",
        ),
    ),
    _claim(
        "renyi",
        "KLPr special case of and weaker than RenyiDP; RenyiDP extends and is weaker than DP",
        reading="the orders 1 and infinity are included",
        proof=_relation(
            proposition("DP(eps) => RDP(2, eps)"),
            words="Renyi divergence increases with its order, from KL at 1 to the largest loss at infinity",
            attack=_order,
            trials=10,
        ),
    ),
    _claim(
        "mcodp",
        "(eps,delta)-DP weaker than mCoDP weaker than DP",
        reading="mCoDP: the loss has mean at most mu and is tau-subgaussian around it; delta > 0",
        proof=Argument(
            ("hoeffding", "tail"),
            (
                proposition("DP(eps) => KL(eps*tanh(eps/2))"),
                comparison("exp(s*t - s**2/2 - t**2/2) <= 1", "s in [0, oo)", "t in [0, oo)"),
                comparison("eps*tanh(eps/2) <= eps**2/2"),
            ),
            (
                "a loss within [-eps, eps] is eps-subgaussian, and its mean is at most eps tanh(eps/2);",
                "a tau-subgaussian loss exceeds mu + tau t with probability at most exp(-t**2/2)",
            ),
        ),
    ),
    _claim(
        "zcdp",
        "zCoDP ~ mCoDP",
        reading="~ with other parameters, rho > 0; (0, rho) with 2(exp(2 rho)-1) <= tau**2 and rho <= mu one way",
        proof=Argument(
            ("cumulant",),
            (
                comparison("(s+1)*m - m + s*r/2 <= (s+1)*(m + r/2)", "s in [0, oo)", "m in [0, oo)", "r in [0, oo)"),
                comparison("rho <= 2*(exp(2*rho) - 1)"),
            ),
            (
                "log E exp(s L) <= s mu + s**2 tau**2/2 at s = alpha-1 gives D_alpha <= mu + (alpha-1) tau**2/2;",
                "back: both tails of the loss are subgaussian by the bounds on all orders",
            ),
        ),
        uses=("sok22-mcodp-zcdp", "sok22-zcdp-mcodp"),
    ),
    _claim(
        "acodp-order",
        "(eps,delta)-DP stronger than ACoDP, which extends and is weaker than zCoDP",
        reading="ACoDP: zCoDP given events of probability at least 1-delta; parameters that follow",
        proof=Argument(
            ("tail", "unfolding"),
            (
                Earlier("sok22-adp-prodp"),
                comparison("0 <= eps - log(1-delta)", "delta in [0, 1)"),
            ),
            (
                "outside an event of probability delta'' the loss is at most eps'; given that it is at most",
                "eps' - log(1-delta''), which bounds every Renyi divergence; delta = 0 is zCoDP",
            ),
            _given_event,
        ),
    ),
    _claim(
        "bcodp",
        "bCoDP extends and is weaker than zCoDP",
        proof=Argument(("restriction",), words=("omega = infinity is zCoDP; a finite omega asks for fewer orders",)),
    ),
    _claim(
        "tcodp",
        "tCoDP[BDRS18] special case of and weaker than bCoDP",
        proof=_relation(_TRUNCATED, words="xi = 0 is tCoDP; (xi, rho, omega) implies (xi + rho, omega)"),
    ),
    _claim(
        "divdp",
        "DivDP extends most definitions in Q",
        uncheckable="'most' is no quantifier; KLPr, RenyiDP at one order, TVPr, (eps,delta)-DP, eps-DP and kDivDP are "
        "instances, ProDP, RelDP and mCoDP are not, because they fail post-processing",
    ),
    _claim(
        "kdiv",
        "kDivDP special case of DivDP",
        reading="k >= 1, where |x-1|**k is convex, and the expectation under M(D2)",
        proof=_relation(
            comparison("k*(k-1)*y**(k-2) >= 0", "k in [1, oo)", "y in (0, oo)"),
            words="f_k(x) = |x-1|**k has f_k(1) = 0 and is convex on either side of 1, with its minimum there",
        ),
    ),
    _claim(
        "ubo",
        "eps-DP ~ eps-uBoDP",
        reading="~ with 2 eps one way: DP is for adding, removing and replacing a record",
        proof=Argument(
            ("group-path",),
            (comparison("exp(eps)*exp(eps) <= exp(2*eps)"),),
            ("replacing is removing and adding",),
            _unbounded_twice,
        ),
    ),
    _claim(
        "bo",
        "eps-BoDP weaker than eps-DP",
        proof=Argument(("restriction",), words=("replacing a record is one of the changes",), attack=_bounded_weaker),
    ),
    _claim(
        "osdp",
        "OSDP extends and is weaker than BoDP",
        proof=Argument(
            ("restriction",), words=("P = T asks for every pair; a smaller P for fewer",), attack=_sensitive_only
        ),
    ),
    _claim(
        "dep",
        "DepDP extends GrDP",
        reading="R relates every record to every other, so that any c of them may change",
        proof=_relation(words="the same pairs of datasets", attack=_whole_groups),
    ),
    _claim(
        "per",
        "PerDP extends DP",
        reading="eps-DP for the change that the definition itself makes: in Definition 21 one record is removed; the "
        "inequality there as printed, in one order only",
        proof=Counterexample("Psi-PerDP with Psi = eps is eps-DP", _one_way_personal),
        corrected=Form(
            "with both orders, PerDP with Psi = eps is eps-uBoDP",
            _relation(words="the same pairs in both orders", attack=_personal_both),
        ),
    ),
    _claim(
        "dd",
        "DP special case of d_D-Pr",
        reading="d_D is eps times the number of records that differ",
        proof=Argument(
            ("group-path",),
            (comparison("exp(eps)*exp(eps) <= exp(2*eps)"),),
            ("c steps multiply c ratios",),
            _by_distance,
        ),
    ),
    _claim(
        "sempr",
        "SemPr ~ DP",
        reading="~ with the parameters that follow",
        proof=_relation(proposition("DP(eps) => SP(tanh(eps/2))"), proposition("SP(eta) => DP(4*atanh(eta))")),
    ),
    _claim("prodp-pp", "ProDP fails post-processing", proof=Example("merging two outputs", _merging)),
    _claim(
        "comp-kl",
        "KLPr composes",
        proof=Argument(
            ("independence",),
            (
                comparison(
                    "p*q*(x + y) == q*(p*x) + p*(q*y)",
                    *(f"{n} in [0, 1]" for n in "pq"),
                    "x in (-oo, oo)",
                    "y in (-oo, oo)",
                ),
            ),
            ("losses of independent outputs add, and so do their means",),
            _composes("KL"),
            12,
        ),
    ),
    _claim(
        "comp-renyi",
        "RenyiDP, zCoDP, bCoDP, tCoDP compose",
        reading="with the sums of the parameters and the smaller of two largest orders",
        proof=Argument(
            ("independence",),
            (
                comparison("(x + u*alpha) + (y + v*alpha) == (x + y) + (u + v)*alpha", *_RATES),
                comparison("Min(x, alpha*u) + Min(y, alpha*v) <= Min(x + y, alpha*(u + v))", *_RATES),
            ),
            ("E exp((alpha-1)L) multiplies, so Renyi divergences of one order add",),
            _composes("RDP", alpha=2),
            12,
        ),
    ),
    _claim(
        "comp-mcodp",
        "mCoDP composes",
        reading="with the sum of the means and the root of the sum of squares",
        proof=Argument(
            ("independence", "cumulant"),
            (
                comparison(
                    "exp(s**2*a/2)*exp(s**2*b/2) == exp(s**2*(a + b)/2)",
                    "s in (-oo, oo)",
                    "a in [0, oo)",
                    "b in [0, oo)",
                ),
            ),
            ("independent losses add; their centred moment generating functions multiply",),
            _composes("KL"),
            12,
        ),
    ),
    _claim(
        "comp-prodp",
        "ProDP composes",
        reading="with eps1 + eps2 and delta1 + delta2 - delta1*delta2",
        proof=Argument(
            ("tail", "independence"),
            (equivalent("1 - (1-a)*(1-b) <= c", "a + b - a*b <= c", "a in [0, 1]", "b in [0, 1]", "c in [0, 1]"),),
            ("if the sum of two losses exceeds eps1 + eps2, one exceeds its own eps",),
            _losses_add,
        ),
    ),
    _claim(
        "comp-randp",
        "RanDP composes",
        reading="same law of the data: (gamma1 + gamma2, eps1 + eps2), by the union bound over the drawn pair",
        proof=Argument(
            ("tail", "independence"),
            (comparison("exp(a)*exp(b) <= exp(a + b)", "a in [0, oo)", "b in [0, oo)"),),
            ("a pair that the two together violate is violated by one of them",),
            _bad_draws,
        ),
    ),
)
