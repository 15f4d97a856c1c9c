"""Desfontaines and Pejo, SoK: Differential Privacies: statements and steps beyond the list of claims.

P and Q are the output laws of two neighbours in either order, L = log(P/Q) the loss and D the Renyi divergence.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

from symprivacy.claims.argument import Argument, Attacked, Counterexample, Earlier, Example, Witness
from symprivacy.claims.comparison import comparison, put
from symprivacy.claims.finite_sums import setting
from symprivacy.claims.instances import (
    ADDED,
    REPLACED,
    Law,
    bags,
    confirms,
    contradicts,
    greatest_ratio,
    log,
    mass,
    moment,
    product_law,
    random_rows,
    related,
    response,
    shown,
    spread,
)
from symprivacy.claims.language import proposition
from symprivacy.claims.laws import random_growth, random_pair
from symprivacy.claims.outcome import every
from symprivacy.claims.papers.closure import means_within
from symprivacy.claims.papers.li13 import ROWS
from symprivacy.claims.papers.sok22_knowledge import bounded, noiseless
from symprivacy.claims.papers.sok22_table import one_way_personal, personal_both
from symprivacy.claims.record import Form, claims_of
from symprivacy.claims.sum_proofs import Step, Sums
from symprivacy.mechanisms.random import random_law

_claim = claims_of("sok22")

_DATA = bags("ab", 2)
_PAIRS = ("aa", "ab", "ba", "bb")
_PARALLEL = "Max(eps1, eps2)"
_ZCODP = "xi + rho*alpha"
# zCoDP of randomized response.
_RESPONSE = "eps*tanh(eps/2)"
_XI37, _RHO37 = "xi-rho/4+5*rho**(1/4)", "rho/4"
_WEIGHTED = "(x1*(exp(eps)*p + delta) + x2*(exp(eps)*p + delta))/(x1 + x2)"
_PRINTED = "(x1*(exp(eps)*p) + delta)/(x1 + x2) + (x2*(exp(eps)*p) + delta)/(x1 + x2)"
_SHARES = {"x1": "s*w", "x2": "(1-s)*w"}
_SPARED = "xi - log(1-delta)"
_CORRELATED = "n*eps"


def _side_by_side(first: list[list[Fraction]], second: list[list[Fraction]]) -> list[list[Fraction]]:
    """M(D) = (M1(the a of D), M2(the b of D)): output laws on all datasets; rows of M1 and M2 by number of records."""
    return [product_law(first[bag.count("a")], second[bag.count("b")]) for bag in _DATA]


def _moved_across() -> Witness:
    """M1 and M2 are randomized response on whether their part is empty; the record a is replaced by b."""
    growths = (Fraction(2), Fraction(3))
    parts = [[response(g)[0], response(g)[1], response(g)[1]] for g in growths]
    # A part has one kind of record, so that replacing it changes nothing.
    if any(spread(rows, [(0, 1), (1, 2)]) != g for rows, g in zip(parts, growths, strict=True)):
        return None
    rows = _side_by_side(*parts)
    found = Fraction(spread(rows, related(_DATA, (*ADDED, *REPLACED))))
    if not contradicts("r <= exp(b)", r=found, b=put(_PARALLEL, eps1=log(growths[0]), eps2=log(growths[1]))):
        return None
    a, b = rows[_DATA.index(("a",))], rows[_DATA.index(("b",))]
    says = (
        "levels `log(2)` and `log(3)` of the parts; the datasets (a) and (b), a for `M1` and `b` for `M2`: "
        f"ratio `{found} > 3`"
    )
    return {"says": says, "mechanism": {"inputs": ["a", "b"], "matrix": shown(a, b)}}


def _one_more(rng: Random) -> Witness:
    """Random parts: one record more or less, and a replaced one."""
    parts = random_rows(rng, 3), random_rows(rng, 3)
    one, two = (Fraction(spread(rows, [(0, 1), (1, 2)])) for rows in parts)
    rows = _side_by_side(*parts)
    added, replaced = (Fraction(spread(rows, related(_DATA, way))) for way in (ADDED, REPLACED))
    values = {"eps1": log(one), "eps2": log(two)}
    if contradicts("r <= exp(b)", r=added, b=put(_PARALLEL, **values)) or contradicts(
        "r <= exp(eps1 + eps2)", r=replaced, **values
    ):
        return {"says": f"parts {one} and {two}: added {added}, replaced {replaced}", "rows": shown(*rows)}
    return None


def _small_order() -> Witness:
    """Randomized response of ratio 4: zCoDP at its best rho, and the order 1/2."""
    growth, alpha = Fraction(4), Fraction(1, 2)
    one, other = response(growth)
    # sqrt(P Q) = 2/5 at both outputs, and D of order 1/2 is -2 log of the sum.
    root = Fraction(2, 5)
    if any(p * q != root**2 for p, q in zip(one, other, strict=True)):
        return None
    found, rho = put("-2*log(s)", s=2 * root), put(_RESPONSE, eps=log(growth))
    known = proposition("DP(eps) => ZCDP(rho)", rho=_RESPONSE).decide().proved
    if not known or not confirms("d > b", d=found, b=put(_ZCODP, xi=0, rho=rho, alpha=alpha)):
        return None
    says = (
        "ratio 4: `(0, rho)-zCoDP` at `rho = 3/5*log(4) = 0.8317...`, but `D` of order `1/2` is "
        "`2*log(5/4) = 0.4462... > rho/2`"
    )
    return {"says": says, "mechanism": {"matrix": shown(one, other)}, "alpha": "1/2", "rho": "3/5*log(4)"}


def _one_delta() -> Witness:
    """Randomized response of ratio 2**15, rho = 1, xi = 0, delta = exp(-121): the premise is 11-DP."""
    growth, delta = Fraction(2) ** 15, "exp(-121)"
    one, other = response(growth)
    second = log(moment(one, other, 1))
    private = confirms("e <= xi + sqrt(rho*log(1/delta))", e=log(growth), xi=0, rho=1, delta=delta)
    if not private or not confirms("d > xi + 2*rho", d=second, xi=put(_XI37, xi=0, rho=1), rho=put(_RHO37, rho=1)):
        return None
    says = (
        "`xi = 0`, `rho = 1`, `delta = exp(-121)`: randomized response of ratio `2**15` is `11-DP`, and its `D` of "
        "order 2 is `10.39... > 21/4`, the bound of `(19/4, 1/4)-zCoDP`"
    )
    return {"says": says, "mechanism": {"matrix": shown(one, other)}, "alpha": "2"}


def _given_most_outputs() -> Witness:
    """P = (3/5, 3/10, 1/10), Q = (1/3, 2/3, 0) and the event of the first two outputs."""
    one, other = [Fraction(3, 5), Fraction(3, 10), Fraction(1, 10)], [Fraction(1, 3), Fraction(2, 3), Fraction(0)]
    growth, delta, event = Fraction(2), Fraction(1, 5), (0, 1)
    masses = mass(one, event), mass(other, event)
    inside = [[law[k] / m for k in event] for law, m in zip((one, other), masses, strict=True)]
    ratio = max(greatest_ratio(inside[0], inside[1]), greatest_ratio(inside[1], inside[0]))
    needed = max(
        sum((q for q, p in zip(b, a, strict=True) if q > growth * p), Fraction(0))
        for a, b in ((one, other), (other, one))
    )
    if not (min(masses) > 1 - delta and ratio <= growth and needed > delta):
        return None
    says = (
        f"given the first two outputs, of mass `{masses[0]}` and `{masses[1]}`, the ratio is `{ratio}`, so that no "
        f"`D` is above `log(2)`: `(log(2), 0, {delta})-ACoDP`; but ProDP at `log(2)` needs `delta = {needed}`"
    )
    return {"says": says, "mechanism": {"matrix": shown(one, other)}, "event": ["0", "1"]}


def _given_bounded_loss(rng: Random) -> Witness:
    """P given the outputs with P <= exp(xi) Q, against all of Q."""
    growth = random_growth(rng)
    one, other = random_pair(rng, 3, growth)
    event = [k for k in range(3) if one[k] <= growth * other[k]]
    kept = mass(one, event)
    if not kept:
        return None
    ratio = max(one[k] / kept / other[k] for k in event if one[k])
    if contradicts("r <= exp(b)", r=ratio, b=put(_SPARED, xi=log(growth), delta=1 - kept)):
        return {"says": f"`exp(xi) = {growth}`, `delta = {1 - kept}`: ratio {ratio}", "laws": shown(one, other)}
    return None


def _exclusive_or() -> Witness:
    """Publish whether two uniform bits differ."""
    rows = {tuple(d): [Fraction(int(d[0] == d[1])), Fraction(int(d[0] != d[1]))] for d in _PAIRS}
    theta = {tuple(d): Fraction(1, 4) for d in _PAIRS}
    if noiseless(theta, rows) != 1 or bounded(rows) != float("inf"):
        return None
    says = "two uniform bits, their exclusive or is published: NPr at `eps = 0` for the uniform law, DP at no level"
    return {"says": says, "mechanism": {"inputs": list(_PAIRS), "matrix": shown(*rows.values())},
            "prior": dict.fromkeys(_PAIRS, "1/4")}  # fmt: skip


def _noiseless_bound(rng: Random) -> Witness:
    """Two records: any law against n eps, and the laws on two neighbours together against eps."""
    keys = [tuple(d) for d in _PAIRS]
    rows = dict(zip(keys, random_rows(rng, 4), strict=True))
    theta = dict(zip(keys, random_law(rng, 4, zeros=True), strict=True))
    plain, found = Fraction(bounded(rows)), Fraction(noiseless(theta, rows))
    if contradicts("r <= exp(b)", r=found, b=put(_CORRELATED, n=2, eps=log(plain))):
        return {"says": f"NPr ratio {found}, DP ratio {plain}", "laws": shown(*rows.values())}
    half = Fraction(1, 2)
    near = [(one, other) for one in keys for other in keys if sum(s != t for s, t in zip(one, other, strict=True)) == 1]
    together = max(noiseless({one: half, other: half}, rows) for one, other in near)
    return (
        None if together == plain else {"says": f"NPr ratio {together} over laws on two neighbours, DP ratio {plain}"}
    )


def _width(one: Law, other: Law) -> Fraction:
    """exp of the width of the range of the loss."""
    return Fraction(greatest_ratio(one, other)) * Fraction(greatest_ratio(other, one))


def _wider_mixture() -> Witness:
    """Two mechanisms with losses in ranges of width log(3), mixed half and half."""
    rows = (("3/5", "2/5", "0"), ("1/3", "2/3", "0")), (("2/3", "0", "1/3"), ("2/5", "0", "3/5"))
    one, other = ([[Fraction(p) for p in law] for law in pair] for pair in rows)
    mixed = [[(p + q) / 2 for p, q in zip(a, b, strict=True)] for a, b in zip(one, other, strict=True)]
    widths = [_width(*pair) for pair in (one, other, mixed)]
    if not max(widths[:2]) < widths[2]:
        return None
    says = "RBPr levels `log({})` and `log({})`, mixed half and half: `log({})`".format(*widths)
    return {"says": says, "mechanism": {"matrix": shown(*mixed)}, "parts": [shown(*one), shown(*other)]}


CLAIMS = (
    _claim(
        "parallel",
        "Sec 2.3, Theorem (parallel composition)",
        "`M(D)=(M1(D1),M2(D2))` with `D` separated into disjoint `D1`, `D2` is `max(eps_1,eps_2)-DP`",
        reading="beyond the list: `eps-DP` of Definition 2, under which a record may also be replaced; the "
        "separation looks at the records",
        proof=Counterexample(f"the pair is `{_PARALLEL}-DP`", _moved_across),
        instead=Form(
            "`max(eps_1,eps_2)-DP` for one record more or less (uBoDP), `(eps_1+eps_2)-DP` for a replaced record",
            Argument(
                ("independence", "group-path"),
                (
                    comparison("exp(eps1) <= exp(level)", level=_PARALLEL),
                    comparison("exp(eps2) <= exp(level)", level=_PARALLEL),
                    comparison("exp(eps1)*exp(eps2) <= exp(eps1 + eps2)"),
                ),
                ("a record more or less is in one of the parts; a replaced one may leave one part for the other",),
                _one_more,
            ),
        ),
    ),
    _claim(
        "zcdp-renyi",
        "Sec 3.3, before the Theorem",
        f"`(xi,rho)-zCoDP` is the same as `({_ZCODP})-RenyiDP` for all `alpha>0`",
        reading="beyond the list: `D` of an order below one as usual; Definition 12 has `alpha > 1`",
        words="Definition 11 at every order, by Definition 12",
        proof=Counterexample(f"`(xi,rho)-zCoDP => D_alpha <= {_ZCODP}` for all `alpha > 0`", _small_order),
        corrected=Form(
            f"`(xi,rho)-zCoDP` is the same as `({_ZCODP})-RenyiDP` for all `alpha>1`",
            Earlier("sok22-renyi-id"),
        ),
        uses=("sok22-renyi-id",),
    ),
    _claim(
        "dp-zcdp-37",
        "Sec 3.3 Thm, Lemma 3.7 of BS16",
        f"`(xi+sqrt(rho*log(1/delta)))-DP => ({_XI37}, {_RHO37})-zCoDP`",
        reading="beyond the list: for the given `delta`, as printed; the cited lemma, not decided here, asks for "
        "`(xi+sqrt(rho*log(1/delta)), delta)-DP` for all `delta > 0` at once and for `xi`, `rho` at most 1",
        proof=Counterexample("`(xi+sqrt(rho*log(1/delta)))-DP` for one `delta` is enough", _one_delta),
    ),
    _claim(
        "prop2-acodp",
        "Proof of Prop 2, last sentence",
        "`(xi,rho,delta)-ACoDP` is equivalent to `(xi,delta)-ProDP` when `rho=0`",
        reading="beyond the list: ACoDP bounds the Renyi divergences of the laws given events of probability above "
        "`1-delta`; sets of outputs are such events",
        proof=Counterexample("`(xi,0,delta)-ACoDP => (xi,delta)-ProDP`", _given_most_outputs),
        instead=Form(
            f"`(xi,delta)-ProDP => ({_SPARED},0,delta)-ACoDP`",
            Argument(
                ("tail", "unfolding"),
                (comparison("exp(xi)/(1-delta) <= exp(level)", "delta in [0, 1)", level=_SPARED),),
                (
                    "`P` given the outputs with `P <= exp(xi) Q`, of probability at least `1-delta`, against `Q`: "
                    "ratios grow by `1/(1-delta)` at most",
                ),
                _given_bounded_loss,
            ),
        ),
    ),
    _claim(
        "perdp-back",
        "Sec 5.1",
        "`Psi-PerDP => eps-DP` with `eps=max_i Psi(i)`",
        reading="beyond the list: `eps-DP` for the change that Definition 21 makes, a record is removed; the "
        "inequality there as printed, in one order only",
        words="every pair has its own level, at most the largest",
        proof=Counterexample("`Psi-PerDP => max Psi-DP`", one_way_personal),
        corrected=Form(
            "with both orders in Definition 21, `Psi-PerDP => eps-uBoDP` with `eps=max_i Psi(i)`",
            # The level of the record that is removed is s below the largest.
            Attacked(
                Sums(
                    setting("u v s: o"),
                    {"own": "u <= exp(eps - s)*v"},
                    {"largest": Step("u <= exp(eps)*v", {"own": "1"})},
                ),
                personal_both,
            ),
        ),
    ),
    _claim(
        "prop5-display",
        "Proof of Prop 5, display",
        "`(X1(exp(eps)*P[t in D])+delta)/(X1+X2) + (X2(exp(eps)*P[t in D])+delta)/(X1+X2) <= exp(eps)*P[t in D]+delta`",
        reading="beyond the list: `delta` stands outside of the brackets, and would be added twice without its weights",
        proof=comparison("mean <= exp(eps)*p + delta", "s in (0, 1)", "w in (0, 1]", mean=put(_PRINTED, **_SHARES)),
        corrected=Form(
            "`X1(exp(eps)*P[t in D]+delta)/(X1+X2) + X2(exp(eps)*P[t in D]+delta)/(X1+X2) <= exp(eps)*P[t in D]+delta`",
            comparison("mean <= exp(eps)*p + delta", "s in (0, 1)", "w in (0, 1]", mean=put(_WEIGHTED, **_SHARES)),
        ),
    ),
    _claim(
        "t3-npr",
        "Table 3",
        "`eps-DP` extends and is weaker than `(Theta,eps)-NPr`",
        reading="beyond the list: as printed; with the row of SamDP, which NPr extends and which extends and is weaker "
        "than `eps-DP`, it would make the three the same; databases of `n` records, one of which is replaced",
        words=(
            "any two databases are at most `n` records apart, and a mean of likelihoods is bounded as they "
            "are; with `Theta` all laws on two neighbours NPr is `eps-DP`"
        ),
        proof=Counterexample(
            "for every `Theta` and `eps` there is `eps'` with `(Theta,eps)-NPr => eps'-DP`", _exclusive_or
        ),
        corrected=Form(
            f"`(Theta,eps)-NPr` extends and is weaker than `eps-DP`: `eps-DP => (Theta,{_CORRELATED})-NPr`",
            # Any two databases are at most n records apart; with the laws on two neighbours NPr is eps-DP.
            Attacked(
                every(
                    proposition("group(DP(eps), n) => DP(n*eps) for n >= 1 integer"),
                    means_within(_CORRELATED, "n in [1, oo)"),
                    ROWS,
                ),
                _noiseless_bound,
                15,
            ),
        ),
    ),
    _claim(
        "rbpr-convex",
        "Table 3",
        "RBPr fails convexity",
        reading="beyond the list: the table has a question mark for it, which this answers",
        proof=Example("a mixture", _wider_mixture),
    ),
)
